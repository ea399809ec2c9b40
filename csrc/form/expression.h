/*
 * form/expression.h - the two languages of lowering, both interned.
 *
 * Formulas say what is asked of a place, whatever its type; their atoms are schema nodes and
 * constants. Expressions say what that means for one JSON type; their atoms are constraints of that
 * type. Both are built bottom up with the smart constructors below: unit and zero are absorbed,
 * nested conjunctions and disjunctions flattened, repetitions dropped. The order of operands is
 * kept, because the declared order of names depends on it.
 *
 * The height of an expression is bounded by the limit on nesting, so walking one may recurse.
 * Owner: the compile call, in its scratch arena.
 */
#ifndef GM_FORM_EXPRESSION_H
#define GM_FORM_EXPRESSION_H

#include "base/array.h"
#include "base/table.h"
#include "form/form.h"

typedef enum gm_type {
    GM_TYPE_NULL,
    GM_TYPE_BOOLEAN,
    GM_TYPE_NUMBER,
    GM_TYPE_STRING,
    GM_TYPE_ARRAY,
    GM_TYPE_OBJECT,
    GM_TYPE_COUNT
} gm_type;

typedef uint32_t gm_expression;

enum { GM_EXPRESSION_FALSE = 0, GM_EXPRESSION_TRUE = 1 };

typedef enum gm_expression_kind {
    GM_EXPRESSION_UNIT, /* FALSE and TRUE */
    GM_EXPRESSION_AND,
    GM_EXPRESSION_OR,
    GM_EXPRESSION_ONE,     /* exactly one operand holds */
    GM_EXPRESSION_NOT_ONE, /* none does, or two */
    GM_EXPRESSION_CLOSED,  /* the one operand holds, and what it leaves unevaluated satisfies a formula */
    GM_EXPRESSION_NOT_CLOSED,
    /* atoms */
    GM_ATOM_UNKNOWN, /* cannot be enforced, nor its complement: false or true in the end, as the caller asked */
    GM_ATOM_IS_TRUE, /* boolean: the value is true (count 1) or false (count 0) */
    GM_ATOM_NUMBER,  /* one number keyword: `part` of constraint */
    GM_ATOM_TEXT,    /* string: content in term */
    GM_ATOM_LENGTH,  /* string: code points, array: items, object: members; in least..most */
    GM_ATOM_MEMBERS, /* object: formulas by name, and for the rest */
    GM_ATOM_REQUIRED,
    GM_ATOM_NAMES, /* object: every name satisfies a formula */
    GM_ATOM_SOME,  /* object: some member is not as a map (`members`) asks */
    GM_ATOM_ITEMS,
    GM_ATOM_CONTAINS, /* array: how many items behind `from` satisfy a formula is in least..most */
    GM_ATOM_UNIQUE    /* array: no two items are equal */
} gm_expression_kind;

typedef enum gm_number_part {
    GM_NUMBER_AT_LEAST,
    GM_NUMBER_ABOVE,
    GM_NUMBER_AT_MOST,
    GM_NUMBER_BELOW,
    GM_NUMBER_MULTIPLE,
    GM_NUMBER_NO_MULTIPLE,
    GM_NUMBER_INTEGER,
    GM_NUMBER_NO_INTEGER,
    GM_NUMBER_WHOLE_TEXT,  /* an integer by its spelling: no fraction, no exponent (draft 4) */
    GM_NUMBER_MARKED_TEXT, /* none by its spelling: a fraction or an exponent */
    GM_NUMBER_VALUES,
    GM_NUMBER_EXCLUDED /* none of these values */
} gm_number_part;

typedef struct gm_member {
    gm_bytes name;
    gm_formula formula;
} gm_member;

typedef struct gm_pattern_member {
    gm_term pattern;
    gm_formula formula;
} gm_pattern_member;

typedef struct gm_expression_node {
    gm_expression_kind kind;
    uint32_t height;
    uint32_t count; /* operands, or entries of an atom's list */
    bool is_subset; /* TEXT: less than the keyword allows; so neither negated nor proof that something is excluded */
    union {
        const gm_expression *operands;
        struct {
            const gm_expression *operand;
            gm_formula rest;
        } closed;
        struct {
            gm_number_part part;
            const gm_bytes *texts; /* count of them */
        } number;
        gm_term term;
        struct {
            uint64_t least, most;
        } length;
        struct {
            const gm_member *list;  /* in declared order */
            const uint32_t *sorted; /* indices into list, by name */
            const gm_pattern_member *patterns;
            uint32_t pattern_count;
            gm_formula rest;
            gm_formula names; /* SOME: not TRUE = instead of a map, "all names are among its strings" */
            bool is_open;     /* no additionalProperties: other names stay unevaluated */
            bool declares;    /* the names have a place in the declared order */
            bool evaluates;   /* what it speaks of is evaluated: not so for constants and complements */
        } members;
        const gm_bytes *names; /* REQUIRED: sorted */
        gm_formula names_formula;
        struct {
            const gm_formula *prefix;
            gm_formula rest;
            bool is_open; /* no schema for the rest: other items stay unevaluated */
            bool evaluates;
        } items;
        struct {
            gm_formula formula;
            uint32_t from; /* items before do not count */
            uint64_t least, most;
            bool evaluates; /* the items that satisfy it are evaluated */
        } contains;
    } as;
} gm_expression_node;

typedef struct gm_typed {
    gm_expression of[GM_TYPE_COUNT];
} gm_typed;

