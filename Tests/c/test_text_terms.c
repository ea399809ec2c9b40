/* test_text_terms.c - and, or, not, sets of strings, lengths; failing allocations; many threads. */
#include "text_walk.h"

#include <pthread.h>

static gm_text *store;

static void store_begin(void) { CHECK(gm_text_create(NULL, NULL, &store, NULL) == GM_OK); }
static void store_end(void) { gm_text_destroy(store); }

static gm_term pattern(const char *source)
{
    gm_term term = GM_TERM_NONE;
    gm_error error = {0};
    if (gm_text_pattern(store, gm_bytes_of(source), &term, &error) != GM_OK) {
        fprintf(stderr, "/%s/: %s\n", source, error.message);
        CHECK(false);
    }
    return term;
}

static gm_term both(gm_term a, gm_term b)
{
    gm_term term = 99;
    gm_error error = {0};
    if (gm_text_and(store, a, b, &term, &error) != GM_OK) {
        fprintf(stderr, "and: %s\n", error.message);
        CHECK(false);
    }
    return term;
}

static gm_term either(gm_term a, gm_term b)
{
    gm_term term = 99;
    CHECK(gm_text_or(store, a, b, &term, NULL) == GM_OK);
    return term;
}

static gm_term complement(gm_term a)
{
    gm_term term = 99;
    gm_error error = {0};
    if (gm_text_not(store, a, &term, &error) != GM_OK) {
        fprintf(stderr, "not: %s\n", error.message);
        CHECK(false);
    }
    return term;
}

static gm_term constants(const char *const *strings, size_t count)
{
    gm_bytes list[64];
    gm_term term = 99;
    for (size_t i = 0; i < count; i++)
        list[i] = gm_bytes_of(strings[i]);
    CHECK(gm_text_constants(store, list, count, &term, NULL) == GM_OK);
    return term;
}

static bool holds(gm_term term, gm_bytes string)
{
    bool matches = false;
    CHECK(gm_text_matches(store, term, string, &matches) == GM_OK);
    return matches;
}

static bool has(gm_term term, const char *string) { return holds(term, gm_bytes_of(string)); }

/* ---- and, or, not ---- */

static void the_fixed_terms_obey_the_laws(void)
{
    store_begin();
    const gm_term a = pattern("^a+$");
    CHECK(both(a, GM_TERM_NONE) == GM_TERM_NONE && both(a, GM_TERM_ANY) == a && both(a, a) == a);
    CHECK(either(a, GM_TERM_NONE) == a && either(a, GM_TERM_ANY) == GM_TERM_ANY && either(a, a) == a);
    CHECK(complement(GM_TERM_NONE) == GM_TERM_ANY && complement(GM_TERM_ANY) == GM_TERM_NONE);
    CHECK(complement(complement(a)) == a && both(a, complement(a)) == GM_TERM_NONE);
    CHECK(either(a, complement(a)) == GM_TERM_ANY);
    CHECK(pattern("") == GM_TERM_ANY && pattern("^$") == GM_TERM_EMPTY && pattern("[]") == GM_TERM_NONE);
    CHECK(pattern("^[^]*$") == GM_TERM_ANY && pattern("a^b") == GM_TERM_NONE);
    CHECK(!gm_text_row_of(store, GM_TERM_NONE)->accepts && gm_text_row_of(store, GM_TERM_EMPTY)->accepts);
    CHECK(gm_text_row_of(store, GM_TERM_ANY)->ascii['x'] == GM_TERM_ANY);
    store_end();
}

