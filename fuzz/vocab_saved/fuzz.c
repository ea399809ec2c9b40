/*
 * vocab_saved/fuzz.c - bytes as a file of saved tables: refused, or safe to use.
 *
 * The first byte says what is mended before loading, so that the search gets past the header: bit 1
 * the layout that the counts ask for (the file is cut or filled up to it), bit 0 the checksum. What loads need not make sense, since a
 * checksum is no signature, but no use of it may leave the file, and saving it gives the same file.
 */
#define _XOPEN_SOURCE 700
#include "fuzz.h"

#include "vocab/block.h"

#include <unistd.h>

enum { LARGEST = 1 << 16 };

static char path[200], copy_path[220];

static void make_path(void)
{
    if (path[0] != '\0')
        return;
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%.150s/gmask_fuzz_%ld.gmv", folder != NULL ? folder : P_tmpdir, (long)getpid());
    snprintf(copy_path, sizeof copy_path, "%s.copy", path);
}

static void write_file(const uint8_t *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    GM_FUZZ_CHECK(file != NULL && fwrite(data, 1, size, file) == size && fclose(file) == 0);
}

static uint8_t *read_copy(size_t size)
{
    FILE *file = fopen(copy_path, "rb");
    uint8_t *data = malloc(size + 1);
    GM_FUZZ_CHECK(file != NULL && data != NULL && fread(data, 1, size + 1, file) == size && fclose(file) == 0);
    return data;
}

/* A block of its own, mended as asked. */
static uint8_t *make_block(const uint8_t *data, size_t *size, uint8_t what)
{
    gm_vocab_header header;
    size_t wanted = *size;
    if (*size >= sizeof header && what & 2) {
        memcpy(&header, data, sizeof header);
        memcpy(header.magic, gm_vocab_magic, sizeof header.magic);
        header.byte_order = GM_VOCAB_BYTE_ORDER;
        header.format = GM_VOCAB_FORMAT;
        if (gm_vocab_lay_out(&header) && header.size <= LARGEST)
            wanted = (size_t)header.size;
    }
    uint8_t *block = calloc(wanted + 1, 1);
    GM_FUZZ_CHECK(block != NULL);
    memcpy(block, data, *size < wanted ? *size : wanted);
    if (wanted >= sizeof header && what & 2)
        memcpy(block, &header, sizeof header);
    if (wanted >= sizeof header && wanted % 8 == 0 && what & 1) {
        memcpy(&header, block, sizeof header);
        header.checksum = gm_vocab_checksum((const gm_vocab_header *)(const void *)block, wanted);
        memcpy(block, &header, sizeof header);
    }
    *size = wanted;
    return block;
}

/* Reads all that readers of a vocabulary read. */
static uint64_t read_tokens(const gm_vocab *vocab)
{
    uint64_t sum = gm_vocab_digest(vocab) + gm_vocab_memory(vocab) + gm_vocab_logit_width(vocab);
    for (uint32_t id = 0; id < gm_vocab_token_count(vocab); id++) {
        const uint8_t *bytes = NULL;
        size_t length = 0;
        uint32_t flags = 0;
        GM_FUZZ_CHECK(gm_vocab_token(vocab, id, &bytes, &length, &flags) == GM_OK);
        for (size_t i = 0; bytes != NULL && i < length; i++)
            sum += bytes[i];
        GM_FUZZ_CHECK(flags < 2 * GM_TOKEN_CONTINUATION);
    }
    size_t stop_count;
    const uint32_t *stop = gm_vocab_stop(vocab, &stop_count);
    for (size_t i = 0; i < stop_count; i++)
        GM_FUZZ_CHECK(stop[i] < gm_vocab_logit_width(vocab) && (i == 0 || stop[i - 1] < stop[i]));
    return sum;
}

/* Visits each node, as its parent's child; the tokens of each are as long as its text. */
static void walk_trie(const gm_vocab *vocab, const gm_trie *trie)
{
    uint32_t *depths = calloc(trie->node_count, sizeof *depths);
    uint32_t met = 1;
    GM_FUZZ_CHECK(depths != NULL);
    for (uint32_t node = 0; node < trie->node_count; node++) {
        const gm_branch *branch = &trie->branches[node];
        for (uint32_t i = 0; i < gm_child_count(branch); i++, met++) {
            GM_FUZZ_CHECK(branch->children + i == met && met < trie->node_count);
            depths[met] = depths[node] + 1 + trie->branches[met].extra;
        }
        GM_FUZZ_CHECK(depths[node] <= gm_vocab_tables_of(vocab)->max_token_length);
        (void)gm_last_byte(trie, node);
        for (uint32_t i = branch->first; i < branch->end; i++) {
            size_t length;
            GM_FUZZ_CHECK(gm_vocab_is_maskable(gm_vocab_tables_of(vocab), trie->tokens[i]));
            GM_FUZZ_CHECK(gm_vocab_text(vocab, trie->tokens[i], &length) != NULL);
            GM_FUZZ_CHECK(i < branch->own_end ? length == depths[node] : length > depths[node]);
        }
    }
    GM_FUZZ_CHECK(met == trie->node_count);
    free(depths);
}

static void use(gm_vocab *vocab, const uint8_t *block, size_t size)
{
    (void)read_tokens(vocab);
    walk_trie(vocab, &gm_vocab_tables_of(vocab)->all);
    walk_trie(vocab, &gm_vocab_tables_of(vocab)->quotes);
    (void)gm_vocab_check(vocab, NULL);
    GM_FUZZ_CHECK(gm_vocab_save(vocab, copy_path, NULL) == GM_OK);
    uint8_t *copy = read_copy(size);
    GM_FUZZ_CHECK(memcmp(copy, block, size) == 0);
    free(copy);
    remove(copy_path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    make_path();
    size_t block_size = size - 1;
    uint8_t *block = make_block(data + 1, &block_size, data[0]);
    write_file(block, block_size);

    gm_vocab *vocab = NULL;
    gm_error error = {0};
    const gm_status status = gm_vocab_load(path, NULL, &vocab, &error);
    if (status == GM_OK) {
        use(vocab, block, block_size);
        gm_vocab_release(vocab);
    } else {
        GM_FUZZ_CHECK(status == GM_INVALID_FILE && vocab == NULL && error.message[0] != '\0');
    }
    remove(path);
    free(block);
    return 0;
}
