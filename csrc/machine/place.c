/*
 * machine/place.c - places: the threads of all labels side by side, by type.
 */
#include "machine/build.h"

/* ---- scalars ---- */

static bool add_literal(gm_machine *machine, gm_place *place, int literal, uint32_t label)
{
    uint64_t *outcome = (uint64_t *)place->literals[literal];
    if (outcome == NULL)
        place->literals[literal] = outcome = GM_ARENA_NEW(&machine->arena, uint64_t, place->words);
    if (outcome == NULL)
        return false;
    outcome[label / 64] |= (uint64_t)1 << label % 64;
    return true;
}

static bool fill_literals(gm_machine *machine, gm_place *place)
{
    for (uint32_t i = 0; i < place->label_count; i++) {
        const gm_profile *profile = gm_form_profile(machine->form, place->labels[i]);
        if ((profile->null && !add_literal(machine, place, 0, i)) ||
            (profile->yes && !add_literal(machine, place, 1, i)) || (profile->no && !add_literal(machine, place, 2, i)))
            return false;
    }
    return true;
}

/* Takes out bounds that all strings of a content keep anyway: so the code points need not be counted. */
static void drop_idle_bounds(gm_machine *machine, gm_text_thread *thread)
{
    const gm_lengths *lengths;
    if (thread->term == GM_TERM_ANY || (thread->least == 0 && thread->most == GM_UNBOUNDED) ||
        gm_text_lengths(machine->text, thread->term, &lengths, NULL) != GM_OK)
        return;
    if (lengths->least >= thread->least)
        thread->least = 0;
    if (lengths->greatest <= thread->most)
        thread->most = GM_UNBOUNDED;
}

static bool fill_texts(gm_machine *machine, gm_place *place)
{
    gm_place_text *texts = GM_ARENA_NEW(&machine->arena, gm_place_text, place->text_count);
    gm_strand *strands = GM_ARENA_NEW(&machine->arena, gm_strand, place->text_count);
    uint32_t count = 0;
    if (texts == NULL || strands == NULL)
        return false;
    for (uint32_t i = 0; i < place->label_count; i++) {
        const gm_profile *profile = gm_form_profile(machine->form, place->labels[i]);
        for (uint32_t j = 0; j < profile->text_count; j++, count++) {
            texts[count] = (gm_place_text){profile->texts[j], i};
            strands[count] = (gm_strand){count, profile->texts[j].term};
            drop_idle_bounds(machine, &texts[count].thread);
            if (texts[count].thread.least != 0 || texts[count].thread.most != GM_UNBOUNDED)
                place->counts_points = true;
        }
    }
    place->texts = texts;
    if (count != 0)
        place->text_start = gm_machine_lexical_locked(machine, true, strands, count);
    return count == 0 || place->text_start != NULL;
}

static bool fill_numbers(gm_machine *machine, gm_place *place)
{
    gm_place_number *numbers = GM_ARENA_NEW(&machine->arena, gm_place_number, place->number_count);
    gm_strand *strands = GM_ARENA_NEW(&machine->arena, gm_strand, place->number_count);
    uint32_t count = 0;
    if (numbers == NULL || strands == NULL)
        return false;
    for (uint32_t i = 0; i < place->label_count; i++) {
        const gm_profile *profile = gm_form_profile(machine->form, place->labels[i]);
        for (uint32_t j = 0; j < profile->number_count; j++, count++) {
            numbers[count] = (gm_place_number){profile->numbers[j], i};
            strands[count] = (gm_strand){count, gm_number_start(machine->number, profile->numbers[j])};
        }
    }
    place->numbers = numbers;
    if (count != 0)
        place->number_start = gm_machine_lexical_locked(machine, false, strands, count);
    return count == 0 || place->number_start != NULL;
}

/* ---- containers ---- */

