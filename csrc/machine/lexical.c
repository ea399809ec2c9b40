/*
 * machine/lexical.c - strings and numbers half read.
 *
 * A lexical is the set of scalar threads that still live, each with the state of its automaton.
 * Mostly there is one. A thread with bounds on length lives while the lengths of what may follow
 * meet what is left of the bounds; a code point that no thread survives is not allowed.
 */
#include "machine/machine.h"

#include "base/utf8.h"

/* Whether a text thread in `term` can still end within its bounds after `length` code points. *failed:
 * the lengths of the term could not be found out, for want of memory. */
static bool fits(gm_machine *machine, const gm_place_text *text, gm_term term, uint64_t length, bool *failed)
{
    const gm_text_thread *thread = &text->thread;
    if (term == GM_TERM_NONE || length > thread->most)
        return false;
    if ((thread->least == 0 && thread->most == GM_UNBOUNDED) || term == GM_TERM_ANY)
        return true;
    const gm_lengths *lengths;
    if (gm_text_lengths(machine->text, term, &lengths, NULL) != GM_OK) {
        *failed = true;
        return false;
    }
    const uint64_t least = thread->least > length ? thread->least - length : 0;
    const uint64_t most = thread->most == GM_UNBOUNDED ? GM_UNBOUNDED : thread->most - length;
    return gm_lengths_meet(lengths, least, most);
}

/* Where a byte or class is known to lead; NULL if it is not. */
static const gm_lexical *known(const gm_lexical *lexical, uint32_t way)
{
    gm_lexical_slot *slots = atomic_load_explicit((_Atomic(gm_lexical_slot *) *)&lexical->next, memory_order_acquire);
    return slots != NULL && way < gm_lexical_ways(lexical) ? atomic_load_explicit(&slots[way], memory_order_acquire)
                                                           : NULL;
}

static const gm_lexical *remember(gm_machine *machine, const gm_lexical *from, uint32_t way, const gm_lexical *to)
{
    if (to == NULL || way >= gm_lexical_ways(from))
        return to;
    gm_lexical_slot *slots = gm_machine_lexical_slots(machine, from);
    if (slots != NULL)
        atomic_store_explicit(&slots[way], to, memory_order_release);
    return to;
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
        if (next == GM_TERM_NONE ||
            (place != NULL && !fits(machine, &place->texts[strand.thread], next, length, failed)))
            continue;
        same = same && next == strand.state && count == i;
        strands[count++] = (gm_strand){strand.thread, next};
    }
    const gm_lexical *result = NULL;
    if (count != 0 && !*failed) {
        result = same && count == lexical->count ? lexical : gm_machine_lexical(machine, true, strands, count);
        *failed = result == NULL;
    }
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
    const gm_lexical *result = known(lexical, point);
    if (result == NULL)
        result = remember(machine, lexical, point, follow(machine, NULL, lexical, point, length, failed));
    if (result != NULL && place->counts_points &&
        !fits(machine, &place->texts[result->strands[0].thread], result->strands[0].state, length, failed))
        return NULL;
    return result;
}

/* Follows letters along a content's rows: so no lexical is made for a state on the way. *state is NONE if they lead
 * nowhere. False when out of memory. */
static bool follow_rows(gm_machine *machine, const gm_text_row *row, const uint8_t *letters, size_t length,
                        gm_term *state)
{
    *state = row->term;
    for (size_t i = 0; i < length; i++) {
        if (row->stays[letters[i] / 64] >> letters[i] % 64 & 1)
            continue; /* mostly: the first line of a row tells */
        *state = row->ascii[letters[i]];
        if (*state == GM_TERM_NONE || i + 1 == length)
            return true;
        if ((row = gm_text_row_of(machine->text, *state)) == NULL)
            return false;
    }
    return true;
}

/* The lexical of the same one strand in a state, which letters from `from` led to; NULL when out of memory. */
static const gm_lexical *in_state(gm_machine *machine, const gm_lexical *from, gm_term state)
{
    if (state == from->strands[0].state)
        return from;
    gm_lexical_slot *last = (gm_lexical_slot *)&from->last;
    const gm_lexical *to = atomic_load_explicit(last, memory_order_acquire);
    if (to != NULL && to->strands[0].state == state)
        return to;
    const gm_strand strand = {from->strands[0].thread, state};
    if ((to = gm_machine_lexical(machine, true, &strand, 1)) != NULL)
        atomic_store_explicit(last, to, memory_order_release);
    return to;
}

