/*
 * cli/serve.c - gmask bench serve: jobs in, measurements out, one JSON line each.
 *
 *   {"name": "...", "schema": {...}, "tests": [{"valid": true, "tokens": [5018, 609, ...]}, ...]}
 *   {"name": "...", "outcome": "pass", "compile_us": ..., "first_mask_us": ..., "ttfm_us": ...,
 *    "tbm_us": [...], "commit_us": [...], "tests": [...], "nivcsw": ..., "rss_kb": ..., "grammar_bytes": ...}
 *
 * One compiler serves all jobs; a job's grammar is gone before the next begins. The schema is cut
 * out of the line and not parsed here, so that its spelling and key order reach the compiler.
 */
#define _DEFAULT_SOURCE

#include "cli/commands.h"
#include "cli/input.h"
#include "cli/vocabulary.h"
#include "cli/walk.h"

#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

typedef struct job_server {
    const gm_cli_options *options;
    gm_cli_vocabulary vocabulary;
    gm_compiler *compiler;
    gm_cli_walker walker;
    uint32_t *tokens; /* of one test */
    size_t token_capacity;
} job_server;

typedef struct serve_job {
    struct json_object *name;  /* a string */
    struct json_object *tests; /* an array of objects */
    const char *schema;
    size_t schema_length;
} serve_job;

/* ---- the process ---- */

static long involuntary_switches(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_nivcsw : 0;
}

/* Where /proc does not tell the present size, the largest there was. */
static long resident_kb(void)
{
    long total;
    long resident;
    FILE *stream = fopen("/proc/self/statm", "r");
    if (stream != NULL) {
        const int fields = fscanf(stream, "%ld %ld", &total, &resident);
        fclose(stream);
        if (fields == 2)
            return resident * (sysconf(_SC_PAGESIZE) / 1024);
    }
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0)
        return 0;
#if defined(__APPLE__)
    return usage.ru_maxrss / 1024;
#else
    return usage.ru_maxrss;
#endif
}

/* ---- a job's line ---- */

static struct json_object *parse_member(const gm_cli_lines *lines, const char *key)
{
    const char *text;
    const char *why = NULL;
    size_t length;
    if (!gm_cli_member_text(lines->line, lines->length, key, &text, &length))
        return NULL;
    return gm_cli_parse_json(text, length, &why);
}

static bool read_job(const gm_cli_lines *lines, serve_job *job)
{
    job->name = parse_member(lines, "name");
    job->tests = parse_member(lines, "tests");
    if (json_object_is_type(job->name, json_type_string) && json_object_is_type(job->tests, json_type_array) &&
        gm_cli_member_text(lines->line, lines->length, "schema", &job->schema, &job->schema_length))
        return true;
    gm_cli_say(lines->path, "line %zu: a job needs name, schema and tests", lines->number);
    return false;
}

static void free_job(serve_job *job)
{
    json_object_put(job->name);
    json_object_put(job->tests);
}

/* The token ids of a test in server->tokens. What is no id of a token becomes one that is never allowed. */
static size_t read_tokens(job_server *server, struct json_object *test)
{
    struct json_object *list = NULL;
    if (!json_object_object_get_ex(test, "tokens", &list) || !json_object_is_type(list, json_type_array))
        return 0;
    const size_t count = json_object_array_length(list);
    if (count > server->token_capacity) {
        server->token_capacity = count;
        server->tokens = gm_cli_reallocate(server->tokens, count, sizeof *server->tokens);
    }
    for (size_t i = 0; i < count; i++) {
        struct json_object *item = json_object_array_get_idx(list, i);
        const int64_t id = json_object_is_type(item, json_type_int) ? json_object_get_int64(item) : -1;
        server->tokens[i] = id >= 0 && id < UINT32_MAX ? (uint32_t)id : UINT32_MAX;
    }
    return count;
}

/* ---- a job's result ---- */

static void print_times(const char *name, const gm_cli_times *times)
{
    printf(",\"%s\":[", name);
    for (size_t i = 0; i < times->count; i++)
        printf("%s%.3f", i != 0 ? "," : "", (double)times->items[i] / 1e3);
    putchar(']');
}

