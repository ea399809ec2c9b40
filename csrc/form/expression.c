/* form/expression.c - see expression.h. */
#include "form/expression.h"

static gm_status no_memory(gm_forming *forming) { return gm_no_memory(forming->error); }

gm_status gm_forming_spend(gm_forming *forming, uint64_t units)
{
    forming->work += units;
    if (forming->work > forming->limits->max_compile_work)
        return gm_schema_fail(forming->schema, forming->blame, GM_KW_COUNT, GM_LIMIT, forming->error,
                              "the schema needs more than max_compile_work (%llu) units of work",
                              (unsigned long long)forming->limits->max_compile_work);
    return GM_OK;
}

static gm_status too_high(gm_forming *forming)
{
    return gm_schema_fail(forming->schema, forming->blame, GM_KW_COUNT, GM_LIMIT, forming->error,
                          "subschemas applied in place are nested deeper than max_nesting (%llu)",
                          (unsigned long long)forming->limits->max_nesting);
}

/* ---- operand lists, shared by both languages ---- */

typedef GM_ARRAY(uint32_t) operand_list;

/* Appends `operand` unless it is there. Long lists are checked by table. */
static bool add_operand(gm_forming *forming, operand_list *list, gm_table *seen, uint32_t operand)
{
    const gm_allocator *allocator = &forming->scratch->allocator;
    if (list->count < 16) {
        for (size_t i = 0; i < list->count; i++)
            if (list->items[i] == operand)
                return true;
    } else {
        if (seen->count == 0)
            for (size_t i = 0; i < list->count; i++)
                if (!gm_table_add(seen, gm_mix(list->items[i]), list->items[i]))
                    return false;
        for (gm_probe probe = gm_table_find(seen, gm_mix(operand)); gm_probe_next(seen, &probe);)
            if (probe.id == operand)
                return true;
        if (!gm_table_add(seen, gm_mix(operand), operand))
            return false;
    }
    return GM_ARRAY_PUSH(allocator, list, operand);
}

static uint64_t hash_list(uint64_t seed, const uint32_t *items, size_t count)
{
    uint64_t hash = gm_mix(seed);
    for (size_t i = 0; i < count; i++)
        hash = gm_hash_combine(hash, items[i]);
    return hash;
}

/* The operands of a node if it is of a kind, else NULL. */
typedef const uint32_t *(*nested_operands)(const gm_forming *forming, uint32_t id, int kind, uint32_t *count);

static const uint32_t *operands_of_expression(const gm_forming *forming, uint32_t id, int kind, uint32_t *count)
{
    const gm_expression_node *node = &forming->expressions.items[id];
    *count = node->count;
    return (int)node->kind == kind ? node->as.operands : NULL;
}

static const uint32_t *operands_of_formula(const gm_forming *forming, uint32_t id, int kind, uint32_t *count)
{
    const gm_formula_node *node = &forming->formulas.items[id];
    *count = node->count;
    return (int)node->kind == kind ? node->as.operands : NULL;
}

/* The distinct operands without units, those of nested nodes of the same kind in their place; false
 * when out of memory. *is_zero: one of them decides alone. */
static bool flatten(gm_forming *forming, const uint32_t *operands, size_t count, uint32_t unit, uint32_t zero,
                    nested_operands nested, int kind, operand_list *list, bool *is_zero)
{
    gm_table seen;
    gm_table_init(&seen, &forming->scratch->allocator);
    bool room = true;
    for (size_t i = 0; i < count && !*is_zero && room; i++) {
        uint32_t inner_count = 1;
        const uint32_t *inner = nested(forming, operands[i], kind, &inner_count);
        if (inner == NULL) {
            inner = &operands[i];
            inner_count = operands[i] != unit;
        }
        *is_zero = operands[i] == zero;
        for (uint32_t j = 0; j < inner_count && !*is_zero && room; j++)
            room = add_operand(forming, list, &seen, inner[j]);
    }
    gm_table_destroy(&seen);
    return room;
}

/* ---- expressions ---- */

gm_status gm_expression_atom(gm_forming *forming, const gm_expression_node *atom, gm_expression *out)
{
    const gm_allocator *allocator = &forming->scratch->allocator;
    GM_TRY(gm_forming_spend(forming, 1 + atom->count));
    gm_expression_node node = *atom;
    node.height = 1;
    if (!GM_ARRAY_PUSH(allocator, &forming->expressions, node))
        return no_memory(forming);
    *out = (gm_expression)(forming->expressions.count - 1);
    return GM_OK;
}

