/*
 * form/scalar.c - string and number alternatives as content terms and number languages.
 *
 * String alternatives with the same bounds on length are one thread: the union of their terms, so
 * that a thousand constants in an anyOf are one automaton. A bound that the term implies by itself
 * is dropped, and with it the need to count.
 */
#include "form/disjunction.h"

static const gm_allocator *scratch(gm_forming *forming) { return &forming->scratch->allocator; }

/* A failure of a store, with the schema's pointer and the keyword added. */
static gm_status blame(gm_forming *forming, gm_status status)
{
    if (forming->error == NULL || status == GM_OUT_OF_MEMORY)
        return status;
    const gm_error inner = *forming->error;
    gm_keyword keyword = GM_KW_COUNT;
    for (int i = 0; i < GM_KW_COUNT; i++)
        if (strcmp(gm_keyword_name((gm_keyword)i), inner.keyword) == 0)
            keyword = (gm_keyword)i;
    /* Texts tell no keyword, and that of a number may stand in another node. */
    keyword = gm_form_culprit(forming, keyword, keyword == GM_KW_COUNT ? GM_FAULT_TEXT : GM_FAULT_ALTERNATIVES);
    return gm_schema_fail(forming->schema, forming->blame, keyword, status, forming->error, "%s", inner.message);
}

/* ---- strings ---- */

static gm_status text_of_conjunct(gm_forming *forming, const gm_conjunct *conjunct, gm_text_thread *thread)
{
    *thread = (gm_text_thread){forming->stores.alphabet->content, 0, GM_UNBOUNDED};
    for (uint32_t i = 0; i < conjunct->count; i++) {
        const gm_expression_node *atom = &forming->expressions.items[conjunct->atoms[i]];
        if (atom->kind == GM_ATOM_LENGTH) {
            if (atom->as.length.least > thread->least)
                thread->least = atom->as.length.least;
            if (atom->as.length.most < thread->most)
                thread->most = atom->as.length.most;
        } else if (!(atom->is_subset && forming->is_proving)) {
            const gm_status status =
                gm_text_and(forming->stores.text, thread->term, atom->as.term, &thread->term, forming->error);
            if (status != GM_OK)
                return blame(forming, status);
        }
    }
    return GM_OK;
}

/* Decides a thread, and drops the bounds that its term implies. */
static gm_status settle_bounds(gm_forming *forming, gm_text_thread *thread, bool *empty)
{
    *empty = thread->term == GM_TERM_NONE || thread->least > thread->most;
    if (*empty || (thread->least == 0 && thread->most == GM_UNBOUNDED) || thread->term == GM_TERM_ANY)
        return GM_OK;
    const gm_lengths *lengths;
    const gm_status status = gm_text_lengths(forming->stores.text, thread->term, &lengths, forming->error);
    if (status != GM_OK)
        return blame(forming, status);
    *empty = !gm_lengths_meet(lengths, thread->least, thread->most);
    if (lengths->least >= thread->least)
        thread->least = 0;
    if (lengths->greatest <= thread->most)
        thread->most = GM_UNBOUNDED;
    return GM_OK;
}

static gm_status add_text(gm_forming *forming, gm_text_thread thread, gm_text_thread *list, uint32_t *count)
{
    for (uint32_t i = 0; i < *count; i++) {
        if (list[i].least != thread.least || list[i].most != thread.most)
            continue;
        const gm_status status =
            gm_text_or(forming->stores.text, list[i].term, thread.term, &list[i].term, forming->error);
        return status == GM_OK ? GM_OK : blame(forming, status);
    }
    list[(*count)++] = thread;
    return GM_OK;
}

gm_status gm_form_text_threads(gm_forming *forming, gm_expression expression, gm_text_thread **threads, uint32_t *count)
{
    gm_alternatives list = {0};
    gm_status status = GM_OK;
    if (gm_alphabet_has(forming->stores.alphabet, "\""))
        status = gm_form_alternatives(forming, GM_TYPE_STRING, expression, &list);
    *count = 0;
    *threads = GM_ARENA_NEW(forming->scratch, gm_text_thread, list.count);
    if (status == GM_OK && *threads == NULL)
        status = gm_no_memory(forming->error);
    for (size_t i = 0; i < list.count && status == GM_OK; i++) {
        gm_text_thread thread;
        bool empty;
        status = text_of_conjunct(forming, &list.items[i], &thread);
        if (status == GM_OK && (status = settle_bounds(forming, &thread, &empty)) == GM_OK && !empty)
            status = add_text(forming, thread, *threads, count);
    }
    GM_ARRAY_FREE(scratch(forming), &list);
    return status;
}

/* ---- numbers ---- */

typedef struct number_parts {
    gm_number_constraints constraints;
    gm_bytes *multiples, *not_multiples; /* room for one of each atom */
    bool whole_text;
} number_parts;

static gm_status canonical(gm_forming *forming, gm_bytes text, gm_bytes *out)
{
    const gm_json number = {.kind = GM_JSON_NUMBER, .as.text = text};
    return gm_json_canonical(forming->scratch, &number, out) == GM_OK ? GM_OK : gm_no_memory(forming->error);
}

