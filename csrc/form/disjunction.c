/*
 * form/disjunction.c - see disjunction.h.
 *
 * A conjunction of disjunctions multiplies. What keeps the product small is that alternatives
 * which plainly have no value are dropped after each factor: fifteen choices that all hang on the
 * value of one name stay about fifteen, not two to the fifteenth.
 */
#include "form/disjunction.h"
#include "form/lower.h"

static const gm_allocator *scratch(gm_forming *forming) { return &forming->scratch->allocator; }

static gm_status too_many(gm_forming *forming)
{
    forming->has_too_many = true;
    return gm_schema_fail(forming->schema, forming->blame, gm_form_culprit(forming, GM_KW_COUNT, GM_FAULT_ALTERNATIVES),
                          GM_LIMIT, forming->error, "more than max_threads (%llu) alternatives for one place",
                          (unsigned long long)forming->limits->max_threads);
}

/* The atoms of both, those of `a` first. */
static gm_status join(gm_forming *forming, const gm_conjunct *a, const gm_conjunct *b, gm_conjunct *out)
{
    gm_expression *atoms = GM_ARENA_NEW(forming->scratch, gm_expression, (size_t)a->count + b->count);
    if (atoms == NULL)
        return gm_no_memory(forming->error);
    uint32_t count = 0;
    for (; count < a->count; count++)
        atoms[count] = a->atoms[count];
    for (uint32_t i = 0; i < b->count; i++) {
        bool known = false;
        for (uint32_t j = 0; j < a->count && !known; j++)
            known = a->atoms[j] == b->atoms[i];
        if (!known)
            atoms[count++] = b->atoms[i];
    }
    *out = (gm_conjunct){atoms, count};
    return gm_forming_spend(forming, count);
}

static const gm_expression_node *atom_of(gm_forming *forming, const gm_conjunct *conjunct, uint32_t i)
{
    return &forming->expressions.items[conjunct->atoms[i]];
}

/* A formula that a MEMBERS atom asks of a name, patterns aside. */
static gm_formula member_formula(const gm_expression_node *atom, gm_bytes name)
{
    uint32_t low = 0, high = atom->count;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        const gm_member *member = &atom->as.members.list[atom->as.members.sorted[middle]];
        const int order = gm_bytes_compare(member->name, name);
        if (order == 0)
            return member->formula;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return atom->as.members.pattern_count == 0 ? atom->as.members.rest : (gm_formula)GM_FORMULA_TRUE;
}

/* Whether the required name cannot have a value in this conjunction. */
static gm_status name_is_hopeless(gm_forming *forming, const gm_conjunct *conjunct, gm_bytes name, bool *hopeless)
{
    gm_formula *list = GM_ARENA_NEW(forming->scratch, gm_formula, conjunct->count);
    if (list == NULL)
        return gm_no_memory(forming->error);
    size_t count = 0;
    for (uint32_t i = 0; i < conjunct->count; i++)
        if (atom_of(forming, conjunct, i)->kind == GM_ATOM_MEMBERS)
            list[count++] = member_formula(atom_of(forming, conjunct, i), name);
    gm_formula formula;
    GM_TRY(gm_formula_and(forming, list, count, &formula));
    return gm_form_is_hopeless(forming, formula, hopeless);
}

/* Whether the bounds on members exclude each other, or the required names. */
static gm_status counts_are_hopeless(gm_forming *forming, const gm_conjunct *conjunct, bool *hopeless)
{
    uint64_t least = 0, most = GM_UNBOUNDED;
    size_t total = 0, required = 0;
    for (uint32_t i = 0; i < conjunct->count; i++) {
        const gm_expression_node *atom = atom_of(forming, conjunct, i);
        total += atom->kind == GM_ATOM_REQUIRED ? atom->count : 0;
        if (atom->kind != GM_ATOM_LENGTH)
            continue;
        least = atom->as.length.least > least ? atom->as.length.least : least;
        most = atom->as.length.most < most ? atom->as.length.most : most;
    }
    *hopeless = least > most;
    if (*hopeless || total <= most)
        return GM_OK;
    gm_bytes *names = GM_ARENA_NEW(forming->scratch, gm_bytes, total);
    if (names == NULL)
        return gm_no_memory(forming->error);
    total = 0;
    for (uint32_t i = 0; i < conjunct->count; i++) {
        const gm_expression_node *atom = atom_of(forming, conjunct, i);
        for (uint32_t j = 0; atom->kind == GM_ATOM_REQUIRED && j < atom->count; j++)
            names[total++] = atom->as.names[j];
    }
    gm_form_sort_names(names, (uint32_t)total);
    for (size_t i = 0; i < total; i++)
        required += i == 0 || !gm_bytes_equal(names[i - 1], names[i]);
    *hopeless = required > most;
    return gm_forming_spend(forming, total);
}

