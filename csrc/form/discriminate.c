/*
 * form/discriminate.c - alternatives told apart by constants, all at once.
 *
 * Most choices are among objects that each require a member with values of their own ("kind": "circle"),
 * or among constants. Two alternatives exclude each other if some member that both require has finite sets
 * of values without one in common; at the place itself likewise, for strings and numbers. All values of all
 * alternatives are sorted once, so that a choice of hundreds costs no proof for each pair.
 */
#include "form/disjunction.h"

#include <stdlib.h>

typedef struct claim { /* an alternative allows this value of the member, and none that it does not claim */
    gm_bytes name;     /* of the member; "" also for the place itself */
    gm_bytes value;    /* a string, or the canonical text of a number */
    bool is_number;
    uint32_t alternative;
} claim;

typedef struct claiming {
    gm_forming *forming;
    GM_ARRAY(claim) claims;
} claiming;

static int compare_names(const claim *x, const claim *y) { return gm_bytes_compare(x->name, y->name); }

static int compare_values(const claim *x, const claim *y)
{
    const int order = compare_names(x, y);
    return order != 0                     ? order
           : x->is_number != y->is_number ? x->is_number - y->is_number
                                          : gm_bytes_compare(x->value, y->value);
}

static int compare_claims(const void *a, const void *b)
{
    const claim *x = a, *y = b;
    const int order = compare_values(x, y);
    return order != 0 ? order : (x->alternative > y->alternative) - (x->alternative < y->alternative);
}

static gm_status add(claiming *c, claim one)
{
    return GM_ARRAY_PUSH(&c->forming->scratch->allocator, &c->claims, one) ? GM_OK : gm_no_memory(c->forming->error);
}

/* The values of one atom, if it is a list of them. */
static gm_status claim_atom(claiming *c, gm_type type, const gm_expression_node *atom, gm_bytes name,
                            uint32_t alternative, bool *found)
{
    gm_forming *forming = c->forming;
    const gm_bytes *strings;
    size_t count;
    *found = false;
    if (type == GM_TYPE_NUMBER && atom->kind == GM_ATOM_NUMBER && atom->as.number.part == GM_NUMBER_VALUES) {
        for (uint32_t i = 0; i < atom->count; i++) {
            const gm_json number = {.kind = GM_JSON_NUMBER, .as.text = atom->as.number.texts[i]};
            claim one = {name, {NULL, 0}, true, alternative};
            if (gm_json_canonical(forming->scratch, &number, &one.value) != GM_OK)
                return gm_no_memory(forming->error);
            GM_TRY(add(c, one));
        }
        *found = true;
    } else if (type == GM_TYPE_STRING && atom->kind == GM_ATOM_TEXT &&
               gm_text_list_constants(forming->stores.text, atom->as.term, &strings, &count)) {
        for (size_t i = 0; i < count; i++)
            GM_TRY(add(c, (claim){name, strings[i], false, alternative}));
        *found = true;
    }
    return GM_OK;
}

/* The values of an expression of a scalar type, if one of its conjuncts lists them. */
static gm_status claim_scalar(claiming *c, gm_type type, gm_expression expression, gm_bytes name, uint32_t alternative,
                              bool *found)
{
    const gm_expression_node node = c->forming->expressions.items[expression];
    if (node.kind != GM_EXPRESSION_AND)
        return claim_atom(c, type, &node, name, alternative, found);
    *found = false;
    for (uint32_t i = 0; i < node.count && !*found; i++) {
        const gm_expression_node atom = c->forming->expressions.items[node.as.operands[i]];
        GM_TRY(claim_atom(c, type, &atom, name, alternative, found));
    }
    return GM_OK;
}

/* The values of a member, if strings or numbers of a list are all it may be. */
static gm_status claim_member(claiming *c, gm_bytes name, gm_formula formula, uint32_t alternative)
{
    gm_typed typed;
    bool found = true;
    const size_t before = c->claims.count;
    GM_TRY(gm_form_expand(c->forming, formula, &typed));
    for (int type = 0; type < GM_TYPE_COUNT && found; type++) {
        if (typed.of[type] == GM_EXPRESSION_FALSE)
            continue;
        found = type == GM_TYPE_STRING || type == GM_TYPE_NUMBER;
        if (found)
            GM_TRY(claim_scalar(c, (gm_type)type, typed.of[type], name, alternative, &found));
    }
    if (!found)
        c->claims.count = before;
    return gm_forming_spend(c->forming, 1 + c->claims.count - before);
}