static void emptiness_is_found_out(void)
{
    store_begin();
    CHECK(both(pattern("^a+$"), pattern("^b+$")) == GM_TERM_NONE);
    CHECK(both(pattern("^(aa)+$"), pattern("^a(aa)*$")) == GM_TERM_NONE);
    CHECK(both(pattern("^(aa)+$"), pattern("^(aaa)+$")) != GM_TERM_NONE);
    CHECK(both(pattern("^[a-z]{3}$"), pattern("^[a-z]{4}$")) == GM_TERM_NONE);
    CHECK(complement(pattern("[^]|^$")) == GM_TERM_NONE);
    CHECK(complement(either(pattern("a"), pattern("^[^a]*$"))) == GM_TERM_NONE);
    CHECK(both(pattern("^[ab]+$"), both(complement(pattern("a")), complement(pattern("b")))) == GM_TERM_NONE);
    CHECK(both(pattern("^.*$"), pattern("\\n")) == GM_TERM_NONE);
    const gm_term foo_and_bar = both(pattern("foo"), pattern("bar"));
    CHECK(has(foo_and_bar, "xbarfoo") && has(foo_and_bar, "foobar") && !has(foo_and_bar, "foo"));
    const gm_term not_foo = complement(pattern("foo"));
    CHECK(has(not_foo, "fo") && has(not_foo, "") && !has(not_foo, "xfoox"));
    store_end();
}

static void a_row_never_leads_to_a_dead_end(void)
{
    store_begin();
    /* After one a of a^n b^n-like traps: the product must know that x leads nowhere. */
    const gm_term trap = both(pattern("^(ab*x|ac)$"), pattern("^(ab*y|ac)$"));
    CHECK(has(trap, "ac") && !has(trap, "abx"));
    const gm_text_row *row = gm_text_row_of(store, trap);
    row = gm_text_row_of(store, row->ascii['a']);
    CHECK(row->ascii['b'] == GM_TERM_NONE && row->ascii['c'] != GM_TERM_NONE);
    store_end();
}

/* A search for a count has as many states as it counts, and one more: how far a run of them has come. */
static void a_search_for_a_count_is_linear(void)
{
    store_begin();
    const gm_term start = pattern("[ab]{40}");
    gm_term met[64] = {start};
    size_t count = 1;
    for (size_t at = 0; at < count; at++) {
        const gm_text_row *row = gm_text_row_of(store, met[at]);
        for (const char *letter = "abc"; *letter != '\0'; letter++) {
            const gm_term next = gm_text_next(row, (uint32_t)*letter);
            size_t known = 0;
            while (known < count && met[known] != next)
                known++;
            if (known == count && count < GM_COUNT_OF(met))
                met[count++] = next;
        }
    }
    CHECK(count == 41);
    store_end();
}

static void exploration_stops_at_its_limit(void)
{
    const gm_text_limits limits = {.max_states = 50};
    gm_error error = {0};
    gm_term a, b, term = 99;
    CHECK(gm_text_create(NULL, &limits, &store, NULL) == GM_OK);
    a = pattern("a.{20}$");
    CHECK(gm_text_not(store, a, &term, &error) == GM_LIMIT && term == 99);
    CHECK(strstr(error.message, "max_lexical_states") != NULL);
    CHECK(gm_text_not(store, a, &term, &error) == GM_LIMIT && term == 99);
    a = pattern("^[ab]{200}$");
    b = pattern("^[bc]{200}$");
    CHECK(gm_text_and(store, a, b, &term, &error) == GM_LIMIT && term == 99);
    CHECK(gm_text_not(store, a, &term, &error) == GM_OK); /* its loops do not cover the alphabet */
    gm_term other;
    const gm_term words = constants((const char *const[]){"aa", "b"}, 2);
    CHECK(gm_text_and(store, pattern("^[a-z]{1,100000}$"), complement(words), &other, &error) == GM_OK);
    CHECK(has(other, "aaa") && has(other, "a") && !has(other, "aa") && !has(other, "b"));
    store_end();
}

typedef struct formula {
    gm_term term;
    gm_term parts[4];
    int kind; /* how the parts are combined */
} formula;

static bool combine(const bool *truth, int kind)
{
    switch (kind) {
    case 0:
        return truth[0] && truth[1];
    case 1:
        return truth[0] && !truth[1];
    case 2:
        return !(truth[0] || truth[1]) && truth[2];
    case 3:
        return (truth[0] && truth[1]) || truth[2];
    case 4:
        return !(truth[0] && !truth[1]);
    default:
        return (truth[0] || truth[1]) && (truth[2] || !truth[3]);
    }
}

