/*
 * cli/options.c - see options.h.
 *
 * The common options are tables of (option, how to take its value). getopt_long gets one table made
 * of the groups that a command takes and of its own options; val is the index in that order.
 */
#define _GNU_SOURCE

#include "cli/options.h"

#include "cli/input.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- words ---- */

const gm_cli_word gm_cli_draft_words[] = {{"4", GM_DRAFT_4},
                                          {"6", GM_DRAFT_6},
                                          {"7", GM_DRAFT_7},
                                          {"2019-09", GM_DRAFT_2019_09},
                                          {"2020-12", GM_DRAFT_2020_12},
                                          {NULL, 0}};
const gm_cli_word gm_cli_order_words[] = {{"declared", GM_ORDER_DECLARED}, {"any", GM_ORDER_ANY}, {NULL, 0}};
const gm_cli_word gm_cli_format_words[] = {
    {"assert", GM_FORMATS_ASSERT}, {"annotate", GM_FORMATS_ANNOTATE}, {"schema", GM_FORMATS_SCHEMA}, {NULL, 0}};
const gm_cli_word gm_cli_whitespace_words[] = {{"flexible", GM_WHITESPACE_FLEXIBLE},
                                               {"compact", GM_WHITESPACE_COMPACT},
                                               {"spaced", GM_WHITESPACE_SPACED},
                                               {"indented", GM_WHITESPACE_INDENTED},
                                               {NULL, 0}};
static const gm_cli_word number_words[] = {{"plain", GM_NUMBERS_PLAIN}, {"json", GM_NUMBERS_JSON}, {NULL, 0}};
static const gm_cli_word escape_words[] = {{"json", GM_ESCAPES_JSON}, {"minimal", GM_ESCAPES_MINIMAL}, {NULL, 0}};
static const gm_cli_word unsupported_words[] = {{"refuse", GM_UNSUPPORTED_REFUSE},
                                                {"narrow", GM_UNSUPPORTED_NARROW},
                                                {"ignore", GM_UNSUPPORTED_IGNORE},
                                                {NULL, 0}};

bool gm_cli_find_word(const gm_cli_word *words, const char *text, int *value)
{
    for (; words->text != NULL; words++)
        if (strcmp(words->text, text) == 0) {
            *value = words->value;
            return true;
        }
    return false;
}

const char *gm_cli_word_of(const gm_cli_word *words, int value)
{
    for (; words->text != NULL; words++)
        if (words->value == value)
            return words->text;
    return "?";
}

/* ---- the common options ---- */

typedef enum option_id {
    OPTION_SCHEMA,
    OPTION_PROPERTY_ORDER,
    OPTION_WHITESPACE,
    OPTION_MAX_WHITESPACE,
    OPTION_INDENT,
    OPTION_ITEM_SEPARATOR,
    OPTION_KEY_SEPARATOR,
    OPTION_INTEGERS,
    OPTION_NUMBERS,
    OPTION_ESCAPES,
    OPTION_STRICT,
    OPTION_FORMATS,
    OPTION_UNSUPPORTED,
    OPTION_DRAFT,
    OPTION_OPENAPI,
    OPTION_DOCUMENTS,
    OPTION_VOCAB,
    OPTION_SPECIAL,
    OPTION_STOP,
    OPTION_HELP
} option_id;

typedef struct common_option {
    gm_cli_option option;
    option_id id;
    unsigned group;           /* 0 = every command has it */
    const gm_cli_word *words; /* the values that it takes, or NULL */
} common_option;