static bool fill_arrays(gm_machine *machine, gm_place *place)
{
    const gm_array_thread **arrays = GM_ARENA_NEW(&machine->arena, const gm_array_thread *, place->array_count);
    uint32_t *labels = GM_ARENA_NEW(&machine->arena, uint32_t, place->array_count);
    uint32_t count = 0;
    if (arrays == NULL || labels == NULL)
        return false;
    for (uint32_t i = 0; i < place->label_count; i++) {
        const gm_profile *profile = gm_form_profile(machine->form, place->labels[i]);
        for (uint32_t j = 0; j < profile->array_count; j++, count++) {
            arrays[count] = profile->arrays[j];
            labels[count] = i;
            if (arrays[count]->least != 0 || arrays[count]->most != GM_UNBOUNDED)
                place->counts_items = true;
            place->has_unique = place->has_unique || arrays[count]->unique;
        }
    }
    place->arrays = arrays;
    place->array_labels = labels;
    return true;
}

/* Two ascending name lists as one. */
static const gm_bytes *merge_names(gm_machine *machine, const gm_bytes *list, uint32_t *count,
                                   const gm_object_thread *thread)
{
    gm_bytes *merged = GM_ARENA_NEW(&machine->arena, gm_bytes, (size_t)*count + thread->name_count);
    uint32_t i = 0, j = 0, found = 0;
    if (merged == NULL)
        return NULL;
    while (i < *count || j < thread->name_count) {
        const int order = i == *count               ? 1
                          : j == thread->name_count ? -1
                                                    : gm_bytes_compare(list[i], thread->names[j].text);
        merged[found++] = order <= 0 ? list[i] : thread->names[j].text;
        i += order <= 0;
        j += order >= 0;
    }
    *count = found;
    return merged;
}

/* The family that holds a name, by index; without one it is asked what the rest is. */
static bool family_of(gm_machine *machine, const gm_object_thread *thread, gm_bytes name, uint32_t *family)
{
    *family = GM_ORDER_NONE;
    for (uint32_t i = 0; i < thread->family_count; i++) {
        bool matches;
        if (gm_text_matches(machine->text, thread->families[i].term, name, &matches) != GM_OK)
            return false;
        if (matches)
            *family = i;
    }
    return true;
}

/* Puts the texts of names side by side, where a search meets them in a few lines of memory; and so their beginnings. */
static bool gather_names(gm_machine *machine, gm_shape *shape)
{
    const gm_bytes *names = shape->names;
    const uint32_t count = shape->name_count;
    size_t size = 0;
    for (uint32_t i = 0; i < count; i++)
        size += names[i].length;
    uint64_t *begins = gm_arena_take(&machine->arena, count * sizeof *begins);
    char *at = gm_arena_take(&machine->arena, size);
    if (begins == NULL || at == NULL)
        return false;
    shape->begins = begins;
    for (uint32_t i = 0; i < count; i++) {
        begins[i] =
            gm_begin_of((const uint8_t *)names[i].data, names[i].length < GM_BEGIN ? names[i].length : GM_BEGIN);
        if (names[i].length != 0)
            memcpy(at, names[i].data, names[i].length);
        ((gm_bytes *)names)[i].data = at;
        at += names[i].length;
    }
    return true;
}

typedef struct thread_view { /* what one thread makes of the names of the shape */
    uint32_t *local, *index;
    uint64_t *needed, *required;
    uint32_t *strange;
} thread_view;

