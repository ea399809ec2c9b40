/*
 * cli/compile.c - see compile.h.
 */
#include "cli/compile.h"

#include "cli/output.h"

#include <stdlib.h>

/* Annotations are expected in schemas; what was narrowed or ignored is not. */
static void print_warnings(const gm_grammar *grammar, const char *path)
{
    const size_t count = gm_grammar_warning_count(grammar);
    for (size_t i = 0; i < count; i++) {
        gm_warning warning;
        if (gm_grammar_warning(grammar, i, &warning) != GM_OK || warning.kind == GM_WARNING_ANNOTATION)
            continue;
        gm_cli_say(path, "%s%s%s%swarning: %s: %s", warning.pointer, warning.pointer[0] != '\0' ? ": " : "",
                   warning.keyword, warning.keyword[0] != '\0' ? ": " : "",
                   warning.kind == GM_WARNING_NARROWED ? "narrowed" : "ignored", warning.text);
    }
}

bool gm_cli_compile(const gm_cli_options *options, gm_cli_compiled *compiled)
{
    gm_compiler *compiler;
    gm_error error = {0};
    *compiled = (gm_cli_compiled){0};
    if (!gm_cli_read_file(options->schema_path, &compiled->text) ||
        !gm_cli_vocabulary_open(options, &compiled->vocabulary)) {
        gm_cli_compiled_free(compiled);
        return false;
    }
    gm_status status = gm_compiler_create(compiled->vocabulary.vocab, NULL, NULL, &compiler, &error);
    if (status != GM_OK) {
        gm_cli_say_error(compiled->vocabulary.name, &error);
        gm_cli_compiled_free(compiled);
        return false;
    }
    const uint64_t start = gm_cli_now_ns();
    status = gm_compile_json_schema(compiler, compiled->text.data, compiled->text.length, &options->schema,
                                    &compiled->grammar, &error);
    compiled->compile_ns = gm_cli_now_ns() - start;
    gm_compiler_release(compiler);
    if (status != GM_OK) {
        gm_cli_say_error(options->schema_path, &error);
        gm_cli_compiled_free(compiled);
        return false;
    }
    print_warnings(compiled->grammar, options->schema_path);
    return true;
}

void gm_cli_compiled_free(gm_cli_compiled *compiled)
{
    gm_grammar_release(compiled->grammar);
    gm_cli_vocabulary_close(&compiled->vocabulary);
    free(compiled->text.data);
    *compiled = (gm_cli_compiled){0};
}
