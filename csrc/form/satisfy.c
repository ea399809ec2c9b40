/*
 * form/satisfy.c - profiles every formula that a document can meet, and decides which have a value.
 *
 * Discovery starts at the root and follows what threads ask of members and items. Then a least
 * fixpoint: a formula is inhabited if a scalar satisfies it or one of its threads is inhabited; a
 * thread, if everything it needs (required members, the first `least` items) is. Each thread counts
 * its unmet needs and is visited when one is met, so the whole is linear; recursion without a base
 * case stays uninhabited.
 *
 * Afterwards what has no value is cut away: dead threads leave their profiles, formulas without a
 * value become FALSE, arrays end before the first item that cannot be.
 */
#include "form/disjunction.h"
#include "form/satisfy.h"

#define NO_LINK UINT32_MAX

typedef struct open_thread {
    gm_formula owner;
    uint32_t unmet;
    uint64_t short_of; /* objects: members still wanting for `least`; while > 0, one of the unmet */
    bool inhabited;
    gm_object_thread *object; /* one of the two */
    gm_array_thread *array;
} open_thread;

typedef struct need { /* `thread` waits for a formula; linked per formula */
    uint32_t thread;
    uint32_t next;
    uint64_t members; /* how many it may add to an object; 0 = the thread cannot do without */
} need;

typedef struct deciding {
    gm_forming *forming;
    GM_ARRAY(gm_profile *) profiles; /* by formula; NULL = not met */
    GM_ARRAY(gm_formula) queue;
    GM_ARRAY(open_thread) threads;
    GM_ARRAY(need) needs;
    GM_ARRAY(uint32_t) first_need; /* by formula */
} deciding;

static const gm_allocator *scratch(deciding *d) { return &d->forming->scratch->allocator; }

static gm_status no_memory(deciding *d) { return gm_no_memory(d->forming->error); }

/* Puts a formula on the queue unless it was there. */
static gm_status meet(deciding *d, gm_formula formula)
{
    while (d->profiles.count <= formula)
        if (!GM_ARRAY_PUSH(scratch(d), &d->profiles, NULL) || !GM_ARRAY_PUSH(scratch(d), &d->first_need, NO_LINK))
            return no_memory(d);
    if (formula == GM_FORMULA_FALSE || d->profiles.items[formula] != NULL)
        return GM_OK;
    gm_profile *profile = gm_arena_take_zeroed(d->forming->keep, sizeof *profile);
    if (profile == NULL || !GM_ARRAY_PUSH(scratch(d), &d->queue, formula))
        return no_memory(d);
    d->profiles.items[formula] = profile;
    return GM_OK;
}

static gm_status link_need(deciding *d, uint32_t thread, gm_formula formula, uint64_t members)
{
    GM_TRY(meet(d, formula));
    const need link = {thread, d->first_need.items[formula], members};
    if (!GM_ARRAY_PUSH(scratch(d), &d->needs, link))
        return no_memory(d);
    d->first_need.items[formula] = (uint32_t)(d->needs.count - 1);
    return gm_forming_spend(d->forming, 1);
}

static gm_status needs_value(deciding *d, uint32_t thread, gm_formula formula)
{
    d->threads.items[thread].unmet++;
    return link_need(d, thread, formula, 0);
}

/* What may be counted towards an object's least number of members. */
static gm_status needs_members(deciding *d, uint32_t thread, const gm_object_thread *record)
{
    if (record->least == 0)
        return GM_OK;
    d->threads.items[thread].short_of = record->least;
    d->threads.items[thread].unmet++;
    for (uint32_t i = 0; i < record->name_count; i++)
        GM_TRY(link_need(d, thread, record->names[i].formula, 1));
    for (uint32_t i = 0; i < record->family_count; i++)
        GM_TRY(link_need(d, thread, record->families[i].formula, record->least));
    return record->families == NULL ? link_need(d, thread, record->rest, record->least) : GM_OK;
}

