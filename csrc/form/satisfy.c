/*
 * form/satisfy.c - profiles every formula that a document can meet, and decides which have a value.
 *
 * Discovery starts at the root and follows what threads ask of members and items. Then a least
 * fixpoint: a formula is inhabited if a scalar satisfies it or one of its threads is inhabited; a
 * thread, if everything it needs (required members, the first `least` items) is. Each thread counts
 * its unmet needs and is visited when one is met, so the whole is linear; recursion without a base
 * case stays uninhabited. Obligations can be met in more than one way: a thread that has some looks
 * at all of them again whenever something that it may ask turns out to have a value.
 *
 * Afterwards what has no value is cut away: dead threads leave their profiles, formulas without a
 * value become FALSE, arrays end before the first item that cannot be.
 */
#include "form/disjunction.h"
#include "form/domain.h"
#include "form/obligation.h"
#include "form/satisfy.h"

#define NO_LINK UINT32_MAX

typedef struct open_thread {
    gm_formula owner;
    uint32_t unmet;
    uint64_t short_of; /* objects: members still wanting for `least`; while > 0, one of the unmet */
    bool inhabited;
    bool obliged;             /* has obligations not seen to be met yet: one of the unmet */
    bool unsupplied;          /* a unique array that is not seen to find its items yet: one of the unmet */
    gm_object_thread *object; /* one of the two */
    gm_array_thread *array;
} open_thread;

typedef struct need { /* `thread` waits for a formula; linked per formula */
    uint32_t thread;
    uint32_t next;
    uint64_t members; /* how many it may add to an object; 0 = the thread cannot do without */
    bool may_serve;   /* it may help to meet obligations, no more */
} need;

typedef struct deciding {
    gm_forming *forming;
    GM_ARRAY(gm_profile *) profiles; /* by formula; NULL = not met */
    GM_ARRAY(gm_formula) same;       /* by formula: the first one met that means the same, mostly itself */
    GM_ARRAY(gm_formula) next_same; /* by formula: another that means the same, FALSE at the end; begins at the first */
    gm_table meanings;              /* of the first ones, by their expressions */
    GM_ARRAY(gm_formula) queue;
    GM_ARRAY(open_thread) threads;
    GM_ARRAY(need) needs;
    GM_ARRAY(uint32_t) first_need; /* by formula */
    bool has_unique;
} deciding;

static const gm_allocator *scratch(deciding *d) { return &d->forming->scratch->allocator; }

static gm_status no_memory(deciding *d) { return gm_no_memory(d->forming->error); }

/* Puts a formula on the queue unless it was there. */
static gm_status meet(deciding *d, gm_formula formula)
{
    while (d->profiles.count <= formula)
        if (!GM_ARRAY_PUSH(scratch(d), &d->same, (gm_formula)d->profiles.count) ||
            !GM_ARRAY_PUSH(scratch(d), &d->next_same, GM_FORMULA_FALSE) ||
            !GM_ARRAY_PUSH(scratch(d), &d->first_need, NO_LINK) || !GM_ARRAY_PUSH(scratch(d), &d->profiles, NULL))
            return no_memory(d);
    if (formula == GM_FORMULA_FALSE || d->profiles.items[formula] != NULL)
        return GM_OK;
    gm_profile *profile = gm_arena_take_zeroed(d->forming->keep, sizeof *profile);
    if (profile == NULL || !GM_ARRAY_PUSH(scratch(d), &d->queue, formula))
        return no_memory(d);
    d->profiles.items[formula] = profile;
    return GM_OK;
}

static gm_status link_need(deciding *d, gm_formula formula, need link)
{
    GM_TRY(meet(d, formula));
    link.next = d->first_need.items[formula];
    if (!GM_ARRAY_PUSH(scratch(d), &d->needs, link))
        return no_memory(d);
    d->first_need.items[formula] = (uint32_t)(d->needs.count - 1);
    return gm_forming_spend(d->forming, 1);
}

static gm_status needs_value(deciding *d, uint32_t thread, gm_formula formula)
{
    d->threads.items[thread].unmet++;
    return link_need(d, formula, (need){.thread = thread});
}

