/*
 * form/listing.h - private to domains: the values of a formula that has finitely many, as canonical texts.
 */
#ifndef GM_FORM_LISTING_H
#define GM_FORM_LISTING_H

#include "form/domain.h"

#include <stdlib.h>

struct gm_domain {
    GM_ARRAY(gm_bytes) values; /* all different; canonical as gm_json_canonical writes them. Items are in scratch */
    bool is_whole;             /* there are no others */
    bool is_listed;
    size_t limit; /* up to which it was listed */
};

/* At least `limit` values of an inhabited formula, or all if there are fewer; or fewer, with is_whole false, if they
 * are not of a kind that is listed. Formulas that have infinitely many values are not asked. */
gm_status gm_domain_list(gm_domains *domains, gm_formula formula, size_t limit, const gm_domain **domain);

#endif
