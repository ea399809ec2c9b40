/*
 * cli/shipped_vocabulary.h - the small vocabulary inside the program, so that it needs no file to run.
 *
 * 4,096 tokens, byte level: every single byte, what JSON is made of, the numbers to 999, words, and six special tokens at
 * the end, of which <|end|> stops. data/vocabulary.txt holds the same as text; tools/train_vocabulary.py makes both.
 */
#ifndef GM_CLI_SHIPPED_VOCABULARY_H
#define GM_CLI_SHIPPED_VOCABULARY_H

#include "gmask/gmask.h"

/* allocator and error may be NULL. The caller releases the vocabulary. */
gm_status gm_shipped_vocabulary(const gm_allocator *allocator, gm_vocab **vocab, gm_error *error);

#endif
