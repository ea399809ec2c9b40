/* machine/machine.c - making and ending a machine: see machine.h. */
#include "machine/machine.h"

#include "machine/build.h"

static gm_status build_root(gm_machine *machine)
{
    gm_turn *root = gm_arena_take_zeroed(&machine->arena, sizeof *root);
    if (root == NULL)
        return GM_OUT_OF_MEMORY;
    root->is_root = true;
    atomic_init(&root->only_after, NULL);
    atomic_init(&root->afters, NULL);
    root->place = gm_machine_place_locked(machine, &machine->form->root, 1);
    if (root->place == NULL || !GM_ARRAY_PUSH(&machine->arena.allocator, &machine->turns, root))
        return GM_OUT_OF_MEMORY;
    machine->root = root;
    return GM_OK;
}

gm_status gm_machine_init(gm_machine *machine, const gm_form *form, gm_form_stores stores,
                          const gm_schema_options *options, uint64_t memory, const gm_allocator *allocator,
                          gm_error *error)
{
    *machine = (gm_machine){.form = form,
                            .text = stores.text,
                            .number = stores.number,
                            .alphabet = stores.alphabet,
                            .minimal_escapes = options->escapes == GM_ESCAPES_MINIMAL};
    if (!gm_lock_init(&machine->grow))
        return gm_no_memory(error);
    gm_arena_init(&machine->arena, allocator);
    machine->arena.budget = memory < SIZE_MAX ? (size_t)memory : SIZE_MAX;
    gm_table_init(&machine->place_table, allocator);
    gm_table_init(&machine->lexical_table, allocator);
    gm_table_init(&machine->frame_table, allocator);
    gm_status status = gm_gaps_init(&machine->gaps, options, &machine->arena, error);
    if (status == GM_OK && build_root(machine) != GM_OK)
        status = machine->arena.is_spent
                     ? gm_fail(error, GM_LIMIT, "", "", "the first state needs more than max_grammar_memory")
                     : gm_no_memory(error);
    if (status != GM_OK)
        gm_machine_destroy(machine);
    return status;
}

void gm_machine_destroy(gm_machine *machine)
{
    const gm_allocator allocator = machine->arena.allocator;
    GM_ARRAY_FREE(&allocator, &machine->places);
    GM_ARRAY_FREE(&allocator, &machine->lexicals);
    GM_ARRAY_FREE(&allocator, &machine->frames);
    GM_ARRAY_FREE(&allocator, &machine->turns);
    gm_table_destroy(&machine->place_table);
    gm_table_destroy(&machine->lexical_table);
    gm_table_destroy(&machine->frame_table);
    gm_arena_destroy(&machine->arena);
    gm_lock_destroy(&machine->grow);
}

gm_status gm_machine_no_room(gm_machine *machine)
{
    gm_lock_acquire(&machine->grow);
    const bool is_spent = machine->arena.is_spent;
    gm_lock_release(&machine->grow);
    return is_spent ? GM_LIMIT : GM_OUT_OF_MEMORY;
}

size_t gm_machine_memory(gm_machine *machine)
{
    gm_lock_acquire(&machine->grow);
    size_t size = machine->arena.reserved;
    size +=
        (machine->places.capacity + machine->lexicals.capacity + machine->frames.capacity + machine->turns.capacity) *
        sizeof(const void *);
    size += (machine->place_table.capacity + machine->lexical_table.capacity + machine->frame_table.capacity) *
            sizeof(gm_table_slot);
    gm_lock_release(&machine->grow);
    return size;
}

/* L >= grow */
static uint64_t count_lexical(const gm_lexical *lexical)
{
    gm_lexical_slot *next = atomic_load_explicit((_Atomic(gm_lexical_slot *) *)&lexical->next, memory_order_acquire);
    uint64_t count = 0;
    for (uint32_t i = 0; next != NULL && i < gm_lexical_ways(lexical); i++)
        count += atomic_load_explicit(&next[i], memory_order_relaxed) != NULL;
    return count;
}

/* L >= grow. The way to the turn, and those behind its value. */
static uint64_t count_turn(const gm_turn *turn)
{
    uint64_t count = 1;
    count += atomic_load_explicit((_Atomic(const gm_frame *) *)&turn->only_after, memory_order_relaxed) != NULL;
    const gm_after *after = atomic_load_explicit((_Atomic(const gm_after *) *)&turn->afters, memory_order_acquire);
    for (; after != NULL; after = after->next)
        count++;
    return count;
}

uint64_t gm_machine_transitions(gm_machine *machine)
{
    uint64_t count = 0;
    gm_lock_acquire(&machine->grow);
    for (size_t i = 0; i < machine->lexicals.count; i++)
        count += count_lexical(machine->lexicals.items[i]);
    for (size_t i = 0; i < machine->turns.count; i++)
        count += count_turn(machine->turns.items[i]);
    gm_lock_release(&machine->grow);
    return count;
}

gm_config gm_machine_start(const gm_machine *machine, bool leading_space)
{
    return (gm_config){.at.turn = machine->root, .mode = GM_MODE_VALUE, .gap = leading_space ? GM_LEADING_SPACE : 0};
}
