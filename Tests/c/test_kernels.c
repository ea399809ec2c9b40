/*
 * test_kernels.c - every kernel that this machine runs, against a loop over bits.
 *
 * Blocks are allocated in their exact size, so that AddressSanitizer sees a read past them; words
 * of guard around the elements see a write.
 */
#include "check.h"

#include "mask/kernels.h"

enum { GUARD = 64, MOST = 2100 };

static uint64_t random_state = 88172645463325252u;

static uint64_t next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* A word as masks have them: mostly ones, mostly zeros, a few bits, anything. */
static uint32_t random_word(void)
{
    const uint32_t any = (uint32_t)(next_random() >> 32);
    const uint32_t bit = 1u << any % 32;
    switch (next_random() >> 40 & 7) {
    case 0: return 0;
    case 1: return UINT32_MAX;
    case 2: return bit;
    case 3: return ~bit;
    case 4: return 0xFFFF0000u;
    case 5: return 0x0000FFFFu;
    default: return any;
    }
}

static bool is_allowed(const uint32_t *words, size_t word_count, size_t index)
{
    return index / 32 < word_count && (words[index / 32] >> index % 32 & 1) != 0;
}

/* `skew` elements lie between the start of the block and the first element: 0 is well aligned. */
static void check_mask32(const gm_kernels *kernels, const uint32_t *words, size_t word_count, size_t count, size_t skew)
{
    const uint32_t fill = 0xFF800000u;
    const size_t size = GUARD + skew + count + GUARD;
    uint32_t *block = malloc(size * sizeof *block);
    for (size_t i = 0; i < size; i++)
        block[i] = (uint32_t)(i * 2654435761u) | 1; /* never the fill */
    kernels->mask32(words, word_count, block + GUARD + skew, count, fill);
    size_t wrong = 0;
    for (size_t i = 0; i < size; i++) {
        const bool inside = i >= GUARD + skew && i < GUARD + skew + count;
        const bool kept = !inside || is_allowed(words, word_count, i - GUARD - skew);
        wrong += block[i] != (kept ? (uint32_t)(i * 2654435761u) | 1 : fill);
    }
    CHECK(wrong == 0);
    free(block);
}

static void check_mask16(const gm_kernels *kernels, const uint32_t *words, size_t word_count, size_t count, size_t skew)
{
    const uint16_t fill = 0xFBFE;
    const size_t size = GUARD + skew + count + GUARD;
    uint16_t *block = malloc(size * sizeof *block);
    for (size_t i = 0; i < size; i++)
        block[i] = (uint16_t)(i * 40503u) | 1;
    kernels->mask16(words, word_count, block + GUARD + skew, count, fill);
    size_t wrong = 0;
    for (size_t i = 0; i < size; i++) {
        const bool inside = i >= GUARD + skew && i < GUARD + skew + count;
        const bool kept = !inside || is_allowed(words, word_count, i - GUARD - skew);
        wrong += block[i] != (kept ? (uint16_t)((uint16_t)(i * 40503u) | 1) : fill);
    }
    CHECK(wrong == 0);
    free(block);
}

/* Elements that end where their block ends. */
static void check_exact(const gm_kernels *kernels, const uint32_t *words, size_t word_count, size_t count)
{
    uint32_t *wide = calloc(count + 1, sizeof *wide);
    uint16_t *halves = calloc(count + 1, sizeof *halves);
    kernels->mask32(words, word_count, wide + 1, count, 7);
    kernels->mask16(words, word_count, halves + 1, count, 7);
    size_t wrong = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t wanted = is_allowed(words, word_count, i) ? 0 : 7;
        wrong += wide[i + 1] != wanted || halves[i + 1] != wanted;
    }
    CHECK(wrong == 0 && wide[0] == 0 && halves[0] == 0);
    free(wide);
    free(halves);
}

/* Copies between blocks of their exact size; a word of guard stands on either side. */
static void check_copy(const gm_kernels *kernels, const uint32_t *words, size_t word_count)
{
    uint32_t *block = malloc((word_count + 2) * sizeof *block), *to = block + 1;
    memset(block, 0xAB, (word_count + 2) * sizeof *block);
    kernels->copy(to, words, word_count);
    CHECK(word_count == 0 || memcmp(to, words, word_count * sizeof *to) == 0);
    CHECK(block[0] == 0xABABABABu && to[word_count] == 0xABABABABu);
    free(block);
}

static void check_everything(const uint32_t *words, size_t word_count, size_t count)
{
    size_t kernel_count, expected_bits = 0;
    const gm_kernels *const *kernels = gm_kernels_all(&kernel_count);
    uint32_t *exact = malloc(word_count * sizeof *exact + (word_count == 0));
    if (word_count != 0)
        memcpy(exact, words, word_count * sizeof *exact);
    for (size_t i = 0; i < 32 * word_count; i++)
        expected_bits += is_allowed(words, word_count, i);
    for (size_t k = 0; k < kernel_count; k++) {
        check_mask32(kernels[k], exact, word_count, count, count % 5);
        check_mask16(kernels[k], exact, word_count, count, count % 17);
        check_exact(kernels[k], exact, word_count, count);
        check_copy(kernels[k], exact, word_count);
        CHECK(kernels[k]->count_bits(exact, word_count) == expected_bits);
    }
    free(exact);
}

