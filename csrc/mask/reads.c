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

static void ask(gm_reads *reads, uint32_t level, gm_key_hash hash, const gm_keyset *others)
{
    for (uint32_t i = 0; i < reads->asked_count; i++)
        if (reads->asked[i].level == level && reads->asked[i].hash.a == hash.a && reads->asked[i].hash.b == hash.b)
            return;
    if (reads->asked_count == GM_MOST_ASKED) {
        reads->is_spoilt = true;
        return;
    }
    const bool answer = gm_keyset_has(others, hash);
    reads->asked[reads->asked_count++] = (gm_asked){level, answer, hash};
    reads->asked_at |= (uint64_t)1 << level;
    reads->any_yes = reads->any_yes || answer;
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
        ask(reads, (uint32_t)level, config->as.key.hash, node->others);
}
