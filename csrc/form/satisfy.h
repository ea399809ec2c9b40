/*
 * form/satisfy.h - the decision which formulas have a value.
 */
#ifndef GM_FORM_SATISFY_H
#define GM_FORM_SATISFY_H

#include "form/expression.h"

/* Profiles, in `keep` and by formula, of all that is reachable from the root; GM_UNSATISFIABLE with
 * the pointer of a part to blame. Formulas that mean the same become one, *root among them. */
gm_status gm_form_decide(gm_forming *forming, gm_formula *root, gm_profile *const **profiles, size_t *count);

#endif
