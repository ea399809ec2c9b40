/*
 * form/disjunction.h - an expression as a list of alternatives, each a conjunction of atoms.
 */
#ifndef GM_FORM_DISJUNCTION_H
#define GM_FORM_DISJUNCTION_H

#include "form/expression.h"

typedef struct gm_conjunct {
    const gm_expression *atoms; /* distinct, in the order of the expression's operands */
    uint32_t count;
} gm_conjunct;

typedef GM_ARRAY(gm_conjunct) gm_alternatives;

/* Appends the alternatives of an expression; the caller frees the list. GM_LIMIT beyond max_threads. */
gm_status gm_form_alternatives(gm_forming *forming, gm_type type, gm_expression expression, gm_alternatives *out);

/* Whether a formula plainly has no value: no container alternative is left and its scalars are
 * decided to be empty. Never true for a formula that has one. */
gm_status gm_form_is_hopeless(gm_forming *forming, gm_formula formula, bool *hopeless);

/* exclusive.c: "exactly one" (or its complement) as an expression without it, given what stands beside. */
gm_status gm_form_resolve_one(gm_forming *forming, gm_type type, gm_expression one, gm_expression context,
                              gm_expression *out);
/* discriminate.c: sets excludes[i * count + j] for the alternatives of a ONE that constants tell apart. */
gm_status gm_form_discriminate(gm_forming *forming, gm_type type, const gm_expression_node *one, gm_expression context,
                               bool *excludes);
/* Whether expressions of one type plainly have no common value: a proof, never a guess. */
gm_status gm_form_excludes(gm_forming *forming, gm_type type, const gm_expression *parts, size_t count, bool *excludes);

/* Whether an expression evaluates names or items where it holds. */
bool gm_form_evaluates(const gm_forming *forming, gm_expression expression);

/* Which booleans an expression allows. */
gm_status gm_form_booleans(gm_forming *forming, gm_expression expression, bool *yes, bool *no);

/* scalar.c: threads of scalar types; lists are in scratch. Empty languages are left out. */
gm_status gm_form_text_threads(gm_forming *forming, gm_expression expression, gm_text_thread **threads,
                               uint32_t *count);
gm_status gm_form_number_threads(gm_forming *forming, gm_expression expression, gm_number_language **threads,
                                 uint32_t *count);

/* object.c, array.c: one alternative merged into a record in `keep`. */
gm_status gm_form_object_record(gm_forming *forming, const gm_conjunct *conjunct, gm_object_thread *record);
gm_status gm_form_array_record(gm_forming *forming, const gm_conjunct *conjunct, gm_array_thread *record);

#endif
