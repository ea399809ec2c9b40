/*
 * form/negate.c - complements, pushed down to the atoms.
 *
 * Scalar types are closed under complement, and so are containers: a missing name, a value that
 * fails, a length outside its bounds, "some member is not as the map asks", "some item is not as all
 * others should be", which is a count. What has no complement is a set that is only known in part
 * (some formats).
 *
 * not (k is there and its value is F) becomes one constraint, "k, if there, is not F", instead of
 * two alternatives; that keeps chains of conditions on one name short.
 */
#include "form/disjunction.h"
#include "form/lower.h"

#include <stdlib.h>

/* One of the ways to fail holds; `holds` says of each way what its part of the conjunction asks. Where
 * alternatives are too many, each way is taken together with the parts before it: that excludes the
 * others, and most of the products that the ways are later part of have plainly no value. */
static gm_status any_way(gm_forming *forming, const gm_expression *ways, const gm_expression *holds, size_t count,
                         gm_expression *out)
{
    if (!forming->separates_ways)
        return gm_expression_or(forming, ways, count, out);
    gm_expression *list = GM_ARENA_NEW(forming->scratch, gm_expression, count);
    gm_expression before = GM_EXPRESSION_TRUE;
    if (list == NULL)
        return gm_no_memory(forming->error);
    for (size_t i = 0; i < count; i++) {
        GM_TRY(gm_expression_and(forming, (gm_expression[]){before, ways[i]}, 2, &list[i]));
        GM_TRY(gm_expression_and(forming, (gm_expression[]){before, holds[i]}, 2, &before));
    }
    return gm_expression_or(forming, list, count, out);
}

/* ---- small atoms ---- */

gm_status gm_form_require(gm_forming *forming, const gm_json *names, gm_expression *out)
{
    gm_expression_node atom = {.kind = GM_ATOM_REQUIRED, .count = names->count};
    gm_bytes *list = GM_ARENA_NEW(forming->scratch, gm_bytes, names->count);
    if (list == NULL)
        return gm_no_memory(forming->error);
    *out = GM_EXPRESSION_TRUE;
    if (names->count == 0)
        return GM_OK;
    for (uint32_t i = 0; i < names->count; i++)
        list[i] = names->as.items[i]->as.text;
    gm_form_sort_names(list, names->count);
    atom.as.names = list;
    return gm_expression_atom(forming, &atom, out);
}

static gm_status require_one(gm_forming *forming, gm_bytes name, gm_expression *out)
{
    const gm_expression_node atom = {
        .kind = GM_ATOM_REQUIRED, .count = 1, .as.names = gm_arena_copy(forming->scratch, &name, sizeof name)};
    return atom.as.names != NULL ? gm_expression_atom(forming, &atom, out) : gm_no_memory(forming->error);
}

gm_status gm_form_constrain(gm_forming *forming, gm_bytes name, gm_formula formula, gm_expression *out)
{
    const gm_member member = {name, formula};
    gm_expression_node atom = {.kind = GM_ATOM_MEMBERS, .count = 1};
    if (formula == GM_FORMULA_TRUE) {
        *out = GM_EXPRESSION_TRUE;
        return GM_OK;
    }
    atom.as.members.list = gm_arena_copy(forming->scratch, &member, sizeof member);
    atom.as.members.sorted = gm_arena_take_zeroed(forming->scratch, sizeof(uint32_t));
    atom.as.members.rest = GM_FORMULA_TRUE;
    atom.as.members.is_open = true;
    if (atom.as.members.list == NULL || atom.as.members.sorted == NULL)
        return gm_no_memory(forming->error);
    return gm_expression_atom(forming, &atom, out);
}

gm_status gm_form_forbid(gm_forming *forming, gm_bytes name, gm_expression *out)
{
    return gm_form_constrain(forming, name, GM_FORMULA_FALSE, out);
}

static gm_status length_atom(gm_forming *forming, uint64_t least, uint64_t most, gm_expression *out)
{
    const gm_expression_node atom = {.kind = GM_ATOM_LENGTH, .as.length = {least, most}};
    return gm_expression_atom(forming, &atom, out);
}

/* ---- scalars ---- */

