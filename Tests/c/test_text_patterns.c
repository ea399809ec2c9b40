/* test_text_patterns.c - ECMA-262 patterns: fixed cases, by what is easy to get wrong. */
#include "lex/text.h"

#include "check.h"

static gm_text *store;

static void store_begin(void) { CHECK(gm_text_create(NULL, NULL, &store, NULL) == GM_OK); }
static void store_end(void) { gm_text_destroy(store); }

static bool finds(const char *pattern, gm_bytes string)
{
    gm_term term;
    gm_error error = {0};
    const gm_status status = gm_text_pattern(store, gm_bytes_of(pattern), &term, &error);
    if (status != GM_OK) {
        fprintf(stderr, "/%s/: %s\n", pattern, error.message);
        CHECK(status == GM_OK);
        return false;
    }
    bool matches = false;
    CHECK(gm_text_matches(store, term, string, &matches) == GM_OK);
    return matches;
}

/* Cases in a table: a pattern, then strings it is found in, then strings it is not. */
typedef struct sample {
    const char *pattern;
    const char *in[6];
    const char *out[6];
} sample;

static void check_samples(const sample *samples, size_t count)
{
    store_begin();
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < 6 && samples[i].in[j] != NULL; j++)
            if (!finds(samples[i].pattern, gm_bytes_of(samples[i].in[j]))) {
                fprintf(stderr, "/%s/ should be found in \"%s\"\n", samples[i].pattern, samples[i].in[j]);
                CHECK(false);
            }
        for (size_t j = 0; j < 6 && samples[i].out[j] != NULL; j++)
            if (finds(samples[i].pattern, gm_bytes_of(samples[i].out[j]))) {
                fprintf(stderr, "/%s/ should not be found in \"%s\"\n", samples[i].pattern, samples[i].out[j]);
                CHECK(false);
            }
    }
    store_end();
}

static void a_pattern_is_found_anywhere_unless_anchored(void)
{
    static const sample samples[] = {
        {"", {"", "a", "\n"}, {NULL}},
        {"a", {"a", "ba", "ab", "bab"}, {"", "b"}},
        {"^a", {"a", "ab"}, {"", "ba"}},
        {"a$", {"a", "ba"}, {"", "ab", "a\n"}},
        {"^a$", {"a"}, {"", "aa", "a\n", "\na"}},
        {"^$", {""}, {"a", "\n"}},
        {"^", {"", "a"}, {NULL}},
        {"$", {"", "a"}, {NULL}},
        {"^a|b$", {"a", "ax", "b", "xb", "ab"}, {"", "xa", "bx"}},
        {"foo.*bar", {"foobar", "xfoo--barx"}, {"foo", "barfoo", "foo\nbar"}},
    };
    check_samples(samples, GM_COUNT_OF(samples));
}

static void anchors_hold_anywhere_in_a_pattern(void)
{
    static const sample samples[] = {
        {"a^b", {NULL}, {"", "ab", "a^b"}},
        {"a$b", {NULL}, {"", "ab", "a$b"}},
        {"^^a$$", {"a"}, {"aa"}},
        {"(^a|b)c", {"ac", "acx", "xbc", "bc"}, {"xac"}},
        {"(^|x)a", {"a", "ab", "bxa"}, {"ba"}},
        {"a($|x)", {"a", "ba", "axb"}, {"ab"}},
        {"(^a)*b", {"b", "ab", "aab", "xab"}, {"a"}},
        {"^(^a)*b$", {"b", "ab"}, {"aab"}},
        {"^(^a|b){2}$", {"ab", "bb"}, {"aa", "ba", "a", "b"}},
        {"^(^|a){3}$", {"", "a", "aa", "aaa"}, {"aaaa"}},
        {"^(a|$){2,3}$", {"", "a", "aa", "aaa"}, {"aaaa", "b"}},
        {"^(a$|b)+$", {"a", "b", "ba", "bba"}, {"", "ab"}},
        {"x*^y", {"y", "yx"}, {"xy"}},
        {"x*$y*", {"", "x", "y"}, {NULL}},
        {"^x*$y*", {"", "x", "xx"}, {"y", "xy"}},
        {"(?:^|,)(a|b)(?:,|$)", {"a", "x,b", "a,c", "c,a,c"}, {"ab", "xa", ""}},
        {"$^", {""}, {"a"}},
        {"(^$)?a", {"a", "ba"}, {""}},
    };
    check_samples(samples, GM_COUNT_OF(samples));
}

