/* json/json.c - what is asked of values once read: members, equality, a canonical text. */
#include "json/members.h"
#include "json/number.h"

#include "base/array.h"

#include <stdio.h>
#include <stdlib.h>

const gm_json *gm_json_get(const gm_json *object, gm_bytes key)
{
    if (object->kind != GM_JSON_OBJECT)
        return NULL;
    const gm_json_member *const members = object->as.members;
    if (object->count < GM_JSON_INDEXED) {
        for (size_t i = 0; i < object->count; i++)
            if (gm_bytes_equal(members[i].key, key))
                return members[i].value;
        return NULL;
    }
    const gm_json_index *const index = (const gm_json_index *)(const void *)(members + object->count);
    const uint32_t slot = index->slots[gm_json_index_find(index, members, gm_json_index_capacity(object->count), key)];
    return slot != 0 ? members[slot - 1].value : NULL;
}

int gm_json_sign(const gm_json *number)
{
    GM_ASSERT(number->kind == GM_JSON_NUMBER);
    const gm_json_number value = gm_json_number_of(number->as.text);
    return value.is_zero ? 0 : value.negative ? -1 : 1;
}

bool gm_json_is_integer(const gm_json *number)
{
    GM_ASSERT(number->kind == GM_JSON_NUMBER);
    const gm_json_number value = gm_json_number_of(number->as.text);
    return value.is_zero || !value.exponent_negative; /* its last digit is not 0 */
}

/* ---- equality ---- */

/* Two containers of equal kind and count, being compared. */
typedef struct pair {
    const gm_json *a;
    const gm_json *b;
    uint32_t next;
    struct pair *around; /* or the next free one */
} pair;

typedef enum verdict { SAME, DIFFERENT, LOOK_INSIDE } verdict;

static verdict compare_outside(const gm_json *a, const gm_json *b)
{
    if (a->kind != b->kind)
        return DIFFERENT;
    switch (a->kind) {
    case GM_JSON_NUMBER: return gm_json_numbers_equal(a->as.text, b->as.text) ? SAME : DIFFERENT;
    case GM_JSON_STRING: return gm_bytes_equal(a->as.text, b->as.text) ? SAME : DIFFERENT;
    case GM_JSON_ARRAY:
    case GM_JSON_OBJECT:
        if (a == b)
            return SAME;
        return a->count != b->count ? DIFFERENT : a->count == 0 ? SAME : LOOK_INSIDE;
    default: return SAME;
    }
}

/* The next two values to compare inside a pair; *b may be NULL: no such member. */
static void take_next(pair *in, const gm_json **a, const gm_json **b)
{
    const uint32_t i = in->next++;
    if (in->a->kind == GM_JSON_ARRAY) {
        *a = in->a->as.items[i];
        *b = in->b->as.items[i];
        return;
    }
    const gm_json_member *const member = &in->a->as.members[i];
    *a = member->value;
    /* Mostly both have their keys in the same order. */
    *b = gm_bytes_equal(in->b->as.members[i].key, member->key) ? in->b->as.members[i].value
                                                                  : gm_json_get(in->b, member->key);
}

static gm_status compare_inside(gm_arena *scratch, const gm_json *a, const gm_json *b, bool *equal)
{
    pair *innermost = NULL;
    pair *free_pairs = NULL;
    for (;;) {
        const verdict found = b == NULL ? DIFFERENT : compare_outside(a, b);
        if (found == DIFFERENT) {
            *equal = false;
            return GM_OK;
        }
        if (found == LOOK_INSIDE) {
            pair *fresh = free_pairs;
            if (fresh != NULL)
                free_pairs = fresh->around;
            else if ((fresh = gm_arena_take(scratch, sizeof *fresh)) == NULL)
                return GM_OUT_OF_MEMORY;
            *fresh = (pair){a, b, 0, innermost};
            innermost = fresh;
        }
        while (innermost != NULL && innermost->next == innermost->a->count) {
            pair *const done = innermost;
            innermost = done->around;
            done->around = free_pairs;
            free_pairs = done;
        }
        if (innermost == NULL) {
            *equal = true;
            return GM_OK;
        }
        take_next(innermost, &a, &b);
    }
}

gm_status gm_json_equal(gm_arena *scratch, const gm_json *a, const gm_json *b, bool *equal)
{
    const verdict found = compare_outside(a, b);
    if (found != LOOK_INSIDE) {
        *equal = found == SAME;
        return GM_OK;
    }
    const gm_arena_mark mark = gm_arena_save(scratch);
    const gm_status status = compare_inside(scratch, a, b, equal);
    gm_arena_rewind(scratch, mark);
    return status;
}