bool gm_lexical_run(gm_machine *machine, const gm_place *place, const gm_lexical **lexical, uint64_t before,
                    const uint8_t *letters, size_t length, size_t *taken)
{
    const gm_lexical *at = *lexical;
    size_t count = 0;
    *taken = 0;
    if (place->counts_points && at->count > 1)
        return true;
    if (at->count == 1) {
        gm_term state;
        if (!follow_rows(machine, at->rows[0], letters, length, &state))
            return false;
        if (state == GM_TERM_NONE)
            return true;
        if ((at = in_state(machine, at, state)) == NULL)
            return false;
        count = length;
    }
    for (const gm_lexical *next; count < length && (next = known(at, letters[count])) != NULL; count++)
        at = next;
    bool failed = false;
    if (place->counts_points &&
        !fits(machine, &place->texts[at->strands[0].thread], at->strands[0].state, before + count, &failed))
        return !failed;
    *lexical = at;
    *taken = count;
    return true;
}

static bool strand_meets(gm_machine *machine, const gm_place_text *text, const gm_text_row *row, gm_spelling_state half,
                         gm_point_range range, uint64_t length, bool *failed)
{
    const gm_text_thread *thread = &text->thread;
    const gm_alphabet *alphabet = machine->alphabet;
    if (thread->least == 0 && thread->most == GM_UNBOUNDED)
        return gm_spelling_meets(half, range, alphabet, row);
    gm_term last = GM_TERM_NONE; /* many characters side by side lead to the same */
    bool last_fits = false;
    for (uint32_t point = range.low; point <= range.high && point < 128; point++) {
        if (row->ascii[point] != last) {
            last = row->ascii[point];
            last_fits = fits(machine, text, last, length, failed);
        }
        if (last_fits && gm_spelling_can_finish(half, (gm_point_range){point, point}, alphabet))
            return true;
    }
    for (uint32_t i = 0; i < row->range_count; i++) {
        const gm_point_range both =
            gm_point_range_meet(range, (gm_point_range){row->ranges[i].low, row->ranges[i].high});
        if (both.low <= both.high && fits(machine, text, row->ranges[i].to, length, failed) &&
            gm_spelling_can_finish(half, both, alphabet))
            return true;
    }
    return false;
}

bool gm_lexical_meets(gm_machine *machine, const gm_place *place, const gm_lexical *lexical, gm_spelling_state half,
                      gm_point_range range, uint64_t length, bool *failed)
{
    for (uint32_t i = 0; i < lexical->count; i++)
        if (strand_meets(machine, &place->texts[lexical->strands[i].thread], lexical->rows[i], half, range, length,
                         failed))
            return true;
    return false;
}

/* Whether a strand may end after so many code points. */
static bool ends(const gm_place_text *text, const gm_text_row *row, uint64_t length)
{
    return row->accepts && length >= text->thread.least && length <= text->thread.most;
}

bool gm_lexical_close_text(const gm_place *place, const gm_lexical *lexical, uint64_t length, uint64_t *outcome)
{
    bool any = false;
    if (place->words == 1 && lexical->count == 1) { /* mostly */
        const gm_place_text *text = &place->texts[lexical->strands[0].thread];
        outcome[0] = (uint64_t)1 << text->label % 64;
        return ends(text, lexical->rows[0], length);
    }
    memset(outcome, 0, place->words * sizeof *outcome);
    for (uint32_t i = 0; i < lexical->count; i++) {
        const gm_place_text *text = &place->texts[lexical->strands[i].thread];
        if (!ends(text, lexical->rows[i], length))
            continue;
        outcome[text->label / 64] |= (uint64_t)1 << text->label % 64;
        any = true;
    }
    return any;
}

