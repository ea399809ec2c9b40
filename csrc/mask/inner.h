/*
 * mask/inner.h - inner masks: the tokens that stay inside a string, by content term.
 *
 * From the state between two characters of a string whose content may be any string of a term, the
 * inner mask holds the tokens without a quote that some string of the term goes on with. It depends
 * on the vocabulary, the way of escaping and the term alone, so it is computed once and shared by
 * all grammars of a compiler. Tokens that hold a quote are not in it.
 *
 * Masks are found by whole subtrees (content.h), immutable, and kept until the cache is destroyed: dense,
 * or as a list where few tokens are allowed. Past the budget nothing more is kept, and a mask is made
 * each time it is asked for. Locking: building holds cache->grow; finding takes none.
 */
#ifndef GM_MASK_INNER_H
#define GM_MASK_INNER_H

#include "machine/machine.h"
#include "mask/blanks.h"
#include "mask/canvas.h"
#include "mask/commas.h"
#include "mask/content.h"
#include "mask/digits.h"
#include "mask/openings.h"
#include "mask/points.h"
#include "vocab/vocab.h"

typedef struct gm_inner gm_inner;

/* The alphabets are borrowed: without and with minimal escapes. */
gm_status gm_inner_create(const gm_allocator *allocator, gm_vocab *vocab, gm_text *text, const gm_alphabet alphabets[2],
                          uint64_t budget, gm_inner **inner, gm_error *error);
void gm_inner_destroy(gm_inner *inner);

/* Makes what is the same for all contents: to be called before anything is asked under a way of escaping. False when
 * out of memory; may be called again. */
bool gm_inner_prepare(gm_inner *inner, bool minimal);

/* Of free text: the inner mask of GM_TERM_ANY with the tokens that hold escaped quotes alone, and
 * the tails of the tokens that close. */
const uint32_t *gm_inner_free(const gm_inner *inner, bool minimal, const gm_tails **tails);

/* Begins with free text's mask cut to tokens of at most `most` points. */
void gm_inner_cut(gm_inner *inner, bool minimal, uint64_t most, gm_canvas *canvas);

/* Takes the tokens of more than `most` points from a mask that is part of free text's. */
void gm_inner_trim(gm_inner *inner, bool minimal, uint64_t most, gm_canvas *canvas);
/* The tokens of free text's mask with so many points; returns how many. */
uint32_t gm_inner_tokens_of(const gm_inner *inner, bool minimal, uint64_t points, const uint32_t **ids);

/* What is prepared behind quotes. */
const gm_openings *gm_inner_openings(const gm_inner *inner, bool minimal);

/* Tokens that begin with white space, where `room` more bytes of it may stand; NULL when out of memory. */
const gm_blanks *gm_inner_blanks(gm_inner *inner, bool minimal, uint32_t room);

/* The digits that have nothing but digits behind them; false if none has. */
bool gm_inner_digits(const gm_inner *inner, const gm_digits **digits);
#define GM_NO_BLANKS (GM_WHITESPACE_UNLIMITED - 1) /* as room */
/* The mask of blanks with that room, where any may stand, and of the tokens of such digits: NULL for no digits, or when
 * out of memory. */
const uint32_t *gm_inner_prepared(gm_inner *inner, bool minimal, uint32_t room, gm_digits_kind kind);

/* Tokens that hold a comma; NULL when out of memory. */
const gm_commas *gm_inner_commas(gm_inner *inner, unsigned kind);

/* Adds the inner mask of a term to a canvas; or, with `over`, begins with it. *visited grows by the trie nodes
 * stepped on. False when out of memory; the canvas then means nothing. */
bool gm_inner_put(gm_inner *inner, gm_term term, bool minimal, bool over, gm_canvas *canvas, uint64_t *visited);
/* What bounds on length must leave so that they take no token out of that mask. */
gm_need gm_inner_need(gm_inner *inner, gm_term term, bool minimal, uint64_t *visited);
/* The same if it was measured before; false if not. */
bool gm_inner_has_need(const gm_inner *inner, gm_term term, bool minimal, gm_need *need);
/* Adds the tokens that strings of the term of `least` to `most` code points go on with. Kept nowhere. */
bool gm_inner_put_bounded(gm_inner *inner, gm_term term, bool minimal, uint64_t least, uint64_t most, gm_canvas *canvas,
                          uint64_t *visited);
/* The tokens of that mask behind which perhaps no more than GM_PLENTY strings of the term are left: all
 * others lead to a name that is not among so many used ones. False when out of memory. */
bool gm_inner_scarce(gm_inner *inner, gm_term term, bool minimal, const uint32_t **ids, uint32_t *count,
                     uint64_t *visited);

#endif
