/*
 * cli/sampler.h - logits without a model: seeded noise with the manners of a writer.
 *
 * Each token belongs to a class (word, digit, quote, closing bracket, ...), one inside strings and
 * another outside. A class has a weight, shared out among its tokens, so a token's logit is
 *
 *   ln(weight / tokens of the class) + impatience * push of the class
 *
 * and adding Gumbel noise and taking the largest draws one token by these weights (the Gumbel-max
 * trick). Impatience is zero at first and grows with the document's length; it pushes towards closing
 * quotes and brackets, so that documents end where their schema lets them.
 *
 * The same seed and the same vocabulary give the same logits. Knows nothing of schemas.
 */
#ifndef GM_CLI_SAMPLER_H
#define GM_CLI_SAMPLER_H

#include "gmask/gmask.h"

typedef struct gm_cli_sampler gm_cli_sampler;

gm_cli_sampler *gm_cli_sampler_create(gm_vocab *vocab, const uint32_t *stop, size_t stop_count, uint64_t seed);
void gm_cli_sampler_destroy(gm_cli_sampler *sampler);

/* A new document begins; the noise goes on. */
void gm_cli_sampler_begin(gm_cli_sampler *sampler);
/* The logits of the next step, noise included: gm_vocab_logit_width of them, the caller's to mask. */
float *gm_cli_sampler_logits(gm_cli_sampler *sampler);
/* The token with the largest logit; UINT32_MAX when all are minus infinity. */
uint32_t gm_cli_sampler_pick(const gm_cli_sampler *sampler);
/* The token that was accepted. */
void gm_cli_sampler_advance(gm_cli_sampler *sampler, uint32_t token);

#endif
