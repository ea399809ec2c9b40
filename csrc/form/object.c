/*
 * form/object.c - one alternative of an object, merged into a record.
 *
 * Conjunctions merge by field: the formula of a name is the conjunction of what every atom asks of
 * it, bounds are intersected, declared sequences are joined, a repeated name keeping its first place.
 */
#include "form/family.h"
#include "form/lower.h"

#include <stdlib.h>

typedef struct merged_name {
    gm_bytes text;
    uint32_t order;
    bool required;
    gm_asking asking;
} merged_name;

typedef struct merging {
    gm_forming *forming;
    const gm_conjunct *conjunct;
    gm_naming naming;
    merged_name *names;
    uint32_t count;
} merging;

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

static void sort_names(merged_name *names, uint32_t count)
{
    if (count > 1)
        qsort(names, count, sizeof *names, compare_merged);
}

/* Every name that some atom mentions, once, sorted. */
static gm_status collect_names(merging *m)
{
    size_t total = 0;
    for (uint32_t i = 0; i < m->conjunct->count; i++)
        total += atom_of(m->forming, m->conjunct, i)->count;
    merged_name *list = GM_ARENA_NEW(m->forming->scratch, merged_name, total);
    if (list == NULL)
        return gm_no_memory(m->forming->error);
    uint32_t found = 0, order = 0;
    for (uint32_t i = 0; i < m->conjunct->count; i++) {
        const gm_expression_node *atom = atom_of(m->forming, m->conjunct, i);
        for (uint32_t j = 0; j < atom->count; j++)
            if (atom->kind == GM_ATOM_MEMBERS || atom->kind == GM_ATOM_SOME)
                list[found++] = (merged_name){.text = atom->as.members.list[j].name,
                                              .order = atom->as.members.declares ? order++ : GM_ORDER_NONE};
            else
                list[found++] = (merged_name){.text = atom->as.names[j], .order = GM_ORDER_NONE, .required = true};
    }
    sort_names(list, found);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < found; i++) {
        if (kept > 0 && gm_bytes_equal(list[kept - 1].text, list[i].text))
            list[kept - 1].required = list[kept - 1].required || list[i].required;
        else
            list[kept++] = list[i];
    }
    m->names = list;
    m->count = kept;
    return GM_OK;
}

/* A MEMBERS atom with a cursor: names are asked for in ascending order. */
typedef struct member_cursor {
    const gm_expression_node *map;
    uint32_t at;
} member_cursor;

static bool find_by_cursor(member_cursor *cursor, gm_bytes name, gm_formula *own)
{
    for (; cursor->at < cursor->map->count; cursor->at++) {
        const gm_member *member = &cursor->map->as.members.list[cursor->map->as.members.sorted[cursor->at]];
        const int order = gm_bytes_compare(member->name, name);
        if (order > 0)
            break;
        *own = member->formula;
        if (order == 0)
            return true;
    }
    *own = GM_FORMULA_TRUE;
    return false;
}

/* Nothing satisfies what is asked. */
static gm_status forbid(merging *m, gm_asking *asking)
{
    const size_t more = ((size_t)1 << m->naming.some_count) - 1;
    *asking = (gm_asking){GM_FORMULA_FALSE, more != 0 ? GM_ARENA_NEW(m->forming->keep, gm_formula, more) : NULL};
    return more == 0 || asking->serving != NULL ? GM_OK : gm_no_memory(m->forming->error);
}

/* What each map asks of one name; the cursors stand at it or before. */
static gm_status ask_maps(gm_forming *forming, gm_bytes name, member_cursor *cursors, uint32_t count, gm_formula *list)
{
    for (uint32_t j = 0; j < count; j++) {
        gm_formula own;
        const bool listed = find_by_cursor(&cursors[j], name, &own);
        if (cursors[j].map->as.members.pattern_count != 0)
            GM_TRY(gm_naming_in_map(forming, cursors[j].map, name, listed, own, &list[j]));
        else
            list[j] = listed ? own : cursors[j].map->as.members.rest;
    }
    return GM_OK;
}

/* One for each map, and behind them those of the SOME atoms; NULL when out of memory. */
static member_cursor *cursors_of(const merging *m)
{
    const uint32_t maps = m->naming.map_count, total = maps + m->naming.some_count;
    member_cursor *cursors = GM_ARENA_NEW(m->forming->scratch, member_cursor, total);
    for (uint32_t j = 0; cursors != NULL && j < total; j++)
        cursors[j].map = j < maps ? m->naming.maps[j] : m->naming.somes[j - maps];
    return cursors;
}