static gm_status object_is_hopeless(gm_forming *forming, const gm_conjunct *conjunct, bool *hopeless)
{
    GM_TRY(counts_are_hopeless(forming, conjunct, hopeless));
    if (*hopeless)
        return GM_OK;
    for (uint32_t i = 0; i < conjunct->count; i++) {
        const gm_expression_node atom = *atom_of(forming, conjunct, i);
        if (atom.kind != GM_ATOM_REQUIRED)
            continue;
        for (uint32_t j = 0; j < atom.count; j++) {
            GM_TRY(name_is_hopeless(forming, conjunct, atom.as.names[j], hopeless));
            if (*hopeless)
                return GM_OK;
        }
    }
    *hopeless = false;
    return GM_OK;
}

static gm_status array_is_hopeless(gm_forming *forming, const gm_conjunct *conjunct, bool *hopeless);

/* A conjunction with what stands beside: for decisions only, since it would change the order of names. */
static gm_status with_beside(gm_forming *forming, const gm_conjunct *conjunct, gm_conjunct *out)
{
    const gm_expression_node *node = &forming->expressions.items[forming->beside];
    const gm_conjunct beside = node->kind == GM_EXPRESSION_AND ? (gm_conjunct){node->as.operands, node->count}
                                                               : (gm_conjunct){&forming->beside, 1};
    *out = *conjunct;
    return forming->beside != GM_EXPRESSION_TRUE ? join(forming, conjunct, &beside, out) : GM_OK;
}

/* Drops the alternatives that plainly have no value. */
static gm_status prune(gm_forming *forming, gm_type type, gm_alternatives *list)
{
    if ((type != GM_TYPE_OBJECT && type != GM_TYPE_ARRAY) || list->count < 8)
        return GM_OK;
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        gm_conjunct whole;
        bool hopeless;
        GM_TRY(with_beside(forming, &list->items[i], &whole));
        GM_TRY(type == GM_TYPE_OBJECT ? object_is_hopeless(forming, &whole, &hopeless)
                                      : array_is_hopeless(forming, &whole, &hopeless));
        if (!hopeless)
            list->items[kept++] = list->items[i];
    }
    list->count = kept;
    return GM_OK;
}

/* An atom that asks one thing of one name, if it is there, and nothing else. */
static bool is_plain(const gm_expression_node *atom)
{
    return atom->kind == GM_ATOM_MEMBERS && atom->count == 1 && atom->as.members.pattern_count == 0 &&
           atom->as.members.rest == GM_FORMULA_TRUE && !atom->as.members.evaluates && !atom->as.members.declares;
}

/* Whether "this name, if there, is not as C asks" says nothing new beside a conjunction: what that asks of the name
 * excludes C already. */
static gm_status is_needless(gm_forming *forming, const gm_conjunct *beside, gm_expression atom, bool *needless)
{
    const gm_expression_node node = forming->expressions.items[atom];
    *needless = false;
    if (!is_plain(&node) || forming->formulas.items[node.as.members.list[0].formula].kind != GM_FORMULA_NOT)
        return GM_OK;
    gm_formula *list = GM_ARENA_NEW(forming->scratch, gm_formula, (size_t)beside->count + 1);
    size_t count = 1;
    if (list == NULL)
        return gm_no_memory(forming->error);
    list[0] = forming->formulas.items[node.as.members.list[0].formula].as.operands[0];
    for (uint32_t i = 0; i < beside->count; i++)
        if (atom_of(forming, beside, i)->kind == GM_ATOM_MEMBERS)
            list[count++] = member_formula(atom_of(forming, beside, i), node.as.members.list[0].name);
    gm_formula both;
    GM_TRY(gm_formula_and(forming, list, count, &both));
    const bool was_proving = forming->is_proving;
    forming->is_proving = true;
    const gm_status status = gm_form_is_hopeless(forming, both, needless);
    forming->is_proving = was_proving;
    return status;
}

