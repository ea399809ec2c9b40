/*
 * json/fuzz.c - two JSON documents: reading, equality and canonical texts agree with each other.
 *
 * The first byte says how many allocations succeed (255: all), the next two where the text is cut in
 * two. What can be read is written out again with other spellings and read once more.
 */
#include "fuzz.h"

#include "base/array.h"
#include "base/utf8.h"
#include "json/json.h"

enum { NESTING = 60, ALL = 255 };

/* ---- an allocator that ends ---- */

typedef struct purse {
    int left; /* -1: endless */
} purse;

static void *take(void *context, size_t size)
{
    purse *p = context;
    if (p->left == 0)
        return NULL;
    p->left -= p->left > 0;
    return malloc(size);
}

static void *grow(void *context, void *block, size_t old_size, size_t size)
{
    purse *p = context;
    (void)old_size;
    if (p->left == 0)
        return NULL;
    p->left -= p->left > 0;
    return realloc(block, size);
}

static void give_back(void *context, void *block, size_t size)
{
    (void)context;
    (void)size;
    free(block);
}

/* ---- a writer that spells differently ---- */

typedef GM_ARRAY(char) text_builder;

static void put(text_builder *out, char byte)
{
    const gm_allocator allocator = gm_allocator_or_default(NULL);
    GM_FUZZ_CHECK(GM_ARRAY_PUSH(&allocator, out, byte));
}

static void put_text(text_builder *out, const char *text)
{
    for (; *text != '\0'; text++)
        put(out, *text);
}

/* Every character as \u escapes. */
static void put_string(text_builder *out, gm_bytes text)
{
    put(out, '"');
    for (size_t at = 0; at < text.length;) {
        uint32_t point = gm_utf8_read(text.data, text.length, &at);
        GM_FUZZ_CHECK(point != UINT32_MAX); /* a decoded string is UTF-8 */
        char escape[16];
        if (point >= 0x10000) {
            point -= 0x10000;
            snprintf(escape, sizeof escape, "\\u%04X\\u%04x", 0xD800u + (unsigned)(point >> 10), 0xDC00u + (unsigned)(point & 0x3FF));
        } else {
            snprintf(escape, sizeof escape, "\\u%04x", (unsigned)point);
        }
        put_text(out, escape);
    }
    put(out, '"');
}

/* More zeros in the fraction, and an exponent of zero where there is none. */
static void put_number(text_builder *out, gm_bytes text)
{
    const char *exponent = memchr(text.data, 'e', text.length);
    if (exponent == NULL)
        exponent = memchr(text.data, 'E', text.length);
    const size_t mantissa = exponent != NULL ? (size_t)(exponent - text.data) : text.length;
    for (size_t i = 0; i < mantissa; i++)
        put(out, text.data[i]);
    put_text(out, memchr(text.data, '.', mantissa) != NULL ? "00" : ".0");
    for (size_t i = mantissa; i < text.length; i++)
        put(out, text.data[i]);
    if (exponent == NULL)
        put_text(out, "E-0");
}

/* Members in reverse, blanks everywhere. Recursion is bounded by NESTING. */
static void put_value(text_builder *out, const gm_json *value)
{
    put_text(out, " \n");
    switch (value->kind) {
    case GM_JSON_NULL: put_text(out, "null"); break;
    case GM_JSON_FALSE: put_text(out, "false"); break;
    case GM_JSON_TRUE: put_text(out, "true"); break;
    case GM_JSON_NUMBER: put_number(out, value->as.text); break;
    case GM_JSON_STRING: put_string(out, value->as.text); break;
    case GM_JSON_ARRAY:
        put(out, '[');
        for (uint32_t i = 0; i < value->count; i++) {
            put_text(out, i == 0 ? "" : "\t,");
            put_value(out, value->as.items[i]);
        }
        put(out, ']');
        break;
    case GM_JSON_OBJECT:
        put(out, '{');
        for (uint32_t i = value->count; i-- > 0;) {
            const gm_json_member *member = &value->as.members[i];
            GM_FUZZ_CHECK(gm_json_get(value, member->key) == member->value); /* no key stands twice */
            put_string(out, member->key);
            put_text(out, "\r:");
            put_value(out, member->value);
            put_text(out, i == 0 ? "" : ", ");
        }
        put(out, '}');
        break;
    }
    put(out, ' ');
}

