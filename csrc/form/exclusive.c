/*
 * form/exclusive.c - "exactly one of these", as alternatives.
 *
 * Where two alternatives are proven to exclude each other nothing has to be said: "exactly one" of
 * alternatives that all do is their disjunction. An alternative that may overlap with others is
 * taken together with the complements of those. Proofs use what stands beside the choice (often
 * `required`), and run only now, after lowering, so none can rest on itself.
 */
#include "form/disjunction.h"

static gm_status refuse(gm_forming *forming)
{
    return gm_schema_fail(forming->schema, forming->blame, GM_KW_ONE_OF, GM_UNSUPPORTED, forming->error,
                          "alternatives that may hold together, one resting on a set of which only a part is known");
}

/* Whether a conjunction (or an atom) holds an operand. */
static bool holds(const gm_forming *forming, gm_expression whole, gm_expression part)
{
    const gm_expression_node *node = &forming->expressions.items[whole];
    if (whole == part)
        return true;
    for (uint32_t i = 0; node->kind == GM_EXPRESSION_AND && i < node->count; i++)
        if (node->as.operands[i] == part)
            return true;
    return false;
}

/* What an expression asks beyond what stands already: the operands that neither `given` nor the
 * context holds. Its complement is all that matters beside them. */
static gm_status beyond(gm_forming *forming, gm_expression expression, gm_expression given, gm_expression context,
                        gm_expression *out)
{
    const gm_expression_node node = forming->expressions.items[expression];
    *out = holds(forming, given, expression) || holds(forming, context, expression) ? (gm_expression)GM_EXPRESSION_TRUE
                                                                                    : expression;
    if (node.kind != GM_EXPRESSION_AND || *out == GM_EXPRESSION_TRUE)
        return GM_OK;
    gm_expression *list = GM_ARENA_NEW(forming->scratch, gm_expression, node.count);
    size_t count = 0;
    if (list == NULL)
        return gm_no_memory(forming->error);
    for (uint32_t i = 0; i < node.count; i++)
        if (!holds(forming, given, node.as.operands[i]) && !holds(forming, context, node.as.operands[i]))
            list[count++] = node.as.operands[i];
    return gm_expression_and(forming, list, count, out);
}

/* Operand i, and none of those that it may overlap with. */
static gm_status alone(gm_forming *forming, gm_type type, const gm_expression_node *one, uint32_t index,
                       gm_expression context, const bool *overlaps, gm_expression *out)
{
    size_t room = 1, count = 1;
    for (uint32_t i = 0; i < one->count; i++)
        room += overlaps[(size_t)index * one->count + i];
    gm_expression *list = GM_ARENA_NEW(forming->scratch, gm_expression, room);
    if (list == NULL)
        return gm_no_memory(forming->error);
    list[0] = one->as.operands[index];
    for (uint32_t i = 0; i < one->count; i++) {
        bool possible = true;
        if (i == index || !overlaps[(size_t)index * one->count + i])
            continue;
        gm_expression more;
        GM_TRY(beyond(forming, one->as.operands[i], list[0], context, &more));
        GM_TRY(gm_expression_not(forming, type, more, &possible, &list[count++]));
        if (!possible)
            return refuse(forming);
    }
    return gm_expression_and(forming, list, count, out);
}

static gm_status exactly_one(gm_forming *forming, gm_type type, const gm_expression_node *one, gm_expression context,
                             const bool *overlaps, gm_expression *out)
{
    gm_expression *list = GM_ARENA_NEW(forming->scratch, gm_expression, one->count);
    if (list == NULL)
        return gm_no_memory(forming->error);
    for (uint32_t i = 0; i < one->count; i++)
        GM_TRY(alone(forming, type, one, i, context, overlaps, &list[i]));
    return gm_expression_or(forming, list, one->count, out);
}

/* None of them, or two that may overlap. */
static gm_status not_exactly_one(gm_forming *forming, gm_type type, const gm_expression_node *one, const bool *overlaps,
                                 gm_expression *out)
{
    const gm_allocator *allocator = &forming->scratch->allocator;
    GM_ARRAY(gm_expression) ways = {0};
    gm_expression *none = GM_ARENA_NEW(forming->scratch, gm_expression, one->count);
    gm_status status = none != NULL ? GM_OK : gm_no_memory(forming->error);
    bool possible = true;
    for (uint32_t i = 0; i < one->count && status == GM_OK && possible; i++)
        status = gm_expression_not(forming, type, one->as.operands[i], &possible, &none[i]);
    if (status == GM_OK && !possible)
        status = refuse(forming);
    gm_expression way = GM_EXPRESSION_FALSE;
    if (status == GM_OK)
        status = gm_expression_and(forming, none, one->count, &way);
    if (status == GM_OK && !GM_ARRAY_PUSH(allocator, &ways, way))
        status = gm_no_memory(forming->error);
    for (uint32_t i = 0; i < one->count && status == GM_OK; i++)
        for (uint32_t j = 0; j < i && status == GM_OK; j++) {
            if (!overlaps[(size_t)i * one->count + j])
                continue;
            status = gm_expression_and(forming, (gm_expression[]){one->as.operands[j], one->as.operands[i]}, 2, &way);
            if (status == GM_OK && !GM_ARRAY_PUSH(allocator, &ways, way))
                status = gm_no_memory(forming->error);
        }
    if (status == GM_OK)
        status = gm_expression_or(forming, ways.items, ways.count, out);
    GM_ARRAY_FREE(allocator, &ways);
    return status;
}

gm_status gm_form_resolve_one(gm_forming *forming, gm_type type, gm_expression one, gm_expression context,
                              gm_expression *out)
{
    const gm_expression_node node = forming->expressions.items[one];
    bool *excluded = GM_ARENA_NEW(forming->scratch, bool, (size_t)node.count *node.count);
    bool *overlaps = GM_ARENA_NEW(forming->scratch, bool, (size_t)node.count *node.count);
    if (excluded == NULL || overlaps == NULL)
        return gm_no_memory(forming->error);
    GM_TRY(gm_form_discriminate(forming, type, &node, context, excluded));
    for (uint32_t i = 0; i < node.count; i++)
        for (uint32_t j = 0; j < i; j++) {
            const gm_expression parts[] = {context, node.as.operands[j], node.as.operands[i]};
            bool excludes = excluded[(size_t)i * node.count + j];
            if (!excludes)
                GM_TRY(gm_form_excludes(forming, type, parts, 3, &excludes));
            overlaps[(size_t)i * node.count + j] = overlaps[(size_t)j * node.count + i] = !excludes;
        }
    forming->negating = GM_KW_ONE_OF;
    if (node.kind == GM_EXPRESSION_ONE)
        return exactly_one(forming, type, &node, context, overlaps, out);
    return not_exactly_one(forming, type, &node, overlaps, out);
}
