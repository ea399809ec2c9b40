/*
 * cli/options.h - the command line: one description of each option serves parser and --help alike.
 *
 * A command is a constant: its name, what it says of itself, its own options, and which groups of
 * common options it takes besides. gm_cli_parse reads the command line in the manner of GNU
 * getopt_long (options anywhere, unambiguous prefixes, "--" ends them).
 */
#ifndef GM_CLI_OPTIONS_H
#define GM_CLI_OPTIONS_H

#include "cli/documents.h"
#include "cli/output.h"

#include "gmask/gmask.h"

/* Groups of common options. */
enum {
    GM_CLI_TAKES_SCHEMA = 1,         /* --schema */
    GM_CLI_TAKES_SCHEMA_OPTIONS = 2, /* what gm_schema_options has */
    GM_CLI_TAKES_VOCAB = 4,          /* --vocab */
    GM_CLI_TAKES_SPECIALS = 8        /* --special, --stop */
};

/* Everything the common options say. Zero plus a command's own defaults before parsing. */
typedef struct gm_cli_options {
    const char *schema_path;
    gm_schema_options schema; /* resolver is set exactly when documents were given */
    gm_cli_documents documents;
    gm_cli_view view; /* of all documents: context of schema.resolver */
    const char *vocab_path;
    const char *special_path;
    const char **stops; /* ids or texts */
    size_t stop_count;
    char **operands;
    size_t operand_count;
} gm_cli_options;

typedef struct gm_cli_option {
    const char *name;
    char letter;       /* short form, or 0 */
    const char *value; /* what stands for its value in --help; NULL = takes none */
    const char *help;
} gm_cli_option;

typedef struct gm_cli_command gm_cli_command;
struct gm_cli_command {
    const char *name;      /* "check" */
    const char *arguments; /* "[FILE]..." */
    const char *summary;   /* one line without a full stop */
    const char *details;   /* further text of --help, or NULL */
    unsigned groups;
    const gm_cli_option *own;
    size_t own_count;
    size_t min_operands;
    size_t max_operands;
    int (*run)(const gm_cli_command *self, int argc, char **argv); /* argv[0] is the program; exit status */
};

/* Gets an option of the command's own table by its index. False = wrong value, which is then said. */
typedef bool (*gm_cli_take)(void *context, size_t index, const char *value);

#define GM_CLI_GO (-1)

/* Reads the command line into `options` and the command's own options through `take`. GM_CLI_GO, or
 * the exit status with everything said that had to be. Call gm_cli_options_free either way. */
int gm_cli_parse(const gm_cli_command *command, int argc, char **argv, gm_cli_options *options, gm_cli_take take,
                 void *context);
void gm_cli_options_free(gm_cli_options *options);
/* Says what is wrong with the command line; returns GM_CLI_USAGE. */
int gm_cli_usage_error(const gm_cli_command *command, const char *format, ...) GM_CLI_PRINTF(2, 3);

/* ---- words for values, shared with case lines ---- */

typedef struct gm_cli_word {
    const char *text;
    int value;
} gm_cli_word;

extern const gm_cli_word gm_cli_draft_words[];
extern const gm_cli_word gm_cli_order_words[];
extern const gm_cli_word gm_cli_format_words[];
extern const gm_cli_word gm_cli_whitespace_words[];

/* False when the list, which ends with a NULL text, has no such word. */
bool gm_cli_find_word(const gm_cli_word *words, const char *text, int *value);
/* The word of a value, "?" when there is none. */
const char *gm_cli_word_of(const gm_cli_word *words, int value);

#endif