static gm_status build(gm_text *text, formula *f)
{
    gm_term x, y;
    const gm_term *p = f->parts;
    switch (f->kind) {
    case 0:
        return gm_text_and(text, p[0], p[1], &f->term, NULL);
    case 1:
        GM_TRY(gm_text_not(text, p[1], &x, NULL));
        return gm_text_and(text, p[0], x, &f->term, NULL);
    case 2:
        GM_TRY(gm_text_or(text, p[0], p[1], &x, NULL));
        GM_TRY(gm_text_not(text, x, &y, NULL));
        return gm_text_and(text, y, p[2], &f->term, NULL);
    case 3:
        GM_TRY(gm_text_and(text, p[0], p[1], &x, NULL));
        return gm_text_or(text, x, p[2], &f->term, NULL);
    case 4:
        GM_TRY(gm_text_not(text, p[1], &x, NULL));
        GM_TRY(gm_text_and(text, p[0], x, &y, NULL));
        return gm_text_not(text, y, &f->term, NULL);
    default:
        GM_TRY(gm_text_or(text, p[0], p[1], &x, NULL));
        GM_TRY(gm_text_not(text, p[3], &y, NULL));
        GM_TRY(gm_text_or(text, p[2], y, &y, NULL));
        return gm_text_and(text, x, y, &f->term, NULL);
    }
}

static gm_term random_part(chance *c)
{
    static char room[512];
    gm_term term = GM_TERM_NONE;
    if (chance_below(c, 4) == 0) {
        static char letters[8][64];
        gm_bytes strings[8];
        const size_t count = chance_below(c, 8);
        for (size_t i = 0; i < count; i++)
            strings[i] = random_text(c, letters[i], 4);
        CHECK(gm_text_constants(store, strings, count, &term, NULL) == GM_OK);
        return term;
    }
    CHECK(gm_text_pattern(store, make_whole(c, room, sizeof room, false), &term, NULL) == GM_OK);
    return term;
}

static void check_formula(chance *c, const formula *f)
{
    static char room[1024], changed[1100];
    for (int i = 0; i < 24; i++) {
        gm_bytes string = random_text(c, room, 8);
        if (i % 3 != 0 && f->term != GM_TERM_NONE) {
            string = walk_text(store, i % 3 == 1 ? f->term : f->parts[0], c, room, chance_below(c, 8));
            if (string.length == SIZE_MAX)
                continue;
            if (i % 2 == 0)
                string = mutate_text(c, string, changed);
        }
        bool truth[4];
        for (int j = 0; j < 4; j++)
            truth[j] = holds(f->parts[j], string);
        CHECK(holds(f->term, string) == combine(truth, f->kind));
    }
    bool complete;
    CHECK(all_live(store, f->term, &complete) || !complete);
    CHECK(lengths_agree(store, f->term, 10));
}

static void combinations_hold_what_their_parts_say(void)
{
    const char *seed = getenv("GM_SEED");
    chance c = {seed != NULL ? strtoull(seed, NULL, 10) : 7};
    const gm_text_limits limits = {.max_states = 2000};
    int built = 0;
    enum { FORMULAS = 500 };
    CHECK(gm_text_create(NULL, &limits, &store, NULL) == GM_OK);
    for (int i = 0; i < FORMULAS; i++) {
        formula f = {.kind = i % 6};
        for (int j = 0; j < 4; j++)
            f.parts[j] = random_part(&c);
        const gm_status status = build(store, &f);
        CHECK(status == GM_OK || status == GM_LIMIT);
        if (status == GM_OK) {
            built++;
            check_formula(&c, &f);
        }
    }
    CHECK(built > FORMULAS * 9 / 10);
    store_end();
}

/* ---- sets of strings ---- */

