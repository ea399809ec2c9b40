/* machine/frame.c - what an open container allows: see machine.h. */
#include "machine/machine.h"

/* Bits low..high-1 in word number `word`, which some of them are in. */
static uint64_t range_mask(uint32_t word, uint32_t low, uint32_t high)
{
    const uint64_t from = word == low / 64 ? ~(uint64_t)0 << low % 64 : ~(uint64_t)0;
    return word == (high - 1) / 64 ? from & ~(uint64_t)0 >> (63 - (high - 1) % 64) : from;
}

gm_formula gm_frame_ask(const gm_frame *frame, const gm_entry *entry, uint32_t name, const gm_family *family,
                        uint32_t served, gm_entry *after)
{
    const gm_object_thread *thread = frame->place->objects[entry->thread];
    const gm_shape *shape = frame->place->shape;
    const uint32_t local = name == GM_ORDER_NONE ? GM_ORDER_NONE : shape->local[entry->thread][name];
    const uint32_t next = thread->next_required[entry->order];
    const gm_name *own = local == GM_ORDER_NONE ? NULL : &thread->names[local];
    *after = (gm_entry){entry->thread, thread->order_count, entry->progress | served};
    if ((entry->progress & served) != 0)
        return GM_FORMULA_FALSE;
    if (own != NULL && own->order != GM_ORDER_NONE) {
        after->order = own->order + 1;
        return own->order >= entry->order && own->order <= next ? gm_formula_for(own->formula, own->serving, served)
                                                                : (gm_formula)GM_FORMULA_FALSE;
    }
    if (next != GM_ORDER_NONE)
        return GM_FORMULA_FALSE;
    if (own != NULL)
        return gm_formula_for(own->formula, own->serving, served);
    if (name != GM_ORDER_NONE && shape->strange[entry->thread][name] != GM_ORDER_NONE)
        family = &thread->families[shape->strange[entry->thread][name]];
    return family != NULL ? gm_formula_for(family->formula, family->serving, served)
                          : gm_formula_for(thread->rest, thread->rest_serving, served);
}

/* A thread behind a member: what it may still take. */
typedef struct outlook {
    const gm_shape *shape;
    const gm_object_thread *thread;
    const gm_entry *entry;
    const uint64_t *seen; /* before the member */
    uint32_t name;        /* of the member */
} outlook;

static bool is_free(const outlook *o, uint32_t own)
{
    const uint32_t name = o->shape->index[o->entry->thread][own];
    const uint32_t order = o->thread->names[own].order;
    return name != o->name && !(o->seen[name / 64] >> name % 64 & 1) &&
           (order == GM_ORDER_NONE || order >= o->entry->order);
}

static bool is_usable(const void *context, uint32_t own, gm_formula formula)
{
    return formula != GM_FORMULA_FALSE && (own == GM_ORDER_NONE || is_free(context, own));
}

/* Names that a thread may still take; families have no end. */
static uint64_t count_left(const outlook *o)
{
    uint64_t left = 0;
    if (o->thread->rest != GM_FORMULA_FALSE || o->thread->family_count != 0)
        return GM_UNBOUNDED;
    for (uint32_t i = 0; i < o->thread->name_count; i++)
        left += is_usable(o, i, o->thread->names[i].formula);
    return left;
}

/* Whether the object can be completed behind one more member. */
static bool can_be_completed(const outlook *o, const gm_stack *top)
{
    const gm_object_thread *thread = o->thread;
    const uint64_t *required = o->shape->required[o->entry->thread];
    const uint32_t unmet = ((1u << thread->obligations) - 1) & ~o->entry->progress;
    uint64_t missing = 0;
    if (thread->least == 0 && thread->most == GM_UNBOUNDED && unmet == 0)
        return true;
    for (uint32_t word = 0; word < o->shape->words; word++)
        missing += gm_bit_count(required[word] & ~o->seen[word]);
    if (o->name != GM_ORDER_NONE && (required[o->name / 64] >> o->name % 64 & 1))
        missing--;
    const uint64_t least = top->count + 1 + missing;
    if (least > thread->most ||
        !gm_object_can_meet(thread, unmet, thread->most == GM_UNBOUNDED ? GM_UNBOUNDED : thread->most - least,
                            is_usable, o))
        return false;
    if (least >= thread->least)
        return true;
    const uint64_t left = count_left(o);
    return left == GM_UNBOUNDED || top->count + 1 + left >= thread->least; /* left holds the missing ones */
}

gm_formula gm_frame_take(const gm_frame *frame, const gm_entry *entry, const gm_stack *top, uint32_t name,
                         const gm_family *family, uint32_t served, gm_entry *after)
{
    const gm_shape *shape = frame->place->shape;
    const gm_formula formula = gm_frame_ask(frame, entry, name, family, served, after);
    if (formula == GM_FORMULA_FALSE || !shape->counts)
        return formula;
    const outlook o = {shape, frame->place->objects[entry->thread], after, gm_stack_seen(top, shape), name};
    return can_be_completed(&o, top) ? formula : (gm_formula)GM_FORMULA_FALSE;
}