static void dot_and_classes_are_those_of_ecma(void)
{
    static const sample samples[] = {
        {"^.$",
         {"a", " ", "\xc3\xa9", "\xf0\x9f\x98\x80", "\xc2\x85"},
         {"", "\n", "\r", "\xe2\x80\xa8", "\xe2\x80\xa9"}},
        {"^\\d$", {"0", "9"}, {"a", "\xd9\xa3"}},
        {"^\\D$", {"a", "\xd9\xa3", "\n"}, {"0", "9"}},
        {"^\\w$", {"a", "Z", "_", "5"}, {"-", "\xc3\xa9", ""}},
        {"^\\W$", {"-", "\xc3\xa9"}, {"a", "_"}},
        {"^\\s$",
         {" ", "\t", "\xc2\xa0", "\xef\xbb\xbf", "\xe2\x80\xa8", "\xe3\x80\x80"},
         {"a", "\xe2\x80\x8b", "\xc2\x85"}},
        {"^\\S$", {"a", "\xe2\x80\x8b"}, {" ", "\xc2\xa0"}},
        {"^[^]$", {"a", "\n", "\xe2\x80\xa8"}, {"", "ab"}},
        {"[]", {NULL}, {"", "a", "[]"}},
        {"^[]*$", {""}, {"a"}},
        {"^[a-c\\d-]+$", {"a", "-", "1c-"}, {"", "d", "a\\"}},
        {"^[\\b]$", {"\b"}, {"b"}},
        {"^[^\\d\\s]$", {"a"}, {"1", " "}},
        {"^[\\]\\\\-]$", {"]", "\\", "-"}, {"a"}},
        {"^[a\\-z]$", {"a", "-", "z"}, {"b"}},
        {"^[-a]$", {"-", "a"}, {"b"}},
        {"^[a-]$", {"-", "a"}, {"b"}},
        {"^[^a]$", {"b", "\xf0\x9f\x98\x80"}, {"a"}},
        {"^[.*+?^${}()|/]$", {".", "^", "|", "$"}, {"a", "\\"}},
        {"^[\xc3\xa0-\xc3\xbf]$", {"\xc3\xa9"}, {"e"}},
    };
    check_samples(samples, GM_COUNT_OF(samples));
}

static void escapes_stand_for_their_characters(void)
{
    static const sample samples[] = {
        {"^\\f\\n\\r\\t\\v$", {"\f\n\r\t\v"}, {"fnrtv"}},
        {"^\\cJ\\cj$", {"\n\n"}, {"cJ"}},
        {"^\\x41\\u0042\\u{43}$", {"ABC"}, {"x41"}},
        {"^\\u{1F600}$", {"\xf0\x9f\x98\x80"}, {"u"}},
        {"^\\uD83D\\uDE00$", {"\xf0\x9f\x98\x80"}, {"u"}},
        {"^[\\uD83D\\uDE00-\\uD83D\\uDE02]$", {"\xf0\x9f\x98\x81"}, {"\xf0\x9f\x98\x83"}},
        {"\\uD83D", {NULL}, {"\xf0\x9f\x98\x80", "uD83D", ""}},
        {"^[\\uD800-\\uDFFF]$", {NULL}, {"\xf0\x9f\x98\x80"}},
        {"^\\^\\$\\\\\\.\\*\\+\\?\\(\\)\\[\\]\\{\\}\\|\\/$", {"^$\\.*+?()[]{}|/"}, {""}},
        {"^\\u00e9$", {"\xc3\xa9"}, {"e"}},
    };
    check_samples(samples, GM_COUNT_OF(samples));
}