/* A conjunction without what is needless beside another. */
static gm_status without_needless(gm_forming *forming, const gm_conjunct *conjunct, const gm_conjunct *beside,
                                  gm_conjunct *out)
{
    gm_expression *atoms = GM_ARENA_NEW(forming->scratch, gm_expression, conjunct->count);
    uint32_t count = 0;
    if (atoms == NULL)
        return gm_no_memory(forming->error);
    for (uint32_t i = 0; i < conjunct->count; i++) {
        bool needless;
        GM_TRY(is_needless(forming, beside, conjunct->atoms[i], &needless));
        if (!needless)
            atoms[count++] = conjunct->atoms[i];
    }
    *out = (gm_conjunct){atoms, count};
    return GM_OK;
}

static bool tells_of_a_name(const gm_forming *forming, const gm_conjunct *conjunct)
{
    for (uint32_t i = 0; i < conjunct->count; i++) {
        const gm_expression_node *atom = &forming->expressions.items[conjunct->atoms[i]];
        if (atom->kind == GM_ATOM_MEMBERS && atom->count == 1 &&
            forming->formulas.items[atom->as.members.list[0].formula].kind != GM_FORMULA_NOT)
            return true;
    }
    return false;
}

/* An alternative of a product and one of a factor that has several. In a chain of conditions on one name each branch
 * would else drag along the complements of all others. */
static gm_status join_choice(gm_forming *forming, gm_type type, const gm_conjunct *a, const gm_conjunct *b,
                             gm_conjunct *out)
{
    gm_conjunct lean_a = *a, lean_b = *b;
    if (type == GM_TYPE_OBJECT) {
        GM_TRY(without_needless(forming, b, a, &lean_b));
        if (tells_of_a_name(forming, b))
            GM_TRY(without_needless(forming, a, b, &lean_a));
    }
    return join(forming, &lean_a, &lean_b, out);
}

static gm_status multiply(gm_forming *forming, gm_type type, gm_alternatives *product, const gm_alternatives *factor)
{
    gm_alternatives result = {0};
    gm_status status = GM_OK;
    if (factor->count * product->count > 64 * forming->limits->max_threads)
        status = too_many(forming);
    for (size_t i = 0; i < product->count && status == GM_OK; i++)
        for (size_t j = 0; j < factor->count && status == GM_OK; j++) {
            gm_conjunct both;
            status = factor->count > 1 ? join_choice(forming, type, &product->items[i], &factor->items[j], &both)
                                       : join(forming, &product->items[i], &factor->items[j], &both);
            if (status == GM_OK && !GM_ARRAY_PUSH(scratch(forming), &result, both))
                status = gm_no_memory(forming->error);
        }
    gm_alternatives *drop = status == GM_OK ? product : &result;
    GM_ARRAY_FREE(scratch(forming), drop);
    if (status == GM_OK)
        *product = result;
    return status;
}

/* The alternatives of an expression. With `tracked`, so that each holds all that is evaluated where it holds. */
static gm_status alternatives(gm_forming *forming, gm_type type, gm_expression expression, bool tracked,
                              gm_alternatives *out);

