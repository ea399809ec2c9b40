/*
 * cli/check_schema.c - gmask check-schema: what of a schema is enforced, what is an annotation, what
 * would be refused. Needs no vocabulary.
 */
#include "cli/commands.h"
#include "cli/input.h"
#include "cli/output.h"

#include <stdlib.h>

static void print_report(const gm_schema_report *report)
{
    static const char *const words[] = {
        [GM_REPORT_ENFORCED] = "enforced", [GM_REPORT_ANNOTATION] = "annotation", [GM_REPORT_REFUSED] = "refused"};
    size_t tally[3] = {0};
    const size_t count = gm_schema_report_count(report);
    for (size_t i = 0; i < count; i++) {
        gm_report_entry entry;
        if (gm_schema_report_entry(report, i, &entry) != GM_OK || entry.kind > GM_REPORT_REFUSED)
            continue;
        tally[entry.kind]++;
        printf("%-11s %s", words[entry.kind], entry.pointer[0] != '\0' ? entry.pointer : "(root)");
        if (entry.keyword[0] != '\0')
            printf("  %s", entry.keyword);
        if (entry.text[0] != '\0')
            printf("  %s", entry.text);
        putchar('\n');
    }
    printf("enforced: %zu, annotations: %zu, refused: %zu\n", tally[GM_REPORT_ENFORCED], tally[GM_REPORT_ANNOTATION],
           tally[GM_REPORT_REFUSED]);
}

static void print_json(const gm_schema_report *report)
{
    size_t length;
    const char *text = gm_schema_report_json(report, &length);
    fwrite(text, 1, length, stdout);
    if (length == 0 || text[length - 1] != '\n')
        putchar('\n');
}

static int check_schema(const gm_cli_options *options, bool json)
{
    const char *path = options->operands[0];
    gm_cli_text text;
    gm_schema_report *report;
    gm_error error = {0};
    if (!gm_cli_read_file(path, &text))
        return GM_CLI_FAILED;
    gm_status status = gm_schema_check(text.data, text.length, &options->schema, NULL, &report, &error);
    free(text.data);
    if (status != GM_OK) {
        gm_cli_say_error(path, &error);
        return GM_CLI_FAILED;
    }
    if (json)
        print_json(report);
    else
        print_report(report);
    status = gm_schema_report_status(report);
    gm_schema_report_destroy(report);
    if (status == GM_OK)
        return GM_CLI_DONE;
    gm_cli_say(path, "would not compile: %s", gm_status_name(status));
    return GM_CLI_FAILED;
}

enum { OWN_JSON };

static const gm_cli_option own_options[] = {
    [OWN_JSON] = {"json", 0, NULL, "the report as JSON"},
};

static bool take_own(void *context, size_t index, const char *value)
{
    (void)index;
    (void)value;
    *(bool *)context = true;
    return true;
}

static int run_check_schema(const gm_cli_command *self, int argc, char **argv)
{
    gm_cli_options options = {0};
    bool json = false;
    int status = gm_cli_parse(self, argc, argv, &options, take_own, &json);
    if (status == GM_CLI_GO)
        status = check_schema(&options, json);
    gm_cli_options_free(&options);
    return status;
}

const gm_cli_command gm_cli_check_schema = {
    .name = "check-schema",
    .arguments = "FILE",
    .summary = "Tell what of a schema is enforced, annotated, refused",
    .details = "The exit status is 1 when the schema would not compile.",
    .groups = GM_CLI_TAKES_SCHEMA_OPTIONS,
    .own = own_options,
    .own_count = sizeof own_options / sizeof *own_options,
    .min_operands = 1,
    .max_operands = 1,
    .run = run_check_schema,
};
