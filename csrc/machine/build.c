/*
 * machine/build.c - interning lexicals, frames and turns; see machine.h. Places are in place.c.
 *
 * Each public function looks at what is published first, then takes the lock, looks again, builds
 * and publishes. A failed build leaves nothing behind but arena memory.
 */
#include "machine/machine.h"
#include "machine/build.h"

/* ---- lexicals ---- */

static const gm_lexical *find_lexical(const gm_machine *machine, uint64_t hash, const gm_strand *strands,
                                      uint32_t count, bool is_text)
{
    for (gm_probe probe = gm_table_find(&machine->lexical_table, hash);
         gm_probe_next(&machine->lexical_table, &probe);) {
        const gm_lexical *lexical = machine->lexicals.items[probe.id];
        if (lexical->count == count && lexical->is_text == is_text &&
            memcmp(lexical->strands, strands, count * sizeof *strands) == 0)
            return lexical;
    }
    return NULL;
}

/* All in one block, the first row and strand beside the rest: mostly there is no other, and stepping looks at both. */
typedef struct lexical_block {
    gm_lexical lexical;
    gm_strand strand;
    const void *rows[];
} lexical_block;

static const gm_lexical *build_lexical(gm_machine *machine, bool is_text, const gm_strand *strands, uint32_t count)
{
    gm_arena *arena = &machine->arena;
    lexical_block *block = gm_arena_take_zeroed(arena, sizeof *block + count * sizeof *block->rows);
    if (block == NULL)
        return NULL;
    gm_lexical *lexical = &block->lexical;
    block->strand = strands[0];
    lexical->strands = count == 1 ? &block->strand : gm_arena_copy(arena, strands, count * sizeof *strands);
    if (lexical->strands == NULL)
        return NULL;
    for (uint32_t i = 0; i < count; i++) {
        block->rows[i] = is_text ? (const void *)gm_text_row_of(machine->text, strands[i].state)
                                 : (const void *)gm_number_row_of(machine->number, strands[i].state);
        if (block->rows[i] == NULL)
            return NULL;
    }
    atomic_init(&lexical->next, NULL);
    atomic_init(&lexical->last, NULL);
    lexical->is_text = is_text;
    lexical->count = count;
    lexical->rows = block->rows;
    lexical->id = (uint32_t)machine->lexicals.count;
    return lexical;
}

/* L >= grow */
const gm_lexical *gm_machine_lexical_locked(gm_machine *machine, bool is_text, const gm_strand *strands, uint32_t count)
{
    const uint64_t hash = gm_hash_bytes(strands, count * sizeof *strands) ^ (uint64_t)is_text;
    const gm_lexical *lexical = find_lexical(machine, hash, strands, count, is_text);
    if (lexical != NULL)
        return lexical;
    lexical = build_lexical(machine, is_text, strands, count);
    if (lexical == NULL || !GM_ARRAY_PUSH(&machine->arena.allocator, &machine->lexicals, lexical))
        return NULL;
    if (!gm_table_add(&machine->lexical_table, hash, lexical->id)) {
        machine->lexicals.count--;
        return NULL;
    }
    return lexical;
}

const gm_lexical *gm_machine_lexical(gm_machine *machine, bool is_text, const gm_strand *strands, uint32_t count)
{
    gm_lock_acquire(&machine->grow);
    const gm_lexical *lexical = gm_machine_lexical_locked(machine, is_text, strands, count);
    gm_lock_release(&machine->grow);
    return lexical;
}

gm_lexical_slot *gm_machine_lexical_slots(gm_machine *machine, const gm_lexical *lexical)
{
    _Atomic(gm_lexical_slot *) *table = (_Atomic(gm_lexical_slot *) *)&lexical->next;
    gm_lexical_slot *slots = atomic_load_explicit(table, memory_order_acquire);
    if (slots != NULL)
        return slots;
    gm_lock_acquire(&machine->grow);
    slots = atomic_load_explicit(table, memory_order_relaxed);
    const bool was_spent = machine->arena.is_spent;
    if (slots == NULL && (slots = gm_arena_array(&machine->arena, gm_lexical_ways(lexical), sizeof *slots)) != NULL) {
        for (uint32_t i = 0; i < gm_lexical_ways(lexical); i++)
            atomic_init(&slots[i], NULL);
        atomic_store_explicit(table, slots, memory_order_release);
    }
    machine->arena.is_spent = was_spent;
    gm_lock_release(&machine->grow);
    return slots;
}

