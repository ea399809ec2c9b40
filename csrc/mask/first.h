/*
 * mask/first.h - which bytes may come next, roughly: what a walk need not try.
 *
 * A superset of the bytes that the machine accepts, found without stepping. So a walk that leaves out
 * the others finds the same tokens. Where nothing is known the set is full.
 */
#ifndef GM_MASK_FIRST_H
#define GM_MASK_FIRST_H

#include "machine/machine.h"
#include "mask/children.h"

gm_byte_set gm_first_bytes(const gm_config *config);

/* Whether a key can become nothing but a name of its shape. */
static inline bool gm_key_is_named(const gm_config *config)
{
    const gm_frame *frame = config->at.frame;
    return !frame->other || (frame->keys != NULL && config->as.key.lexical == NULL);
}

#endif