static void zero_is_a_character_like_others(void)
{
    store_begin();
    CHECK(finds("^\\0$", (gm_bytes){"\0", 1}));
    CHECK(finds("^.\\x00[\\0]$", (gm_bytes){"a\0\0", 3}));
    CHECK(!finds("^\\0$", (gm_bytes){"", 0}));
    store_end();
}

static void properties_are_those_of_unicode(void)
{
    static const sample samples[] = {
        {"^\\p{L}$", {"a", "\xc3\xa9", "\xe4\xb8\xad", "\xf0\x9d\x94\xb8"}, {"1", " ", "_"}},
        {"^\\p{Letter}\\p{Lu}\\P{Lu}$", {"aAa", "AAa"}, {"aaa"}},
        {"^\\p{gc=Nd}\\p{General_Category=digit}$", {"12", "\xd9\xa3" "4"}, {"a1"}},
        {"^\\p{Script=Greek}\\p{sc=Grek}$", {"\xce\xb1\xce\xb2"}, {"ab", "\xce\xb1" "b"}},
        {"^\\p{scx=Deva}$", {"\xe0\xa5\xa4"}, {"a"}},
        {"^\\p{sc=Deva}$", {"\xe0\xa4\x85"}, {"\xe0\xa5\xa4"}}, /* U+0964 is Common, shared by many */
        {"^\\p{Alphabetic}\\p{Emoji}\\p{White_Space}\\p{Hex_Digit}$", {"a\xf0\x9f\x98\x80 f"}, {"a\xf0\x9f\x98\x80 g"}},
        {"^[\\p{Zs}a-z0-9.,_:;()-]+$", {"a b", "\xc2\xa0", "(1)"}, {"A", "\t"}},
        {"^[^\\p{L}]$", {"1"}, {"a", "\xc3\xa9"}},
        {"^[\\P{L}\\p{Lu}]$", {"1", "A"}, {"a"}},
        {"^\\p{Any}\\p{ASCII}$", {"\xf0\x9f\x98\x80" "a"}, {"a\xc3\xa9"}},
        {"\\p{Cs}", {NULL}, {"", "a"}},
        {"^\\p{Cn}$", {"\xcd\xb8"}, {"a"}},
    };
    check_samples(samples, GM_COUNT_OF(samples));
}

static void quantifiers_count(void)
{
    static const sample samples[] = {
        {"^a*$", {"", "a", "aaaa"}, {"b"}},
        {"^a+$", {"a", "aaaa"}, {"", "b"}},
        {"^a?$", {"", "a"}, {"aa"}},
        {"^a{2}$", {"aa"}, {"a", "aaa", ""}},
        {"^a{2,}$", {"aa", "aaa"}, {"a"}},
        {"^a{2,3}$", {"aa", "aaa"}, {"a", "aaaa"}},
        {"^a{0}$", {""}, {"a"}},
        {"^a{0,1}b$", {"b", "ab"}, {"aab"}},
        {"^(a{1,2}){2}$", {"aa", "aaa", "aaaa"}, {"a", "aaaaa"}},
        {"^(a{2}){1,2}$", {"aa", "aaaa"}, {"a", "aaa", "aaaaaa"}},
        {"^(a{2,3})*$", {"", "aa", "aaa", "aaaaa"}, {"a"}},
        {"^(ab?){2,3}$", {"aa", "aba", "ababab", "aaa"}, {"a", "abb", "aaaa"}},
        {"^a*?b+?c??$", {"b", "aabbc", "bc"}, {"a", "bcc"}},
        {"^a{2,3}?$", {"aa", "aaa"}, {"a", "aaaa"}},
        {"^(a*)*$", {"", "a", "aa"}, {"b"}},
        {"^(a*)+$", {"", "a"}, {"b"}},
        {"^(a|b*){3}c$", {"c", "ac", "aac", "bbbac", "bbc"}, {"d", "aaaac"}},
        {"^(a?){3}$", {"", "a", "aaa"}, {"aaaa"}},
        {"^(|a){2}$", {"", "a", "aa"}, {"aaa"}},
        {"^(a|ab)(c|bcd)(d*)$", {"ac", "abc", "abcd", "abcdd", "abcddd"}, {"ab", "abd"}},
        {"^a{2147483647}$", {NULL}, {"", "aaa"}},
        {"^a{0,2147483647}$", {"", "aaa"}, {"b"}},
        {"^a{3,99999999999999999999}$", {"aaa", "aaaa"}, {"aa", "b"}},
        {"^(?:a{1,1000000}b){0,1000000}$", {"", "ab", "aabab"}, {"a", "abb"}},
    };
    check_samples(samples, GM_COUNT_OF(samples));
}