typedef enum gm_formula_kind {
    GM_FORMULA_UNIT, /* FALSE and TRUE */
    GM_FORMULA_NODE,
    GM_FORMULA_CONSTANT,
    GM_FORMULA_AND,
    GM_FORMULA_NOT /* of any other: one operand */
} gm_formula_kind;

typedef struct gm_formula_node {
    gm_formula_kind kind;
    uint32_t count;
    bool expanded;
    uint8_t hopeless[2]; /* 0 not asked, 1 no, 2 plainly has no value; [1]: as proofs see it */
    gm_typed typed;      /* valid if expanded */
    union {
        gm_node node;
        const gm_json *constant;
        const gm_formula *operands;
    } as;
} gm_formula_node;

typedef struct gm_lowered { /* of a schema node */
    uint8_t state;          /* 0 new, 1 on the stack, 2 done */
    gm_typed typed;
} gm_lowered;

typedef struct gm_complement { /* known: of an expression of one type */
    gm_type type;
    gm_expression of, is;
} gm_complement;

/* Everything that one compile call works in. */
typedef struct gm_forming {
    gm_arena *keep;
    gm_arena *scratch;
    gm_schema *schema;
    gm_form_stores stores;
    const gm_schema_options *options;
    const gm_limits *limits;
    gm_error *error;
    uint64_t work;
    GM_ARRAY(gm_expression_node) expressions;
    gm_table expression_table;
    GM_ARRAY(gm_formula_node) formulas;
    gm_table formula_table;
    GM_ARRAY(gm_lowered) lowered;   /* by schema node */
    bool is_proving;                /* what excludes what: atoms that are subsets do not count */
    gm_expression beside;           /* stands beside what is multiplied out, and tells early what has no value */
    gm_expression integer_atoms[2]; /* INTEGER and WHOLE_TEXT, once made; else FALSE */
    gm_expression unique_atom;      /* likewise */
    GM_ARRAY(gm_complement) complements;
    gm_table complement_table;
    bool tracks_evaluation; /* some keyword may ask what was evaluated */
    bool separates_ways;    /* complements are alternatives that exclude each other */
    bool is_again;          /* not the first pass: notes may be there already */
    bool has_too_many;      /* alternatives for one place: why the compile call failed */
    gm_node blame;          /* the node under way, for messages */
    gm_keyword negating;    /* the keyword that asks for a complement, for notes; GM_KW_COUNT: none of its own */
    uint32_t thread_count;
} gm_forming;

gm_status gm_forming_init(gm_forming *forming);
void gm_forming_destroy(gm_forming *forming);
/* Spends work; GM_LIMIT when the budget is gone. */
gm_status gm_forming_spend(gm_forming *forming, uint64_t units);

/* `list` is copied. Results: FALSE, TRUE, an operand, or an interned node. */
gm_status gm_expression_and(gm_forming *forming, const gm_expression *list, size_t count, gm_expression *out);
gm_status gm_expression_or(gm_forming *forming, const gm_expression *list, size_t count, gm_expression *out);
/* Exactly one of the operands, in order; kept as it is until its alternatives are asked for, since
 * proofs that they exclude each other must not run during lowering. */
gm_status gm_expression_one(gm_forming *forming, const gm_expression *list, size_t count, gm_expression *out);
/* The complement of a ONE or NOT_ONE. */
gm_status gm_expression_not_one(gm_forming *forming, gm_expression one, gm_expression *out);
gm_status gm_expression_closed(gm_forming *forming, gm_expression operand, gm_formula rest, gm_expression *out);
/* The complement of a CLOSED or NOT_CLOSED. */
gm_status gm_expression_not_closed(gm_forming *forming, gm_expression closed, gm_expression *out);
gm_status gm_expression_atom(gm_forming *forming, const gm_expression_node *atom, gm_expression *out);

gm_status gm_formula_and(gm_forming *forming, const gm_formula *list, size_t count, gm_formula *out);
gm_status gm_formula_not(gm_forming *forming, gm_formula formula, gm_formula *out);
gm_status gm_formula_or(gm_forming *forming, const gm_formula *list, size_t count, gm_formula *out);
gm_status gm_formula_of_node(gm_forming *forming, gm_node node, gm_formula *out);
gm_status gm_formula_of_constant(gm_forming *forming, const gm_json *value, gm_formula *out);

/* negate.c: the complement, pushed to the atoms; *possible is false if it cannot be said by positive
 * atoms, and *out is then unset. */
gm_status gm_expression_not(gm_forming *forming, gm_type type, gm_expression expression, bool *possible,
                            gm_expression *out);

/* lower.c: the typed expressions of a formula. */
gm_status gm_form_expand(gm_forming *forming, gm_formula formula, gm_typed *typed);
/* constant.c: the typed expressions of "equals one of these values". */
gm_status gm_form_lower_constants(gm_forming *forming, const gm_json *const *values, size_t count, gm_typed *typed);

/* blame.c, for messages. The node of a formula, of several the first; the present one if there is none. */
gm_node gm_form_node_of(const gm_forming *forming, gm_formula formula);
/* The keyword of the node to blame that most likely is at fault: the guess if it stands there (GM_KW_COUNT: no
 * guess); GM_KW_COUNT if none is. */
typedef enum gm_fault { GM_FAULT_TEXT, GM_FAULT_ALTERNATIVES, GM_FAULT_COMPLEMENT } gm_fault;
gm_keyword gm_form_culprit(const gm_forming *forming, gm_keyword guess, gm_fault fault);
#endif
