/*
 * mask/canvas.h - a mask while it is being made: its words, the mask it was begun from, and which words changed since.
 *
 * Most masks differ from a mask that is there anyway (free text, blanks, nothing at all) by a few tokens. Whoever sets
 * or clears a token notes the word, so that what differs is known without looking at every word. Where many words are
 * written at once nothing is noted, and all must be looked at.
 *
 * Where few tokens are found one by one, the next that is accepted is likely one of them. So the heads of the first few
 * are fetched into the cache while the rest of the mask is made: nobody could foresee which lines these are.
 */
#ifndef GM_MASK_CANVAS_H
#define GM_MASK_CANVAS_H

#include "mask/kernels.h"
#include "vocab/vocab.h"

enum {
    GM_CANVAS_NOTES = 256, /* of 64 words each: masks of up to 524,288 tokens are noted */
    GM_CANVAS_FETCHES = 32
};

typedef struct gm_canvas {
    uint32_t *words;
    size_t word_count;
    const uint32_t *base; /* NULL: nothing */
    size_t begun;         /* how often all words were written */
    bool is_noted;
    bool borrows;                    /* the base is a mask of the memo, and gone when that forgets */
    uint32_t fetches;                /* tokens whose heads are still to be fetched */
    const gm_token_head *heads;      /* if there are any */
    uint64_t notes[GM_CANVAS_NOTES]; /* bit i % 64 of notes[i / 64]: word i may differ from the base */
} gm_canvas;

static inline void gm_canvas_init(gm_canvas *canvas, uint32_t *words, size_t word_count)
{
    canvas->words = words; /* the notes are not cleared before they are needed: they are long */
    canvas->word_count = word_count;
    canvas->base = NULL;
    canvas->begun = 0;
    canvas->is_noted = canvas->borrows = false;
    canvas->fetches = 0;
    canvas->heads = NULL;
}

/* The mask is about to be chosen from. */
static inline void gm_canvas_fetch(gm_canvas *canvas, const gm_token_head *heads)
{
    canvas->fetches = GM_CANVAS_FETCHES;
    canvas->heads = heads;
}

/* Writes a mask over the words, NULL: of no token. What is changed afterwards is not noted. */
static inline void gm_canvas_show(gm_canvas *canvas, const uint32_t *mask)
{
    canvas->base = mask;
    canvas->begun++;
    canvas->is_noted = canvas->borrows = false;
    if (mask != NULL)
        gm_kernels_get()->copy(canvas->words, mask, canvas->word_count);
    else
        memset(canvas->words, 0, canvas->word_count * sizeof *canvas->words);
}

/* Begins with a mask, which must live as long as what is kept of this one. */
static inline void gm_canvas_begin(gm_canvas *canvas, const uint32_t *base)
{
    gm_canvas_show(canvas, base);
    canvas->is_noted = canvas->word_count <= GM_CANVAS_NOTES * 64;
    if (canvas->is_noted)
        memset(canvas->notes, 0, (canvas->word_count + 63) / 64 * sizeof *canvas->notes);
}

static inline void gm_canvas_note(gm_canvas *canvas, uint32_t word)
{
    if (canvas->is_noted)
        canvas->notes[word / 64] |= (uint64_t)1 << word % 64;
}

/* Words were written past the canvas: they are not known one by one. */
static inline void gm_canvas_forget(gm_canvas *canvas) { canvas->is_noted = false; }

static inline void gm_canvas_set(gm_canvas *canvas, uint32_t token)
{
    canvas->words[token / 32] |= 1u << token % 32;
    gm_canvas_note(canvas, token / 32);
}

/* The same for a token that was found by itself, not in a run of many. */
static inline void gm_canvas_set_one(gm_canvas *canvas, uint32_t token)
{
    gm_canvas_set(canvas, token);
    if (canvas->fetches != 0) {
        canvas->fetches--;
        GM_PREFETCH(&canvas->heads[token]);
    }
}

static inline void gm_canvas_clear(gm_canvas *canvas, uint32_t token)
{
    canvas->words[token / 32] &= ~(1u << token % 32);
    gm_canvas_note(canvas, token / 32);
}

/* Whether any bit of a mask is set. */
bool gm_mask_any(const uint32_t *words, size_t count);

#endif
