/* test_vocab_saved.c - saving and loading: equal, or refused; never half a file. */
#include "check.h"
#include "vocab/block.h"

static char path[1024]; /* beside the test program */

static gm_vocab *make_small(void)
{
    static const char *const words[] = {"a", "ab", "\"", "\":", "{\"", " ", "", "b", "<pad>", "caf\xC3\xA9", "\n\n", "a"};
    static const uint8_t flags[] = {0, 0, 0, 0, 0, 0, 0, GM_TOKEN_BYTE, GM_TOKEN_CONTROL, 0, GM_TOKEN_ADDED, 0};
    size_t lengths[GM_COUNT_OF(words)];
    for (size_t i = 0; i < GM_COUNT_OF(words); i++)
        lengths[i] = strlen(words[i]);
    const uint32_t stop[] = {8, 35};
    const gm_vocab_desc desc = {.struct_size = sizeof desc,
                                .token_count = GM_COUNT_OF(words),
                                .logit_width = 40,
                                .texts = (const uint8_t *const *)words,
                                .lengths = lengths,
                                .flags = flags,
                                .stop = stop,
                                .stop_count = 2,
                                .prefix_space = true};
    gm_vocab *vocab = NULL;
    CHECK(gm_vocab_create(&desc, &vocab, NULL) == GM_OK);
    return vocab;
}

static bool write_bytes(const char *name, const void *bytes, size_t size)
{
    FILE *file = fopen(name, "wb");
    return file != NULL && fwrite(bytes, 1, size, file) == size && fclose(file) == 0;
}

static gm_status load_bytes(const void *bytes, size_t size, gm_vocab **vocab, gm_error *error)
{
    CHECK(write_bytes(path, bytes, size));
    return gm_vocab_load(path, NULL, vocab, error);
}

static void a_loaded_vocabulary_equals_the_saved_one(void)
{
    gm_vocab *made = make_small(), *loaded = NULL;
    gm_error error = {0};
    CHECK(gm_vocab_save(made, path, &error) == GM_OK);
    CHECK(gm_vocab_load(path, NULL, &loaded, &error) == GM_OK && gm_vocab_check(loaded, &error) == GM_OK);
    CHECK(loaded->size == made->size && memcmp(loaded->header, made->header, made->size) == 0);
    CHECK(gm_vocab_digest(made) == gm_vocab_digest(loaded) && gm_vocab_prefix_space(loaded));
    CHECK(gm_vocab_memory(made) == gm_vocab_memory(loaded) && gm_vocab_mask_words(loaded) == 2);
    for (uint32_t id = 0; id < gm_vocab_token_count(made); id++) {
        size_t a, b;
        const uint8_t *x = gm_vocab_text(made, id, &a), *y = gm_vocab_text(loaded, id, &b);
        CHECK(a == b && (x == NULL) == (y == NULL) && (x == NULL || memcmp(x, y, a) == 0));
        CHECK(gm_vocab_flags(made, id) == gm_vocab_flags(loaded, id));
    }
    size_t count;
    const uint32_t *stop = gm_vocab_stop(loaded, &count);
    CHECK(count == 2 && stop[0] == 8 && stop[1] == 35);
    /* Saving over the file that is in use replaces the name, not the bytes in use. */
    CHECK(gm_vocab_save(loaded, path, &error) == GM_OK && gm_vocab_check(loaded, &error) == GM_OK);
    gm_vocab_release(made);
    gm_vocab_release(loaded);
    remove(path);
}

/* Overwrites a few bytes of the file in place. */
static void patch(size_t at, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "r+b");
    CHECK(file != NULL && fseek(file, (long)at, SEEK_SET) == 0 && fwrite(bytes, 1, size, file) == size);
    CHECK(fclose(file) == 0);
}

static void every_flipped_bit_is_refused(void)
{
    gm_vocab *made = make_small();
    const uint8_t *bytes = (const uint8_t *)made->header;
    CHECK(gm_vocab_save(made, path, NULL) == GM_OK);
    for (size_t bit = 0; bit < made->size * 8; bit++) {
        patch(bit / 8, (const uint8_t[]){bytes[bit / 8] ^ (uint8_t)(1u << bit % 8)}, 1);
        gm_vocab *loaded = NULL;
        gm_error error = {0};
        CHECK(gm_vocab_load(path, NULL, &loaded, &error) == GM_INVALID_FILE && loaded == NULL);
        CHECK(error.status == GM_INVALID_FILE && error.message[0] != '\0');
        if (bit % 8 == 7)
            patch(bit / 8, bytes + bit / 8, 1);
    }
    gm_vocab_release(made);
    remove(path);
}

