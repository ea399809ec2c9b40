/*
 * matcher/fuzz.c - a schema and a walk: after every step all ways of asking give one answer.
 *
 * Two bytes of options, two for the length of the schema, the schema, then one decision a byte. What
 * must hold is in check_position: the copied mask, the borrowed one, gm_matcher_would_accept for
 * every id, the state, and the mask of a matcher that has replayed the tokens from the start.
 */
#include "vocabulary.h"

#include "base/array.h"
#include "json/json.h"

enum { WORDS = (GM_FUZZ_WIDTH + 31) / 32, MOST_STEPS = 60, MOST_FORKS = 4 };

typedef struct walk {
    gm_grammar *grammar;
    gm_matcher *matcher;
    uint32_t tokens[MOST_STEPS];
    size_t count;
} walk;

static bool has(const uint32_t *words, uint32_t id) { return words[id / 32] >> id % 32 & 1; }

/* The mask of the position; the status is that of gm_matcher_fill. */
static gm_status get_mask(gm_matcher *matcher, uint32_t words[WORDS])
{
    memset(words, 0xA5, WORDS * sizeof *words);
    const gm_status status = gm_matcher_fill(matcher, words, WORDS);
    GM_FUZZ_CHECK(status == GM_OK || status == GM_TERMINATED || status == GM_DEAD_END);
    return status;
}

static void check_borrowed(gm_matcher *matcher, const uint32_t *words, gm_status status)
{
    gm_mask mask = {0};
    size_t allowed = 0;
    GM_FUZZ_CHECK(gm_matcher_mask(matcher, &mask) == status);
    for (uint32_t id = 0; id < 32 * WORDS; id++) {
        const bool bit = has(words, id);
        allowed += bit;
        GM_FUZZ_CHECK(bit == (status == GM_OK && gm_mask_allows(&mask, id)));
    }
    GM_FUZZ_CHECK(status != GM_OK || mask.allowed_count == allowed);
    GM_FUZZ_CHECK((allowed != 0) == (status == GM_OK));
}

static void check_state(gm_matcher *matcher, const uint32_t *words, gm_status status)
{
    const gm_matcher_state_kind state = gm_matcher_state(matcher);
    size_t others = 0;
    for (uint32_t id = 0; id < GM_FUZZ_WIDTH; id++)
        others += id != GM_FUZZ_STOP && has(words, id);
    GM_FUZZ_CHECK((state == GM_STOPPED) == (status == GM_TERMINATED));
    GM_FUZZ_CHECK(state != GM_STUCK && status != GM_DEAD_END); /* the vocabulary has every byte */
    GM_FUZZ_CHECK((state == GM_MAY_STOP || state == GM_COMPLETE) == has(words, GM_FUZZ_STOP));
    GM_FUZZ_CHECK((state == GM_RUNNING || state == GM_MAY_STOP) == (others != 0));
}

static void check_replay(const walk *w, const uint32_t *words, gm_status status)
{
    gm_matcher *fresh = NULL;
    uint32_t again[WORDS];
    GM_FUZZ_CHECK(gm_matcher_create(w->grammar, NULL, &fresh, NULL) == GM_OK);
    size_t prefix = 0;
    GM_FUZZ_CHECK(gm_matcher_would_accept_many(fresh, w->tokens, w->count, &prefix) == GM_OK && prefix == w->count);
    for (size_t i = 0; i < w->count; i++)
        GM_FUZZ_CHECK(gm_matcher_accept(fresh, w->tokens[i]) == GM_OK);
    GM_FUZZ_CHECK(get_mask(fresh, again) == status && memcmp(words, again, sizeof again) == 0);
    gm_matcher_destroy(fresh);
}

static void check_position(const walk *w, bool replay, uint32_t words[WORDS])
{
    const gm_status status = get_mask(w->matcher, words);
    check_borrowed(w->matcher, words, status);
    check_state(w->matcher, words, status);
    for (uint32_t id = 0; id < GM_FUZZ_WIDTH + 2; id++) {
        const gm_status would = gm_matcher_would_accept(w->matcher, id);
        const bool bit = id < GM_FUZZ_WIDTH && has(words, id);
        GM_FUZZ_CHECK(would == (status == GM_TERMINATED ? GM_TERMINATED : bit ? GM_OK : GM_REJECTED));
    }
    GM_FUZZ_CHECK(gm_matcher_token_count(w->matcher) == w->count && gm_matcher_memory(w->matcher) > 0);
    if (replay)
        check_replay(w, words, status);
}

