/*
 * test_number_language.c - number languages against a brute force over short spellings.
 *
 * The oracle here shares nothing with the engine: a grammar table of JSON numbers, values as
 * (64-bit integer, power of ten), comparison and divisibility by plain integer arithmetic. For
 * many random sets of constraints it says
 *   - of every spelling up to some length whether it belongs to the language,
 *   - of every prefix that has an accepted extension in that range that it must be alive,
 * and every live state of the engine must be led to an accepted text that the oracle also accepts.
 */
#include "number_problem.h"

/* ---- JSON's grammar of numbers ---- */

enum { G_START, G_MINUS, G_ZERO, G_INTEGER, G_POINT, G_FRACTION, G_MARK, G_SIGN, G_DIGITS, G_NONE };

static int grammar_step(int state, char c)
{
    const bool digit = c >= '0' && c <= '9';
    switch (state) {
    case G_START:
        return c == '-' ? G_MINUS : c == '0' ? G_ZERO : digit ? G_INTEGER : G_NONE;
    case G_MINUS:
        return c == '0' ? G_ZERO : digit ? G_INTEGER : G_NONE;
    case G_ZERO:
        return c == '.' ? G_POINT : c == 'e' || c == 'E' ? G_MARK : G_NONE;
    case G_INTEGER:
        return digit ? G_INTEGER : c == '.' ? G_POINT : c == 'e' || c == 'E' ? G_MARK : G_NONE;
    case G_POINT:
        return digit ? G_FRACTION : G_NONE;
    case G_FRACTION:
        return digit ? G_FRACTION : c == 'e' || c == 'E' ? G_MARK : G_NONE;
    case G_MARK:
        return digit ? G_DIGITS : c == '+' || c == '-' ? G_SIGN : G_NONE;
    case G_SIGN:
    case G_DIGITS:
        return digit ? G_DIGITS : G_NONE;
    default:
        return G_NONE;
    }
}

static bool grammar_ends(int state) { return state == G_ZERO || state == G_INTEGER || state == G_FRACTION || state == G_DIGITS; }

/* ---- exact values ---- */

typedef struct value {
    bool negative;
    uint64_t digits; /* no trailing zero; 0 for zero */
    int exponent;
} value;

/* False when the significant digits do not fit in 18 decimal places. */
static bool read_value(const char *text, value *out)
{
    value v = {0};
    int zeros = 0, exponent = 0, places = 0;
    bool point = false;
    for (; *text != '\0' && *text != 'e' && *text != 'E'; text++) {
        if (*text == '-') {
            v.negative = true;
        } else if (*text == '.') {
            point = true;
        } else {
            places += point;
            if (*text == '0') {
                zeros++;
                continue;
            }
            for (; zeros > 0; zeros--)
                if (v.digits != 0) {
                    if (v.digits >= 100000000000000000u)
                        return false;
                    v.digits *= 10;
                }
            if (v.digits >= 100000000000000000u)
                return false;
            v.digits = v.digits * 10 + (uint64_t)(*text - '0');
        }
    }
    if (*text != '\0')
        exponent = atoi(text + 1);
    v.exponent = exponent - places + zeros;
    if (v.digits == 0)
        v = (value){0};
    *out = v;
    return true;
}

static int digits_of(uint64_t n)
{
    int count = 0;
    for (; n != 0; n /= 10)
        count++;
    return count;
}

static int compare_magnitudes(value a, value b)
{
    if (a.digits == 0 || b.digits == 0)
        return (a.digits != 0) - (b.digits != 0);
    const int top_a = digits_of(a.digits) + a.exponent, top_b = digits_of(b.digits) + b.exponent;
    if (top_a != top_b)
        return top_a < top_b ? -1 : 1;
    for (; a.exponent > b.exponent; a.exponent--)
        a.digits *= 10;
    for (; b.exponent > a.exponent; b.exponent--)
        b.digits *= 10;
    return a.digits < b.digits ? -1 : a.digits > b.digits;
}

static int compare_values(value a, value b)
{
    if (a.negative != b.negative)
        return a.negative ? -1 : 1;
    const int order = compare_magnitudes(a, b);
    return a.negative ? -order : order;
}

static bool is_multiple(value v, value of)
{
    if (v.digits == 0)
        return true;
    if (v.exponent < of.exponent)
        return false; /* v.digits has no factor 10 */
    uint64_t rest = v.digits % of.digits;
    for (int k = v.exponent - of.exponent; k > 0; k--)
        rest = rest * 10 % of.digits;
    return rest == 0;
}

