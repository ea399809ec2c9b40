/*
 * form/domain.h - how many values formulas have, as far as unique arrays ask.
 *
 * Whether a unique array can have the items that it needs, and whether an item half read can still become one that
 * is not there yet, depends on the number of values. Infinitely many are told from finitely many exactly: a formula
 * has infinitely many if some scalar, name or length of it has, or if it can be met again inside itself. Finitely
 * many are listed, up to a bound, as canonical texts; so alternatives may overlap.
 *
 * Everything here is relative to the threads that are marked as inhabited. Works in the compile call's scratch.
 */
#ifndef GM_FORM_DOMAIN_H
#define GM_FORM_DOMAIN_H

#include "form/expression.h"

enum { GM_MAX_LISTED = 4096 }; /* different values that a finite domain may be asked for */

typedef enum gm_supply {
    GM_SUPPLY_ENOUGH, /* whatever the first items are, the others can be found */
    GM_SUPPLY_SHORT,  /* there are not so many different values */
    GM_SUPPLY_UNSURE  /* some first items may leave too few; or there are too many to list */
} gm_supply;

typedef struct gm_domain gm_domain; /* what is known of one formula's values */

typedef struct gm_domains {
    gm_forming *forming;
    gm_profile *const *profiles; /* by formula */
    size_t count;
    gm_domain *known; /* by formula */
} gm_domains;

/* Marks the profiles and threads that have infinitely many values; forgets what was listed. */
gm_status gm_domains_find_endless(gm_domains *domains);
/* Whether a unique array finds its least items. A prefix that cannot be filled bounds thread->most. */
gm_status gm_domains_supply(gm_domains *domains, gm_array_thread *thread, gm_supply *supply);

#endif
