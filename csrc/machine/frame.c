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

bool gm_frame_can_take(const gm_frame *frame, const gm_stack *top, uint32_t low, uint32_t high)
{
    if (low >= high)
        return false;
    const gm_shape *shape = frame->place->shape;
    const uint64_t *seen = gm_stack_seen(top, shape);
    for (uint32_t word = low / 64; word <= (high - 1) / 64; word++)
        if ((frame->takable[word] & ~seen[word] & range_mask(word, low, high)) != 0)
            return true;
    return false;
}

bool gm_frame_can_take_any(const gm_frame *frame, const gm_stack *top)
{
    return frame->other || gm_frame_can_take(frame, top, 0, frame->place->shape->name_count);
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
