/* match/history.c - see history.h. */
#include "match/history.h"

enum {
    FEW_STEPS = 8,
    FIRST_STEPS = 64,
    FIRST_POSITIONS = FIRST_STEPS / GM_REPLAYED,
    USUAL = 512 /* bytes of the journal; most steps take less */
};

/* Like a matcher's, its ends are not written while it grows: what lies beside it may be another thread's. */
struct gm_segment {
    gm_segment *parent; /* counted */
    gm_segment *jump;   /* an ancestor, or NULL; kept alive by the chain of parents */
    size_t depth;       /* of the chain */
    gm_arena journal;
    GM_ARRAY(gm_step) steps;
    GM_ARRAY(gm_position) positions;
    size_t next_kept; /* of steps: where that one leads is kept, if no other was before */
    size_t base;      /* steps before the first of this segment */
    size_t below;     /* bytes of all ancestors */
    atomic_size_t references;
};

void gm_history_init(gm_history *history, const gm_allocator *allocator, uint64_t budget)
{
    *history = (gm_history){.allocator = *allocator, .budget = budget < SIZE_MAX ? (size_t)budget : SIZE_MAX};
}

static void release(const gm_allocator *allocator, gm_segment *segment)
{
    while (segment != NULL && atomic_fetch_sub_explicit(&segment->references, 1, memory_order_acq_rel) == 1) {
        gm_segment *parent = segment->parent;
        gm_arena_destroy(&segment->journal);
        GM_ARRAY_FREE(allocator, &segment->steps);
        GM_ARRAY_FREE(allocator, &segment->positions);
        gm_deallocate(allocator, segment, 1, sizeof *segment);
        segment = parent;
    }
}

static gm_segment *retain(gm_segment *segment)
{
    if (segment != NULL)
        atomic_fetch_add_explicit(&segment->references, 1, memory_order_relaxed);
    return segment;
}

void gm_history_destroy(gm_history *history)
{
    release(&history->allocator, history->own);
    release(&history->allocator, history->sealed);
    history->own = history->sealed = NULL;
}

static size_t segment_size(const gm_segment *segment)
{
    return sizeof *segment + segment->journal.reserved + segment->steps.capacity * sizeof(gm_step) +
           segment->positions.capacity * sizeof(gm_position);
}

size_t gm_history_memory(const gm_history *history)
{
    size_t size = history->own != NULL ? segment_size(history->own) : 0;
    if (history->sealed != NULL)
        size += segment_size(history->sealed) + history->sealed->below;
    return size;
}

static void share_budget(const gm_history *history, gm_segment *segment)
{
    segment->journal.budget =
        history->budget - segment->steps.capacity * sizeof(gm_step) - segment->positions.capacity * sizeof(gm_position);
}

/* Room for the steps of a short document, so that the array need not grow five times on the way there; left out where
 * the budget or memory is too small, and they grow as they can. */
static void reserve_first(const gm_history *history, gm_segment *segment)
{
    if (history->budget / 4 < FIRST_STEPS * sizeof(gm_step) + FIRST_POSITIONS * sizeof(gm_position))
        return;
    GM_ARRAY_RESERVE(&history->allocator, &segment->steps, FIRST_STEPS);
    GM_ARRAY_RESERVE(&history->allocator, &segment->positions, FIRST_POSITIONS);
    share_budget(history, segment);
}

/* The own segment; made on first use. */
static gm_segment *own(gm_history *history)
{
    if (history->own != NULL)
        return history->own;
    gm_segment *segment = gm_allocate_zeroed(&history->allocator, 1, sizeof *segment);
    if (segment == NULL)
        return NULL;
    gm_segment *parent = history->sealed;
    atomic_init(&segment->references, 1);
    segment->parent = retain(parent);
    segment->base = history->base;
    gm_arena_init(&segment->journal, &history->allocator);
    segment->journal.budget = history->budget;
    if (parent != NULL) {
        segment->depth = parent->depth + 1;
        segment->below = parent->below + segment_size(parent);
        const gm_segment *far = parent->jump;
        const bool level =
            far != NULL && far->jump != NULL && parent->depth - far->depth == far->depth - far->jump->depth;
        segment->jump = level ? far->jump : parent;
    } else {
        reserve_first(history, segment);
    }
    history->own = segment;
    return segment;
}

