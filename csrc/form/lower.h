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
/* Sorts by bytes. */
void gm_form_sort_names(gm_bytes *names, size_t count);

#endif