static const common_option common_options[] = {
    {{"schema", 0, "FILE", "the JSON Schema; - is standard input"}, OPTION_SCHEMA, GM_CLI_TAKES_SCHEMA, NULL},
    {{"vocab", 0, "FILE", "tokenizer file, saved tables or vocab1 text (default: the shipped vocabulary)"},
     OPTION_VOCAB, GM_CLI_TAKES_VOCAB, NULL},
    {{"special", 0, "FILE", "special tokens of a rank file: JSON, {\"100257\": \"<|endoftext|>\"}"},
     OPTION_SPECIAL, GM_CLI_TAKES_SPECIALS, NULL},
    {{"stop", 0, "TOKEN", "a stop token, by id or text; may be repeated"}, OPTION_STOP, GM_CLI_TAKES_SPECIALS, NULL},
    {{"property-order", 0, "ORDER", "order of keys"}, OPTION_PROPERTY_ORDER, GM_CLI_TAKES_SCHEMA_OPTIONS,
     gm_cli_order_words},
    {{"whitespace", 0, "STYLE", "white space"}, OPTION_WHITESPACE, GM_CLI_TAKES_SCHEMA_OPTIONS,
     gm_cli_whitespace_words},
    {{"max-whitespace", 0, "N", "bytes of one run of flexible white space; 0 = no limit"}, OPTION_MAX_WHITESPACE,
     GM_CLI_TAKES_SCHEMA_OPTIONS, NULL},
    {{"indent", 0, "N", "spaces a level of indented (default 2)"}, OPTION_INDENT, GM_CLI_TAKES_SCHEMA_OPTIONS, NULL},
    {{"item-separator", 0, "TEXT", "of spaced (default \", \")"}, OPTION_ITEM_SEPARATOR, GM_CLI_TAKES_SCHEMA_OPTIONS,
     NULL},
    {{"key-separator", 0, "TEXT", "of spaced and indented (default \": \")"}, OPTION_KEY_SEPARATOR,
     GM_CLI_TAKES_SCHEMA_OPTIONS, NULL},
    {{"integers", 0, "SPELLING", "spelling of integers"}, OPTION_INTEGERS, GM_CLI_TAKES_SCHEMA_OPTIONS, number_words},
    {{"numbers", 0, "SPELLING", "spelling of constrained numbers"}, OPTION_NUMBERS, GM_CLI_TAKES_SCHEMA_OPTIONS,
     number_words},
    {{"escapes", 0, "WHICH", "escapes in strings"}, OPTION_ESCAPES, GM_CLI_TAKES_SCHEMA_OPTIONS, escape_words},
    {{"strict", 0, NULL, "nothing undeclared where properties or prefix items are declared"}, OPTION_STRICT,
     GM_CLI_TAKES_SCHEMA_OPTIONS, NULL},
    {{"formats", 0, "HOW", "the keyword format"}, OPTION_FORMATS, GM_CLI_TAKES_SCHEMA_OPTIONS, gm_cli_format_words},
    {{"unsupported", 0, "HOW", "what cannot be enforced"}, OPTION_UNSUPPORTED, GM_CLI_TAKES_SCHEMA_OPTIONS,
     unsupported_words},
    {{"draft", 0, "DRAFT", "draft of the schema (default: by $schema, else 2020-12)"}, OPTION_DRAFT,
     GM_CLI_TAKES_SCHEMA_OPTIONS, gm_cli_draft_words},
    {{"openapi", 0, NULL, "read the schema as one of OpenAPI 3.0"}, OPTION_OPENAPI, GM_CLI_TAKES_SCHEMA_OPTIONS, NULL},
    {{"documents", 0, "FILE", "documents to refer to, as JSON lines of uri and text; may be repeated"},
     OPTION_DOCUMENTS, GM_CLI_TAKES_SCHEMA_OPTIONS, NULL},
    {{"help", 'h', NULL, "show this text"}, OPTION_HELP, 0, NULL},
};
enum { COMMON_COUNT = sizeof common_options / sizeof *common_options };

static void print_words(FILE *out, const gm_cli_word *words)
{
    for (const gm_cli_word *word = words; word->text != NULL; word++)
        fprintf(out, "%s%s", word == words ? "" : word[1].text != NULL ? ", " : " or ", word->text);
}

static bool take_word(const common_option *common, const char *value, int *word)
{
    if (gm_cli_find_word(common->words, value, word))
        return true;
    fprintf(stderr, "gmask: option '--%s' takes ", common->option.name);
    print_words(stderr, common->words);
    fprintf(stderr, ", not '%s'\n", value);
    return false;
}

static bool take_count(uint32_t *field, const char *value, const char *name)
{
    uint64_t number;
    if (!gm_cli_parse_number(value, &number) || number >= GM_WHITESPACE_UNLIMITED) {
        gm_cli_say(NULL, "option '--%s' takes a number, not '%s'", name, value);
        return false;
    }
    *field = (uint32_t)number;
    return true;
}

