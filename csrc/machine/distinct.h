/*
 * machine/distinct.h - private to machine/: items of unique arrays.
 *
 * Inside an array of which some thread is unique every byte of the document is remembered, one immutable node a byte
 * in the journal. Where an item ends its text is read back, made canonical and hashed: an item that the array has
 * already leaves its unique threads dead. Values are told apart by 128 bits of hash, as keys are.
 *
 *   config.written -> byte -> byte -> ... -> byte          stack node of the array: .item, where the item begins
 *                                                          .used, hashes of the items before
 *
 * So much is exact for whole items. A byte inside an item may stand only if the item can still become one that is not
 * there yet (or that leaves a thread alive which does not mind). Mostly that is seen at a glance (reach.c): something
 * half read has infinitely many ways to go on, or more than there are items. An item is `fresh` once a string or number
 * in it is in no item before, or begins where those have none; then nothing need be asked. Otherwise its ways to go on
 * are tried (complete.c), each value once, until one is accepted: there are at most as many to be passed over as there
 * are items before.
 *
 * Where unique arrays stand inside items of others, one search answers for all: it runs to the end of the outermost
 * item in question, and inner items that are repeated are rejected on the way.
 */
#ifndef GM_MACHINE_DISTINCT_H
#define GM_MACHINE_DISTINCT_H

#include "machine/machine.h"

struct gm_written {
    const gm_written *before; /* NULL: the first that is remembered */
    uint32_t length;          /* bytes, this one included */
    uint8_t byte;
};

struct gm_used {
    const gm_keyset *values;     /* the items */
    const gm_keyset *scalars;    /* strings and numbers in them, at any depth */
    bool has_string, has_number; /* of these */
    uint64_t count;              /* items */
};

/* ---- distinct.c ---- */

/* Fills a new stack node whose parent is set. */
void gm_distinct_open(gm_stack *node, bool is_unique);
gm_status gm_distinct_write(gm_arena *journal, gm_config *config, uint8_t byte);
/* Of the content of a string that is being read; the same as of the string as a value. */
gm_key_hash gm_distinct_hash_start(void);
gm_key_hash gm_distinct_hash_point(gm_key_hash hash, uint32_t point);
/* Marks the items around a string or number that begins, which are fresh if no item before has one. */
void gm_distinct_note_begin(gm_config *config, bool is_string);
/* Marks the items around a string or number, whose text ends with `end`, that are fresh because of it. */
gm_status gm_distinct_note_scalar(gm_arena *journal, gm_config *config, const gm_written *end);
/* Ends an item of the array at the top, whose text ends with `end`: adds it to those that the array has. *frame
 * becomes the one that follows; GM_REJECTED if the array has the item and no thread is left. */
gm_status gm_distinct_end_item(gm_machine *machine, gm_arena *journal, gm_config *config, const gm_written *end,
                               const uint64_t *outcome, const gm_frame **frame);
/* GM_OK or GM_REJECTED: whether the items at hand can become such as their arrays do not have. */
gm_status gm_distinct_check(gm_machine *machine, gm_arena *journal, const gm_config *config);
/* The bytes of a number that is being read. */
gm_status gm_distinct_number_text(gm_arena *journal, const gm_config *config, gm_bytes *text);

/* The innermost unique array in an item of which the cursor is, or NULL; `around` leads to the others. */
static inline const gm_stack *gm_distinct_innermost(const gm_config *config)
{
    const bool between = config->mode == GM_MODE_ARRAY_OPEN || config->mode == GM_MODE_ARRAY_AFTER;
    if (config->top == NULL)
        return NULL;
    return config->top->is_unique && !between ? config->top : config->top->around;
}
/* Whether the item at hand of such an array may still be one before. */
static inline bool gm_distinct_is_open(const gm_config *config, const gm_stack *array)
{
    return array->used != NULL && !(array->level < 64 && (config->fresh >> array->level & 1));
}

/* ---- reach.c ---- */

/* Whether it is plain that the items at hand, up to that of `outermost`, can become such as their arrays do not have.
 * *plain is false also if that is not seen. */
gm_status gm_reach_is_plain(gm_machine *machine, const gm_config *config, const gm_stack *outermost, bool *plain);

/* ---- complete.c ---- */

/* Takes a byte behind the white space that must stand before it, if any must. */
gm_status gm_complete_gap(gm_machine *machine, gm_arena *journal, const gm_config *from, uint8_t byte, gm_config *to);

/* Searches for a way to the end of the item of `outermost`: GM_OK if there is one, GM_REJECTED if not, GM_LIMIT if it
 * takes too long. */
gm_status gm_complete_item(gm_machine *machine, gm_arena *journal, const gm_config *config, const gm_stack *outermost);

#endif
