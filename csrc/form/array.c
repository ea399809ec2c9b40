/*
 * form/array.c - one alternative of an array, merged into a record: bounds intersected, the formula of
 * a position the conjunction of what every atom asks of it, and of what it is taken to count for.
 */
#include "form/disjunction.h"

enum { MAX_COUNT_CELLS = 1 << 17 };

typedef struct merging {
    gm_forming *forming;
    const gm_conjunct *conjunct;
    gm_array_thread *record;
    gm_expression_node counts[GM_MAX_OBLIGATIONS]; /* CONTAINS atoms, those of the same items joined */
    uint32_t count_count;
} merging;

static const gm_expression_node *atom_of(const merging *m, uint32_t i)
{
    return &m->forming->expressions.items[m->conjunct->atoms[i]];
}

static gm_status refuse(merging *m, const char *why)
{
    return gm_schema_fail(m->forming->schema, m->forming->blame, GM_KW_CONTAINS, GM_UNSUPPORTED, m->forming->error,
                          "%s", why);
}

static void intersect(uint64_t *least, uint64_t *most, uint64_t other_least, uint64_t other_most)
{
    *least = other_least > *least ? other_least : *least;
    *most = other_most < *most ? other_most : *most;
}

static gm_status add_count(merging *m, const gm_expression_node *atom)
{
    if (atom->as.contains.least == 0 && atom->as.contains.most == GM_UNBOUNDED)
        return GM_OK;
    if (atom->as.contains.from > m->record->prefix_count)
        m->record->prefix_count = atom->as.contains.from;
    for (uint32_t i = 0; i < m->count_count; i++) {
        gm_expression_node *known = &m->counts[i];
        if (known->as.contains.formula != atom->as.contains.formula ||
            known->as.contains.from != atom->as.contains.from)
            continue;
        intersect(&known->as.contains.least, &known->as.contains.most, atom->as.contains.least, atom->as.contains.most);
        return GM_OK;
    }
    if (m->count_count == GM_MAX_OBLIGATIONS)
        return refuse(m, "more than 5 counts of items that satisfy a schema, for one array");
    m->counts[m->count_count++] = *atom;
    return GM_OK;
}

static gm_status collect(merging *m)
{
    gm_array_thread *record = m->record;
    for (uint32_t i = 0; i < m->conjunct->count; i++) {
        const gm_expression_node atom = *atom_of(m, i);
        if (atom.kind == GM_ATOM_ITEMS)
            record->prefix_count = atom.count > record->prefix_count ? atom.count : record->prefix_count;
        else if (atom.kind == GM_ATOM_CONTAINS)
            GM_TRY(add_count(m, &atom));
        else if (atom.kind == GM_ATOM_UNIQUE)
            record->unique = true;
        else
            intersect(&record->least, &record->most, atom.as.length.least, atom.as.length.most);
    }
    for (uint32_t i = 0; i < m->count_count; i++) /* nothing is in an empty range */
        if (m->counts[i].as.contains.least > m->counts[i].as.contains.most)
            record->most = 0, record->least = 1;
    return GM_OK;
}

/* What is asked of an item at a position that is taken to count for some obligations, and for those alone
 * where a count has an upper bound. */
static gm_status ask(merging *m, uint32_t at, uint32_t served, gm_formula base, gm_formula *out)
{
    gm_formula list[GM_MAX_OBLIGATIONS + 1] = {base};
    size_t found = 1;
    for (uint32_t i = 0; i < m->count_count; i++) {
        const gm_expression_node *count = &m->counts[i];
        const bool is_counted = at >= count->as.contains.from;
        if (served >> i & 1)
            list[found++] = is_counted ? count->as.contains.formula : (gm_formula)GM_FORMULA_FALSE;
        else if (is_counted && count->as.contains.most != GM_UNBOUNDED)
            GM_TRY(gm_formula_not(m->forming, count->as.contains.formula, &list[found++]));
    }
    return gm_formula_and(m->forming, list, found, out);
}