/* ---- the oracle's answers ---- */

static bool is_constrained(const problem *p)
{
    return p->minimum || p->maximum || p->multiple_count || p->integer || p->has_values || p->excluded_count ||
           p->not_multiple_count || p->marked;
}

static bool spelled_as_allowed(const problem *p, int exponent_digits, const char *text)
{
    if (!is_constrained(p))
        return true;
    const char *mark = strpbrk(text, "eE");
    if (p->marked && mark == NULL && strchr(text, '.') == NULL)
        return false;
    if (p->plain_integer && p->integer)
        return mark == NULL && strchr(text, '.') == NULL;
    if (p->plain)
        return mark == NULL;
    if (mark == NULL)
        return true;
    mark++;
    mark += *mark == '+' || *mark == '-';
    return (int)strlen(mark) <= exponent_digits;
}

static bool value_is_allowed(const problem *p, value v)
{
    value other = {0};
    if (p->minimum && read_value(p->minimum, &other) && compare_values(v, other) < (p->exclusive_minimum ? 1 : 0))
        return false;
    if (p->maximum && read_value(p->maximum, &other) && compare_values(v, other) > (p->exclusive_maximum ? -1 : 0))
        return false;
    if (p->integer && !is_multiple(v, (value){.digits = 1}))
        return false;
    for (int i = 0; i < p->multiple_count; i++)
        if (read_value(p->multiples[i], &other) && !is_multiple(v, other))
            return false;
    for (int i = 0; i < p->not_multiple_count; i++)
        if (read_value(p->not_multiples[i], &other) && is_multiple(v, other))
            return false;
    for (int i = 0; i < p->excluded_count; i++)
        if (read_value(p->excluded[i], &other) && compare_values(v, other) == 0)
            return false;
    if (!p->has_values)
        return true;
    for (int i = 0; i < p->value_count; i++)
        if (read_value(p->values[i], &other) && compare_values(v, other) == 0)
            return true;
    return false;
}

/* ---- brute force ---- */

typedef struct search {
    gm_number *number;
    const problem *problem;
    int exponent_digits;
    const char *alphabet;
    int longest;
    char text[64];
    bool wrong;
} search;

static void complain(search *s, const char *what)
{
    if (!s->wrong) {
        fprintf(stderr, "%s at \"%s\"\n", what, s->text);
        print_problem(s->problem, s->exponent_digits);
    }
    s->wrong = true;
}

/* Whether some extension of the text, itself included, is accepted. Depth is at most `longest`. */
static bool visit(search *s, int length, int grammar, gm_number_state state)
{
    const gm_number_row *row = state != GM_NUMBER_DEAD ? gm_number_row_of(s->number, state) : NULL;
    value v;
    bool accepted = false;
    if (grammar_ends(grammar) && read_value(s->text, &v))
        accepted = spelled_as_allowed(s->problem, s->exponent_digits, s->text) && value_is_allowed(s->problem, v);
    if (accepted != (row != NULL && row->accepts))
        complain(s, accepted ? "should be accepted" : "should not be accepted");
    bool any = accepted;
    for (const char *c = s->alphabet; length < s->longest && *c != '\0' && !s->wrong; c++) {
        const int next = grammar_step(grammar, *c);
        const gm_number_state to = row != NULL ? row->to[gm_number_class((uint8_t)*c)] : GM_NUMBER_DEAD;
        if (next == G_NONE) {
            s->text[length] = *c;
            if (to != GM_NUMBER_DEAD)
                complain(s, "not JSON, but alive");
            s->text[length] = '\0';
            continue;
        }
        s->text[length] = *c;
        s->text[length + 1] = '\0';
        any = visit(s, length + 1, next, to) || any;
        s->text[length] = '\0';
    }
    if (any && state == GM_NUMBER_DEAD)
        complain(s, "should be alive");
    return any;
}

/* ---- every live state has a witness ---- */

