/*
 * mask/memo.h - masks by what they depend on.
 *
 * Documents under one schema meet the same positions again and again: most masks were computed before. A mask
 * is kept with what it was computed from (reads.h):
 *
 *   - the position: mode, frame or turn, state of the text or number, cursor in a key, white space so far;
 *   - the innermost containers, as many as were read: what they are, and registers as far as they count;
 *   - other keys: questions and their answers, or that none was used.
 *
 * What is left out makes no difference: a mask found is the mask that would be computed. It is stored as
 * what differs from a base, which is nothing or a mask of free text or of a content, word by word; or whole
 * where those would be many, and then shared (pool.h).
 *
 * One memo a grammar. Entries are immutable once published. When the budget of all memos is spent, a memo that
 * has one user (a matcher, mostly) forgets everything and begins anew: nobody else can be looking at it. One
 * that has several keeps what it has, and nothing more. Locking: adding, joining and leaving hold
 * memo->grow; finding takes one acquire load.
 */
#ifndef GM_MASK_MEMO_H
#define GM_MASK_MEMO_H

#include "mask/canvas.h"
#include "mask/pool.h"
#include "mask/reads.h"

typedef struct gm_memo gm_memo;
typedef struct gm_memo_entry gm_memo_entry;

enum { GM_MEMO_WORDS = 7 };

typedef struct gm_memo_key {
    uint64_t hash; /* of the position and the innermost container */
    uint64_t words[GM_MEMO_WORDS];
} gm_memo_key;

/* The pool is borrowed. */
gm_status gm_memo_create(gm_memo_pool *pool, gm_memo **memo);
void gm_memo_destroy(gm_memo *memo);
/* Bytes; masks that are shared aside. */
size_t gm_memo_memory(gm_memo *memo);

/* Whoever finds or adds is a user from joining to leaving. */
void gm_memo_join(gm_memo *memo);
void gm_memo_leave(gm_memo *memo);

/* What is kept for a position: its mask, or the list of tokens that close it, see closing.h. */
typedef enum gm_memo_kind { GM_MEMO_MASK, GM_MEMO_CLOSERS } gm_memo_kind;

/* The key of a position; false if nothing is kept for it. `counts`: how long a string is so far makes a difference. */
bool gm_memo_key_of(const gm_machine *machine, const gm_config *from, gm_memo_kind kind, bool counts, gm_memo_key *key);
/* What is kept for a position, or NULL. */
const gm_memo_entry *gm_memo_find(const gm_memo *memo, const gm_memo_key *key, const gm_config *from);
/* Writes a mask; returns whether any bit is set. */
bool gm_memo_write(const gm_memo_entry *entry, gm_canvas *canvas);
/* The same as the beginning of another mask. */
void gm_memo_begin(const gm_memo_entry *entry, gm_canvas *canvas);
/* Adds what the mask depends on to a record of a walk from the same position, which may be NULL. */
void gm_memo_read(const gm_memo_entry *entry, gm_reads *reads);
/* Keeps a mask if there is room. Its base lives as long as the memo. */
void gm_memo_add(gm_memo *memo, const gm_memo_key *key, const gm_config *from, const gm_reads *reads,
                 const gm_canvas *canvas);

#endif
