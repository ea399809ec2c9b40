/*
 * mask/canvas.h - a mask while it is being made: its words, the mask it was begun from, and which words changed since.
 *
 * Most masks differ from a mask that is there anyway (free text, blanks, nothing at all) by a few tokens. Whoever sets
 * or clears a token notes the word, so that what differs is known without looking at every word. Past
 * GM_MOST_CHANGES, and where many words are written at once, nothing is noted and all must be looked at.
 */
#ifndef GM_MASK_CANVAS_H
#define GM_MASK_CANVAS_H

#include "mask/kernels.h"

enum { GM_MOST_CHANGES = 256 };

typedef struct gm_canvas {
    uint32_t *words;
    size_t word_count;
    const uint32_t *base;  /* NULL: nothing */
    uint32_t change_count; /* more than GM_MOST_CHANGES: not noted */
    uint32_t changes[GM_MOST_CHANGES]; /* indices of words that may differ from the base; some more than once */
} gm_canvas;

static inline void gm_canvas_init(gm_canvas *canvas, uint32_t *words, size_t word_count)
{
    canvas->words = words; /* the list of changes is not cleared: it is long */
    canvas->word_count = word_count;
    canvas->base = NULL;
    canvas->change_count = 0;
}

/* Writes the base over the words. It must live as long as what is kept of the mask; NULL: no token. */
static inline void gm_canvas_begin(gm_canvas *canvas, const uint32_t *base)
{
    canvas->base = base;
    canvas->change_count = 0;
    if (base != NULL)
        gm_kernels_get()->copy(canvas->words, base, canvas->word_count);
    else
        memset(canvas->words, 0, canvas->word_count * sizeof *canvas->words);
}

static inline void gm_canvas_note(gm_canvas *canvas, uint32_t word)
{
    if (canvas->change_count < GM_MOST_CHANGES)
        canvas->changes[canvas->change_count] = word;
    canvas->change_count += canvas->change_count <= GM_MOST_CHANGES;
}

/* Words were written past the canvas: they are not known one by one. */
static inline void gm_canvas_forget(gm_canvas *canvas) { canvas->change_count = GM_MOST_CHANGES + 1; }

static inline bool gm_canvas_is_noted(const gm_canvas *canvas) { return canvas->change_count <= GM_MOST_CHANGES; }

static inline void gm_canvas_set(gm_canvas *canvas, uint32_t token)
{
    canvas->words[token / 32] |= 1u << token % 32;
    gm_canvas_note(canvas, token / 32);
}

static inline void gm_canvas_clear(gm_canvas *canvas, uint32_t token)
{
    canvas->words[token / 32] &= ~(1u << token % 32);
    gm_canvas_note(canvas, token / 32);
}

/* Whether any bit of a mask is set. */
bool gm_mask_any(const uint32_t *words, size_t count);
/* The same of a canvas. */
bool gm_canvas_any(const gm_canvas *canvas);

#endif
