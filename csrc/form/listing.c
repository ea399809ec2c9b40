/*
 * form/listing.c - the values of formulas that have finitely many: see listing.h.
 *
 * A formula with finitely many values cannot stand inside itself, so what it is made of is listed first: a stack in
 * place of recursion. Containers are grown member by member; each beginning that is kept becomes at least one value
 * of its own, so no more are kept than values are wanted.
 */
#include "form/listing.h"

#include "base/utf8.h"

#include <stdio.h>

typedef struct listing {
    gm_domains *domains;
    gm_domain *out;
    size_t limit;
    gm_table seen; /* ids are indices of values */
} listing;

static const gm_allocator *scratch_of(gm_domains *domains) { return &domains->forming->scratch->allocator; }
static gm_status no_memory(const listing *l) { return gm_no_memory(l->domains->forming->error); }
static bool is_full(const listing *l) { return l->out->values.count >= l->limit; }

/* Adds a value unless it is there. */
static gm_status add_value(listing *l, gm_bytes value)
{
    const uint64_t hash = gm_hash_bytes(value.data, value.length);
    if (is_full(l))
        return GM_OK;
    for (gm_probe probe = gm_table_find(&l->seen, hash); gm_probe_next(&l->seen, &probe);)
        if (gm_bytes_equal(l->out->values.items[probe.id], value))
            return GM_OK;
    gm_arena *scratch = l->domains->forming->scratch;
    const char *text = gm_arena_copy(scratch, value.data, value.length);
    gm_bytes *grown = l->out->values.items;
    if (l->out->values.count == l->out->values.capacity) {
        const size_t capacity = l->out->values.capacity * 2 + 8;
        grown = GM_ARENA_NEW(scratch, gm_bytes, capacity);
        if (grown == NULL)
            return no_memory(l);
        if (l->out->values.count != 0)
            memcpy(grown, l->out->values.items, l->out->values.count * sizeof *grown);
        l->out->values.items = grown;
        l->out->values.capacity = capacity;
    }
    if (text == NULL || !gm_table_add(&l->seen, hash, (uint32_t)l->out->values.count))
        return no_memory(l);
    grown[l->out->values.count++] = (gm_bytes){text, value.length};
    return gm_forming_spend(l->domains->forming, 1 + value.length / 16);
}

static gm_status add_json(listing *l, const gm_json *value)
{
    gm_bytes canonical;
    return gm_json_canonical(l->domains->forming->scratch, value, &canonical) == GM_OK ? add_value(l, canonical)
                                                                                       : no_memory(l);
}

/* ---- scalars ---- */

typedef struct text_node {
    gm_term term;
    uint32_t point; /* to be tried next */
    size_t length;  /* bytes so far */
    uint64_t points;
    struct text_node *before;
} text_node;

static bool fits(listing *l, gm_text_thread thread, gm_term term, uint64_t points, bool *failed)
{
    const gm_lengths *lengths;
    if (points > thread.most)
        return false;
    if (thread.most == GM_UNBOUNDED && thread.least == 0)
        return true;
    if (term == GM_TERM_ANY)
        return true;
    *failed = gm_text_lengths(l->domains->forming->stores.text, term, &lengths, NULL) != GM_OK;
    return !*failed && gm_lengths_meet(lengths, thread.least > points ? thread.least - points : 0,
                                       thread.most == GM_UNBOUNDED ? GM_UNBOUNDED : thread.most - points);
}

/* The last code point that leads where this one leads. */
static uint32_t last_alike(const gm_text_row *row, uint32_t point)
{
    for (uint32_t i = 0; point >= 128 && i < row->range_count; i++)
        if (row->ranges[i].low <= point && row->ranges[i].high >= point)
            return row->ranges[i].high;
    return point;
}