static gm_status intern_expression(gm_forming *forming, gm_expression_kind kind, const operand_list *list,
                                   gm_expression *out)
{
    const gm_allocator *allocator = &forming->scratch->allocator;
    const uint64_t hash = hash_list(kind, list->items, list->count);
    for (gm_probe probe = gm_table_find(&forming->expression_table, hash);
         gm_probe_next(&forming->expression_table, &probe);) {
        const gm_expression_node *node = &forming->expressions.items[probe.id];
        if (node->kind == kind && node->count == list->count &&
            memcmp(node->as.operands, list->items, list->count * sizeof *list->items) == 0) {
            *out = probe.id;
            return GM_OK;
        }
    }
    uint32_t height = 0;
    for (size_t i = 0; i < list->count; i++)
        if (forming->expressions.items[list->items[i]].height > height)
            height = forming->expressions.items[list->items[i]].height;
    if (height >= forming->limits->max_nesting)
        return too_high(forming);
    gm_expression_node node = {.kind = kind, .height = height + 1, .count = (uint32_t)list->count};
    node.as.operands = gm_arena_copy(forming->scratch, list->items, list->count * sizeof *list->items);
    if (node.as.operands == NULL || !GM_ARRAY_PUSH(allocator, &forming->expressions, node))
        return no_memory(forming);
    if (!gm_table_add(&forming->expression_table, hash, (uint32_t)(forming->expressions.count - 1)))
        return no_memory(forming);
    *out = (gm_expression)(forming->expressions.count - 1);
    return GM_OK;
}

static gm_status combine(gm_forming *forming, gm_expression_kind kind, gm_expression unit, gm_expression zero,
                         const gm_expression *operands, size_t count, gm_expression *out)
{
    operand_list list = {0};
    bool is_zero = false;
    gm_status status = GM_OK;
    if (!flatten(forming, operands, count, unit, zero, operands_of_expression, (int)kind, &list, &is_zero))
        status = no_memory(forming);
    else if ((status = gm_forming_spend(forming, 1 + list.count)) == GM_OK) {
        if (is_zero)
            *out = zero;
        else if (list.count == 0)
            *out = unit;
        else if (list.count == 1)
            *out = list.items[0];
        else
            status = intern_expression(forming, kind, &list, out);
    }
    GM_ARRAY_FREE(&forming->scratch->allocator, &list);
    return status;
}

gm_status gm_expression_and(gm_forming *forming, const gm_expression *list, size_t count, gm_expression *out)
{
    return combine(forming, GM_EXPRESSION_AND, GM_EXPRESSION_TRUE, GM_EXPRESSION_FALSE, list, count, out);
}

gm_status gm_expression_or(gm_forming *forming, const gm_expression *list, size_t count, gm_expression *out)
{
    return combine(forming, GM_EXPRESSION_OR, GM_EXPRESSION_FALSE, GM_EXPRESSION_TRUE, list, count, out);
}

gm_status gm_expression_one(gm_forming *forming, const gm_expression *operands, size_t count, gm_expression *out)
{
    operand_list list = {0};
    size_t always = 0;
    bool room = true;
    for (size_t i = 0; i < count && room; i++) {
        always += operands[i] == GM_EXPRESSION_TRUE;
        if (operands[i] != GM_EXPRESSION_FALSE)
            room = GM_ARRAY_PUSH(&forming->scratch->allocator, &list, operands[i]);
    }
    gm_status status = room ? gm_forming_spend(forming, 1 + list.count) : no_memory(forming);
    if (status == GM_OK) {
        if (list.count == 0 || always > 1)
            *out = GM_EXPRESSION_FALSE;
        else if (list.count == 1)
            *out = list.items[0];
        else
            status = intern_expression(forming, GM_EXPRESSION_ONE, &list, out);
    }
    GM_ARRAY_FREE(&forming->scratch->allocator, &list);
    return status;
}

gm_status gm_expression_not_one(gm_forming *forming, gm_expression one, gm_expression *out)
{
    const gm_expression_node node = forming->expressions.items[one];
    const operand_list list = {.items = (uint32_t *)node.as.operands, .count = node.count, .capacity = node.count};
    return intern_expression(forming, node.kind == GM_EXPRESSION_ONE ? GM_EXPRESSION_NOT_ONE : GM_EXPRESSION_ONE, &list,
                             out);
}

gm_status gm_expression_closed(gm_forming *forming, gm_expression operand, gm_formula rest, gm_expression *out)
{
    gm_expression_node node = {.kind = GM_EXPRESSION_CLOSED, .count = 1};
    node.height = forming->expressions.items[operand].height + 1;
    if (node.height > forming->limits->max_nesting)
        return too_high(forming);
    node.as.closed.operand = gm_arena_copy(forming->scratch, &operand, sizeof operand);
    node.as.closed.rest = rest;
    if (node.as.closed.operand == NULL || !GM_ARRAY_PUSH(&forming->scratch->allocator, &forming->expressions, node))
        return no_memory(forming);
    *out = (gm_expression)(forming->expressions.count - 1);
    return GM_OK;
}