static bool fill_thread(gm_machine *machine, gm_shape *shape, const gm_object_thread *thread, thread_view *view)
{
    view->local = GM_ARENA_NEW(&machine->arena, uint32_t, shape->name_count);
    view->needed = GM_ARENA_NEW(&machine->arena, uint64_t, shape->words);
    view->required = GM_ARENA_NEW(&machine->arena, uint64_t, shape->words);
    view->strange = GM_ARENA_NEW(&machine->arena, uint32_t, shape->name_count);
    view->index = GM_ARENA_NEW(&machine->arena, uint32_t, thread->name_count);
    uint32_t at = 0;
    if (view->local == NULL || view->index == NULL || view->needed == NULL || view->required == NULL ||
        view->strange == NULL)
        return false;
    for (uint32_t i = 0; i < shape->name_count; i++) {
        const gm_name *name = at < thread->name_count && gm_bytes_equal(thread->names[at].text, shape->names[i])
                                  ? &thread->names[at]
                                  : NULL;
        const uint64_t bit = (uint64_t)1 << i % 64;
        view->local[i] = GM_ORDER_NONE;
        if (name != NULL) {
            view->index[at] = i;
            view->local[i] = at++;
        }
        if (name != NULL && name->required)
            view->required[i / 64] |= bit;
        if (name == NULL && !family_of(machine, thread, shape->names[i], &view->strange[i]))
            return false;
        if (name == NULL || name->order == GM_ORDER_NONE) {
            shape->tracks_seen = true;
            if (name != NULL && name->required)
                view->needed[i / 64] |= bit;
        }
    }
    return true;
}

/* A family less the names of the shape, if it may hold some. */
static bool family_term(gm_machine *machine, const gm_shape *shape, gm_term term, bool may_hold_names, gm_term *out)
{
    gm_term names;
    *out = term;
    if (!may_hold_names || shape->name_count == 0)
        return true;
    return gm_text_constants(machine->text, shape->names, shape->name_count, &names, NULL) == GM_OK &&
           gm_text_not(machine->text, names, &names, NULL) == GM_OK &&
           gm_text_and(machine->text, term, names, out, NULL) == GM_OK;
}

/* All families of all threads; a thread without any gets one, of every name. */
static bool fill_families(gm_machine *machine, const gm_place *place, gm_shape *shape)
{
    uint32_t total = 0;
    bool any = false;
    for (uint32_t i = 0; i < place->object_count; i++) {
        total += place->objects[i]->family_count + 1;
        any = any || place->objects[i]->families != NULL;
    }
    if (!any)
        return true;
    gm_shape_family *families = GM_ARENA_NEW(&machine->arena, gm_shape_family, total);
    if (families == NULL)
        return false;
    for (uint32_t i = 0; i < place->object_count; i++) {
        const gm_object_thread *thread = place->objects[i];
        const gm_family rest = {GM_TERM_ANY, thread->rest, thread->rest_serving};
        const bool own = thread->families != NULL;
        const gm_family *list = own ? thread->families : &rest;
        for (uint32_t j = 0; j < (own ? thread->family_count : 1); j++) {
            gm_term term;
            if (list[j].formula == GM_FORMULA_FALSE)
                continue;
            if (!family_term(machine, shape, list[j].term, !own || place->object_count > 1, &term))
                return false;
            if (term != GM_TERM_NONE)
                families[shape->family_count++] = (gm_shape_family){i, {term, list[j].formula, list[j].serving}};
        }
    }
    shape->families = families;
    return true;
}