static gm_status not_length(gm_forming *forming, const gm_expression_node *atom, gm_expression *out)
{
    gm_expression sides[2];
    size_t count = 0;
    if (atom->as.length.least > 0)
        GM_TRY(length_atom(forming, 0, atom->as.length.least - 1, &sides[count++]));
    if (atom->as.length.most != GM_UNBOUNDED)
        GM_TRY(length_atom(forming, atom->as.length.most + 1, GM_UNBOUNDED, &sides[count++]));
    return gm_expression_or(forming, sides, count, out);
}

static gm_status not_text(gm_forming *forming, const gm_expression_node *atom, gm_expression *out)
{
    gm_expression_node negated = {.kind = GM_ATOM_TEXT};
    const gm_status status = gm_text_not(forming->stores.text, atom->as.term, &negated.as.term, forming->error);
    if (status == GM_OK)
        return gm_expression_atom(forming, &negated, out);
    if (status == GM_OUT_OF_MEMORY || forming->error == NULL)
        return status;
    const gm_error inner = *forming->error;
    return gm_schema_fail(forming->schema, forming->blame, gm_form_culprit(forming, GM_KW_COUNT, GM_FAULT_TEXT), status,
                          forming->error, "%s", inner.message);
}

static gm_status not_number(gm_forming *forming, const gm_expression_node *atom, gm_expression *out)
{
    static const gm_number_part opposite[] = {
        [GM_NUMBER_AT_LEAST] = GM_NUMBER_BELOW,         [GM_NUMBER_ABOVE] = GM_NUMBER_AT_MOST,
        [GM_NUMBER_AT_MOST] = GM_NUMBER_ABOVE,          [GM_NUMBER_BELOW] = GM_NUMBER_AT_LEAST,
        [GM_NUMBER_VALUES] = GM_NUMBER_EXCLUDED,        [GM_NUMBER_EXCLUDED] = GM_NUMBER_VALUES,
        [GM_NUMBER_MULTIPLE] = GM_NUMBER_NO_MULTIPLE,   [GM_NUMBER_NO_MULTIPLE] = GM_NUMBER_MULTIPLE,
        [GM_NUMBER_INTEGER] = GM_NUMBER_NO_INTEGER,     [GM_NUMBER_NO_INTEGER] = GM_NUMBER_INTEGER,
        [GM_NUMBER_WHOLE_TEXT] = GM_NUMBER_MARKED_TEXT, [GM_NUMBER_MARKED_TEXT] = GM_NUMBER_WHOLE_TEXT};
    gm_expression_node negated = *atom;
    negated.as.number.part = opposite[atom->as.number.part];
    return gm_expression_atom(forming, &negated, out);
}

/* ---- arrays ---- */

/* Nothing is asked of the first items, and a formula of those behind. */
static gm_status items_atom(gm_forming *forming, uint32_t from, gm_formula formula, gm_expression *out)
{
    gm_expression_node atom = {.kind = GM_ATOM_ITEMS, .count = from};
    gm_formula *prefix = GM_ARENA_NEW(forming->scratch, gm_formula, from);
    if (prefix == NULL)
        return gm_no_memory(forming->error);
    for (uint32_t i = 0; i < from; i++)
        prefix[i] = GM_FORMULA_TRUE;
    atom.as.items.prefix = prefix;
    atom.as.items.rest = formula;
    atom.as.items.is_open = true;
    return gm_expression_atom(forming, &atom, out);
}

/* The item at an index, if there is one, is as asked. */
static gm_status item_holds(gm_forming *forming, uint32_t index, gm_formula formula, gm_expression *out)
{
    gm_expression_node atom = {.kind = GM_ATOM_ITEMS, .count = index + 1};
    gm_formula *prefix = GM_ARENA_NEW(forming->scratch, gm_formula, (size_t)index + 1);
    if (prefix == NULL)
        return gm_no_memory(forming->error);
    for (uint32_t i = 0; i < index; i++)
        prefix[i] = GM_FORMULA_TRUE;
    prefix[index] = formula;
    atom.as.items.prefix = prefix;
    atom.as.items.rest = GM_FORMULA_TRUE;
    atom.as.items.is_open = true;
    return gm_expression_atom(forming, &atom, out);
}

/* At least i + 1 items, the one at i not as asked. */
static gm_status item_fails(gm_forming *forming, uint32_t index, gm_formula formula, gm_expression *out)
{
    gm_expression both[2];
    gm_formula fails;
    GM_TRY(gm_formula_not(forming, formula, &fails));
    GM_TRY(length_atom(forming, (uint64_t)index + 1, GM_UNBOUNDED, &both[0]));
    GM_TRY(item_holds(forming, index, fails, &both[1]));
    return gm_expression_and(forming, both, 2, out);
}