/* What is asked of each listed name, the propertyNames of the naming included. */
static gm_status ask_names(merging *m)
{
    gm_forming *forming = m->forming;
    const uint32_t maps = m->naming.map_count, total = maps + m->naming.some_count;
    member_cursor *cursors = cursors_of(m);
    gm_formula *list = GM_ARENA_NEW(forming->scratch, gm_formula, total + 1);
    if (cursors == NULL || list == NULL)
        return gm_no_memory(forming->error);
    for (uint32_t i = 0; i < m->count; i++) {
        merged_name *name = &m->names[i];
        bool allowed = true;
        if (m->naming.allowed != GM_TERM_ANY &&
            gm_text_matches(forming->stores.text, m->naming.allowed, name->text, &allowed) != GM_OK)
            return gm_no_memory(forming->error);
        GM_TRY(ask_maps(forming, name->text, cursors, total, list));
        if (!allowed)
            for (uint32_t j = 0; j < maps; j++)
                list[j] = GM_FORMULA_FALSE;
        GM_TRY(gm_naming_ask(forming, &m->naming, list, list + maps, &name->asking));
        if (!allowed && maps == 0)
            GM_TRY(forbid(m, &name->asking));
    }
    return gm_forming_spend(forming, (uint64_t)m->count * (total + 1) + 1);
}

/* What is asked of all other names: one formula, or families. */
static gm_status ask_others(merging *m, gm_object_thread *record)
{
    gm_forming *forming = m->forming;
    const uint32_t maps = m->naming.map_count, total = maps + m->naming.some_count;
    gm_formula *rests = GM_ARENA_NEW(forming->scratch, gm_formula, total + 1);
    if (rests == NULL)
        return gm_no_memory(forming->error);
    for (uint32_t i = 0; i < total; i++)
        rests[i] = (i < maps ? m->naming.maps[i] : m->naming.somes[i - maps])->as.members.rest;
    gm_asking rest;
    GM_TRY(gm_naming_ask(forming, &m->naming, rests, rests + maps, &rest));
    record->rest = rest.formula;
    record->rest_serving = rest.serving;
    if (!m->naming.by_text)
        return GM_OK;
    gm_bytes *names = GM_ARENA_NEW(forming->scratch, gm_bytes, m->count);
    gm_listed *listed;
    uint32_t listed_count;
    if (names == NULL)
        return gm_no_memory(forming->error);
    for (uint32_t i = 0; i < m->count; i++)
        names[i] = m->names[i].text;
    GM_TRY(gm_naming_families(forming, &m->naming, names, m->count, record, &listed, &listed_count));
    GM_TRY(forbid(m, &rest));
    record->rest = rest.formula;
    record->rest_serving = rest.serving;
    merged_name *all = GM_ARENA_NEW(forming->scratch, merged_name, (size_t)m->count + listed_count);
    if (all == NULL)
        return gm_no_memory(forming->error);
    if (m->count != 0)
        memcpy(all, m->names, m->count * sizeof *all);
    for (uint32_t i = 0; i < listed_count; i++)
        all[m->count + i] = (merged_name){.text = listed[i].name, .order = GM_ORDER_NONE, .asking = listed[i].asking};
    m->names = all;
    m->count += listed_count;
    sort_names(all, m->count);
    return GM_OK;
}

/* What meeting an obligation by a name takes, beside what is asked of it anyway. */
enum { NOTHING_MORE = GM_FORMULA_TRUE, IMPOSSIBLE = GM_FORMULA_FALSE }; /* else the formula that must not hold */

/* `takes`: by SOME atom, and by name with all other names as the last; names that cannot be taken are impossible. */
static gm_status find_takes(merging *m, gm_formula *takes)
{
    gm_forming *forming = m->forming;
    const uint32_t maps = m->naming.map_count, total = maps + m->naming.some_count;
    member_cursor *cursors = cursors_of(m);
    gm_formula *list = GM_ARENA_NEW(forming->scratch, gm_formula, total + 1);
    if (cursors == NULL || list == NULL)
        return gm_no_memory(forming->error);
    for (uint32_t i = 0; i <= m->count; i++) {
        gm_formula asked;
        if (i < m->count)
            GM_TRY(ask_maps(forming, m->names[i].text, cursors, total, list));
        for (uint32_t j = 0; i == m->count && j < total; j++)
            list[j] = cursors[j].map->as.members.rest;
        GM_TRY(gm_formula_and(forming, list, maps, &asked));
        for (uint32_t j = 0; j < m->naming.some_count; j++) {
            const gm_formula forbidden = list[maps + j];
            gm_formula fails, both;
            GM_TRY(gm_formula_not(forming, forbidden, &fails));
            GM_TRY(gm_formula_and(forming, (gm_formula[]){asked, fails}, 2, &both));
            takes[(size_t)j * (m->count + 1) + i] = both == GM_FORMULA_FALSE        ? (gm_formula)IMPOSSIBLE
                                                    : forbidden == GM_FORMULA_FALSE ? (gm_formula)NOTHING_MORE
                                                                                    : forbidden;
        }
    }
    return gm_forming_spend(forming, (uint64_t)(m->count + 1) * (total + 1));
}

