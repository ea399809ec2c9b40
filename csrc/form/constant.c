/*
 * form/constant.c - `const` and `enum`: equal, by value, to one of some constants.
 *
 * Strings become one content term and numbers one list of values, however many there are; each
 * object or array is an alternative of its own, whose members are asked to equal its members.
 */
#include "form/lower.h"

#include <stdlib.h>

static int compare_names(const void *a, const void *b)
{
    return gm_bytes_compare(*(const gm_bytes *)a, *(const gm_bytes *)b);
}

void gm_form_sort_names(gm_bytes *names, size_t count)
{
    if (count > 1)
        qsort(names, count, sizeof *names, compare_names);
}

typedef struct sorted_name {
    gm_bytes name;
    uint32_t index;
} sorted_name;

static int compare_sorted(const void *a, const void *b)
{
    return gm_bytes_compare(((const sorted_name *)a)->name, ((const sorted_name *)b)->name);
}

const uint32_t *gm_form_sort_members(gm_arena *arena, const gm_member *list, uint32_t count)
{
    uint32_t *sorted = GM_ARENA_NEW(arena, uint32_t, count);
    const gm_arena_mark mark = gm_arena_save(arena);
    sorted_name *names = GM_ARENA_NEW(arena, sorted_name, count);
    if (sorted == NULL || names == NULL)
        return NULL;
    for (uint32_t i = 0; i < count; i++)
        names[i] = (sorted_name){list[i].name, i};
    if (count > 1)
        qsort(names, count, sizeof *names, compare_sorted);
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = names[i].index;
    gm_arena_rewind(arena, mark);
    return sorted;
}

static gm_status lower_object(gm_forming *forming, const gm_json *value, gm_expression *out)
{
    gm_expression_node members = {.kind = GM_ATOM_MEMBERS, .count = value->count};
    gm_expression_node required = {.kind = GM_ATOM_REQUIRED, .count = value->count};
    gm_member *list = GM_ARENA_NEW(forming->scratch, gm_member, value->count);
    gm_bytes *names = GM_ARENA_NEW(forming->scratch, gm_bytes, value->count);
    if (list == NULL || names == NULL)
        return gm_no_memory(forming->error);
    for (uint32_t i = 0; i < value->count; i++) {
        list[i].name = names[i] = value->as.members[i].key;
        GM_TRY(gm_formula_of_constant(forming, value->as.members[i].value, &list[i].formula));
    }
    gm_form_sort_names(names, value->count);
    required.as.names = names;
    members.as.members.list = list;
    members.as.members.rest = GM_FORMULA_FALSE;
    members.as.members.declares = true;
    members.as.members.sorted = gm_form_sort_members(forming->scratch, list, value->count);
    if (members.as.members.sorted == NULL)
        return gm_no_memory(forming->error);
    gm_expression both[2];
    GM_TRY(gm_expression_atom(forming, &members, &both[0]));
    if (value->count == 0) {
        *out = both[0];
        return GM_OK;
    }
    GM_TRY(gm_expression_atom(forming, &required, &both[1]));
    return gm_expression_and(forming, both, 2, out);
}

static gm_status lower_array(gm_forming *forming, const gm_json *value, gm_expression *out)
{
    gm_expression_node length = {.kind = GM_ATOM_LENGTH, .as.length = {value->count, value->count}};
    gm_expression_node items = {.kind = GM_ATOM_ITEMS, .count = value->count};
    gm_formula *prefix = GM_ARENA_NEW(forming->scratch, gm_formula, value->count);
    if (prefix == NULL)
        return gm_no_memory(forming->error);
    for (uint32_t i = 0; i < value->count; i++)
        GM_TRY(gm_formula_of_constant(forming, value->as.items[i], &prefix[i]));
    items.as.items.prefix = prefix;
    items.as.items.rest = GM_FORMULA_FALSE;
    gm_expression both[2];
    GM_TRY(gm_expression_atom(forming, &length, &both[0]));
    GM_TRY(gm_expression_atom(forming, &items, &both[1]));
    return gm_expression_and(forming, both, 2, out);
}