static void every_state_has_a_witness(search *s, gm_number_state start)
{
    exploration x;
    explore(&x, s->number, start);
    char *text = malloc(MOST_STATES * 2 + 64);
    for (int i = 0; i < x.count && !s->wrong; i++) {
        int length = 0;
        for (int at = i; x.nodes[at].parent >= 0; at = x.nodes[at].parent)
            text[length++] = x.nodes[at].by;
        for (int a = 0, b = length - 1; a < b; a++, b--) {
            const char swap = text[a];
            text[a] = text[b];
            text[b] = swap;
        }
        text[length] = '\0';
        snprintf(s->text, sizeof s->text, "%.60s", text);
        if (!x.nodes[i].done) {
            if (x.complete)
                complain(s, "alive, but nothing follows");
            continue;
        }
        for (int at = i; x.nodes[at].witness >= 0; at = x.nodes[at].witness)
            text[length++] = x.nodes[at].witness_by;
        text[length] = '\0';
        value v;
        if (!read_value(text, &v))
            continue;
        snprintf(s->text, sizeof s->text, "%.60s", text);
        if (!spelled_as_allowed(s->problem, s->exponent_digits, text) || !value_is_allowed(s->problem, v))
            complain(s, "accepted, but should not be");
    }
    free(text);
    explored(&x);
}

/* ---- random problems ---- */

static uint32_t random_state = 12345;

static uint32_t random_below(uint32_t bound)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)(random_state >> 4) * bound) >> 28);
}

#define PICK(pool) ((pool)[random_below((uint32_t)GM_COUNT_OF(pool))])

static const char *const numbers[] = {
    "0",   "-0.0", "1",    "2",    "5",   "9",    "10",   "12",  "15",   "20",   "25",   "99",    "100",    "0.5",   "0.1",
    "0.2", "0.01", "0.02", "1.5",  "1.2", "0.25", "9.9",  "9.5", "2e1",  "5e-1", "1e2",  "-1",    "-2",     "-5",    "-10",
    "-12", "-0.5", "-1.5", "-0.1", "-99", "-0.01", "0.09", "91",  "95",   "121",  "0.95", "1.05",  "1000",   "0.001", "19.9",
    "512", "5.12", "-25",  "3",    "7",   "0.3",  "8",    "1e1", "12e0", "-3",   "0.12", "10.50", "0.0010", "1e3",   "59",
};
static const char *const factors[] = {"1",    "2",   "5",   "10",  "3",   "7",    "0.5", "0.1", "0.25", "0.2", "20",  "12", "15", "1.5",
                                      "0.02", "0.3", "8",   "100", "11",  "0.05", "25",  "50",  "6",    "60",  "1e2", "0.01", "0.125", "2.5"};

/* Equal digits at many places: sets of exponents with gaps. */
static const char *const tens[] = {"1", "10", "100", "1000", "0.1", "0.01", "-10", "-1", "-0.1", "5", "50", "0.5", "0.05", "1e4"};

static problem random_problem(void)
{
    problem p = {.plain = random_below(2) == 0, .plain_integer = random_below(2) == 0, .integer = random_below(3) == 0};
    const uint32_t shape = random_below(64);
    if (shape & 1)
        p.minimum = PICK(numbers);
    if (shape & 2)
        p.maximum = PICK(numbers);
    p.exclusive_minimum = random_below(2) == 0;
    p.exclusive_maximum = random_below(2) == 0;
    if ((shape & 12) == 12)
        p.multiple_count = 1 + (int)random_below(2);
    if ((shape & 48) == 48) {
        p.has_values = true;
        p.value_count = (int)random_below(MOST);
    }
    if (random_below(3) == 0)
        p.excluded_count = (int)random_below(MOST);
    const bool of_tens = random_below(3) == 0;
    for (int i = 0; i < MOST; i++) {
        p.multiples[i] = PICK(factors);
        p.values[i] = of_tens ? PICK(tens) : PICK(numbers);
        p.excluded[i] = of_tens ? PICK(tens) : PICK(numbers);
    }
    return p;
}

/* With lattices to be out of; often beside one to be in, and few values between the bounds. */
static problem random_lattice_problem(void)
{
    problem p = random_problem();
    p.marked = random_below(6) == 0;
    p.has_values = p.has_values && random_below(4) == 0;
    p.not_multiple_count = 1 + (int)random_below(MOST);
    for (int i = 0; i < MOST; i++)
        p.not_multiples[i] = PICK(factors);
    if (random_below(2) == 0) { /* coarse ones over a fine one */
        static const char *const fine[] = {"1", "0.5", "3", "9", "0.7", "33", "99", "0.01"};
        p.multiple_count = 1;
        p.multiples[0] = PICK(fine);
        static const char *const coarse[] = {"2", "3", "5", "7", "10", "990", "99e1", "18", "27", "1.4", "66", "90", "100", "0.35", "1e3"};
        for (int i = 0; i < MOST; i++)
            p.not_multiples[i] = PICK(coarse);
    }
    return p;
}

