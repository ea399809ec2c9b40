/*
 * cli/bench.c - gmask bench: times and counted work of one schema over documents.
 *
 * Documents are cut into tokens by the longest token that fits. Times depend on the machine, counted
 * work does not. `bench serve` and `bench growth` are commands of their own, in serve.c and growth.c.
 */
#include "cli/commands.h"
#include "cli/compile.h"
#include "cli/greedy.h"
#include "cli/output.h"
#include "cli/walk.h"

#include <stdlib.h>
#include <string.h>

typedef struct bench_options {
    const char **files;
    size_t file_count;
} bench_options;

typedef struct bench_run {
    const gm_cli_compiled *compiled;
    gm_cli_greedy greedy;
    gm_cli_walker walker;
    size_t documents;
    size_t accepted;
    size_t complaints;
    size_t tokens;
    size_t bytes;
} bench_run;

/* ---- documents ---- */

enum { MOST_COMPLAINTS = 8 };

static bool walk_document(bench_run *run, const char *path, size_t number, const char *text, size_t length)
{
    uint32_t *tokens;
    size_t count;
    const bool is_spelled = gm_cli_greedy_encode(&run->greedy, text, length, &tokens, &count);
    if (!is_spelled) {
        gm_cli_say(path, "document %zu: a byte that no token spells", number);
        free(tokens);
        return false;
    }
    const gm_cli_walk walk =
        gm_cli_walk_tokens(&run->walker, run->compiled->grammar, &run->compiled->vocabulary.matcher, tokens, count);
    free(tokens);
    run->documents++;
    run->accepted += walk.is_accepted;
    run->tokens += walk.commits;
    run->bytes += length;
    if (walk.status != GM_OK) {
        gm_cli_say(path, "document %zu: %s at token %zu", number, gm_status_name(walk.status), walk.commits);
        return false;
    }
    if (!walk.is_accepted && run->complaints++ < MOST_COMPLAINTS)
        gm_cli_say(path, "document %zu: not valid at token %zu of %zu", number, walk.commits, count);
    return true;
}

