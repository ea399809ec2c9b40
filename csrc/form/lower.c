/*
 * form/lower.c - what a schema node means for each JSON type.
 *
 * A node is lowered once, for all types together, after the nodes that it applies in place ($ref,
 * allOf, anyOf ...): a walk in post-order with a stack of its own, so that a chain of references
 * may be as long as it likes. A node that meets itself on the stack is a loop of references that
 * admits nothing and is an error.
 *
 * The operands of a node's conjunction stand in the order that decides the declared order of names:
 * its own keywords, $ref, allOf, anyOf, oneOf, if with then or else, dependentSchemas.
 */
#include "form/expression.h"
#include "form/lower.h"
#include "lex/format.h"

/* The operands of one node's conjunction, by type. */
typedef struct conjunction {
    GM_ARRAY(gm_expression) of[GM_TYPE_COUNT];
} conjunction;

static const gm_allocator *scratch(gm_forming *forming) { return &forming->scratch->allocator; }

static void conjunction_free(gm_forming *forming, conjunction *c)
{
    for (int type = 0; type < GM_TYPE_COUNT; type++)
        GM_ARRAY_FREE(scratch(forming), &c->of[type]);
}

static gm_status add(gm_forming *forming, conjunction *c, gm_type type, gm_expression expression)
{
    if (expression == GM_EXPRESSION_TRUE)
        return GM_OK;
    return GM_ARRAY_PUSH(scratch(forming), &c->of[type], expression) ? GM_OK : gm_no_memory(forming->error);
}

static gm_status add_atom(gm_forming *forming, conjunction *c, gm_type type, const gm_expression_node *atom)
{
    gm_expression expression;
    GM_TRY(gm_expression_atom(forming, atom, &expression));
    return add(forming, c, type, expression);
}

static gm_status add_typed(gm_forming *forming, conjunction *c, const gm_typed *typed)
{
    for (int type = 0; type < GM_TYPE_COUNT; type++)
        GM_TRY(add(forming, c, (gm_type)type, typed->of[type]));
    return GM_OK;
}

uint64_t gm_form_count_of(const gm_json *number)
{
    const char *at = number->as.text.data, *const end = at + number->as.text.length;
    uint64_t digits = 0;
    int64_t scale = 0, exponent = 0;
    bool fraction = false, negative = false;
    for (; at < end && (*at | 0x20) != 'e'; at++) {
        if (*at == '.') {
            fraction = true;
        } else if (*at >= '0' && *at <= '9') {
            digits = digits > GM_UNBOUNDED / 100 ? GM_UNBOUNDED / 100 : digits * 10 + (uint64_t)(*at - '0');
            scale += fraction;
        }
    }
    for (at += at < end; at < end; at++) {
        if (*at == '-')
            negative = true;
        else if (*at >= '0' && *at <= '9' && exponent < 1000000)
            exponent = exponent * 10 + (*at - '0');
    }
    scale -= negative ? -exponent : exponent;
    for (; scale > 0 && digits != 0; scale--)
        digits /= 10;
    for (; scale < 0 && digits != 0 && digits < GM_UNBOUNDED / 100; scale++)
        digits *= 10;
    return digits > GM_UNBOUNDED / 100 ? GM_UNBOUNDED / 100 : digits;
}

/* ---- scalar keywords ---- */

static gm_status lower_type(gm_forming *forming, const gm_schema_keywords *keywords, conjunction *c)
{
    const gm_json *types = keywords->value[GM_KW_TYPE], *nullable = keywords->value[GM_KW_NULLABLE];
    bool allowed[GM_TYPE_COUNT] = {false}, integer = false;
    static const gm_bytes names[GM_TYPE_COUNT] = {{"null", 4},   {"boolean", 7}, {"number", 6},
                                                  {"string", 6}, {"array", 5},   {"object", 6}};
    const uint32_t count = types->kind == GM_JSON_ARRAY ? types->count : 1;
    for (uint32_t i = 0; i < count; i++) {
        const gm_json *name = types->kind == GM_JSON_ARRAY ? types->as.items[i] : types;
        integer = integer || gm_bytes_equal(name->as.text, GM_BYTES("integer"));
        for (int type = 0; type < GM_TYPE_COUNT; type++)
            allowed[type] = allowed[type] || gm_bytes_equal(name->as.text, names[type]);
    }
    allowed[GM_TYPE_NULL] = allowed[GM_TYPE_NULL] || nullable != NULL;
    for (int type = 0; type < GM_TYPE_COUNT; type++) {
        if (allowed[type])
            continue;
        if (type == GM_TYPE_NUMBER && integer) {
            const gm_number_part part = keywords->draft == GM_DRAFT_4 ? GM_NUMBER_WHOLE_TEXT : GM_NUMBER_INTEGER;
            gm_expression *known = &forming->integer_atoms[part == GM_NUMBER_WHOLE_TEXT];
            const gm_expression_node atom = {.kind = GM_ATOM_NUMBER, .as.number = {.part = part}};
            if (*known == GM_EXPRESSION_FALSE) /* one atom for all: equal ones are told by their ids */
                GM_TRY(gm_expression_atom(forming, &atom, known));
            GM_TRY(add(forming, c, GM_TYPE_NUMBER, *known));
        } else {
            GM_TRY(add(forming, c, (gm_type)type, GM_EXPRESSION_FALSE));
        }
    }
    return GM_OK;
}