/* The atoms of a conjunction: what stands beside its choices, and helps to tell them apart. */
static gm_status context_of(gm_forming *forming, const gm_expression *operands, uint32_t count, gm_expression *context)
{
    gm_expression *atoms = GM_ARENA_NEW(forming->scratch, gm_expression, count);
    size_t found = 0;
    bool has_choice = false;
    if (atoms == NULL)
        return gm_no_memory(forming->error);
    for (uint32_t i = 0; i < count; i++) {
        const gm_expression_kind kind = forming->expressions.items[operands[i]].kind;
        if (kind == GM_EXPRESSION_ONE || kind == GM_EXPRESSION_NOT_ONE)
            has_choice = true;
        else if (kind != GM_EXPRESSION_OR && kind != GM_EXPRESSION_CLOSED && kind != GM_EXPRESSION_NOT_CLOSED)
            atoms[found++] = operands[i];
    }
    *context = GM_EXPRESSION_TRUE;
    return has_choice ? gm_expression_and(forming, atoms, found, context) : GM_OK;
}

static gm_status append_product(gm_forming *forming, gm_type type, const gm_expression *operands, uint32_t count,
                                bool tracked, gm_alternatives *out)
{
    gm_alternatives product = {0};
    const gm_conjunct empty = {NULL, 0};
    gm_status status = GM_ARRAY_PUSH(scratch(forming), &product, empty) ? GM_OK : gm_no_memory(forming->error);
    gm_expression context = GM_EXPRESSION_TRUE;
    if (status == GM_OK)
        status = context_of(forming, operands, count, &context);
    for (uint32_t i = 0; i < count && status == GM_OK; i++) {
        gm_alternatives factor = {0};
        gm_expression operand = operands[i];
        const gm_expression_kind kind = forming->expressions.items[operand].kind;
        const gm_expression before = forming->beside;
        if (kind == GM_EXPRESSION_ONE || kind == GM_EXPRESSION_NOT_ONE) {
            status = gm_form_resolve_one(forming, type, operand, context, &operand);
            if (status == GM_OK)
                status = gm_expression_and(forming, (gm_expression[]){before, context}, 2, &forming->beside);
        }
        if (status == GM_OK)
            status = alternatives(forming, type, operand, tracked, &factor);
        forming->beside = before;
        if (status == GM_OK)
            status = multiply(forming, type, &product, &factor);
        if (status == GM_OK && factor.count > 1)
            status = prune(forming, type, &product);
        if (status == GM_OK && product.count > forming->limits->max_threads)
            status = too_many(forming);
        GM_ARRAY_FREE(scratch(forming), &factor);
    }
    for (size_t i = 0; i < product.count && status == GM_OK; i++)
        if (!GM_ARRAY_PUSH(scratch(forming), out, product.items[i]))
            status = gm_no_memory(forming->error);
    GM_ARRAY_FREE(scratch(forming), &product);
    return status;
}

bool gm_form_evaluates(const gm_forming *forming, gm_expression expression)
{
    const gm_expression_node *node = &forming->expressions.items[expression];
    switch (node->kind) {
    case GM_ATOM_MEMBERS:
        return node->as.members.evaluates;
    case GM_ATOM_ITEMS:
        return node->as.items.evaluates;
    case GM_ATOM_CONTAINS:
        return node->as.contains.evaluates;
    case GM_EXPRESSION_CLOSED:
        return true;
    case GM_EXPRESSION_AND:
    case GM_EXPRESSION_OR:
    case GM_EXPRESSION_ONE:
    case GM_EXPRESSION_NOT_ONE:
        for (uint32_t i = 0; i < node->count; i++)
            if (gm_form_evaluates(forming, node->as.operands[i]))
                return true;
        return false;
    default:
        return false;
    }
}

/* What is evaluated depends on all branches that hold, not on one of them: so every set of branches
 * that evaluate something is an alternative, each of the others one alone. Sets that plainly have
 * no value are dropped on the way. */