/* ---- the canonical text ----
 *
 * null n, false f, true t, numbers by value, strings "length:bytes", arrays [v,v,...],
 * objects {"key" v,...} with keys in order of bytes and nothing between key and value.
 */

typedef struct open_value {
    const gm_json *value;
    uint32_t next;
    size_t sorted; /* of an object: where its members begin in writer.sorted */
} open_value;

typedef struct writer {
    const gm_allocator *allocator;
    GM_ARRAY(char) out;
    GM_ARRAY(open_value) open;
    GM_ARRAY(const gm_json_member *) sorted;
} writer;

static bool put(writer *to, const char *bytes, size_t length)
{
    if (!GM_ARRAY_RESERVE(to->allocator, &to->out, length))
        return false;
    if (length != 0)
        memcpy(to->out.items + to->out.count, bytes, length);
    to->out.count += length;
    return true;
}

static bool put_string(writer *to, gm_bytes text)
{
    char head[32];
    const int length = snprintf(head, sizeof head, "\"%zu:", text.length);
    return put(to, head, (size_t)length) && put(to, text.data, text.length);
}

static bool put_number(writer *to, gm_bytes text)
{
    if (!GM_ARRAY_RESERVE(to->allocator, &to->out, gm_json_number_room(text)))
        return false;
    to->out.count += gm_json_number_write(text, to->out.items + to->out.count);
    return true;
}

static int by_key(const void *a, const void *b)
{
    return gm_bytes_compare((*(const gm_json_member *const *)a)->key, (*(const gm_json_member *const *)b)->key);
}

static bool open_object(writer *to, const gm_json *object)
{
    if (!GM_ARRAY_RESERVE(to->allocator, &to->sorted, object->count))
        return false;
    const gm_json_member **const first = to->sorted.items + to->sorted.count;
    for (size_t i = 0; i < object->count; i++)
        first[i] = &object->as.members[i];
    if (object->count > 1)
        qsort(first, object->count, sizeof *first, by_key);
    const open_value opened = {.value = object, .sorted = to->sorted.count};
    to->sorted.count += object->count;
    return put(to, "{", 1) && GM_ARRAY_PUSH(to->allocator, &to->open, opened);
}

/* Writes a scalar or opens a container. */
static bool put_value(writer *to, const gm_json *value)
{
    switch (value->kind) {
    case GM_JSON_NULL: return put(to, "n", 1);
    case GM_JSON_FALSE: return put(to, "f", 1);
    case GM_JSON_TRUE: return put(to, "t", 1);
    case GM_JSON_NUMBER: return put_number(to, value->as.text);
    case GM_JSON_STRING: return put_string(to, value->as.text);
    case GM_JSON_ARRAY: {
        const open_value opened = {.value = value};
        return put(to, "[", 1) && GM_ARRAY_PUSH(to->allocator, &to->open, opened);
    }
    case GM_JSON_OBJECT: return open_object(to, value);
    }
    return false;
}

/* One step inside the innermost container: its next value, or its end. */
static bool put_next(writer *to)
{
    open_value *const innermost = &to->open.items[to->open.count - 1];
    const bool is_object = innermost->value->kind == GM_JSON_OBJECT;
    if (innermost->next == innermost->value->count) {
        if (is_object)
            to->sorted.count = innermost->sorted;
        to->open.count--;
        return put(to, is_object ? "}" : "]", 1);
    }
    const uint32_t i = innermost->next++;
    if (i > 0 && !put(to, ",", 1))
        return false;
    if (!is_object)
        return put_value(to, innermost->value->as.items[i]);
    const gm_json_member *const member = to->sorted.items[innermost->sorted + i];
    return put_string(to, member->key) && put_value(to, member->value);
}

gm_status gm_json_canonical(gm_arena *arena, const gm_json *value, gm_bytes *canonical)
{
    writer to = {.allocator = &arena->allocator};
    bool fine = put_value(&to, value);
    while (fine && to.open.count != 0)
        fine = put_next(&to);
    const char *const text = fine ? gm_arena_copy(arena, to.out.items, to.out.count) : NULL;
    if (text != NULL)
        *canonical = (gm_bytes){text, to.out.count};
    GM_ARRAY_FREE(to.allocator, &to.sorted);
    GM_ARRAY_FREE(to.allocator, &to.open);
    GM_ARRAY_FREE(to.allocator, &to.out);
    return text != NULL ? GM_OK : GM_OUT_OF_MEMORY;
}