/* Whether whatever member meets one obligation meets another too. */
static bool meets_too(const gm_formula *one, const gm_formula *other, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (one[i] != IMPOSSIBLE && other[i] != NOTHING_MORE && one[i] != other[i])
            return false;
    return true;
}

/* Whether a required name meets an obligation, whatever its value. */
static bool is_met(const merging *m, const gm_formula *takes)
{
    for (uint32_t i = 0; i < m->count; i++)
        if (m->names[i].required && takes[i] == NOTHING_MORE)
            return true;
    return false;
}

/* Drops the obligations that are met with required names or with others: of many closed objects that each have names
 * of their own, all are met by one member. Names told apart by patterns are not looked at. */
static gm_status drop_met(merging *m)
{
    const uint32_t count = m->naming.some_count, names = m->count + 1;
    gm_formula *takes = GM_ARENA_NEW(m->forming->scratch, gm_formula, (size_t)count * names);
    bool *dropped = GM_ARENA_NEW(m->forming->scratch, bool, count);
    uint32_t kept = 0;
    if (takes == NULL || dropped == NULL)
        return gm_no_memory(m->forming->error);
    if (count != 0)
        GM_TRY(find_takes(m, takes));
    for (uint32_t i = 0; i < count; i++) {
        dropped[i] = is_met(m, takes + (size_t)i * names);
        for (uint32_t j = 0; j < count && !dropped[i] && !m->naming.by_text; j++)
            dropped[i] = j != i && !dropped[j] &&
                         meets_too(takes + (size_t)j * names, takes + (size_t)i * names, names) &&
                         (j < i || !meets_too(takes + (size_t)i * names, takes + (size_t)j * names, names));
    }
    for (uint32_t i = 0; i < count; i++)
        if (!dropped[i])
            m->naming.somes[kept++] = m->naming.somes[i];
    m->naming.some_count = kept;
    if (kept > GM_MAX_OBLIGATIONS)
        return gm_schema_fail(m->forming->schema, m->forming->blame, GM_KW_COUNT, GM_UNSUPPORTED, m->forming->error,
                              "more than %d complements of maps for one object", GM_MAX_OBLIGATIONS);
    return gm_forming_spend(m->forming, (uint64_t)count * count * names / 8 + 1);
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

static void intersect_counts(merging *m, gm_object_thread *record)
{
    record->most = GM_UNBOUNDED;
    for (uint32_t i = 0; i < m->conjunct->count; i++) {
        const gm_expression_node *atom = atom_of(m->forming, m->conjunct, i);
        if (atom->kind != GM_ATOM_LENGTH)
            continue;
        if (atom->as.length.least > record->least)
            record->least = atom->as.length.least;
        if (atom->as.length.most < record->most)
            record->most = atom->as.length.most;
    }
}

/* The names into `keep`, without those that are like all others. */
static gm_status keep_names(merging *m, gm_object_thread *record)
{
    gm_forming *forming = m->forming;
    const bool any = forming->options->property_order == GM_ORDER_ANY;
    gm_name *names = GM_ARENA_NEW(forming->keep, gm_name, m->count);
    uint32_t kept = 0;
    if (names == NULL)
        return gm_no_memory(forming->error);
    for (uint32_t i = 0; i < m->count; i++) {
        const merged_name *from = &m->names[i];
        gm_name name = {from->text, from->asking.formula, from->asking.serving, any ? GM_ORDER_NONE : from->order,
                        from->required};
        const bool is_forbidden = name.formula == GM_FORMULA_FALSE;
        const gm_asking rest = {record->rest, record->rest_serving};
        const bool like_rest = record->families != NULL
                                   ? is_forbidden
                                   : gm_asking_equal(&m->naming, from->asking, rest) && (any || is_forbidden);
        if (like_rest && !name.required)
            continue;
        name.text.data = gm_arena_copy(forming->keep, name.text.data, name.text.length);
        if (name.text.data == NULL)
            return gm_no_memory(forming->error);
        names[kept++] = name;
    }
    record->names = names;
    record->name_count = kept;
    return fill_order(forming, names, kept, record);
}

gm_status gm_form_object_record(gm_forming *forming, const gm_conjunct *conjunct, gm_object_thread *record)
{
    merging m = {.forming = forming, .conjunct = conjunct};
    *record = (gm_object_thread){.rest = GM_FORMULA_TRUE};
    intersect_counts(&m, record);
    GM_TRY(gm_naming_of(forming, conjunct, &m.naming));
    GM_TRY(collect_names(&m));
    GM_TRY(drop_met(&m));
    GM_TRY(ask_names(&m));
    GM_TRY(ask_others(&m, record));
    record->obligations = m.naming.some_count;
    return keep_names(&m, record);
}