static bool has_separator(const gm_forming *forming, const char *own, const char *usual)
{
    return gm_alphabet_has(forming->stores.alphabet, own != NULL ? own : usual);
}

/* How many members or items can be spelled: not two without a comma, none without what stands
 * before the first in indented text. */
static uint64_t spellable_members(const gm_forming *forming)
{
    const gm_schema_options *options = forming->options;
    const bool lines = options->whitespace == GM_WHITESPACE_INDENTED;
    if (lines && !gm_alphabet_has(forming->stores.alphabet, "\n "))
        return 0;
    const bool commas = options->whitespace == GM_WHITESPACE_SPACED
                            ? has_separator(forming, options->item_separator, ", ")
                            : gm_alphabet_has(forming->stores.alphabet, ",");
    return commas ? UINT64_MAX : 1;
}

static bool can_spell_keys(const gm_forming *forming)
{
    const gm_schema_options *options = forming->options;
    const bool fixed = options->whitespace == GM_WHITESPACE_SPACED || options->whitespace == GM_WHITESPACE_INDENTED;
    return gm_alphabet_has(forming->stores.alphabet, "\":") &&
           (!fixed || has_separator(forming, options->key_separator, ": "));
}

/* Names that the vocabulary cannot spell have no value; nor has any, without quotes and colons. */
static void cut_unspellable(const deciding *d, gm_object_thread *record)
{
    const gm_alphabet *alphabet = d->forming->stores.alphabet;
    const uint64_t most = spellable_members(d->forming);
    const bool none = most == 0 || !can_spell_keys(d->forming);
    if (alphabet->is_whole)
        return;
    record->most = record->most < most ? record->most : most;
    for (uint32_t i = 0; i < record->name_count; i++)
        if (none || !gm_alphabet_spells(alphabet, record->names[i].text))
            ((gm_name *)record->names)[i].formula = GM_FORMULA_FALSE;
    if (none) {
        record->rest = GM_FORMULA_FALSE;
        record->family_count = 0;
    }
}

static gm_status open_object(deciding *d, gm_formula owner, const gm_conjunct *conjunct, const gm_object_thread **out)
{
    gm_object_thread *record = gm_arena_take_zeroed(d->forming->keep, sizeof *record);
    const open_thread thread = {.owner = owner, .object = record};
    if (record == NULL || !GM_ARRAY_PUSH(scratch(d), &d->threads, thread))
        return no_memory(d);
    GM_TRY(gm_form_object_record(d->forming, conjunct, record));
    const uint32_t id = (uint32_t)(d->threads.count - 1);
    cut_unspellable(d, record);
    if (!gm_alphabet_has(d->forming->stores.alphabet, "{}"))
        d->threads.items[id].unmet++; /* a need that nothing meets */
    GM_TRY(meet(d, record->rest));
    uint64_t required = 0;
    for (uint32_t i = 0; i < record->name_count; i++)
        required += record->names[i].required;
    if (record->least > record->most || required > record->most)
        d->threads.items[id].unmet++; /* likewise */
    for (uint32_t i = 0; i < record->family_count; i++)
        GM_TRY(meet(d, record->families[i].formula));
    GM_TRY(needs_members(d, id, record));
    for (uint32_t i = 0; i < record->name_count; i++)
        GM_TRY(record->names[i].required ? needs_value(d, id, record->names[i].formula)
                                         : meet(d, record->names[i].formula));
    *out = record;
    return GM_OK;
}

