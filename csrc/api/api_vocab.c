/*
 * api/api_vocab.c - gm_vocab_*: what a caller may get wrong, then one call down.
 */
#include "vocab/vocab.h"

static gm_status bad(gm_error *error, const char *what)
{
    return gm_fail(error, GM_INVALID_ARGUMENT, "", "", "%s", what);
}

static bool allocator_is_whole(const gm_allocator *allocator)
{
    return allocator == NULL ||
           (allocator->allocate != NULL && allocator->reallocate != NULL && allocator->deallocate != NULL);
}

/* A longer description than ours comes from a newer caller: fine while it asks for nothing new. */
static bool struct_size_is_known(const gm_vocab_desc *desc)
{
    if (desc->struct_size < sizeof *desc)
        return false;
    const unsigned char *bytes = (const unsigned char *)desc;
    for (size_t i = sizeof *desc; i < desc->struct_size; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

static gm_status check_counts(const gm_vocab_desc *desc, gm_error *error)
{
    if (!struct_size_is_known(desc))
        return gm_fail(error, GM_INVALID_ARGUMENT, "", "", "struct_size of the description is %zu, expected %zu",
                       desc->struct_size, sizeof *desc);
    if (desc->token_count == 0 || desc->token_count > INT32_MAX)
        return gm_fail(error, GM_INVALID_ARGUMENT, "", "", "token_count is %zu, expected 1 to 2147483647",
                       desc->token_count);
    if (desc->logit_width != 0 && (desc->logit_width < desc->token_count || desc->logit_width > INT32_MAX))
        return gm_fail(error, GM_INVALID_ARGUMENT, "", "",
                       "logit_width is %zu, expected 0, or token_count (%zu) to 2147483647", desc->logit_width,
                       desc->token_count);
    if ((unsigned)desc->spelling > GM_SPELLING_BYTE_FALLBACK)
        return gm_fail(error, GM_INVALID_ARGUMENT, "", "", "spelling is %d, which is none", (int)desc->spelling);
    return allocator_is_whole(desc->allocator) ? GM_OK : bad(error, "the allocator lacks a function");
}

static gm_status check_texts(const gm_vocab_desc *desc, gm_error *error)
{
    if (desc->texts != NULL) {
        if (desc->lengths == NULL)
            return bad(error, "texts without lengths");
        for (size_t id = 0; id < desc->token_count; id++)
            if (desc->texts[id] == NULL && desc->lengths[id] != 0)
                return gm_fail(error, GM_INVALID_ARGUMENT, "", "", "text %zu is NULL, but its length is %zu", id,
                               desc->lengths[id]);
        return GM_OK;
    }
    if (desc->offsets == NULL)
        return bad(error, "neither texts nor offsets are given");
    for (size_t id = 0; id < desc->token_count; id++)
        if (desc->offsets[id] > desc->offsets[id + 1])
            return gm_fail(error, GM_INVALID_ARGUMENT, "", "", "offsets decrease after token %zu", id);
    if (desc->blob == NULL && desc->offsets[0] != desc->offsets[desc->token_count])
        return bad(error, "blob is NULL, but the texts are not empty");
    return GM_OK;
}

static gm_status check_flags(const gm_vocab_desc *desc, gm_error *error)
{
    for (size_t id = 0; desc->flags != NULL && id < desc->token_count; id++)
        if (desc->flags[id] >= 2 * GM_TOKEN_CONTINUATION)
            return gm_fail(error, GM_INVALID_ARGUMENT, "", "", "flags of token %zu are %u: unknown kind", id,
                           desc->flags[id]);
    return GM_OK;
}

static gm_status check_list(const char *name, const uint32_t *ids, size_t count, size_t limit, gm_error *error)
{
    if (ids == NULL && count != 0)
        return gm_fail(error, GM_INVALID_ARGUMENT, "", "", "%s is NULL, but has %zu ids", name, count);
    for (size_t i = 0; i < count; i++)
        if (ids[i] >= limit)
            return gm_fail(error, GM_INVALID_ARGUMENT, "", "", "%s[%zu] is %u, expected an id below %zu", name, i,
                           ids[i], limit);
    return GM_OK;
}

static gm_status check_description(const gm_vocab_desc *desc, gm_error *error)
{
    GM_TRY(check_counts(desc, error));
    GM_TRY(check_texts(desc, error));
    GM_TRY(check_flags(desc, error));
    const size_t width = desc->logit_width != 0 ? desc->logit_width : desc->token_count;
    GM_TRY(check_list("special", desc->special, desc->special_count, desc->token_count, error));
    GM_TRY(check_list("unused", desc->unused, desc->unused_count, desc->token_count, error));
    return check_list("stop", desc->stop, desc->stop_count, width, error);
}

gm_status gm_vocab_create(const gm_vocab_desc *desc, gm_vocab **vocab, gm_error *error)
{
    if (desc == NULL || vocab == NULL)
        return bad(error, "the description or the place for the vocabulary is NULL");
    GM_TRY(check_description(desc, error));
    const gm_allocator allocator = gm_allocator_or_default(desc->allocator);
    return gm_vocab_build(desc, &allocator, vocab, error);
}

gm_vocab *gm_vocab_retain(gm_vocab *vocab)
{
    if (vocab != NULL)
        gm_vocab_add_reference(vocab);
    return vocab;
}

void gm_vocab_release(gm_vocab *vocab)
{
    if (vocab != NULL)
        gm_vocab_drop_reference(vocab);
}

size_t gm_vocab_token_count(const gm_vocab *vocab) { return gm_vocab_facts_of(vocab)->token_count; }
size_t gm_vocab_logit_width(const gm_vocab *vocab) { return gm_vocab_facts_of(vocab)->logit_width; }
size_t gm_vocab_mask_words(const gm_vocab *vocab) { return gm_vocab_facts_of(vocab)->mask_words; }
uint64_t gm_vocab_digest(const gm_vocab *vocab) { return gm_vocab_facts_of(vocab)->digest; }
size_t gm_vocab_memory(const gm_vocab *vocab) { return gm_vocab_facts_of(vocab)->memory; }
bool gm_vocab_prefix_space(const gm_vocab *vocab) { return gm_vocab_facts_of(vocab)->prefix_space; }

gm_status gm_vocab_token(const gm_vocab *vocab, uint32_t id, const uint8_t **bytes, size_t *length, uint32_t *flags)
{
    if (vocab == NULL || id >= gm_vocab_facts_of(vocab)->token_count)
        return GM_INVALID_ARGUMENT;
    size_t size;
    const uint8_t *text = gm_vocab_text(vocab, id, &size);
    if (bytes != NULL)
        *bytes = text;
    if (length != NULL)
        *length = size;
    if (flags != NULL)
        *flags = gm_vocab_flags(vocab, id);
    return GM_OK;
}

const uint32_t *gm_vocab_stop(const gm_vocab *vocab, size_t *count)
{
    *count = gm_vocab_facts_of(vocab)->stop_count;
    return gm_vocab_facts_of(vocab)->stop;
}

size_t gm_vocab_missing_bytes(const gm_vocab *vocab, uint64_t bits[4])
{
    memcpy(bits, gm_vocab_tables_of(vocab)->missing_bytes, 4 * sizeof *bits);
    size_t count = 0;
    for (unsigned byte = 0; byte < 256; byte++)
        count += bits[byte / 64] >> byte % 64 & 1;
    return count;
}

gm_status gm_vocab_save(const gm_vocab *vocab, const char *path, gm_error *error)
{
    if (vocab == NULL || path == NULL)
        return bad(error, "the vocabulary or the path is NULL");
    return gm_vocab_write_file(vocab, path, error);
}

gm_status gm_vocab_load(const char *path, const gm_allocator *allocator, gm_vocab **vocab, gm_error *error)
{
    if (path == NULL || vocab == NULL)
        return bad(error, "the path or the place for the vocabulary is NULL");
    if (!allocator_is_whole(allocator))
        return bad(error, "the allocator lacks a function");
    const gm_allocator chosen = gm_allocator_or_default(allocator);
    return gm_vocab_map_file(path, &chosen, vocab, error);
}
