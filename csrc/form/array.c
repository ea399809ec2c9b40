/*
 * form/array.c - one alternative of an array, merged into a record: bounds intersected, the formula of
 * a position the conjunction of what every atom asks of it.
 */
#include "form/disjunction.h"

static const gm_expression_node *atom_of(gm_forming *forming, const gm_conjunct *conjunct, uint32_t i)
{
    return &forming->expressions.items[conjunct->atoms[i]];
}

gm_status gm_form_array_record(gm_forming *forming, const gm_conjunct *conjunct, gm_array_thread *record)
{
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
    while (record->prefix_count > 0 && prefix[record->prefix_count - 1] == record->rest)
        record->prefix_count--;
    record->prefix = prefix;
    return GM_OK;
}
