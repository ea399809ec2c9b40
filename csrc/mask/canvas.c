/* mask/canvas.c - see canvas.h. */
#include "mask/canvas.h"

enum { BLOCK = 16 }; /* words looked at at once */

bool gm_mask_any(const uint32_t *words, size_t count)
{
    size_t i = 0;
    for (; i + BLOCK <= count; i += BLOCK) {
        uint32_t bits = 0;
        for (size_t j = 0; j < BLOCK; j++)
            bits |= words[i + j];
        if (bits != 0)
            return true;
    }
    for (; i < count; i++)
        if (words[i] != 0)
            return true;
    return false;
}