static gm_status lower_number(gm_forming *forming, const gm_schema_keywords *keywords, conjunction *c)
{
    static const struct {
        gm_keyword keyword;
        gm_number_part part;
    } parts[] = {{GM_KW_MINIMUM, GM_NUMBER_AT_LEAST},
                 {GM_KW_EXCLUSIVE_MINIMUM, GM_NUMBER_ABOVE},
                 {GM_KW_MAXIMUM, GM_NUMBER_AT_MOST},
                 {GM_KW_EXCLUSIVE_MAXIMUM, GM_NUMBER_BELOW},
                 {GM_KW_MULTIPLE_OF, GM_NUMBER_MULTIPLE}};
    for (size_t i = 0; i < GM_COUNT_OF(parts); i++) {
        const gm_json *value = keywords->value[parts[i].keyword];
        if (value == NULL)
            continue;
        const gm_expression_node atom = {
            .kind = GM_ATOM_NUMBER, .count = 1, .as.number = {.part = parts[i].part, .texts = &value->as.text}};
        GM_TRY(add_atom(forming, c, GM_TYPE_NUMBER, &atom));
    }
    return GM_OK;
}

static gm_status lower_length(gm_forming *forming, const gm_json *least, const gm_json *most, gm_type type,
                              conjunction *c)
{
    gm_expression_node atom = {.kind = GM_ATOM_LENGTH};
    atom.as.length.least = least != NULL ? gm_form_count_of(least) : 0;
    atom.as.length.most = most != NULL ? gm_form_count_of(most) : GM_UNBOUNDED;
    if (atom.as.length.least == 0 && atom.as.length.most == GM_UNBOUNDED)
        return GM_OK;
    return add_atom(forming, c, type, &atom);
}

static gm_status pattern_term(gm_forming *forming, gm_node node, gm_keyword keyword, gm_bytes pattern, gm_term *term)
{
    const gm_status status = gm_text_pattern(forming->stores.text, pattern, term, forming->error);
    if (status == GM_OK || status == GM_OUT_OF_MEMORY || forming->error == NULL)
        return status;
    const gm_error inner = *forming->error;
    return gm_schema_fail(forming->schema, node, keyword, status, forming->error, "%s (at byte %llu of the pattern)",
                          inner.message, (unsigned long long)inner.offset);
}

static gm_status lower_pattern(gm_forming *forming, gm_node node, const gm_json *pattern, conjunction *c)
{
    gm_expression_node atom = {.kind = GM_ATOM_TEXT};
    GM_TRY(pattern_term(forming, node, GM_KW_PATTERN, pattern->as.text, &atom.as.term));
    if (atom.as.term == GM_TERM_NONE)
        return add(forming, c, GM_TYPE_STRING, GM_EXPRESSION_FALSE);
    return atom.as.term == GM_TERM_ANY ? GM_OK : add_atom(forming, c, GM_TYPE_STRING, &atom);
}

static gm_status lower_format(gm_forming *forming, gm_node node, gm_bytes name, conjunction *c)
{
    const gm_format *const format = gm_format_find(name);
    gm_expression_node atom = {.kind = GM_ATOM_TEXT};
    if (format == NULL)
        return gm_schema_add_note(forming->schema, node, GM_KW_FORMAT, GM_WARNING_ANNOTATION,
                                  "an unknown format: an annotation", forming->is_again);
    if (format->is_subset)
        GM_TRY(gm_schema_add_note(forming->schema, node, GM_KW_FORMAT, GM_WARNING_NARROWED, format->note,
                                  forming->is_again));
    const gm_status status = gm_text_format(forming->stores.text, format, &atom.as.term, forming->error);
    if (status != GM_OK) {
        if (status == GM_OUT_OF_MEMORY || forming->error == NULL)
            return status;
        const gm_error inner = *forming->error;
        return gm_schema_fail(forming->schema, node, GM_KW_FORMAT, status, forming->error, "%s", inner.message);
    }
    atom.is_subset = format->is_subset;
    GM_TRY(add_atom(forming, c, GM_TYPE_STRING, &atom));
    if (format->least == 0 && format->most == UINT64_MAX)
        return GM_OK;
    const gm_expression_node length = {.kind = GM_ATOM_LENGTH, .as.length = {format->least, format->most}};
    return add_atom(forming, c, GM_TYPE_STRING, &length);
}

