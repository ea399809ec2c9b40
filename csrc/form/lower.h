/*
 * form/lower.h - small things that lowering keywords and lowering constants share.
 */
#ifndef GM_FORM_LOWER_H
#define GM_FORM_LOWER_H

#include "form/expression.h"

/* A non-negative integer of a schema, clamped far above any length that a document can have. */
uint64_t gm_form_count_of(const gm_json *number);
/* Indices of a member list by name; NULL when out of memory. */
const uint32_t *gm_form_sort_members(gm_arena *arena, const gm_member *list, uint32_t count);
/* All names of a list must be there; a name must not. */
gm_status gm_form_require(gm_forming *forming, const gm_json *names, gm_expression *out);
gm_status gm_form_forbid(gm_forming *forming, gm_bytes name, gm_expression *out);
/* A name, if it is there, has a value of the formula; not a declaration. */
gm_status gm_form_constrain(gm_forming *forming, gm_bytes name, gm_formula formula, gm_expression *out);
/* Sorts by bytes. */
void gm_form_sort_names(gm_bytes *names, size_t count);

#endif
