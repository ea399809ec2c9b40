/*
 * base/table.h - interning: a hash table from hashes to small ids, for objects that live elsewhere.
 *
 * The table holds (hash, id) pairs, open addressing, linear probing, never full. It does not know
 * what an id stands for: a look-up walks the candidates of equal hash and the caller compares.
 *
 *   for (gm_probe probe = gm_table_find(table, hash); gm_probe_next(table, &probe);)
 *       if (equal(probe.id, key)) return probe.id;
 *   ... gm_table_add(table, hash, new_id) ...
 *
 * Owner: whoever embeds it. Locking: the owner's. No removal.
 */
#ifndef GM_BASE_TABLE_H
#define GM_BASE_TABLE_H

#include "base/base.h"

typedef struct gm_table_slot {
    uint32_t hash;
    uint32_t id_plus_one; /* 0 = free */
} gm_table_slot;

typedef struct gm_table {
    gm_allocator allocator;
    gm_table_slot *slots;
    size_t capacity; /* a power of two, or 0 */
    size_t count;
} gm_table;

typedef struct gm_probe {
    size_t at;
    uint32_t hash;
    uint32_t id; /* valid after gm_probe_next said true */
} gm_probe;

void gm_table_init(gm_table *table, const gm_allocator *allocator);
void gm_table_destroy(gm_table *table);
/* False when there is no memory; the table is then as before. id < UINT32_MAX. */
bool gm_table_add(gm_table *table, uint64_t hash, uint32_t id);

static inline gm_probe gm_table_find(const gm_table *table, uint64_t hash)
{
    const uint32_t folded = (uint32_t)(hash ^ hash >> 32);
    return (gm_probe){.at = table->capacity != 0 ? folded & (table->capacity - 1) : 0, .hash = folded};
}

static inline bool gm_probe_next(const gm_table *table, gm_probe *probe)
{
    if (table->capacity == 0)
        return false;
    for (;;) {
        const gm_table_slot slot = table->slots[probe->at];
        if (slot.id_plus_one == 0)
            return false;
        probe->at = (probe->at + 1) & (table->capacity - 1);
        if (slot.hash == probe->hash) {
            probe->id = slot.id_plus_one - 1;
            return true;
        }
    }
}

#endif