gm_status gm_expression_not_closed(gm_forming *forming, gm_expression closed, gm_expression *out)
{
    gm_expression_node node = forming->expressions.items[closed];
    node.kind = node.kind == GM_EXPRESSION_CLOSED ? GM_EXPRESSION_NOT_CLOSED : GM_EXPRESSION_CLOSED;
    if (!GM_ARRAY_PUSH(&forming->scratch->allocator, &forming->expressions, node))
        return no_memory(forming);
    *out = (gm_expression)(forming->expressions.count - 1);
    return GM_OK;
}

/* ---- formulas ---- */

static gm_status intern_formula(gm_forming *forming, uint64_t hash, const gm_formula_node *key, gm_formula *out)
{
    const gm_allocator *allocator = &forming->scratch->allocator;
    for (gm_probe probe = gm_table_find(&forming->formula_table, hash);
         gm_probe_next(&forming->formula_table, &probe);) {
        const gm_formula_node *node = &forming->formulas.items[probe.id];
        if (node->kind != key->kind || node->count != key->count)
            continue;
        if (key->kind == GM_FORMULA_NODE ? node->as.node == key->as.node
            : key->kind == GM_FORMULA_CONSTANT
                ? node->as.constant == key->as.constant
                : memcmp(node->as.operands, key->as.operands, key->count * sizeof(gm_formula)) == 0) {
            *out = probe.id;
            return GM_OK;
        }
    }
    if (forming->formulas.count >= forming->limits->max_nodes)
        return gm_schema_fail(forming->schema, forming->blame, GM_KW_COUNT, GM_LIMIT, forming->error,
                              "the schema asks more than max_nodes (%llu) different things",
                              (unsigned long long)forming->limits->max_nodes);
    gm_formula_node node = *key;
    if (key->kind != GM_FORMULA_NODE && key->kind != GM_FORMULA_CONSTANT) {
        node.as.operands = gm_arena_copy(forming->scratch, key->as.operands, key->count * sizeof(gm_formula));
        if (node.as.operands == NULL)
            return no_memory(forming);
    }
    if (!GM_ARRAY_PUSH(allocator, &forming->formulas, node) ||
        !gm_table_add(&forming->formula_table, hash, (uint32_t)(forming->formulas.count - 1)))
        return no_memory(forming);
    *out = (gm_formula)(forming->formulas.count - 1);
    return GM_OK;
}

enum { MOST_HOPS = 64 };

/* Where a node leads that is a reference and nothing else: there all that lead to one place meet. What cannot be
 * followed stays as it is, and is an error once a document can reach it. */
static gm_status follow_references(gm_forming *forming, gm_node *node)
{
    for (int hop = 0; hop < MOST_HOPS && gm_schema_value(forming->schema, *node)->kind == GM_JSON_OBJECT; hop++) {
        gm_schema_keywords keywords;
        gm_node target;
        if (gm_json_get(gm_schema_value(forming->schema, *node), GM_BYTES("$ref")) == NULL)
            return GM_OK;
        gm_status status = gm_schema_read(forming->schema, *node, &keywords, NULL);
        for (int i = 0; i < GM_KW_COUNT && status == GM_OK; i++)
            if (i != GM_KW_REF && keywords.value[i] != NULL)
                return GM_OK;
        if (status == GM_OK && keywords.value[GM_KW_REF] == NULL)
            return GM_OK;
        if (status == GM_OK)
            status = gm_schema_reference(forming->schema, *node, GM_KW_REF, &target, NULL);
        if (status != GM_OK)
            return status == GM_OUT_OF_MEMORY ? gm_no_memory(forming->error) : GM_OK;
        *node = target;
    }
    return GM_OK;
}

gm_status gm_formula_of_node(gm_forming *forming, gm_node node, gm_formula *out)
{
    GM_TRY(follow_references(forming, &node));
    const gm_json *value = gm_schema_value(forming->schema, node);
    if (value->kind == GM_JSON_FALSE) {
        *out = GM_FORMULA_FALSE;
        return GM_OK;
    }
    if (value->kind == GM_JSON_TRUE || value->count == 0) {
        *out = GM_FORMULA_TRUE;
        return GM_OK;
    }
    const gm_formula_node key = {.kind = GM_FORMULA_NODE, .as.node = node};
    return intern_formula(forming, gm_mix((uint64_t)node << 3 | GM_FORMULA_NODE), &key, out);
}

gm_status gm_formula_of_constant(gm_forming *forming, const gm_json *value, gm_formula *out)
{
    const gm_formula_node key = {.kind = GM_FORMULA_CONSTANT, .as.constant = value};
    return intern_formula(forming, gm_mix((uint64_t)(uintptr_t)value ^ GM_FORMULA_CONSTANT), &key, out);
}