/* ---- frames ---- */

/* The strands of the families that the frame's entries may take, with registers or (top NULL) without. */
static uint32_t list_keys(const gm_frame *frame, const gm_stack *top, gm_strand *strands)
{
    const gm_shape *shape = frame->place->shape;
    uint32_t count = 0;
    gm_entry after;
    for (uint32_t i = 0; i < shape->family_count; i++) {
        bool is_taken = false;
        for (uint32_t j = 0; j < frame->count && !is_taken; j++) {
            const gm_entry *entry = &frame->entries[j];
            const gm_family *family = &shape->families[i].family;
            if (entry->thread == shape->families[i].thread)
                is_taken = top == NULL
                               ? gm_frame_ask(frame, entry, GM_ORDER_NONE, family, 0, &after) != GM_FORMULA_FALSE
                               : gm_frame_takes_family(frame, entry, top, family);
        }
        if (is_taken)
            strands[count++] = (gm_strand){i, shape->families[i].family.term};
    }
    return count;
}

static bool fill_keys(gm_machine *machine, gm_frame *frame)
{
    gm_strand *strands = GM_ARENA_NEW(&machine->arena, gm_strand, frame->place->shape->family_count);
    if (strands == NULL)
        return false;
    const uint32_t count = list_keys(frame, NULL, strands);
    frame->other = count != 0;
    if (count != 0)
        frame->keys = gm_machine_lexical_locked(machine, true, strands, count);
    return count == 0 || frame->keys != NULL;
}

const gm_lexical *gm_machine_keys(gm_machine *machine, const gm_frame *frame, const gm_stack *top, bool *failed)
{
    const gm_allocator *allocator = &machine->arena.allocator;
    const uint32_t room = frame->place->shape->family_count;
    *failed = false;
    if (frame->keys == NULL || !frame->place->shape->counts)
        return frame->keys;
    gm_strand *strands = gm_allocate(allocator, room, sizeof *strands);
    if (strands == NULL) {
        *failed = true;
        return NULL;
    }
    const uint32_t count = list_keys(frame, top, strands);
    const gm_lexical *keys = count != 0 ? gm_machine_lexical(machine, true, strands, count) : NULL;
    *failed = count != 0 && keys == NULL;
    gm_deallocate(allocator, strands, room, sizeof *strands);
    return keys;
}

static bool fill_object(gm_machine *machine, gm_frame *frame)
{
    const gm_shape *shape = frame->place->shape;
    uint64_t *takable = GM_ARENA_NEW(&machine->arena, uint64_t, shape->words);
    const size_t chunks = (shape->name_count + GM_TURN_CHUNK - 1) / GM_TURN_CHUNK;
    frame->name_turns = gm_arena_array(&machine->arena, chunks, sizeof *frame->name_turns);
    if (takable == NULL || frame->name_turns == NULL)
        return false;
    for (size_t i = 0; i < chunks; i++)
        atomic_init(&frame->name_turns[i], NULL);
    gm_entry after; /* what serves obligations is asked more: it has no value where plain membership has none */
    for (uint32_t i = 0; i < frame->count; i++) {
        for (uint32_t name = 0; name < shape->name_count; name++)
            if (gm_frame_ask(frame, &frame->entries[i], name, NULL, 0, &after) != GM_FORMULA_FALSE)
                takable[name / 64] |= (uint64_t)1 << name % 64;
        if (gm_frame_ask(frame, &frame->entries[i], GM_ORDER_NONE, NULL, 0, &after) != GM_FORMULA_FALSE)
            frame->other = true;
    }
    frame->takable = takable;
    return shape->families == NULL || fill_keys(machine, frame);
}

static const gm_frame *build_frame(gm_machine *machine, const gm_frame *key)
{
    gm_frame *frame = gm_arena_take_zeroed(&machine->arena, sizeof *frame);
    if (frame == NULL)
        return NULL;
    frame->is_object = key->is_object;
    frame->count = key->count;
    frame->index = key->index;
    frame->place = key->place;
    frame->id = (uint32_t)machine->frames.count;
    atomic_init(&frame->other_turn, NULL);
    atomic_init(&frame->turns, NULL);
    for (uint32_t i = 0; i < key->count && !key->is_object; i++)
        frame->has_unique = frame->has_unique || key->place->arrays[key->entries[i].thread]->unique;
    frame->entries = gm_arena_copy(&machine->arena, key->entries, key->count * sizeof *key->entries);
    if (frame->entries == NULL || (frame->is_object && !fill_object(machine, frame)))
        return NULL;
    return frame;
}

