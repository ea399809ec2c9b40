/*
 * cli/compile.h - from the command line to a grammar: vocabulary, compiler, schema file.
 */
#ifndef GM_CLI_COMPILE_H
#define GM_CLI_COMPILE_H

#include "cli/input.h"
#include "cli/vocabulary.h"

typedef struct gm_cli_compiled {
    gm_cli_vocabulary vocabulary;
    gm_cli_text text; /* the schema */
    gm_grammar *grammar;
    uint64_t compile_ns;
} gm_cli_compiled;

/* Opens the vocabulary, compiles --schema, prints the warnings that matter. False after saying why not. */
bool gm_cli_compile(const gm_cli_options *options, gm_cli_compiled *compiled);
void gm_cli_compiled_free(gm_cli_compiled *compiled);

#endif