static gm_status contains_atom(gm_forming *forming, gm_formula formula, uint32_t from, uint64_t least, uint64_t most,
                               gm_expression *out)
{
    const gm_expression_node atom = {.kind = GM_ATOM_CONTAINS, .as.contains = {formula, from, least, most, false}};
    return gm_expression_atom(forming, &atom, out);
}

static gm_status not_items(gm_forming *forming, const gm_expression_node *atom, gm_expression *out)
{
    gm_expression *ways = GM_ARENA_NEW(forming->scratch, gm_expression, (size_t)atom->count + 1);
    gm_expression *holds = GM_ARENA_NEW(forming->scratch, gm_expression, (size_t)atom->count + 1);
    size_t count = 0;
    gm_formula fails;
    if (ways == NULL || holds == NULL)
        return gm_no_memory(forming->error);
    for (uint32_t i = 0; i < atom->count; i++) {
        if (atom->as.items.prefix[i] == GM_FORMULA_TRUE)
            continue;
        GM_TRY(item_holds(forming, i, atom->as.items.prefix[i], &holds[count]));
        GM_TRY(item_fails(forming, i, atom->as.items.prefix[i], &ways[count++]));
    }
    GM_TRY(gm_formula_not(forming, atom->as.items.rest, &fails));
    if (fails == GM_FORMULA_TRUE)
        GM_TRY(length_atom(forming, (uint64_t)atom->count + 1, GM_UNBOUNDED, &ways[count++]));
    else if (fails != GM_FORMULA_FALSE)
        GM_TRY(contains_atom(forming, fails, atom->count, 1, GM_UNBOUNDED, &ways[count++]));
    return any_way(forming, ways, holds, count, out); /* what the last part asks is not needed */
}

static gm_status not_contains(gm_forming *forming, const gm_expression_node *atom, gm_expression *out)
{
    gm_expression sides[2];
    size_t count = 0;
    const gm_formula formula = atom->as.contains.formula;
    const uint32_t from = atom->as.contains.from;
    const uint64_t least = atom->as.contains.least, most = atom->as.contains.most;
    gm_formula none;
    GM_TRY(gm_formula_not(forming, formula, &none));
    if (least == 1)
        GM_TRY(items_atom(forming, from, none, &sides[count++]));
    else if (least > 1)
        GM_TRY(contains_atom(forming, formula, from, 0, least - 1, &sides[count++]));
    if (most != GM_UNBOUNDED)
        GM_TRY(contains_atom(forming, formula, from, most + 1, GM_UNBOUNDED, &sides[count++]));
    return gm_expression_or(forming, sides, count, out);
}

/* ---- objects: a conjunction of atoms at once ---- */

typedef struct object_parts {
    GM_ARRAY(gm_bytes) required;
    GM_ARRAY(gm_member) members; /* of open maps: what is asked of each name, repeated names apart */
} object_parts;

static bool is_simple(const gm_expression_node *atom)
{
    return atom->kind == GM_ATOM_REQUIRED ||
           (atom->kind == GM_ATOM_MEMBERS && atom->as.members.rest == GM_FORMULA_TRUE &&
            atom->as.members.pattern_count == 0);
}

static bool collect(gm_forming *forming, const gm_expression_node *atom, object_parts *parts)
{
    const gm_allocator *allocator = &forming->scratch->allocator;
    for (uint32_t i = 0; i < atom->count; i++)
        if (atom->kind == GM_ATOM_REQUIRED ? !GM_ARRAY_PUSH(allocator, &parts->required, atom->as.names[i])
                                           : !GM_ARRAY_PUSH(allocator, &parts->members, atom->as.members.list[i]))
            return false;
    return true;
}

static int compare_members(const void *a, const void *b)
{
    return gm_bytes_compare(((const gm_member *)a)->name, ((const gm_member *)b)->name);
}

