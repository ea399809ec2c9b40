/*
 * cli/main.c - the command gmask: finds the command and runs it.
 */
#include "cli/commands.h"

#include "cli/output.h"

#include <string.h>

static const gm_cli_command *const commands[] = {
    &gm_cli_generate, &gm_cli_check, &gm_cli_check_schema, &gm_cli_vocab, &gm_cli_explain, &gm_cli_bench,
};
enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static void print_help(void)
{
    puts("Usage: gmask COMMAND [OPTION]...\n"
         "GrammarMask: masks that keep a language model's output inside a JSON Schema.\n"
         "\n"
         "Commands:");
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        printf("  %-14s %s\n", commands[i]->name, commands[i]->summary);
    puts("\n"
         "  --help         show this text; 'gmask COMMAND --help' has the options of a command\n"
         "  --version      show the version\n"
         "\n"
         "Exit status: 0 done, 1 a job failed, 2 the command line is wrong.");
}

static int usage_error(const char *format, const char *word)
{
    fputs("gmask: ", stderr);
    fprintf(stderr, format, word);
    fputs("\nTry 'gmask --help'.\n", stderr);
    return GM_CLI_USAGE;
}

/* Results that could not be written are a failed job. */
static int finish(int status)
{
    if (fflush(stdout) == 0 && ferror(stdout) == 0)
        return status;
    gm_cli_say(NULL, "cannot write to standard output");
    return status != GM_CLI_DONE ? status : GM_CLI_FAILED;
}

int main(int argc, char **argv)
{
    static char name[] = "gmask"; /* how getopt calls us in its messages */
    if (argc < 2)
        return usage_error("%s", "a command is missing");
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        print_help();
        return finish(GM_CLI_DONE);
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("gmask %s\n", gm_version());
        return finish(GM_CLI_DONE);
    }
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i]->name, argv[1]) == 0) {
            argv[1] = name;
            return finish(commands[i]->run(commands[i], argc - 1, argv + 1));
        }
    return usage_error(argv[1][0] == '-' ? "unknown option '%s'" : "unknown command '%s'", argv[1]);
}
