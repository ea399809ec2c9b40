/*
 * json/members.h - private to json/: the index that objects of many members carry.
 *
 *   members of an object -> [member 0 | member 1 | ... | member count-1 | seed | slots ....]
 *
 * Small objects are searched from end to end. From GM_JSON_INDEXED members on, an open-addressed
 * table stands right behind the members; a slot holds a position plus one, 0 is free. The table is
 * at most two thirds full, so a search ends. The seed differs from run to run where addresses do:
 * a text made to collide would otherwise make reading quadratic. No result depends on it.
 */
#ifndef GM_JSON_MEMBERS_H
#define GM_JSON_MEMBERS_H

#include "json/json.h"

enum { GM_JSON_INDEXED = 9 };

typedef struct gm_json_index {
    uint64_t seed;
    uint32_t slots[];
} gm_json_index;

static inline size_t gm_json_index_capacity(size_t count)
{
    size_t capacity = 16;
    while (capacity / 3 * 2 < count)
        capacity *= 2;
    return capacity;
}

static inline uint64_t gm_json_hash_key(uint64_t seed, gm_bytes key)
{
    uint64_t hash = seed ^ key.length;
    const char *at = key.data;
    size_t left = key.length;
    for (; left >= 8; at += 8, left -= 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        hash = gm_hash_combine(hash, word);
    }
    uint64_t last = 0;
    for (size_t i = 0; i < left; i++)
        last |= (uint64_t)(unsigned char)at[i] << (8 * i);
    return gm_hash_combine(hash, last);
}

/* The slot of `key`, or the free one where it would stand. */
static inline size_t gm_json_index_find(const gm_json_index *index, const gm_json_member *members, size_t capacity,
                                        gm_bytes key)
{
    size_t at = (size_t)gm_json_hash_key(index->seed, key) & (capacity - 1);
    while (index->slots[at] != 0 && !gm_bytes_equal(members[index->slots[at] - 1].key, key))
        at = (at + 1) & (capacity - 1);
    return at;
}

#endif