/* Joins equal names of the sorted member list: their formulas as one. */
static gm_status join_members(gm_forming *forming, object_parts *parts)
{
    size_t kept = 0;
    if (parts->members.count > 1)
        qsort(parts->members.items, parts->members.count, sizeof *parts->members.items, compare_members);
    for (size_t i = 0; i < parts->members.count; i++) {
        gm_member *last = kept > 0 ? &parts->members.items[kept - 1] : NULL;
        const gm_member member = parts->members.items[i];
        if (last != NULL && gm_bytes_equal(last->name, member.name))
            GM_TRY(gm_formula_and(forming, (gm_formula[]){last->formula, member.formula}, 2, &last->formula));
        else
            parts->members.items[kept++] = member;
    }
    parts->members.count = kept;
    return GM_OK;
}

static const gm_member *find_member(const object_parts *parts, gm_bytes name)
{
    for (size_t i = 0; i < parts->members.count; i++)
        if (gm_bytes_equal(parts->members.items[i].name, name))
            return &parts->members.items[i];
    return NULL;
}

static bool is_required(const object_parts *parts, gm_bytes name)
{
    for (size_t i = 0; i < parts->required.count; i++)
        if (gm_bytes_equal(parts->required.items[i], name))
            return true;
    return false;
}

/* Whether a formula is of few values, which tell alternatives apart best. */
static bool is_telling(const gm_forming *forming, gm_formula formula)
{
    const gm_formula_node *node = &forming->formulas.items[formula];
    if (node->kind != GM_FORMULA_NODE)
        return node->kind == GM_FORMULA_CONSTANT;
    const gm_json *value = gm_schema_value(forming->schema, node->as.node);
    return gm_json_get(value, GM_BYTES("const")) != NULL || gm_json_get(value, GM_BYTES("enum")) != NULL;
}

typedef struct failing { /* ways to fail, and what the part of each asks; there is room for all */
    gm_expression *ways, *holds;
    size_t count;
} failing;

/* The name is missing, or its value fails. */
static gm_status fail_required(gm_forming *forming, gm_bytes name, gm_formula formula, failing *out)
{
    gm_formula fails;
    gm_expression both[2];
    GM_TRY(gm_formula_not(forming, formula, &fails));
    GM_TRY(gm_form_constrain(forming, name, fails, &out->ways[out->count]));
    GM_TRY(require_one(forming, name, &both[0]));
    GM_TRY(gm_form_constrain(forming, name, formula, &both[1]));
    return gm_expression_and(forming, both, 2, &out->holds[out->count++]);
}

/* The name is there, and its value fails. */
static gm_status fail_optional(gm_forming *forming, gm_bytes name, gm_formula formula, failing *out)
{
    gm_formula fails;
    gm_expression both[2];
    GM_TRY(gm_formula_not(forming, formula, &fails));
    GM_TRY(require_one(forming, name, &both[0]));
    GM_TRY(gm_form_constrain(forming, name, fails, &both[1]));
    GM_TRY(gm_form_constrain(forming, name, formula, &out->holds[out->count]));
    return gm_expression_and(forming, both, 2, &out->ways[out->count++]);
}

/* One way to fail for each name, those that tell most first. */
static gm_status fail_by_name(gm_forming *forming, const object_parts *parts, failing *out)
{
    for (int telling = 1; telling >= 0; telling--) {
        for (size_t i = 0; i < parts->required.count; i++) {
            const gm_member *member = find_member(parts, parts->required.items[i]);
            const gm_formula formula = member != NULL ? member->formula : (gm_formula)GM_FORMULA_TRUE;
            if (is_telling(forming, formula) == telling)
                GM_TRY(fail_required(forming, parts->required.items[i], formula, out));
        }
        for (size_t i = 0; i < parts->members.count; i++) {
            const gm_member member = parts->members.items[i];
            if (member.formula != GM_FORMULA_TRUE && !is_required(parts, member.name) &&
                is_telling(forming, member.formula) == telling)
                GM_TRY(fail_optional(forming, member.name, member.formula, out));
        }
    }
    return GM_OK;
}

/* What excludes a way: the part itself, unless that would have names evaluated which the complement leaves
 * unevaluated; then nothing. */
static gm_expression what_holds(const gm_forming *forming, gm_expression part)
{
    return forming->tracks_evaluation && gm_form_evaluates(forming, part) ? (gm_expression)GM_EXPRESSION_TRUE : part;
}