/* ---- containers ---- */

static gm_status child_formula(gm_forming *forming, gm_node node, const gm_json *value, gm_formula *formula)
{
    gm_node child;
    GM_TRY(gm_schema_child(forming->schema, node, value, &child, forming->error));
    return gm_formula_of_node(forming, child, formula);
}

static gm_status lower_items(gm_forming *forming, gm_node node, const gm_schema_keywords *keywords, conjunction *c)
{
    const gm_json *prefix = keywords->value[GM_KW_PREFIX_ITEMS], *rest = keywords->value[GM_KW_ITEMS];
    if (prefix == NULL && rest == NULL)
        return GM_OK;
    gm_expression_node atom = {.kind = GM_ATOM_ITEMS, .count = prefix != NULL ? prefix->count : 0};
    gm_formula *formulas = GM_ARENA_NEW(forming->scratch, gm_formula, atom.count);
    if (formulas == NULL)
        return gm_no_memory(forming->error);
    atom.as.items.rest = GM_FORMULA_TRUE;
    if (rest != NULL)
        GM_TRY(child_formula(forming, node, rest, &atom.as.items.rest));
    for (uint32_t i = 0; i < atom.count; i++)
        GM_TRY(child_formula(forming, node, prefix->as.items[i], &formulas[i]));
    atom.as.items.is_open = rest == NULL;
    atom.as.items.evaluates = true;
    atom.as.items.prefix = formulas;
    bool trivial = atom.as.items.rest == GM_FORMULA_TRUE && !forming->tracks_evaluation;
    for (uint32_t i = 0; i < atom.count; i++)
        trivial = trivial && formulas[i] == GM_FORMULA_TRUE;
    if (trivial)
        return GM_OK;
    return add_atom(forming, c, GM_TYPE_ARRAY, &atom);
}

/* From 2020-12 on, the items that satisfy it are evaluated. */
static gm_status lower_contains(gm_forming *forming, gm_node node, const gm_schema_keywords *keywords, conjunction *c)
{
    const gm_json *contains = keywords->value[GM_KW_CONTAINS];
    const gm_json *least = keywords->value[GM_KW_MIN_CONTAINS], *most = keywords->value[GM_KW_MAX_CONTAINS];
    gm_expression_node atom = {.kind = GM_ATOM_CONTAINS};
    if (contains == NULL)
        return GM_OK;
    atom.as.contains.least = least != NULL ? gm_form_count_of(least) : 1;
    atom.as.contains.most = most != NULL ? gm_form_count_of(most) : GM_UNBOUNDED;
    atom.as.contains.evaluates = forming->tracks_evaluation && keywords->draft >= GM_DRAFT_2020_12;
    GM_TRY(child_formula(forming, node, contains, &atom.as.contains.formula));
    if (atom.as.contains.least == 0 && atom.as.contains.most == GM_UNBOUNDED && !atom.as.contains.evaluates)
        return GM_OK;
    return add_atom(forming, c, GM_TYPE_ARRAY, &atom);
}

static gm_status lower_unique(gm_forming *forming, const gm_json *unique, conjunction *c)
{
    const gm_expression_node atom = {.kind = GM_ATOM_UNIQUE};
    if (unique == NULL)
        return GM_OK;
    if (forming->unique_atom == GM_EXPRESSION_FALSE) /* one atom for all: equal ones are told by their ids */
        GM_TRY(gm_expression_atom(forming, &atom, &forming->unique_atom));
    return add(forming, c, GM_TYPE_ARRAY, forming->unique_atom);
}

/* Moves the names of x-order to the front, in its order; the others keep theirs behind. */
static void apply_x_order(const gm_json *x_order, gm_member *list, uint32_t count)
{
    uint32_t placed = 0;
    for (uint32_t i = 0; i < x_order->count; i++) {
        const gm_json *name = x_order->as.items[i];
        for (uint32_t j = placed; j < count; j++) {
            if (!gm_bytes_equal(list[j].name, name->as.text))
                continue;
            const gm_member found = list[j];
            memmove(list + placed + 1, list + placed, (j - placed) * sizeof *list);
            list[placed++] = found;
            break;
        }
    }
}

static gm_status lower_pattern_members(gm_forming *forming, gm_node node, const gm_json *patterns,
                                       gm_expression_node *atom)
{
    const uint32_t count = patterns != NULL ? patterns->count : 0;
    gm_pattern_member *list = GM_ARENA_NEW(forming->scratch, gm_pattern_member, count);
    if (list == NULL)
        return gm_no_memory(forming->error);
    for (uint32_t i = 0; i < count; i++) {
        const gm_json_member *member = &patterns->as.members[i];
        GM_TRY(pattern_term(forming, node, GM_KW_PATTERN_PROPERTIES, member->key, &list[i].pattern));
        GM_TRY(child_formula(forming, node, member->value, &list[i].formula));
    }
    atom->as.members.patterns = list;
    atom->as.members.pattern_count = count;
    return GM_OK;
}