static void groups_of_all_kinds_are_read(void)
{
    static const sample samples[] = {
        {"^(a)(?:b)(?<name>c)$", {"abc"}, {"ab"}},
        {"^(a|b|)$", {"a", "b", ""}, {"c", "ab"}},
        {"^((((a))))$", {"a"}, {"b"}},
        {"^(?:)$", {""}, {"a"}},
        {"^(?<\\u0061b>x)$", {"x"}, {"ab"}},
        {"(?<a>x)|(?<a>y)", {"x", "y"}, {"z"}},
        {"^(?<\xc3\xa9$1>x)$", {"x"}, {"y"}},
    };
    check_samples(samples, GM_COUNT_OF(samples));
}

static void annex_b_is_read_where_unicode_mode_fails(void)
{
    static const sample samples[] = {
        {"^\\-\\_\\a$", {"-_a"}, {"\\-\\_\\a"}},
        {"^\\p\\-$", {"p-"}, {"\\p-"}},
        {"^a{$", {"a{"}, {"a"}},
        {"^a{,2}$", {"a{,2}"}, {"aa"}},
        {"^a{2$", {"a{2"}, {"aa"}},
        {"^{a}$", {"{a}"}, {"a"}},
        {"^]$", {"]"}, {"["}},
        {"^a}$", {"a}"}, {"a"}},
        {"^[\\w-z]$", {"a", "-", "z"}, {"."}},
        {"^[a-\\d]$", {"a", "-", "3"}, {"b"}},
        {"^\\1$", {"\x01"}, {"1", ""}},
        {"^\\101\\8$", {"A8"}, {"101"}},
        {"^\\c$", {"\\c"}, {"c"}},
        {"^[\\c]$", {"\\", "c"}, {"a"}},
        {"^[\\c1]$", {"\x11"}, {"c", "1"}},
        {"^\\x4$", {"x4"}, {"\x04"}},
        {"^\\u12$", {"u12"}, {"\x12"}},
        {"^\\u{41}\\-$", {NULL}, {"A-"}},
        {"^\\k$", {"k"}, {"\\k"}},
        {"^\\k<a>$", {"k<a>"}, {"a"}},
        {"^[\\B\\377]$", {"B", "\xc3\xbf"}, {"\\"}},
        {"^\\uD83D\\uDE00\\-$", {"\xf0\x9f\x98\x80-"}, {"-"}},
    };
    check_samples(samples, GM_COUNT_OF(samples));
    store_begin();
    CHECK(finds("^\\08$", (gm_bytes){"\0" "8", 2}));
    store_end();
}

