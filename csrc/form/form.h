/*
 * form/form.h - from a schema graph to what is asked of places: formulas, threads, profiles.
 *
 * A formula is what a parent asks of a place ("schema A and schema B hold here"). Its profile says
 * what that means for each JSON type: a list of alternatives, each a thread, a conjunction merged
 * into one record. A value satisfies a formula if and only if it satisfies one thread of its type.
 *
 *   schema node --lower--> typed expressions --disjunctive form--> threads --fixpoint--> inhabited
 *
 * All formulas that can be asked of any place in any document are made, profiled and decided by
 * gm_form_compile; afterwards the form is immutable and read by any number of threads. So nothing
 * can be refused while a document is generated. Threads that no value satisfies are dropped: every
 * thread of a finished profile is inhabited.
 *
 * What outlives the compile call is in the `keep` arena; expressions and documents are scratch.
 * Knows nothing of bytes or tokens.
 */
#ifndef GM_FORM_FORM_H
#define GM_FORM_FORM_H

#include "form/alphabet.h"
#include "lex/number.h"
#include "lex/text.h"
#include "schema/schema.h"

typedef uint32_t gm_formula;

enum {
    GM_FORMULA_FALSE = 0, /* no value */
    GM_FORMULA_TRUE = 1   /* every value */
};

#define GM_ORDER_NONE UINT32_MAX
#define GM_UNBOUNDED UINT64_MAX

/* Strings of `term` whose length in code points is in least..most. Bounds that the term implies by
 * itself are 0 and GM_UNBOUNDED, so that no register is needed. */
typedef struct gm_text_thread {
    gm_term term;
    uint64_t least;
    uint64_t most;
} gm_text_thread;

/* Obligations are what some member or item must satisfy beside what is asked of all: "some member is
 * not as that map asks", `contains`. A member serves a set of them, given as bits; what is then asked
 * of it is more than what is asked of one that serves none. How far a thread has come is its progress:
 * of objects, the set of obligations met; of arrays, the counts, as one number. */
enum { GM_MAX_OBLIGATIONS = 5 };

typedef struct gm_name {
    gm_bytes text;             /* decoded UTF-8 */
    gm_formula formula;        /* asked of its value */
    const gm_formula *serving; /* asked if it serves obligations: by their set, less one; NULL without any */
    uint32_t order;            /* place in the declared sequence, or GM_ORDER_NONE */
    bool required;
} gm_name;

/* Names outside the list of a thread that are asked the same: those of a content term. The terms of
 * a thread's families are settled, share no string and hold none of its listed names. */
typedef struct gm_family {
    gm_term term;
    gm_formula formula;
    const gm_formula *serving;
} gm_family;

static inline gm_formula gm_formula_for(gm_formula formula, const gm_formula *serving, uint32_t served)
{
    return served == 0 ? formula : serving[served - 1];
}

typedef struct gm_object_thread {
    uint32_t name_count;
    const gm_name *names;          /* sorted by text: every name that is treated apart from the rest */
    uint32_t order_count;          /* names declared by `properties` */
    const uint32_t *order;         /* declared sequence: indices into names */
    const uint32_t *next_required; /* order_count + 1: first required place at or after, or GM_ORDER_NONE */
    gm_formula rest;               /* asked of the value of every other name, if there are no families */
    const gm_formula *rest_serving;
    uint32_t family_count;
    const gm_family *families; /* NULL: every other name is like any other */
    uint64_t least, most;      /* members */
    uint32_t obligations;      /* how many */
    bool inhabited;            /* some value satisfies it; so of every thread in a finished profile */
    bool endless;              /* infinitely many do */
} gm_object_thread;

/* Whether members to come can meet what is unmet (bits), at most `room` of them beyond the required ones.
 * `usable` tells whether a listed name (by index) may still be taken and whether what is asked of it
 * has a value; GM_ORDER_NONE is any other name, of which there is no end. */
typedef bool (*gm_usable)(const void *context, uint32_t name, gm_formula formula);
bool gm_object_can_meet(const gm_object_thread *thread, uint32_t unmet, uint64_t room, gm_usable usable,
                        const void *context);