/* Whether an atom asks nothing of any member. */
static bool asks_nothing(const gm_expression_node *atom)
{
    if (atom->as.members.rest != GM_FORMULA_TRUE)
        return false;
    for (uint32_t i = 0; i < atom->count; i++)
        if (atom->as.members.list[i].formula != GM_FORMULA_TRUE)
            return false;
    for (uint32_t i = 0; i < atom->as.members.pattern_count; i++)
        if (atom->as.members.patterns[i].formula != GM_FORMULA_TRUE)
            return false;
    return true;
}

static gm_status lower_members(gm_forming *forming, gm_node node, const gm_schema_keywords *keywords, conjunction *c)
{
    const gm_json *properties = keywords->value[GM_KW_PROPERTIES];
    const gm_json *patterns = keywords->value[GM_KW_PATTERN_PROPERTIES];
    const gm_json *additional = keywords->value[GM_KW_ADDITIONAL_PROPERTIES];
    const gm_json *x_order = keywords->value[GM_KW_X_ORDER];
    if (properties == NULL && additional == NULL && patterns == NULL)
        return GM_OK;
    gm_expression_node atom = {.kind = GM_ATOM_MEMBERS, .count = properties != NULL ? properties->count : 0};
    gm_member *list = GM_ARENA_NEW(forming->scratch, gm_member, atom.count);
    if (list == NULL)
        return gm_no_memory(forming->error);
    atom.as.members.list = list;
    atom.as.members.rest = GM_FORMULA_TRUE;
    if (additional != NULL)
        GM_TRY(child_formula(forming, node, additional, &atom.as.members.rest));
    for (uint32_t i = 0; i < atom.count; i++) {
        list[i].name = properties->as.members[i].key;
        GM_TRY(child_formula(forming, node, properties->as.members[i].value, &list[i].formula));
    }
    GM_TRY(lower_pattern_members(forming, node, patterns, &atom));
    const bool has_order = atom.count != 0 && forming->options->property_order == GM_ORDER_DECLARED;
    if (asks_nothing(&atom) && !has_order && !forming->tracks_evaluation)
        return GM_OK;
    if (x_order != NULL)
        apply_x_order(x_order, list, atom.count);
    atom.as.members.is_open = additional == NULL;
    atom.as.members.declares = atom.as.members.evaluates = true;
    atom.as.members.sorted = gm_form_sort_members(forming->scratch, list, atom.count);
    if (atom.as.members.sorted == NULL)
        return gm_no_memory(forming->error);
    return add_atom(forming, c, GM_TYPE_OBJECT, &atom);
}

static gm_status lower_names(gm_forming *forming, gm_node node, const gm_json *names, conjunction *c)
{
    gm_expression_node atom = {.kind = GM_ATOM_NAMES};
    if (names == NULL)
        return GM_OK;
    GM_TRY(child_formula(forming, node, names, &atom.as.names_formula));
    return atom.as.names_formula != GM_FORMULA_TRUE ? add_atom(forming, c, GM_TYPE_OBJECT, &atom) : GM_OK;
}

static gm_status lower_required(gm_forming *forming, const gm_json *required, conjunction *c)
{
    gm_expression expression;
    if (required == NULL)
        return GM_OK;
    GM_TRY(gm_form_require(forming, required, &expression));
    return add(forming, c, GM_TYPE_OBJECT, expression);
}

static gm_status refuse_negation(gm_forming *forming, gm_keyword keyword)
{
    return gm_schema_fail(
        forming->schema, forming->blame, keyword, GM_UNSUPPORTED, forming->error,
        "the complement of a subschema here rests on uniqueItems, or on a set of which only a part is known");
}

/* ---- one node ---- */