static gm_status append_branch_sets(gm_forming *forming, gm_type type, const gm_expression *branches, uint32_t count,
                                    gm_alternatives *out)
{
    gm_alternatives sets = {0};
    gm_status status = GM_OK;
    for (uint32_t i = 0; i < count && status == GM_OK; i++) {
        gm_alternatives branch = {0};
        const bool evaluates = gm_form_evaluates(forming, branches[i]);
        const size_t before = evaluates ? sets.count : 0;
        status = alternatives(forming, type, branches[i], true, &branch);
        for (size_t j = 0; j < branch.count && status == GM_OK; j++) {
            for (size_t k = 0; k <= before && status == GM_OK; k++) {
                gm_conjunct both = branch.items[j];
                bool hopeless = false;
                if (k < before)
                    status = join(forming, &sets.items[k], &branch.items[j], &both);
                if (k < before && status == GM_OK && type == GM_TYPE_OBJECT)
                    status = object_is_hopeless(forming, &both, &hopeless);
                if (status == GM_OK && !hopeless && !GM_ARRAY_PUSH(scratch(forming), evaluates ? &sets : out, both))
                    status = gm_no_memory(forming->error);
            }
            if (status == GM_OK && sets.count > forming->limits->max_threads)
                status = too_many(forming);
        }
        GM_ARRAY_FREE(scratch(forming), &branch);
    }
    for (size_t i = 0; i < sets.count && status == GM_OK; i++)
        if (!GM_ARRAY_PUSH(scratch(forming), out, sets.items[i]))
            status = gm_no_memory(forming->error);
    GM_ARRAY_FREE(scratch(forming), &sets);
    return status;
}

/* The atom that asks a formula of what a conjunction leaves unevaluated; TRUE if that is nothing. */
static gm_status close_members(gm_forming *forming, const gm_conjunct *conjunct, gm_formula rest, gm_expression *out)
{
    size_t names = 0, patterns = 0;
    *out = GM_EXPRESSION_TRUE;
    for (uint32_t i = 0; i < conjunct->count; i++) {
        const gm_expression_node *atom = atom_of(forming, conjunct, i);
        if (atom->kind != GM_ATOM_MEMBERS || !atom->as.members.evaluates)
            continue;
        if (!atom->as.members.is_open)
            return GM_OK;
        names += atom->count;
        patterns += atom->as.members.pattern_count;
    }
    gm_member *list = GM_ARENA_NEW(forming->scratch, gm_member, names);
    gm_pattern_member *by_pattern = GM_ARENA_NEW(forming->scratch, gm_pattern_member, patterns);
    if (list == NULL || by_pattern == NULL)
        return gm_no_memory(forming->error);
    gm_expression_node closing = {.kind = GM_ATOM_MEMBERS};
    for (uint32_t i = 0; i < conjunct->count; i++) {
        const gm_expression_node *atom = atom_of(forming, conjunct, i);
        if (atom->kind != GM_ATOM_MEMBERS || !atom->as.members.evaluates)
            continue;
        for (uint32_t j = 0; j < atom->count; j++)
            list[closing.count++] = (gm_member){atom->as.members.list[j].name, GM_FORMULA_TRUE};
        for (uint32_t j = 0; j < atom->as.members.pattern_count; j++)
            by_pattern[closing.as.members.pattern_count++] =
                (gm_pattern_member){atom->as.members.patterns[j].pattern, GM_FORMULA_TRUE};
    }
    closing.as.members.list = list;
    closing.as.members.patterns = by_pattern;
    closing.as.members.sorted = gm_form_sort_members(forming->scratch, list, closing.count);
    closing.as.members.rest = rest;
    closing.as.members.evaluates = true;
    return closing.as.members.sorted != NULL ? gm_expression_atom(forming, &closing, out)
                                             : gm_no_memory(forming->error);
}

/* Items behind all prefixes are evaluated by the counts that they satisfy too. */
static gm_status close_items(gm_forming *forming, const gm_conjunct *conjunct, gm_formula rest, gm_expression *out)
{
    gm_expression_node closing = {.kind = GM_ATOM_ITEMS};
    gm_formula *list = GM_ARENA_NEW(forming->scratch, gm_formula, (size_t)conjunct->count + 1);
    size_t found = 1;
    if (list == NULL)
        return gm_no_memory(forming->error);
    *out = GM_EXPRESSION_TRUE;
    list[0] = rest;
    for (uint32_t i = 0; i < conjunct->count; i++) {
        const gm_expression_node *atom = atom_of(forming, conjunct, i);
        if (atom->kind == GM_ATOM_CONTAINS && atom->as.contains.evaluates)
            list[found++] = atom->as.contains.formula;
        if (atom->kind != GM_ATOM_ITEMS || !atom->as.items.evaluates)
            continue;
        if (!atom->as.items.is_open)
            return GM_OK;
        if (atom->count > closing.count)
            closing.count = atom->count;
    }
    gm_formula *prefix = GM_ARENA_NEW(forming->scratch, gm_formula, closing.count);
    if (prefix == NULL)
        return gm_no_memory(forming->error);
    for (uint32_t i = 0; i < closing.count; i++)
        prefix[i] = GM_FORMULA_TRUE;
    GM_TRY(gm_formula_or(forming, list, found, &closing.as.items.rest));
    closing.as.items.prefix = prefix;
    closing.as.items.evaluates = true;
    return gm_expression_atom(forming, &closing, out);
}

