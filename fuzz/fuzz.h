/*
 * fuzz.h - what a fuzz target needs: a reader of decisions, a check that is always on, and a main.
 *
 * A target is one file with LLVMFuzzerTestOneInput. Linked with libFuzzer it searches; compiled with
 * GM_FUZZ_REPLAY it has a main that runs the files it is given, so that any compiler can replay a
 * corpus and any debugger can look at a find.
 */
#ifndef GM_FUZZ_H
#define GM_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GM_FUZZ_CHECK(claim)                                                                                           \
    do {                                                                                                               \
        if (!(claim)) {                                                                                                \
            fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #claim);                                      \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Takes one decision a byte; zeros when the input is spent. */
typedef struct gm_fuzz_reader {
    const uint8_t *at;
    size_t left;
} gm_fuzz_reader;

static inline uint8_t gm_fuzz_byte(gm_fuzz_reader *reader)
{
    if (reader->left == 0)
        return 0;
    reader->left--;
    return *reader->at++;
}

/* A number below `bound`; one byte up to 256, two up to 65,536. */
static inline size_t gm_fuzz_below(gm_fuzz_reader *reader, size_t bound)
{
    size_t value = gm_fuzz_byte(reader);
    if (bound > 256)
        value = value << 8 | gm_fuzz_byte(reader);
    return bound == 0 ? 0 : value % bound;
}

/* The next `length` bytes, or as many as there are. */
static inline const uint8_t *gm_fuzz_bytes(gm_fuzz_reader *reader, size_t *length)
{
    const uint8_t *bytes = reader->at;
    if (*length > reader->left)
        *length = reader->left;
    reader->at += *length;
    reader->left -= *length;
    return bytes;
}

#if defined(GM_FUZZ_REPLAY)
/* The input lies at the end of its block, so that a read past it is seen. */
static int replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        fprintf(stderr, "cannot read %s\n", path);
        return 1;
    }
    const size_t size = (size_t)ftell(file);
    uint8_t *data = malloc(size + (size == 0));
    rewind(file);
    const int failed = data == NULL || fread(data, 1, size, file) != size;
    fclose(file);
    if (!failed)
        LLVMFuzzerTestOneInput(data, size);
    free(data);
    return failed;
}

int main(int argc, char **argv)
{
    int failed = 0;
    for (int i = 1; i < argc; i++)
        failed += replay_file(argv[i]);
    printf("%s: %d passed, %d failed\n", argv[0], argc - 1 - failed, failed);
    return failed != 0;
}
#endif

#endif
