/* form/alphabet.c - see alphabet.h. */
#include "form/alphabet.h"

#include "base/array.h"
#include "base/table.h"
#include "base/utf8.h"

#include <stdio.h>

static bool has(const gm_alphabet *alphabet, uint8_t byte) { return gm_alphabet_has_byte(alphabet, byte); }

bool gm_alphabet_has(const gm_alphabet *alphabet, const char *bytes)
{
    for (; *bytes != '\0' && !alphabet->is_whole; bytes++)
        if (!has(alphabet, (uint8_t)*bytes))
            return false;
    return true;
}

/* ---- rests of code points ---- */

bool gm_alphabet_has_tail(const gm_alphabet *alphabet, uint32_t point, size_t count)
{
    char bytes[4];
    const size_t length = gm_utf8_write(point, bytes);
    for (size_t i = length - count; i < length; i++)
        if (!has(alphabet, (uint8_t)bytes[i]))
            return false;
    return true;
}

/* The last digits of a UTF-16 unit, each in either case. */
static bool has_digits(const gm_alphabet *alphabet, uint32_t unit, unsigned count)
{
    for (; count > 0; count--, unit >>= 4)
        if (!has(alphabet, (uint8_t) "0123456789abcdef"[unit & 15]) &&
            !has(alphabet, (uint8_t) "0123456789ABCDEF"[unit & 15]))
            return false;
    return true;
}

bool gm_alphabet_has_low_hex(const gm_alphabet *alphabet, uint32_t point, unsigned count)
{
    return has_digits(alphabet, 0xDC00 + ((point - 0x10000) & 0x3FF), count);
}

bool gm_alphabet_has_hex(const gm_alphabet *alphabet, uint32_t point, unsigned count)
{
    if (point < 0x10000)
        return has_digits(alphabet, point, count);
    return has_digits(alphabet, 0xD800 + ((point - 0x10000) >> 10), count) && gm_alphabet_has(alphabet, "\\u") &&
           gm_alphabet_has_low_hex(alphabet, point, 4);
}

/* The letter of a short escape, or 0; minimal escaping has none for the solidus. */
static uint8_t short_escape(uint32_t point, bool minimal)
{
    static const char points[] = "\"\\\b\f\n\r\t/", letters[] = "\"\\bfnrt/";
    for (size_t i = 0; i < sizeof points - 1 - minimal; i++)
        if (point == (uint8_t)points[i])
            return (uint8_t)letters[i];
    return 0;
}

bool gm_alphabet_has_escape(const gm_alphabet *alphabet, uint32_t point)
{
    const uint8_t letter = short_escape(point, alphabet->minimal);
    if (letter != 0 && has(alphabet, letter))
        return true;
    if (alphabet->minimal && (letter != 0 || point >= 0x20))
        return false;
    return has(alphabet, 'u') && gm_alphabet_has_hex(alphabet, point, 4);
}

static bool spells_point(const gm_alphabet *alphabet, uint32_t point)
{
    const bool may_be_raw = point >= 0x20 && point != '"' && point != '\\';
    return (may_be_raw && gm_alphabet_has_tail(alphabet, point,
                                               point < 0x80      ? 1
                                               : point < 0x800   ? 2
                                               : point < 0x10000 ? 3
                                                                 : 4)) ||
           (has(alphabet, '\\') && gm_alphabet_has_escape(alphabet, point));
}

/* ---- the content of strings ---- */

typedef GM_ARRAY(char) pattern_text;

static bool add_range(const gm_allocator *allocator, pattern_text *pattern, uint32_t first, uint32_t last)
{
    char range[40];
    const int length = snprintf(range, sizeof range, "\\u{%x}-\\u{%x}", (unsigned)first, (unsigned)last);
    for (int i = 0; i < length; i++)
        if (!GM_ARRAY_PUSH(allocator, pattern, range[i]))
            return false;
    return true;
}

/* The pattern ^[...]*$ of the spellable code points; *all: none is missing. */
static bool write_pattern(const gm_alphabet *alphabet, const gm_allocator *allocator, pattern_text *pattern, bool *all)
{
    const uint32_t none = UINT32_MAX;
    uint32_t first = none;
    bool room = GM_ARRAY_PUSH(allocator, pattern, '^') && GM_ARRAY_PUSH(allocator, pattern, '[');
    *all = true;
    for (uint32_t point = 0; point <= GM_MAX_CODE_POINT + 1 && room; point++) {
        const bool is_point = point <= GM_MAX_CODE_POINT && !(point >= 0xD800 && point <= 0xDFFF);
        const bool inside = is_point && spells_point(alphabet, point);
        *all = *all && inside == is_point;
        if (inside && first == none)
            first = point;
        if (!inside && first != none) {
            room = add_range(allocator, pattern, first, point - 1);
            first = none;
        }
    }
    static const char end[] = "]*$";
    for (size_t i = 0; i < sizeof end - 1 && room; i++)
        room = GM_ARRAY_PUSH(allocator, pattern, end[i]);
    return room;
}