/* The text of a document that was stopped is JSON. */
static void check_document(const walk *w)
{
    const gm_allocator allocator = gm_allocator_or_default(NULL);
    gm_vocab *vocab = gm_compiler_vocab(gm_grammar_compiler(w->grammar));
    GM_ARRAY(char) text = {0};
    for (size_t i = 0; i < w->count; i++) {
        const uint8_t *bytes;
        size_t length;
        uint32_t flags;
        GM_FUZZ_CHECK(gm_vocab_token(vocab, w->tokens[i], &bytes, &length, &flags) == GM_OK);
        for (size_t at = 0; bytes != NULL && at < length; at++)
            GM_FUZZ_CHECK(GM_ARRAY_PUSH(&allocator, &text, (char)bytes[at]));
    }
    gm_arena arena;
    gm_arena_init(&arena, &allocator);
    const gm_json *root;
    GM_FUZZ_CHECK(text.count > 0 && gm_json_read(&arena, text.items, text.count, 1000, &root, NULL) == GM_OK);
    gm_arena_destroy(&arena);
    GM_ARRAY_FREE(&allocator, &text);
}

/* ---- what a step may be ---- */

/* Accepts the n-th allowed id. */
static void step_on(walk *w, const uint32_t *words, size_t n)
{
    uint32_t allowed[32 * WORDS];
    size_t count = 0;
    for (uint32_t id = 0; id < GM_FUZZ_WIDTH; id++)
        if (has(words, id))
            allowed[count++] = id;
    if (count == 0 || w->count == MOST_STEPS)
        return;
    const uint32_t token = allowed[n % count];
    GM_FUZZ_CHECK(gm_matcher_accept(w->matcher, token) == GM_OK);
    w->tokens[w->count++] = token;
    if (gm_matcher_state(w->matcher) == GM_STOPPED)
        check_document(w);
}

static void try_what_is_not_allowed(walk *w, const uint32_t *words, uint32_t id)
{
    const bool stopped = gm_matcher_state(w->matcher) == GM_STOPPED;
    size_t position = 0;
    char message[100];
    if (id < GM_FUZZ_WIDTH && has(words, id))
        return;
    GM_FUZZ_CHECK(gm_matcher_accept(w->matcher, id) == (stopped ? GM_TERMINATED : GM_REJECTED));
    if (!stopped)
        (void)gm_matcher_explain(w->matcher, id, &position, message, sizeof message);
}

/* The bytes of the text that must follow are accepted, one by one, and all of them at once. */
static void follow_forced_text(walk *w)
{
    uint8_t bytes[64];
    size_t length = 0, accepted = 0;
    gm_matcher *fork = NULL;
    GM_FUZZ_CHECK(gm_matcher_forced(w->matcher, bytes, sizeof bytes, &length) == GM_OK && length <= sizeof bytes);
    GM_FUZZ_CHECK(gm_matcher_fork(w->matcher, &fork) == GM_OK);
    if (length > 0) {
        GM_FUZZ_CHECK(gm_matcher_accept_bytes(fork, bytes, length, &accepted) == GM_OK && accepted == length);
        GM_FUZZ_CHECK(gm_matcher_rollback(fork, 1) == GM_OK);
        for (size_t i = 0; i < length; i++)
            for (unsigned byte = 0; byte < 256 && gm_matcher_state(fork) == GM_RUNNING; byte++) {
                const uint8_t one = (uint8_t)byte;
                const gm_status status = gm_matcher_accept_bytes(fork, &one, 1, &accepted);
                GM_FUZZ_CHECK((status == GM_OK) == (byte == bytes[i]));
                if (status == GM_OK)
                    break;
            }
    }
    gm_matcher_destroy(fork);
}

/* A byte is expected if and only if it is accepted. */
static void ask_what_is_expected(walk *w, const uint32_t *words)
{
    gm_expected expected = {.struct_size = sizeof expected};
    gm_matcher *fork = NULL;
    if (gm_matcher_state(w->matcher) == GM_STOPPED)
        return;
    GM_FUZZ_CHECK(gm_matcher_expected(w->matcher, &expected) == GM_OK && expected.may_stop == has(words, GM_FUZZ_STOP));
    GM_FUZZ_CHECK(gm_matcher_fork(w->matcher, &fork) == GM_OK);
    for (unsigned byte = 0; byte < 256; byte++) {
        const uint8_t one = (uint8_t)byte;
        size_t accepted = 7;
        const gm_status status = gm_matcher_accept_bytes(fork, &one, 1, &accepted);
        GM_FUZZ_CHECK((status == GM_OK) == (expected.bytes[byte / 64] >> byte % 64 & 1));
        GM_FUZZ_CHECK(accepted == (status == GM_OK) && has(words, byte) == (status == GM_OK));
        if (status == GM_OK)
            GM_FUZZ_CHECK(gm_matcher_rollback(fork, 1) == GM_OK);
    }
    gm_matcher_destroy(fork);
}

