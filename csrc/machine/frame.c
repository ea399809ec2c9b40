/* machine/frame.c - what an open container allows: see machine.h. */
#include "machine/machine.h"

/* Bits low..high-1 of word number `word`. */
static uint64_t range_mask(uint32_t word, uint32_t low, uint32_t high)
{
    const uint32_t first = word * 64;
    uint64_t mask = ~(uint64_t)0;
    if (low > first)
        mask &= low - first < 64 ? ~(uint64_t)0 << (low - first) : 0;
    if (high < first + 64)
        mask &= high > first ? ~(uint64_t)0 >> (first + 64 - high) : 0;
    return mask;
}

gm_formula gm_frame_ask(const gm_frame *frame, const gm_entry *entry, uint32_t name, uint32_t *order)
{
    const gm_object_thread *thread = frame->place->objects[entry->thread];
    const uint32_t local = name == GM_ORDER_NONE ? GM_ORDER_NONE : frame->place->shape->local[entry->thread][name];
    const uint32_t next = thread->next_required[entry->order];
    const gm_name *own = local == GM_ORDER_NONE ? NULL : &thread->names[local];
    if (own != NULL && own->order != GM_ORDER_NONE) {
        *order = own->order + 1;
        return own->order >= entry->order && own->order <= next ? own->formula : (gm_formula)GM_FORMULA_FALSE;
    }
    *order = thread->order_count;
    if (next != GM_ORDER_NONE)
        return GM_FORMULA_FALSE;
    if (own != NULL)
        return own->formula;
    return name == GM_ORDER_NONE ? thread->rest : frame->place->shape->strange[entry->thread][name];
}

static uint64_t count_bits(uint64_t word)
{
    uint64_t count = 0;
    for (; word != 0; word &= word - 1)
        count++;
    return count;
}

/* Names that an entry may still take once `name` is taken and it stands at `order`; families have
 * no end. */
static uint64_t count_left(const gm_frame *frame, const gm_entry *entry, uint32_t order, const uint64_t *seen,
                           uint32_t name)
{
    const gm_shape *shape = frame->place->shape;
    const gm_object_thread *thread = frame->place->objects[entry->thread];
    uint64_t left = 0;
    if (thread->rest != GM_FORMULA_FALSE || thread->family_count != 0)
        return GM_UNBOUNDED;
    for (uint32_t i = 0; i < shape->name_count; i++) {
        const uint32_t local = shape->local[entry->thread][i];
        if (i == name || local == GM_ORDER_NONE || (seen[i / 64] >> i % 64 & 1))
            continue;
        const gm_name *own = &thread->names[local];
        left += own->formula != GM_FORMULA_FALSE && (own->order == GM_ORDER_NONE || own->order >= order);
    }
    return left;
}

bool gm_frame_counts_allow(const gm_frame *frame, const gm_entry *entry, const gm_stack *top, uint32_t name)
{
    const gm_shape *shape = frame->place->shape;
    const gm_object_thread *thread = frame->place->objects[entry->thread];
    if (thread->least == 0 && thread->most == GM_UNBOUNDED)
        return true;
    const uint64_t *seen = gm_stack_seen(top, shape), *required = shape->required[entry->thread];
    uint64_t missing = 0;
    uint32_t order;
    for (uint32_t word = 0; word < shape->words; word++)
        missing += count_bits(required[word] & ~seen[word]);
    if (name != GM_ORDER_NONE && (required[name / 64] >> name % 64 & 1))
        missing--;
    if (top->count + 1 + missing > thread->most)
        return false;
    if (top->count + 1 + missing >= thread->least)
        return true;
    gm_frame_ask(frame, entry, name, &order);
    const uint64_t left = count_left(frame, entry, order, seen, name);
    return left == GM_UNBOUNDED || top->count + 1 + left >= thread->least; /* left holds the missing ones */
}

/* Whether an unseen name can be taken, counts included. */
static bool can_take_counted(const gm_frame *frame, const gm_stack *top, uint32_t name)
{
    for (uint32_t i = 0; i < frame->count; i++) {
        uint32_t order;
        if (gm_frame_ask(frame, &frame->entries[i], name, &order) != GM_FORMULA_FALSE &&
            gm_frame_counts_allow(frame, &frame->entries[i], top, name))
            return true;
    }
    return false;
}

