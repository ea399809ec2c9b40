/*
 * cli/check.c - gmask check: case lines in, answer lines out.
 *
 * A case is a schema with instances; its grammar is compiled once, and each instance runs through it
 * as bytes, from the first to the last. The options are those of a validator (any key order, any
 * white space, any spelling of numbers, formats as annotations) unless the command line changes
 * them; what a case itself asks for goes before both.
 *
 *   {"id": "...", "status": "ok", "compile_us": 412, "results": [true, false, null]}
 *   {"id": "...", "status": "refused", "code": "...", "pointer": "...", ...}
 *
 * A schema that no document satisfies is an answer and no refusal: every result is false.
 */
#include "cli/commands.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/vocabulary.h"

#include <json-c/json.h>
#include <string.h>

/* What lasts from case to case. */
typedef struct case_checker {
    gm_vocab *vocab;
    const gm_cli_options *options;
} case_checker;

/* ---- what a case asks for ---- */

/* Sets one option of a case; false when it is not known or its value is not. */
static bool set_case_option(gm_schema_options *schema, const char *name, const char *value)
{
    static const gm_cli_word whitespace_words[] = {
        {"any", GM_WHITESPACE_FLEXIBLE}, {"none", GM_WHITESPACE_COMPACT}, {NULL, 0}};
    int word;
    if (strcmp(name, "formats") == 0 && gm_cli_find_word(gm_cli_format_words, value, &word))
        /* "annotate" speaks of schemas that leave it open; a metaschema may still ask for assertion */
        schema->formats = word == GM_FORMATS_ANNOTATE ? GM_FORMATS_SCHEMA : (gm_formats)word;
    else if (strcmp(name, "property_order") == 0 && gm_cli_find_word(gm_cli_order_words, value, &word))
        schema->property_order = (gm_property_order)word;
    else if (strcmp(name, "whitespace") == 0 && gm_cli_find_word(whitespace_words, value, &word))
        schema->whitespace = (gm_whitespace)word;
    else
        return false;
    if (strcmp(name, "whitespace") == 0)
        schema->max_whitespace = GM_WHITESPACE_UNLIMITED;
    return true;
}

static gm_status refuse_option(gm_error *error, const char *name, const char *value)
{
    *error = (gm_error){.status = GM_UNSUPPORTED};
    snprintf(error->message, sizeof error->message, "option %s of the case cannot be '%s'", name, value);
    return GM_UNSUPPORTED;
}

static gm_status read_case_options(struct json_object *line, gm_schema_options *schema, gm_error *error)
{
    const char *draft = gm_cli_string_member(line, "draft", NULL);
    int word;
    if (draft != NULL) {
        if (strncmp(draft, "draft", 5) != 0 || !gm_cli_find_word(gm_cli_draft_words, draft + 5, &word))
            return refuse_option(error, "draft", draft);
        schema->draft = (gm_draft)word;
    }
    struct json_object *options;
    if (!json_object_object_get_ex(line, "options", &options) || !json_object_is_type(options, json_type_object))
        return GM_OK;
    json_object_object_foreach(options, name, option) {
        const char *value = json_object_get_string(option);
        if (value == NULL || !set_case_option(schema, name, value))
            return refuse_option(error, name, value != NULL ? value : "null");
    }
    return GM_OK;
}

/* ---- instances ---- */

typedef enum answer { ANSWER_FALSE, ANSWER_TRUE, ANSWER_NONE } answer;

/* Whether the bytes are a complete sentence. */
static answer run_instance(gm_matcher *matcher, const char *text, size_t length)
{
    switch (gm_matcher_accept_bytes(matcher, (const uint8_t *)text, length, NULL)) {
    case GM_OK: {
        const gm_matcher_state_kind state = gm_matcher_state(matcher);
        return state == GM_MAY_STOP || state == GM_COMPLETE || state == GM_STOPPED ? ANSWER_TRUE : ANSWER_FALSE;
    }
    case GM_REJECTED:
        return ANSWER_FALSE;
    default: /* a limit, or no memory */
        return ANSWER_NONE;
    }
}