static void look_around_is_exact(void)
{
    static const sample samples[] = {
        {"^(?!foo)[a-z]+$", {"fo", "bar", "xfoo"}, {"foo", "foobar", ""}},
        {"^(?=.*\\d)(?=.*[a-z]).{3,5}$", {"a1b", "12c4", "abc1e"}, {"abc", "123", "a1", "abc123"}},
        {"^((?!ab).)*$", {"", "ba", "acb"}, {"ab", "xabx", "\n"}},
        {"foo(?=bar)", {"foobar", "xfoobarx"}, {"foo", "barfoo"}},
        {"foo(?!bar)", {"foo", "foobafoo", "foobarfoo"}, {"foobar"}},
        {"(?<=a)b", {"ab", "xabx"}, {"b", "ba"}},
        {"(?<!a)b", {"b", "cb", "abb"}, {"ab", "aab"}},
        {"^(?:a(?=b)|b(?!b))*$", {"", "b", "ab", "abab", "bab"}, {"a", "aa", "bb", "aab", "ba"}},
        {"(?<=^|,)x(?=,|$)", {"x", "a,x", "x,a", "a,x,b"}, {"ax", "xa", ",ax"}},
        {"(?<=(?<=a)b)c", {"abc", "xabc"}, {"bc", "ab", "xbc"}},
        {"(?<=(?<!a)b)c", {"bc", "bbc"}, {"abc"}},
        {"^(?=(?!a)b)", {"b"}, {"a", "c", ""}},
        {"^(?!(?=a)ab)", {"ac", "b", "", "a"}, {"ab", "abc"}},
        {"(?=a$)", {"a", "ba"}, {"ab", ""}},
        {"^(?!^a)", {"b", ""}, {"a"}},
        {"x(?!^)", {"x", "ax"}, {""}},
        {"(?!)|a", {"a"}, {"", "b"}},
        {"(?=)(?<=)", {"", "a"}, {NULL}},
        {"(?<!)|^b", {"b"}, {"", "ab"}},
        {"^(?:(?=a)|b){2}a$", {"a", "bba"}, {"b", "bb", "aa"}},
        {"^(?=a)*b$", {"b"}, {"a", "ab"}},
        {"^(?!.*--)[a-z-]{1,8}(?<!-)$", {"a", "a-b", "a-b-c"}, {"a-", "a--b", "", "abcdefghi"}},
        {"(?=[\xc3\xa0-\xc3\xbf]).\\S", {"\xc3\xa9x"}, {"ex", "\xc3\xa9 "}},
    };
    check_samples(samples, GM_COUNT_OF(samples));
}

static void word_boundaries_are_those_of_ascii_words(void)
{
    static const sample samples[] = {
        {"\\bfoo\\b", {"foo", "a foo.", "\xc3\xa9" "foo", "-foo-"}, {"foob", "afoo", "_foo", "foo1"}},
        {"^\\b", {"a", "_"}, {"", " a", "\xc3\xa9"}},
        {"\\b$", {"a", " a"}, {"", "a "}},
        {"^\\B$", {""}, {"a"}},
        {"a\\Bb", {"ab"}, {"a b", "a"}},
        {"^(\\b\\w+\\b ?){1,2}$", {"a", "a b", "ab cd "}, {"", "a b c", "-"}},
        {"a\\b\\b-", {"a-"}, {"ab", "a"}},
        {"a\\b\\Bb", {NULL}, {"ab", "a b"}},
        {"^(?:a\\b|-)+$", {"a", "a-", "-a-a"}, {"aa", ""}},
    };
    check_samples(samples, GM_COUNT_OF(samples));
}

typedef struct refusal {
    const char *pattern;
    gm_status status;
    uint64_t offset;
} refusal;

