/*
 * form/record.c - one alternative of a container, merged into a record.
 *
 * Conjunctions merge by field: the formula of a name is the conjunction of what every atom asks of
 * it, bounds are intersected, declared sequences are joined, a repeated name keeping its first place.
 */
#include "form/disjunction.h"
#include "form/lower.h"

#include <stdlib.h>

typedef struct merged_name {
    gm_bytes text;
    uint32_t order;
    bool required;
} merged_name;

static int compare_merged(const void *a, const void *b)
{
    const merged_name *x = a, *y = b;
    const int order = gm_bytes_compare(x->text, y->text);
    return order != 0 ? order : x->order < y->order ? -1 : x->order > y->order;
}

static const gm_expression_node *atom_of(gm_forming *forming, const gm_conjunct *conjunct, uint32_t i)
{
    return &forming->expressions.items[conjunct->atoms[i]];
}

/* Every name that some atom mentions, once, sorted. */
static gm_status collect_names(gm_forming *forming, const gm_conjunct *conjunct, merged_name **names, uint32_t *count)
{
    size_t total = 0;
    for (uint32_t i = 0; i < conjunct->count; i++)
        total += atom_of(forming, conjunct, i)->count;
    merged_name *list = GM_ARENA_NEW(forming->scratch, merged_name, total);
    if (list == NULL)
        return gm_no_memory(forming->error);
    uint32_t found = 0, order = 0;
    for (uint32_t i = 0; i < conjunct->count; i++) {
        const gm_expression_node *atom = atom_of(forming, conjunct, i);
        for (uint32_t j = 0; j < atom->count; j++)
            if (atom->kind == GM_ATOM_MEMBERS)
                list[found++] = (merged_name){atom->as.members.list[j].name, order++, false};
            else
                list[found++] = (merged_name){atom->as.names[j], GM_ORDER_NONE, true};
    }
    if (found > 1)
        qsort(list, found, sizeof *list, compare_merged);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < found; i++) {
        if (kept > 0 && gm_bytes_equal(list[kept - 1].text, list[i].text))
            list[kept - 1].required = list[kept - 1].required || list[i].required;
        else
            list[kept++] = list[i];
    }
    *names = list;
    *count = kept;
    return GM_OK;
}

/* A MEMBERS atom with a cursor: names are asked for in ascending order. */
typedef struct member_cursor {
    const gm_member *list;
    const uint32_t *sorted;
    uint32_t count, at;
    gm_formula rest;
} member_cursor;

static gm_formula cursor_formula(member_cursor *cursor, gm_bytes name)
{
    for (; cursor->at < cursor->count; cursor->at++) {
        const gm_member *member = &cursor->list[cursor->sorted[cursor->at]];
        const int order = gm_bytes_compare(member->name, name);
        if (order == 0)
            return member->formula;
        if (order > 0)
            break;
    }
    return cursor->rest;
}

static gm_status open_cursors(gm_forming *forming, const gm_conjunct *conjunct, member_cursor **cursors, uint32_t *count)
{
    *count = 0;
    *cursors = GM_ARENA_NEW(forming->scratch, member_cursor, conjunct->count);
    if (*cursors == NULL)
        return gm_no_memory(forming->error);
    for (uint32_t i = 0; i < conjunct->count; i++) {
        const gm_expression_node *atom = atom_of(forming, conjunct, i);
        if (atom->kind == GM_ATOM_MEMBERS)
            (*cursors)[(*count)++] = (member_cursor){atom->as.members.list, atom->as.members.sorted, atom->count, 0,
                                                     atom->as.members.rest};
    }
    return GM_OK;
}

typedef struct order_entry {
    uint32_t order, index;
} order_entry;