gm_arena *gm_history_journal(gm_history *history)
{
    gm_segment *segment = own(history);
    if (segment == NULL)
        return NULL;
    segment->journal.is_spent = false;
    return &segment->journal;
}

gm_status gm_history_no_room(const gm_history *history)
{
    return history->own != NULL && history->own->journal.is_spent ? GM_LIMIT : GM_OUT_OF_MEMORY;
}

size_t gm_history_count(const gm_history *history)
{
    return history->base + (history->own != NULL ? history->own->steps.count : 0);
}

/* The capacity that a full array grows to, if the budget has room for it beside all else; else 0. */
static size_t grown(const gm_history *history, const gm_segment *segment, size_t capacity, size_t size)
{
    const size_t others = segment_size(segment) - sizeof *segment - capacity * size;
    const size_t wanted = capacity * 2 < FEW_STEPS ? FEW_STEPS : capacity * 2;
    return others < history->budget && wanted <= (history->budget - others) / size ? wanted : 0;
}

/* Makes room for one more item of an array, and takes what the arrays hold from the journal's budget. */
#define GM_MAKE_ROOM(history, segment, array)                                                                          \
    do {                                                                                                               \
        if (GM_LIKELY((array)->count < (array)->capacity))                                                             \
            return GM_OK;                                                                                              \
        const size_t wanted = grown(history, segment, (array)->capacity, sizeof *(array)->items);                      \
        if (wanted == 0)                                                                                               \
            return GM_LIMIT;                                                                                           \
        if (!GM_ARRAY_RESERVE(&(history)->allocator, array, wanted - (array)->count))                                  \
            return GM_OUT_OF_MEMORY;                                                                                   \
        share_budget(history, segment);                                                                                \
        return GM_OK;                                                                                                  \
    } while (0)

static gm_status room_for_step(const gm_history *history, gm_segment *segment)
{
    GM_MAKE_ROOM(history, segment, &segment->steps);
}

static gm_status room_for_position(const gm_history *history, gm_segment *segment)
{
    GM_MAKE_ROOM(history, segment, &segment->positions);
}

gm_arena *gm_history_make_ready(gm_history *history)
{
    gm_arena *journal = gm_history_journal(history);
    if (journal == NULL)
        return NULL;
    gm_segment *segment = history->own;
    if (segment->steps.count == segment->steps.capacity)
        (void)room_for_step(history, segment);
    if (segment->positions.count == segment->positions.capacity)
        (void)room_for_position(history, segment);
    if (segment->steps.count >= segment->next_kept) /* memory not written for long, or never */
        GM_PREFETCH(&segment->positions.items[segment->positions.count]);
    gm_arena_make_ready(journal, USUAL);
    return journal;
}

/* The step has room. */
static void push_step(gm_segment *segment, uint32_t value, bool has_bytes, bool kept)
{
    segment->steps.items[segment->steps.count++] =
        (gm_step){.token = value,
                  .has_bytes = has_bytes,
                  .is_kept = kept,
                  .position = (uint32_t)(segment->positions.count - 1) & (UINT32_MAX >> 2)};
}

/* Keeps where the next step leads. */
static gm_status keep(gm_history *history, gm_segment *segment, const gm_config *config, const uint8_t *bytes,
                      bool stopped)
{
    GM_TRY(room_for_position(history, segment));
    GM_TRY(room_for_step(history, segment));
    segment->positions.items[segment->positions.count++] = (gm_position){.config = *config,
                                                                         .mark = gm_arena_save(&segment->journal),
                                                                         .bytes = bytes,
                                                                         .step = (uint32_t)segment->steps.count,
                                                                         .stopped = stopped};
    segment->next_kept = segment->steps.count + GM_REPLAYED;
    return GM_OK;
}

/* Kept are the first position, one in GM_REPLAYED, those of bytes, which are pointed to, and those inside unique
 * arrays, where running a token again may be a search. */
static bool keeps(const gm_segment *segment, const uint8_t *bytes, const gm_config *config)
{
    return segment->steps.count >= segment->next_kept || bytes != NULL || config->written != NULL;
}

/* Where a position is kept or an array grows: apart, so that the others save no registers for it. */
GM_NOINLINE static gm_status push_rare(gm_history *history, uint32_t value, const uint8_t *bytes,
                                       const gm_config *config, bool stopped)
{
    gm_segment *segment = own(history);
    if (segment == NULL)
        return GM_OUT_OF_MEMORY;
    const bool kept = keeps(segment, bytes, config); /* before the next one is put off */
    if (kept)
        GM_TRY(keep(history, segment, config, bytes, stopped));
    else
        GM_TRY(room_for_step(history, segment));
    push_step(segment, value, bytes != NULL, kept);
    return GM_OK;
}