static gm_status append_closed(gm_forming *forming, gm_type type, const gm_expression_node *node, gm_alternatives *out)
{
    gm_alternatives list = {0};
    gm_status status = alternatives(forming, type, *node->as.closed.operand, true, &list);
    for (size_t i = 0; i < list.count && status == GM_OK; i++) {
        gm_expression closing;
        gm_conjunct both;
        status = type == GM_TYPE_OBJECT ? close_members(forming, &list.items[i], node->as.closed.rest, &closing)
                                        : close_items(forming, &list.items[i], node->as.closed.rest, &closing);
        const gm_conjunct last = {&closing, closing != GM_EXPRESSION_TRUE};
        if (status == GM_OK)
            status = join(forming, &list.items[i], &last, &both);
        if (status == GM_OK && !GM_ARRAY_PUSH(scratch(forming), out, both))
            status = gm_no_memory(forming->error);
    }
    GM_ARRAY_FREE(scratch(forming), &list);
    return status;
}

/* Every alternative of the closed place fails, by one of its atoms. */
static gm_status append_not_closed(gm_forming *forming, gm_type type, const gm_expression_node *node, bool tracked,
                                   gm_alternatives *out)
{
    gm_alternatives list = {0};
    gm_expression all = GM_EXPRESSION_TRUE;
    gm_status status = append_closed(forming, type, node, &list);
    for (size_t i = 0; i < list.count && status == GM_OK; i++) {
        gm_expression fails = GM_EXPRESSION_FALSE;
        for (uint32_t j = 0; j < list.items[i].count && status == GM_OK; j++) {
            gm_expression one;
            bool possible;
            status = gm_expression_not(forming, type, list.items[i].atoms[j], &possible, &one);
            if (status == GM_OK && !possible)
                status = gm_schema_fail(forming->schema, forming->blame, GM_KW_COUNT, GM_UNSUPPORTED, forming->error,
                                        "the complement of a set of which only a part is known");
            if (status == GM_OK)
                status = gm_expression_or(forming, (gm_expression[]){fails, one}, 2, &fails);
        }
        if (status == GM_OK)
            status = gm_expression_and(forming, (gm_expression[]){all, fails}, 2, &all);
    }
    GM_ARRAY_FREE(scratch(forming), &list);
    return status == GM_OK ? alternatives(forming, type, all, tracked, out) : status;
}