/* The bytes that some JSON text has: no control characters but white space, none that UTF-8 never has. */
static const uint64_t json_bytes[4] = {0xFFFFFFFF00002600, UINT64_MAX, UINT64_MAX, 0x001FFFFFFFFFFFFC};

gm_status gm_alphabet_init(gm_alphabet *alphabet, const uint64_t missing[4], bool minimal, gm_text *text,
                           const gm_allocator *allocator, gm_error *error)
{
    *alphabet = (gm_alphabet){.is_whole = true, .minimal = minimal, .content = GM_TERM_ANY};
    for (int i = 0; i < 4; i++) {
        alphabet->missing[i] = missing[i];
        alphabet->is_whole = alphabet->is_whole && (missing[i] & json_bytes[i]) == 0;
    }
    if (alphabet->is_whole)
        return GM_OK;
    pattern_text pattern = {0};
    bool all;
    gm_status status = write_pattern(alphabet, allocator, &pattern, &all) ? GM_OK : gm_no_memory(error);
    if (status == GM_OK && !all)
        status = gm_text_pattern(text, (gm_bytes){pattern.items, pattern.count}, &alphabet->content, error);
    GM_ARRAY_FREE(allocator, &pattern);
    return status;
}

bool gm_alphabet_spells(const gm_alphabet *alphabet, gm_bytes string)
{
    for (size_t at = 0; at < string.length && !alphabet->is_whole;) {
        const uint32_t point = gm_utf8_read(string.data, string.length, &at);
        if (point == UINT32_MAX || !spells_point(alphabet, point))
            return false;
    }
    return true;
}

/* ---- numbers ---- */

bool gm_alphabet_has_class(const gm_alphabet *alphabet, int number_class)
{
    static const char bytes[] = "0123456789-+.e";
    return alphabet->is_whole || has(alphabet, (uint8_t)bytes[number_class]) ||
           (number_class == GM_NUMBER_EXPONENT && has(alphabet, 'E'));
}

enum { NUMBER_SEARCH = 4096 };

/* Breadth-first over the states that the digits there lead to. */
typedef struct number_search {
    gm_allocator allocator;
    GM_ARRAY(gm_number_state) states;
    gm_table table;
} number_search;

static bool meet_number(number_search *s, gm_number_state state)
{
    const uint64_t hash = gm_hash_bytes(&state, sizeof state);
    for (gm_probe probe = gm_table_find(&s->table, hash); gm_probe_next(&s->table, &probe);)
        if (s->states.items[probe.id] == state)
            return true;
    return GM_ARRAY_PUSH(&s->allocator, &s->states, state) &&
           gm_table_add(&s->table, hash, (uint32_t)s->states.count - 1);
}

static bool search_number(number_search *s, const gm_alphabet *alphabet, gm_number *number, bool *ends)
{
    for (size_t at = 0; at < s->states.count && !*ends; at++) {
        const gm_number_row *row = gm_number_row_of(number, s->states.items[at]);
        if (row == NULL)
            return false;
        *ends = row->accepts || s->states.count > NUMBER_SEARCH;
        for (int i = 0; i < GM_NUMBER_CLASSES && !*ends; i++)
            if (row->to[i] != GM_NUMBER_DEAD && gm_alphabet_has_class(alphabet, i) && !meet_number(s, row->to[i]))
                return false;
    }
    return true;
}

gm_status gm_alphabet_ends_number(const gm_alphabet *alphabet, gm_number *number, gm_number_state state,
                                  const gm_allocator *allocator, bool *ends)
{
    *ends = alphabet->is_whole;
    if (*ends)
        return GM_OK;
    number_search search = {.allocator = *allocator};
    gm_table_init(&search.table, allocator);
    const bool room = meet_number(&search, state) && search_number(&search, alphabet, number, ends);
    gm_table_destroy(&search.table);
    GM_ARRAY_FREE(allocator, &search.states);
    return room ? GM_OK : GM_OUT_OF_MEMORY;
}