/* 0 says "no limit" on the command line and "the default" in the struct. */
static bool take_max_whitespace(uint32_t *field, const char *value, const char *name)
{
    if (!take_count(field, value, name))
        return false;
    if (*field == 0)
        *field = GM_WHITESPACE_UNLIMITED;
    return true;
}

static bool take_schema_option(gm_schema_options *schema, const common_option *common, const char *value)
{
    int word = 0;
    if (common->words != NULL && !take_word(common, value, &word))
        return false;
    switch (common->id) {
    case OPTION_PROPERTY_ORDER:
        schema->property_order = (gm_property_order)word;
        return true;
    case OPTION_WHITESPACE:
        schema->whitespace = (gm_whitespace)word;
        return true;
    case OPTION_MAX_WHITESPACE:
        return take_max_whitespace(&schema->max_whitespace, value, common->option.name);
    case OPTION_INDENT:
        return take_count(&schema->indent, value, common->option.name);
    case OPTION_ITEM_SEPARATOR:
        schema->item_separator = value;
        return true;
    case OPTION_KEY_SEPARATOR:
        schema->key_separator = value;
        return true;
    case OPTION_INTEGERS:
        schema->integers = (gm_number_spelling)word;
        return true;
    case OPTION_NUMBERS:
        schema->numbers = (gm_number_spelling)word;
        return true;
    case OPTION_ESCAPES:
        schema->escapes = (gm_escapes)word;
        return true;
    case OPTION_STRICT:
        schema->strict = true;
        return true;
    case OPTION_FORMATS:
        schema->formats = (gm_formats)word;
        return true;
    case OPTION_UNSUPPORTED:
        schema->unsupported = (gm_unsupported)word;
        return true;
    case OPTION_DRAFT:
        schema->draft = (gm_draft)word;
        return true;
    case OPTION_OPENAPI:
        schema->openapi = true;
        return true;
    default:
        return false;
    }
}

/* GM_CLI_GO or the exit status. */
static int take_common(gm_cli_options *options, const common_option *common, const char *value)
{
    switch (common->id) {
    case OPTION_SCHEMA:
        options->schema_path = value;
        return GM_CLI_GO;
    case OPTION_VOCAB:
        options->vocab_path = value;
        return GM_CLI_GO;
    case OPTION_SPECIAL:
        options->special_path = value;
        return GM_CLI_GO;
    case OPTION_STOP:
        options->stops = gm_cli_reallocate(options->stops, options->stop_count + 1, sizeof *options->stops);
        options->stops[options->stop_count++] = value;
        return GM_CLI_GO;
    case OPTION_DOCUMENTS:
        options->view.documents = &options->documents;
        options->schema.resolver = gm_cli_resolve;
        options->schema.resolver_context = &options->view;
        return gm_cli_documents_read(&options->documents, value) ? GM_CLI_GO : GM_CLI_FAILED;
    default:
        return take_schema_option(&options->schema, common, value) ? GM_CLI_GO : GM_CLI_USAGE;
    }
}

/* ---- help ---- */

static bool is_taken(const gm_cli_command *command, const common_option *common)
{
    return common->group == 0 || (command->groups & common->group) != 0;
}

static void print_option(const gm_cli_option *option, const gm_cli_word *words)
{
    enum { COLUMN = 29 };
    char left[64];
    char letter[8] = "    ";
    if (option->letter != 0)
        snprintf(letter, sizeof letter, "-%c, ", option->letter);
    snprintf(left, sizeof left, "%s--%s%s%s", letter, option->name, option->value != NULL ? "=" : "",
             option->value != NULL ? option->value : "");
    printf("  %-*s %s", COLUMN, left, option->help);
    if (words != NULL) {
        fputs(": ", stdout);
        print_words(stdout, words);
    }
    putchar('\n');
}

