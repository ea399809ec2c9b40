/*
 * lex/pattern_name.c - names of groups in a pattern. They mean nothing to a language, but a name that is
 * ill-formed, given twice or referred to and missing makes a pattern invalid.
 */
#include "lex/pattern.h"
#include "lex/unicode.h"

#include "base/utf8.h"

static bool may_be_in_name(uint32_t code_point, bool first)
{
    if (code_point < 128) {
        const bool is_letter = (code_point | 0x20) >= 'a' && (code_point | 0x20) <= 'z';
        const bool is_digit = code_point >= '0' && code_point <= '9';
        return is_letter || code_point == '$' || code_point == '_' || (!first && is_digit);
    }
    return first ? gm_unicode_is_id_start(code_point) : gm_unicode_is_id_continue(code_point);
}

bool gm_pattern_name(gm_pattern *pattern)
{
    pattern->name.count = 0;
    while (!gm_pattern_skip(pattern, '>')) {
        const size_t offset = pattern->at;
        if (gm_pattern_peek(pattern, 0) < 0)
            return gm_pattern_fail(pattern, offset, "the name of a group without an end");
        uint32_t code_point;
        if (gm_pattern_peek(pattern, 0) == '\\' && gm_pattern_peek(pattern, 1) == 'u') {
            pattern->at += 2;
            const int32_t value = gm_pattern_unicode_escape(pattern, true);
            code_point = value < 0 ? UINT32_MAX : (uint32_t)value;
        } else if (!gm_pattern_read(pattern, &code_point)) {
            return false;
        }
        if (code_point > GM_MAX_CODE_POINT || !may_be_in_name(code_point, pattern->name.count == 0))
            return gm_pattern_fail(pattern, offset, "a character that cannot be in the name of a group");
        if (!GM_ARRAY_RESERVE(&pattern->text->allocator, &pattern->name, 4))
            return gm_pattern_no_memory(pattern);
        pattern->name.count += gm_utf8_write(code_point, &pattern->name.items[pattern->name.count]);
    }
    return pattern->name.count > 0 || gm_pattern_fail(pattern, pattern->at, "an empty name of a group");
}

/* ---- names of this pattern ---- */

static gm_bytes letters_of(const gm_pattern *pattern, gm_group_name name)
{
    return (gm_bytes){pattern->letters.items + name.from, name.length};
}

/* Whether one match could set both groups: not if they stand in different alternatives of one group. */
static bool may_both_take_part(const gm_pattern *pattern, gm_group_name a, gm_group_name b)
{
    for (size_t i = 0; i < a.depth && i < b.depth; i++) {
        const uint64_t left = pattern->paths.items[a.path + i], right = pattern->paths.items[b.path + i];
        if (left >> 32 != right >> 32)
            return true;
        if (left != right)
            return false;
    }
    return true;
}

static bool is_known(const gm_pattern *pattern, gm_group_name name, bool for_group)
{
    const gm_bytes letters = letters_of(pattern, name);
    const uint64_t hash = gm_hash_bytes(letters.data, letters.length);
    for (gm_probe probe = gm_table_find(&pattern->name_table, hash); gm_probe_next(&pattern->name_table, &probe);) {
        const gm_group_name other = pattern->names.items[probe.id];
        if (gm_bytes_equal(letters_of(pattern, other), letters) &&
            (!for_group || may_both_take_part(pattern, other, name)))
            return true;
    }
    return false;
}

static bool keep_path(gm_pattern *pattern)
{
    for (size_t i = 0; i < pattern->groups.count; i++) {
        const gm_group group = pattern->groups.items[i];
        const uint64_t step = (uint64_t)group.number << 32 | group.alternatives;
        if (!GM_ARRAY_PUSH(&pattern->text->allocator, &pattern->paths, step))
            return false;
    }
    return true;
}

bool gm_pattern_keep_name(gm_pattern *pattern, size_t offset, bool is_reference)
{
    const gm_allocator *allocator = &pattern->text->allocator;
    gm_group_name name = {.offset = offset, .from = pattern->letters.count, .length = pattern->name.count};
    if (!GM_ARRAY_RESERVE(allocator, &pattern->letters, name.length))
        return gm_pattern_no_memory(pattern);
    memcpy(&pattern->letters.items[name.from], pattern->name.items, name.length);
    pattern->letters.count += name.length;
    if (is_reference)
        return GM_ARRAY_PUSH(allocator, &pattern->references, name) || gm_pattern_no_memory(pattern);
    name.path = pattern->paths.count;
    name.depth = pattern->groups.count;
    if (!keep_path(pattern))
        return gm_pattern_no_memory(pattern);
    if (is_known(pattern, name, true))
        return gm_pattern_fail(pattern, offset, "a name given to two groups");
    const uint64_t hash = gm_hash_bytes(pattern->name.items, name.length);
    if (!GM_ARRAY_RESERVE(allocator, &pattern->names, 1) ||
        !gm_table_add(&pattern->name_table, hash, (uint32_t)pattern->names.count))
        return gm_pattern_no_memory(pattern);
    pattern->names.items[pattern->names.count++] = name;
    return true;
}

bool gm_pattern_check_references(gm_pattern *pattern)
{
    for (size_t i = 0; i < pattern->references.count; i++) {
        const gm_group_name name = pattern->references.items[i];
        if (!is_known(pattern, name, false))
            return gm_pattern_fail(pattern, name.offset, "a reference to a group that is not there");
    }
    return true;
}
