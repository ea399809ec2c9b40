/*
 * form/family.h - names by pattern: which other names a thread treats alike.
 */
#ifndef GM_FORM_FAMILY_H
#define GM_FORM_FAMILY_H

#include "form/disjunction.h"

/* What an object's atoms say about names by their text. */
typedef struct gm_naming {
    gm_term allowed;                  /* by propertyNames */
    const gm_expression_node **maps;  /* its MEMBERS atoms */
    const gm_expression_node **somes; /* its SOME atoms: each an obligation */
    uint32_t map_count, some_count;
    bool by_text; /* patterns or propertyNames occur */
} gm_naming;

/* What is asked of a name, and what if it serves obligations (see gm_name). */
typedef struct gm_asking {
    gm_formula formula;
    const gm_formula *serving;
} gm_asking;

typedef struct gm_listed {
    gm_bytes name;
    gm_asking asking;
} gm_listed;

gm_status gm_naming_of(gm_forming *forming, const gm_conjunct *conjunct, gm_naming *naming);
/* The families of all names but the given ones (sorted). Those with few names are told apart in
 * *listed instead, sorted. */
gm_status gm_naming_families(gm_forming *forming, const gm_naming *naming, const gm_bytes *names, uint32_t count,
                             gm_object_thread *record, gm_listed **listed, uint32_t *listed_count);
/* From what each map and each SOME atom asks of a name: a member serves an obligation if it is not as
 * the atom's map asks. `serving` is in `keep`. */
gm_status gm_naming_ask(gm_forming *forming, const gm_naming *naming, const gm_formula *by_map,
                        const gm_formula *by_some, gm_asking *out);
static inline bool gm_asking_equal(const gm_naming *naming, gm_asking a, gm_asking b)
{
    const size_t more = ((size_t)1 << naming->some_count) - 1;
    return a.formula == b.formula && (more == 0 || memcmp(a.serving, b.serving, more * sizeof *a.serving) == 0);
}
/* The formula of a name in a map: of the map's own list if it is there, and of matching patterns;
 * else the rest. `own` is GM_FORMULA_TRUE with listed false if the list does not hold it. */
gm_status gm_naming_in_map(gm_forming *forming, const gm_expression_node *map, gm_bytes name, bool listed,
                           gm_formula own, gm_formula *formula);

#endif