/* L >= grow. The frame equal to a key of which is_object, place, index and entries are set. */
static const gm_frame *intern_frame(gm_machine *machine, const gm_frame *key)
{
    uint64_t hash = gm_hash_bytes(key->entries, key->count * sizeof *key->entries);
    hash = gm_hash_combine(hash, (uint64_t)key->place->id << 33 | (uint64_t)key->index << 1 | key->is_object);
    for (gm_probe probe = gm_table_find(&machine->frame_table, hash); gm_probe_next(&machine->frame_table, &probe);) {
        const gm_frame *frame = machine->frames.items[probe.id];
        if (frame->place == key->place && frame->is_object == key->is_object && frame->index == key->index &&
            frame->count == key->count && memcmp(frame->entries, key->entries, key->count * sizeof *key->entries) == 0)
            return frame;
    }
    const gm_frame *frame = build_frame(machine, key);
    if (frame == NULL || !GM_ARRAY_PUSH(&machine->arena.allocator, &machine->frames, frame))
        return NULL;
    if (!gm_table_add(&machine->frame_table, hash, frame->id)) {
        machine->frames.count--;
        return NULL;
    }
    return frame;
}

static const gm_frame *start_frame(gm_machine *machine, const gm_place *place, bool is_object)
{
    _Atomic(const gm_frame *) *slot =
        (_Atomic(const gm_frame *) *)(is_object ? &place->object_start : &place->array_start);
    const gm_frame *frame = atomic_load_explicit(slot, memory_order_acquire);
    if (frame != NULL)
        return frame;
    const gm_allocator *allocator = &machine->arena.allocator;
    const uint32_t count = is_object ? place->object_count : place->array_count;
    gm_entry *entries = gm_allocate_zeroed(allocator, count, sizeof *entries);
    if (entries == NULL)
        return NULL;
    for (uint32_t i = 0; i < count; i++)
        entries[i].thread = i;
    gm_lock_acquire(&machine->grow);
    frame =
        intern_frame(machine, &(gm_frame){.is_object = is_object, .place = place, .count = count, .entries = entries});
    if (frame != NULL) /* else what was interned on the way stays */
        atomic_store_explicit(slot, frame, memory_order_release);
    gm_lock_release(&machine->grow);
    gm_deallocate(allocator, entries, count, sizeof *entries);
    return frame;
}

const gm_frame *gm_machine_object_start(gm_machine *machine, const gm_place *place)
{
    return start_frame(machine, place, true);
}
const gm_frame *gm_machine_array_start(gm_machine *machine, const gm_place *place)
{
    return start_frame(machine, place, false);
}

/* ---- turns ---- */

/* L >= grow. A turn whose waits carry formulas in `label`: makes the place of the distinct ones and
 * replaces each by its index. */
static const gm_turn *build_turn(gm_machine *machine, const gm_frame *frame, gm_wait *waits, uint32_t count,
                                 uint32_t index)
{
    gm_formula *labels = GM_ARENA_NEW(&machine->arena, gm_formula, count);
    gm_turn *turn = gm_arena_take_zeroed(&machine->arena, sizeof *turn);
    if (labels == NULL || turn == NULL)
        return NULL;
    uint32_t label_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = 0;
        while (at < label_count && labels[at] != waits[i].label)
            at++;
        if (at == label_count)
            labels[label_count++] = waits[i].label;
        waits[i].label = at;
    }
    turn->in_object = frame->is_object;
    turn->container = frame->place;
    turn->index = index;
    turn->count = count;
    atomic_init(&turn->only_after, NULL);
    atomic_init(&turn->afters, NULL);
    turn->waits = gm_arena_copy(&machine->arena, waits, count * sizeof *waits);
    turn->place = gm_machine_place_locked(machine, labels, label_count);
    turn->id = (uint32_t)machine->turns.count;
    if (turn->waits == NULL || turn->place == NULL || !GM_ARRAY_PUSH(&machine->arena.allocator, &machine->turns, turn))
        return NULL;
    return turn;
}