static void constants_are_exactly_their_strings(void)
{
    store_begin();
    const gm_term few = constants((const char *const[]){"b", "", "abc", "ab", "b", "\xc3\xa9t\xc3\xa9", "\xc3\xa9"}, 7);
    CHECK(has(few, "") && has(few, "b") && has(few, "ab") && has(few, "abc") && has(few, "\xc3\xa9t\xc3\xa9"));
    CHECK(!has(few, "a") && !has(few, "abcd") && !has(few, "ba") && !has(few, "\xc3\xa8"));
    CHECK(constants(NULL, 0) == GM_TERM_NONE);
    CHECK(constants((const char *const[]){""}, 1) == GM_TERM_EMPTY);
    const gm_term some = both(few, pattern("^.b?$"));
    CHECK(has(some, "b") && has(some, "ab") && has(some, "\xc3\xa9") && !has(some, "") && !has(some, "abc"));
    CHECK(both(few, pattern("x")) == GM_TERM_NONE);
    const gm_term rest = both(few, complement(some));
    CHECK(has(rest, "") && has(rest, "abc") && !has(rest, "b") && !has(rest, "ab"));
    const gm_term more = either(few, constants((const char *const[]){"zz", "abd"}, 2));
    CHECK(has(more, "zz") && has(more, "abd") && has(more, "abc") && !has(more, "z"));
    gm_term term = 99;
    gm_bytes bad = GM_BYTES("\xff");
    CHECK(gm_text_constants(store, &bad, 1, &term, NULL) == GM_INVALID_ARGUMENT && term == 99);
    store_end();
}

static void ten_thousand_strings_are_one_term(void)
{
    enum { COUNT = 10000 };
    static char room[COUNT][16];
    static gm_bytes strings[COUNT];
    store_begin();
    for (int i = 0; i < COUNT; i++) {
        snprintf(room[i], sizeof room[i], "item-%05d", (i * 7919) % 100000);
        strings[i] = gm_bytes_of(room[i]);
    }
    gm_term all, one_by_one = GM_TERM_NONE;
    const size_t before = gm_text_memory(store);
    CHECK(gm_text_constants(store, strings, COUNT, &all, NULL) == GM_OK);
    CHECK(gm_text_memory(store) - before < 1000 * 1000);
    for (int i = 0; i < COUNT; i += 100)
        CHECK(holds(all, strings[i]));
    CHECK(!has(all, "item-") && !has(all, "item-000011"));
    CHECK(gm_text_memory(store) - before < 2000 * 1000);
    for (int i = 0; i < 2000; i++) {
        gm_term single;
        CHECK(gm_text_constants(store, &strings[i], 1, &single, NULL) == GM_OK);
        one_by_one = either(one_by_one, single);
    }
    CHECK(holds(one_by_one, strings[0]) && holds(one_by_one, strings[1999]) && !holds(one_by_one, strings[2000]));
    CHECK(gm_text_memory(store) - before < 8000 * 1000);
    const gm_term others = both(all, complement(one_by_one));
    CHECK(!holds(others, strings[0]) && holds(others, strings[2000]));
    store_end();
}

/* ---- lengths ---- */

static const gm_lengths *lengths_of(gm_term term)
{
    const gm_lengths *lengths = NULL;
    CHECK(gm_text_lengths(store, term, &lengths, NULL) == GM_OK);
    return lengths;
}

static bool is_interval(const char *source, uint64_t least, uint64_t greatest)
{
    const gm_lengths *lengths = lengths_of(pattern(source));
    return lengths->interval && lengths->least == least && lengths->greatest == greatest;
}

static void common_patterns_have_intervals_of_lengths(void)
{
    store_begin();
    CHECK(is_interval("^[a-z]{2,100000}$", 2, 100000));
    CHECK(is_interval("", 0, UINT64_MAX) && is_interval("a", 1, UINT64_MAX) && is_interval("^$", 0, 0));
    CHECK(is_interval("^\\d{4}-\\d{2}-\\d{2}$", 10, 10) && is_interval("^a?b*c{2}$", 2, UINT64_MAX));
    CHECK(is_interval("^[a-z]+@[a-z]+\\.[a-z]{2,}$", 6, UINT64_MAX) && is_interval("^(ab|c)*$", 0, UINT64_MAX));
    CHECK(is_interval("^(a{2,3}){2,1000000}$", 4, 3000000));
    CHECK(is_interval("^a{2147483647}$", 2147483647, 2147483647));
    CHECK(is_interval("^.{0,2147483647}$", 0, 2147483647));
    CHECK(is_interval("^(?:a{1,4000000000}){1,4000000000}$", 1, 16000000000000000000u));
    CHECK(is_interval("\\uD83D", UINT64_MAX, 0));
    CHECK(lengths_of(GM_TERM_NONE)->least == UINT64_MAX && !gm_lengths_meet(lengths_of(GM_TERM_NONE), 0, UINT64_MAX));
    store_end();
}

