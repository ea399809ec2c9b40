/*
 * mask/kernels_template.h - the kernels over any instruction set; included once per set, no guard.
 *
 * The including file defines GM_SUFFIX (part of the table's name), GM_NAME, GM_TARGET (an attribute
 * of every function), the type `vector`, and
 *
 *   spread32, spread16   a vector of equal elements
 *   fill32, fill16       writes 32 of them
 *   choose32, choose16   writes those of 32 whose bit in `blocked` is set, and leaves the others
 *   ones                 how many bits of 64 are set
 *   copy32               copies 32 words
 *
 * A word of ones, as nearly all are in free text, costs one comparison; a word of zeros, as nearly
 * all are elsewhere, is a fill that reads nothing.
 */
#define GM_JOIN_(a, b) a##b
#define GM_JOIN(a, b) GM_JOIN_(a, b)

#define GM_DEFINE_MASK(mask, element, spread, fill_all, choose)                                                        \
    GM_TARGET static void mask(const uint32_t *words, size_t word_count, element *elements, size_t count,              \
                               element fill)                                                                           \
    {                                                                                                                  \
        const vector filling = spread(fill);                                                                           \
        const size_t whole = count / 32;                                                                               \
        const size_t decided = whole < word_count ? whole : word_count;                                                \
        size_t i = 0;                                                                                                  \
        for (;; i++) {                                                                                                 \
            while (i < decided && words[i] == UINT32_MAX)                                                              \
                i++;                                                                                                   \
            if (i == decided)                                                                                          \
                break;                                                                                                 \
            if (words[i] == 0)                                                                                         \
                fill_all(elements + 32 * i, filling);                                                                  \
            else                                                                                                       \
                choose(elements + 32 * i, ~words[i], filling);                                                         \
        }                                                                                                              \
        for (; i < whole; i++)                                                                                         \
            fill_all(elements + 32 * i, filling);                                                                      \
        const uint32_t last = whole < word_count ? words[whole] : 0;                                                   \
        for (size_t left = 0; left < count % 32; left++)                                                               \
            if ((last >> left & 1) == 0)                                                                               \
                memcpy(elements + 32 * whole + left, &fill, sizeof fill);                                              \
    }

GM_DEFINE_MASK(mask32, uint32_t, spread32, fill32, choose32)
GM_DEFINE_MASK(mask16, uint16_t, spread16, fill16, choose16)

GM_TARGET static size_t count_bits(const uint32_t *words, size_t word_count)
{
    size_t total = 0;
    for (size_t i = 0; i + 1 < word_count; i += 2) {
        uint64_t pair;
        memcpy(&pair, words + i, sizeof pair);
        total += ones(pair);
    }
    return word_count % 2 != 0 ? total + ones(words[word_count - 1]) : total;
}

GM_TARGET static void copy(uint32_t *to, const uint32_t *from, size_t word_count)
{
    size_t i = 0;
    for (; i < word_count && (uintptr_t)(to + i) % sizeof(vector) != 0; i++) /* no store across cache lines */
        to[i] = from[i];
    for (; i + 32 <= word_count; i += 32)
        copy32(to + i, from + i);
    for (; i < word_count; i++)
        to[i] = from[i];
}

const gm_kernels GM_JOIN(gm_kernels_, GM_SUFFIX) = {GM_NAME, mask32, mask16, count_bits, copy};