/* The conjuncts of an expression: its operands, or itself. */
static uint32_t conjuncts_of(const gm_forming *forming, const gm_expression *expression, const gm_expression **list)
{
    const gm_expression_node *node = &forming->expressions.items[*expression];
    *list = node->kind == GM_EXPRESSION_AND ? node->as.operands : expression;
    return node->kind == GM_EXPRESSION_AND ? node->count : 1;
}

static bool is_required(const gm_forming *forming, const gm_expression *list, uint32_t count, gm_bytes name)
{
    for (uint32_t i = 0; i < count; i++) {
        const gm_expression_node *atom = &forming->expressions.items[list[i]];
        for (uint32_t j = 0; atom->kind == GM_ATOM_REQUIRED && j < atom->count; j++)
            if (gm_bytes_equal(atom->as.names[j], name))
                return true;
    }
    return false;
}

static gm_status claim_object(claiming *c, const gm_expression *alternative, const gm_expression *context,
                              uint32_t index)
{
    const gm_expression *own, *beside;
    const uint32_t own_count = conjuncts_of(c->forming, alternative, &own);
    const uint32_t beside_count = conjuncts_of(c->forming, context, &beside);
    for (uint32_t i = 0; i < own_count; i++) {
        const gm_expression_node atom = c->forming->expressions.items[own[i]];
        for (uint32_t j = 0; atom.kind == GM_ATOM_MEMBERS && j < atom.count; j++) {
            const gm_member member = atom.as.members.list[j];
            const gm_formula_kind kind = c->forming->formulas.items[member.formula].kind;
            if ((kind == GM_FORMULA_NODE || kind == GM_FORMULA_CONSTANT) &&
                (is_required(c->forming, own, own_count, member.name) ||
                 is_required(c->forming, beside, beside_count, member.name)))
                GM_TRY(claim_member(c, member.name, member.formula, index));
        }
    }
    return gm_forming_spend(c->forming, own_count + beside_count);
}

/* All claims on one member: of two alternatives with none in common, each excludes the other. */
static gm_status compare_group(const claiming *c, size_t first, size_t end, uint32_t count, bool *excludes)
{
    const claim *claims = c->claims.items;
    uint32_t *who = GM_ARENA_NEW(c->forming->scratch, uint32_t, end - first);
    bool *shares = GM_ARENA_NEW(c->forming->scratch, bool, (size_t)count *count);
    bool *has = GM_ARENA_NEW(c->forming->scratch, bool, count);
    uint32_t found = 0;
    if (who == NULL || shares == NULL || has == NULL)
        return gm_no_memory(c->forming->error);
    for (size_t i = first; i < end; i++) {
        if (!has[claims[i].alternative])
            who[found++] = claims[i].alternative;
        has[claims[i].alternative] = true;
        for (size_t j = i; j-- > first && compare_values(&claims[i], &claims[j]) == 0;)
            shares[(size_t)claims[i].alternative * count + claims[j].alternative] =
                shares[(size_t)claims[j].alternative * count + claims[i].alternative] = true;
    }
    for (uint32_t i = 0; i < found; i++)
        for (uint32_t j = 0; j < i; j++)
            if (!shares[(size_t)who[i] * count + who[j]])
                excludes[(size_t)who[i] * count + who[j]] = excludes[(size_t)who[j] * count + who[i]] = true;
    return gm_forming_spend(c->forming, (uint64_t)found * found / 64 + (end - first));
}

gm_status gm_form_discriminate(gm_forming *forming, gm_type type, const gm_expression_node *one, gm_expression context,
                               bool *excludes)
{
    const gm_bytes here = {"", 0};
    claiming c = {.forming = forming};
    gm_status status = GM_OK;
    for (uint32_t i = 0; i < one->count && status == GM_OK; i++) {
        bool found;
        if (type == GM_TYPE_OBJECT)
            status = claim_object(&c, &one->as.operands[i], &context, i);
        else if (type == GM_TYPE_STRING || type == GM_TYPE_NUMBER)
            status = claim_scalar(&c, type, one->as.operands[i], here, i, &found);
    }
    if (c.claims.count > 1)
        qsort(c.claims.items, c.claims.count, sizeof *c.claims.items, compare_claims);
    for (size_t first = 0, end; first < c.claims.count && status == GM_OK; first = end) {
        for (end = first + 1; end < c.claims.count && compare_names(&c.claims.items[first], &c.claims.items[end]) == 0;)
            end++;
        status = compare_group(&c, first, end, one->count, excludes);
    }
    GM_ARRAY_FREE(&forming->scratch->allocator, &c.claims);
    return status;
}
