/* api/api_grammar.c - asking a grammar: see gmask.h. */
#include "api/objects.h"

gm_compiler *gm_grammar_compiler(const gm_grammar *grammar) { return grammar != NULL ? grammar->compiler : NULL; }

size_t gm_grammar_warning_count(const gm_grammar *grammar) { return grammar != NULL ? grammar->warning_count : 0; }

gm_status gm_grammar_warning(const gm_grammar *grammar, size_t index, gm_warning *warning)
{
    if (grammar == NULL || warning == NULL || index >= grammar->warning_count)
        return GM_INVALID_ARGUMENT;
    *warning = grammar->warnings[index];
    return GM_OK;
}

size_t gm_grammar_memory(const gm_grammar *grammar)
{
    if (grammar == NULL)
        return 0;
    return sizeof *grammar + grammar->keep.reserved + gm_machine_memory((gm_machine *)&grammar->machine) +
           gm_memo_memory(grammar->memo);
}

gm_status gm_grammar_get_stats(const gm_grammar *grammar, gm_grammar_stats *stats)
{
    if (grammar == NULL || stats == NULL || stats->struct_size < sizeof stats->struct_size)
        return GM_INVALID_ARGUMENT;
    gm_machine *machine = (gm_machine *)&grammar->machine;
    gm_grammar_stats known = {
        .compile_work = grammar->form->work,
        .nodes = grammar->form->node_count,
        .formulas = grammar->form->formula_count,
        .threads = grammar->form->thread_count,
        .masks_built = atomic_load_explicit((_Atomic uint64_t *)&grammar->masks_built, memory_order_relaxed),
        .masks_found = atomic_load_explicit((_Atomic uint64_t *)&grammar->masks_found, memory_order_relaxed),
        .trie_nodes = atomic_load_explicit((_Atomic uint64_t *)&grammar->trie_nodes, memory_order_relaxed),
        .transitions = gm_machine_transitions(machine),
        .mask_bytes = atomic_load_explicit((_Atomic uint64_t *)&grammar->mask_bytes, memory_order_relaxed),
    };
    gm_lock_acquire(&machine->grow);
    known.places = machine->places.count;
    known.frames = machine->frames.count;
    gm_lock_release(&machine->grow);
    const size_t size = stats->struct_size < sizeof known ? stats->struct_size : sizeof known;
    known.struct_size = stats->struct_size;
    memcpy(stats, &known, size);
    return GM_OK;
}
