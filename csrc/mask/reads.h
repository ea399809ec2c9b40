/*
 * mask/reads.h - what a mask depends on, recorded while it is computed.
 *
 * A step of the machine reads the configuration, the registers of the innermost container and, once
 * that closes, of the one around it. Of other keys used before it asks only whether a certain one is
 * among them. So a mask is the same wherever these are: how many containers deep the walk got, and
 * the questions with their answers. What cannot be told so simply spoils the record.
 */
#ifndef GM_MASK_READS_H
#define GM_MASK_READS_H

#include "machine/machine.h"

enum { GM_MOST_ASKED = 96, GM_MOST_READ = 64 };

typedef struct gm_asked { /* whether a key is among the other keys of a container */
    uint32_t level;       /* 0 = the innermost at the start */
    bool answer;
    gm_key_hash hash;
} gm_asked;

typedef struct gm_reads {
    const gm_stack *top; /* at the start */
    bool in_key;         /* at the start */
    uint64_t lowest;     /* depth of the outermost container that was read; the start's own if it is deeper */
    uint64_t no_others;  /* bit n: at level n it mattered that no other keys were used */
    uint64_t asked_at;   /* bit n: something was asked at level n */
    bool any_yes;        /* some answer was yes */
    uint32_t asked_count;
    gm_asked asked[GM_MOST_ASKED];
    bool is_spoilt;
} gm_reads;

void gm_reads_begin(gm_reads *reads, const gm_config *from);
/* What a step reads of other keys: see gm_reads_before. */
void gm_reads_note_key(gm_reads *reads, const gm_config *config, uint8_t byte);

/* Adds that so many containers were read, from the innermost at the start on, what of them mattered, and answers. */
void gm_reads_add(gm_reads *reads, uint64_t depth, uint64_t no_others, const gm_asked *asked, uint32_t asked_count);
/* Adds what another record has, of a walk from the same containers, to one that may be NULL. */
void gm_reads_join(gm_reads *reads, const gm_reads *other);

/* To be called before each step of the machine, */
static inline void gm_reads_before(gm_reads *reads, const gm_config *config, uint8_t byte)
{
    if (reads != NULL && (config->mode == GM_MODE_KEY || (byte == '"' && (config->mode == GM_MODE_OBJECT_OPEN ||
                                                                          config->mode == GM_MODE_OBJECT_COMMA))))
        gm_reads_note_key(reads, config, byte);
}
/* and after it. */
static inline void gm_reads_after(gm_reads *reads, const gm_config *config)
{
    const uint64_t depth = config->top != NULL ? config->top->depth : 0;
    if (reads != NULL && depth < reads->lowest)
        reads->lowest = depth;
}
/* How many containers, from the innermost at the start on. */
static inline uint64_t gm_reads_depth(const gm_reads *reads)
{
    if (reads->top == NULL)
        return 0;
    return reads->lowest == 0 ? reads->top->depth : reads->top->depth - reads->lowest + 1;
}

#endif
