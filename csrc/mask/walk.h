/*
 * mask/walk.h - the plain mask: every token tried by walking the vocabulary's trie with the machine.
 *
 * This is the specification of every faster way. A subtree is left at the first byte that the
 * machine rejects, or that cannot come next to begin with (first.h). With openings, subtrees behind a quote into free
 * text are taken as prepared.
 */
#ifndef GM_MASK_WALK_H
#define GM_MASK_WALK_H

#include "machine/machine.h"
#include "mask/canvas.h"
#include "mask/first.h"
#include "mask/openings.h"
#include "mask/reads.h"
#include "vocab/vocab.h"

/* Scratch of a walk: one entry a byte of the longest token. Owned by a matcher. */
typedef struct gm_walk {
    gm_allocator allocator;
    struct gm_walk_level *levels;
    size_t capacity;
    uint64_t visited; /* trie nodes stepped on, ever */
    uint64_t budget;  /* nodes one walk may step on */
    gm_reads *reads;  /* what steps read is recorded here, or NULL */
} gm_walk;

void gm_walk_init(gm_walk *walk, const gm_allocator *allocator, uint64_t budget);
void gm_walk_destroy(gm_walk *walk);
size_t gm_walk_memory(const gm_walk *walk);

/* Sets the bits of the trie's tokens that may come next. The journal is left as it was. `openings`, of
 * that trie, or NULL. Tokens that begin with a byte of `skip` are left out; NULL: none. */
gm_status gm_walk_mask(gm_walk *walk, gm_machine *machine, gm_arena *journal, const gm_trie *trie, uint32_t max_depth,
                       const gm_openings *openings, const gm_byte_set *skip, const gm_config *from, gm_canvas *canvas);
/* The same for the tokens that begin with a byte. */
gm_status gm_walk_child(gm_walk *walk, gm_machine *machine, gm_arena *journal, const gm_trie *trie, uint32_t max_depth,
                        uint8_t byte, const gm_config *from, gm_canvas *canvas);
/* The same for the tokens of a branch and those below it; `from` is the position behind its text. */
gm_status gm_walk_below(gm_walk *walk, gm_machine *machine, gm_arena *journal, const gm_trie *trie, uint32_t max_depth,
                        uint32_t branch, const gm_config *from, gm_canvas *canvas);
/* Tries tokens one by one, and sets or clears their bits. */
gm_status gm_walk_tokens(gm_walk *walk, gm_machine *machine, gm_arena *journal, const gm_vocab *vocab,
                         const uint32_t *ids, uint32_t count, const gm_config *from, gm_canvas *canvas);
/* Whether any token of the trie may come next. */
gm_status gm_walk_any(gm_walk *walk, gm_machine *machine, gm_arena *journal, const gm_trie *trie, uint32_t max_depth,
                      const gm_config *from, const uint32_t *except, size_t except_count, bool *any);

#endif