static void other_lengths_are_periodic_sets(void)
{
    store_begin();
    const gm_lengths *even = lengths_of(pattern("^(..)*$"));
    CHECK(!even->interval && even->least == 0 && even->greatest == UINT64_MAX && even->period == 2);
    CHECK(gm_lengths_meet(even, 1000000, 1000000) && !gm_lengths_meet(even, 1000001, 1000001));
    CHECK(gm_lengths_meet(even, 1000001, 1000002));
    const gm_lengths *coins = lengths_of(pattern("^(.{6}|.{10}|.{15})*$")); /* 29 is the last one missing */
    CHECK(!gm_lengths_meet(coins, 29, 29) && gm_lengths_meet(coins, 30, 30) && gm_lengths_meet(coins, 12345, 12345));
    CHECK(coins->period == 1 && gm_lengths_meet(coins, 16, 16) && !gm_lengths_meet(coins, 13, 14));
    const gm_lengths *codes = lengths_of(pattern("^\\d{5}(-\\d{4})?$"));
    CHECK(codes->least == 5 && codes->greatest == 10 && !codes->interval && !gm_lengths_meet(codes, 6, 9));
    CHECK(gm_lengths_meet(codes, 6, 10) && !gm_lengths_meet(codes, 11, UINT64_MAX) && !gm_lengths_meet(codes, 0, 4));
    const gm_lengths *sum = lengths_of(pattern("^(a{4})*(b{6})*$"));
    CHECK(sum->period == 2 && !gm_lengths_meet(sum, 2, 3) && gm_lengths_meet(sum, 14, 14));
    const gm_lengths *product = lengths_of(both(pattern("^(aa)*$"), pattern("^(aaa)*$")));
    CHECK(product->period == 6 && gm_lengths_meet(product, 600, 600) && !gm_lengths_meet(product, 601, 605));
    gm_error error = {0};
    const gm_lengths *none = NULL;
    CHECK(gm_text_lengths(store, pattern("^(aa){0,2147483647}$"), &none, &error) == GM_LIMIT && none == NULL);
    store_end();
}

static void lengths_of_combinations_are_exact(void)
{
    store_begin();
    const gm_term words = constants((const char *const[]){"a", "\xc3\xa9\xc3\xa9", "bcd", "abcdef"}, 4);
    CHECK(lengths_agree(store, words, 8));
    CHECK(lengths_agree(store, complement(words), 8));
    CHECK(lengths_of(complement(words))->interval);
    CHECK(lengths_of(complement(pattern("^.{2,100000}$")))->interval);
    const gm_term narrow = both(pattern("^[ab]{1,3}$"), complement(constants((const char *const[]){"a", "b"}, 2)));
    CHECK(lengths_of(narrow)->least == 2 && lengths_of(narrow)->greatest == 3);
    CHECK(lengths_agree(store, complement(pattern("^[^]{3}")), 8));
    CHECK(lengths_of(complement(pattern("^[^]{3}")))->greatest == 2);
    CHECK(lengths_agree(store, both(pattern("aa"), complement(pattern("b"))), 8));
    store_end();
}

/* ---- failures ---- */

/* All that a store can do, in short; the first failure is returned. */
static gm_status do_everything(gm_text *text)
{
    gm_term around, words, date, both_terms, not_term, any_term, mixed;
    const gm_bytes strings[] = {GM_BYTES("2024-01-01"), GM_BYTES("x"), GM_BYTES("2024-01-02")};
    const gm_lengths *lengths;
    bool matches;
    GM_TRY(gm_text_constants(text, strings, 3, &words, NULL));
    const gm_bytes anchored = GM_BYTES("^(?<y>\\d{4})-[^\\D]{2}-\\d\\d$|\\-|(?:^|,)(a|[\xc3\xa0-\xc3\xbf])+");
    GM_TRY(gm_text_pattern(text, anchored, &date, NULL));
    GM_TRY(gm_text_pattern(text, GM_BYTES("^(?!\\ba$)(?:(?<=^|x)y|(?=[z-\\xff]).|(?:\\B|q){2})*$"), &around, NULL));
    GM_TRY(gm_text_matches(text, around, GM_BYTES("yz"), &matches));
    GM_TRY(gm_text_lengths(text, around, &lengths, NULL));
    GM_TRY(gm_text_and(text, words, date, &both_terms, NULL));
    GM_TRY(gm_text_not(text, both_terms, &not_term, NULL));
    GM_TRY(gm_text_and(text, date, not_term, &mixed, NULL));
    GM_TRY(gm_text_or(text, mixed, words, &any_term, NULL));
    GM_TRY(gm_text_matches(text, any_term, GM_BYTES("2024-01-01"), &matches));
    GM_TRY(gm_text_lengths(text, any_term, &lengths, NULL));
    GM_TRY(gm_text_lengths(text, mixed, &lengths, NULL));
    return matches ? GM_OK : GM_REJECTED;
}