static gm_status lower_own(gm_forming *forming, gm_node node, const gm_schema_keywords *keywords, conjunction *c)
{
    const gm_json *const *value = keywords->value;
    if (value[GM_KW_TYPE] != NULL)
        GM_TRY(lower_type(forming, keywords, c));
    gm_typed typed;
    if (value[GM_KW_ENUM] != NULL) {
        GM_TRY(gm_form_lower_constants(forming, value[GM_KW_ENUM]->as.items, value[GM_KW_ENUM]->count, &typed));
        GM_TRY(add_typed(forming, c, &typed));
    }
    if (value[GM_KW_CONST] != NULL) {
        GM_TRY(gm_form_lower_constants(forming, &value[GM_KW_CONST], 1, &typed));
        GM_TRY(add_typed(forming, c, &typed));
    }
    GM_TRY(lower_number(forming, keywords, c));
    GM_TRY(lower_length(forming, value[GM_KW_MIN_LENGTH], value[GM_KW_MAX_LENGTH], GM_TYPE_STRING, c));
    if (value[GM_KW_PATTERN] != NULL)
        GM_TRY(lower_pattern(forming, node, value[GM_KW_PATTERN], c));
    if (value[GM_KW_FORMAT] != NULL)
        GM_TRY(lower_format(forming, node, value[GM_KW_FORMAT]->as.text, c));
    GM_TRY(lower_items(forming, node, keywords, c));
    GM_TRY(lower_contains(forming, node, keywords, c));
    GM_TRY(lower_length(forming, value[GM_KW_MIN_ITEMS], value[GM_KW_MAX_ITEMS], GM_TYPE_ARRAY, c));
    GM_TRY(lower_unique(forming, value[GM_KW_UNIQUE_ITEMS], c));
    GM_TRY(lower_members(forming, node, keywords, c));
    GM_TRY(lower_names(forming, node, value[GM_KW_PROPERTY_NAMES], c));
    GM_TRY(lower_length(forming, value[GM_KW_MIN_PROPERTIES], value[GM_KW_MAX_PROPERTIES], GM_TYPE_OBJECT, c));
    return lower_required(forming, value[GM_KW_REQUIRED], c);
}

typedef GM_ARRAY(gm_node) node_list;

static gm_status push_node(gm_forming *forming, node_list *list, gm_node node)
{
    return GM_ARRAY_PUSH(scratch(forming), list, node) ? GM_OK : gm_no_memory(forming->error);
}

/* The nodes applied in place, in the order of the conjunction. */
typedef struct in_place {
    node_list nodes;
    size_t all, any, one, negated, condition, dependents, end; /* where each group begins */
} in_place;

static gm_status push_children(gm_forming *forming, gm_node node, const gm_json *list, node_list *out)
{
    gm_node child;
    for (uint32_t i = 0; list != NULL && i < list->count; i++) {
        GM_TRY(gm_schema_child(forming->schema, node, list->as.items[i], &child, forming->error));
        GM_TRY(push_node(forming, out, child));
    }
    return GM_OK;
}

static gm_status push_child(gm_forming *forming, gm_node node, const gm_json *value, node_list *out)
{
    gm_node child;
    if (value == NULL)
        return GM_OK;
    GM_TRY(gm_schema_child(forming->schema, node, value, &child, forming->error));
    return push_node(forming, out, child);
}

/* The schemas among the values of dependentSchemas or dependencies. */
static gm_status push_dependents(gm_forming *forming, gm_node node, const gm_json *map, node_list *out)
{
    for (uint32_t i = 0; map != NULL && i < map->count; i++)
        if (map->as.members[i].value->kind != GM_JSON_ARRAY)
            GM_TRY(push_child(forming, node, map->as.members[i].value, out));
    return GM_OK;
}

static gm_status list_in_place(gm_forming *forming, gm_node node, const gm_schema_keywords *keywords, in_place *out)
{
    static const gm_keyword references[] = {GM_KW_REF, GM_KW_DYNAMIC_REF};
    const gm_json *const *value = keywords->value;
    node_list *nodes = &out->nodes;
    gm_node target;
    for (size_t i = 0; i < GM_COUNT_OF(references); i++) {
        if (value[references[i]] == NULL)
            continue;
        GM_TRY(gm_schema_reference(forming->schema, node, references[i], &target, forming->error));
        GM_TRY(push_node(forming, nodes, target));
    }
    GM_TRY(push_children(forming, node, value[GM_KW_ALL_OF], nodes));
    out->any = nodes->count;
    GM_TRY(push_children(forming, node, value[GM_KW_ANY_OF], nodes));
    out->one = nodes->count;
    GM_TRY(push_children(forming, node, value[GM_KW_ONE_OF], nodes));
    out->negated = nodes->count;
    GM_TRY(push_child(forming, node, value[GM_KW_NOT], nodes));
    out->condition = nodes->count;
    if (value[GM_KW_IF] != NULL &&
        (value[GM_KW_THEN] != NULL || value[GM_KW_ELSE] != NULL || forming->tracks_evaluation)) {
        GM_TRY(push_child(forming, node, value[GM_KW_IF], nodes));
        GM_TRY(push_child(forming, node, value[GM_KW_THEN], nodes));
        GM_TRY(push_child(forming, node, value[GM_KW_ELSE], nodes));
    }
    out->dependents = nodes->count;
    GM_TRY(push_dependents(forming, node, value[GM_KW_DEPENDENT_SCHEMAS], nodes));
    GM_TRY(push_dependents(forming, node, value[GM_KW_DEPENDENCIES], nodes));
    out->end = nodes->count;
    return GM_OK;
}

static gm_lowered *lowered_of(gm_forming *forming, gm_node node)
{
    while (forming->lowered.count <= node) {
        const gm_lowered none = {0};
        if (!GM_ARRAY_PUSH(scratch(forming), &forming->lowered, none))
            return NULL;
    }
    return &forming->lowered.items[node];
}