static gm_status open_array(deciding *d, gm_formula owner, const gm_conjunct *conjunct, const gm_array_thread **out)
{
    gm_array_thread *record = gm_arena_take_zeroed(d->forming->keep, sizeof *record);
    const open_thread thread = {.owner = owner, .array = record};
    if (record == NULL || !GM_ARRAY_PUSH(scratch(d), &d->threads, thread))
        return no_memory(d);
    GM_TRY(gm_form_array_record(d->forming, conjunct, record));
    const uint32_t id = (uint32_t)(d->threads.count - 1);
    const uint64_t most = spellable_members(d->forming);
    record->most = record->most < most ? record->most : most;
    for (uint32_t i = 0; i < record->prefix_count; i++)
        GM_TRY(i < record->least ? needs_value(d, id, record->prefix[i]) : meet(d, record->prefix[i]));
    if (record->least > record->most || !gm_alphabet_has(d->forming->stores.alphabet, "[]"))
        d->threads.items[id].unmet++; /* a need that nothing meets */
    *out = record;
    return record->least > record->prefix_count ? needs_value(d, id, record->rest) : meet(d, record->rest);
}

static gm_status open_containers(deciding *d, gm_formula formula, gm_type type, gm_expression expression,
                                 gm_profile *profile)
{
    gm_alternatives list = {0};
    gm_status status = GM_OK;
    if (d->forming->options->strict && expression != GM_EXPRESSION_FALSE && gm_form_evaluates(d->forming, expression))
        status = gm_expression_closed(d->forming, expression, GM_FORMULA_FALSE, &expression);
    if (status == GM_OK)
        status = gm_form_alternatives(d->forming, type, expression, &list);
    const void **records = NULL;
    if (status == GM_OK && (records = GM_ARENA_NEW(d->forming->keep, const void *, list.count)) == NULL)
        status = no_memory(d);
    for (size_t i = 0; i < list.count && status == GM_OK; i++) {
        if (type == GM_TYPE_OBJECT)
            status = open_object(d, formula, &list.items[i], (const gm_object_thread **)&records[i]);
        else
            status = open_array(d, formula, &list.items[i], (const gm_array_thread **)&records[i]);
    }
    if (status == GM_OK && type == GM_TYPE_OBJECT) {
        profile->objects = (const gm_object_thread *const *)records;
        profile->object_count = (uint32_t)list.count;
    } else if (status == GM_OK) {
        profile->arrays = (const gm_array_thread *const *)records;
        profile->array_count = (uint32_t)list.count;
    }
    d->forming->thread_count += (uint32_t)list.count;
    GM_ARRAY_FREE(scratch(d), &list);
    return status;
}

static gm_status open_scalars(deciding *d, const gm_typed *typed, gm_profile *profile)
{
    gm_forming *forming = d->forming;
    gm_text_thread *texts;
    gm_number_language *numbers;
    const gm_alphabet *alphabet = forming->stores.alphabet;
    profile->null = typed->of[GM_TYPE_NULL] == GM_EXPRESSION_TRUE && gm_alphabet_has(alphabet, "null");
    GM_TRY(gm_form_booleans(forming, typed->of[GM_TYPE_BOOLEAN], &profile->yes, &profile->no));
    profile->yes = profile->yes && gm_alphabet_has(alphabet, "true");
    profile->no = profile->no && gm_alphabet_has(alphabet, "false");
    GM_TRY(gm_form_text_threads(forming, typed->of[GM_TYPE_STRING], &texts, &profile->text_count));
    GM_TRY(gm_form_number_threads(forming, typed->of[GM_TYPE_NUMBER], &numbers, &profile->number_count));
    profile->texts = gm_arena_copy(forming->keep, texts, profile->text_count * sizeof *texts);
    profile->numbers = gm_arena_copy(forming->keep, numbers, profile->number_count * sizeof *numbers);
    if (profile->texts == NULL || profile->numbers == NULL)
        return no_memory(d);
    profile->inhabited =
        profile->null || profile->yes || profile->no || profile->text_count != 0 || profile->number_count != 0;
    return GM_OK;
}