static gm_status lower_strings(gm_forming *forming, const gm_bytes *texts, size_t count, gm_expression *out)
{
    gm_expression_node atom = {.kind = GM_ATOM_TEXT};
    GM_TRY(gm_text_constants(forming->stores.text, texts, count, &atom.as.term, forming->error));
    return gm_expression_atom(forming, &atom, out);
}

static gm_status lower_numbers(gm_forming *forming, gm_bytes *texts, size_t count, gm_expression *out)
{
    const gm_expression_node atom = {
        .kind = GM_ATOM_NUMBER, .count = (uint32_t)count, .as.number = {.part = GM_NUMBER_VALUES, .texts = texts}};
    return gm_expression_atom(forming, &atom, out);
}

static gm_status lower_containers(gm_forming *forming, const gm_json *const *values, size_t count, gm_json_kind kind,
                                  gm_expression *out)
{
    gm_expression *list = GM_ARENA_NEW(forming->scratch, gm_expression, count);
    if (list == NULL)
        return gm_no_memory(forming->error);
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        if (values[i]->kind != kind)
            continue;
        if (kind == GM_JSON_OBJECT)
            GM_TRY(lower_object(forming, values[i], &list[found]));
        else
            GM_TRY(lower_array(forming, values[i], &list[found]));
        found++;
    }
    return gm_expression_or(forming, list, found, out);
}

gm_status gm_form_lower_constants(gm_forming *forming, const gm_json *const *values, size_t count, gm_typed *typed)
{
    gm_bytes *strings = GM_ARENA_NEW(forming->scratch, gm_bytes, count);
    gm_bytes *numbers = GM_ARENA_NEW(forming->scratch, gm_bytes, count);
    if (strings == NULL || numbers == NULL)
        return gm_no_memory(forming->error);
    size_t string_count = 0, number_count = 0, of_kind[GM_JSON_OBJECT + 1] = {0};
    for (size_t i = 0; i < count; i++) {
        of_kind[values[i]->kind]++;
        if (values[i]->kind == GM_JSON_STRING)
            strings[string_count++] = values[i]->as.text;
        else if (values[i]->kind == GM_JSON_NUMBER)
            numbers[number_count++] = values[i]->as.text;
    }
    *typed = (gm_typed){{GM_EXPRESSION_FALSE}};
    if (of_kind[GM_JSON_NULL] != 0)
        typed->of[GM_TYPE_NULL] = GM_EXPRESSION_TRUE;
    if (of_kind[GM_JSON_TRUE] != 0 && of_kind[GM_JSON_FALSE] != 0) {
        typed->of[GM_TYPE_BOOLEAN] = GM_EXPRESSION_TRUE;
    } else if (of_kind[GM_JSON_TRUE] != 0 || of_kind[GM_JSON_FALSE] != 0) {
        const gm_expression_node atom = {.kind = GM_ATOM_IS_TRUE, .count = of_kind[GM_JSON_TRUE] != 0};
        GM_TRY(gm_expression_atom(forming, &atom, &typed->of[GM_TYPE_BOOLEAN]));
    }
    if (string_count != 0)
        GM_TRY(lower_strings(forming, strings, string_count, &typed->of[GM_TYPE_STRING]));
    if (number_count != 0)
        GM_TRY(lower_numbers(forming, numbers, number_count, &typed->of[GM_TYPE_NUMBER]));
    if (of_kind[GM_JSON_ARRAY] != 0)
        GM_TRY(lower_containers(forming, values, count, GM_JSON_ARRAY, &typed->of[GM_TYPE_ARRAY]));
    if (of_kind[GM_JSON_OBJECT] != 0)
        GM_TRY(lower_containers(forming, values, count, GM_JSON_OBJECT, &typed->of[GM_TYPE_OBJECT]));
    return GM_OK;
}