static int compare_order(const void *a, const void *b)
{
    const order_entry *x = a, *y = b;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* Numbers the declared names from 0 in their sequence, and fills order and next_required. */
static gm_status fill_order(gm_forming *forming, gm_name *names, uint32_t count, gm_object_thread *record)
{
    order_entry *entries = GM_ARENA_NEW(forming->scratch, order_entry, count);
    uint32_t declared = 0;
    if (entries == NULL)
        return gm_no_memory(forming->error);
    for (uint32_t i = 0; i < count; i++)
        if (names[i].order != GM_ORDER_NONE)
            entries[declared++] = (order_entry){names[i].order, i};
    if (declared > 1)
        qsort(entries, declared, sizeof *entries, compare_order);
    uint32_t *order = GM_ARENA_NEW(forming->keep, uint32_t, declared);
    uint32_t *next = GM_ARENA_NEW(forming->keep, uint32_t, (size_t)declared + 1);
    if (order == NULL || next == NULL)
        return gm_no_memory(forming->error);
    next[declared] = GM_ORDER_NONE;
    for (uint32_t i = declared; i-- > 0;) {
        order[i] = entries[i].index;
        names[order[i]].order = i;
        next[i] = names[order[i]].required ? i : next[i + 1];
    }
    record->order_count = declared;
    record->order = order;
    record->next_required = next;
    return GM_OK;
}

/* Whether no atom evaluates what the others do not name. */
static bool leaves_rest(gm_forming *forming, const gm_conjunct *conjunct)
{
    for (uint32_t i = 0; i < conjunct->count; i++) {
        const gm_expression_node *atom = atom_of(forming, conjunct, i);
        if ((atom->kind == GM_ATOM_MEMBERS && !atom->as.members.is_open) ||
            (atom->kind == GM_ATOM_ITEMS && !atom->as.items.is_open))
            return false;
    }
    return true;
}

/* Whether some atom names it in `properties`. */
static bool is_declared(const merged_name *name) { return name->order != GM_ORDER_NONE; }

gm_status gm_form_object_record(gm_forming *forming, const gm_conjunct *conjunct, bool closed, gm_object_thread *record)
{
    closed = closed && leaves_rest(forming, conjunct);
    const bool any = forming->options->property_order == GM_ORDER_ANY;
    merged_name *merged = NULL;
    member_cursor *cursors = NULL;
    uint32_t count = 0, cursor_count = 0, kept = 0;
    GM_TRY(collect_names(forming, conjunct, &merged, &count));
    GM_TRY(open_cursors(forming, conjunct, &cursors, &cursor_count));
    gm_formula *list = GM_ARENA_NEW(forming->scratch, gm_formula, cursor_count);
    gm_name *names = GM_ARENA_NEW(forming->keep, gm_name, count);
    if (list == NULL || names == NULL)
        return gm_no_memory(forming->error);
    for (uint32_t j = 0; j < cursor_count; j++)
        list[j] = cursors[j].rest;
    GM_TRY(gm_formula_and(forming, list, cursor_count, &record->rest));
    if (closed)
        record->rest = GM_FORMULA_FALSE;
    for (uint32_t i = 0; i < count; i++) {
        gm_name name = {.text = merged[i].text, .order = any ? GM_ORDER_NONE : merged[i].order, .required = merged[i].required};
        for (uint32_t j = 0; j < cursor_count; j++)
            list[j] = cursor_formula(&cursors[j], name.text);
        GM_TRY(gm_formula_and(forming, list, cursor_count, &name.formula));
        if (closed && !is_declared(&merged[i]))
            name.formula = GM_FORMULA_FALSE;
        const bool like_rest = name.formula == record->rest && (any || name.formula == GM_FORMULA_FALSE);
        if (like_rest && !name.required)
            continue;
        name.text.data = gm_arena_copy(forming->keep, name.text.data, name.text.length);
        if (name.text.data == NULL)
            return gm_no_memory(forming->error);
        names[kept++] = name;
    }
    record->names = names;
    record->name_count = kept;
    GM_TRY(fill_order(forming, names, kept, record));
    return gm_forming_spend(forming, (uint64_t)count * (cursor_count + 1) + 1);
}

gm_status gm_form_array_record(gm_forming *forming, const gm_conjunct *conjunct, bool closed, gm_array_thread *record)
{
    closed = closed && leaves_rest(forming, conjunct);
    *record = (gm_array_thread){.most = GM_UNBOUNDED};
    for (uint32_t i = 0; i < conjunct->count; i++) {
        const gm_expression_node *atom = atom_of(forming, conjunct, i);
        if (atom->kind == GM_ATOM_ITEMS) {
            if (atom->count > record->prefix_count)
                record->prefix_count = atom->count;
        } else {
            if (atom->as.length.least > record->least)
                record->least = atom->as.length.least;
            if (atom->as.length.most < record->most)
                record->most = atom->as.length.most;
        }
    }
    gm_formula *prefix = GM_ARENA_NEW(forming->keep, gm_formula, record->prefix_count);
    gm_formula *list = GM_ARENA_NEW(forming->scratch, gm_formula, conjunct->count);
    if (prefix == NULL || list == NULL)
        return gm_no_memory(forming->error);
    for (uint32_t at = 0; at <= record->prefix_count; at++) {
        size_t found = 0;
        for (uint32_t i = 0; i < conjunct->count; i++) {
            const gm_expression_node *atom = atom_of(forming, conjunct, i);
            if (atom->kind == GM_ATOM_ITEMS)
                list[found++] = at < atom->count ? atom->as.items.prefix[at] : atom->as.items.rest;
        }
        GM_TRY(gm_formula_and(forming, list, found, at < record->prefix_count ? &prefix[at] : &record->rest));
        GM_TRY(gm_forming_spend(forming, found + 1));
    }
    if (closed)
        record->rest = GM_FORMULA_FALSE;
    while (record->prefix_count > 0 && prefix[record->prefix_count - 1] == record->rest)
        record->prefix_count--;
    record->prefix = prefix;
    return GM_OK;
}
