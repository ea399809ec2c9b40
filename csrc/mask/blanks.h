/*
 * mask/blanks.h - tokens that begin with white space, prepared for gaps of a bounded run.
 *
 * A vocabulary has hundreds of runs of blanks, and hundreds of tokens that go on with something
 * structural behind one. Where a gap takes up to `room` more bytes of any white space, the tokens
 * of at most so many blanks alone are all allowed; of the others with at most so many in front only
 * what follows matters, and a few distinct rests stand for them in a trie of their own.
 *
 * One set a bound and way of escaping, made when first asked for; immutable.
 */
#ifndef GM_MASK_BLANKS_H
#define GM_MASK_BLANKS_H

#include "machine/machine.h"
#include "mask/openings.h"
#include "mask/tails.h"

enum { GM_MAX_BLANK_ROOM = 64 }; /* sets are made for less room than this, and for room without end */

typedef struct gm_blanks {
    uint32_t *words; /* mask of the tokens of 1 to `room` blanks alone */
    size_t word_count;
    gm_small_trie rests; /* behind 1 to `room` blanks */
    gm_openings quoted;  /* of these, those that begin with a quote, by what they do behind it */
} gm_blanks;

gm_status gm_blanks_init(gm_blanks *blanks, const gm_vocab *vocab, const gm_alphabet *alphabet, uint32_t room,
                         const gm_allocator *allocator);
void gm_blanks_destroy(gm_blanks *blanks, const gm_allocator *allocator);
/* Whether a configuration stands in a gap of any white space; *room = bytes that it still takes. */
bool gm_blanks_apply(const gm_machine *machine, const gm_config *config, uint32_t *room);

#endif