/* Boolean schemas need no lowering. */
static bool typed_of_boolean(gm_forming *forming, gm_node node, gm_typed *typed)
{
    const gm_json *value = gm_schema_value(forming->schema, node);
    if (!gm_json_is_boolean(value))
        return false;
    for (int type = 0; type < GM_TYPE_COUNT; type++)
        typed->of[type] = value->kind == GM_JSON_TRUE ? GM_EXPRESSION_TRUE : GM_EXPRESSION_FALSE;
    return true;
}

static gm_expression lowered_as(const gm_forming *forming, const in_place *in, size_t i, int type)
{
    return forming->lowered.items[in->nodes.items[i]].typed.of[type];
}

/* The operands first..end-1 of one type, in scratch. */
static gm_expression *operands_of(gm_forming *forming, const in_place *in, size_t first, size_t end, int type)
{
    gm_expression *list = GM_ARENA_NEW(forming->scratch, gm_expression, end - first);
    for (size_t i = first; list != NULL && i < end; i++)
        list[i - first] = lowered_as(forming, in, i, type);
    return list;
}

/* A branch that holds always would swallow the others, and with them what they evaluate: it becomes
 * an atom that asks nothing. */
static gm_status keep_branches(gm_forming *forming, gm_type type, gm_expression *branches, size_t count)
{
    const gm_expression_node nothing = {.kind = GM_ATOM_LENGTH, .as.length = {0, GM_UNBOUNDED}};
    if (!forming->tracks_evaluation || (type != GM_TYPE_ARRAY && type != GM_TYPE_OBJECT))
        return GM_OK;
    for (size_t i = 0; i < count; i++)
        if (branches[i] == GM_EXPRESSION_TRUE)
            GM_TRY(gm_expression_atom(forming, &nothing, &branches[i]));
    return GM_OK;
}

static gm_status add_choices(gm_forming *forming, const in_place *in, int type, conjunction *c)
{
    gm_expression *any = operands_of(forming, in, in->any, in->one, type);
    const gm_expression *one = operands_of(forming, in, in->one, in->negated, type);
    gm_expression choice;
    if (any == NULL || one == NULL)
        return gm_no_memory(forming->error);
    if (in->one != in->any) {
        GM_TRY(keep_branches(forming, (gm_type)type, any, in->one - in->any));
        GM_TRY(gm_expression_or(forming, any, in->one - in->any, &choice));
        GM_TRY(add(forming, c, (gm_type)type, choice));
    }
    if (in->negated != in->one) {
        GM_TRY(gm_expression_one(forming, one, in->negated - in->one, &choice));
        GM_TRY(add(forming, c, (gm_type)type, choice));
    }
    return GM_OK;
}

static gm_status add_negation(gm_forming *forming, const in_place *in, int type, conjunction *c)
{
    bool possible;
    gm_expression negated;
    if (in->condition == in->negated)
        return GM_OK;
    forming->negating = GM_KW_NOT;
    GM_TRY(gm_expression_not(forming, (gm_type)type, lowered_as(forming, in, in->negated, type), &possible, &negated));
    return possible ? add(forming, c, (gm_type)type, negated) : refuse_negation(forming, GM_KW_NOT);
}

/* (if and then) or (not if and else): exclusive, so that at most one side holds. */
static gm_status add_condition(gm_forming *forming, const in_place *in, bool has_then, bool has_else, int type,
                               conjunction *c)
{
    if (in->dependents == in->condition)
        return GM_OK;
    const gm_expression yes = has_then ? lowered_as(forming, in, in->condition + 1, type) : GM_EXPRESSION_TRUE;
    const gm_expression no =
        has_else ? lowered_as(forming, in, in->condition + 1 + has_then, type) : GM_EXPRESSION_TRUE;
    const gm_expression when = lowered_as(forming, in, in->condition, type);
    bool possible;
    gm_expression unless, sides[2], both;
    if (yes == no && !forming->tracks_evaluation)
        return add(forming, c, (gm_type)type, yes);
    forming->negating = GM_KW_IF;
    GM_TRY(gm_expression_not(forming, (gm_type)type, when, &possible, &unless));
    if (!possible)
        return refuse_negation(forming, GM_KW_IF);
    GM_TRY(gm_expression_and(forming, (gm_expression[]){when, yes}, 2, &sides[0]));
    GM_TRY(gm_expression_and(forming, (gm_expression[]){unless, no}, 2, &sides[1]));
    GM_TRY(gm_expression_or(forming, sides, 2, &both));
    return add(forming, c, (gm_type)type, both);
}

/* What the name depends on, or its absence; where alternatives are too many, absence only where the other
 * fails, since several names that depend on the value of one are then few alternatives. */