static void every_truncation_and_every_tail_is_refused(void)
{
    gm_vocab *made = make_small();
    uint8_t *bytes = calloc(1, made->size + 64);
    memcpy(bytes, made->header, made->size);
    for (size_t size = 0; size < made->size + 64; size++) {
        gm_vocab *loaded = NULL;
        const gm_status status = load_bytes(bytes, size, &loaded, NULL);
        CHECK(status == (size == made->size ? GM_OK : GM_INVALID_FILE));
        gm_vocab_release(loaded);
    }
    free(bytes);
    gm_vocab_release(made);
    remove(path);
}

/* Loads a changed copy whose checksum is right. */
static gm_status load_forged(gm_vocab_header *block, size_t size, gm_error *error)
{
    block->checksum = gm_vocab_checksum(block, size);
    gm_vocab *loaded = NULL;
    const gm_status status = load_bytes(block, size, &loaded, error);
    gm_vocab_release(loaded);
    return status;
}

static void other_versions_and_machines_are_refused_by_name(void)
{
    gm_vocab *made = make_small();
    const size_t size = made->size;
    gm_vocab_header *copy = malloc(size);
    gm_error error = {0};
    memcpy(copy, made->header, size);
    CHECK(load_forged(copy, size, &error) == GM_OK);
    copy->format++;
    CHECK(load_forged(copy, size, &error) == GM_INVALID_FILE && strstr(error.message, "version 4") != NULL);
    CHECK(error.offset == offsetof(gm_vocab_header, format));
    memcpy(copy, made->header, size);
    gm_token_head *heads = gm_vocab_section_of(copy, GM_SECTION_HEADS);
    uint32_t id = 0;
    while (id + 1 < copy->token_count && (heads[id].length == GM_LONG_TEXT || heads[id].letters == heads[id].length))
        id++;
    heads[id].letters = heads[id].length; /* one of them is none */
    CHECK(load_forged(copy, size, &error) == GM_INVALID_FILE && strstr(error.message, "heads") != NULL);
    memcpy(copy, made->header, size);
    copy->byte_order = 0x04030201;
    CHECK(load_forged(copy, size, &error) == GM_INVALID_FILE && strstr(error.message, "byte order") != NULL);
    memcpy(copy, made->header, size);
    copy->magic[5] = '\n';
    CHECK(load_forged(copy, size, &error) == GM_INVALID_FILE && strstr(error.message, "magic") != NULL);
    free(copy);
    gm_vocab_release(made);
    remove(path);
}

/* Every run of tokens lies within the list, every child among the nodes behind its parent, every label in the texts. */
static bool is_within(const gm_vocab *vocab, const gm_trie *trie)
{
    bool within = true;
    for (uint32_t node = 0; node < trie->node_count; node++) {
        const gm_branch *branch = &trie->branches[node];
        within = within && branch->first <= branch->own_end && branch->own_end <= branch->end &&
                 branch->end <= trie->token_count && branch->label + branch->extra <= vocab->header->text_size &&
                 (branch->children == 0 || (branch->children > node &&
                                            branch->children + gm_child_count(branch) <= trie->node_count));
    }
    return within;
}

/* With a right checksum over nonsense, the file must be refused, or hurt nobody: what passes is sound
 * in every bound, and only what says something of the model alone may differ. `copy` is that of `made` but for
 * `length` bytes; the file is that of `made` before and after. */
static void check_forged(const gm_vocab *made, gm_vocab_header *copy, size_t at, size_t length)
{
    const size_t stop = made->header->section[GM_SECTION_STOP].offset;
    copy->checksum = gm_vocab_checksum(copy, made->size);
    patch(offsetof(gm_vocab_header, checksum), &copy->checksum, 8);
    patch(at, (const uint8_t *)copy + at, length);
    gm_vocab *loaded = NULL;
    gm_error error = {0};
    if (gm_vocab_load(path, NULL, &loaded, &error) == GM_OK) {
        const bool same = memcmp((const uint8_t *)copy + at, (const uint8_t *)made->header + at, length) == 0;
        const bool may_differ = (at >= offsetof(gm_vocab_header, logit_width) &&
                                 at < offsetof(gm_vocab_header, missing_bytes)) ||
                                (at >= stop && at < stop + 4 * (size_t)copy->stop_count);
        CHECK(gm_vocab_check_block(loaded, NULL) == GM_OK);
        CHECK(is_within(loaded, &loaded->tables.all) && is_within(loaded, &loaded->tables.quotes));
        CHECK(gm_vocab_check(loaded, NULL) == (same || may_differ ? GM_OK : GM_INVALID_FILE));
    } else {
        CHECK(error.status == GM_INVALID_FILE);
    }
    gm_vocab_release(loaded);
    patch(at, (const uint8_t *)made->header + at, length);
    memcpy((uint8_t *)copy + at, (const uint8_t *)made->header + at, length);
}

