/* mask/sets.c - see sets.h. */
#include "mask/sets.h"

static bool is_same(const gm_below *a, const gm_below *b)
{
    return a->ascii[0] == b->ascii[0] && a->ascii[1] == b->ascii[1] && a->lead == b->lead;
}

/* The kept mask of a set; masks->count if there is none. */
static uint32_t find(const gm_set_masks *masks, const gm_below *set)
{
    uint32_t at = 0;
    while (at < masks->count && !is_same(&masks->kept[at].set, set))
        at++;
    return at;
}

const uint32_t *gm_set_mask(gm_set_masks *masks, gm_content_walk *walk, const gm_segments *segments,
                            gm_content_base *base, const uint32_t *within, gm_arena *arena)
{
    const uint32_t at = find(masks, &base->set);
    if (at == masks->count) {
        uint32_t longest;
        if (at == GM_KEPT_SETS || !gm_content_walk_set(walk, &base->set, &longest))
            return NULL;
        uint32_t *words = gm_arena_take(arena, segments->word_count * sizeof *words);
        if (words == NULL)
            return NULL;
        gm_segments_write(segments, walk->runs.items, walk->runs.count, within, words);
        masks->kept[at].set = base->set;
        masks->kept[at].longest = longest;
        masks->kept[at].words = words;
        masks->count++;
    }
    base->longest = masks->kept[at].longest;
    return masks->kept[at].words;
}
