/* mask/reads.c - see reads.h. */
#include "mask/reads.h"

void gm_reads_begin(gm_reads *reads, const gm_config *from)
{
    reads->top = from->top;
    reads->in_key = from->mode == GM_MODE_KEY;
    reads->lowest = from->top != NULL ? from->top->depth : 0;
    reads->no_others = reads->asked_at = 0;
    reads->any_yes = reads->is_spoilt = false;
    reads->asked_count = 0; /* the list itself is not cleared: it is long */
}

static void add_answer(gm_reads *reads, gm_asked asked)
{
    for (uint32_t i = 0; i < reads->asked_count; i++)
        if (reads->asked[i].level == asked.level && reads->asked[i].hash.a == asked.hash.a &&
            reads->asked[i].hash.b == asked.hash.b)
            return;
    if (reads->asked_count == GM_MOST_ASKED) {
        reads->is_spoilt = true;
        return;
    }
    reads->asked[reads->asked_count++] = asked;
    reads->asked_at |= (uint64_t)1 << asked.level;
    reads->any_yes = reads->any_yes || asked.answer;
}

void gm_reads_add(gm_reads *reads, uint64_t depth, uint64_t no_others, const gm_asked *asked, uint32_t asked_count)
{
    const uint64_t lowest = reads->top != NULL ? reads->top->depth - depth + 1 : 0;
    if (lowest < reads->lowest)
        reads->lowest = lowest;
    reads->no_others |= no_others;
    for (uint32_t i = 0; i < asked_count; i++)
        add_answer(reads, asked[i]);
}

void gm_reads_join(gm_reads *reads, const gm_reads *other)
{
    if (reads == NULL)
        return;
    gm_reads_add(reads, gm_reads_depth(other), other->no_others, other->asked, other->asked_count);
    reads->is_spoilt = reads->is_spoilt || other->is_spoilt;
}

void gm_reads_note_key(gm_reads *reads, const gm_config *config, uint8_t byte)
{
    const gm_frame *frame = config->at.frame;
    const bool by_family = frame->keys != NULL;
    const bool ends = config->mode == GM_MODE_KEY && byte == '"' && config->spelling == GM_SPELLING_BETWEEN;
    if (!frame->other || (!by_family && !ends) || reads->is_spoilt)
        return;
    if (reads->top == NULL || config->top->depth > reads->top->depth)
        return; /* a container that the token itself opened */
    const uint64_t level = reads->top->depth - config->top->depth;
    const gm_stack *node = reads->top;
    for (uint64_t i = 0; i < level; i++)
        node = node->parent;
    if (level >= GM_MOST_READ || config->top->others != node->others || (by_family && node->others != NULL))
        reads->is_spoilt = true; /* the token has used a key itself, or a search among families */
    else if (by_family || (reads->in_key && level == 0)) {
        reads->no_others |= (uint64_t)1 << level; /* the present key's beginning is not part of what is known */
        reads->is_spoilt = node->others != NULL;
    } else
        add_answer(reads,
                   (gm_asked){(uint32_t)level, gm_keyset_has(node->others, config->as.key.hash), config->as.key.hash});
}