/* Where the formula stands in the schema: of a conjunction, its first node. */
static gm_status keep_pointer(deciding *d, gm_formula formula, gm_profile *profile)
{
    const gm_formula_node *node = &d->forming->formulas.items[formula];
    for (uint32_t i = 0; node->kind == GM_FORMULA_AND && i < node->count; i++)
        if (d->forming->formulas.items[node->as.operands[i]].kind == GM_FORMULA_NODE)
            node = &d->forming->formulas.items[node->as.operands[i]];
    profile->pointer = "";
    if (node->kind != GM_FORMULA_NODE)
        return GM_OK;
    char pointer[256];
    gm_schema_pointer(d->forming->schema, node->as.node, pointer, sizeof pointer);
    profile->pointer = gm_arena_text(d->forming->keep, gm_bytes_of(pointer));
    return profile->pointer != NULL ? GM_OK : no_memory(d);
}

static gm_status discover(deciding *d)
{
    for (size_t at = 0; at < d->queue.count; at++) {
        const gm_formula formula = d->queue.items[at];
        gm_profile *profile = d->profiles.items[formula];
        gm_typed typed;
        if (d->forming->formulas.items[formula].kind == GM_FORMULA_NODE)
            d->forming->blame = d->forming->formulas.items[formula].as.node;
        GM_TRY(gm_form_expand(d->forming, formula, &typed));
        GM_TRY(keep_pointer(d, formula, profile));
        GM_TRY(open_scalars(d, &typed, profile));
        GM_TRY(open_containers(d, formula, GM_TYPE_ARRAY, typed.of[GM_TYPE_ARRAY], profile));
        GM_TRY(open_containers(d, formula, GM_TYPE_OBJECT, typed.of[GM_TYPE_OBJECT], profile));
    }
    return GM_OK;
}

/* ---- the fixpoint ---- */

/* Marks a formula inhabited and, by the work list, all that follows from it. */
static gm_status spread(deciding *d)
{
    GM_ARRAY(gm_formula) ready = {0};
    gm_status status = GM_OK;
    for (size_t i = 0; i < d->threads.count; i++) {
        open_thread *thread = &d->threads.items[i];
        thread->inhabited = thread->unmet == 0;
        if (thread->inhabited)
            d->profiles.items[thread->owner]->inhabited = true;
    }
    for (size_t i = 0; i < d->queue.count && status == GM_OK; i++)
        if (d->profiles.items[d->queue.items[i]]->inhabited && !GM_ARRAY_PUSH(scratch(d), &ready, d->queue.items[i]))
            status = no_memory(d);
    for (size_t at = 0; at < ready.count && status == GM_OK; at++)
        for (uint32_t link = d->first_need.items[ready.items[at]]; link != NO_LINK; link = d->needs.items[link].next) {
            const need *met = &d->needs.items[link];
            open_thread *thread = &d->threads.items[met->thread];
            if (met->members != 0) {
                const bool was_short = thread->short_of > 0;
                thread->short_of -= met->members < thread->short_of ? met->members : thread->short_of;
                if (!was_short || thread->short_of > 0)
                    continue;
            }
            if (--thread->unmet != 0)
                continue;
            thread->inhabited = true;
            gm_profile *profile = d->profiles.items[thread->owner];
            if (profile->inhabited)
                continue;
            profile->inhabited = true;
            if (!GM_ARRAY_PUSH(scratch(d), &ready, thread->owner)) {
                status = no_memory(d);
                break;
            }
        }
    GM_ARRAY_FREE(scratch(d), &ready);
    return status;
}

/* ---- cutting away ---- */

static void cut(const deciding *d, gm_formula *formula)
{
    if (*formula != GM_FORMULA_FALSE && !d->profiles.items[*formula]->inhabited)
        *formula = GM_FORMULA_FALSE;
}