static void forged_structures_are_refused_or_harmless(void)
{
    gm_vocab *made = make_small();
    gm_vocab_header *copy = malloc(made->size);
    memcpy(copy, made->header, made->size);
    CHECK(gm_vocab_save(made, path, NULL) == GM_OK);
    for (size_t at = offsetof(gm_vocab_header, size); at < made->size; at++)
        for (unsigned change = 0; change < 4; change++) {
            static const uint8_t delta[] = {1, 0x80, 0xFF, 0x7F};
            ((uint8_t *)copy)[at] ^= delta[change];
            check_forged(made, copy, at, 1);
        }
    /* Whole numbers, for what is past the greatest. */
    for (size_t at = offsetof(gm_vocab_header, size); at < made->size; at += 4)
        for (unsigned change = 0; change < 4; change++) {
            static const uint32_t values[] = {UINT32_MAX, UINT32_MAX - 1, INT32_MAX, 0};
            memcpy((uint8_t *)copy + at, &values[change], 4);
            check_forged(made, copy, at, 4);
        }
    free(copy);
    gm_vocab_release(made);
    remove(path);
}

static void what_cannot_be_opened_or_written_is_io(void)
{
    gm_vocab *made = make_small(), *loaded = NULL;
    gm_error error = {0};
    CHECK(gm_vocab_load("no/such/file", NULL, &loaded, &error) == GM_IO && strstr(error.message, "no/such/file") != NULL);
    CHECK(strlen(error.message) > strlen("cannot read no/such/file: "));
    CHECK(gm_vocab_save(made, "no/such/directory/x", &error) == GM_IO && error.status == GM_IO);
    CHECK(gm_vocab_load(".", NULL, &loaded, &error) != GM_OK && loaded == NULL);
    CHECK(gm_vocab_save(NULL, path, &error) == GM_INVALID_ARGUMENT);
    CHECK(gm_vocab_save(made, NULL, &error) == GM_INVALID_ARGUMENT);
    CHECK(gm_vocab_load(NULL, NULL, &loaded, &error) == GM_INVALID_ARGUMENT);
    CHECK(gm_vocab_load(path, NULL, NULL, &error) == GM_INVALID_ARGUMENT);
    gm_vocab_release(made);
}

static void a_save_leaves_no_other_file_behind(void)
{
    gm_vocab *made = make_small();
    char beside[sizeof path + 8];
    snprintf(beside, sizeof beside, "%s.new0", path);
    CHECK(write_bytes(beside, "somebody else's", 15)); /* its name is taken: the save goes on without it */
    CHECK(gm_vocab_save(made, path, NULL) == GM_OK);
    FILE *file = fopen(beside, "rb");
    CHECK(file != NULL && fgetc(file) == 's' && fclose(file) == 0);
    remove(beside);
    snprintf(beside, sizeof beside, "%s.new1", path);
    CHECK(fopen(beside, "rb") == NULL);
    gm_vocab_release(made);
    remove(path);
}

static void every_allocation_may_fail(void)
{
    gm_vocab *made = make_small();
    gm_status status = GM_OUT_OF_MEMORY;
    CHECK(gm_vocab_save(made, path, NULL) == GM_OK);
    long budget = 0;
    for (; status == GM_OUT_OF_MEMORY && budget < 100; budget++) {
        failing_allocator state = {.budget = budget};
        const gm_allocator allocator = failing_allocator_of(&state);
        gm_vocab *loaded = NULL;
        status = gm_vocab_load(path, &allocator, &loaded, NULL);
        CHECK(status == GM_OK || (loaded == NULL && state.live == 0));
        if (loaded != NULL) {
            state.budget = 0;
            remove(path);
            CHECK(gm_vocab_save(loaded, path, NULL) == GM_OUT_OF_MEMORY && fopen(path, "rb") == NULL);
            CHECK(gm_vocab_check(loaded, NULL) == GM_OUT_OF_MEMORY);
        }
        gm_vocab_release(loaded);
        CHECK(state.live == 0);
    }
    CHECK(status == GM_OK && budget > 2);
    gm_vocab_release(made);
}

int main(int count, char **arguments)
{
    snprintf(path, sizeof path, "%.1000s.gmv", count > 0 ? arguments[0] : "test_vocab_saved");
    RUN(a_loaded_vocabulary_equals_the_saved_one);
    RUN(every_flipped_bit_is_refused);
    RUN(every_truncation_and_every_tail_is_refused);
    RUN(other_versions_and_machines_are_refused_by_name);
    RUN(forged_structures_are_refused_or_harmless);
    RUN(what_cannot_be_opened_or_written_is_io);
    RUN(a_save_leaves_no_other_file_behind);
    RUN(every_allocation_may_fail);
    return REPORT("test_vocab_saved");
}