static void check_problem(gm_number *number, int exponent_digits, const problem *p, const char *alphabet, int longest)
{
    gm_number_language language = 0;
    bool is_empty = false;
    gm_error error = {0};
    search s = {.number = number, .problem = p, .exponent_digits = exponent_digits, .alphabet = alphabet, .longest = longest};
    if (define(number, p, &language, &is_empty, &error) != GM_OK) {
        complain(&s, error.message);
        CHECK(!s.wrong);
        return;
    }
    const gm_number_state start = gm_number_start(number, language);
    if (is_empty != (start == GM_NUMBER_DEAD))
        complain(&s, "empty or not");
    visit(&s, 0, G_START, start);
    s.text[0] = '\0';
    if (!s.wrong && start != GM_NUMBER_DEAD)
        every_state_has_a_witness(&s, start);
    CHECK(!s.wrong);
}

static void short_spellings_agree_with_brute_force(void)
{
    gm_number *one = new_store(1), *two = new_store(2), *none = new_store(0);
    for (int i = 0; i < 700; i++) {
        const problem p = random_problem();
        check_problem(one, 1, &p, "01259-+.e", 5);
        if (i % 4 == 0)
            check_problem(two, 2, &p, "0159-+.E", 5);
        if (i % 8 == 0)
            check_problem(none, 0, &p, "0123456789-.e", 4);
        if (i % 16 == 0)
            check_problem(one, 1, &p, "0259-.e", 7);
    }
    gm_number_destroy(one);
    gm_number_destroy(two);
    gm_number_destroy(none);
}

static void complements_of_multiples_agree_with_brute_force(void)
{
    gm_number *one = new_store(1), *two = new_store(2), *none = new_store(0);
    for (int i = 0; i < 300; i++) {
        const problem p = random_lattice_problem();
        check_problem(one, 1, &p, "01259-+.e", 5);
        check_problem(none, 0, &p, "013579-.", 5);
        if (i % 4 == 0)
            check_problem(two, 2, &p, "0159-+.E", 5);
        if (i % 8 == 0)
            check_problem(none, 0, &p, "0123456789-.e", 4);
        if (i % 16 == 0)
            check_problem(one, 1, &p, "0259-.e", 7);
    }
    gm_number_destroy(one);
    gm_number_destroy(two);
    gm_number_destroy(none);
}

/* ---- integers far apart ---- */

enum { FAR = 100000000 };

/* Whether an integer that begins with `prefix` is a member: all of them below FAR are tried, which
 * leaves room for more multiples than the lattices can cover in a row. */
static bool some_member_begins_with(uint32_t prefix, uint32_t most, const uint32_t *out, int count, uint32_t in)
{
    for (uint32_t low = prefix, width = 1; low <= most; low *= 10, width *= 10)
        for (uint32_t v = (low + in - 1) / in * in; v < low + width && v <= most; v += in) {
            bool fits = true;
            for (int i = 0; i < count && fits; i++)
                fits = v % out[i] != 0;
            if (fits)
                return true;
        }
    return false;
}

static void integer_prefixes_live_just_if_a_member_begins_so(void)
{
    gm_number *number = new_store(0);
    for (int i = 0; i < 400; i++) {
        uint32_t out[MOST], most = random_below(2) == 0 ? 20 + random_below(5000) : FAR;
        const uint32_t in = 1 + random_below(random_below(2) == 0 ? 120 : 5);
        char texts[MOST][16], limit[16], step[16];
        problem p = {.plain_integer = true, .integer = true, .multiple_count = 1, .not_multiple_count = 1 + (int)random_below(4)};
        p.multiples[0] = step;
        snprintf(step, sizeof step, "%u", in);
        snprintf(limit, sizeof limit, "%u", most);
        p.maximum = most < FAR ? limit : NULL;
        for (int j = 0; j < p.not_multiple_count; j++) {
            out[j] = in * (1 + random_below(random_below(8) == 0 ? 1 : 12));
            snprintf(texts[j], sizeof texts[j], "%u", out[j]);
            p.not_multiples[j] = texts[j];
        }
        gm_number_language language = 0;
        bool is_empty = false, wrong = false;
        CHECK(define(number, &p, &language, &is_empty, NULL) == GM_OK);
        for (uint32_t prefix = 1; prefix < 2000 && !wrong; prefix++) {
            char text[16];
            const int length = snprintf(text, sizeof text, "%u", prefix);
            gm_number_state state = gm_number_start(number, language);
            for (int j = 0; j < length && state != GM_NUMBER_DEAD; j++)
                state = gm_number_row_of(number, state)->to[text[j] - '0'];
            wrong = (state != GM_NUMBER_DEAD) != some_member_begins_with(prefix, most, out, p.not_multiple_count, in);
            if (wrong)
                fprintf(stderr, "prefix %u is %s\n", prefix, state != GM_NUMBER_DEAD ? "alive" : "dead");
        }
        if (wrong)
            print_problem(&p, 0);
        CHECK(!wrong);
    }
    gm_number_destroy(number);
}

