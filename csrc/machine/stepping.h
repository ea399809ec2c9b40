/*
 * machine/stepping.h - one byte being read; private to step.c and key.c.
 */
#ifndef GM_MACHINE_STEPPING_H
#define GM_MACHINE_STEPPING_H

#include "machine/distinct.h"

typedef struct gm_stepping {
    gm_machine *machine;
    gm_arena *journal;
    gm_config *config;        /* being changed; void once the step has failed */
    const gm_written *before; /* what was written without the present byte */
} gm_stepping;

/* The innermost container, to be changed; NULL when out of memory. */
static inline gm_stack *gm_stepping_copy_top(gm_stepping *s)
{
    gm_stack *node = gm_arena_take(s->journal, sizeof *node);
    if (node != NULL)
        *node = *s->config->top;
    return node;
}

/* ---- key.c ---- */

/* A key begins. `takes_any`: it is known that some key may be taken. */
gm_status gm_key_begin(gm_stepping *s, bool takes_any);
gm_status gm_key_step(gm_stepping *s, uint8_t byte);
/* The quote that ends it. */
gm_status gm_key_end(gm_stepping *s);
/* Takes letters, if some key that may be taken goes on so: then one goes on with each part of them too. Returns how
 * many, or 0. */
size_t gm_key_run(gm_stepping *s, const uint8_t *letters, size_t count);

#endif