static void what_is_wrong_is_told_with_its_place(void)
{
    static const refusal refusals[] = {
        {"(a", GM_INVALID_SCHEMA, 0},       {"a)", GM_INVALID_SCHEMA, 1},      {"a(b(c)", GM_INVALID_SCHEMA, 1},
        {"*a", GM_INVALID_SCHEMA, 0},       {"a**", GM_INVALID_SCHEMA, 2},     {"a|*", GM_INVALID_SCHEMA, 2},
        {"a{2,1}", GM_INVALID_SCHEMA, 1},   {"[b-a]", GM_INVALID_SCHEMA, 1},   {"[a", GM_INVALID_SCHEMA, 0},
        {"x\\", GM_INVALID_SCHEMA, 1},      {"(?a)", GM_INVALID_SCHEMA, 0},    {"(?i)a", GM_INVALID_SCHEMA, 0},
        {"(?P<n>a)", GM_INVALID_SCHEMA, 0}, {"^*", GM_INVALID_SCHEMA, 1},      {"{1}", GM_INVALID_SCHEMA, 0},
        {"(?<>a)", GM_INVALID_SCHEMA, 4},   {"(?<1>a)", GM_INVALID_SCHEMA, 3}, {"(?<a>b)\\k<c>", GM_INVALID_SCHEMA, 7},
        {"(?<a>b)(?<a>c)", GM_INVALID_SCHEMA, 7},
        {"(a)\\1", GM_UNSUPPORTED, 3},      {"\\1(a)", GM_UNSUPPORTED, 0},     {"(?<a>b)\\k<a>", GM_UNSUPPORTED, 7},
        {"(?<=a)*b", GM_INVALID_SCHEMA, 6}, {"a(?=b", GM_INVALID_SCHEMA, 1},   {"a\\b+", GM_INVALID_SCHEMA, 3},
        {"(?=(a))\\1", GM_UNSUPPORTED, 7},  {"x(?<=\\ba)", GM_UNSUPPORTED, 1}, {"(?<!a$)", GM_UNSUPPORTED, 0},
        {"(?<=a(?=b))", GM_UNSUPPORTED, 0}, {"^(?:\\b|a){65}", GM_UNSUPPORTED, 9},
        {"(?s:.)", GM_UNSUPPORTED, 0},      {"a\\p{L}\\-", GM_UNSUPPORTED, 1}, {"\\p{IsGreek}", GM_UNSUPPORTED, 0},
        {"[\\P{sc=Nowhere}]", GM_UNSUPPORTED, 1},
    };
    store_begin();
    for (size_t i = 0; i < GM_COUNT_OF(refusals); i++) {
        gm_term term = 77;
        gm_error error = {0};
        const gm_status status = gm_text_pattern(store, gm_bytes_of(refusals[i].pattern), &term, &error);
        if (status != refusals[i].status || error.offset != refusals[i].offset) {
            fprintf(stderr, "/%s/: status %d at %llu: %s\n", refusals[i].pattern, (int)status,
                    (unsigned long long)error.offset, error.message);
            CHECK(false);
        }
        CHECK(term == 77 && error.status == status && error.message[0] != '\0');
    }
    store_end();
}

static void limits_are_kept(void)
{
    gm_error error = {0};
    gm_term term;
    const gm_text_limits limits = {.max_positions = 20, .max_nesting = 3, .max_states = 100};
    CHECK(gm_text_create(NULL, &limits, &store, NULL) == GM_OK);
    CHECK(gm_text_pattern(store, gm_bytes_of("(((a)))"), &term, &error) == GM_OK);
    CHECK(gm_text_pattern(store, gm_bytes_of("((((a))))"), &term, &error) == GM_LIMIT);
    CHECK(strstr(error.message, "max_nesting") != NULL);
    CHECK(gm_text_pattern(store, gm_bytes_of("abcdefghijklmnopqrstuvw"), &term, &error) == GM_LIMIT);
    CHECK(strstr(error.message, "max_regex_positions") != NULL);
    store_end();
}

