/*
 * schema/fuzz.c - bytes as a schema: the report and the compiler agree, and every refusal says why.
 *
 * Two bytes of options, then the text.
 */
#include "vocabulary.h"

static bool count_text(void *context, const char *text, size_t length)
{
    *(size_t *)context += length;
    return text != NULL || length == 0;
}

static void check_error(const gm_error *error, gm_status status, size_t length)
{
    GM_FUZZ_CHECK(error->status == status && error->message[0] != '\0' && error->offset <= length);
    GM_FUZZ_CHECK(status == GM_INVALID_SCHEMA || status == GM_UNSATISFIABLE || status == GM_UNSUPPORTED || status == GM_LIMIT);
}

static void check_grammar(gm_grammar *grammar, gm_compiler *compiler)
{
    GM_FUZZ_CHECK(gm_grammar_compiler(grammar) == compiler && gm_grammar_memory(grammar) > 0);
    const size_t count = gm_grammar_warning_count(grammar);
    gm_warning warning;
    for (size_t i = 0; i < count; i++) {
        GM_FUZZ_CHECK(gm_grammar_warning(grammar, i, &warning) == GM_OK);
        GM_FUZZ_CHECK(warning.pointer != NULL && warning.keyword != NULL && warning.text != NULL);
    }
    GM_FUZZ_CHECK(gm_grammar_warning(grammar, count, &warning) == GM_INVALID_ARGUMENT);
    gm_grammar_stats stats = {.struct_size = sizeof stats};
    GM_FUZZ_CHECK(gm_grammar_get_stats(grammar, &stats) == GM_OK);
    size_t written = 0;
    gm_error error = {0};
    const gm_status explained = gm_grammar_explain(grammar, false, count_text, &written, &error);
    GM_FUZZ_CHECK((explained == GM_OK && written > 0) || explained == GM_LIMIT);
    GM_FUZZ_CHECK(gm_grammar_prewarm(grammar, 2000, &error) == GM_OK);
}

static void check_report(const gm_schema_report *report, gm_status compiled)
{
    const size_t count = gm_schema_report_count(report);
    bool refused = false;
    gm_report_entry entry;
    for (size_t i = 0; i < count; i++) {
        GM_FUZZ_CHECK(gm_schema_report_entry(report, i, &entry) == GM_OK);
        GM_FUZZ_CHECK(entry.pointer != NULL && entry.keyword != NULL && entry.text != NULL);
        refused = refused || entry.kind == GM_REPORT_REFUSED;
    }
    GM_FUZZ_CHECK(gm_schema_report_entry(report, count, &entry) == GM_INVALID_ARGUMENT);
    GM_FUZZ_CHECK(gm_schema_report_status(report) == compiled);
    GM_FUZZ_CHECK(!refused || compiled != GM_OK);
    size_t length;
    const char *json = gm_schema_report_json(report, &length);
    GM_FUZZ_CHECK(json != NULL && json[length] == '\0' && strlen(json) == length);
}

/* Any document, and the grammars that are declared for later. */
static void check_other_grammars(gm_compiler *compiler, const gm_schema_options *options)
{
    gm_grammar *grammar = NULL;
    GM_FUZZ_CHECK(gm_compile_json(compiler, options, &grammar, NULL) == GM_OK);
    gm_grammar *twice = gm_grammar_retain(grammar);
    gm_grammar_release(grammar);
    GM_FUZZ_CHECK(gm_grammar_memory(twice) > 0);
    gm_grammar_release(twice);
    grammar = NULL;
    GM_FUZZ_CHECK(gm_compile_regex(compiler, "a", 1, &grammar, NULL) == GM_UNSUPPORTED);
    GM_FUZZ_CHECK(gm_compile_tags(compiler, "{}", 2, &grammar, NULL) == GM_UNSUPPORTED);
    GM_FUZZ_CHECK(gm_compile_ebnf(compiler, "a", 1, &grammar, NULL) == GM_UNSUPPORTED && grammar == NULL);
    gm_compiler *same = gm_compiler_retain(compiler);
    GM_FUZZ_CHECK(same == compiler);
    gm_compiler_release(same);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static gm_vocab *vocab;
    if (vocab == NULL)
        vocab = gm_fuzz_vocabulary();
    gm_fuzz_reader reader = {data, size};
    const gm_schema_options options = gm_fuzz_options(&reader);
    const gm_limits limits = gm_fuzz_limits();
    const char *text = (const char *)reader.at;

    gm_compiler *compiler = NULL;
    gm_grammar *grammar = NULL, *again = NULL;
    gm_error error = {0};
    GM_FUZZ_CHECK(gm_compiler_create(vocab, &limits, NULL, &compiler, &error) == GM_OK);
    const gm_status compiled = gm_compile_json_schema(compiler, text, reader.left, &options, &grammar, &error);
    if (compiled != GM_OK)
        check_error(&error, compiled, reader.left);
    GM_FUZZ_CHECK(gm_compile_json_schema(compiler, text, reader.left, &options, &again, &error) == compiled);
    GM_FUZZ_CHECK((grammar != NULL) == (compiled == GM_OK) && (again != NULL) == (compiled == GM_OK));
    check_other_grammars(compiler, &options);
    gm_compiler_release(compiler); /* a grammar keeps its own */
    if (grammar != NULL)
        check_grammar(grammar, compiler);

    gm_schema_report *report = NULL;
    const gm_status checked = gm_schema_check(text, reader.left, &options, &limits, &report, &error);
    if (checked == GM_OK) {
        check_report(report, compiled);
        gm_schema_report_destroy(report);
    } else {
        GM_FUZZ_CHECK(report == NULL && (checked == GM_INVALID_SCHEMA || checked == GM_LIMIT) && compiled == checked);
    }
    gm_grammar_release(grammar);
    gm_grammar_release(again);
    return 0;
}
