/*
 * form/obligation.c - whether what some member or item must satisfy can still be met.
 *
 * Members contribute independently: whether a set of obligations can be met is a choice of members to
 * come, each serving some of them. The counts of an array are followed the same way, position by
 * position, backward from its end. How many items may follow is always a range here: where it would
 * have a hole (several bounded counts that only move together) the schema is refused at compile.
 */
#include "form/obligation.h"

/* ---- objects ---- */

typedef struct meeting {
    const gm_object_thread *thread;
    gm_usable usable;
    const void *context;
    uint32_t taken[GM_MAX_OBLIGATIONS]; /* listed names that serve already */
    uint32_t taken_count;
} meeting;

static bool is_taken(const meeting *m, uint32_t name)
{
    for (uint32_t i = 0; i < m->taken_count; i++)
        if (m->taken[i] == name)
            return true;
    return false;
}

/* Whether some other name, of which there is no end, can serve the set. */
static bool other_serves(const meeting *m, uint32_t served)
{
    const gm_object_thread *thread = m->thread;
    if (thread->families == NULL)
        return m->usable(m->context, GM_ORDER_NONE, thread->rest_serving[served - 1]);
    for (uint32_t i = 0; i < thread->family_count; i++)
        if (m->usable(m->context, GM_ORDER_NONE, thread->families[i].serving[served - 1]))
            return true;
    return false;
}

/* Recursion is bounded by GM_MAX_OBLIGATIONS: each level meets at least one. */
static bool can_meet(meeting *m, uint32_t unmet, uint64_t room)
{
    if (unmet == 0)
        return true;
    const uint32_t first = unmet & (~unmet + 1), others = unmet ^ first;
    for (uint32_t more = others;; more = (more - 1) & others) {
        const uint32_t served = more | first;
        if (room > 0 && other_serves(m, served) && can_meet(m, unmet ^ served, room - 1))
            return true;
        for (uint32_t i = 0; i < m->thread->name_count; i++) {
            const gm_name *name = &m->thread->names[i];
            if ((room == 0 && !name->required) || is_taken(m, i) ||
                !m->usable(m->context, i, name->serving[served - 1]))
                continue;
            m->taken[m->taken_count++] = i;
            const bool met = can_meet(m, unmet ^ served, name->required ? room : room - 1);
            m->taken_count--;
            if (met)
                return true;
        }
        if (more == 0)
            return false;
    }
}

bool gm_object_can_meet(const gm_object_thread *thread, uint32_t unmet, uint64_t room, gm_usable usable,
                        const void *context)
{
    meeting m = {.thread = thread, .usable = usable, .context = context};
    return can_meet(&m, unmet, room);
}

/* ---- arrays ---- */

gm_formula gm_array_take(const gm_array_thread *thread, uint64_t index, uint32_t served, uint32_t *progress)
{
    const gm_formula formula =
        index < thread->most ? gm_array_item(thread, index, served) : (gm_formula)GM_FORMULA_FALSE;
    if (formula == GM_FORMULA_FALSE || thread->counting == NULL)
        return formula;
    *progress = thread->counting->next[(size_t)*progress * gm_array_sets(thread) + served];
    return *progress != GM_COUNT_DEAD && gm_array_can_end(thread, index + 1, *progress) ? formula
                                                                                        : (gm_formula)GM_FORMULA_FALSE;
}

static uint64_t add(uint64_t a, uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }

bool gm_array_can_end(const gm_array_thread *thread, uint64_t count, uint32_t progress)
{
    uint64_t fewest = count, greatest = thread->most;
    if (thread->counting != NULL) {
        const size_t at = (size_t)gm_array_position(thread, count) * thread->counting->states + progress;
        const uint64_t more = add(count, thread->counting->greatest[at]);
        if (thread->counting->fewest[at] == UINT64_MAX)
            return false;
        fewest = count + thread->counting->fewest[at];
        greatest = more < greatest ? more : greatest;
    }
    return (fewest > thread->least ? fewest : thread->least) <= greatest;
}