static void print_name(const serve_job *job)
{
    fputs("{\"name\":", stdout);
    gm_cli_json_string(stdout, json_object_get_string(job->name), (size_t)json_object_get_string_len(job->name));
}

static void print_compile_error(const serve_job *job, const gm_error *error)
{
    char text[1024];
    snprintf(text, sizeof text, "%s: %s%s%s%s%s", gm_status_name(error->status), error->pointer,
             error->pointer[0] != '\0' ? ": " : "", error->keyword, error->keyword[0] != '\0' ? ": " : "",
             error->message);
    print_name(job);
    fputs(",\"outcome\":\"compile_error\",\"ttfm_us\":null,\"tbm_us\":[],\"commit_us\":[],\"tests\":[]", stdout);
    gm_cli_json_member(stdout, "error", text);
    printf(",\"rss_kb\":%ld}\n", resident_kb());
}

/* How the tests of a job came out, as the protocol ranks it. */
typedef struct job_verdict {
    bool has_wrong_reject;
    bool has_invalid_accepted;
} job_verdict;

static const char *word_of(job_verdict verdict)
{
    return verdict.has_wrong_reject ? "wrong_reject" : verdict.has_invalid_accepted ? "invalid_accepted" : "pass";
}

/* Walks all tests; the walks go to `walks`, the times stay in the walker. */
static job_verdict run_tests(job_server *server, const serve_job *job, gm_grammar *grammar, gm_cli_walk *walks)
{
    job_verdict verdict = {0};
    const size_t count = json_object_array_length(job->tests);
    for (size_t i = 0; i < count; i++) {
        struct json_object *test = json_object_array_get_idx(job->tests, i);
        struct json_object *valid = NULL;
        const size_t token_count = read_tokens(server, test);
        walks[i] =
            gm_cli_walk_tokens(&server->walker, grammar, &server->vocabulary.matcher, server->tokens, token_count);
        json_object_object_get_ex(test, "valid", &valid);
        if (json_object_get_boolean(valid) != 0)
            verdict.has_wrong_reject = verdict.has_wrong_reject || !walks[i].is_accepted;
        else
            verdict.has_invalid_accepted = verdict.has_invalid_accepted || walks[i].is_accepted;
    }
    return verdict;
}

static void print_tests(const gm_cli_walk *walks, size_t count)
{
    fputs(",\"tests\":[", stdout);
    for (size_t i = 0; i < count; i++) {
        printf("%s{\"accepted\":%s,\"masks\":%zu,\"commits\":%zu", i != 0 ? "," : "",
               walks[i].is_accepted ? "true" : "false", walks[i].masks, walks[i].commits);
        if (walks[i].status != GM_OK)
            gm_cli_json_member(stdout, "error", gm_status_name(walks[i].status));
        putchar('}');
    }
    putchar(']');
}

static void measure(job_server *server, const serve_job *job, gm_grammar *grammar, uint64_t compile_ns,
                    uint64_t first_ns)
{
    const size_t count = json_object_array_length(job->tests);
    gm_cli_walk *walks = gm_cli_allocate(count, sizeof *walks);
    const long switches = involuntary_switches();
    server->walker.masks.count = server->walker.commits.count = 0;
    const job_verdict verdict = run_tests(server, job, grammar, walks);
    const long switched = involuntary_switches() - switches;

    print_name(job);
    printf(",\"outcome\":\"%s\",\"compile_us\":%.3f,\"first_mask_us\":%.3f,\"ttfm_us\":%.3f", word_of(verdict),
           (double)compile_ns / 1e3, (double)first_ns / 1e3, (double)(compile_ns + first_ns) / 1e3);
    print_times("tbm_us", &server->walker.masks);
    print_times("commit_us", &server->walker.commits);
    print_tests(walks, count);
    printf(",\"nivcsw\":%ld,\"rss_kb\":%ld,\"grammar_bytes\":%zu}\n", switched, resident_kb(),
           gm_grammar_memory(grammar));
    free(walks);
}

