/*
 * form/family.h - names by pattern: which other names a thread treats alike.
 */
#ifndef GM_FORM_FAMILY_H
#define GM_FORM_FAMILY_H

#include "form/disjunction.h"

/* What an object's atoms say about names by their text. */
typedef struct gm_naming {
    gm_term allowed;                 /* by propertyNames */
    const gm_expression_node **maps; /* its MEMBERS atoms */
    uint32_t map_count;
    bool by_text; /* patterns or propertyNames occur */
} gm_naming;

gm_status gm_naming_of(gm_forming *forming, const gm_conjunct *conjunct, gm_naming *naming);
/* The families of all names but the given ones (sorted). Those with few names are told apart in
 * *listed instead, sorted. */
gm_status gm_naming_families(gm_forming *forming, const gm_naming *naming, const gm_bytes *names, uint32_t count,
                             gm_object_thread *record, gm_member **listed, uint32_t *listed_count);
/* The formula of a name in a map: of the map's own list if it is there, and of matching patterns;
 * else the rest. `own` is GM_FORMULA_TRUE with listed false if the list does not hold it. */
gm_status gm_naming_in_map(gm_forming *forming, const gm_expression_node *map, gm_bytes name, bool listed,
                           gm_formula own, gm_formula *formula);

#endif