bool gm_frame_can_take(const gm_frame *frame, const gm_stack *top, uint32_t low, uint32_t high)
{
    if (low >= high)
        return false;
    const gm_shape *shape = frame->place->shape;
    const uint64_t *seen = gm_stack_seen(top, shape);
    for (uint32_t word = low / 64; word <= (high - 1) / 64; word++) {
        uint64_t free = frame->takable[word] & ~seen[word] & range_mask(word, low, high);
        if (free != 0 && !shape->counts)
            return true;
        for (uint32_t bit = 0; free != 0; bit++, free >>= 1)
            if ((free & 1) && can_take_counted(frame, top, word * 64 + bit))
                return true;
    }
    return false;
}

/* Whether an entry has a family that it may take now. */
static bool has_family(const gm_frame *frame, const gm_entry *entry)
{
    const gm_shape *shape = frame->place->shape;
    if (frame->place->objects[entry->thread]->next_required[entry->order] != GM_ORDER_NONE)
        return false;
    for (uint32_t i = 0; i < shape->family_count; i++)
        if (shape->families[i].thread == entry->thread)
            return true;
    return false;
}

bool gm_frame_can_take_other(const gm_frame *frame, const gm_stack *top)
{
    const gm_shape *shape = frame->place->shape;
    if (!frame->other || !shape->counts)
        return frame->other;
    for (uint32_t i = 0; i < frame->count; i++) {
        const gm_entry *entry = &frame->entries[i];
        uint32_t order;
        const bool takes = shape->families != NULL
                               ? has_family(frame, entry)
                               : gm_frame_ask(frame, entry, GM_ORDER_NONE, &order) != GM_FORMULA_FALSE;
        if (takes && gm_frame_counts_allow(frame, entry, top, GM_ORDER_NONE))
            return true;
    }
    return false;
}

bool gm_frame_can_take_any(const gm_frame *frame, const gm_stack *top)
{
    return gm_frame_can_take_other(frame, top) || gm_frame_can_take(frame, top, 0, frame->place->shape->name_count);
}

bool gm_frame_can_take_item(const gm_frame *frame, const gm_stack *top)
{
    const uint64_t index = gm_frame_items(frame, top);
    for (uint32_t i = 0; i < frame->count; i++) {
        const gm_array_thread *thread = frame->place->arrays[frame->entries[i].thread];
        if (index < thread->most && gm_array_item(thread, index) != GM_FORMULA_FALSE)
            return true;
    }
    return false;
}

static bool object_thread_is_done(const gm_frame *frame, const gm_stack *top, const gm_entry *entry)
{
    const gm_shape *shape = frame->place->shape;
    const gm_object_thread *thread = frame->place->objects[entry->thread];
    if (thread->next_required[entry->order] != GM_ORDER_NONE)
        return false;
    if (shape->counts && (top->count < thread->least || top->count > thread->most))
        return false;
    const uint64_t *needed = shape->needed[entry->thread], *seen = gm_stack_seen(top, shape);
    for (uint32_t word = 0; word < shape->words; word++)
        if ((needed[word] & ~seen[word]) != 0)
            return false;
    return true;
}

static bool array_thread_is_done(const gm_frame *frame, const gm_stack *top, const gm_entry *entry)
{
    const gm_array_thread *thread = frame->place->arrays[entry->thread];
    const uint64_t items = gm_frame_items(frame, top);
    return items >= thread->least && items <= thread->most;
}

bool gm_frame_close(const gm_frame *frame, const gm_stack *top, uint64_t *outcome)
{
    const gm_place *place = frame->place;
    bool any = false;
    memset(outcome, 0, place->words * sizeof *outcome);
    for (uint32_t i = 0; i < frame->count; i++) {
        const gm_entry *entry = &frame->entries[i];
        if (!(frame->is_object ? object_thread_is_done(frame, top, entry) : array_thread_is_done(frame, top, entry)))
            continue;
        const uint32_t label = (frame->is_object ? place->object_labels : place->array_labels)[entry->thread];
        outcome[label / 64] |= (uint64_t)1 << label % 64;
        any = true;
    }
    return any;
}