/* ---- long walks ---- */

static void a_random_walk_can_always_end(void)
{
    gm_number *number = new_store(2);
    for (int i = 0; i < 300; i++) {
        const problem p = i % 2 == 0 ? random_problem() : random_lattice_problem();
        gm_number_language language = 0;
        bool is_empty = false;
        CHECK(define(number, &p, &language, &is_empty, NULL) == GM_OK);
        for (int walk = 0; walk < 20 && !is_empty; walk++) {
            char text[256];
            int length = 0;
            gm_number_state state = gm_number_start(number, language);
            const gm_number_row *row = gm_number_row_of(number, state);
            for (int steps = (int)random_below(12); length < 200; steps--) {
                if (steps <= 0 && row->accepts)
                    break;
                int choices[GM_NUMBER_CLASSES], count = 0;
                for (int c = 0; c < GM_NUMBER_CLASSES; c++)
                    if (row->to[c] != GM_NUMBER_DEAD)
                        choices[count++] = c;
                if (count == 0)
                    break;
                const int c = choices[random_below((uint32_t)count)];
                text[length++] = CLASSES[c];
                row = gm_number_row_of(number, row->to[c]);
            }
            text[length] = '\0';
            value v;
            bool fine = row->accepts || length >= 200;
            if (row->accepts && read_value(text, &v))
                fine = spelled_as_allowed(&p, 2, text) && value_is_allowed(&p, v);
            if (!fine) {
                fprintf(stderr, "walk \"%s\"\n", text);
                print_problem(&p, 2);
            }
            CHECK(fine);
        }
    }
    gm_number_destroy(number);
}

/* ---- values less others ---- */

enum { MOST_VALUES = 24 };

/* The state behind a text, in the language of the problem without some values. */
static gm_number_state state_without(gm_number *number, problem p, const gm_bytes *values, size_t count, gm_bytes text)
{
    gm_bytes multiples[MOST], not_multiples[MOST], listed[MOST], excluded[MOST + MOST_VALUES];
    to_bytes(p.multiples, p.multiple_count, multiples);
    to_bytes(p.not_multiples, p.not_multiple_count, not_multiples);
    to_bytes(p.values, p.value_count, listed);
    to_bytes(p.excluded, p.excluded_count, excluded);
    for (size_t i = 0; i < count; i++)
        excluded[p.excluded_count + (int)i] = values[i];
    const gm_number_constraints constraints = {.minimum = p.minimum ? gm_bytes_of(p.minimum) : (gm_bytes){0},
                                               .maximum = p.maximum ? gm_bytes_of(p.maximum) : (gm_bytes){0},
                                               .exclusive_minimum = p.exclusive_minimum,
                                               .exclusive_maximum = p.exclusive_maximum,
                                               .multiples = multiples,
                                               .multiple_count = (size_t)p.multiple_count,
                                               .not_multiples = not_multiples,
                                               .not_multiple_count = (size_t)p.not_multiple_count,
                                               .integer = p.integer,
                                               .values = listed,
                                               .value_count = (size_t)p.value_count,
                                               .has_values = p.has_values,
                                               .excluded = excluded,
                                               .excluded_count = (size_t)p.excluded_count + count,
                                               .plain_integer = p.plain_integer,
                                               .plain = p.plain,
                                               .marked = p.marked};
    gm_number_language language;
    bool is_empty = false;
    CHECK(gm_number_define(number, &constraints, &language, &is_empty, NULL) == GM_OK);
    gm_number_state state = gm_number_start(number, language);
    for (size_t i = 0; i < text.length && state != GM_NUMBER_DEAD; i++)
        state = gm_number_row_of(number, state)->to[gm_number_class((uint8_t)text.data[i])];
    return state;
}

/* Asks for one value after the other behind a text, until there is none: each is a number of the language that was not
 * had before, and there is none just if the language without them says so. False if something is wrong. */