static void print_help(const gm_cli_command *command)
{
    printf("Usage: gmask %s [OPTION]... %s\n%s.\n", command->name, command->arguments, command->summary);
    if (command->details != NULL)
        printf("\n%s\n", command->details);
    puts("\nOptions:");
    for (size_t i = 0; i < command->own_count; i++)
        print_option(&command->own[i], NULL);
    for (size_t i = 0; i < COMMON_COUNT; i++)
        if (is_taken(command, &common_options[i]))
            print_option(&common_options[i].option, common_options[i].words);
}

int gm_cli_usage_error(const gm_cli_command *command, const char *format, ...)
{
    va_list arguments;
    fputs("gmask: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\nTry 'gmask %s --help'.\n", command->name);
    return GM_CLI_USAGE;
}

/* ---- parsing ---- */

/* getopt_long's view of a command: long_options ends with zeros, val is FIRST + index (common options
 * first, then the command's own), letters has the short forms. */
enum { FIRST_VALUE = 1000, MOST_OWN = 16 };

typedef struct getopt_tables {
    struct option long_options[COMMON_COUNT + MOST_OWN + 1];
    char letters[2 * MOST_OWN + 8];
} getopt_tables;

static const gm_cli_option *option_at(const gm_cli_command *command, size_t index)
{
    return index < COMMON_COUNT ? &common_options[index].option : &command->own[index - COMMON_COUNT];
}

static void make_tables(const gm_cli_command *command, getopt_tables *tables)
{
    size_t count = 0;
    char *letter = tables->letters;
    for (size_t i = 0; i < COMMON_COUNT + command->own_count; i++) {
        const gm_cli_option *option = option_at(command, i);
        if (i < COMMON_COUNT && !is_taken(command, &common_options[i]))
            continue;
        tables->long_options[count++] =
            (struct option){option->name, option->value != NULL ? required_argument : no_argument, NULL,
                            FIRST_VALUE + (int)i};
        if (option->letter != 0) {
            *letter++ = option->letter;
            if (option->value != NULL)
                *letter++ = ':';
        }
    }
    tables->long_options[count] = (struct option){0};
    *letter = '\0';
}

/* Index of what getopt_long returned. */
static size_t index_of(const gm_cli_command *command, int returned)
{
    if (returned >= FIRST_VALUE)
        return (size_t)(returned - FIRST_VALUE);
    size_t index = 0;
    while (option_at(command, index)->letter != returned)
        index++;
    return index;
}

static int take_option(const gm_cli_command *command, gm_cli_options *options, size_t index, gm_cli_take take,
                       void *context)
{
    if (index >= COMMON_COUNT)
        return take(context, index - COMMON_COUNT, optarg) ? GM_CLI_GO : GM_CLI_USAGE;
    if (common_options[index].id != OPTION_HELP)
        return take_common(options, &common_options[index], optarg);
    print_help(command);
    return GM_CLI_DONE;
}

int gm_cli_parse(const gm_cli_command *command, int argc, char **argv, gm_cli_options *options, gm_cli_take take,
                 void *context)
{
    getopt_tables tables;
    make_tables(command, &tables);
    options->schema.struct_size = sizeof options->schema;
    for (;;) {
        const int returned = getopt_long(argc, argv, tables.letters, tables.long_options, NULL);
        if (returned == -1)
            break;
        if (returned == '?') {
            fprintf(stderr, "Try 'gmask %s --help'.\n", command->name);
            return GM_CLI_USAGE;
        }
        const int status = take_option(command, options, index_of(command, returned), take, context);
        if (status != GM_CLI_GO)
            return status;
    }
    options->operands = argv + optind;
    options->operand_count = (size_t)(argc - optind);
    if (options->operand_count < command->min_operands)
        return gm_cli_usage_error(command, "a FILE is missing");
    if (options->operand_count > command->max_operands)
        return gm_cli_usage_error(command, "unexpected argument '%s'", options->operands[command->max_operands]);
    if ((command->groups & GM_CLI_TAKES_SCHEMA) != 0 && options->schema_path == NULL)
        return gm_cli_usage_error(command, "--schema FILE is missing");
    return GM_CLI_GO;
}

void gm_cli_options_free(gm_cli_options *options)
{
    gm_cli_documents_free(&options->documents);
    free(options->stops);
    options->stops = NULL;
}