static bool takes(const gm_frame *frame, const gm_entry *entry, const gm_stack *top, uint32_t name,
                  const gm_family *family)
{
    gm_entry after;
    for (uint32_t served = 0; served < gm_frame_sets(frame, entry); served++)
        if (gm_frame_take(frame, entry, top, name, family, served, &after) != GM_FORMULA_FALSE)
            return true;
    return false;
}

bool gm_frame_takes_family(const gm_frame *frame, const gm_entry *entry, const gm_stack *top, const gm_family *family)
{
    return takes(frame, entry, top, GM_ORDER_NONE, family);
}

/* Whether an unseen name can be taken, registers included. */
static bool can_take_counted(const gm_frame *frame, const gm_stack *top, uint32_t name)
{
    for (uint32_t i = 0; i < frame->count; i++)
        if (takes(frame, &frame->entries[i], top, name, NULL))
            return true;
    return false;
}

/* The first of low..high that is not below a number: without a branch on the outcome, which nobody can foresee. */
static uint32_t bound_begins(const uint64_t *begins, uint32_t low, uint32_t high, uint64_t least)
{
    for (uint32_t count = high - low; count != 0;) {
        const uint32_t half = count / 2;
        const bool is_less = begins[low + half] < least;
        low += is_less ? half + 1 : 0;
        count = is_less ? count - half - 1 : half;
    }
    return low;
}

/* The bits of a beginning that are its first bytes; less than GM_BEGIN of them. */
static uint64_t first_bytes(uint32_t count) { return ~(~(uint64_t)0 >> 8 * count); }

uint32_t gm_shape_bound(const gm_shape *shape, uint32_t low, uint32_t high, uint32_t depth, unsigned byte)
{
    if (depth < GM_BEGIN && byte - 1 < 0xFF && low < high) /* NUL is what stands behind the end */
        return bound_begins(shape->begins, low, high,
                            (shape->begins[low] & first_bytes(depth)) | (uint64_t)byte << (56 - 8 * depth));
    for (uint32_t count = high - low; count != 0;) {
        const uint32_t half = count / 2;
        const gm_bytes name = shape->names[low + half];
        const bool is_less = name.length <= depth || (uint8_t)name.data[depth] < byte;
        low += is_less ? half + 1 : 0;
        count = is_less ? count - half - 1 : half;
    }
    return low;
}

void gm_shape_narrow(const gm_shape *shape, uint32_t depth, const uint8_t *bytes, size_t count, uint32_t *low,
                     uint32_t *high)
{
    if (*low == *high)
        return;
    const uint64_t shared = depth != 0 ? shape->begins[*low] & first_bytes(depth) : 0;
    const uint64_t least = shared | gm_begin_of(bytes, count) >> 8 * depth;
    *low = bound_begins(shape->begins, *low, *high, least);
    *high = bound_begins(shape->begins, *low, *high, least + ((uint64_t)1 << (64 - 8 * (depth + count))));
}

bool gm_frame_can_take_counted(const gm_frame *frame, const gm_stack *top, uint32_t low, uint32_t high)
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
static bool takes_families(const gm_frame *frame, const gm_entry *entry, const gm_stack *top)
{
    const gm_shape *shape = frame->place->shape;
    for (uint32_t i = 0; i < shape->family_count; i++)
        if (shape->families[i].thread == entry->thread &&
            takes(frame, entry, top, GM_ORDER_NONE, &shape->families[i].family))
            return true;
    return false;
}

bool gm_frame_can_take_other_counted(const gm_frame *frame, const gm_stack *top)
{
    const gm_shape *shape = frame->place->shape;
    for (uint32_t i = 0; i < frame->count; i++)
        if (shape->families != NULL ? takes_families(frame, &frame->entries[i], top)
                                    : takes(frame, &frame->entries[i], top, GM_ORDER_NONE, NULL))
            return true;
    return false;
}

bool gm_frame_can_take_item(const gm_frame *frame, const gm_stack *top)
{
    const uint64_t index = gm_frame_items(frame, top);
    for (uint32_t i = 0; i < frame->count; i++) {
        const gm_array_thread *thread = frame->place->arrays[frame->entries[i].thread];
        for (uint32_t served = 0; served < gm_array_sets(thread); served++) {
            uint32_t progress = frame->entries[i].progress;
            if (gm_array_take(thread, index, served, &progress) != GM_FORMULA_FALSE)
                return true;
        }
    }
    return false;
}

static bool object_thread_is_done(const gm_frame *frame, const gm_stack *top, const gm_entry *entry)
{
    const gm_shape *shape = frame->place->shape;
    const gm_object_thread *thread = frame->place->objects[entry->thread];
    if (thread->next_required[entry->order] != GM_ORDER_NONE || entry->progress != (1u << thread->obligations) - 1)
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
    return gm_array_may_end(frame->place->arrays[entry->thread], gm_frame_items(frame, top), entry->progress);
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