/* Keeps the values that stand in `texts` too. */
static gm_status intersect_values(gm_forming *forming, number_parts *parts, const gm_bytes *texts, uint32_t count)
{
    gm_number_constraints *c = &parts->constraints;
    if (!c->has_values) {
        c->has_values = true;
        c->values = texts;
        c->value_count = count;
        return GM_OK;
    }
    gm_bytes *theirs = GM_ARENA_NEW(forming->scratch, gm_bytes, count);
    gm_bytes *kept = GM_ARENA_NEW(forming->scratch, gm_bytes, c->value_count);
    if (theirs == NULL || kept == NULL)
        return gm_no_memory(forming->error);
    size_t kept_count = 0;
    for (uint32_t i = 0; i < count; i++)
        GM_TRY(canonical(forming, texts[i], &theirs[i]));
    for (size_t i = 0; i < c->value_count; i++) {
        gm_bytes mine;
        bool found = false;
        GM_TRY(canonical(forming, c->values[i], &mine));
        for (uint32_t j = 0; j < count && !found; j++)
            found = gm_bytes_equal(mine, theirs[j]);
        if (found)
            kept[kept_count++] = c->values[i];
    }
    c->values = kept;
    c->value_count = kept_count;
    return gm_forming_spend(forming, (uint64_t)count + kept_count);
}

static gm_status exclude_values(gm_forming *forming, gm_number_constraints *c, const gm_bytes *texts, uint32_t count)
{
    gm_bytes *all = GM_ARENA_NEW(forming->scratch, gm_bytes, c->excluded_count + count);
    if (all == NULL)
        return gm_no_memory(forming->error);
    if (c->excluded_count != 0)
        memcpy(all, c->excluded, c->excluded_count * sizeof *all);
    memcpy(all + c->excluded_count, texts, count * sizeof *all);
    c->excluded = all;
    c->excluded_count += count;
    return gm_forming_spend(forming, c->excluded_count);
}

/* Replaces a bound by a tighter one: a language of both bounds would do, but the constraints have
 * room for one of each kind. */
static gm_status tighten(gm_forming *forming, gm_bytes *bound, bool *exclusive, gm_bytes text, bool text_exclusive,
                         bool is_minimum)
{
    if (bound->data == NULL) {
        *bound = text;
        *exclusive = text_exclusive;
        return GM_OK;
    }
    /* the language of what meets the old bound and misses the new one is empty iff the old is at least as tight */
    gm_number_constraints probe = {0};
    gm_number_language language;
    bool old_is_tight;
    if (is_minimum) {
        probe.minimum = *bound, probe.exclusive_minimum = *exclusive;
        probe.maximum = text, probe.exclusive_maximum = !text_exclusive;
    } else {
        probe.maximum = *bound, probe.exclusive_maximum = *exclusive;
        probe.minimum = text, probe.exclusive_minimum = !text_exclusive;
    }
    const gm_status status = gm_number_define(forming->stores.number, &probe, &language, &old_is_tight, forming->error);
    if (status != GM_OK)
        return blame(forming, status);
    if (!old_is_tight) {
        *bound = text;
        *exclusive = text_exclusive;
    }
    return GM_OK;
}

static gm_status add_part(gm_forming *forming, number_parts *parts, const gm_expression_node *atom)
{
    gm_number_constraints *c = &parts->constraints;
    const gm_number_part part = atom->as.number.part;
    switch (part) {
    case GM_NUMBER_AT_LEAST:
    case GM_NUMBER_ABOVE:
        return tighten(forming, &c->minimum, &c->exclusive_minimum, atom->as.number.texts[0], part == GM_NUMBER_ABOVE,
                       true);
    case GM_NUMBER_AT_MOST:
    case GM_NUMBER_BELOW:
        return tighten(forming, &c->maximum, &c->exclusive_maximum, atom->as.number.texts[0], part == GM_NUMBER_BELOW,
                       false);
    case GM_NUMBER_MULTIPLE:
        parts->multiples[c->multiple_count++] = atom->as.number.texts[0];
        return GM_OK;
    case GM_NUMBER_NO_MULTIPLE:
        parts->not_multiples[c->not_multiple_count++] = atom->as.number.texts[0];
        return GM_OK;
    case GM_NUMBER_WHOLE_TEXT:
        parts->whole_text = true;
        c->integer = true;
        return GM_OK;
    case GM_NUMBER_MARKED_TEXT:
        c->marked = true;
        return GM_OK;
    case GM_NUMBER_INTEGER:
        c->integer = true;
        return GM_OK;
    case GM_NUMBER_NO_INTEGER:
        parts->not_multiples[c->not_multiple_count++] = GM_BYTES("1");
        return GM_OK;
    case GM_NUMBER_EXCLUDED:
        return exclude_values(forming, c, atom->as.number.texts, atom->count);
    case GM_NUMBER_VALUES:
        return intersect_values(forming, parts, atom->as.number.texts, atom->count);
    }
    return GM_OK;
}