static bool fill_shape(gm_machine *machine, gm_place *place)
{
    gm_shape *shape = gm_arena_take_zeroed(&machine->arena, sizeof *shape);
    const uint32_t **local = GM_ARENA_NEW(&machine->arena, const uint32_t *, place->object_count);
    const uint64_t **needed = GM_ARENA_NEW(&machine->arena, const uint64_t *, place->object_count);
    const uint64_t **required = GM_ARENA_NEW(&machine->arena, const uint64_t *, place->object_count);
    const uint32_t **strange = GM_ARENA_NEW(&machine->arena, const uint32_t *, place->object_count);
    const uint32_t **index = GM_ARENA_NEW(&machine->arena, const uint32_t *, place->object_count);
    if (shape == NULL || local == NULL || index == NULL || needed == NULL || required == NULL || strange == NULL)
        return false;
    for (uint32_t i = 0; i < place->object_count; i++) {
        shape->names = merge_names(machine, shape->names, &shape->name_count, place->objects[i]);
        shape->counts = shape->counts || place->objects[i]->least != 0 || place->objects[i]->most != GM_UNBOUNDED ||
                        place->objects[i]->obligations != 0;
        if (shape->names == NULL)
            return false;
    }
    if (!gather_names(machine, shape))
        return false;
    shape->words = (shape->name_count + 63) / 64;
    for (uint32_t i = 0; i < place->object_count; i++) {
        thread_view view;
        if (!fill_thread(machine, shape, place->objects[i], &view))
            return false;
        local[i] = view.local;
        index[i] = view.index;
        needed[i] = view.needed;
        required[i] = view.required;
        strange[i] = view.strange;
    }
    shape->tracks_seen = shape->tracks_seen || shape->counts;
    shape->local = local;
    shape->index = index;
    shape->needed = needed;
    shape->required = required;
    shape->strange = strange;
    place->shape = shape;
    return fill_families(machine, place, shape);
}

static bool fill_objects(gm_machine *machine, gm_place *place)
{
    const gm_object_thread **objects = GM_ARENA_NEW(&machine->arena, const gm_object_thread *, place->object_count);
    uint32_t *labels = GM_ARENA_NEW(&machine->arena, uint32_t, place->object_count);
    uint32_t count = 0;
    if (objects == NULL || labels == NULL)
        return false;
    for (uint32_t i = 0; i < place->label_count; i++) {
        const gm_profile *profile = gm_form_profile(machine->form, place->labels[i]);
        for (uint32_t j = 0; j < profile->object_count; j++, count++) {
            objects[count] = profile->objects[j];
            labels[count] = i;
        }
    }
    place->objects = objects;
    place->object_labels = labels;
    return count == 0 || fill_shape(machine, place);
}

/* ---- the whole ---- */

static const gm_place *build_place(gm_machine *machine, const gm_formula *labels, uint32_t count)
{
    gm_place *place = gm_arena_take_zeroed(&machine->arena, sizeof *place);
    if (place == NULL || count > GM_MAX_OUTCOME_WORDS * 64)
        return NULL;
    place->id = (uint32_t)machine->places.count;
    place->label_count = count;
    place->words = (count + 63) / 64;
    place->labels = gm_arena_copy(&machine->arena, labels, count * sizeof *labels);
    atomic_init(&place->object_start, NULL);
    atomic_init(&place->array_start, NULL);
    if (place->labels == NULL)
        return NULL;
    for (uint32_t i = 0; i < count; i++) {
        const gm_profile *profile = gm_form_profile(machine->form, labels[i]);
        place->text_count += profile->text_count;
        place->number_count += profile->number_count;
        place->object_count += profile->object_count;
        place->array_count += profile->array_count;
    }
    const bool filled = fill_literals(machine, place) && fill_texts(machine, place) && fill_numbers(machine, place) &&
                        fill_arrays(machine, place) && fill_objects(machine, place);
    return filled ? place : NULL;
}

const gm_place *gm_machine_place_locked(gm_machine *machine, const gm_formula *labels, uint32_t count)
{
    const uint64_t hash = gm_hash_bytes(labels, count * sizeof *labels);
    for (gm_probe probe = gm_table_find(&machine->place_table, hash); gm_probe_next(&machine->place_table, &probe);) {
        const gm_place *place = machine->places.items[probe.id];
        if (place->label_count == count && memcmp(place->labels, labels, count * sizeof *labels) == 0)
            return place;
    }
    const gm_place *place = build_place(machine, labels, count);
    if (place == NULL || !GM_ARRAY_PUSH(&machine->arena.allocator, &machine->places, place))
        return NULL;
    if (!gm_table_add(&machine->place_table, hash, place->id)) {
        machine->places.count--;
        return NULL;
    }
    return place;
}