/* The family of an entry's thread, among those that have read a key to its end. */
static const gm_family *family_of(const gm_frame *frame, const gm_entry *entry, const gm_lexical *families)
{
    const gm_shape *shape = frame->place->shape;
    for (uint32_t i = 0; i < families->count; i++) {
        const gm_shape_family *family = &shape->families[families->strands[i].thread];
        if (family->thread == entry->thread && ((const gm_text_row *)families->rows[i])->accepts)
            return &family->family;
    }
    return NULL;
}

/* How many waits the entries of a frame may have at once. */
static uint32_t most_waits(const gm_frame *frame)
{
    uint32_t total = 0;
    for (uint32_t i = 0; i < frame->count; i++)
        total += gm_frame_sets(frame, &frame->entries[i]);
    return total;
}

/* The entries that take a key now, each with its formula in place of a label; `waits` has room. */
static uint32_t list_waits(const gm_frame *frame, const gm_stack *top, uint32_t name, const gm_lexical *families,
                           gm_wait *waits)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < frame->count; i++) {
        const gm_entry *entry = &frame->entries[i];
        const gm_family *family = families != NULL ? family_of(frame, entry, families) : NULL;
        if (families != NULL && family == NULL)
            continue;
        for (uint32_t served = gm_frame_sets(frame, entry); served-- > 0;) {
            gm_wait *wait = &waits[count];
            wait->label = gm_frame_take(frame, entry, top, name, family, served, &wait->entry);
            count += wait->label != GM_FORMULA_FALSE;
        }
    }
    return count;
}

/* The entries that take an item, likewise. */
static uint32_t list_items(const gm_frame *frame, uint64_t index, gm_wait *waits)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < frame->count; i++) {
        const gm_array_thread *thread = frame->place->arrays[frame->entries[i].thread];
        for (uint32_t served = gm_array_sets(thread); served-- > 0;) {
            gm_wait *wait = &waits[count];
            wait->entry = frame->entries[i];
            wait->label = gm_array_take(thread, index, served, &wait->entry.progress);
            count += wait->label != GM_FORMULA_FALSE;
        }
    }
    return count;
}

enum { FEW_WAITS = 64 };

/* Room for the waits of a frame: the caller's array, or memory when that is too small. */
static gm_wait *wait_room(gm_machine *machine, gm_wait *few, uint32_t count)
{
    return count <= FEW_WAITS ? few : gm_allocate(&machine->arena.allocator, count, sizeof *few);
}

static void wait_release(gm_machine *machine, gm_wait *few, gm_wait *room, uint32_t count)
{
    if (room != few)
        gm_deallocate(&machine->arena.allocator, room, count, sizeof *room);
}

static const gm_turn *build_name_turn(gm_machine *machine, const gm_frame *frame, const gm_stack *top, uint32_t name)
{
    gm_wait *waits = GM_ARENA_NEW(&machine->arena, gm_wait, most_waits(frame));
    if (waits == NULL)
        return NULL;
    const uint32_t count = list_waits(frame, top, name, NULL, waits);
    GM_ASSERT(count > 0);
    return build_turn(machine, frame, waits, count, 0);
}

static _Atomic(const gm_turn *) *name_slot(gm_machine *machine, const gm_frame *frame, uint32_t name)
{
    if (name == GM_ORDER_NONE)
        return (_Atomic(const gm_turn *) *)&frame->other_turn;
    _Atomic(gm_turn_chunk *) *at = &frame->name_turns[name / GM_TURN_CHUNK];
    gm_turn_chunk *chunk = atomic_load_explicit(at, memory_order_acquire);
    if (chunk == NULL) {
        gm_lock_acquire(&machine->grow);
        chunk = atomic_load_explicit(at, memory_order_relaxed);
        if (chunk == NULL && (chunk = gm_arena_take(&machine->arena, sizeof *chunk)) != NULL) {
            for (int i = 0; i < GM_TURN_CHUNK; i++)
                atomic_init(&chunk->of[i], NULL);
            atomic_store_explicit(at, chunk, memory_order_release);
        }
        gm_lock_release(&machine->grow);
    }
    return chunk != NULL ? &chunk->of[name % GM_TURN_CHUNK] : NULL;
}

/* The turn of an item, or of a key that depends on registers or families: a list, told apart by who waits
 * for what. Items have no name. */