const gm_lexical *gm_lexical_digit(gm_machine *machine, const gm_lexical *lexical, int number_class, bool *failed)
{
    const gm_lexical *to = known(lexical, (uint32_t)number_class);
    *failed = false;
    if (to != NULL)
        return to;
    gm_strand few[FEW_STRANDS], *strands = strand_room(machine, few, lexical->count);
    if (strands == NULL) {
        *failed = true;
        return NULL;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < lexical->count && !*failed; i++) {
        const gm_number_state next = ((const gm_number_row *)lexical->rows[i])->to[number_class];
        bool ends = false;
        if (next != GM_NUMBER_DEAD)
            *failed = gm_alphabet_ends_number(machine->alphabet, machine->number, next, &machine->arena.allocator,
                                              &ends) != GM_OK;
        if (ends)
            strands[count++] = (gm_strand){lexical->strands[i].thread, next};
    }
    if (count != 0 && !*failed) {
        to = gm_machine_lexical(machine, false, strands, count);
        *failed = to == NULL;
    }
    strand_release(machine, few, strands, lexical->count);
    return remember(machine, lexical, (uint32_t)number_class, to);
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

/* ---- keys by family ---- */

const gm_lexical *gm_lexical_key_point(gm_machine *machine, const gm_lexical *lexical, uint32_t point, bool *failed)
{
    const gm_lexical *to = known(lexical, point);
    *failed = false;
    return to != NULL ? to : remember(machine, lexical, point, follow(machine, NULL, lexical, point, 0, failed));
}

bool gm_lexical_key_meets(const gm_machine *machine, const gm_lexical *lexical, gm_spelling_state half,
                          gm_point_range range)
{
    for (uint32_t i = 0; i < lexical->count; i++)
        if (gm_spelling_meets(half, range, machine->alphabet, lexical->rows[i]))
            return true;
    return false;
}

/* A key that some family's name may go on with: a search of the names behind a prefix. */
typedef struct key_search {
    gm_machine *machine;
    gm_arena *journal;
    const gm_keyset *others;
    bool found;
} key_search;

typedef struct key_node { /* a prefix, and the first continuation that was not yet followed */
    struct key_node *next;
    gm_term term;
    gm_key_hash hash;
    uint32_t range, point; /* a range of the row, ASCII first; a code point of it, 0: its lowest */
} key_node;

static gm_key_hash hash_point(gm_key_hash hash, uint32_t point)
{
    char bytes[4];
    const size_t length = gm_utf8_write(point, bytes);
    for (size_t i = 0; i < length; i++)
        hash = gm_key_hash_add(hash, (uint8_t)bytes[i]);
    return hash;
}

/* The next continuation of a prefix; false when there is none. */
static bool next_point(key_node *at, const gm_text_row *row, gm_term *to, uint32_t *point)
{
    for (; at->range < 128 + row->range_count; at->range++, at->point = 0) {
        const bool ascii = at->range < 128;
        const gm_text_range whole =
            ascii ? (gm_text_range){at->range, at->range, row->ascii[at->range]} : row->ranges[at->range - 128];
        const uint32_t low = at->point > whole.low ? at->point : whole.low;
        if (whole.to == GM_TERM_NONE || low > whole.high)
            continue;
        *to = whole.to;
        *point = low;
        at->point = low + 1;
        return true;
    }
    return false;
}

/* Depth-first over the names behind a term until one is free; each step leads to names, and only
 * used ones are passed, so the search ends after at most as many names as were used. */
static gm_status search_names(key_search *s, gm_term term, gm_key_hash hash)
{
    key_node *stack = NULL;
    for (;;) {
        key_node *node = gm_arena_take(s->journal, sizeof *node);
        const gm_text_row *row = gm_text_row_of(s->machine->text, term);
        if (node == NULL || row == NULL)
            return GM_OUT_OF_MEMORY;
        if (row->accepts && !gm_keyset_has(s->others, hash)) {
            s->found = true;
            return GM_OK;
        }
        *node = (key_node){stack, term, hash, 0, 0};
        stack = node;
        uint32_t point = 0;
        while (!next_point(stack, row, &term, &point)) {
            if ((stack = stack->next) == NULL)
                return GM_OK;
            if ((row = gm_text_row_of(s->machine->text, stack->term)) == NULL)
                return GM_OUT_OF_MEMORY;
        }
        hash = hash_point(stack->hash, point);
    }
}

gm_status gm_lexical_key_is_free(gm_machine *machine, gm_arena *journal, const gm_lexical *lexical, gm_key_hash hash,
                                 const gm_keyset *others, bool *is_free)
{
    *is_free = others == NULL;
    for (uint32_t i = 0; i < lexical->count && !*is_free; i++) {
        const gm_lengths *lengths;
        const gm_status status = gm_text_lengths(machine->text, lexical->strands[i].state, &lengths, NULL);
        if (status == GM_OUT_OF_MEMORY)
            return status;
        *is_free = status != GM_OK || lengths->greatest == UINT64_MAX; /* no set of used ones holds them all */
    }
    for (uint32_t i = 0; i < lexical->count && !*is_free; i++) {
        key_search search = {machine, journal, others, false};
        const gm_arena_mark mark = gm_arena_save(journal);
        const gm_status searched = search_names(&search, lexical->strands[i].state, hash);
        gm_arena_rewind(journal, mark);
        if (searched != GM_OK)
            return searched;
        *is_free = search.found;
    }
    return GM_OK;
}