/* Depth first; every way that fits leads to a string. */
static gm_status list_text(listing *l, gm_text_thread thread)
{
    gm_arena *scratch = l->domains->forming->scratch;
    text_node *at = gm_arena_take_zeroed(scratch, sizeof *at);
    GM_ARRAY(char) text = {0};
    gm_status status = at != NULL ? GM_OK : no_memory(l);
    if (at != NULL)
        at->term = thread.term;
    bool entered = true;
    while (status == GM_OK && at != NULL && !is_full(l)) {
        const gm_text_row *row = gm_text_row_of(l->domains->forming->stores.text, at->term);
        if (row == NULL) {
            status = no_memory(l);
            break;
        }
        if (entered && row->accepts && at->points >= thread.least && at->points <= thread.most)
            status = add_json(l, &(gm_json){.kind = GM_JSON_STRING, .as.text = {text.items, at->length}});
        entered = false;
        const uint32_t point = at->points < thread.most ? gm_text_row_point(row, at->point) : UINT32_MAX;
        if (point == UINT32_MAX) {
            at = at->before;
            continue;
        }
        at->point = point + 1;
        const gm_term to = gm_text_next(row, point);
        bool failed = false;
        if (!fits(l, thread, to, at->points + 1, &failed)) {
            if (failed)
                status = no_memory(l);
            at->point = last_alike(row, point) + 1;
            continue;
        }
        text_node *next = gm_arena_take(scratch, sizeof *next);
        text.count = at->length;
        if (next == NULL || !GM_ARRAY_RESERVE(scratch_of(l->domains), &text, 4)) {
            status = no_memory(l);
            break;
        }
        const size_t length = at->length + gm_utf8_write(point, text.items + at->length);
        *next = (text_node){to, 0, length, at->points + 1, at};
        at = next;
        entered = true;
    }
    GM_ARRAY_FREE(scratch_of(l->domains), &text);
    return status;
}

static gm_status list_number(listing *l, gm_number_language language)
{
    gm_forming *forming = l->domains->forming;
    uint32_t classes = 0;
    for (int class = 0; class < GM_NUMBER_CLASSES; class ++)
        classes |= (uint32_t)gm_alphabet_has_class(forming->stores.alphabet, class) << class;
    gm_bytes *values = GM_ARENA_NEW(forming->scratch, gm_bytes, l->limit);
    if (values == NULL)
        return no_memory(l);
    for (size_t count = 0; count < l->limit && !is_full(l); count++) {
        const gm_status status = gm_number_another(forming->stores.number, forming->scratch, language,
                                                   (gm_bytes){"", 0}, values, count, classes, &values[count]);
        if (status == GM_OUT_OF_MEMORY)
            return no_memory(l);
        if (status != GM_OK) {
            l->out->is_whole = false;
            return GM_OK;
        }
        if (values[count].data == NULL)
            return GM_OK;
        GM_TRY(add_json(l, &(gm_json){.kind = GM_JSON_NUMBER, .as.text = values[count]}));
        GM_TRY(gm_forming_spend(forming, count));
    }
    return GM_OK;
}

static gm_status list_scalars(listing *l, const gm_profile *profile)
{
    if (profile->null)
        GM_TRY(add_value(l, GM_BYTES("n")));
    if (profile->yes)
        GM_TRY(add_value(l, GM_BYTES("t")));
    if (profile->no)
        GM_TRY(add_value(l, GM_BYTES("f")));
    for (uint32_t i = 0; i < profile->text_count; i++)
        GM_TRY(list_text(l, profile->texts[i]));
    for (uint32_t i = 0; i < profile->number_count; i++)
        GM_TRY(list_number(l, profile->numbers[i]));
    return GM_OK;
}

/* ---- containers, from the lists of what they hold ---- */

typedef struct beginning {
    gm_bytes text; /* canonical, without its end */
    uint64_t count;
    const struct beginning *before; /* of arrays: without the last item */
    gm_bytes last;
} beginning;

typedef struct growing {
    listing *l;
    GM_ARRAY(beginning) list;
    size_t done; /* beginnings before this were grown */
    bool is_cut; /* some were left out */
} growing;

static gm_status add_beginning(growing *g, const beginning *from, const char *join, gm_bytes name, gm_bytes value)
{
    gm_arena *scratch = g->l->domains->forming->scratch;
    char head[32] = "";
    const int head_length = name.data != NULL ? snprintf(head, sizeof head, "\"%zu:", name.length) : 0;
    const size_t length = from->text.length + strlen(join) + (size_t)head_length + name.length + value.length;
    char *text = gm_arena_take(scratch, length + 1);
    if (text == NULL)
        return no_memory(g->l);
    size_t at = from->text.length;
    memcpy(text, from->text.data, at);
    memcpy(text + at, join, strlen(join));
    at += strlen(join);
    memcpy(text + at, head, (size_t)head_length);
    at += (size_t)head_length;
    if (name.length != 0)
        memcpy(text + at, name.data, name.length);
    at += name.length;
    memcpy(text + at, value.data, value.length);
    const beginning *kept = gm_arena_copy(scratch, from, sizeof *from);
    const beginning next = {{text, length}, from->count + 1, kept, value};
    if (kept == NULL || !GM_ARRAY_PUSH(scratch_of(g->l->domains), &g->list, next))
        return no_memory(g->l);
    return gm_forming_spend(g->l->domains->forming, 1 + length / 16);
}