static const gm_turn *find_listed(const gm_frame *frame, uint32_t name, const gm_wait *waits, uint32_t count)
{
    const gm_turn *turn = atomic_load_explicit((_Atomic(const gm_turn *) *)&frame->turns, memory_order_acquire);
    for (; turn != NULL; turn = turn->next) {
        bool same = turn->name == name && turn->count == count;
        for (uint32_t i = 0; i < count && same; i++)
            same = memcmp(&turn->waits[i].entry, &waits[i].entry, sizeof waits[i].entry) == 0 &&
                   turn->place->labels[turn->waits[i].label] == waits[i].label;
        if (same)
            return turn;
    }
    return NULL;
}

static const gm_turn *listed_turn(gm_machine *machine, const gm_frame *frame, uint32_t name, gm_wait *waits,
                                  uint32_t count, uint32_t index)
{
    const gm_turn *turn = find_listed(frame, name, waits, count);
    if (turn != NULL)
        return turn;
    gm_lock_acquire(&machine->grow);
    turn = find_listed(frame, name, waits, count);
    if (turn == NULL && (turn = build_turn(machine, frame, waits, count, index)) != NULL) {
        _Atomic(const gm_turn *) *list = (_Atomic(const gm_turn *) *)&frame->turns;
        ((gm_turn *)turn)->name = name;
        ((gm_turn *)turn)->next = atomic_load_explicit(list, memory_order_relaxed);
        atomic_store_explicit(list, turn, memory_order_release);
    }
    gm_lock_release(&machine->grow);
    return turn;
}

const gm_turn *gm_machine_name_turn(gm_machine *machine, const gm_frame *frame, const gm_stack *top, uint32_t name,
                                    const gm_lexical *families, bool *none)
{
    *none = false;
    if (families != NULL || frame->place->shape->counts) {
        const uint32_t room = most_waits(frame);
        gm_wait few[FEW_WAITS], *waits = wait_room(machine, few, room);
        if (waits == NULL)
            return NULL;
        const uint32_t count = list_waits(frame, top, name, families, waits);
        *none = count == 0;
        const gm_turn *turn = count != 0 ? listed_turn(machine, frame, name, waits, count, 0) : NULL;
        wait_release(machine, few, waits, room);
        return turn;
    }
    _Atomic(const gm_turn *) *slot = name_slot(machine, frame, name);
    if (slot == NULL)
        return NULL;
    const gm_turn *turn = atomic_load_explicit(slot, memory_order_acquire);
    if (turn != NULL)
        return turn;
    gm_lock_acquire(&machine->grow);
    turn = atomic_load_explicit(slot, memory_order_relaxed);
    if (turn == NULL && (turn = build_name_turn(machine, frame, top, name)) != NULL)
        atomic_store_explicit(slot, turn, memory_order_release);
    gm_lock_release(&machine->grow);
    return turn;
}

/* The same where it is not yet known, or depends on how many items were begun. */
static const gm_turn *find_item_turn(gm_machine *machine, const gm_frame *frame, uint64_t index, bool *none)
{
    const uint32_t room = most_waits(frame);
    gm_wait few[FEW_WAITS], *waits = wait_room(machine, few, room);
    uint32_t longest = 0;
    *none = false;
    if (waits == NULL)
        return NULL;
    for (uint32_t i = 0; i < frame->count; i++) {
        const uint32_t prefix = frame->place->arrays[frame->entries[i].thread]->prefix_count;
        longest = prefix > longest ? prefix : longest;
    }
    const uint32_t count = list_items(frame, index, waits),
                   next = frame->index < longest ? frame->index + 1 : frame->index;
    *none = count == 0;
    const gm_turn *turn = count != 0 ? listed_turn(machine, frame, GM_ORDER_NONE, waits, count, next) : NULL;
    wait_release(machine, few, waits, room);
    return turn;
}

const gm_turn *gm_machine_item_turn(gm_machine *machine, const gm_frame *frame, uint64_t index, bool *none)
{
    const gm_turn *turn = atomic_load_explicit((_Atomic(const gm_turn *) *)&frame->turns, memory_order_acquire);
    *none = false;
    if (turn != NULL && !frame->place->counts_items)
        return turn; /* it follows from the frame alone: no other will be listed */
    return find_item_turn(machine, frame, index, none);
}

/* ---- after a value ---- */