static gm_status number_of_conjunct(gm_forming *forming, const gm_conjunct *conjunct, gm_number_language *language,
                                    bool *empty)
{
    number_parts parts = {.constraints = {.plain = forming->options->numbers == GM_NUMBERS_PLAIN}};
    parts.multiples = GM_ARENA_NEW(forming->scratch, gm_bytes, conjunct->count);
    parts.not_multiples = GM_ARENA_NEW(forming->scratch, gm_bytes, conjunct->count);
    if (parts.multiples == NULL || parts.not_multiples == NULL)
        return gm_no_memory(forming->error);
    parts.constraints.multiples = parts.multiples;
    parts.constraints.not_multiples = parts.not_multiples;
    for (uint32_t i = 0; i < conjunct->count; i++) {
        const gm_expression_node atom = forming->expressions.items[conjunct->atoms[i]];
        GM_TRY(add_part(forming, &parts, &atom));
    }
    /* The option gives way where the schema itself asks for a spelling: it must never rule out a value. */
    parts.constraints.plain_integer =
        parts.whole_text || (forming->options->integers == GM_NUMBERS_PLAIN && !parts.constraints.marked);
    const gm_status status =
        gm_number_define(forming->stores.number, &parts.constraints, language, empty, forming->error);
    return status == GM_OK ? GM_OK : blame(forming, status);
}

/* The values of an alternative that is nothing but a list of them. */
static const gm_expression_node *only_values(gm_forming *forming, const gm_conjunct *conjunct)
{
    const gm_expression_node *atom = conjunct->count == 1 ? &forming->expressions.items[conjunct->atoms[0]] : NULL;
    return atom != NULL && atom->as.number.part == GM_NUMBER_VALUES ? atom : NULL;
}

/* Whether a language has a number that can be spelled. */
static gm_status is_spellable(gm_forming *forming, gm_number_language language, bool *spellable)
{
    gm_number *number = forming->stores.number;
    const gm_status status = gm_alphabet_ends_number(forming->stores.alphabet, number,
                                                     gm_number_start(number, language), scratch(forming), spellable);
    return status == GM_OK ? GM_OK : gm_no_memory(forming->error);
}

/* All alternatives that are lists of values, as one language. */
static gm_status add_value_lists(gm_forming *forming, const gm_alternatives *list, gm_number_language *threads,
                                 uint32_t *count)
{
    size_t total = 0;
    for (size_t i = 0; i < list->count; i++) {
        const gm_expression_node *atom = only_values(forming, &list->items[i]);
        total += atom != NULL ? atom->count : 0;
    }
    if (total == 0)
        return GM_OK;
    gm_bytes *values = GM_ARENA_NEW(forming->scratch, gm_bytes, total);
    if (values == NULL)
        return gm_no_memory(forming->error);
    total = 0;
    for (size_t i = 0; i < list->count; i++) {
        const gm_expression_node *atom = only_values(forming, &list->items[i]);
        for (uint32_t j = 0; atom != NULL && j < atom->count; j++)
            values[total++] = atom->as.number.texts[j];
    }
    const gm_number_constraints constraints = {.values = values,
                                               .value_count = total,
                                               .has_values = true,
                                               .plain_integer = forming->options->integers == GM_NUMBERS_PLAIN,
                                               .plain = forming->options->numbers == GM_NUMBERS_PLAIN};
    bool empty;
    const gm_status status =
        gm_number_define(forming->stores.number, &constraints, &threads[*count], &empty, forming->error);
    if (status != GM_OK)
        return blame(forming, status);
    bool spellable = false;
    if (!empty)
        GM_TRY(is_spellable(forming, threads[*count], &spellable));
    *count += spellable;
    return GM_OK;
}

gm_status gm_form_number_threads(gm_forming *forming, gm_expression expression, gm_number_language **threads,
                                 uint32_t *count)
{
    gm_alternatives list = {0};
    gm_status status = gm_form_alternatives(forming, GM_TYPE_NUMBER, expression, &list);
    *count = 0;
    *threads = GM_ARENA_NEW(forming->scratch, gm_number_language, list.count + 1);
    if (status == GM_OK && *threads == NULL)
        status = gm_no_memory(forming->error);
    if (status == GM_OK)
        status = add_value_lists(forming, &list, *threads, count);
    for (size_t i = 0; i < list.count && status == GM_OK; i++) {
        if (only_values(forming, &list.items[i]) != NULL)
            continue;
        bool empty = true, known = false;
        gm_number_language language;
        status = number_of_conjunct(forming, &list.items[i], &language, &empty);
        for (uint32_t j = 0; j < *count && status == GM_OK; j++)
            known = known || (*threads)[j] == language;
        bool spellable = true;
        if (status == GM_OK && !empty)
            status = is_spellable(forming, language, &spellable);
        empty = empty || !spellable;
        if (status == GM_OK && !empty && !known)
            (*threads)[(*count)++] = language;
    }
    GM_ARRAY_FREE(scratch(forming), &list);
    return status;
}