static gm_status add_ended(growing *g, const beginning *from, char end)
{
    char *text = gm_arena_take(g->l->domains->forming->scratch, from->text.length + 1);
    if (text == NULL)
        return no_memory(g->l);
    memcpy(text, from->text.data, from->text.length);
    text[from->text.length] = end;
    return add_value(g->l, (gm_bytes){text, from->text.length + 1});
}

static bool holds(const beginning *array, gm_bytes value)
{
    for (; array != NULL && array->before != NULL; array = array->before)
        if (gm_bytes_equal(array->last, value))
            return true;
    return false;
}

static const gm_domain *domain_of(const gm_domains *domains, gm_formula formula)
{
    if (formula == GM_FORMULA_FALSE || domains->profiles[formula] == NULL || !domains->profiles[formula]->inhabited)
        return NULL;
    return &domains->known[formula];
}

/* Grows all beginnings of one length by an item; those kept are dropped. */
static gm_status grow_items(growing *g, const gm_array_thread *array, const gm_domain *items)
{
    const size_t end = g->list.count;
    for (size_t i = 0; i < end; i++)
        for (size_t j = 0; items != NULL && j < items->values.count; j++) {
            const beginning from = g->list.items[i];
            if (array->unique && holds(&from, items->values.items[j]))
                continue;
            if (g->list.count - end >= g->l->limit) {
                g->is_cut = true;
                break;
            }
            GM_TRY(add_beginning(g, &from, from.count == 0 ? "" : ",", (gm_bytes){NULL, 0}, items->values.items[j]));
        }
    g->list.count -= end;
    memmove(g->list.items, g->list.items + end, g->list.count * sizeof *g->list.items);
    return GM_OK;
}

static gm_status list_array(growing *g, const gm_array_thread *array)
{
    const beginning empty = {.text = GM_BYTES("[")};
    if (!GM_ARRAY_PUSH(scratch_of(g->l->domains), &g->list, empty))
        return no_memory(g->l);
    for (uint64_t count = 0; count <= array->most && g->list.count != 0 && !is_full(g->l); count++) {
        for (size_t i = 0; i < g->list.count && count >= array->least; i++)
            GM_TRY(add_ended(g, &g->list.items[i], ']'));
        const gm_domain *items = domain_of(g->l->domains, gm_array_item(array, count, 0));
        if (count < array->most && items != NULL && !items->is_whole)
            g->is_cut = true;
        GM_TRY(grow_items(g, array, count < array->most ? items : NULL));
    }
    return GM_OK;
}

/* The names behind a number of them: how many there must and may be. */
static void names_behind(const growing *g, const gm_object_thread *object, uint32_t first, uint64_t *least,
                         uint64_t *most)
{
    *least = *most = 0;
    for (uint32_t i = first; i < object->name_count; i++) {
        *least += object->names[i].required;
        *most += object->names[i].required || domain_of(g->l->domains, object->names[i].formula) != NULL;
    }
}

/* Grows all beginnings by a name, and drops those that no names behind it complete. */
static gm_status grow_members(growing *g, const gm_object_thread *object, uint32_t at)
{
    const gm_name *name = &object->names[at];
    const gm_domain *values = domain_of(g->l->domains, name->formula);
    const size_t end = g->list.count;
    uint64_t least, most;
    size_t kept = 0;
    names_behind(g, object, at + 1, &least, &most);
    for (size_t i = 0; values != NULL && i < end; i++) {
        const beginning from = g->list.items[i];
        if (from.count + 1 + least > object->most || from.count + 1 + most < object->least)
            continue;
        g->is_cut = g->is_cut || !values->is_whole;
        for (size_t j = 0; j < values->values.count; j++) {
            if (g->list.count - end >= g->l->limit) {
                g->is_cut = true;
                break;
            }
            GM_TRY(add_beginning(g, &from, from.count == 0 ? "" : ",", name->text, values->values.items[j]));
        }
    }
    for (size_t i = 0; i < g->list.count; i++) {
        const uint64_t count = g->list.items[i].count;
        if (i >= end || (!name->required && count + least <= object->most && count + most >= object->least))
            g->list.items[kept++] = g->list.items[i];
    }
    g->list.count = kept;
    return GM_OK;
}

static gm_status list_object(growing *g, const gm_object_thread *object)
{
    const beginning empty = {.text = GM_BYTES("{")};
    uint64_t least, most;
    names_behind(g, object, 0, &least, &most);
    if (least > object->most || most < object->least)
        return GM_OK;
    if (!GM_ARRAY_PUSH(scratch_of(g->l->domains), &g->list, empty))
        return no_memory(g->l);
    for (uint32_t i = 0; i < object->name_count; i++)
        GM_TRY(grow_members(g, object, i));
    for (size_t i = 0; i < g->list.count; i++)
        GM_TRY(add_ended(g, &g->list.items[i], '}'));
    return GM_OK;
}