static void cut_thread(const deciding *d, const open_thread *thread)
{
    if (thread->object != NULL) {
        cut(d, &thread->object->rest);
        for (uint32_t i = 0; i < thread->object->name_count; i++)
            cut(d, &((gm_name *)thread->object->names)[i].formula);
        for (uint32_t i = 0; i < thread->object->family_count; i++)
            cut(d, &((gm_family *)thread->object->families)[i].formula);
        return;
    }
    gm_array_thread *array = thread->array;
    cut(d, &array->rest);
    for (uint32_t i = 0; i < array->prefix_count; i++) {
        cut(d, &((gm_formula *)array->prefix)[i]);
        if (array->prefix[i] == GM_FORMULA_FALSE && array->most > i)
            array->most = i;
    }
    if (array->rest == GM_FORMULA_FALSE && array->most > array->prefix_count)
        array->most = array->prefix_count;
}

/* Threads stand in the order in which their profiles list them: arrays, then objects. */
static void cut_profiles(deciding *d)
{
    for (size_t i = 0; i < d->queue.count; i++) {
        gm_profile *profile = d->profiles.items[d->queue.items[i]];
        profile->array_count = profile->object_count = 0;
    }
    for (size_t i = 0; i < d->threads.count; i++) {
        const open_thread *thread = &d->threads.items[i];
        gm_profile *profile = d->profiles.items[thread->owner];
        if (!thread->inhabited)
            continue;
        cut_thread(d, thread);
        if (thread->object != NULL)
            ((const gm_object_thread **)profile->objects)[profile->object_count++] = thread->object;
        else
            ((const gm_array_thread **)profile->arrays)[profile->array_count++] = thread->array;
    }
}

/* The schema node to name when the root has no value: down through the first unmet needs. */
static gm_node culprit(const deciding *d, gm_formula root)
{
    const gm_forming *forming = d->forming;
    gm_node node = 0;
    gm_formula formula = root;
    for (int step = 0; step < 64; step++) {
        if (formula != GM_FORMULA_FALSE && forming->formulas.items[formula].kind == GM_FORMULA_NODE)
            node = forming->formulas.items[formula].as.node;
        gm_formula next = GM_FORMULA_TRUE;
        for (size_t i = 0; i < d->threads.count && next == GM_FORMULA_TRUE; i++) {
            const open_thread *thread = &d->threads.items[i];
            if (thread->owner != formula || thread->object == NULL)
                continue;
            for (uint32_t j = 0; j < thread->object->name_count && next == GM_FORMULA_TRUE; j++) {
                const gm_name *name = &thread->object->names[j];
                if (name->required &&
                    (name->formula == GM_FORMULA_FALSE || !d->profiles.items[name->formula]->inhabited))
                    next = name->formula;
            }
        }
        if (next == GM_FORMULA_TRUE || next == GM_FORMULA_FALSE)
            break;
        formula = next;
    }
    return node;
}

gm_status gm_form_decide(gm_forming *forming, gm_formula root, gm_profile *const **profiles, size_t *count)
{
    deciding d = {.forming = forming};
    gm_status status = meet(&d, GM_FORMULA_TRUE);
    if (status == GM_OK)
        status = meet(&d, root);
    if (status == GM_OK)
        status = discover(&d);
    if (status == GM_OK)
        status = spread(&d);
    if (status == GM_OK && (root == GM_FORMULA_FALSE || !d.profiles.items[root]->inhabited))
        status = gm_schema_fail(forming->schema, culprit(&d, root), GM_KW_COUNT, GM_UNSATISFIABLE, forming->error,
                                "no value satisfies this part of the schema, and every document needs it");
    if (status == GM_OK) {
        cut_profiles(&d);
        *count = d.profiles.count;
        *profiles = gm_arena_copy(forming->keep, d.profiles.items, d.profiles.count * sizeof *d.profiles.items);
        if (*profiles == NULL)
            status = no_memory(&d);
    }
    GM_ARRAY_FREE(scratch(&d), &d.profiles);
    GM_ARRAY_FREE(scratch(&d), &d.queue);
    GM_ARRAY_FREE(scratch(&d), &d.threads);
    GM_ARRAY_FREE(scratch(&d), &d.needs);
    GM_ARRAY_FREE(scratch(&d), &d.first_need);
    return status;
}