/* Whether the list asks something and its complement. */
static bool contradicts_itself(const gm_forming *forming, const operand_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const gm_formula_node *node = &forming->formulas.items[list->items[i]];
        for (size_t j = 0; node->kind == GM_FORMULA_NOT && j < list->count; j++)
            if (list->items[j] == node->as.operands[0])
                return true;
    }
    return false;
}

gm_status gm_formula_and(gm_forming *forming, const gm_formula *operands, size_t count, gm_formula *out)
{
    operand_list list = {0};
    bool is_false = false;
    gm_status status = GM_OK;
    if (!flatten(forming, operands, count, GM_FORMULA_TRUE, GM_FORMULA_FALSE, operands_of_formula, GM_FORMULA_AND,
                 &list, &is_false))
        status = no_memory(forming);
    else if (is_false || contradicts_itself(forming, &list))
        *out = GM_FORMULA_FALSE;
    else if (list.count == 0)
        *out = GM_FORMULA_TRUE;
    else if (list.count == 1)
        *out = list.items[0];
    else {
        const gm_formula_node key = {.kind = GM_FORMULA_AND, .count = (uint32_t)list.count, .as.operands = list.items};
        status = intern_formula(forming, hash_list(GM_FORMULA_AND, list.items, list.count), &key, out);
    }
    GM_ARRAY_FREE(&forming->scratch->allocator, &list);
    return status;
}

gm_status gm_formula_not(gm_forming *forming, gm_formula formula, gm_formula *out)
{
    const gm_formula_node node = forming->formulas.items[formula];
    if (node.kind == GM_FORMULA_UNIT) {
        *out = formula == GM_FORMULA_TRUE ? GM_FORMULA_FALSE : GM_FORMULA_TRUE;
        return GM_OK;
    }
    if (node.kind == GM_FORMULA_NOT) {
        *out = node.as.operands[0];
        return GM_OK;
    }
    const gm_formula_node key = {.kind = GM_FORMULA_NOT, .count = 1, .as.operands = &formula};
    return intern_formula(forming, hash_list(GM_FORMULA_NOT, &formula, 1), &key, out);
}

gm_status gm_formula_or(gm_forming *forming, const gm_formula *list, size_t count, gm_formula *out)
{
    gm_formula *negated = GM_ARENA_NEW(forming->scratch, gm_formula, count);
    if (negated == NULL)
        return no_memory(forming);
    if (count == 1) {
        *out = list[0];
        return GM_OK;
    }
    for (size_t i = 0; i < count; i++) {
        GM_TRY(gm_formula_not(forming, list[i], &negated[i]));
        if (list[i] == GM_FORMULA_TRUE) {
            *out = GM_FORMULA_TRUE;
            return GM_OK;
        }
    }
    GM_TRY(gm_formula_and(forming, negated, count, out));
    return gm_formula_not(forming, *out, out);
}

/* ---- the whole ---- */

gm_status gm_forming_init(gm_forming *forming)
{
    const gm_allocator *allocator = &forming->scratch->allocator;
    gm_table_init(&forming->expression_table, allocator);
    gm_table_init(&forming->formula_table, allocator);
    gm_table_init(&forming->complement_table, allocator);
    gm_typed none = {{0}}, all;
    for (int type = 0; type < GM_TYPE_COUNT; type++)
        all.of[type] = GM_EXPRESSION_TRUE;
    const gm_expression_node unit = {.kind = GM_EXPRESSION_UNIT};
    const gm_formula_node never = {.kind = GM_FORMULA_UNIT, .expanded = true, .typed = none};
    const gm_formula_node always = {.kind = GM_FORMULA_UNIT, .expanded = true, .typed = all};
    if (!GM_ARRAY_PUSH(allocator, &forming->expressions, unit) ||
        !GM_ARRAY_PUSH(allocator, &forming->expressions, unit) ||
        !GM_ARRAY_PUSH(allocator, &forming->formulas, never) || !GM_ARRAY_PUSH(allocator, &forming->formulas, always))
        return no_memory(forming);
    return GM_OK;
}

void gm_forming_destroy(gm_forming *forming)
{
    const gm_allocator *allocator = &forming->scratch->allocator;
    GM_ARRAY_FREE(allocator, &forming->expressions);
    GM_ARRAY_FREE(allocator, &forming->formulas);
    GM_ARRAY_FREE(allocator, &forming->lowered);
    gm_table_destroy(&forming->expression_table);
    GM_ARRAY_FREE(allocator, &forming->complements);
    gm_table_destroy(&forming->formula_table);
    gm_table_destroy(&forming->complement_table);
}