/* How many items satisfy what `contains` counts is bounded: the counts up to where they cease to
 * matter, as one number below `states`. */
typedef struct gm_counting {
    uint32_t obligations;
    uint32_t states;
    const uint32_t *next;    /* states by 1 << obligations: the progress behind an item, or GM_COUNT_DEAD */
    const uint8_t *suffices; /* by state: what the counts have to reach is reached */
    const uint8_t *exact;    /* by obligation: has an upper bound */
    const uint32_t *radix;   /* by obligation: its counts are 0..radix-1 */
    /* by position (those behind the prefix are one) and state: how many more items there must and may be */
    const uint64_t *fewest; /* UINT64_MAX: no number will do */
    const uint64_t *greatest;
} gm_counting;

#define GM_COUNT_DEAD UINT32_MAX

typedef struct gm_array_thread {
    uint32_t prefix_count;   /* positions that are treated apart */
    const gm_formula *asked; /* of items, by position (prefix_count: all others) and set of obligations served */
    uint64_t least;
    uint64_t most;
    const gm_counting *counting; /* NULL without obligations */
    bool unique;                 /* no two items are equal */
    bool inhabited, endless;     /* as of objects */
} gm_array_thread;

static inline uint32_t gm_array_position(const gm_array_thread *thread, uint64_t index)
{
    return index < thread->prefix_count ? (uint32_t)index : thread->prefix_count;
}
static inline uint32_t gm_array_sets(const gm_array_thread *thread)
{
    return thread->counting != NULL ? 1u << thread->counting->obligations : 1;
}
static inline gm_formula gm_array_item(const gm_array_thread *thread, uint64_t index, uint32_t served)
{
    return thread->asked[(size_t)gm_array_position(thread, index) * gm_array_sets(thread) + served];
}
/* Takes the item at an index: what is asked of it if it serves the given obligations, FALSE if the array
 * could not be completed behind it; *progress becomes the progress behind it. */
gm_formula gm_array_take(const gm_array_thread *thread, uint64_t index, uint32_t served, uint32_t *progress);
/* Whether an array of so many items with that progress can be completed, and whether it is complete. */
bool gm_array_can_end(const gm_array_thread *thread, uint64_t count, uint32_t progress);
bool gm_array_may_end(const gm_array_thread *thread, uint64_t count, uint32_t progress);
/* Whether whatever is accepted from progress b is from a too. */
bool gm_array_dominates(const gm_array_thread *thread, uint32_t a, uint32_t b);

typedef struct gm_profile {
    bool inhabited; /* some value satisfies the formula */
    bool endless;   /* infinitely many do; decided only where some array is unique */
    bool null, yes, no;
    const char *pointer; /* a part of the schema that asks this; "" for constants and `true` */
    uint32_t text_count, number_count, object_count, array_count;
    const gm_text_thread *texts;
    const gm_number_language *numbers;
    const gm_object_thread *const *objects;
    const gm_array_thread *const *arrays;
} gm_profile;

typedef struct gm_form {
    gm_property_order property_order;
    gm_formula root;
    uint32_t formula_count;
    gm_profile *const *profiles; /* by formula; NULL for one that no place can ask */
    uint64_t work;               /* units spent */
    uint32_t node_count;
    uint32_t thread_count;
} gm_form;

typedef struct gm_form_stores {
    gm_text *text;
    gm_number *number;
    const gm_alphabet *alphabet;
} gm_form_stores;

/* Lowers, profiles and decides all that is reachable from the root. `form` and all it points to is
 * in `keep`; `scratch` may be dropped afterwards, `schema` closed. */
gm_status gm_form_compile(gm_arena *keep, gm_arena *scratch, gm_schema *schema, gm_node root, gm_form_stores stores,
                          const gm_schema_options *options, const gm_limits *limits, const gm_form **form,
                          gm_error *error);

static inline const gm_profile *gm_form_profile(const gm_form *form, gm_formula formula)
{
    return form->profiles[formula];
}

#endif
