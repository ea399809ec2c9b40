/*
 * cli/vocab1.h - the vocab1 text format, see vocabulary.h.
 */
#ifndef GM_CLI_VOCAB1_H
#define GM_CLI_VOCAB1_H

#include "cli/input.h"

/* Whether a text claims to be vocab1. */
bool gm_cli_is_vocab1(const char *text, size_t length);
/* Makes a vocabulary of it; GM_INVALID_FILE names the line that is wrong. */
gm_status gm_cli_vocab1_read(const gm_cli_text *text, gm_vocab **vocab, gm_error *error);

#endif