static void short_runs_of_every_length_agree_with_the_bits(void)
{
    uint32_t words[8];
    for (size_t count = 0; count <= 200; count++)
        for (size_t word_count = 0; word_count <= 8; word_count++) {
            for (size_t i = 0; i < word_count; i++)
                words[i] = random_word();
            check_everything(words, word_count, count);
        }
}

static void every_pattern_of_a_half_word_is_applied(void)
{
    size_t kernel_count;
    const gm_kernels *const *kernels = gm_kernels_all(&kernel_count);
    for (uint32_t pattern = 0; pattern <= 0xFFFF; pattern++) {
        const uint32_t words[2] = {pattern, ~pattern << 16 | pattern};
        for (size_t k = 0; k < kernel_count; k++) {
            uint32_t wide[64] = {0};
            uint16_t halves[64] = {0};
            kernels[k]->mask32(words, 2, wide, 64, 1);
            kernels[k]->mask16(words, 2, halves, 64, 1);
            uint64_t seen_wide = 0, seen_halves = 0;
            for (unsigned i = 0; i < 64; i++) {
                seen_wide |= (uint64_t)(wide[i] ^ 1) << i;
                seen_halves |= (uint64_t)(halves[i] ^ 1u) << i;
            }
            const uint64_t wanted = (uint64_t)words[1] << 32 | words[0];
            if (seen_wide != wanted || seen_halves != wanted) {
                CHECK(!"a pattern is applied wrongly");
                return;
            }
        }
    }
}

static void long_runs_agree_with_the_bits(void)
{
    uint32_t *words = malloc(MOST * sizeof *words);
    for (int round = 0; round < 60; round++) {
        const size_t word_count = next_random() % MOST;
        const size_t count = round % 3 == 0 ? word_count * 32 : next_random() % (32 * MOST);
        for (size_t i = 0; i < word_count; i++)
            words[i] = random_word();
        check_everything(words, word_count, count);
    }
    free(words);
}

static void special_values_are_kept_bit_for_bit(void)
{
    const uint32_t special[] = {0x7FC00001, 0x7F800001, 0xFF800000, 0x80000000, 0x00000001, 0x7F800000, 0xFFFFFFFF, 0};
    size_t kernel_count;
    const gm_kernels *const *kernels = gm_kernels_all(&kernel_count);
    for (size_t k = 0; k < kernel_count; k++) {
        uint32_t elements[64];
        for (size_t i = 0; i < 64; i++)
            elements[i] = special[i % 8];
        const uint32_t words[2] = {0x55555555u, 0xFFFFFFFFu};
        kernels[k]->mask32(words, 2, elements, 64, 0xFF800000u);
        for (size_t i = 0; i < 64; i++)
            CHECK(elements[i] == (i < 32 && i % 2 == 1 ? 0xFF800000u : special[i % 8]));
    }
}

static void the_portable_kernels_come_first_and_the_choice_is_one_of_all(void)
{
    size_t count, found = 0;
    const gm_kernels *const *kernels = gm_kernels_all(&count);
    CHECK(count >= 1 && strcmp(kernels[0]->name, "scalar") == 0);
    const gm_kernels *chosen = gm_kernels_get();
    for (size_t k = 0; k < count; k++)
        found += kernels[k] == chosen;
    CHECK(found == 1 && gm_kernels_get() == chosen);

    const char *const wanted = getenv("GM_CPU");
    for (size_t k = 0; wanted != NULL && k < count; k++)
        if (strcmp(kernels[k]->name, wanted) == 0)
            CHECK(chosen == kernels[k]);
}

static void print_what_runs(void)
{
    size_t count;
    const gm_kernels *const *kernels = gm_kernels_all(&count);
    printf("test_kernels: kernels");
    for (size_t k = 0; k < count; k++)
        printf(" %s", kernels[k]->name);
    printf(", in force %s\n", gm_kernels_get()->name);
#if defined(__x86_64__)
    if (strcmp(kernels[count - 1]->name, "avx512") != 0)
        printf("SKIP avx512 kernels: this machine has no AVX-512\n");
#endif
}

int main(void)
{
    print_what_runs();
    RUN(short_runs_of_every_length_agree_with_the_bits);
    RUN(every_pattern_of_a_half_word_is_applied);
    RUN(long_runs_agree_with_the_bits);
    RUN(special_values_are_kept_bit_for_bit);
    RUN(the_portable_kernels_come_first_and_the_choice_is_one_of_all);
    return REPORT("test_kernels");
}
