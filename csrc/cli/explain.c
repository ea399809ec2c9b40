/*
 * cli/explain.c - gmask explain: the compiled grammar for people, as text or as a graph.
 */
#include "cli/commands.h"
#include "cli/compile.h"
#include "cli/output.h"

static bool write_out(void *context, const char *text, size_t length)
{
    return fwrite(text, 1, length, context) == length;
}

static int explain(const gm_cli_options *options, bool dot)
{
    gm_cli_compiled compiled;
    gm_error error = {0};
    if (!gm_cli_compile(options, &compiled))
        return GM_CLI_FAILED;
    const gm_status status = gm_grammar_explain(compiled.grammar, dot, write_out, stdout, &error);
    if (status != GM_OK)
        gm_cli_say_error(options->schema_path, &error);
    gm_cli_compiled_free(&compiled);
    return status == GM_OK ? GM_CLI_DONE : GM_CLI_FAILED;
}

enum { OWN_DOT };

static const gm_cli_option own_options[] = {
    [OWN_DOT] = {"dot", 0, NULL, "a graph in the language of Graphviz"},
};

static bool take_own(void *context, size_t index, const char *value)
{
    (void)index;
    (void)value;
    *(bool *)context = true;
    return true;
}

static int run_explain(const gm_cli_command *self, int argc, char **argv)
{
    gm_cli_options options = {0};
    bool dot = false;
    int status = gm_cli_parse(self, argc, argv, &options, take_own, &dot);
    if (status == GM_CLI_GO)
        status = explain(&options, dot);
    gm_cli_options_free(&options);
    return status;
}

const gm_cli_command gm_cli_explain = {
    .name = "explain",
    .arguments = "--schema=FILE",
    .summary = "Show the automaton that a schema is compiled to",
    .groups = GM_CLI_TAKES_SCHEMA | GM_CLI_TAKES_VOCAB | GM_CLI_TAKES_SPECIALS | GM_CLI_TAKES_SCHEMA_OPTIONS,
    .own = own_options,
    .own_count = sizeof own_options / sizeof *own_options,
    .run = run_explain,
};
