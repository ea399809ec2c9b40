/*
 * test_text_against_pcre2.c - random patterns and texts, judged by PCRE2 as well.
 *
 * The two dialects agree on what text_walk.h generates, given these options: `$` means the very
 * end, [] and [^] are classes, \d and \w are ASCII, the dot stops at LF (ECMA's dot also
 * stops at CR, U+2028 and U+2029, which no text here holds).
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "text_walk.h"

enum { PATTERNS = 1500, TEXTS = 12 };

static pcre2_code *compile(gm_bytes pattern)
{
    static pcre2_compile_context *context;
    if (context == NULL) {
        context = pcre2_compile_context_create(NULL);
        pcre2_set_newline(context, PCRE2_NEWLINE_LF);
    }
    int error;
    PCRE2_SIZE offset;
    return pcre2_compile((PCRE2_SPTR)pattern.data, pattern.length,
                         PCRE2_UTF | PCRE2_DOLLAR_ENDONLY | PCRE2_ALT_BSUX | PCRE2_NO_START_OPTIMIZE |
                             PCRE2_ALLOW_EMPTY_CLASS,
                         &error, &offset, context);
}

/* 1, 0, or -1 if PCRE2 gave up. */
static int verdict(const pcre2_code *code, gm_bytes text)
{
    static pcre2_match_context *context;
    if (context == NULL) {
        context = pcre2_match_context_create(NULL);
        pcre2_set_match_limit(context, 200000);
    }
    pcre2_match_data *data = pcre2_match_data_create_from_pattern(code, NULL);
    const int result = pcre2_match(code, (PCRE2_SPTR)text.data, text.length, 0, 0, data, context);
    pcre2_match_data_free(data);
    return result >= 0 ? 1 : result == PCRE2_ERROR_NOMATCH ? 0 : -1;
}

static void judge(gm_text *text, gm_term term, const pcre2_code *code, gm_bytes pattern, gm_bytes string)
{
    bool matches = false;
    CHECK(gm_text_matches(text, term, string, &matches) == GM_OK);
    const int other = verdict(code, string);
    if (other >= 0 && matches != (other == 1)) {
        fprintf(stderr, "/%.*s/ on \"%.*s\": we say %d\n", (int)pattern.length, pattern.data, (int)string.length,
                string.data, matches);
        CHECK(matches == (other == 1));
    }
}

static int compared, unsupported;

static void try_pattern(gm_text *text, chance *c, gm_bytes pattern)
{
    static char room[4096], changed[4200];
    gm_term term;
    gm_error error = {0};
    const gm_status status = gm_text_pattern(text, pattern, &term, &error);
    if (status == GM_UNSUPPORTED || status == GM_LIMIT) {
        unsupported++;
        return;
    }
    pcre2_code *code = compile(pattern);
    if (status != GM_OK || code == NULL) {
        if (status != GM_OK) {
            fprintf(stderr, "/%.*s/: %s\n", (int)pattern.length, pattern.data, error.message);
            CHECK(status == GM_OK);
        }
        pcre2_code_free(code);
        return;
    }
    compared++;
    for (int i = 0; i < TEXTS; i++) {
        judge(text, term, code, pattern, random_text(c, room, 10));
        gm_bytes member = term == GM_TERM_NONE ? (gm_bytes){room, SIZE_MAX}
                                               : walk_text(text, term, c, room, chance_below(c, 12));
        if (member.length == SIZE_MAX)
            continue;
        judge(text, term, code, pattern, member);
        judge(text, term, code, pattern, mutate_text(c, member, changed));
    }
    bool complete;
    const bool live = all_live(text, term, &complete);
    if (!live && complete)
        fprintf(stderr, "/%.*s/ has a dead end\n", (int)pattern.length, pattern.data);
    CHECK(live || !complete);
    const bool agree = lengths_agree(text, term, 12);
    if (!agree)
        fprintf(stderr, "/%.*s/: lengths\n", (int)pattern.length, pattern.data);
    CHECK(agree);
    pcre2_code_free(code);
}

static void try_many(uint64_t seed, int count, bool assertions)
{
    char room[512];
    chance c = {seed};
    gm_text *text;
    const gm_text_limits limits = {.max_states = 3000};
    CHECK(gm_text_create(NULL, &limits, &text, NULL) == GM_OK);
    for (int i = 0; i < count; i++)
        try_pattern(text, &c, make_whole(&c, room, sizeof room, assertions));
    gm_text_destroy(text);
}

static void plain_patterns_and_anchors_mean_what_pcre2_says(void)
{
    const char *seed = getenv("GM_SEED");
    compared = 0;
    try_many(seed != NULL ? strtoull(seed, NULL, 10) : 1, PATTERNS, false);
    CHECK(compared > PATTERNS * 9 / 10);
}

static void look_around_and_word_boundaries_mean_what_pcre2_says(void)
{
    const char *seed = getenv("GM_SEED");
    compared = 0;
    try_many(seed != NULL ? strtoull(seed, NULL, 10) : 1, PATTERNS / 2, true);
    if (getenv("GM_SEED") != NULL)
        printf("%d compared\n", compared);
    CHECK(compared > PATTERNS / 2 * 8 / 10);
}

int main(void)
{
    RUN(plain_patterns_and_anchors_mean_what_pcre2_says);
    RUN(look_around_and_word_boundaries_mean_what_pcre2_says);
    return REPORT("test_text_against_pcre2");
}