static gm_status alternatives(gm_forming *forming, gm_type type, gm_expression expression, bool tracked,
                              gm_alternatives *out)
{
    const gm_expression_node node = forming->expressions.items[expression];
    if (expression == GM_EXPRESSION_FALSE)
        return GM_OK;
    if (node.kind == GM_EXPRESSION_OR && tracked)
        return append_branch_sets(forming, type, node.as.operands, node.count, out);
    if (node.kind == GM_EXPRESSION_OR) {
        for (uint32_t i = 0; i < node.count; i++)
            GM_TRY(alternatives(forming, type, node.as.operands[i], false, out));
        return out->count > forming->limits->max_threads ? too_many(forming) : GM_OK;
    }
    if (node.kind == GM_EXPRESSION_AND)
        return append_product(forming, type, node.as.operands, node.count, tracked, out);
    if (node.kind == GM_EXPRESSION_CLOSED)
        return append_closed(forming, type, &node, out);
    if (node.kind == GM_EXPRESSION_NOT_CLOSED)
        return append_not_closed(forming, type, &node, tracked, out);
    if (node.kind == GM_EXPRESSION_ONE || node.kind == GM_EXPRESSION_NOT_ONE) {
        gm_expression resolved;
        GM_TRY(gm_form_resolve_one(forming, type, expression, GM_EXPRESSION_TRUE, &resolved));
        return alternatives(forming, type, resolved, tracked, out);
    }
    gm_conjunct alone = {NULL, 0};
    if (node.kind == GM_ATOM_UNKNOWN) { /* proofs must not rest on it */
        if (!forming->is_proving && forming->options->unsupported == GM_UNSUPPORTED_NARROW)
            return GM_OK;
    } else if (expression != GM_EXPRESSION_TRUE) {
        alone = (gm_conjunct){gm_arena_copy(forming->scratch, &expression, sizeof expression), 1};
        if (alone.atoms == NULL)
            return gm_no_memory(forming->error);
    }
    return GM_ARRAY_PUSH(scratch(forming), out, alone) ? GM_OK : gm_no_memory(forming->error);
}

gm_status gm_form_alternatives(gm_forming *forming, gm_type type, gm_expression expression, gm_alternatives *out)
{
    return alternatives(forming, type, expression, false, out);
}

/* Whether no item at a position can be as asked, whatever it serves among `must` and more. */
static gm_status item_is_hopeless(gm_forming *forming, const gm_array_thread *record, uint32_t at, uint32_t must,
                                  bool *hopeless)
{
    *hopeless = true;
    for (uint32_t served = 0; served < gm_array_sets(record) && *hopeless; served++)
        if ((served & must) == must)
            GM_TRY(gm_form_is_hopeless(forming, gm_array_item(record, at, served), hopeless));
    return GM_OK;
}

static gm_status record_is_hopeless(gm_forming *forming, const gm_array_thread *record, bool *hopeless)
{
    const gm_counting *counting = record->counting;
    *hopeless = record->least > record->most;
    for (uint32_t i = 0; !*hopeless && i < record->least && i <= record->prefix_count; i++)
        GM_TRY(item_is_hopeless(forming, record, i, 0, hopeless));
    for (uint32_t j = 0; counting != NULL && j < counting->obligations && !*hopeless; j++) {
        uint32_t state = 0, scale = 1; /* where all other counts are as high as they may be */
        for (uint32_t i = 0; i < counting->obligations; scale *= counting->radix[i++])
            state += i != j ? (counting->radix[i] - 1) * scale : 0;
        *hopeless = !counting->suffices[state];
        for (uint32_t i = 0; *hopeless && i <= record->prefix_count && i < record->most; i++)
            GM_TRY(item_is_hopeless(forming, record, i, 1u << j, hopeless));
    }
    return GM_OK;
}

/* Whether an array alternative plainly has no value: lengths that exclude each other, or a needed
 * item that has none. */
static gm_status array_is_hopeless(gm_forming *forming, const gm_conjunct *conjunct, bool *hopeless)
{
    gm_array_thread record;
    const gm_arena_mark mark = gm_arena_save(forming->keep);
    gm_status status = gm_form_array_record(forming, conjunct, &record);
    if (status == GM_OK)
        status = record_is_hopeless(forming, &record, hopeless);
    gm_arena_rewind(forming->keep, mark);
    return status;
}