static bool walk_lines(bench_run *run, const char *path)
{
    gm_cli_lines lines;
    if (!gm_cli_lines_open(&lines, path))
        return false;
    bool is_good = true;
    while (gm_cli_lines_next(&lines))
        is_good = walk_document(run, path, lines.number, lines.line, lines.length) && is_good;
    return gm_cli_lines_close(&lines) && is_good;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/* The whole file as one document, without the blanks around it. */
static bool walk_whole(bench_run *run, const char *path)
{
    gm_cli_text text;
    if (!gm_cli_read_file(path, &text))
        return false;
    size_t start = 0;
    size_t end = text.length;
    while (end > start && is_blank(text.data[end - 1]))
        end--;
    while (start < end && is_blank(text.data[start]))
        start++;
    const bool is_good = walk_document(run, path, 1, text.data + start, end - start);
    free(text.data);
    return is_good;
}

static bool walk_file(bench_run *run, const char *path)
{
    static const char SUFFIX[] = ".jsonl";
    const size_t length = strlen(path);
    const bool has_lines =
        strcmp(path, "-") == 0 || (length >= sizeof SUFFIX && strcmp(path + length - (sizeof SUFFIX - 1), SUFFIX) == 0);
    return has_lines ? walk_lines(run, path) : walk_whole(run, path);
}

/* ---- report ---- */

static void print_row(const char *name, gm_cli_times *times)
{
    const gm_cli_summary summary = gm_cli_times_summary(times);
    printf("%-12s %8zu  median %9.2f us  p99 %9.2f us  max %9.2f us\n", name, times->count, summary.median_us,
           summary.p99_us, summary.max_us);
}

static void print_work(const gm_grammar *grammar)
{
    gm_grammar_stats stats = {.struct_size = sizeof stats};
    if (gm_grammar_get_stats(grammar, &stats) != GM_OK)
        return;
    const struct {
        const char *name;
        uint64_t value;
    } rows[] = {
        {"compile work", stats.compile_work}, {"schema nodes", stats.nodes},      {"formulas", stats.formulas},
        {"threads", stats.threads},           {"places", stats.places},           {"frames", stats.frames},
        {"transitions", stats.transitions},   {"masks built", stats.masks_built}, {"masks found", stats.masks_found},
        {"trie nodes", stats.trie_nodes},     {"mask bytes", stats.mask_bytes},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        printf("%-12s %12llu\n", rows[i].name, (unsigned long long)rows[i].value);
    printf("%-12s %12zu bytes\n", "grammar", gm_grammar_memory(grammar));
}

static void print_report(bench_run *run, uint64_t first_ns)
{
    printf("compile      %.2f us, first mask %.2f us\n", (double)run->compiled->compile_ns / 1e3,
           (double)first_ns / 1e3);
    printf("documents    %zu, %zu accepted; %zu bytes, %zu tokens\n", run->documents, run->accepted, run->bytes,
           run->tokens);
    print_row("masks", &run->walker.masks);
    print_row("accepts", &run->walker.commits);
    print_work(run->compiled->grammar);
}

/* ---- the run ---- */

static bool run_files(bench_run *run, const bench_options *own, const gm_cli_options *options)
{
    bool is_good = true;
    for (size_t i = 0; i < own->file_count; i++)
        is_good = walk_file(run, own->files[i]) && is_good;
    for (size_t i = 0; i < options->operand_count; i++)
        is_good = walk_file(run, options->operands[i]) && is_good;
    return is_good;
}

static int measure(const gm_cli_options *options, const bench_options *own)
{
    gm_cli_compiled compiled;
    uint64_t first_ns = 0;
    if (!gm_cli_compile(options, &compiled))
        return GM_CLI_FAILED;
    bench_run run = {.compiled = &compiled};
    gm_cli_walker_init(&run.walker, compiled.vocabulary.vocab);
    const gm_status status = gm_cli_first_mask(&run.walker, compiled.grammar, &compiled.vocabulary.matcher, &first_ns);
    bool is_good = status == GM_OK;
    if (is_good) {
        gm_cli_greedy_init(&run.greedy, compiled.vocabulary.vocab);
        is_good = run_files(&run, own, options);
        if (run.complaints > MOST_COMPLAINTS)
            gm_cli_say(NULL, "%zu further documents were not valid", run.complaints - MOST_COMPLAINTS);
        print_report(&run, first_ns);
        gm_cli_greedy_free(&run.greedy);
    } else {
        gm_cli_say(options->schema_path, "no first mask: %s", gm_status_name(status));
    }
    gm_cli_walker_free(&run.walker);
    gm_cli_compiled_free(&compiled);
    return is_good ? GM_CLI_DONE : GM_CLI_FAILED;
}

enum { OWN_INSTANCES };

static const gm_cli_option own_options[] = {
    [OWN_INSTANCES] = {"instances", 0, "FILE", "documents to walk; may be repeated"},
};

static bool take_own(void *context, size_t index, const char *value)
{
    bench_options *own = context;
    (void)index;
    own->files = gm_cli_reallocate(own->files, own->file_count + 1, sizeof *own->files);
    own->files[own->file_count++] = value;
    return true;
}

static int run_bench(const gm_cli_command *self, int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "serve") == 0) {
        argv[1] = argv[0];
        return gm_cli_bench_serve.run(&gm_cli_bench_serve, argc - 1, argv + 1);
    }
    if (argc > 1 && strcmp(argv[1], "growth") == 0) {
        argv[1] = argv[0];
        return gm_cli_bench_growth.run(&gm_cli_bench_growth, argc - 1, argv + 1);
    }
    gm_cli_options options = {0};
    bench_options own = {0};
    int status = gm_cli_parse(self, argc, argv, &options, take_own, &own);
    if (status == GM_CLI_GO)
        status = measure(&options, &own);
    free(own.files);
    gm_cli_options_free(&options);
    return status;
}

const gm_cli_command gm_cli_bench = {
    .name = "bench",
    .arguments = "--schema=FILE [--instances=FILE]... [FILE]...",
    .summary = "Measure times and counted work",
    .details = "A file holds one document, or one a line when its name ends in .jsonl or is -.\n"
               "'gmask bench serve' measures jobs from standard input, 'gmask bench growth' how costs grow with"
               " sizes; see their --help.",
    .groups = GM_CLI_TAKES_SCHEMA | GM_CLI_TAKES_VOCAB | GM_CLI_TAKES_SPECIALS | GM_CLI_TAKES_SCHEMA_OPTIONS,
    .own = own_options,
    .own_count = sizeof own_options / sizeof *own_options,
    .max_operands = SIZE_MAX,
    .run = run_bench,
};
