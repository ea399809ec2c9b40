/*
 * form/obligation.h - obligations of threads at compile; what matchers ask is in form.h.
 */
#ifndef GM_FORM_OBLIGATION_H
#define GM_FORM_OBLIGATION_H

#include "form/expression.h"

/* Fills counting->fewest and ->greatest of an array thread with obligations, in `arena`. *is_regular is
 * false if the numbers of items that may follow are not a range somewhere: it cannot be decided then. */
gm_status gm_form_look_ahead(gm_forming *forming, gm_array_thread *thread, gm_usable usable, const void *context,
                             gm_arena *arena, bool *is_regular);

#endif
