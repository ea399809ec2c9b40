/* kernels.c - in place of mask/kernels.c: the portable kernels, and the AVX-512 ones as emulated. */
#include "mask/kernels_private.h"

const gm_kernels *const *gm_kernels_all(size_t *count)
{
    static const gm_kernels *const built[] = {&gm_kernels_portable, &gm_kernels_avx512};
    *count = GM_COUNT_OF(built);
    return built;
}

const gm_kernels *gm_kernels_get(void) { return &gm_kernels_avx512; }
