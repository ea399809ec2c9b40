/*
 * base/base.h - what every module stands on: public types, checks, errors, the allocator.
 *
 * Three kinds of check, never mixed: a caller's mistake is a status (api/ alone), what we believe
 * is GM_ASSERT (gone in release), a whole structure is a gm_*_check function of its module.
 * Errors are values: a function that fails fills the caller's gm_error through gm_fail and returns
 * its status; GM_TRY passes a status on.
 *
 * Knows nothing of JSON.
 */
#ifndef GM_BASE_BASE_H
#define GM_BASE_BASE_H

#include "gmask/gmask.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

#if defined(GM_DEBUG)
#include <assert.h>
#define GM_ASSERT(claim) assert(claim)
#else
#define GM_ASSERT(claim) ((void)0)
#endif

/* Whether AddressSanitizer watches. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GM_ASAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define GM_ASAN 1
#endif

#if defined(__GNUC__)
#define GM_PRINTF(format_index, first) __attribute__((format(printf, format_index, first)))
#define GM_LIKELY(x) __builtin_expect(!!(x), 1)
#define GM_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define GM_NOINLINE __attribute__((noinline))
#define GM_PREFETCH(at) __builtin_prefetch(at)
#define GM_INLINE inline __attribute__((always_inline)) /* where a call costs more than the work */
#else
#define GM_PRINTF(format_index, first)
#define GM_LIKELY(x) (x)
#define GM_UNLIKELY(x) (x)
#define GM_NOINLINE
#define GM_PREFETCH(at) ((void)(at))
#define GM_INLINE inline
#endif

/* Passes a failure on. */
#define GM_TRY(call)                                                                                                   \
    do {                                                                                                               \
        const gm_status gm_try_status = (call);                                                                        \
        if (gm_try_status != GM_OK)                                                                                    \
            return gm_try_status;                                                                                      \
    } while (0)

#define GM_COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* The index of the lowest set bit of a word that is not 0. */
static inline unsigned gm_lowest_bit(uint64_t word)
{
#if defined(__GNUC__)
    return (unsigned)__builtin_ctzll(word);
#else
    unsigned index = 0;
    for (; (word & 1) == 0; word >>= 1)
        index++;
    return index;
#endif
}

/* Without the compiler's own, which may be a call into its library. */
static inline unsigned gm_bit_count(uint64_t word)
{
    word -= word >> 1 & 0x5555555555555555u;
    word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
    word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
    return (unsigned)(word * 0x0101010101010101u >> 56);
}

/* A run of bytes that somebody else owns. Not NUL-terminated. */
typedef struct gm_bytes {
    const char *data;
    size_t length;
} gm_bytes;

static inline bool gm_bytes_equal(gm_bytes a, gm_bytes b)
{
    return a.length == b.length && (a.length == 0 || memcmp(a.data, b.data, a.length) == 0);
}

/* Order of byte strings: unsigned bytes, shorter first. For UTF-8 it is the order of code points. */
static inline int gm_bytes_compare(gm_bytes a, gm_bytes b)
{
    const size_t common = a.length < b.length ? a.length : b.length;
    const int order = common != 0 ? memcmp(a.data, b.data, common) : 0;
    return order != 0 ? order : a.length < b.length ? -1 : a.length > b.length;
}

static inline gm_bytes gm_bytes_of(const char *text) { return (gm_bytes){text, strlen(text)}; }
#define GM_BYTES(literal) ((gm_bytes){"" literal, sizeof(literal) - 1})

/* ---- errors ---- */

/* Fills `error` (may be NULL) and returns `status`. `pointer` and `keyword` are "" where they mean
 * nothing. Long texts are cut. */
gm_status gm_fail(gm_error *error, gm_status status, const char *pointer, const char *keyword, const char *format, ...)
    GM_PRINTF(5, 6);
/* The same with a byte offset. */
gm_status gm_fail_at(gm_error *error, gm_status status, uint64_t offset, const char *format, ...) GM_PRINTF(4, 5);
/* GM_OUT_OF_MEMORY in the usual words. */
gm_status gm_no_memory(gm_error *error);

/* ---- memory ---- */

/* The allocator in force: *custom if given, else malloc and friends. */
gm_allocator gm_allocator_or_default(const gm_allocator *custom);
/* NULL when there is no memory, or when count * size overflows. Size 0 gives NULL. */
void *gm_allocate(const gm_allocator *allocator, size_t count, size_t size);
void *gm_allocate_zeroed(const gm_allocator *allocator, size_t count, size_t size);
void *gm_reallocate(const gm_allocator *allocator, void *block, size_t old_count, size_t count, size_t size);
void gm_deallocate(const gm_allocator *allocator, void *block, size_t count, size_t size);

/* *product = a * b; false when that overflows. */
static inline bool gm_multiply(size_t a, size_t b, size_t *product)
{
    if (b != 0 && a > SIZE_MAX / b)
        return false;
    *product = a * b;
    return true;
}

/* ---- hashing ---- */

/* A good 64-bit mix of a word. */
static inline uint64_t gm_mix(uint64_t x)
{
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 32;
    return x;
}

static inline uint64_t gm_hash_combine(uint64_t hash, uint64_t word)
{
    return gm_mix(hash * 31 + word + 0x9e3779b97f4a7c15u);
}

uint64_t gm_hash_bytes(const void *data, size_t length);

#endif