static bool values_are_found_one_by_one(gm_number *number, const problem *p, gm_number_language language, gm_bytes begun,
                                        gm_number_state state, size_t *endless, size_t *finite)
{
    gm_arena arena;
    gm_bytes values[MOST_VALUES] = {{NULL, 0}}, rest;
    value known[MOST_VALUES];
    bool fine = true, over = false, comparable = true;
    const gm_allocator allocator = gm_allocator_or_default(NULL);
    gm_arena_init(&arena, &allocator);
    for (size_t count = 0; count < (is_constrained(p) ? MOST_VALUES : 8) && fine && !over; count++) {
        CHECK(gm_number_another(number, &arena, language, begun, values, count, UINT32_MAX, &rest) == GM_OK);
        over = rest.data == NULL;
        const bool is_endless = gm_number_is_endless(number, state);
        if (is_constrained(p)) { /* the others have no language without some: any exponent */
            const bool is_left = state_without(number, *p, values, count, begun) != GM_NUMBER_DEAD;
            fine = is_left ? !over || is_endless : over && !is_endless;
        } else {
            fine = !over || memchr(begun.data, 'e', begun.length) != NULL;
        }
        if (!fine)
            fprintf(stderr, "%zu values, %s\n", count, over ? "and no other is found" : "and another that is none");
        if (over || !fine)
            continue;
        char *text = gm_arena_take(&arena, begun.length + rest.length + 1);
        memcpy(text, begun.data, begun.length);
        memcpy(text + begun.length, rest.data, rest.length);
        text[begun.length + rest.length] = '\0';
        values[count] = gm_bytes_of(text);
        const gm_number_state end = state_without(number, *p, NULL, 0, values[count]);
        fine = end != GM_NUMBER_DEAD && gm_number_row_of(number, end)->accepts;
        comparable = comparable && read_value(text, &known[count]);
        for (size_t i = 0; i < count && comparable; i++)
            fine = fine && compare_values(known[i], known[count]) != 0;
        if (!fine)
            fprintf(stderr, "value %zu is \"%s\"\n", count, text);
    }
    *endless += gm_number_is_endless(number, state);
    if (over) { /* it found all there are */
        size_t count = 0;
        while (count < MOST_VALUES && values[count].data != NULL)
            count++;
        fine = fine && (gm_number_is_endless(number, state) || gm_number_least_values(number, state) <= count);
    }
    *finite += over;
    gm_arena_destroy(&arena);
    return fine;
}

static void values_can_be_had_one_by_one(void)
{
    size_t endless = 0, finite = 0;
    for (int digits = 0; digits < 3; digits++) {
        gm_number *number = new_store(digits);
        for (int i = 0; i < 120; i++) {
            const problem p = i % 2 == 0 ? random_problem() : random_lattice_problem();
            gm_number_language language = 0;
            bool is_empty = false;
            CHECK(define(number, &p, &language, &is_empty, NULL) == GM_OK);
            for (int walk = 0; walk < 6 && !is_empty; walk++) {
                char text[16];
                size_t length = 0;
                gm_number_state state = gm_number_start(number, language);
                for (size_t most = random_below(6); length < most; length++) {
                    const gm_number_row *row = gm_number_row_of(number, state);
                    uint32_t c = random_below(GM_NUMBER_CLASSES), tried = 0;
                    while (tried++ < GM_NUMBER_CLASSES && row->to[c] == GM_NUMBER_DEAD)
                        c = (c + 1) % GM_NUMBER_CLASSES;
                    if (row->to[c] == GM_NUMBER_DEAD)
                        break;
                    text[length] = CLASSES[c];
                    state = row->to[c];
                }
                const bool fine = values_are_found_one_by_one(number, &p, language, (gm_bytes){text, length}, state, &endless, &finite);
                if (!fine) {
                    fprintf(stderr, "behind \"%.*s\"\n", (int)length, text);
                    print_problem(&p, digits);
                }
                CHECK(fine);
            }
        }
        gm_number_destroy(number);
    }
    printf("  %zu beginnings with endless values, %zu with few\n", endless, finite);
}

int main(void)
{
    RUN(short_spellings_agree_with_brute_force);
    RUN(complements_of_multiples_agree_with_brute_force);
    RUN(integer_prefixes_live_just_if_a_member_begins_so);
    RUN(a_random_walk_can_always_end);
    RUN(values_can_be_had_one_by_one);
    return REPORT("test_number_language");
}
