/*
 * machine/keyset.h - persistent sets of keys: a hash trie in the journal.
 *
 * Adding makes a new set and shares all but the path; sets are never changed, so a rollback that
 * cuts the journal brings the old set back. A key is known by 128 bits of hash of its decoded text.
 */
#ifndef GM_MACHINE_KEYSET_H
#define GM_MACHINE_KEYSET_H

#include "base/arena.h"

typedef struct gm_key_hash {
    uint64_t a, b;
} gm_key_hash;

static inline gm_key_hash gm_key_hash_start(void) { return (gm_key_hash){0x9ae16a3b2f90404fu, 0xc3a5c85c97cb3127u}; }

/* Two independent multiplicative hashes, byte by byte. */
static inline gm_key_hash gm_key_hash_add(gm_key_hash hash, uint8_t byte)
{
    hash.a = (hash.a ^ byte) * 0x9fb21c651e98df25u;
    hash.a ^= hash.a >> 29;
    hash.b = (hash.b + byte + 1) * 0xd6e8feb86659fd93u;
    hash.b ^= hash.b >> 31;
    return hash;
}

typedef struct gm_keyset gm_keyset; /* NULL is the empty set */

bool gm_keyset_has(const gm_keyset *set, gm_key_hash key);
/* The set with a key that it lacks; NULL when out of memory. */
const gm_keyset *gm_keyset_add(const gm_keyset *set, gm_key_hash key, gm_arena *journal);

#endif
