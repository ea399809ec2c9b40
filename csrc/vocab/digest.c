/*
 * vocab/digest.c - two hashes: the digest names a token table, the checksum guards a file.
 *
 * The digest is FNV-1a 64 over (u32 id, u32 length or FFFFFFFF for no text, bytes, u32 flags) of each
 * token, little endian, so it is the same on every machine and for every file the table came from.
 *
 * The checksum reads eight bytes at a time in eight independent lanes (twice the pace of four), as the machine orders
 * them. Each step is a bijection of its lane for a given word and of the word for a given lane, and so is the folding
 * of each lane at the end: two blocks that differ in one word never agree.
 */
#include "vocab/block.h"

#include <stddef.h>

#define FNV_PRIME 0x100000001b3u
#define FNV_BASIS 0xcbf29ce484222325u

static uint64_t fnv_number(uint64_t hash, uint32_t number)
{
    for (int i = 0; i < 4; i++, number >>= 8)
        hash = (hash ^ (number & 0xFF)) * FNV_PRIME;
    return hash;
}

uint64_t gm_vocab_compute_digest(const uint32_t *starts, const uint8_t *flags, const uint8_t *text, size_t count)
{
    uint64_t hash = FNV_BASIS;
    for (size_t id = 0; id < count; id++) {
        const bool textless = flags[id] & GM_TOKEN_TEXTLESS;
        hash = fnv_number(hash, (uint32_t)id);
        hash = fnv_number(hash, textless ? UINT32_MAX : starts[id + 1] - starts[id]);
        for (uint32_t at = starts[id]; at < starts[id + 1]; at++)
            hash = (hash ^ text[at]) * FNV_PRIME;
        hash = fnv_number(hash, flags[id]);
    }
    return hash;
}

enum { LANES = 8, STRIDE = LANES * 8 };

static inline uint64_t stir(uint64_t lane, uint64_t word)
{
    lane = (lane ^ word) * 0x9fb21c651e98df25u;
    return lane ^ lane >> 32;
}

static inline uint64_t word_at(const uint8_t *at)
{
    uint64_t word;
    memcpy(&word, at, 8);
    return word;
}

/* Whole words only: what is hashed of a block is a multiple of eight bytes long. */
static void absorb(uint64_t lane[LANES], const uint8_t *at, size_t size)
{
    GM_ASSERT(size % 8 == 0);
    uint64_t a = lane[0], b = lane[1], c = lane[2], d = lane[3], e = lane[4], f = lane[5], g = lane[6], h = lane[7];
    for (; size >= STRIDE; at += STRIDE, size -= STRIDE) {
        a = stir(a, word_at(at));
        b = stir(b, word_at(at + 8));
        c = stir(c, word_at(at + 16));
        d = stir(d, word_at(at + 24));
        e = stir(e, word_at(at + 32));
        f = stir(f, word_at(at + 40));
        g = stir(g, word_at(at + 48));
        h = stir(h, word_at(at + 56));
    }
    const uint64_t stirred[LANES] = {a, b, c, d, e, f, g, h};
    memcpy(lane, stirred, sizeof stirred);
    for (int i = 0; size != 0; i++, at += 8, size -= 8)
        lane[i] = stir(lane[i], word_at(at));
}

uint64_t gm_vocab_checksum(const gm_vocab_header *header, size_t size)
{
    enum { BEFORE = offsetof(gm_vocab_header, checksum), AFTER = BEFORE + 8 };
    const uint8_t *bytes = (const uint8_t *)header;
    uint64_t lane[LANES] = {1, 2, 3, 4, 5, 6, 7, 8};
    absorb(lane, bytes, BEFORE);
    absorb(lane, bytes + AFTER, size - AFTER);
    uint64_t sum = size;
    for (int i = 0; i < LANES; i++)
        sum = stir(sum, lane[i]);
    return gm_mix(sum);
}