static gm_status not_object(gm_forming *forming, const gm_expression *operands, uint32_t operand_count, bool *possible,
                            gm_expression *out)
{
    const gm_allocator *allocator = &forming->scratch->allocator;
    object_parts parts = {0};
    gm_status status = GM_OK;
    bool room = true;
    *possible = true;
    for (uint32_t i = 0; i < operand_count && room; i++)
        if (is_simple(&forming->expressions.items[operands[i]]))
            room = collect(forming, &forming->expressions.items[operands[i]], &parts);
    failing f = {0};
    if (room) {
        const size_t most = operand_count + parts.required.count + parts.members.count;
        f.ways = GM_ARENA_NEW(forming->scratch, gm_expression, most);
        f.holds = GM_ARENA_NEW(forming->scratch, gm_expression, most);
    }
    if (f.ways == NULL || f.holds == NULL)
        status = gm_no_memory(forming->error);
    if (status == GM_OK)
        status = join_members(forming, &parts);
    if (status == GM_OK)
        status = fail_by_name(forming, &parts, &f);
    for (uint32_t i = 0; i < operand_count && status == GM_OK && *possible; i++) {
        if (is_simple(&forming->expressions.items[operands[i]]))
            continue;
        f.holds[f.count] = what_holds(forming, operands[i]);
        status = gm_expression_not(forming, GM_TYPE_OBJECT, operands[i], possible, &f.ways[f.count++]);
    }
    if (status == GM_OK && *possible)
        status = any_way(forming, f.ways, f.holds, f.count, out);
    GM_ARRAY_FREE(allocator, &parts.required);
    GM_ARRAY_FREE(allocator, &parts.members);
    return status;
}

/* Some member is not as a map asks. */
static gm_status not_map(gm_forming *forming, const gm_expression_node *atom, gm_expression *out)
{
    gm_expression_node negated = *atom;
    negated.kind = GM_ATOM_SOME;
    negated.as.members.names = GM_FORMULA_TRUE;
    negated.as.members.declares = negated.as.members.evaluates = false;
    return gm_expression_atom(forming, &negated, out);
}

/* Some name is not among those that a formula allows. */
static gm_status not_names(gm_forming *forming, const gm_expression_node *atom, gm_expression *out)
{
    const gm_expression_node negated = {.kind = GM_ATOM_SOME, .as.members.names = atom->as.names_formula};
    return gm_expression_atom(forming, &negated, out);
}

static gm_status not_some(gm_forming *forming, const gm_expression_node *atom, gm_expression *out)
{
    gm_expression_node negated = *atom;
    negated.kind = GM_ATOM_MEMBERS;
    if (atom->as.members.names != GM_FORMULA_TRUE)
        negated = (gm_expression_node){.kind = GM_ATOM_NAMES, .as.names_formula = atom->as.members.names};
    return gm_expression_atom(forming, &negated, out);
}

/* ---- any expression ---- */

static gm_status not_list(gm_forming *forming, gm_type type, const gm_expression_node *node, bool *possible,
                          gm_expression *out)
{
    gm_expression *list = GM_ARENA_NEW(forming->scratch, gm_expression, node->count);
    gm_expression *holds = GM_ARENA_NEW(forming->scratch, gm_expression, node->count);
    if (list == NULL || holds == NULL)
        return gm_no_memory(forming->error);
    *possible = true;
    for (uint32_t i = 0; i < node->count && *possible; i++) {
        holds[i] = what_holds(forming, node->as.operands[i]);
        GM_TRY(gm_expression_not(forming, type, node->as.operands[i], possible, &list[i]));
    }
    if (!*possible)
        return GM_OK;
    return node->kind == GM_EXPRESSION_AND ? any_way(forming, list, holds, node->count, out)
                                           : gm_expression_and(forming, list, node->count, out);
}

/* The complement of what is known in part: refused, or left to what the caller asked for. */
static gm_status not_known(gm_forming *forming, bool *possible, gm_expression *out)
{
    const gm_expression_node atom = {.kind = GM_ATOM_UNKNOWN};
    const bool narrow = forming->options->unsupported == GM_UNSUPPORTED_NARROW;
    *possible = forming->options->unsupported != GM_UNSUPPORTED_REFUSE;
    if (!*possible)
        return GM_OK;
    GM_TRY(gm_schema_add_note(forming->schema, forming->blame, forming->negating,
                              narrow ? GM_WARNING_NARROWED : GM_WARNING_IGNORED,
                              narrow ? "the complement of what is known in part only: taken as false"
                                     : "the complement of what is known in part only: taken as true",
                              true));
    return gm_expression_atom(forming, &atom, out);
}