static gm_status find_out(gm_forming *forming, gm_type type, const gm_expression *parts, size_t count, bool *excludes)
{
    gm_expression both;
    *excludes = false;
    GM_TRY(gm_expression_and(forming, parts, count, &both));
    if (both == GM_EXPRESSION_FALSE) {
        *excludes = true;
        return GM_OK;
    }
    if (type == GM_TYPE_STRING || type == GM_TYPE_NUMBER) {
        gm_text_thread *texts;
        gm_number_language *numbers;
        uint32_t threads;
        if (type == GM_TYPE_STRING)
            GM_TRY(gm_form_text_threads(forming, both, &texts, &threads));
        else
            GM_TRY(gm_form_number_threads(forming, both, &numbers, &threads));
        *excludes = threads == 0;
        return GM_OK;
    }
    if (type == GM_TYPE_BOOLEAN) {
        bool yes, no;
        GM_TRY(gm_form_booleans(forming, both, &yes, &no));
        *excludes = !yes && !no;
        return GM_OK;
    }
    gm_alternatives list = {0};
    gm_status status = gm_form_alternatives(forming, type, both, &list);
    bool hopeless = status == GM_OK;
    for (size_t i = 0; i < list.count && hopeless && status == GM_OK; i++)
        status = type == GM_TYPE_OBJECT  ? object_is_hopeless(forming, &list.items[i], &hopeless)
                 : type == GM_TYPE_ARRAY ? array_is_hopeless(forming, &list.items[i], &hopeless)
                                         : (hopeless = false, GM_OK);
    *excludes = hopeless && status == GM_OK;
    GM_ARRAY_FREE(scratch(forming), &list);
    return status;
}

gm_status gm_form_excludes(gm_forming *forming, gm_type type, const gm_expression *parts, size_t count, bool *excludes)
{
    const bool was_proving = forming->is_proving; /* a proof may need others */
    forming->is_proving = true;
    const gm_status status = find_out(forming, type, parts, count, excludes);
    forming->is_proving = was_proving;
    return status;
}

static gm_status decide_hopeless(gm_forming *forming, gm_formula formula, bool *hopeless)
{
    gm_typed typed;
    gm_text_thread *texts;
    gm_number_language *numbers;
    uint32_t count = 0;
    GM_TRY(gm_form_expand(forming, formula, &typed));
    *hopeless = false;
    if (typed.of[GM_TYPE_NULL] != GM_EXPRESSION_FALSE || typed.of[GM_TYPE_BOOLEAN] == GM_EXPRESSION_TRUE ||
        typed.of[GM_TYPE_ARRAY] != GM_EXPRESSION_FALSE || typed.of[GM_TYPE_OBJECT] != GM_EXPRESSION_FALSE)
        return GM_OK;
    if (typed.of[GM_TYPE_BOOLEAN] != GM_EXPRESSION_FALSE) {
        bool yes, no;
        GM_TRY(gm_form_booleans(forming, typed.of[GM_TYPE_BOOLEAN], &yes, &no));
        if (yes || no)
            return GM_OK;
    }
    if (typed.of[GM_TYPE_STRING] != GM_EXPRESSION_FALSE)
        GM_TRY(gm_form_text_threads(forming, typed.of[GM_TYPE_STRING], &texts, &count));
    if (count == 0 && typed.of[GM_TYPE_NUMBER] != GM_EXPRESSION_FALSE)
        GM_TRY(gm_form_number_threads(forming, typed.of[GM_TYPE_NUMBER], &numbers, &count));
    *hopeless = count == 0;
    return GM_OK;
}

gm_status gm_form_is_hopeless(gm_forming *forming, gm_formula formula, bool *hopeless)
{
    const int view = forming->is_proving;
    const uint8_t known = forming->formulas.items[formula].hopeless[view];
    *hopeless = known == 2;
    if (known != 0)
        return GM_OK;
    GM_TRY(decide_hopeless(forming, formula, hopeless));
    forming->formulas.items[formula].hopeless[view] = *hopeless ? 2 : 1;
    return GM_OK;
}

gm_status gm_form_booleans(gm_forming *forming, gm_expression expression, bool *yes, bool *no)
{
    gm_alternatives list = {0};
    gm_status status = gm_form_alternatives(forming, GM_TYPE_BOOLEAN, expression, &list);
    *yes = *no = false;
    for (size_t i = 0; i < list.count && status == GM_OK; i++) {
        bool can_be[2] = {true, true};
        for (uint32_t j = 0; j < list.items[i].count; j++)
            can_be[!atom_of(forming, &list.items[i], j)->count] = false;
        *no = *no || can_be[0];
        *yes = *yes || can_be[1];
    }
    GM_ARRAY_FREE(scratch(forming), &list);
    return status;
}
