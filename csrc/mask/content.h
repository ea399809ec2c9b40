/*
 * mask/content.h - the inner mask of a content term, by whole subtrees of the trie.
 *
 * The plain way steps on every node that the content does not reject. Most of it is needless: once
 * `^[a-z]+$` has read a letter, a subtree with nothing but letters below is allowed as a whole. So each
 * state of a content knows sets of bytes that keep it alive, and the trie knows the bytes below each
 * node (vocab/trie.c):
 *
 *   stays   bytes that lead back to the state itself, or to a union with a part of it that they lead back to
 *   holds   bytes under which every string of up to `reach` bytes stays alive: found by following the
 *           state's ways, a few dozen states at most. Two sets: all that may follow, for as long as that
 *           goes well, and fewer for longer. Where not one byte more may follow, as in a counted repeat,
 *           the set `ends`
 *
 * A subtree is taken if its bytes are in one of the sets, and left if no byte of it leads on. If it is too high for a
 * set that ends its tokens are taken by their lengths. What is taken is meant up to well-formedness: a token is in the
 * mask if it is taken and in the mask of any text. So control characters, quotes and bytes out of place need no care
 * here. A backslash may lead to any character: it is in a set if every character is, else what stands behind one is
 * stepped on.
 *
 * Most of what is stepped on is so to find tokens that are in a set after all. The tokens all of whose bytes are in a
 * set are the same whatever the content, so they can be kept (sets.h): then a walk need only look where a byte stands
 * that is not in the set and yet may follow some of it. Such a set and what is needed to know is a base.
 *
 * The result is a list of runs of the trie's tokens, which the caller sets, or clears from the mask of
 * any text, whichever is shorter.
 *
 * Locking: the owner's (inner.c). States live in the owner's arena and are kept.
 */
#ifndef GM_MASK_CONTENT_H
#define GM_MASK_CONTENT_H

#include "machine/machine.h"
#include "mask/runs.h"

typedef struct gm_content gm_content;

enum { GM_PLENTY = 200 };

/* How far bounds on length must be from the end of a token for it not to be taken out: behind any token of a mask some
 * string of at most so many code points ends, and, but where it is finite, one of any greater number. */
typedef struct gm_need {
    uint64_t behind; /* UINT64_MAX = not known */
    uint64_t points; /* of a token, and what is needed behind it: the greatest sum */
    bool is_finite;
    uint64_t closing; /* at least the points that a token which closes the string may put into it, or `points` is */
} gm_need;

/* Tokens that are known without a walk: those all of whose bytes are in a set, of at most so many code points. */
typedef struct gm_content_base {
    gm_below set;
    gm_below beyond;  /* all other bytes that may follow some of the set */
    uint64_t most;    /* code points; UINT64_MAX = any number */
    bool ends;        /* and no longer ones */
    uint32_t longest; /* bytes of the longest of all tokens of the set; to be filled in for a walk that measures */
} gm_content_base;

typedef struct gm_content_walk {
    const gm_vocab *vocab;
    gm_text *text;
    gm_arena arena; /* of the states */
    gm_content ***chunks;
    struct gm_content_level *levels;
    size_t level_count;
    uint8_t *lengths;            /* of the trie's tokens, in its order; UINT8_MAX if more */
    GM_ARRAY(gm_token_run) runs; /* of the last walk, ascending and apart */
    const gm_content_base *base; /* of a walk that leaves out its tokens, or NULL */
    uint64_t least, most;        /* of a walk under bounds */
    gm_need need;                /* of a measured walk */
    uint32_t search;             /* of states: its number */
    bool failed;                 /* the walk ran out of memory */
    uint64_t visited;            /* nodes stepped on by all walks */
    uint32_t *points;            /* NULL, or to be filled by the walk of any text: code points by token */
} gm_content_walk;

/* False when out of memory; nothing is left then. */
bool gm_content_walk_init(gm_content_walk *walk, const gm_vocab *vocab, gm_text *text, const gm_allocator *allocator);
void gm_content_walk_destroy(gm_content_walk *walk);
/* The tokens that stay inside a string of the term, into walk->runs: exact for tokens that any text may
 * go on with, and without meaning for others. For GM_TERM_ANY every byte is stepped on, and the runs
 * are exact but for tokens with an escaped quote. With `scarce`, only the tokens behind which perhaps no
 * more than GM_PLENTY strings are left. False when out of memory. */
bool gm_content_walk_run(gm_content_walk *walk, gm_term term, const gm_alphabet *alphabet, bool scarce);
/* Finds a base for a walk, if there is one that makes it shorter. False when out of memory. */
bool gm_content_find_base(gm_content_walk *walk, gm_term term, gm_content_base *base, bool *found);
/* The tokens of gm_content_walk_run but those of a base, of which some may be there; NULL: no base. And, unless
 * `measured` is NULL, what bounds on length must leave so that they take out none of the tokens, the base's included.
 */
bool gm_content_walk_beyond(gm_content_walk *walk, gm_term term, const gm_alphabet *alphabet,
                            const gm_content_base *base, gm_need *measured);
/* The tokens of the vocabulary all of whose bytes are in a set. *longest = bytes of the longest, or more. */
bool gm_content_walk_set(gm_content_walk *walk, const gm_below *bytes, uint32_t *longest);
/* The tokens of gm_content_walk_run, of the strings of a term that have `least` to `most` code points. */
bool gm_content_walk_bounded(gm_content_walk *walk, gm_term term, const gm_alphabet *alphabet, uint64_t least,
                             uint64_t most);

/* Whether every term that this one leads to has infinitely many strings; no if that is not seen in some steps. */
bool gm_content_is_perpetual(gm_text *text, gm_term term);

#endif