static gm_status may_serve(deciding *d, uint32_t thread, const gm_formula *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] != GM_FORMULA_FALSE)
            GM_TRY(link_need(d, list[i], (need){.thread = thread, .may_serve = true}));
    return GM_OK;
}

/* What may be counted towards an object's least number of members. */
static gm_status needs_members(deciding *d, uint32_t thread, const gm_object_thread *record)
{
    if (record->least == 0)
        return GM_OK;
    d->threads.items[thread].short_of = record->least;
    d->threads.items[thread].unmet++;
    for (uint32_t i = 0; i < record->name_count; i++)
        GM_TRY(link_need(d, record->names[i].formula, (need){.thread = thread, .members = 1}));
    for (uint32_t i = 0; i < record->family_count; i++)
        GM_TRY(link_need(d, record->families[i].formula, (need){.thread = thread, .members = record->least}));
    return record->families == NULL ? link_need(d, record->rest, (need){.thread = thread, .members = record->least})
                                    : GM_OK;
}

static gm_status needs_obligations(deciding *d, uint32_t thread, const gm_object_thread *record)
{
    const size_t sets = ((size_t)1 << record->obligations) - 1;
    if (sets == 0)
        return GM_OK;
    d->threads.items[thread].obliged = true;
    d->threads.items[thread].unmet++;
    for (uint32_t i = 0; i < record->name_count; i++)
        GM_TRY(may_serve(d, thread, record->names[i].serving, sets));
    for (uint32_t i = 0; i < record->family_count; i++)
        GM_TRY(may_serve(d, thread, record->families[i].serving, sets));
    return may_serve(d, thread, record->rest_serving, sets);
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
    const size_t sets = ((size_t)1 << record->obligations) - 1;
    for (uint32_t i = 0; i < record->name_count; i++)
        if (record->names[i].formula == GM_FORMULA_FALSE && sets != 0)
            memset((gm_formula *)record->names[i].serving, 0, sets * sizeof(gm_formula));
    if (none && sets != 0)
        memset((gm_formula *)record->rest_serving, 0, sets * sizeof(gm_formula));
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
    GM_TRY(needs_obligations(d, id, record));
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
    *out = record;
    if (record->least > record->most || !gm_alphabet_has(d->forming->stores.alphabet, "[]"))
        d->threads.items[id].unmet++; /* a need that nothing meets */
    d->has_unique = d->has_unique || record->unique;
    if (record->unique && (record->least > 1 || record->counting != NULL)) {
        d->threads.items[id].unsupplied = true;
        d->threads.items[id].unmet++;
    }
    if (record->counting != NULL) {
        d->threads.items[id].obliged = true;
        d->threads.items[id].unmet++;
        return may_serve(d, id, record->asked, ((size_t)record->prefix_count + 1) * gm_array_sets(record));
    }
    for (uint32_t i = 0; i <= record->prefix_count; i++)
        GM_TRY(i < record->least ? needs_value(d, id, record->asked[i]) : meet(d, record->asked[i]));
    return GM_OK;
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

/* References make many formulas of one meaning. The first one met stands for all: *first is false for the
 * others, which share its profile. */
static gm_status find_same(deciding *d, gm_formula formula, const gm_typed *typed, bool *first)
{
    const uint64_t hash = gm_hash_bytes(typed, sizeof *typed);
    *first = false;
    for (gm_probe probe = gm_table_find(&d->meanings, hash); gm_probe_next(&d->meanings, &probe);) {
        const gm_formula known = probe.id;
        if (memcmp(&d->forming->formulas.items[known].typed, typed, sizeof *typed) != 0)
            continue;
        d->same.items[formula] = known;
        d->next_same.items[formula] = d->next_same.items[known];
        d->next_same.items[known] = formula;
        d->profiles.items[formula] = d->profiles.items[known];
        return GM_OK;
    }
    *first = true;
    return gm_table_add(&d->meanings, hash, formula) ? GM_OK : no_memory(d);
}

static gm_status discover(deciding *d)
{
    for (size_t at = 0; at < d->queue.count; at++) {
        const gm_formula formula = d->queue.items[at];
        gm_profile *profile = d->profiles.items[formula];
        gm_typed typed;
        bool is_first;
        d->forming->blame = gm_form_node_of(d->forming, formula);
        GM_TRY(gm_form_expand(d->forming, formula, &typed));
        GM_TRY(find_same(d, formula, &typed, &is_first));
        if (!is_first)
            continue;
        GM_TRY(keep_pointer(d, formula, profile));
        GM_TRY(open_scalars(d, &typed, profile));
        GM_TRY(open_containers(d, formula, GM_TYPE_ARRAY, typed.of[GM_TYPE_ARRAY], profile));
        GM_TRY(open_containers(d, formula, GM_TYPE_OBJECT, typed.of[GM_TYPE_OBJECT], profile));
    }
    return GM_OK;
}

/* ---- the fixpoint ---- */

static bool is_inhabited(const void *context, uint32_t name, gm_formula formula)
{
    const deciding *d = context;
    (void)name;
    return formula != GM_FORMULA_FALSE && d->profiles.items[formula]->inhabited;
}

/* Whether the obligations of a thread can be met by what is known to have values. */
static gm_status can_meet(deciding *d, const open_thread *thread, bool *met)
{
    if (thread->object != NULL) {
        const gm_object_thread *object = thread->object;
        uint64_t required = 0;
        for (uint32_t i = 0; i < object->name_count; i++)
            required += object->names[i].required;
        *met = required <= object->most &&
               gm_object_can_meet(object, (1u << object->obligations) - 1, object->most - required, is_inhabited, d);
        return gm_forming_spend(d->forming, object->name_count);
    }
    bool is_regular; /* it is asked again, of what is left in the end */
    GM_TRY(gm_form_look_ahead(d->forming, thread->array, is_inhabited, d, d->forming->scratch, &is_regular));
    *met = gm_array_can_end(thread->array, 0, 0);
    return GM_OK;
}

/* One need of a thread is met; *ready if it was the last. */
static gm_status meet_need(deciding *d, const need *met, bool *ready)
{
    open_thread *thread = &d->threads.items[met->thread];
    *ready = false;
    if (met->may_serve) {
        bool is_met = false;
        if (thread->obliged)
            GM_TRY(can_meet(d, thread, &is_met));
        if (!is_met)
            return GM_OK;
        thread->obliged = false;
    } else if (met->members != 0) {
        const bool was_short = thread->short_of > 0;
        thread->short_of -= met->members < thread->short_of ? met->members : thread->short_of;
        if (!was_short || thread->short_of > 0)
            return GM_OK;
    }
    *ready = --thread->unmet == 0;
    return GM_OK;
}

typedef GM_ARRAY(gm_formula) formula_list;

/* A thread has a value; its formula joins the list if it had none before. */
static gm_status mark_inhabited(deciding *d, open_thread *thread, formula_list *ready)
{
    gm_profile *profile = d->profiles.items[thread->owner];
    thread->inhabited = true;
    if (thread->object != NULL)
        thread->object->inhabited = true;
    else
        thread->array->inhabited = true;
    if (profile->inhabited)
        return GM_OK;
    profile->inhabited = true;
    return GM_ARRAY_PUSH(scratch(d), ready, thread->owner) ? GM_OK : no_memory(d);
}

/* What follows from a formula that turned out to have a value. */
static gm_status spread_one(deciding *d, gm_formula formula, formula_list *ready)
{
    for (uint32_t link = d->first_need.items[formula]; link != NO_LINK; link = d->needs.items[link].next) {
        const need met = d->needs.items[link];
        bool is_ready;
        GM_TRY(meet_need(d, &met, &is_ready));
        if (is_ready)
            GM_TRY(mark_inhabited(d, &d->threads.items[met.thread], ready));
    }
    return GM_OK;
}

static gm_status spread_list(deciding *d, formula_list *ready)
{
    for (size_t at = 0; at < ready->count; at++)
        for (gm_formula formula = ready->items[at]; formula != GM_FORMULA_FALSE; formula = d->next_same.items[formula])
            GM_TRY(spread_one(d, formula, ready));
    return GM_OK;
}

/* Marks what needs nothing and, by the work list, all that follows from it. */
static gm_status spread(deciding *d)
{
    formula_list ready = {0};
    gm_status status = GM_OK;
    for (size_t i = 0; i < d->threads.count && status == GM_OK; i++) {
        open_thread *thread = &d->threads.items[i];
        bool is_met = false; /* bounds that no item at all keeps, and nobody needs to */
        if (thread->obliged && thread->array != NULL)
            status = can_meet(d, thread, &is_met);
        thread->unmet -= is_met;
        thread->obliged = thread->obliged && !is_met;
    }
    for (size_t i = 0; i < d->queue.count && status == GM_OK; i++)
        if (d->same.items[d->queue.items[i]] == d->queue.items[i] && d->profiles.items[d->queue.items[i]]->inhabited &&
            !GM_ARRAY_PUSH(scratch(d), &ready, d->queue.items[i]))
            status = no_memory(d);
    for (size_t i = 0; i < d->threads.count && status == GM_OK; i++)
        if (d->threads.items[i].unmet == 0)
            status = mark_inhabited(d, &d->threads.items[i], &ready);
    if (status == GM_OK)
        status = spread_list(d, &ready);
    GM_ARRAY_FREE(scratch(d), &ready);
    return status;
}

/* ---- unique arrays ---- */

static gm_status refuse_unique(deciding *d, const open_thread *thread)
{
    return gm_schema_fail(d->forming->schema, gm_form_node_of(d->forming, thread->owner), GM_KW_UNIQUE_ITEMS,
                          GM_UNSUPPORTED, d->forming->error,
                          "it cannot be decided which items leave enough different values for those that must follow");
}

/* Looks at the unique arrays that lack nothing else; *more: some have a value now. */
static gm_status supply(deciding *d, gm_domains *domains, bool *more)
{
    formula_list ready = {0};
    gm_status status = gm_domains_find_endless(domains);
    *more = false;
    for (size_t i = 0; i < d->threads.count && status == GM_OK; i++) {
        open_thread *thread = &d->threads.items[i];
        gm_supply found;
        if (!thread->unsupplied || thread->unmet != 1)
            continue;
        status = gm_domains_supply(domains, thread->array, &found);
        if (status != GM_OK || found != GM_SUPPLY_ENOUGH)
            continue;
        thread->unsupplied = false;
        thread->unmet = 0;
        *more = true;
        status = mark_inhabited(d, thread, &ready);
    }
    if (status == GM_OK)
        status = spread_list(d, &ready);
    GM_ARRAY_FREE(scratch(d), &ready);
    return status;
}

/* The fixpoint goes on with unique arrays, which need more than one value of a formula. What they may still lack in
 * the end is refused where it was not found out. */
static gm_status supply_unique(deciding *d)
{
    gm_domains domains = {.forming = d->forming, .profiles = d->profiles.items, .count = d->profiles.count};
    bool more = true;
    while (more)
        GM_TRY(supply(d, &domains, &more));
    for (size_t i = 0; i < d->threads.count; i++) {
        const open_thread *thread = &d->threads.items[i];
        gm_supply found = GM_SUPPLY_ENOUGH;
        if (thread->array == NULL || !thread->array->unique)
            continue;
        if (thread->unsupplied ? thread->unmet == 1 : thread->inhabited && thread->array->prefix_count != 0)
            GM_TRY(gm_domains_supply(&domains, thread->array, &found));
        if (found == GM_SUPPLY_UNSURE)
            return refuse_unique(d, thread);
    }
    return gm_domains_find_endless(&domains); /* again, where a prefix was cut short */
}

/* ---- cutting away ---- */

static void cut(const deciding *d, gm_formula *formula)
{
    if (*formula != GM_FORMULA_FALSE)
        *formula = d->profiles.items[*formula]->inhabited ? d->same.items[*formula] : (gm_formula)GM_FORMULA_FALSE;
}

static void cut_list(const deciding *d, const gm_formula *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        cut(d, &((gm_formula *)list)[i]);
}

static void cut_object(const deciding *d, gm_object_thread *object)
{
    const size_t sets = ((size_t)1 << object->obligations) - 1;
    cut(d, &object->rest);
    if (sets != 0)
        cut_list(d, object->rest_serving, sets);
    for (uint32_t i = 0; i < object->name_count; i++) {
        cut(d, &((gm_name *)object->names)[i].formula);
        if (sets != 0)
            cut_list(d, object->names[i].serving, sets);
    }
    for (uint32_t i = 0; i < object->family_count; i++) {
        cut(d, &((gm_family *)object->families)[i].formula);
        if (sets != 0)
            cut_list(d, object->families[i].serving, sets);
    }
}

static bool has_value(const void *context, uint32_t name, gm_formula formula)
{
    (void)context, (void)name;
    return formula != GM_FORMULA_FALSE;
}

static gm_status cut_array(deciding *d, gm_formula owner, gm_array_thread *array)
{
    cut_list(d, array->asked, ((size_t)array->prefix_count + 1) * gm_array_sets(array));
    if (array->counting == NULL) {
        for (uint32_t i = 0; i <= array->prefix_count; i++)
            if (array->asked[i] == GM_FORMULA_FALSE && array->most > i)
                array->most = i;
        return GM_OK;
    }
    bool is_regular;
    GM_TRY(gm_form_look_ahead(d->forming, array, has_value, NULL, d->forming->keep, &is_regular));
    if (is_regular)
        return GM_OK;
    const gm_formula_node *node = &d->forming->formulas.items[owner];
    return gm_schema_fail(d->forming->schema, node->kind == GM_FORMULA_NODE ? node->as.node : d->forming->blame,
                          GM_KW_CONTAINS, GM_UNSUPPORTED, d->forming->error,
                          "several bounded counts of items leave gaps between the lengths an array may have");
}

/* Threads stand in the order in which their profiles list them: arrays, then objects. */
static gm_status cut_profiles(deciding *d)
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
        if (thread->object != NULL) {
            cut_object(d, thread->object);
            ((const gm_object_thread **)profile->objects)[profile->object_count++] = thread->object;
        } else {
            GM_TRY(cut_array(d, thread->owner, thread->array));
            ((const gm_array_thread **)profile->arrays)[profile->array_count++] = thread->array;
        }
    }
    return GM_OK;
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
            if (formula == GM_FORMULA_FALSE || thread->owner != d->same.items[formula] || thread->object == NULL)
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