static gm_status add_dependent(gm_forming *forming, gm_bytes name, gm_expression needed, conjunction *c)
{
    gm_expression sides[2], both;
    bool possible = false;
    GM_TRY(gm_form_forbid(forming, name, &sides[0]));
    sides[1] = needed;
    if (forming->separates_ways) {
        gm_expression fails;
        GM_TRY(gm_expression_not(forming, GM_TYPE_OBJECT, needed, &possible, &fails));
        if (possible)
            GM_TRY(gm_expression_and(forming, (gm_expression[]){fails, sides[0]}, 2, &sides[0]));
    }
    GM_TRY(gm_expression_or(forming, sides, 2, &both));
    return add(forming, c, GM_TYPE_OBJECT, both);
}

/* The name is there and the expression holds: so that it speaks only where it is applied. */
static gm_status needs_both(gm_forming *forming, gm_bytes name, gm_expression expression, gm_expression *out)
{
    const gm_json text = {.kind = GM_JSON_STRING, .as.text = name};
    const gm_json *const item = &text;
    const gm_json list = {.kind = GM_JSON_ARRAY, .count = 1, .as.items = &item};
    gm_expression both[2] = {GM_EXPRESSION_TRUE, expression};
    if (forming->tracks_evaluation)
        GM_TRY(gm_form_require(forming, &list, &both[0]));
    return gm_expression_and(forming, both, 2, out);
}

static gm_status add_dependents(gm_forming *forming, const gm_schema_keywords *keywords, const in_place *in,
                                conjunction *c)
{
    static const gm_keyword maps[] = {GM_KW_DEPENDENT_SCHEMAS, GM_KW_DEPENDENCIES, GM_KW_DEPENDENT_REQUIRED};
    size_t at = in->dependents;
    for (size_t i = 0; i < GM_COUNT_OF(maps); i++) {
        const gm_json *map = keywords->value[maps[i]];
        for (uint32_t j = 0; map != NULL && j < map->count; j++) {
            const gm_json_member *member = &map->as.members[j];
            gm_expression needed;
            if (member->value->kind == GM_JSON_ARRAY)
                GM_TRY(gm_form_require(forming, member->value, &needed));
            else
                GM_TRY(needs_both(forming, member->key, lowered_as(forming, in, at++, GM_TYPE_OBJECT), &needed));
            GM_TRY(add_dependent(forming, member->key, needed, c));
        }
    }
    return GM_OK;
}

static gm_status close_unevaluated(gm_forming *forming, gm_node node, const gm_schema_keywords *keywords,
                                   gm_typed *typed)
{
    static const struct {
        gm_keyword keyword;
        gm_type type;
    } closing[] = {{GM_KW_UNEVALUATED_ITEMS, GM_TYPE_ARRAY}, {GM_KW_UNEVALUATED_PROPERTIES, GM_TYPE_OBJECT}};
    for (size_t i = 0; i < GM_COUNT_OF(closing); i++) {
        const gm_json *value = keywords->value[closing[i].keyword];
        gm_formula rest;
        if (value == NULL)
            continue;
        GM_TRY(child_formula(forming, node, value, &rest));
        gm_expression *expression = &typed->of[closing[i].type];
        if (*expression != GM_EXPRESSION_FALSE)
            GM_TRY(gm_expression_closed(forming, *expression, rest, expression));
    }
    return GM_OK;
}

/* All in-place nodes are lowered: the conjunction of them and the node's own keywords. */
static gm_status finish_node(gm_forming *forming, gm_node node, const gm_schema_keywords *keywords, const in_place *in,
                             conjunction *c, gm_typed *typed)
{
    forming->blame = node;
    GM_TRY(lower_own(forming, node, keywords, c));
    for (size_t i = 0; i < in->any; i++)
        GM_TRY(add_typed(forming, c, &forming->lowered.items[in->nodes.items[i]].typed));
    const bool has_then = keywords->value[GM_KW_THEN] != NULL, has_else = keywords->value[GM_KW_ELSE] != NULL;
    for (int type = 0; type < GM_TYPE_COUNT; type++) {
        GM_TRY(add_choices(forming, in, type, c));
        GM_TRY(add_negation(forming, in, type, c));
        GM_TRY(add_condition(forming, in, has_then, has_else, type, c));
    }
    GM_TRY(add_dependents(forming, keywords, in, c));
    for (int type = 0; type < GM_TYPE_COUNT; type++)
        GM_TRY(gm_expression_and(forming, c->of[type].items, c->of[type].count, &typed->of[type]));
    return close_unevaluated(forming, node, keywords, typed);
}