static void deep_nesting_and_long_patterns_do_not_recurse(void)
{
    enum { DEPTH = 200000 };
    const gm_text_limits limits = {.max_positions = 10 * DEPTH, .max_nesting = DEPTH + 1, .max_states = 1000};
    CHECK(gm_text_create(NULL, &limits, &store, NULL) == GM_OK);
    char *pattern = malloc(5 * DEPTH + 8);
    size_t length = 0;
    for (int i = 0; i < DEPTH; i++)
        pattern[length++] = '(';
    pattern[length++] = 'a';
    for (int i = 0; i < DEPTH; i++) {
        const char *end = i == 50 ? ")?b?" : ")b?";
        memcpy(&pattern[length], end, strlen(end));
        length += strlen(end);
    }
    gm_term term;
    bool matches;
    CHECK(gm_text_pattern(store, (gm_bytes){pattern, length}, &term, NULL) == GM_OK);
    CHECK(gm_text_matches(store, term, GM_BYTES("xxa"), &matches) == GM_OK && matches);
    free(pattern);
    store_end();
}

/* Number of states reachable from a term, or `most` if there are as many. */
static size_t count_states(gm_term start, size_t most)
{
    gm_term *states = malloc(most * sizeof *states);
    size_t count = 0;
    states[count++] = start;
    for (size_t i = 0; i < count && count < most; i++) {
        const gm_text_row *row = gm_text_row_of(store, states[i]);
        for (uint32_t j = 0; j < 128 + row->range_count && count < most; j++) {
            const gm_term to = j < 128 ? row->ascii[j] : row->ranges[j - 128].to;
            size_t k = 0;
            while (k < count && states[k] != to)
                k++;
            if (k == count && to != GM_TERM_NONE)
                states[count++] = to;
        }
    }
    free(states);
    return count;
}

static void automata_stay_small(void)
{
    static const struct {
        const char *pattern;
        size_t states;
    } cases[] = {
        {"^(a|b)*$", 1},      {".*foo", 4},           {"foo", 4},
        {"^.*foo.*$", 7},     {"^[a-z]{1,20}$", 21},  {"[a-z]+", 2},
        {"^(a*b*)*$", 3},     {"^(a|b|ab)*$", 3},     {"^[a-zA-Z0-9._-]+@[a-z]+\\.[a-z]{2,}$", 8},
        {"^((?!ab)(?!cd).)*$", 4}, {"(?<=a)b", 3},    {"\\bfoo\\b", 6},
        {"^(?:a(?=.*z)|b)*$", 8}, {"^(?:(?=a.*b)a|[b-z])*$", 6},
        {"^.{0,5}$", 6},      {"^\\d{4}-\\d{2}-\\d{2}$", 11}, {"^(\\w+\\s?)+$", 3},
    };
    store_begin();
    for (size_t i = 0; i < GM_COUNT_OF(cases); i++) {
        gm_term term;
        CHECK(gm_text_pattern(store, gm_bytes_of(cases[i].pattern), &term, NULL) == GM_OK);
        const size_t states = count_states(term, 100);
        if (states > cases[i].states)
            fprintf(stderr, "/%s/ has %zu states\n", cases[i].pattern, states);
        CHECK(states <= cases[i].states);
    }
    store_end();
}

int main(void)
{
    RUN(a_pattern_is_found_anywhere_unless_anchored);
    RUN(anchors_hold_anywhere_in_a_pattern);
    RUN(dot_and_classes_are_those_of_ecma);
    RUN(escapes_stand_for_their_characters);
    RUN(zero_is_a_character_like_others);
    RUN(properties_are_those_of_unicode);
    RUN(quantifiers_count);
    RUN(groups_of_all_kinds_are_read);
    RUN(annex_b_is_read_where_unicode_mode_fails);
    RUN(look_around_is_exact);
    RUN(word_boundaries_are_those_of_ascii_words);
    RUN(what_is_wrong_is_told_with_its_place);
    RUN(limits_are_kept);
    RUN(deep_nesting_and_long_patterns_do_not_recurse);
    RUN(automata_stay_small);
    return REPORT("test_text_patterns");
}
