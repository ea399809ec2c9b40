/*
 * pattern/fuzz.c - an ECMA-262 pattern as terms, and a walk along their rows.
 *
 * The first byte is the length of the pattern, the pattern follows, the rest decides the walk. Checked
 * at every step: the row agrees with gm_text_matches about the text so far, the negated term says the
 * opposite, whatever leads on can still be finished, and whatever is left out cannot.
 */
#include "fuzz.h"

#include "base/utf8.h"
#include "lex/text.h"

enum { MOST_STEPS = 24, MOST_VISITED = 100 };

/* A code point of a row that leads on, chosen by the input; UINT32_MAX when none does. */
static uint32_t choose_step(gm_fuzz_reader *reader, const gm_text_row *row)
{
    uint32_t choices[128];
    size_t count = 0;
    for (uint32_t byte = 0; byte < 128; byte++)
        if (row->ascii[byte] != GM_TERM_NONE)
            choices[count++] = byte;
    const size_t chosen = gm_fuzz_below(reader, count + row->range_count);
    if (chosen < count)
        return choices[chosen];
    if (row->range_count == 0)
        return UINT32_MAX;
    const gm_text_range *range = &row->ranges[(chosen - count) % row->range_count];
    return range->low + (uint32_t)gm_fuzz_below(reader, range->high - range->low + 1);
}

/* The ranges are apart, ascending, beyond ASCII, without surrogates and alive. */
static void check_row(const gm_text_row *row, gm_term term)
{
    uint32_t next = 0x80;
    GM_FUZZ_CHECK(row->term == term && term != GM_TERM_NONE);
    for (uint32_t i = 0; i < row->range_count; i++) {
        const gm_text_range *range = &row->ranges[i];
        GM_FUZZ_CHECK(range->low >= next && range->high >= range->low && range->high <= GM_MAX_CODE_POINT);
        GM_FUZZ_CHECK(range->high < 0xD800 || range->low > 0xDFFF);
        GM_FUZZ_CHECK(range->to != GM_TERM_NONE && gm_text_row_meets(row, range->low, range->low));
        next = range->high + 1;
    }
}

typedef struct search {
    gm_term seen[MOST_VISITED];
    size_t count;
    bool complete; /* all that can be reached is in seen */
} search;

static void visit(search *s, gm_term term)
{
    if (term == GM_TERM_NONE)
        return;
    for (size_t i = 0; i < s->count; i++)
        if (s->seen[i] == term)
            return;
    if (s->count == MOST_VISITED)
        s->complete = false;
    else
        s->seen[s->count++] = term;
}

/* Whether a text can be finished from a term; true as well when too much would have to be looked at. */
static bool can_finish(gm_text *text, gm_term term)
{
    search s = {.complete = true};
    visit(&s, term);
    for (size_t at = 0; at < s.count; at++) {
        const gm_text_row *row = gm_text_row_of(text, s.seen[at]);
        GM_FUZZ_CHECK(row != NULL);
        if (row->accepts)
            return true;
        for (uint32_t byte = 0; byte < 128; byte++)
            visit(&s, row->ascii[byte]);
        for (uint32_t i = 0; i < row->range_count; i++)
            visit(&s, row->ranges[i].to);
    }
    return !s.complete;
}

static void check_text_so_far(gm_text *text, gm_term term, gm_term negated, gm_bytes so_far, bool accepted)
{
    bool matches;
    if (gm_text_matches(text, term, so_far, &matches) == GM_OK)
        GM_FUZZ_CHECK(matches == accepted);
    if (negated != UINT32_MAX && gm_text_matches(text, negated, so_far, &matches) == GM_OK)
        GM_FUZZ_CHECK(matches != accepted);
}

static void walk(gm_text *text, gm_term term, gm_term negated, gm_fuzz_reader *reader)
{
    char so_far[4 * MOST_STEPS];
    size_t length = 0;
    gm_term now = term;
    for (int step = 0; step < MOST_STEPS && now != GM_TERM_NONE; step++) {
        const gm_text_row *row = gm_text_row_of(text, now);
        GM_FUZZ_CHECK(row != NULL);
        check_row(row, now);
        GM_FUZZ_CHECK(step % 4 != 0 || can_finish(text, now));
        check_text_so_far(text, term, negated, (gm_bytes){so_far, length}, row->accepts);
        const uint32_t other = (uint32_t)gm_fuzz_below(reader, 0x300); /* anything: dead is dead for all who ask */
        if (gm_text_next(row, other) == GM_TERM_NONE) {
            char dead[4 * MOST_STEPS];
            memcpy(dead, so_far, length);
            const size_t size = gm_utf8_write(other, dead + length);
            check_text_so_far(text, term, negated, (gm_bytes){dead, length + size}, false);
        }
        const uint32_t point = choose_step(reader, row);
        if (point == UINT32_MAX) {
            GM_FUZZ_CHECK(row->accepts);
            return;
        }
        now = gm_text_next(row, point);
        GM_FUZZ_CHECK(now != GM_TERM_NONE);
        if (step + 1 < MOST_STEPS)
            length += gm_utf8_write(point, so_far + length);
        if (length + 4 >= sizeof so_far)
            return;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gm_fuzz_reader reader = {data, size};
    size_t length = gm_fuzz_byte(&reader);
    const char *bytes = (const char *)gm_fuzz_bytes(&reader, &length);
    const gm_bytes pattern = {bytes, gm_utf8_valid_prefix((gm_bytes){bytes, length})};
    const gm_allocator allocator = gm_allocator_or_default(NULL);
    const gm_text_limits limits = {.max_positions = 2000, .max_nesting = 50, .max_states = 500};
    gm_text *text = NULL;
    gm_error error = {0};
    GM_FUZZ_CHECK(gm_text_create(&allocator, &limits, &text, &error) == GM_OK);
    gm_term term = GM_TERM_NONE, negated = UINT32_MAX;
    const gm_status status = gm_text_pattern(text, pattern, &term, &error);
    if (status == GM_OK) {
        if (gm_text_not(text, term, &negated, &error) != GM_OK)
            negated = UINT32_MAX;
        walk(text, term, negated, &reader);
    } else {
        GM_FUZZ_CHECK(status == GM_INVALID_SCHEMA || status == GM_UNSUPPORTED || status == GM_LIMIT);
        GM_FUZZ_CHECK(error.status == status && error.message[0] != '\0' && error.offset <= pattern.length);
    }
    gm_text_destroy(text);
    return 0;
}
