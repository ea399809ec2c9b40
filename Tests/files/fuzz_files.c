/*
 * fuzz_files.c - libFuzzer target: any bytes as a tokenizer file. Covers gm_vocab_info_open_memory,
 * gm_vocab_open_memory and the functions on infos.
 *
 * Claims: a status, never a crash; what is accepted is a vocabulary whose texts are no longer than
 * the file, and whose special names are found by gm_vocab_info_find.
 */
#include "gmask/files.h"

#include <stdlib.h>

#define CLAIM(claim)                                                                                                   \
    do {                                                                                                               \
        if (!(claim))                                                                                                  \
            abort();                                                                                                   \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look_at(const gm_vocab_info *info, size_t size)
{
    const gm_vocab *vocab = gm_vocab_info_vocab(info);
    const size_t count = gm_vocab_token_count(vocab);
    CLAIM(count > 0 && gm_vocab_info_kind(info) != GM_FILE_UNKNOWN);
    for (uint32_t id = 0; id < count; id++) {
        const uint8_t *bytes;
        size_t length;
        uint32_t flags;
        CLAIM(gm_vocab_token(vocab, id, &bytes, &length, &flags) == GM_OK && length <= size);
        CLAIM((bytes == NULL) == ((flags & (GM_TOKEN_CONTROL | GM_TOKEN_UNUSED | GM_TOKEN_UNKNOWN)) != 0));
    }
    for (size_t i = 0; i < gm_vocab_info_special_count(info) && i < 20; i++) {
        uint32_t id;
        const char *text;
        size_t length;
        CLAIM(gm_vocab_info_special(info, i, &id, &text, &length) == GM_OK && id < count);
        CLAIM(gm_vocab_info_find(info, text, length, &id, 1) > 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gm_vocab_info *info = NULL;
    gm_error error;
    const gm_status status = gm_vocab_info_open_memory(data, size, NULL, &info, &error);
    CLAIM(status == GM_OK || status == GM_INVALID_FILE || status == GM_UNSUPPORTED);
    if (status == GM_OK)
        look_at(info, size);
    else
        CLAIM(error.status == status && error.message[0] != '\0');
    gm_vocab_info_destroy(info);
    return 0;
}