/* ---- the checks ---- */

static const gm_json *read_document(gm_arena *arena, const char *text, size_t length)
{
    const gm_arena_mark before = gm_arena_save(arena);
    const gm_json *root = NULL;
    gm_error error = {0};
    const gm_status status = gm_json_read(arena, text, length, NESTING, &root, &error);
    if (status == GM_OK) {
        GM_FUZZ_CHECK(root != NULL && root->offset < length);
        return root;
    }
    const gm_arena_mark after = gm_arena_save(arena);
    GM_FUZZ_CHECK(root == NULL && error.status == status && error.message[0] != '\0' && error.offset <= length);
    GM_FUZZ_CHECK(before.chunk == after.chunk && before.used == after.used);
    return NULL;
}

static void check_pair(gm_arena *arena, const gm_json *a, const gm_json *b, bool must_be_equal)
{
    gm_bytes canonical_a, canonical_b;
    bool equal, mirrored;
    GM_FUZZ_CHECK(gm_json_canonical(arena, a, &canonical_a) == GM_OK && gm_json_canonical(arena, b, &canonical_b) == GM_OK);
    GM_FUZZ_CHECK(gm_json_equal(arena, a, b, &equal) == GM_OK && gm_json_equal(arena, b, a, &mirrored) == GM_OK);
    GM_FUZZ_CHECK(equal == gm_bytes_equal(canonical_a, canonical_b) && equal == mirrored);
    GM_FUZZ_CHECK(equal || !must_be_equal);
}

static void check_other_spelling(gm_arena *arena, const gm_json *root)
{
    const gm_allocator allocator = gm_allocator_or_default(NULL);
    text_builder text = {0};
    put_value(&text, root);
    const gm_json *again = read_document(arena, text.items, text.count);
    GM_FUZZ_CHECK(again != NULL);
    check_pair(arena, root, again, true);
    GM_ARRAY_FREE(&allocator, &text);
}

static void check_documents(const char *text, size_t length, size_t cut)
{
    const gm_allocator allocator = gm_allocator_or_default(NULL);
    gm_arena arena;
    gm_arena_init(&arena, &allocator);
    const gm_json *first = read_document(&arena, text, cut);
    const gm_json *second = read_document(&arena, text + cut, length - cut);
    if (first != NULL)
        check_other_spelling(&arena, first);
    if (first != NULL && second != NULL)
        check_pair(&arena, first, second, false);
    gm_arena_destroy(&arena);
}

static void check_without_memory(const char *text, size_t length, int budget)
{
    purse p = {budget};
    const gm_allocator allocator = {&p, take, grow, give_back};
    gm_arena arena;
    gm_arena_init(&arena, &allocator);
    const gm_json *root = read_document(&arena, text, length);
    gm_bytes canonical;
    bool equal = true;
    if (root != NULL) {
        GM_FUZZ_CHECK(gm_json_equal(&arena, root, root, &equal) != GM_OK || equal);
        (void)gm_json_canonical(&arena, root, &canonical);
    }
    gm_arena_destroy(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gm_fuzz_reader reader = {data, size};
    const int budget = gm_fuzz_byte(&reader);
    const size_t wanted = (size_t)gm_fuzz_byte(&reader) << 8 | gm_fuzz_byte(&reader);
    const char *text = (const char *)reader.at;
    const size_t cut = wanted < reader.left ? wanted : reader.left;
    if (budget == ALL)
        check_documents(text, reader.left, cut);
    else
        check_without_memory(text, reader.left, budget);
    return 0;
}
