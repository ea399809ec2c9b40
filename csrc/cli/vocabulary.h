/*
 * cli/vocabulary.h - the vocabulary that a command works with.
 *
 *   no --vocab        the vocabulary compiled into the program
 *   --vocab FILE      by what the file holds: vocab1 text, saved tables, or a tokenizer file
 *
 * vocab1 is a text: "vocab1 N STOP[,STOP]...", then N lines, line i for token i: its bytes in hex,
 * or !name for a special token, which has none.
 */
#ifndef GM_CLI_VOCABULARY_H
#define GM_CLI_VOCABULARY_H

#include "cli/options.h"

#include "gmask/files.h"

typedef struct gm_cli_vocabulary {
    gm_vocab *vocab;
    const char *name; /* for messages */
    const char *kind; /* "vocab1", "saved tables", "shipped", or a kind of tokenizer file */
    gm_vocab_info *info; /* NULL unless it came from a tokenizer file */
    uint64_t open_ns;
    gm_matcher_options matcher; /* with the stop tokens of --stop where the vocabulary lacks them */
    uint32_t *own_stop;         /* its list, or NULL */
} gm_cli_vocabulary;

/* False after saying why not. */
bool gm_cli_vocabulary_open(const gm_cli_options *options, gm_cli_vocabulary *vocabulary);
void gm_cli_vocabulary_close(gm_cli_vocabulary *vocabulary);
/* The stop tokens that matchers get. Borrowed. */
const uint32_t *gm_cli_vocabulary_stop(const gm_cli_vocabulary *vocabulary, size_t *count);

/* Every single byte and, at id 256, one stop token. */
gm_status gm_cli_byte_vocabulary(gm_vocab **vocab, gm_error *error);

#endif