bool gm_array_may_end(const gm_array_thread *thread, uint64_t count, uint32_t progress)
{
    return count >= thread->least && count <= thread->most &&
           (thread->counting == NULL || thread->counting->suffices[progress]);
}

bool gm_array_dominates(const gm_array_thread *thread, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < thread->counting->obligations; i++) {
        const uint32_t radix = thread->counting->radix[i];
        if (thread->counting->exact[i] ? a % radix != b % radix : a % radix < b % radix)
            return false;
        a /= radix;
        b /= radix;
    }
    return true;
}

/* ---- the tables of counts ---- */

typedef struct span {
    uint64_t least, greatest;
} span;

static span longer(span by) { return (span){by.least + 1, add(by.greatest, 1)}; }

/* The union of spans as one; false if it has a hole. */
static bool unite(span *list, size_t count, span *out)
{
    for (size_t i = 1; i < count; i++) /* few: insertion */
        for (size_t j = i; j > 0 && list[j].least < list[j - 1].least; j--) {
            const span swapped = list[j];
            list[j] = list[j - 1];
            list[j - 1] = swapped;
        }
    *out = list[0];
    for (size_t i = 1; i < count; i++) {
        if (list[i].least > add(out->greatest, 1))
            return false;
        out->greatest = list[i].greatest > out->greatest ? list[i].greatest : out->greatest;
    }
    return true;
}

/* The numbers of items that may follow at a position with a progress. */
static bool look_ahead(const gm_array_thread *thread, gm_usable usable, const void *context, uint32_t position,
                       uint32_t state, const span *known, span *out)
{
    const gm_counting *counting = thread->counting;
    const uint32_t sets = gm_array_sets(thread);
    const bool is_rest = position == thread->prefix_count;
    span list[(1u << GM_MAX_OBLIGATIONS) + 1];
    size_t count = 0;
    bool repeats = false;
    if (counting->suffices[state])
        list[count++] = (span){0, 0};
    for (uint32_t served = 0; served < sets; served++) {
        const uint32_t next = counting->next[(size_t)state * sets + served];
        if (next == GM_COUNT_DEAD || !usable(context, GM_ORDER_NONE, thread->asked[(size_t)position * sets + served]))
            continue;
        if (is_rest && next == state) {
            repeats = true;
            continue;
        }
        const span behind = known[(size_t)(is_rest ? position : position + 1) * counting->states + next];
        if (behind.least != UINT64_MAX)
            list[count++] = longer(behind);
    }
    *out = (span){UINT64_MAX, 0};
    if (count == 0)
        return true;
    const bool whole = unite(list, count, out);
    if (repeats)
        out->greatest = UINT64_MAX;
    return whole || repeats;
}

gm_status gm_form_look_ahead(gm_forming *forming, gm_array_thread *thread, gm_usable usable, const void *context,
                             gm_arena *arena, bool *is_regular)
{
    gm_counting *counting = (gm_counting *)thread->counting;
    const size_t cells = ((size_t)thread->prefix_count + 1) * counting->states;
    span *known = GM_ARENA_NEW(forming->scratch, span, cells);
    uint64_t *fewest = GM_ARENA_NEW(arena, uint64_t, cells), *greatest = GM_ARENA_NEW(arena, uint64_t, cells);
    if (known == NULL || fewest == NULL || greatest == NULL)
        return gm_no_memory(forming->error);
    *is_regular = true;
    for (size_t at = cells; at-- > 0;) { /* progress never falls, so what it leads to is known */
        if (!look_ahead(thread, usable, context, (uint32_t)(at / counting->states), (uint32_t)(at % counting->states),
                        known, &known[at]))
            *is_regular = false;
        fewest[at] = known[at].least;
        greatest[at] = known[at].greatest;
    }
    counting->fewest = fewest;
    counting->greatest = greatest;
    return gm_forming_spend(forming, cells * gm_array_sets(thread));
}