static void do_job(job_server *server, const serve_job *job)
{
    gm_grammar *grammar = NULL;
    gm_error error = {0};
    uint64_t first_ns = 0;
    const uint64_t start = gm_cli_now_ns();
    gm_status status = gm_compile_json_schema(server->compiler, job->schema, job->schema_length,
                                              &server->options->schema, &grammar, &error);
    const uint64_t compile_ns = gm_cli_now_ns() - start;
    if (status == GM_OK) {
        status = gm_cli_first_mask(&server->walker, grammar, &server->vocabulary.matcher, &first_ns);
        error.status = status;
    }
    if (status == GM_OK)
        measure(server, job, grammar, compile_ns, first_ns);
    else
        print_compile_error(job, &error);
    fflush(stdout);
    gm_grammar_release(grammar);
}

/* ---- the loop ---- */

static void print_ready(const gm_cli_options *options, uint64_t init_ns)
{
    printf("{\"ready\":true,\"engine\":\"gmask\",\"version\":\"%s\"", gm_version());
    printf(",\"settings\":{\"property_order\":\"%s\"",
           gm_cli_word_of(gm_cli_order_words, (int)options->schema.property_order));
    printf(",\"whitespace\":\"%s\",\"formats\":\"%s\"}",
           gm_cli_word_of(gm_cli_whitespace_words, (int)options->schema.whitespace),
           gm_cli_word_of(gm_cli_format_words, (int)options->schema.formats));
    printf(",\"init_us\":%llu,\"rss_kb\":%ld}\n", (unsigned long long)(init_ns / 1000), resident_kb());
    fflush(stdout);
}

static bool serve_jobs(job_server *server)
{
    gm_cli_lines lines;
    if (!gm_cli_lines_open(&lines, "-"))
        return false;
    bool is_good = true;
    while (gm_cli_lines_next(&lines)) {
        serve_job job = {0};
        if (read_job(&lines, &job))
            do_job(server, &job);
        else
            is_good = false;
        free_job(&job);
    }
    return gm_cli_lines_close(&lines) && is_good;
}

static int serve(const gm_cli_options *options)
{
    job_server server = {.options = options};
    gm_error error = {0};
    const uint64_t start = gm_cli_now_ns();
    if (!gm_cli_vocabulary_open(options, &server.vocabulary))
        return GM_CLI_FAILED;
    bool is_good = false;
    if (gm_compiler_create(server.vocabulary.vocab, NULL, NULL, &server.compiler, &error) == GM_OK) {
        gm_cli_walker_init(&server.walker, server.vocabulary.vocab);
        print_ready(options, gm_cli_now_ns() - start);
        is_good = serve_jobs(&server);
        gm_cli_walker_free(&server.walker);
        gm_compiler_release(server.compiler);
    } else {
        gm_cli_say_error(server.vocabulary.name, &error);
    }
    free(server.tokens);
    gm_cli_vocabulary_close(&server.vocabulary);
    return is_good ? GM_CLI_DONE : GM_CLI_FAILED;
}

static int run_serve(const gm_cli_command *self, int argc, char **argv)
{
    gm_cli_options options = {0};
    int status = gm_cli_parse(self, argc, argv, &options, NULL, NULL);
    if (status == GM_CLI_GO)
        status = serve(&options);
    gm_cli_options_free(&options);
    return status;
}

const gm_cli_command gm_cli_bench_serve = {
    .name = "bench serve",
    .arguments = "--vocab=FILE",
    .summary = "Measure jobs from standard input, one JSON line each",
    .details = "A job: {\"name\": \"a\", \"schema\": {...}, \"tests\": [{\"valid\": true, \"tokens\": [5018, ...]}]}\n"
               "Its result has the times of compiling, of every mask and of every accepted token in\n"
               "microseconds, and whether each test was judged rightly.",
    .groups = GM_CLI_TAKES_VOCAB | GM_CLI_TAKES_SPECIALS | GM_CLI_TAKES_SCHEMA_OPTIONS,
    .run = run_serve,
};