/* Rows of a batch are those of the matchers; other rows stay. */
static void fill_a_batch(const walk *w, const uint32_t *words)
{
    gm_matcher *fork = NULL;
    GM_FUZZ_CHECK(gm_matcher_fork(w->matcher, &fork) == GM_OK);
    gm_matcher *const matchers[3] = {w->matcher, NULL, fork};
    const uint32_t rows[3] = {3, 1, 0};
    uint32_t batch[4][WORDS], untouched[WORDS];
    gm_status statuses[3];
    memset(batch, 0x5A, sizeof batch);
    memset(untouched, 0x5A, sizeof untouched);
    GM_FUZZ_CHECK(gm_fill_batch(matchers, 3, batch[0], WORDS, rows, statuses, NULL, NULL) == GM_OK);
    GM_FUZZ_CHECK(memcmp(batch[3], words, sizeof untouched) == 0 && memcmp(batch[0], words, sizeof untouched) == 0);
    GM_FUZZ_CHECK(memcmp(batch[1], untouched, sizeof untouched) == 0 && memcmp(batch[2], untouched, sizeof untouched) == 0);
    GM_FUZZ_CHECK(statuses[0] == statuses[2]);
    gm_matcher_destroy(fork);
}

static void ask_for_what_is_reserved(const walk *w)
{
    uint32_t words[WORDS];
    size_t count = 0, bytes;
    const uint32_t *stop = gm_matcher_stop(w->matcher, &count);
    GM_FUZZ_CHECK(count == 1 && stop[0] == GM_FUZZ_STOP);
    GM_FUZZ_CHECK(gm_matcher_shortest(w->matcher, &bytes) == GM_UNSUPPORTED);
    GM_FUZZ_CHECK(gm_matcher_fill_tree(w->matcher, NULL, NULL, 0, words, WORDS, NULL) == GM_UNSUPPORTED);
}

static void go_back(walk *w, size_t n)
{
    GM_FUZZ_CHECK(gm_matcher_rollback(w->matcher, w->count + 1) == GM_INVALID_ARGUMENT);
    const size_t back = n % (w->count + 1);
    GM_FUZZ_CHECK(gm_matcher_rollback(w->matcher, back) == GM_OK);
    w->count -= back;
}

/* Runs one decision a step; forks are left behind and taken up again. */
static void run(walk *w, gm_fuzz_reader *reader)
{
    walk forks[MOST_FORKS];
    size_t fork_count = 0;
    for (int step = 0; step < 2 * MOST_STEPS && reader->left > 0; step++) {
        uint32_t words[WORDS];
        check_position(w, step % 8 == 7, words);
        const uint8_t what = gm_fuzz_byte(reader);
        switch (what % 16) {
        case 0:
            try_what_is_not_allowed(w, words, (uint32_t)gm_fuzz_below(reader, GM_FUZZ_WIDTH + 10));
            break;
        case 1:
            go_back(w, gm_fuzz_byte(reader));
            break;
        case 2:
            follow_forced_text(w);
            break;
        case 3:
            if (fork_count < MOST_FORKS) {
                forks[fork_count] = *w;
                GM_FUZZ_CHECK(gm_matcher_fork(w->matcher, &forks[fork_count].matcher) == GM_OK);
                fork_count++;
            }
            break;
        case 4:
            if (fork_count > 0) { /* goes on where a fork was left */
                const walk other = forks[what / 16 % fork_count];
                forks[what / 16 % fork_count] = *w;
                *w = other;
            }
            break;
        case 5:
            if (what == 5) {
                GM_FUZZ_CHECK(gm_matcher_reset(w->matcher) == GM_OK);
                w->count = 0;
            }
            break;
        case 6:
            ask_what_is_expected(w, words);
            fill_a_batch(w, words);
            ask_for_what_is_reserved(w);
            break;
        default:
            step_on(w, words, what / 16 * 251u + gm_fuzz_byte(reader));
        }
    }
    for (size_t i = 0; i < fork_count; i++) {
        uint32_t words[WORDS];
        check_position(&forks[i], true, words); /* nobody undid it */
        gm_matcher_destroy(forks[i].matcher);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static gm_vocab *vocab;
    if (vocab == NULL)
        vocab = gm_fuzz_vocabulary();
    gm_fuzz_reader reader = {data, size};
    const gm_schema_options options = gm_fuzz_options(&reader);
    size_t length = gm_fuzz_byte(&reader);
    length = length << 8 | gm_fuzz_byte(&reader);
    const char *text = (const char *)gm_fuzz_bytes(&reader, &length);
    const gm_limits limits = gm_fuzz_limits();

    gm_compiler *compiler = NULL;
    walk w = {.count = 0};
    GM_FUZZ_CHECK(gm_compiler_create(vocab, &limits, NULL, &compiler, NULL) == GM_OK);
    if (gm_compile_json_schema(compiler, text, length, &options, &w.grammar, NULL) == GM_OK) {
        GM_FUZZ_CHECK(gm_matcher_create(w.grammar, NULL, &w.matcher, NULL) == GM_OK);
        GM_FUZZ_CHECK(gm_matcher_grammar(w.matcher) == w.grammar);
        run(&w, &reader);
        gm_matcher_destroy(w.matcher);
        gm_grammar_release(w.grammar);
    }
    gm_compiler_release(compiler);
    return 0;
}