/* One instance on a matcher of its own. */
static answer answer_instance(gm_grammar *grammar, struct json_object *instance)
{
    size_t length = 0;
    const char *text = json_object_is_type(instance, json_type_object)
                           ? gm_cli_string_member(instance, "text", &length)
                           : NULL;
    gm_matcher *matcher;
    if (text == NULL || gm_matcher_create(grammar, NULL, &matcher, NULL) != GM_OK)
        return ANSWER_NONE;
    const answer result = run_instance(matcher, text, length);
    gm_matcher_destroy(matcher);
    return result;
}

/* `grammar` is NULL for a schema that nothing satisfies. */
static void print_results(gm_grammar *grammar, struct json_object *line)
{
    static const char *const words[] = {[ANSWER_FALSE] = "false", [ANSWER_TRUE] = "true", [ANSWER_NONE] = "null"};
    struct json_object *instances = NULL;
    size_t count = 0;
    if (json_object_object_get_ex(line, "instances", &instances) && json_object_is_type(instances, json_type_array))
        count = json_object_array_length(instances);
    fputs(",\"results\":[", stdout);
    for (size_t i = 0; i < count; i++) {
        const answer result =
            grammar != NULL ? answer_instance(grammar, json_object_array_get_idx(instances, i)) : ANSWER_FALSE;
        printf("%s%s", i != 0 ? "," : "", words[result]);
    }
    fputc(']', stdout);
}

/* ---- a case ---- */

static const char *code_of(gm_status status)
{
    switch (status) {
    case GM_UNSUPPORTED:
        return "unsupported";
    case GM_INVALID_SCHEMA:
        return "invalid-schema";
    case GM_LIMIT:
        return "limit";
    case GM_OUT_OF_MEMORY:
        return "out-of-memory";
    default:
        return "internal";
    }
}

static void print_failure(const gm_error *error)
{
    const bool is_refusal =
        error->status == GM_UNSUPPORTED || error->status == GM_INVALID_SCHEMA || error->status == GM_LIMIT;
    printf(",\"status\":\"%s\",\"code\":\"%s\"", is_refusal ? "refused" : "error", code_of(error->status));
    gm_cli_json_member(stdout, "pointer", error->pointer);
    gm_cli_json_member(stdout, "keyword", error->keyword);
    gm_cli_json_member(stdout, "message", error->message[0] != '\0' ? error->message : gm_status_name(error->status));
}

/* Compiles the schema of a case with a compiler of its own, so that no answer depends on the cases
 * before it. */
static gm_status compile_case(const case_checker *checker, struct json_object *line, gm_grammar **grammar,
                              uint64_t *compile_ns, gm_error *error)
{
    gm_cli_view view = checker->options->view;
    gm_schema_options schema = checker->options->schema;
    gm_status status = read_case_options(line, &schema, error);
    if (status != GM_OK)
        return status;
    if (!json_object_object_get_ex(line, "documents", &view.listed) ||
        !json_object_is_type(view.listed, json_type_array))
        schema.resolver = NULL;
    schema.resolver_context = &view;

    gm_compiler *compiler;
    status = gm_compiler_create(checker->vocab, NULL, NULL, &compiler, error);
    if (status != GM_OK)
        return status;
    size_t length;
    const char *text = gm_cli_string_member(line, "schema", &length);
    const uint64_t start = gm_cli_now_ns();
    status = gm_compile_json_schema(compiler, text, length, &schema, grammar, error);
    *compile_ns = gm_cli_now_ns() - start;
    gm_compiler_release(compiler);
    return status;
}

