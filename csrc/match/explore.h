/*
 * match/explore.h - the states that documents can reach, breadth first, for warming up and for people.
 *
 * Configurations are told apart by mode, frame or turn, lexical state, the cursor in a key and the
 * value that the container is for; registers and the rest of the stack are left aside, so the
 * number of states is that of the schema and not of its documents.
 */
#ifndef GM_MATCH_EXPLORE_H
#define GM_MATCH_EXPLORE_H

#include "machine/machine.h"

typedef struct gm_explorer {
    void *context;
    /* A state is met for the first time. Anything but GM_OK ends the exploration with it. */
    gm_status (*state)(void *context, gm_arena *journal, const gm_config *config, uint32_t id);
    /* Bytes first..last lead from one state to another; NULL = not asked for. */
    gm_status (*edge)(void *context, uint32_t from, uint32_t to, uint8_t first, uint8_t last);
} gm_explorer;

/* Explores up to max_states states; every state met is reported, edges of all that were expanded. */
gm_status gm_explore(gm_machine *machine, const gm_allocator *allocator, size_t max_states,
                     const gm_explorer *explorer);

/* What a configuration expects, in words. */
const char *gm_config_text(const gm_config *config);
/* The labels of the place or container that it is in; the document's root at the end. */
const gm_place *gm_config_place(const gm_machine *machine, const gm_config *config);

#endif