static gm_status ask_items(merging *m)
{
    gm_forming *forming = m->forming;
    gm_array_thread *record = m->record;
    const uint32_t sets = 1u << m->count_count;
    gm_formula *asked = GM_ARENA_NEW(forming->keep, gm_formula, ((size_t)record->prefix_count + 1) * sets);
    gm_formula *list = GM_ARENA_NEW(forming->scratch, gm_formula, m->conjunct->count);
    if (asked == NULL || list == NULL)
        return gm_no_memory(forming->error);
    for (uint32_t at = 0; at <= record->prefix_count; at++) {
        size_t found = 0;
        gm_formula base;
        for (uint32_t i = 0; i < m->conjunct->count; i++) {
            const gm_expression_node *atom = atom_of(m, i);
            if (atom->kind == GM_ATOM_ITEMS)
                list[found++] = at < atom->count ? atom->as.items.prefix[at] : atom->as.items.rest;
        }
        GM_TRY(gm_formula_and(forming, list, found, &base));
        for (uint32_t served = 0; served < sets; served++)
            GM_TRY(ask(m, at, served, base, &asked[(size_t)at * sets + served]));
        GM_TRY(gm_forming_spend(forming, found + sets));
    }
    while (record->prefix_count > 0 && memcmp(asked + (size_t)(record->prefix_count - 1) * sets,
                                              asked + (size_t)record->prefix_count * sets, sets * sizeof *asked) == 0)
        record->prefix_count--;
    record->asked = asked;
    return GM_OK;
}

/* The progress behind an item that serves a set; counts that suffice are not raised further. */
static uint32_t progress_behind(const merging *m, const uint32_t *radix, uint32_t state, uint32_t served)
{
    uint32_t next = 0, scale = 1;
    for (uint32_t i = 0; i < m->count_count; i++) {
        uint32_t count = state % radix[i];
        state /= radix[i];
        if (served >> i & 1) {
            if (count == radix[i] - 1)
                return GM_COUNT_DEAD;
            count++;
        }
        next += count * scale;
        scale *= radix[i];
    }
    return next;
}

static gm_status count_items(merging *m)
{
    gm_forming *forming = m->forming;
    const uint32_t sets = 1u << m->count_count;
    gm_counting *counting = gm_arena_take_zeroed(forming->keep, sizeof *counting);
    uint32_t *radix = GM_ARENA_NEW(forming->keep, uint32_t, m->count_count);
    uint8_t *exact = GM_ARENA_NEW(forming->keep, uint8_t, m->count_count);
    uint64_t states = 1;
    if (counting == NULL || radix == NULL || exact == NULL)
        return gm_no_memory(forming->error);
    for (uint32_t i = 0; i < m->count_count; i++) {
        const gm_expression_node *count = &m->counts[i];
        exact[i] = count->as.contains.most != GM_UNBOUNDED;
        const uint64_t top = exact[i] ? count->as.contains.most : count->as.contains.least;
        if (top >= MAX_COUNT_CELLS || (states *= top + 1) * (m->record->prefix_count + 1) * sets > MAX_COUNT_CELLS)
            return refuse(m, "the bounds on how many items satisfy a schema are too large");
        radix[i] = (uint32_t)top + 1;
    }
    uint32_t *next = GM_ARENA_NEW(forming->keep, uint32_t, states * sets);
    uint8_t *suffices = GM_ARENA_NEW(forming->keep, uint8_t, states);
    if (next == NULL || suffices == NULL)
        return gm_no_memory(forming->error);
    for (uint32_t state = 0; state < states; state++) {
        uint32_t left = state;
        suffices[state] = 1;
        for (uint32_t i = 0; i < m->count_count; left /= radix[i++])
            suffices[state] = suffices[state] && left % radix[i] >= m->counts[i].as.contains.least;
        for (uint32_t served = 0; served < sets; served++)
            next[(size_t)state * sets + served] = progress_behind(m, radix, state, served);
    }
    *counting = (gm_counting){.obligations = m->count_count,
                              .states = (uint32_t)states,
                              .next = next,
                              .suffices = suffices,
                              .exact = exact,
                              .radix = radix};
    m->record->counting = counting;
    return gm_forming_spend(forming, states * sets);
}

gm_status gm_form_array_record(gm_forming *forming, const gm_conjunct *conjunct, gm_array_thread *record)
{
    merging m = {.forming = forming, .conjunct = conjunct, .record = record};
    *record = (gm_array_thread){.most = GM_UNBOUNDED};
    GM_TRY(collect(&m));
    GM_TRY(ask_items(&m));
    return m.count_count != 0 ? count_items(&m) : GM_OK;
}
