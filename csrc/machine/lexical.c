/*
 * machine/lexical.c - strings and numbers half read.
 *
 * A lexical is the set of scalar threads that still live, each with the state of its automaton.
 * Mostly there is one. A thread with bounds on length lives while the lengths of what may follow
 * meet what is left of the bounds; a code point that no thread survives is not allowed.
 */
#include "machine/machine.h"

/* Whether a text thread in `term` can still end within its bounds after `length` code points. */
static bool fits(gm_machine *machine, const gm_place_text *text, gm_term term, uint64_t length)
{
    const gm_text_thread *thread = &text->thread;
    if (term == GM_TERM_NONE || length > thread->most)
        return false;
    if ((thread->least == 0 && thread->most == GM_UNBOUNDED) || term == GM_TERM_ANY)
        return true;
    const gm_lengths *lengths;
    if (gm_text_lengths(machine->text, term, &lengths, NULL) != GM_OK)
        return false;
    const uint64_t least = thread->least > length ? thread->least - length : 0;
    const uint64_t most = thread->most == GM_UNBOUNDED ? GM_UNBOUNDED : thread->most - length;
    return gm_lengths_meet(lengths, least, most);
}

static const gm_lexical *remember(_Atomic(const gm_lexical *) *slot, const gm_lexical *lexical)
{
    if (slot != NULL && lexical != NULL)
        atomic_store_explicit(slot, lexical, memory_order_release);
    return lexical;
}

enum { FEW_STRANDS = 32 };

/* A place for `count` strands: the caller's array, or memory when that is too small. */
static gm_strand *strand_room(gm_machine *machine, gm_strand *few, uint32_t count)
{
    return count <= FEW_STRANDS ? few : gm_allocate(&machine->arena.allocator, count, sizeof *few);
}

static void strand_release(gm_machine *machine, gm_strand *few, gm_strand *room, uint32_t count)
{
    if (room != few)
        gm_deallocate(&machine->arena.allocator, room, count, sizeof *room);
}

/* The strands that a code point leads to; all of them if `place` is NULL, else those within bounds. */
static const gm_lexical *follow(gm_machine *machine, const gm_place *place, const gm_lexical *lexical, uint32_t point,
                                uint64_t length, bool *failed)
{
    gm_strand few[FEW_STRANDS], *strands = strand_room(machine, few, lexical->count);
    if (strands == NULL) {
        *failed = true;
        return NULL;
    }
    uint32_t count = 0;
    bool same = true;
    for (uint32_t i = 0; i < lexical->count; i++) {
        const gm_strand strand = lexical->strands[i];
        const gm_term next = gm_text_next(lexical->rows[i], point);
        if (next == GM_TERM_NONE || (place != NULL && !fits(machine, &place->texts[strand.thread], next, length)))
            continue;
        same = same && next == strand.state && count == i;
        strands[count++] = (gm_strand){strand.thread, next};
    }
    const gm_lexical *result = NULL;
    if (count != 0)
        result = same && count == lexical->count ? lexical : gm_machine_lexical(machine, true, strands, count);
    *failed = count != 0 && result == NULL;
    strand_release(machine, few, strands, lexical->count);
    return result;
}

const gm_lexical *gm_lexical_point(gm_machine *machine, const gm_place *place, const gm_lexical *lexical,
                                   uint32_t point, uint64_t length, bool *failed)
{
    *failed = false;
    if (place->counts_points && lexical->count > 1)
        return follow(machine, place, lexical, point, length, failed);
    /* what is remembered depends on the strands alone; bounds of a single one are checked behind */
    _Atomic(const gm_lexical *) *slot = point < 128 ? &lexical->next[point] : NULL;
    const gm_lexical *result = slot != NULL ? atomic_load_explicit(slot, memory_order_acquire) : NULL;
    if (result == NULL)
        result = remember(slot, follow(machine, NULL, lexical, point, length, failed));
    if (result != NULL && place->counts_points &&
        !fits(machine, &place->texts[result->strands[0].thread], result->strands[0].state, length))
        return NULL;
    return result;
}

static bool strand_meets(gm_machine *machine, const gm_place_text *text, const gm_text_row *row, gm_point_range range,
                         uint64_t length)
{
    const gm_text_thread *thread = &text->thread;
    if (thread->least == 0 && thread->most == GM_UNBOUNDED)
        return gm_text_row_meets(row, range.low, range.high);
    for (uint32_t point = range.low; point <= range.high && point < 128; point++)
        if (fits(machine, text, row->ascii[point], length))
            return true;
    for (uint32_t i = 0; i < row->range_count; i++)
        if (row->ranges[i].low <= range.high && row->ranges[i].high >= range.low &&
            fits(machine, text, row->ranges[i].to, length))
            return true;
    return false;
}

bool gm_lexical_meets(gm_machine *machine, const gm_place *place, const gm_lexical *lexical, gm_point_range range,
                      uint64_t length)
{
    for (uint32_t i = 0; i < lexical->count; i++)
        if (strand_meets(machine, &place->texts[lexical->strands[i].thread], lexical->rows[i], range, length))
            return true;
    return false;
}

bool gm_lexical_close_text(const gm_place *place, const gm_lexical *lexical, uint64_t length, uint64_t *outcome)
{
    bool any = false;
    memset(outcome, 0, place->words * sizeof *outcome);
    for (uint32_t i = 0; i < lexical->count; i++) {
        const gm_place_text *text = &place->texts[lexical->strands[i].thread];
        const gm_text_row *row = lexical->rows[i];
        if (!row->accepts || length < text->thread.least || length > text->thread.most)
            continue;
        outcome[text->label / 64] |= (uint64_t)1 << text->label % 64;
        any = true;
    }
    return any;
}

const gm_lexical *gm_lexical_digit(gm_machine *machine, const gm_lexical *lexical, int number_class, bool *failed)
{
    _Atomic(const gm_lexical *) *slot = &lexical->next[number_class];
    const gm_lexical *known = atomic_load_explicit(slot, memory_order_acquire);
    *failed = false;
    if (known != NULL)
        return known;
    gm_strand few[FEW_STRANDS], *strands = strand_room(machine, few, lexical->count);
    if (strands == NULL) {
        *failed = true;
        return NULL;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < lexical->count; i++) {
        const gm_number_state next = ((const gm_number_row *)lexical->rows[i])->to[number_class];
        if (next != GM_NUMBER_DEAD)
            strands[count++] = (gm_strand){lexical->strands[i].thread, next};
    }
    const gm_lexical *result = count != 0 ? gm_machine_lexical(machine, false, strands, count) : NULL;
    *failed = count != 0 && result == NULL;
    strand_release(machine, few, strands, lexical->count);
    return remember(slot, result);
}

bool gm_lexical_close_number(const gm_place *place, const gm_lexical *lexical, uint64_t *outcome)
{
    bool any = false;
    memset(outcome, 0, place->words * sizeof *outcome);
    for (uint32_t i = 0; i < lexical->count; i++) {
        const uint32_t label = place->numbers[lexical->strands[i].thread].label;
        if (!((const gm_number_row *)lexical->rows[i])->accepts)
            continue;
        outcome[label / 64] |= (uint64_t)1 << label % 64;
        any = true;
    }
    return any;
}