static void answer_case(const case_checker *checker, struct json_object *line)
{
    gm_grammar *grammar = NULL;
    gm_error error = {0};
    uint64_t compile_ns = 0;
    size_t id_length = 0;
    const char *id = gm_cli_string_member(line, "id", &id_length);
    const gm_status status = compile_case(checker, line, &grammar, &compile_ns, &error);

    fputs("{\"id\":", stdout);
    gm_cli_json_string(stdout, id, id_length);
    error.status = status;
    if (status == GM_OK || status == GM_UNSATISFIABLE)
        fputs(",\"status\":\"ok\"", stdout);
    else
        print_failure(&error);
    printf(",\"compile_us\":%llu", (unsigned long long)(compile_ns / 1000));
    if (status == GM_OK || status == GM_UNSATISFIABLE)
        print_results(grammar, line);
    puts("}");
    fflush(stdout);
    gm_grammar_release(grammar);
}

/* ---- files of cases ---- */

static bool is_case(struct json_object *line)
{
    return gm_cli_string_member(line, "id", NULL) != NULL && gm_cli_string_member(line, "schema", NULL) != NULL;
}

/* False when any line was no case, which is said. */
static bool answer_file(const case_checker *checker, const char *path)
{
    gm_cli_lines lines;
    if (!gm_cli_lines_open(&lines, path))
        return false;
    bool is_good = true;
    while (gm_cli_lines_next(&lines)) {
        struct json_object *line = gm_cli_parse_line(&lines);
        if (line != NULL && is_case(line)) {
            answer_case(checker, line);
        } else {
            if (line != NULL)
                gm_cli_say(path, "line %zu: a case needs the strings id and schema", lines.number);
            is_good = false;
        }
        json_object_put(line);
    }
    return gm_cli_lines_close(&lines) && is_good;
}

static int answer_files(const gm_cli_options *options)
{
    case_checker checker = {.options = options};
    gm_error error = {0};
    if (gm_cli_byte_vocabulary(&checker.vocab, &error) != GM_OK) {
        gm_cli_say_error(NULL, &error);
        return GM_CLI_FAILED;
    }
    bool is_good = true;
    if (options->operand_count == 0)
        is_good = answer_file(&checker, "-");
    for (size_t i = 0; i < options->operand_count; i++)
        is_good = answer_file(&checker, options->operands[i]) && is_good;
    gm_vocab_release(checker.vocab);
    return is_good ? GM_CLI_DONE : GM_CLI_FAILED;
}

static int run_check(const gm_cli_command *self, int argc, char **argv)
{
    gm_cli_options options = {.schema = {
                                  .property_order = GM_ORDER_ANY,
                                  .whitespace = GM_WHITESPACE_FLEXIBLE,
                                  .max_whitespace = GM_WHITESPACE_UNLIMITED,
                                  .integers = GM_NUMBERS_JSON,
                                  .numbers = GM_NUMBERS_JSON,
                                  .formats = GM_FORMATS_SCHEMA,
                              }};
    int status = gm_cli_parse(self, argc, argv, &options, NULL, NULL);
    if (status == GM_CLI_GO)
        status = answer_files(&options);
    gm_cli_options_free(&options);
    return status;
}

const gm_cli_command gm_cli_check = {
    .name = "check",
    .arguments = "[FILE]...",
    .summary = "Answer cases, schemas with instances, as a validator would",
    .details = "Reads case lines, one JSON object each, from the files or standard input:\n"
               "  {\"id\": \"a\", \"schema\": \"{\\\"type\\\":\\\"string\\\"}\", \"instances\": [{\"text\": \"1\"}]}\n"
               "and writes an answer line for each:\n"
               "  {\"id\": \"a\", \"status\": \"ok\", \"compile_us\": 94, \"results\": [false]}\n"
               "Unless said otherwise keys come in any order, white space is flexible without limit,\n"
               "numbers have every spelling of JSON, and formats are annotations. A case may have\n"
               "\"draft\" (\"draft7\"), \"options\" (formats, whitespace, property_order) and \"documents\",\n"
               "the URIs of the only documents that it sees.",
    .groups = GM_CLI_TAKES_SCHEMA_OPTIONS,
    .max_operands = SIZE_MAX,
    .run = run_check,
};