gm_status gm_form_decide(gm_forming *forming, gm_formula *whole, gm_profile *const **profiles, size_t *count)
{
    const gm_formula root = *whole;
    deciding d = {.forming = forming};
    gm_table_init(&d.meanings, scratch(&d));
    gm_status status = meet(&d, GM_FORMULA_TRUE);
    if (status == GM_OK)
        status = meet(&d, root);
    if (status == GM_OK)
        status = discover(&d);
    if (status == GM_OK)
        status = spread(&d);
    if (status == GM_OK && d.has_unique)
        status = supply_unique(&d);
    if (status == GM_OK && (root == GM_FORMULA_FALSE || !d.profiles.items[root]->inhabited))
        status = gm_schema_fail(forming->schema, culprit(&d, root), GM_KW_COUNT, GM_UNSATISFIABLE, forming->error,
                                "no value satisfies this part of the schema, and every document needs it");
    if (status == GM_OK)
        status = cut_profiles(&d);
    if (status == GM_OK) {
        *count = d.profiles.count;
        *profiles = gm_arena_copy(forming->keep, d.profiles.items, d.profiles.count * sizeof *d.profiles.items);
        *whole = d.same.items[root];
        if (*profiles == NULL)
            status = no_memory(&d);
    }
    gm_table_destroy(&d.meanings);
    GM_ARRAY_FREE(scratch(&d), &d.same);
    GM_ARRAY_FREE(scratch(&d), &d.next_same);
    GM_ARRAY_FREE(scratch(&d), &d.profiles);
    GM_ARRAY_FREE(scratch(&d), &d.queue);
    GM_ARRAY_FREE(scratch(&d), &d.threads);
    GM_ARRAY_FREE(scratch(&d), &d.needs);
    GM_ARRAY_FREE(scratch(&d), &d.first_need);
    return status;
}