gm_status gm_history_push(gm_history *history, uint32_t value, const uint8_t *bytes, const gm_config *config,
                          bool stopped)
{
    gm_segment *segment = history->own;
    if (segment == NULL || segment->steps.count == segment->steps.capacity || keeps(segment, bytes, config))
        return push_rare(history, value, bytes, config, stopped);
    push_step(segment, value, false, false);
    return GM_OK;
}

gm_status gm_history_push_in_place(gm_history *history, uint32_t token, const gm_config *config)
{
    gm_segment *segment = own(history);
    if (segment == NULL || segment->steps.count == 0 || !segment->steps.items[segment->steps.count - 1].is_kept)
        return gm_history_push(history, token, NULL, config, false);
    GM_TRY(room_for_step(history, segment));
    push_step(segment, token, false, true);
    return GM_OK;
}

/* The sealed segment that holds step number `count`; 0 < count <= history->base. */
static gm_segment *segment_of(const gm_history *history, size_t count)
{
    gm_segment *segment = history->sealed;
    while (segment->base >= count)
        segment = segment->jump != NULL && segment->jump->base >= count ? segment->jump : segment->parent;
    return segment;
}

/* The segment of step number `count`, which is not 0; *at = the step. */
static const gm_segment *find_step(const gm_history *history, size_t count, const gm_step **at)
{
    GM_ASSERT(count != 0 && count <= gm_history_count(history));
    const gm_segment *segment = count > history->base ? history->own : segment_of(history, count);
    *at = &segment->steps.items[count - segment->base - 1];
    return segment;
}

const gm_position *gm_history_before(const gm_history *history, size_t count, size_t *kept)
{
    const gm_step *step;
    *kept = count;
    if (count == 0)
        return NULL;
    const gm_segment *segment = find_step(history, count, &step);
    const gm_position *position = &segment->positions.items[step->position];
    if (!step->is_kept)
        *kept = segment->base + position->step + 1;
    return position;
}

gm_step_text gm_history_text(const gm_history *history, size_t count)
{
    const gm_step *step;
    const gm_segment *segment = find_step(history, count, &step);
    return (gm_step_text){step->has_bytes ? segment->positions.items[step->position].bytes : NULL, step->token};
}

/* Cuts the own segment down to so many steps, and the journal to the last position kept among them. */
static void cut_own(gm_segment *segment, size_t count)
{
    const size_t positions = count != 0 ? (size_t)segment->steps.items[count - 1].position + 1 : 0;
    segment->steps.count = count;
    segment->positions.count = positions;
    segment->next_kept = positions != 0 ? segment->positions.items[positions - 1].step + GM_REPLAYED : 0;
    gm_arena_rewind(&segment->journal,
                    positions != 0 ? segment->positions.items[positions - 1].mark : (gm_arena_mark){NULL, 0});
}

bool gm_history_is_shared(const gm_history *history, size_t count) { return count <= history->base; }

void gm_history_cut(gm_history *history, size_t count)
{
    if (count >= gm_history_count(history))
        return;
    if (count >= history->base) {
        cut_own(history->own, count - history->base);
        return;
    }
    const gm_history part = gm_history_part(history, count);
    gm_history_destroy(history);
    *history = part;
}

void gm_history_cut_aside(gm_history *history, size_t count, gm_arena *aside)
{
    GM_ASSERT(count > history->base);
    cut_own(history->own, count - history->base);
    gm_arena_append(&history->own->journal, aside);
}

gm_history gm_history_part(const gm_history *history, size_t count)
{
    gm_history part = *history;
    part.own = NULL;
    part.sealed = count != 0 ? retain(segment_of(history, count)) : NULL;
    part.base = count;
    return part;
}

gm_history gm_history_fork(gm_history *history)
{
    if (history->own != NULL && (history->own->steps.count != 0 || history->own->journal.chunk != NULL)) {
        release(&history->allocator, history->sealed);
        history->base += history->own->steps.count;
        history->sealed = history->own; /* its one reference moves */
        history->own = NULL;
    }
    gm_history fork = *history;
    fork.own = NULL;
    retain(fork.sealed);
    return fork;
}