/* Handles the top of the stack: pushes what must be lowered first, or finishes the node. */
static gm_status lower_top(gm_forming *forming, node_list *stack)
{
    const gm_node node = stack->items[stack->count - 1];
    gm_typed typed;
    if (lowered_of(forming, node) == NULL)
        return gm_no_memory(forming->error);
    if (forming->lowered.items[node].state == 2 || typed_of_boolean(forming, node, &typed)) {
        if (forming->lowered.items[node].state != 2)
            forming->lowered.items[node] = (gm_lowered){2, typed};
        stack->count--;
        return GM_OK;
    }
    gm_schema_keywords keywords;
    in_place in = {0};
    conjunction c = {0};
    gm_status status = gm_schema_read(forming->schema, node, &keywords, forming->error);
    if (status == GM_OK)
        status = list_in_place(forming, node, &keywords, &in);
    forming->lowered.items[node].state = 1;
    const size_t before = stack->count;
    for (size_t i = in.nodes.count; i-- > 0 && status == GM_OK;) {
        const gm_lowered *target = lowered_of(forming, in.nodes.items[i]);
        if (target == NULL)
            status = gm_no_memory(forming->error);
        else if (target->state == 1)
            status = gm_schema_fail(forming->schema, node, keywords.value[GM_KW_REF] != NULL ? GM_KW_REF : GM_KW_COUNT,
                                    GM_INVALID_SCHEMA, forming->error,
                                    "the references here lead back to this schema without any value in between");
        else if (target->state == 0)
            status = push_node(forming, stack, in.nodes.items[i]);
    }
    if (status == GM_OK && stack->count == before) {
        status = finish_node(forming, node, &keywords, &in, &c, &typed);
        if (status == GM_OK) {
            forming->lowered.items[node] = (gm_lowered){2, typed};
            stack->count--;
        }
    }
    conjunction_free(forming, &c);
    GM_ARRAY_FREE(scratch(forming), &in.nodes);
    return status;
}

static gm_status lower_node(gm_forming *forming, gm_node node, gm_typed *typed)
{
    node_list stack = {0};
    gm_status status = push_node(forming, &stack, node);
    while (status == GM_OK && stack.count > 0)
        if ((status = gm_forming_spend(forming, 1)) == GM_OK)
            status = lower_top(forming, &stack);
    if (status == GM_OK)
        *typed = forming->lowered.items[node].typed;
    GM_ARRAY_FREE(scratch(forming), &stack);
    return status;
}

/* ---- formulas ---- */

static gm_status expand_and(gm_forming *forming, gm_formula formula, gm_typed *typed)
{
    const uint32_t count = forming->formulas.items[formula].count;
    const gm_formula *operands = forming->formulas.items[formula].as.operands;
    gm_expression *list = GM_ARENA_NEW(forming->scratch, gm_expression, (size_t)count * GM_TYPE_COUNT);
    if (list == NULL)
        return gm_no_memory(forming->error);
    for (uint32_t i = 0; i < count; i++) {
        gm_typed one;
        GM_TRY(gm_form_expand(forming, operands[i], &one)); /* no AND again; a NOT may hold one, boundedly deep */
        for (int type = 0; type < GM_TYPE_COUNT; type++)
            list[(size_t)type * count + i] = one.of[type];
    }
    for (int type = 0; type < GM_TYPE_COUNT; type++)
        GM_TRY(gm_expression_and(forming, list + (size_t)type * count, count, &typed->of[type]));
    return GM_OK;
}

static gm_status expand_not(gm_forming *forming, gm_formula operand, gm_typed *typed)
{
    gm_typed inner;
    bool possible = true;
    GM_TRY(gm_form_expand(forming, operand, &inner)); /* no NOT again: at most an AND of atoms */
    forming->negating = GM_KW_COUNT;
    for (int type = 0; type < GM_TYPE_COUNT && possible; type++)
        GM_TRY(gm_expression_not(forming, (gm_type)type, inner.of[type], &possible, &typed->of[type]));
    if (possible)
        return GM_OK;
    forming->blame = gm_form_node_of(forming, operand);
    return refuse_negation(forming, gm_form_culprit(forming, GM_KW_COUNT, GM_FAULT_COMPLEMENT));
}

gm_status gm_form_expand(gm_forming *forming, gm_formula formula, gm_typed *typed)
{
    const gm_formula_node node = forming->formulas.items[formula];
    const gm_node before = forming->blame;
    if (node.expanded) {
        *typed = node.typed;
        return GM_OK;
    }
    gm_typed result;
    if (node.kind == GM_FORMULA_NODE)
        GM_TRY(lower_node(forming, node.as.node, &result));
    else if (node.kind == GM_FORMULA_CONSTANT)
        GM_TRY(gm_form_lower_constants(forming, &node.as.constant, 1, &result));
    else if (node.kind == GM_FORMULA_NOT)
        GM_TRY(expand_not(forming, node.as.operands[0], &result));
    else
        GM_TRY(expand_and(forming, formula, &result));
    forming->blame = before; /* what is lowered on the way is blamed for its own failures alone */
    forming->formulas.items[formula].expanded = true;
    forming->formulas.items[formula].typed = result;
    *typed = result;
    return GM_OK;
}
