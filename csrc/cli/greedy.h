/*
 * cli/greedy.h - text to tokens by the longest token that fits, over any vocabulary.
 *
 * Not what a model's tokenizer does, but close to it in the number of tokens, and enough to time a
 * document. Tokens that are control, added, unused or unknown take no part.
 */
#ifndef GM_CLI_GREEDY_H
#define GM_CLI_GREEDY_H

#include "gmask/gmask.h"

typedef struct gm_cli_greedy {
    const gm_vocab *vocab; /* borrowed */
    uint32_t *order;       /* ids in order of their bytes */
    size_t count;
    size_t longest;
} gm_cli_greedy;

void gm_cli_greedy_init(gm_cli_greedy *greedy, const gm_vocab *vocab);
void gm_cli_greedy_free(gm_cli_greedy *greedy);
/* *tokens is the caller's to free. False at a byte that no token spells; *count tokens lead there. */
bool gm_cli_greedy_encode(const gm_cli_greedy *greedy, const char *text, size_t length, uint32_t **tokens,
                          size_t *count);

#endif