static void every_failing_allocation_is_survived(void)
{
    for (long budget = 0;; budget++) {
        failing_allocator state = {.budget = budget};
        const gm_allocator allocator = failing_allocator_of(&state);
        gm_text *text = NULL;
        gm_status status = gm_text_create(&allocator, NULL, &text, NULL);
        if (status == GM_OK) {
            status = do_everything(text);
            if (status == GM_OUT_OF_MEMORY) { /* the same store goes on once there is memory again */
                state.budget = -1;
                CHECK(do_everything(text) == GM_OK);
            }
            gm_text_destroy(text);
        } else {
            CHECK(text == NULL);
        }
        CHECK(state.live == 0 && (status == GM_OK || status == GM_OUT_OF_MEMORY));
        if (status == GM_OK)
            break;
    }
}

/* ---- threads ---- */

enum { THREADS = 4, ROUNDS = 60 };

static gm_term shared_terms[6];

static void *read_rows(void *seed)
{
    chance c = {(uint64_t)(uintptr_t)seed};
    char room[2048];
    uintptr_t wrong = 0;
    for (int i = 0; i < ROUNDS; i++) {
        const gm_term term = shared_terms[chance_below(&c, 6)];
        const gm_bytes string = walk_text(store, term, &c, room, chance_below(&c, 30));
        const gm_lengths *lengths;
        bool matches = true;
        if (string.length != SIZE_MAX)
            wrong += gm_text_matches(store, term, string, &matches) != GM_OK || !matches;
        wrong += gm_text_lengths(store, term, &lengths, NULL) != GM_OK;
        gm_term made;
        char source[32];
        snprintf(source, sizeof source, "^[a-f]{%d}$", i % 7);
        wrong += gm_text_pattern(store, gm_bytes_of(source), &made, NULL) != GM_OK;
    }
    return (void *)wrong;
}

static void threads_share_a_store(void)
{
    store_begin();
    shared_terms[0] = pattern("^[a-z]{1,200}$");
    shared_terms[1] = pattern("foo.*bar");
    shared_terms[2] = complement(pattern("foo"));
    shared_terms[3] = both(pattern("^[a-c]+$"), complement(pattern("abc")));
    shared_terms[4] = constants((const char *const[]){"a", "ab", "abc", "b"}, 4);
    shared_terms[5] = pattern("^(\\w+[. -]?)+@\\w{2,10}$");
    pthread_t threads[THREADS];
    for (uintptr_t i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, read_rows, (void *)(i + 1)) == 0);
    for (int i = 0; i < THREADS; i++) {
        void *wrong;
        CHECK(pthread_join(threads[i], &wrong) == 0 && wrong == NULL);
    }
    store_end();
}

int main(void)
{
    RUN(the_fixed_terms_obey_the_laws);
    RUN(emptiness_is_found_out);
    RUN(a_row_never_leads_to_a_dead_end);
    RUN(a_search_for_a_count_is_linear);
    RUN(exploration_stops_at_its_limit);
    RUN(combinations_hold_what_their_parts_say);
    RUN(constants_are_exactly_their_strings);
    RUN(ten_thousand_strings_are_one_term);
    RUN(common_patterns_have_intervals_of_lengths);
    RUN(other_lengths_are_periodic_sets);
    RUN(lengths_of_combinations_are_exact);
    RUN(every_failing_allocation_is_survived);
    RUN(threads_share_a_store);
    return REPORT("test_text_terms");
}
