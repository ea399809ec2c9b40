/*
 * cli/generate.c - gmask generate: the decoding loop that an inference engine runs, with seeded noise
 * in the place of a model.
 *
 *   logits -> mask -> masked logits -> sample -> accept -> ... until a stop token
 *
 * Documents go to standard output, each followed by a line feed (and with none inside unless the
 * white space asked for has them); what it took goes to standard error.
 */
#include "cli/commands.h"
#include "cli/compile.h"
#include "cli/output.h"
#include "cli/sampler.h"

#include <stdlib.h>
#include <string.h>

typedef struct generate_options {
    uint64_t count;
    uint64_t seed;
    uint64_t max_tokens;
    bool is_quiet;
} generate_options;

/* A run over all documents. */
typedef struct generation {
    const char *schema_path;
    const generate_options *options;
    gm_matcher *matcher;
    gm_cli_sampler *sampler;
    gm_vocab *vocab;
    const uint32_t *stop; /* borrowed from the matcher */
    size_t stop_count;
    char *document; /* bytes of the present one */
    size_t length;
    size_t capacity;
    uint64_t tokens;
    uint64_t unfinished;
    gm_cli_times mask_times;
    gm_cli_times accept_times;
} generation;

/* ---- one document ---- */

typedef enum step { STEP_MORE, STEP_ENDED, STEP_FAILED } step;

static void append(generation *run, uint32_t token)
{
    const uint8_t *bytes = NULL;
    size_t length = 0;
    uint32_t flags;
    if (gm_vocab_token(run->vocab, token, &bytes, &length, &flags) != GM_OK || bytes == NULL)
        return;
    if (run->capacity - run->length < length) {
        run->capacity = (run->capacity + length) * 2;
        run->document = gm_cli_reallocate(run->document, run->capacity, 1);
    }
    memcpy(run->document + run->length, bytes, length);
    run->length += length;
}

static step fail(const generation *run, gm_status status, const char *what)
{
    gm_cli_say(run->schema_path, "%s at token %zu: %s", what, gm_matcher_token_count(run->matcher),
               gm_status_name(status));
    return STEP_FAILED;
}

static bool is_stop(const generation *run, uint32_t token)
{
    for (size_t i = 0; i < run->stop_count; i++)
        if (run->stop[i] == token)
            return true;
    return false;
}

/* Where no stop token exists, a document ends as soon as it may. */
static bool has_ended(const generation *run)
{
    const gm_matcher_state_kind state = gm_matcher_state(run->matcher);
    return run->stop_count == 0 && (state == GM_STOPPED || state == GM_MAY_STOP);
}

static step take_step(generation *run)
{
    gm_mask mask;
    float *logits = gm_cli_sampler_logits(run->sampler);

    uint64_t start = gm_cli_now_ns();
    gm_status status = gm_matcher_mask(run->matcher, &mask);
    gm_cli_times_add(&run->mask_times, gm_cli_now_ns() - start);
    if (status != GM_OK)
        return fail(run, status, "no mask");

    gm_logits_mask_f32(&mask, logits, gm_vocab_logit_width(run->vocab));
    const uint32_t token = gm_cli_sampler_pick(run->sampler);
    if (token == UINT32_MAX)
        return fail(run, GM_DEAD_END, "no token is allowed");

    start = gm_cli_now_ns();
    status = gm_matcher_accept(run->matcher, token);
    gm_cli_times_add(&run->accept_times, gm_cli_now_ns() - start);
    if (status != GM_OK)
        return fail(run, status, "an allowed token was not accepted");

    run->tokens++;
    gm_cli_sampler_advance(run->sampler, token);
    if (is_stop(run, token))
        return STEP_ENDED;
    append(run, token);
    return has_ended(run) ? STEP_ENDED : STEP_MORE;
}

/* False when the run must end. */
static bool generate_document(generation *run)
{
    step result = STEP_MORE;
    run->length = 0;
    gm_cli_sampler_begin(run->sampler);
    const gm_status status = gm_matcher_reset(run->matcher);
    if (status != GM_OK) {
        gm_cli_say(run->schema_path, "cannot start a document: %s", gm_status_name(status));
        return false;
    }
    for (uint64_t i = 0; i < run->options->max_tokens && result == STEP_MORE; i++)
        result = take_step(run);
    if (result == STEP_MORE)
        run->unfinished++;
    return result != STEP_FAILED;
}

/* ---- the run ---- */

