/*
 * machine/keyset.c - see keyset.h.
 *
 * A node is a leaf (one key) or a branch on four bits of the hash: a map of which of the sixteen
 * children exist, and those children packed.
 */
#include "machine/keyset.h"

struct gm_keyset {
    uint32_t map; /* 0 = leaf */
    union {
        gm_key_hash key;
        const gm_keyset *children[1]; /* as many as bits in map */
    } as;
};

static uint32_t digit(gm_key_hash key, unsigned level)
{
    return (uint32_t)((level < 16 ? key.a >> (4 * level) : key.b >> (4 * (level - 16))) & 15);
}

static unsigned rank(uint32_t map, uint32_t bit)
{
    unsigned count = 0;
    for (uint32_t below = map & ((1u << bit) - 1); below != 0; below &= below - 1)
        count++;
    return count;
}

bool gm_keyset_has(const gm_keyset *set, gm_key_hash key)
{
    for (unsigned level = 0; set != NULL; level++) {
        if (set->map == 0)
            return set->as.key.a == key.a && set->as.key.b == key.b;
        const uint32_t bit = digit(key, level);
        if (!(set->map >> bit & 1))
            return false;
        set = set->as.children[rank(set->map, bit)];
    }
    return false;
}

static gm_keyset *branch(gm_arena *journal, unsigned count)
{
    return gm_arena_take(journal, offsetof(gm_keyset, as) + (count > 2 ? count : 2) * sizeof(const gm_keyset *));
}

/* A branch with room for one more child at `bit`, the others copied. */
static gm_keyset *grow(const gm_keyset *set, uint32_t bit, gm_arena *journal)
{
    const unsigned count = rank(set->map, 31), at = rank(set->map, bit);
    gm_keyset *copy = branch(journal, count + 1);
    if (copy == NULL)
        return NULL;
    copy->map = set->map | 1u << bit;
    for (unsigned i = 0; i < count; i++)
        copy->as.children[i + (i >= at)] = set->as.children[i];
    return copy;
}

static gm_keyset *copy_branch(const gm_keyset *set, gm_arena *journal)
{
    const unsigned count = rank(set->map, 31);
    gm_keyset *copy = branch(journal, count);
    if (copy != NULL)
        memcpy(copy, set, offsetof(gm_keyset, as) + count * sizeof(const gm_keyset *));
    return copy;
}

static gm_keyset *leaf(gm_key_hash key, gm_arena *journal)
{
    gm_keyset *node = gm_arena_take(journal, sizeof *node);
    if (node != NULL)
        *node = (gm_keyset){.map = 0, .as.key = key};
    return node;
}

const gm_keyset *gm_keyset_add(const gm_keyset *set, gm_key_hash key, gm_arena *journal)
{
    const gm_keyset *root = NULL, **hole = &root;
    gm_keyset *added = leaf(key, journal);
    if (added == NULL)
        return NULL;
    for (unsigned level = 0;; level++) {
        if (set == NULL) {
            *hole = added;
            return root;
        }
        const uint32_t bit = digit(key, level);
        gm_keyset *node;
        if (set->map == 0) { /* a leaf in the way goes one level down */
            node = branch(journal, 1);
            if (node == NULL)
                return NULL;
            const uint32_t other = digit(set->as.key, level);
            node->map = 1u << other;
            node->as.children[0] = set;
            if (other != bit) {
                gm_keyset *both = grow(node, bit, journal);
                if (both == NULL)
                    return NULL;
                both->as.children[rank(both->map, bit)] = added;
                *hole = both;
                return root;
            }
        } else if (set->map >> bit & 1) {
            node = copy_branch(set, journal);
        } else {
            node = grow(set, bit, journal);
            if (node == NULL)
                return NULL;
            node->as.children[rank(node->map, bit)] = added;
            *hole = node;
            return root;
        }
        if (node == NULL)
            return NULL;
        *hole = node;
        hole = &node->as.children[rank(node->map, bit)];
        set = *hole;
    }
}
