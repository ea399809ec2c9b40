/*
 * mask/kernels.c - which kernels this machine runs.
 *
 * The tables of a build stand in order of preference, and each needs what those before it need, so
 * that what a machine can run is a prefix of the list. The processor is asked directly, together
 * with what the operating system saves of its registers.
 */
#include "mask/kernels_private.h"

#include <stdatomic.h>
#include <stdlib.h>
#if defined(GM_KERNELS_X86)
#include <cpuid.h>
#endif

static const gm_kernels *const built[] = {
    &gm_kernels_portable,
#if defined(GM_KERNELS_X86)
    &gm_kernels_avx2,
    &gm_kernels_avx512,
#endif
#if defined(GM_KERNELS_NEON)
    &gm_kernels_neon,
#endif
};

#if defined(GM_KERNELS_X86)
/* The register sets that the operating system keeps for a thread: bits of XCR0. */
static uint32_t saved_registers(void)
{
    uint32_t low, high;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

static bool has_all(uint32_t bits, uint32_t wanted) { return (bits & wanted) == wanted; }

static size_t runnable_count(void)
{
    enum { YMM_SAVED = 0x06, ZMM_SAVED = 0xE6 };
    const uint32_t popcnt_osxsave = 1u << 23 | 1u << 27, avx2 = 1u << 5, avx512_f_bw = 1u << 16 | 1u << 30;
    uint32_t a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !has_all(c, popcnt_osxsave))
        return 1;
    const uint32_t saved = saved_registers();
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || !has_all(b, avx2) || !has_all(saved, YMM_SAVED))
        return 1;
    return has_all(b, avx512_f_bw) && has_all(saved, ZMM_SAVED) ? 3 : 2;
}
#else
static size_t runnable_count(void) { return GM_COUNT_OF(built); }
#endif

const gm_kernels *const *gm_kernels_all(size_t *count)
{
    *count = runnable_count();
    return built;
}

/* The best, unless the environment names another that runs here. */
static const gm_kernels *choose(void)
{
    const size_t count = runnable_count();
    const char *const wanted = getenv("GM_CPU");
    for (size_t i = 0; wanted != NULL && i < count; i++)
        if (strcmp(wanted, built[i]->name) == 0)
            return built[i];
    return built[count - 1];
}

const gm_kernels *gm_kernels_get(void)
{
    /* Threads that meet here at first choose alike, so the last to write changes nothing. */
    static const gm_kernels *_Atomic chosen;
    const gm_kernels *kernels = atomic_load_explicit(&chosen, memory_order_relaxed);
    if (GM_UNLIKELY(kernels == NULL)) {
        kernels = choose();
        atomic_store_explicit(&chosen, kernels, memory_order_relaxed);
    }
    return kernels;
}
