/*
 * mask/points.h - free text under a bound: the tokens that stay inside by how many characters they add.
 *
 * `maxLength` cuts the mask of free text to the tokens of at most so many code points; a character
 * that a token leaves half written counts. Tokens are listed by their number of points, so a mask
 * for a bound is free text's mask less the tail of the list. Masks of small bounds are kept.
 *
 * Made once per vocabulary and way of escaping.
 */
#ifndef GM_MASK_POINTS_H
#define GM_MASK_POINTS_H

#include "machine/machine.h"
#include "vocab/vocab.h"

enum { GM_KEPT_POINTS = 32 };

typedef struct gm_points {
    uint32_t *ids; /* by points: those of n are ids[first[n] .. first[n + 1]) */
    size_t id_count;
    uint32_t *first;
    uint32_t most;                                  /* of any token */
    _Atomic(const uint32_t *) kept[GM_KEPT_POINTS]; /* masks by bound; owned by the cache */
} gm_points;

/* `free` is the mask of all tokens that stay inside free text, `counts` has the code points that each of
 * them adds, a half-written one included. */
gm_status gm_points_init(gm_points *points, const gm_vocab *vocab, const uint32_t *free, const uint32_t *counts,
                         const gm_allocator *allocator);
void gm_points_destroy(gm_points *points, const gm_allocator *allocator);
/* The tokens of so many points; returns how many. */
uint32_t gm_points_at(const gm_points *points, uint64_t count, const uint32_t **ids);
/* Writes the mask of the tokens of at most `most` points: from free text's mask, from nothing, or from a kept mask,
 * whichever is nearest. */
void gm_points_write(const gm_points *points, uint64_t most, const uint32_t *free, size_t word_count, uint32_t *words);

#endif