static gm_status not_atom(gm_forming *forming, gm_expression expression, const gm_expression_node *atom, bool *possible,
                          gm_expression *out)
{
    *possible = true;
    switch (atom->kind) {
    case GM_ATOM_IS_TRUE: {
        gm_expression_node negated = *atom;
        negated.count = !atom->count;
        return gm_expression_atom(forming, &negated, out);
    }
    case GM_ATOM_NUMBER:
        return not_number(forming, atom, out);
    case GM_ATOM_UNKNOWN:
        *out = expression;
        return GM_OK;
    case GM_ATOM_TEXT:
        return atom->is_subset ? not_known(forming, possible, out) : not_text(forming, atom, out);
    case GM_ATOM_UNIQUE: /* some two items are equal: no atom says that */
        return not_known(forming, possible, out);
    case GM_ATOM_LENGTH:
        return not_length(forming, atom, out);
    case GM_ATOM_ITEMS:
        return not_items(forming, atom, out);
    case GM_ATOM_CONTAINS:
        return not_contains(forming, atom, out);
    case GM_ATOM_MEMBERS:
    case GM_ATOM_REQUIRED:
        return is_simple(atom) ? not_object(forming, &expression, 1, possible, out) : not_map(forming, atom, out);
    case GM_ATOM_SOME:
        return not_some(forming, atom, out);
    case GM_ATOM_NAMES:
        return not_names(forming, atom, out);
    default:
        *possible = false;
        return GM_OK;
    }
}

static gm_status complement(gm_forming *forming, gm_type type, gm_expression expression, bool *possible,
                            gm_expression *out)
{
    const gm_expression_node node = forming->expressions.items[expression];
    GM_TRY(gm_forming_spend(forming, 1 + node.count));
    *possible = true;
    switch (node.kind) {
    case GM_EXPRESSION_UNIT:
        *out = expression == GM_EXPRESSION_TRUE ? GM_EXPRESSION_FALSE : GM_EXPRESSION_TRUE;
        return GM_OK;
    case GM_EXPRESSION_ONE:
    case GM_EXPRESSION_NOT_ONE:
        return gm_expression_not_one(forming, expression, out);
    case GM_EXPRESSION_CLOSED:
    case GM_EXPRESSION_NOT_CLOSED:
        return gm_expression_not_closed(forming, expression, out);
    case GM_EXPRESSION_AND:
        if (type == GM_TYPE_OBJECT)
            return not_object(forming, node.as.operands, node.count, possible, out);
        return not_list(forming, type, &node, possible, out);
    case GM_EXPRESSION_OR:
        return not_list(forming, type, &node, possible, out);
    default:
        return not_atom(forming, expression, &node, possible, out);
    }
}

static gm_status remember(gm_forming *forming, gm_type type, gm_expression of, gm_expression is)
{
    const gm_complement known = {type, of, is};
    const uint64_t hash = gm_mix((uint64_t)of << 3 | (uint64_t)type);
    if (!GM_ARRAY_PUSH(&forming->scratch->allocator, &forming->complements, known) ||
        !gm_table_add(&forming->complement_table, hash, (uint32_t)(forming->complements.count - 1)))
        return gm_no_memory(forming->error);
    return GM_OK;
}

gm_status gm_expression_not(gm_forming *forming, gm_type type, gm_expression expression, bool *possible,
                            gm_expression *out)
{
    const uint64_t hash = gm_mix((uint64_t)expression << 3 | (uint64_t)type);
    for (gm_probe probe = gm_table_find(&forming->complement_table, hash);
         gm_probe_next(&forming->complement_table, &probe);) {
        const gm_complement *known = &forming->complements.items[probe.id];
        if (known->of != expression || known->type != type)
            continue;
        *possible = true;
        *out = known->is;
        return GM_OK;
    }
    GM_TRY(complement(forming, type, expression, possible, out));
    if (!*possible || expression <= GM_EXPRESSION_TRUE)
        return GM_OK;
    GM_TRY(remember(forming, type, expression, *out));
    /* and back, unless what the inner expression evaluates would come back with it */
    return forming->tracks_evaluation || *out <= GM_EXPRESSION_TRUE ? GM_OK : remember(forming, type, *out, expression);
}