static bool is_plain_object(const gm_domains *domains, const gm_object_thread *object)
{
    for (uint32_t i = 0; i < object->family_count; i++)
        if (domains->profiles[object->families[i].formula] != NULL &&
            domains->profiles[object->families[i].formula]->inhabited &&
            object->families[i].formula != GM_FORMULA_FALSE)
            return false;
    return object->obligations == 0;
}

static gm_status list_containers(listing *l, const gm_profile *profile)
{
    gm_status status = GM_OK;
    for (uint32_t i = 0; i < profile->array_count + profile->object_count && status == GM_OK; i++) {
        growing g = {.l = l};
        const bool is_array = i < profile->array_count;
        const gm_array_thread *array = is_array ? profile->arrays[i] : NULL;
        const gm_object_thread *object = is_array ? NULL : profile->objects[i - profile->array_count];
        if (is_array ? !array->inhabited : !object->inhabited)
            continue;
        if (is_array ? array->counting != NULL : !is_plain_object(l->domains, object))
            g.is_cut = true;
        else
            status = is_array ? list_array(&g, array) : list_object(&g, object);
        if (g.is_cut)
            l->out->is_whole = false;
        GM_ARRAY_FREE(scratch_of(l->domains), &g.list);
    }
    return status;
}

/* ---- what must be listed first ---- */

typedef GM_ARRAY(gm_formula) formula_list;

static bool is_known(const gm_domains *domains, gm_formula formula, size_t limit)
{
    const gm_domain *domain = &domains->known[formula];
    return domain->is_listed && (domain->is_whole || domain->limit >= limit);
}

static gm_status want(gm_domains *domains, formula_list *stack, gm_formula formula, size_t limit)
{
    if (formula == GM_FORMULA_FALSE || domains->profiles[formula] == NULL || !domains->profiles[formula]->inhabited)
        return GM_OK;
    if (domains->profiles[formula]->endless || is_known(domains, formula, limit))
        return GM_OK;
    return GM_ARRAY_PUSH(scratch_of(domains), stack, formula) ? GM_OK : gm_no_memory(domains->forming->error);
}

static gm_status want_parts(gm_domains *domains, formula_list *stack, const gm_profile *profile, size_t limit)
{
    for (uint32_t i = 0; i < profile->array_count; i++) {
        const gm_array_thread *array = profile->arrays[i];
        for (uint32_t j = 0; array->inhabited && array->counting == NULL && j <= array->prefix_count && j < array->most;
             j++)
            GM_TRY(want(domains, stack, array->asked[j], limit));
    }
    for (uint32_t i = 0; i < profile->object_count; i++) {
        const gm_object_thread *object = profile->objects[i];
        for (uint32_t j = 0; object->inhabited && is_plain_object(domains, object) && j < object->name_count; j++)
            GM_TRY(want(domains, stack, object->names[j].formula, limit));
    }
    return GM_OK;
}

static gm_status list_formula(gm_domains *domains, gm_formula formula, size_t limit)
{
    gm_domain *out = &domains->known[formula];
    listing l = {.domains = domains, .out = out, .limit = limit};
    gm_table_init(&l.seen, scratch_of(domains));
    *out = (gm_domain){.is_whole = true, .is_listed = true, .limit = limit};
    gm_status status = list_scalars(&l, domains->profiles[formula]);
    if (status == GM_OK)
        status = list_containers(&l, domains->profiles[formula]);
    out->is_whole = out->is_whole && !is_full(&l);
    gm_table_destroy(&l.seen);
    return status;
}

gm_status gm_domain_list(gm_domains *domains, gm_formula formula, size_t limit, const gm_domain **domain)
{
    formula_list stack = {0};
    gm_status status = want(domains, &stack, formula, limit);
    while (status == GM_OK && stack.count > 0) {
        const gm_formula top = stack.items[stack.count - 1];
        const size_t before = stack.count;
        status = want_parts(domains, &stack, domains->profiles[top], limit);
        if (status != GM_OK || stack.count != before)
            continue;
        if (!is_known(domains, top, limit))
            status = list_formula(domains, top, limit);
        stack.count--;
    }
    GM_ARRAY_FREE(scratch_of(domains), &stack);
    *domain = &domains->known[formula];
    return status;
}