static void print_summary(generation *run, const gm_cli_compiled *compiled, uint64_t documents)
{
    const gm_cli_summary mask = gm_cli_times_summary(&run->mask_times);
    const gm_cli_summary accept = gm_cli_times_summary(&run->accept_times);
    fprintf(stderr, "%llu document%s, %llu tokens", (unsigned long long)documents, documents == 1 ? "" : "s",
            (unsigned long long)run->tokens);
    fprintf(stderr, "; compile %.2f ms; mask median %.2f us, p99 %.2f us, max %.2f us; accept median %.2f us\n",
            (double)compiled->compile_ns / 1e6, mask.median_us, mask.p99_us, mask.max_us, accept.median_us);
    if (run->unfinished != 0)
        gm_cli_say(run->schema_path, "%llu of %llu documents did not end within %llu tokens",
                   (unsigned long long)run->unfinished, (unsigned long long)documents,
                   (unsigned long long)run->options->max_tokens);
}

static int generate_all(generation *run, const gm_cli_compiled *compiled)
{
    gm_cli_progress progress = gm_cli_progress_start();
    bool is_good = true;
    uint64_t done = 0;
    while (done < run->options->count) {
        is_good = generate_document(run);
        if (!is_good)
            break;
        done++;
        gm_cli_progress_make_room(&progress);
        fwrite(run->document, 1, run->length, stdout);
        putchar('\n');
        gm_cli_progress_show(&progress, done, run->options->count, "documents", run->tokens);
    }
    gm_cli_progress_hide(&progress);
    fflush(stdout);
    if (!run->options->is_quiet)
        print_summary(run, compiled, done);
    return is_good && run->unfinished == 0 ? GM_CLI_DONE : GM_CLI_FAILED;
}

static int generate(const gm_cli_options *options, const generate_options *own)
{
    gm_cli_compiled compiled;
    gm_error error = {0};
    if (!gm_cli_compile(options, &compiled))
        return GM_CLI_FAILED;
    generation run = {.schema_path = options->schema_path, .options = own, .vocab = compiled.vocabulary.vocab};
    int status = GM_CLI_FAILED;
    if (gm_matcher_create(compiled.grammar, &compiled.vocabulary.matcher, &run.matcher, &error) == GM_OK) {
        run.stop = gm_matcher_stop(run.matcher, &run.stop_count);
        run.sampler = gm_cli_sampler_create(run.vocab, run.stop, run.stop_count, own->seed);
        status = generate_all(&run, &compiled);
    } else {
        gm_cli_say_error(options->schema_path, &error);
    }
    gm_cli_sampler_destroy(run.sampler);
    gm_matcher_destroy(run.matcher);
    gm_cli_times_free(&run.mask_times);
    gm_cli_times_free(&run.accept_times);
    free(run.document);
    gm_cli_compiled_free(&compiled);
    return status;
}

/* ---- command line ---- */

enum { OWN_COUNT, OWN_SEED, OWN_MAX_TOKENS, OWN_QUIET };

static const gm_cli_option own_options[] = {
    [OWN_COUNT] = {"count", 'n', "N", "documents to generate (default 1)"},
    [OWN_SEED] = {"seed", 's', "N", "of the noise (default 1)"},
    [OWN_MAX_TOKENS] = {"max-tokens", 0, "N", "tokens of one document (default 4096)"},
    [OWN_QUIET] = {"quiet", 'q', NULL, "no summary on standard error"},
};

static bool take_own(void *context, size_t index, const char *value)
{
    generate_options *own = context;
    if (index == OWN_QUIET) {
        own->is_quiet = true;
        return true;
    }
    uint64_t *const field = index == OWN_COUNT ? &own->count : index == OWN_SEED ? &own->seed : &own->max_tokens;
    if (gm_cli_parse_number(value, field))
        return true;
    gm_cli_say(NULL, "option '--%s' takes a number, not '%s'", own_options[index].name, value);
    return false;
}

static int run_generate(const gm_cli_command *self, int argc, char **argv)
{
    gm_cli_options options = {0};
    generate_options own = {.count = 1, .seed = 1, .max_tokens = 4096};
    int status = gm_cli_parse(self, argc, argv, &options, take_own, &own);
    if (status == GM_CLI_GO)
        status = generate(&options, &own);
    gm_cli_options_free(&options);
    return status;
}

const gm_cli_command gm_cli_generate = {
    .name = "generate",
    .arguments = "--schema=FILE",
    .summary = "Generate documents of a schema from seeded noise",
    .details = "Runs the loop of an inference engine (logits, mask, sample, accept) without a model.\n"
               "Documents go to standard output, each on a line of its own unless --whitespace=indented,\n"
               "times go to standard error. The exit status is 1 when a document did not end within\n"
               "--max-tokens.",
    .groups = GM_CLI_TAKES_SCHEMA | GM_CLI_TAKES_VOCAB | GM_CLI_TAKES_SPECIALS | GM_CLI_TAKES_SCHEMA_OPTIONS,
    .own = own_options,
    .own_count = sizeof own_options / sizeof *own_options,
    .run = run_generate,
};