/* Whether an entry lives on in whatever another does. */
static bool dominates(const gm_turn *turn, const gm_entry *a, const gm_entry *b)
{
    if (a->thread != b->thread || a->order != b->order)
        return false;
    if (turn->in_object)
        return (a->progress & b->progress) == b->progress;
    const gm_array_thread *thread = turn->container->arrays[a->thread];
    return thread->counting == NULL || gm_array_dominates(thread, a->progress, b->progress);
}

/* Adds an entry unless one that is there makes it needless, and drops those that it makes so. */
static void add_entry(const gm_turn *turn, gm_entry *entries, uint32_t *count, gm_entry entry)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < *count; i++) {
        if (dominates(turn, &entries[i], &entry))
            return;
        if (!dominates(turn, &entry, &entries[i]))
            entries[kept++] = entries[i];
    }
    entries[kept] = entry;
    *count = kept + 1;
}

static bool lives_on(const gm_turn *turn, const gm_wait *wait, const uint64_t *outcome, bool repeated)
{
    return (outcome[wait->label / 64] >> wait->label % 64 & 1) &&
           !(repeated && turn->container->arrays[wait->entry.thread]->unique);
}

/* L >= grow */
static const gm_frame *build_after(gm_machine *machine, const gm_turn *turn, const uint64_t *outcome, bool repeated)
{
    gm_entry *entries = GM_ARENA_NEW(&machine->arena, gm_entry, turn->count);
    gm_frame key = {.is_object = turn->in_object, .place = turn->container, .index = turn->index};
    if (entries == NULL)
        return NULL;
    for (uint32_t i = 0; i < turn->count; i++)
        if (lives_on(turn, &turn->waits[i], outcome, repeated))
            add_entry(turn, entries, &key.count, turn->waits[i].entry);
    GM_ASSERT(key.count > 0);
    key.entries = entries;
    return intern_frame(machine, &key);
}

static bool is_only(const gm_turn *turn, bool repeated) { return turn->place->label_count == 1 && !repeated; }

static const gm_frame *find_after(const gm_turn *turn, const uint64_t *outcome, bool repeated)
{
    if (is_only(turn, repeated))
        return atomic_load_explicit((_Atomic(const gm_frame *) *)&turn->only_after, memory_order_acquire);
    const gm_after *after = atomic_load_explicit((_Atomic(const gm_after *) *)&turn->afters, memory_order_acquire);
    for (; after != NULL; after = after->next)
        if (after->repeated == repeated && memcmp(after->outcome, outcome, turn->place->words * sizeof *outcome) == 0)
            return after->frame;
    return NULL;
}

static bool publish_after(gm_machine *machine, const gm_turn *turn, const uint64_t *outcome, bool repeated,
                          const gm_frame *frame)
{
    if (is_only(turn, repeated)) {
        atomic_store_explicit((_Atomic(const gm_frame *) *)&turn->only_after, frame, memory_order_release);
        return true;
    }
    const size_t words = turn->place->words;
    gm_after *after = gm_arena_take(&machine->arena, offsetof(gm_after, outcome) + words * sizeof *outcome);
    if (after == NULL)
        return false;
    _Atomic(const gm_after *) *list = (_Atomic(const gm_after *) *)&turn->afters;
    after->next = atomic_load_explicit(list, memory_order_relaxed);
    after->frame = frame;
    after->repeated = repeated;
    memcpy(after->outcome, outcome, words * sizeof *outcome);
    atomic_store_explicit(list, after, memory_order_release);
    return true;
}

const gm_frame *gm_machine_after(gm_machine *machine, const gm_turn *turn, const uint64_t *outcome, bool repeated,
                                 bool *none)
{
    *none = repeated;
    for (uint32_t i = 0; i < turn->count && *none; i++)
        *none = !lives_on(turn, &turn->waits[i], outcome, true);
    if (*none)
        return NULL;
    const gm_frame *frame = find_after(turn, outcome, repeated);
    if (frame != NULL)
        return frame;
    gm_lock_acquire(&machine->grow);
    frame = find_after(turn, outcome, repeated);
    if (frame == NULL && (frame = build_after(machine, turn, outcome, repeated)) != NULL &&
        !publish_after(machine, turn, outcome, repeated, frame))
        frame = NULL;
    gm_lock_release(&machine->grow);
    return frame;
}
