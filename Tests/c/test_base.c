/*
 * test_base.c - the base layer: errors, memory, arena, array, table, UTF-8, lock.
 *
 * UTF-8 is judged by the grammar of RFC 3629, byte range by byte range, where the code under test
 * computes the value and looks at it.
 */
#include "check.h"

#include "base/arena.h"
#include "base/slabs.h"
#include "base/array.h"
#include "base/lock.h"
#include "base/table.h"
#include "base/utf8.h"

#include <pthread.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WITH_ASAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define WITH_ASAN 1
#endif
#ifdef WITH_ASAN
#include <sanitizer/asan_interface.h>
#endif

static uint64_t random_state = 0xA0761D6478BD642Fu;

static uint64_t next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state >> 16;
}

static void bits_of_a_word_are_counted_and_found(void)
{
    for (int i = 0; i < 10000; i++) {
        const uint64_t word = next_random() << i % 64 & next_random() << 16;
        unsigned count = 0, lowest = 64;
        for (unsigned bit = 64; bit-- > 0;)
            if (word >> bit & 1) {
                count++;
                lowest = bit;
            }
        CHECK(gm_bit_count(word) == count && (word == 0 || gm_lowest_bit(word) == lowest));
    }
    CHECK(gm_bit_count(~(uint64_t)0) == 64 && gm_bit_count(0) == 0);
}

/* ---- errors ---- */

static void an_error_holds_what_was_said(void)
{
    gm_error error;
    memset(&error, 0xAA, sizeof error);
    CHECK(gm_fail(&error, GM_UNSUPPORTED, "/a/b", "pattern", "expected %d, found %s", 3, "x") == GM_UNSUPPORTED);
    CHECK(error.status == GM_UNSUPPORTED && strcmp(error.pointer, "/a/b") == 0 && error.offset == 0);
    CHECK(strcmp(error.keyword, "pattern") == 0 && strcmp(error.message, "expected 3, found x") == 0);
    CHECK(gm_fail_at(&error, GM_INVALID_SCHEMA, 1234567890123u, "stray %c", '}') == GM_INVALID_SCHEMA);
    CHECK(error.offset == 1234567890123u && error.pointer[0] == 0 && error.keyword[0] == 0);
    CHECK(strcmp(error.message, "stray }") == 0);
    CHECK(gm_no_memory(&error) == GM_OUT_OF_MEMORY && error.status == GM_OUT_OF_MEMORY && error.message[0] != 0);
    CHECK(gm_fail(NULL, GM_IO, "", "", "%s", "nobody listens") == GM_IO);
    CHECK(gm_fail_at(NULL, GM_IO, 1, "nobody listens") == GM_IO && gm_no_memory(NULL) == GM_OUT_OF_MEMORY);
}

/* Whether `cut` is `whole` or the longest prefix of it that fits into `size` and ends between characters. */
static bool is_cut_of(const char *cut, const char *whole, size_t size)
{
    const size_t length = strlen(cut);
    const gm_bytes text = {cut, length};
    if (strncmp(cut, whole, length) != 0 || gm_utf8_valid_prefix(text) != length)
        return false;
    return whole[length] == '\0' ? length < size : length + 4 >= size && length < size;
}

static void long_texts_are_cut_between_characters(void)
{
    static const char *const letters[] = {"a", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"};
    for (size_t letter = 0; letter < GM_COUNT_OF(letters); letter++)
        for (size_t shift = 0; shift < 4; shift++)
            for (size_t count = 0; count < 400; count += count < 8 || count > 72 ? 7 : 1) {
                char text[4 * 400 + 8] = "";
                memset(text, 'x', shift);
                for (size_t i = 0; i < count; i++)
                    strcat(text + shift, letters[letter]);
                gm_error error;
                gm_fail(&error, GM_LIMIT, text, text, "%s", text);
                CHECK(is_cut_of(error.pointer, text, sizeof error.pointer));
                CHECK(is_cut_of(error.keyword, text, sizeof error.keyword));
                CHECK(is_cut_of(error.message, text, sizeof error.message));
            }
}

static void an_error_may_be_made_from_itself(void)
{
    gm_error error;
    gm_fail(&error, GM_LIMIT, "/there", "items", "too deep");
    gm_fail(&error, GM_LIMIT, error.pointer, error.keyword, "again: %s", error.message);
    CHECK(strcmp(error.pointer, "/there") == 0 && strcmp(error.keyword, "items") == 0);
    CHECK(strcmp(error.message, "again: too deep") == 0);
}

/* ---- memory ---- */

static void impossible_sizes_are_no_memory(void)
{
    const gm_allocator allocator = gm_allocator_or_default(NULL);
    size_t product = 77;
    CHECK(gm_allocate(&allocator, 0, 8) == NULL && gm_allocate(&allocator, 8, 0) == NULL);
    CHECK(gm_allocate(&allocator, SIZE_MAX / 2, 3) == NULL && gm_allocate(&allocator, SIZE_MAX, 1) == NULL);
    CHECK(gm_allocate_zeroed(&allocator, SIZE_MAX / 4 + 1, 4) == NULL);
    CHECK(!gm_multiply(SIZE_MAX, 2, &product) && product == 77);
    CHECK(gm_multiply(SIZE_MAX, 1, &product) && product == SIZE_MAX);
    CHECK(gm_multiply(0, SIZE_MAX, &product) && product == 0 && gm_multiply(SIZE_MAX, 0, &product) && product == 0);

    uint32_t *block = gm_allocate_zeroed(&allocator, 5, sizeof *block);
    CHECK(block != NULL && block[4] == 0);
    CHECK(gm_reallocate(&allocator, block, 5, SIZE_MAX, sizeof *block) == NULL); /* the block is still ours */
    block[4] = 9;
    block = gm_reallocate(&allocator, block, 5, 500, sizeof *block);
    CHECK(block != NULL && block[4] == 9);
    gm_deallocate(&allocator, block, 500, sizeof *block);
    gm_deallocate(&allocator, NULL, 0, 1);
}

static void a_custom_allocator_is_the_only_one_used(void)
{
    failing_allocator state = {.budget = -1};
    const gm_allocator custom = failing_allocator_of(&state);
    const gm_allocator allocator = gm_allocator_or_default(&custom);
    void *block = gm_allocate(&allocator, 3, 3);
    block = gm_reallocate(&allocator, block, 3, 30, 3);
    CHECK(block != NULL && state.calls == 2 && state.live == 1);
    gm_deallocate(&allocator, block, 30, 3);
    CHECK(state.live == 0);
}

static void hashes_tell_texts_apart(void)
{
    static const char zeros[40];
    GM_ARRAY(uint64_t) seen = {0};
    const gm_allocator allocator = gm_allocator_or_default(NULL);
    for (size_t length = 0; length <= 40; length++)
        CHECK(GM_ARRAY_PUSH(&allocator, &seen, gm_hash_bytes(zeros, length)));
    for (unsigned byte = 1; byte < 256; byte++)
        for (size_t at = 0; at < 20; at++) {
            char text[20] = {0};
            text[at] = (char)byte;
            CHECK(GM_ARRAY_PUSH(&allocator, &seen, gm_hash_bytes(text, sizeof text)));
        }
    size_t equal = 0;
    for (size_t i = 0; i < seen.count; i++)
        for (size_t j = 0; j < i; j++)
            equal += seen.items[i] == seen.items[j];
    CHECK(equal == 0);
    GM_ARRAY_FREE(&allocator, &seen);
    CHECK(seen.items == NULL && seen.count == 0 && seen.capacity == 0);
}

/* ---- arena ---- */

enum { FENCE = 32 };

static void *fenced_allocate(void *context, size_t size)
{
    unsigned char *block = failing_allocate(context, size + FENCE);
    if (block != NULL)
        memset(block + size, 0xC3, FENCE);
    return block;
}

static void fenced_deallocate(void *context, void *block, size_t size)
{
    for (size_t i = 0; i < FENCE; i++)
        if (((unsigned char *)block)[size + i] != 0xC3)
            CHECK(!"something was written past a block");
    failing_deallocate(context, block, size + FENCE);
}

static void blocks_are_aligned_and_apart_and_stay(void)
{
    enum { BLOCKS = 600 };
    static unsigned char *blocks[BLOCKS];
    static size_t sizes[BLOCKS];
    failing_allocator state = {.budget = -1};
    const gm_allocator allocator = {&state, fenced_allocate, NULL, fenced_deallocate}; /* nothing is reallocated */
    gm_arena arena;
    gm_arena_init(&arena, &allocator);
    for (size_t i = 0; i < BLOCKS; i++) {
        sizes[i] = i % 50 == 49 ? next_random() % 600000 : next_random() % 300;
        blocks[i] = i % 2 ? gm_arena_take(&arena, sizes[i]) : gm_arena_take_zeroed(&arena, sizes[i]);
        CHECK(blocks[i] != NULL && (uintptr_t)blocks[i] % 16 == 0);
        for (size_t at = 0; i % 2 == 0 && at < sizes[i]; at++)
            if (blocks[i][at] != 0)
                CHECK(!"a zeroed block is not zero");
        memset(blocks[i], (int)(i & 0xFF), sizes[i]);
    }
    size_t wrong = 0;
    for (size_t i = 0; i < BLOCKS; i++)
        for (size_t at = 0; at < sizes[i]; at++)
            wrong += blocks[i][at] != (i & 0xFF);
    CHECK(wrong == 0);
    gm_arena_destroy(&arena);
    CHECK(state.live == 0 && arena.reserved == 0 && arena.chunk == NULL);
}

static void rewinding_gives_back_what_was_taken_since(void)
{
    failing_allocator state = {.budget = -1};
    const gm_allocator allocator = failing_allocator_of(&state);
    gm_arena arena;
    gm_arena_init(&arena, &allocator);
    const gm_arena_mark empty = gm_arena_save(&arena);

    char *kept = gm_arena_text(&arena, GM_BYTES("kept"));
    for (int round = 0; round < 200; round++) {
        const gm_arena_mark mark = gm_arena_save(&arena);
        const long live = state.live;
        const uint64_t more = next_random() % 40;
        void *const first = gm_arena_take(&arena, 24);
        const bool in_old_chunk = arena.chunk == mark.chunk;
        for (uint64_t i = 0; i < more; i++)
            CHECK(gm_arena_take_zeroed(&arena, next_random() % 3000) != NULL);
        gm_arena_rewind(&arena, mark);
        const gm_arena_mark after = gm_arena_save(&arena);
        CHECK(after.chunk == mark.chunk && after.used == mark.used);
        CHECK(state.live <= live + 1); /* one chunk may be kept in reserve */
        void *const again = gm_arena_take(&arena, 24);
        CHECK(!in_old_chunk || again == first); /* the same room */
        gm_arena_rewind(&arena, mark);
        CHECK(gm_arena_take(&arena, next_random() % 200) != NULL);
        CHECK(strcmp(kept, "kept") == 0);
    }
    gm_arena_rewind(&arena, empty);
    CHECK(state.live <= 1 && arena.chunk == NULL && gm_arena_take(&arena, 1) != NULL);
    gm_arena_destroy(&arena);
    CHECK(state.live == 0 && arena.reserved == 0);
}

static void a_loop_of_taking_and_rewinding_allocates_once(void)
{
    for (size_t filled = 0; filled < 6000; filled += 111) { /* wherever in a chunk the loop begins */
        failing_allocator state = {.budget = -1};
        const gm_allocator allocator = failing_allocator_of(&state);
        gm_arena arena;
        gm_arena_init(&arena, &allocator);
        for (size_t i = 0; i < filled; i += 100)
            CHECK(gm_arena_take(&arena, 100) != NULL);
        long calls = 0;
        for (int round = 0; round < 20; round++) {
            const gm_arena_mark mark = gm_arena_save(&arena);
            for (int i = 0; i < 10; i++)
                CHECK(gm_arena_take(&arena, 90) != NULL);
            gm_arena_rewind(&arena, mark);
            CHECK(round == 0 || state.calls == calls);
            calls = state.calls;
        }
        gm_arena_destroy(&arena);
        CHECK(state.live == 0);
    }
}

static void a_large_chunk_is_not_kept(void)
{
    failing_allocator state = {.budget = -1};
    const gm_allocator allocator = failing_allocator_of(&state);
    gm_arena arena;
    gm_arena_init(&arena, &allocator);
    CHECK(gm_arena_take(&arena, 10) != NULL);
    const gm_arena_mark mark = gm_arena_save(&arena);
    CHECK(gm_arena_take(&arena, 10u << 20) != NULL);
    gm_arena_rewind(&arena, mark);
    CHECK(arena.reserved < 1u << 20 && state.live == 1);
    gm_arena_destroy(&arena);
    CHECK(state.live == 0);
}

static void a_budget_is_never_exceeded(void)
{
    const gm_allocator allocator = gm_allocator_or_default(NULL);
    for (size_t budget = 0; budget < 6000; budget += 37) {
        gm_arena arena;
        gm_arena_init(&arena, &allocator);
        arena.budget = budget;
        size_t taken = 0;
        for (; gm_arena_take(&arena, 48) != NULL; taken += 48)
            CHECK(arena.reserved <= budget);
        CHECK(arena.reserved <= budget && taken <= budget);
        CHECK(budget < 1200 || taken > budget / 4); /* most of it can be used */
        const size_t reserved = arena.reserved;
        CHECK(gm_arena_take(&arena, 100000) == NULL && arena.reserved == reserved);
        arena.budget = reserved / 2; /* tightened: nothing new, and nothing lost */
        CHECK(gm_arena_take(&arena, 5000) == NULL && arena.reserved == reserved);
        arena.budget = SIZE_MAX;
        CHECK(gm_arena_take(&arena, 100000) != NULL);
        gm_arena_destroy(&arena);
    }
}

static void an_arena_is_as_before_when_memory_ends(void)
{
    for (long budget = 0; budget < 12; budget++) {
        failing_allocator state = {.budget = budget};
        const gm_allocator allocator = failing_allocator_of(&state);
        gm_arena arena;
        gm_arena_init(&arena, &allocator);
        for (int i = 0; i < 4000; i++) {
            const gm_arena_mark before = gm_arena_save(&arena);
            const size_t reserved = arena.reserved;
            if (gm_arena_take(&arena, 400) == NULL) {
                const gm_arena_mark after = gm_arena_save(&arena);
                CHECK(before.chunk == after.chunk && before.used == after.used && arena.reserved == reserved);
                CHECK(state.live == budget);
                break;
            }
        }
        CHECK(gm_arena_take(&arena, SIZE_MAX) == NULL && gm_arena_take(&arena, SIZE_MAX - 8) == NULL);
        CHECK(gm_arena_take(&arena, PTRDIFF_MAX) == NULL && gm_arena_array(&arena, SIZE_MAX / 2, 4) == NULL);
        gm_arena_destroy(&arena);
        CHECK(state.live == 0);
    }
}

static void copies_are_copies(void)
{
    const gm_allocator allocator = gm_allocator_or_default(NULL);
    gm_arena arena;
    gm_arena_init(&arena, &allocator);
    const char source[] = {'a', 0, 'b'};
    const char *text = gm_arena_text(&arena, (gm_bytes){source, 3});
    CHECK(memcmp(text, "a\0b", 4) == 0);
    CHECK(memcmp(gm_arena_copy(&arena, source, 3), source, 3) == 0);
    CHECK(gm_arena_text(&arena, (gm_bytes){NULL, 0})[0] == '\0' && gm_arena_copy(&arena, NULL, 0) != NULL);
    const uint64_t *numbers = GM_ARENA_NEW(&arena, uint64_t, 100);
    uint64_t sum = 0;
    for (size_t i = 0; i < 100; i++)
        sum |= numbers[i];
    CHECK(sum == 0);
    gm_arena_destroy(&arena);
}

static void free_room_is_poisoned(void)
{
#ifdef WITH_ASAN
    const gm_allocator allocator = gm_allocator_or_default(NULL);
    gm_arena arena;
    gm_arena_init(&arena, &allocator);
    for (size_t size = 1; size < 70; size++) { /* a chunk that was freed is poisoned as well */
        char *block = gm_arena_take(&arena, size);
        CHECK(__asan_region_is_poisoned(block, size) == NULL && __asan_address_is_poisoned(block + size));
        const gm_arena_mark mark = gm_arena_save(&arena);
        char *next = gm_arena_take(&arena, size);
        CHECK(__asan_address_is_poisoned(block + size) && !__asan_address_is_poisoned(next));
        gm_arena_rewind(&arena, mark);
        CHECK(!__asan_address_is_poisoned(block + size - 1) && __asan_address_is_poisoned(next));
    }
    gm_arena_destroy(&arena);
#else
    printf("SKIP free_room_is_poisoned: built without AddressSanitizer\n");
#endif
}

/* ---- array ---- */

static void an_array_keeps_its_items_while_it_grows(void)
{
    failing_allocator state = {.budget = -1};
    const gm_allocator allocator = failing_allocator_of(&state);
    GM_ARRAY(uint32_t) array = {0};
    CHECK(GM_ARRAY_PUSH(&allocator, &array, 1));
    for (uint32_t i = 1; i < 5000; i++) /* reads the array that it makes grow */
        CHECK(GM_ARRAY_PUSH(&allocator, &array, array.items[array.count - 1] + 1));
    size_t wrong = 0;
    for (uint32_t i = 0; i < 5000; i++)
        wrong += array.items[i] != i + 1;
    CHECK(wrong == 0 && array.count == 5000 && state.live == 1 && state.calls < 20);
    CHECK(GM_ARRAY_RESERVE(&allocator, &array, 100000) && array.capacity >= 105000 && array.count == 5000);
    CHECK(!GM_ARRAY_RESERVE(&allocator, &array, SIZE_MAX) && !GM_ARRAY_RESERVE(&allocator, &array, SIZE_MAX / 4));
    CHECK(array.items[4999] == 5000);
    GM_ARRAY_FREE(&allocator, &array);
    CHECK(state.live == 0);
    GM_ARRAY_FREE(&allocator, &array); /* an empty one, too */
}

static void an_array_is_as_before_when_memory_ends(void)
{
    for (long budget = 0; budget < 8; budget++) {
        failing_allocator state = {.budget = budget};
        const gm_allocator allocator = failing_allocator_of(&state);
        GM_ARRAY(uint64_t) array = {0};
        while (array.count < 100000 && GM_ARRAY_PUSH(&allocator, &array, array.count))
            continue;
        CHECK(array.count == array.capacity && (array.items == NULL) == (budget == 0));
        for (size_t i = 0; i < array.count; i++)
            if (array.items[i] != i)
                CHECK(!"an item was lost");
        state.budget = 1;
        CHECK(GM_ARRAY_PUSH(&allocator, &array, 1)); /* and it may go on later */
        GM_ARRAY_FREE(&allocator, &array);
        CHECK(state.live == 0);
    }
}

/* ---- table ---- */

static size_t occurrences(const gm_table *table, uint64_t hash, uint32_t id)
{
    size_t found = 0;
    for (gm_probe probe = gm_table_find(table, hash); gm_probe_next(table, &probe);)
        found += probe.id == id;
    return found;
}

static void a_table_finds_each_id_under_its_hash(void)
{
    enum { IDS = 3000 };
    const gm_allocator allocator = gm_allocator_or_default(NULL);
    static const uint64_t spreads[] = {UINT64_MAX, 0xFF, 1, 0xFFFFFFFF00000000u, 0xF0};
    for (size_t s = 0; s < GM_COUNT_OF(spreads); s++) {
        static uint64_t hashes[IDS];
        const size_t ids = s == 0 || s == 3 ? IDS : 300; /* few hashes: long chains */
        gm_table table;
        gm_table_init(&table, &allocator);
        CHECK(occurrences(&table, 0, 0) == 0);
        for (uint32_t id = 0; id < ids; id++) {
            hashes[id] = (next_random() * 0x9E3779B97F4A7C15u) & spreads[s];
            CHECK(gm_table_add(&table, hashes[id], id));
        }
        CHECK(gm_table_add(&table, 5, UINT32_MAX - 1) && occurrences(&table, 5, UINT32_MAX - 1) == 1);
        size_t wrong = 0;
        for (uint32_t id = 0; id < ids; id++)
            wrong += occurrences(&table, hashes[id], id) != 1;
        CHECK(wrong == 0 && table.count == ids + 1 && table.count < table.capacity);
        gm_table_destroy(&table);
        CHECK(occurrences(&table, hashes[0], 0) == 0);
    }
}

static void a_table_is_as_before_when_memory_ends(void)
{
    for (long budget = 0; budget < 6; budget++) {
        failing_allocator state = {.budget = budget};
        const gm_allocator allocator = failing_allocator_of(&state);
        gm_table table;
        gm_table_init(&table, &allocator);
        uint32_t id = 0;
        while (gm_table_add(&table, gm_mix(id), id))
            id++;
        CHECK(table.count == id && state.live == (budget > 0));
        for (uint32_t i = 0; i < id; i++)
            CHECK(occurrences(&table, gm_mix(i), i) == 1);
        state.budget = -1;
        CHECK(gm_table_add(&table, gm_mix(id), id) && occurrences(&table, gm_mix(id), id) == 1);
        gm_table_destroy(&table);
        CHECK(state.live == 0);
    }
}

/* ---- UTF-8 ---- */

/* Length of the well-formed sequence at the start, by the grammar of RFC 3629; 0 if there is none. */
static size_t sequence_by_grammar(const unsigned char *bytes, size_t length)
{
    static const unsigned char rules[][5] = {
        /* lead from, lead to, second from, second to, length */
        {0x00, 0x7F, 0, 0, 1},          {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3},
        {0xE1, 0xEC, 0x80, 0xBF, 3},    {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3},
        {0xF0, 0xF0, 0x90, 0xBF, 4},    {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4},
    };
    for (size_t r = 0; r < GM_COUNT_OF(rules); r++) {
        const unsigned char *rule = rules[r];
        if (bytes[0] < rule[0] || bytes[0] > rule[1])
            continue;
        if (length < rule[4] || (rule[4] > 1 && (bytes[1] < rule[2] || bytes[1] > rule[3])))
            return 0;
        for (size_t i = 2; i < rule[4]; i++)
            if (bytes[i] < 0x80 || bytes[i] > 0xBF)
                return 0;
        return rule[4];
    }
    return 0;
}

static bool reads_as_the_grammar_says(const unsigned char *bytes, size_t length)
{
    size_t at = 0;
    const uint32_t value = gm_utf8_read((const char *)bytes, length, &at);
    const size_t wanted = sequence_by_grammar(bytes, length);
    if (wanted == 0)
        return value == UINT32_MAX && at == 0;
    char back[4];
    return at == wanted && gm_utf8_write(value, back) == wanted && memcmp(back, bytes, wanted) == 0;
}

static void every_sequence_of_up_to_three_bytes_reads_as_the_grammar_says(void)
{
    size_t wrong = 0;
    for (uint32_t all = 0; all <= 0xFFFFFF; all++) {
        const unsigned char bytes[3] = {(unsigned char)(all >> 16), (unsigned char)(all >> 8), (unsigned char)all};
        wrong += !reads_as_the_grammar_says(bytes, 3);
        if ((all & 0xFF) == 0)
            wrong += !reads_as_the_grammar_says(bytes, 2);
        if ((all & 0xFFFF) == 0)
            wrong += !reads_as_the_grammar_says(bytes, 1);
    }
    CHECK(wrong == 0);
}

/* All leads and second bytes; of the last two one byte from each side of every boundary. */
static void sequences_of_four_bytes_read_as_the_grammar_says(void)
{
    static const unsigned char edges[] = {0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xE0, 0xFF};
    size_t wrong = 0;
    for (unsigned lead = 0; lead < 256; lead++)
        for (unsigned second = 0; second < 256; second++)
            for (size_t i = 0; i < sizeof edges * sizeof edges; i++) {
                const unsigned char bytes[4] = {(unsigned char)lead, (unsigned char)second, edges[i / sizeof edges],
                                                edges[i % sizeof edges]};
                wrong += !reads_as_the_grammar_says(bytes, 4);
            }
    CHECK(wrong == 0);
}

static void every_code_point_comes_back(void)
{
    size_t wrong = 0;
    for (uint32_t code_point = 0; code_point <= GM_MAX_CODE_POINT; code_point++) {
        if (code_point >= 0xD800 && code_point <= 0xDFFF)
            continue;
        char bytes[4];
        const size_t size = gm_utf8_write(code_point, bytes);
        size_t at = 0;
        wrong += gm_utf8_read(bytes, size, &at) != code_point || at != size;
        at = 0;
        wrong += size > 1 && gm_utf8_read(bytes, size - 1, &at) != UINT32_MAX;
    }
    CHECK(wrong == 0);
}

static void texts_are_counted_and_cut_where_they_break(void)
{
    for (int round = 0; round < 3000; round++) {
        char text[40];
        size_t length = 0, count = 0;
        const size_t letters = next_random() % 9;
        for (; count < letters; count++) {
            uint32_t code_point = (uint32_t)(next_random() % (round % 2 ? 0x900 : 0x110000));
            if (code_point >= 0xD800 && code_point <= 0xDFFF)
                code_point = 'x';
            length += gm_utf8_write(code_point, text + length);
        }
        CHECK(gm_utf8_count((gm_bytes){text, length}) == count && gm_utf8_valid_prefix((gm_bytes){text, length}) == length);
        text[length] = (char)0xE2; /* a sequence that never ends */
        text[length + 1] = (char)0x82;
        const gm_bytes broken = {text, length + 1 + next_random() % 2};
        CHECK(gm_utf8_count(broken) == SIZE_MAX && gm_utf8_valid_prefix(broken) == length);
    }
    CHECK(gm_utf8_count((gm_bytes){NULL, 0}) == 0 && gm_utf8_valid_prefix((gm_bytes){NULL, 0}) == 0);
}

static void byte_order_is_code_point_order(void)
{
    for (int round = 0; round < 20000; round++) {
        uint32_t points[2];
        char texts[2][4];
        gm_bytes bytes[2];
        for (int i = 0; i < 2; i++) {
            points[i] = (uint32_t)(next_random() % 0x110000) >> next_random() % 14;
            if (points[i] >= 0xD800 && points[i] <= 0xDFFF)
                points[i] = 0xFFFF;
            bytes[i] = (gm_bytes){texts[i], gm_utf8_write(points[i], texts[i])};
        }
        const int order = gm_bytes_compare(bytes[0], bytes[1]);
        CHECK((order < 0) == (points[0] < points[1]) && (order == 0) == (points[0] == points[1]));
        CHECK(gm_bytes_equal(bytes[0], bytes[1]) == (points[0] == points[1]));
    }
    CHECK(gm_bytes_compare(GM_BYTES("a"), GM_BYTES("ab")) < 0 && gm_bytes_compare(GM_BYTES(""), GM_BYTES("")) == 0);
}

/* ---- lock ---- */

typedef struct shared_counter {
    gm_lock lock;
    long value;
} shared_counter;

static void *count_up(void *context)
{
    shared_counter *counter = context;
    for (int i = 0; i < 20000; i++) {
        gm_lock_acquire(&counter->lock);
        counter->value++;
        gm_lock_release(&counter->lock);
    }
    return NULL;
}

static void a_lock_lets_one_thread_in_at_a_time(void)
{
    shared_counter counter = {.value = 0};
    pthread_t threads[4];
    CHECK(gm_lock_init(&counter.lock));
    for (size_t i = 0; i < GM_COUNT_OF(threads); i++)
        CHECK(pthread_create(&threads[i], NULL, count_up, &counter) == 0);
    for (size_t i = 0; i < GM_COUNT_OF(threads); i++)
        pthread_join(threads[i], NULL);
    CHECK(counter.value == 80000);
    gm_lock_destroy(&counter.lock);
}

/* ---- slabs ---- */

typedef struct held {
    uint8_t *block;
    size_t size;
    uint8_t value;
} held;

static bool is_filled(const held *h)
{
    for (size_t i = 0; i < h->size; i++)
        if (h->block[i] != h->value)
            return false;
    return true;
}

/* Sizes below, among and above those that are cut from slabs, the bounds often. */
static size_t random_size(uint64_t *state)
{
    static const size_t bounds[] = {1, 511, 512, 513, 1024, 8192, 262144, 524287, 524288, 524289, 700000};
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    const uint64_t pick = *state >> 33;
    return pick % 3 == 0 ? bounds[pick / 3 % GM_COUNT_OF(bounds)] : 1 + (pick >> 4) % ((size_t)1 << pick % 20);
}

static void blocks_of_slabs_are_apart_and_keep_what_they_hold(void)
{
    gm_slabs *slabs = gm_slabs_create();
    if (slabs == NULL) { /* under AddressSanitizer */
        printf("SKIP blocks_of_slabs_are_apart_and_keep_what_they_hold: built with AddressSanitizer\n");
        return;
    }
    const gm_allocator allocator = gm_slabs_allocator(slabs);
    held all[96] = {{0}};
    uint64_t state = 7;
    bool intact = true;
    for (int round = 0; round < 6000; round++) {
        held *h = &all[(state >> 40) % GM_COUNT_OF(all)];
        const size_t size = random_size(&state);
        if (h->block != NULL)
            intact = intact && is_filled(h);
        if (h->block != NULL && (state >> 50) % 3 != 0) {
            gm_deallocate(&allocator, h->block, h->size, 1);
            *h = (held){0};
            continue;
        }
        const size_t kept = h->size < size ? h->size : size;
        uint8_t *block = gm_reallocate(&allocator, h->block, h->size, size, 1);
        CHECK(block != NULL);
        intact = intact && (kept == 0 || is_filled(&(held){block, kept, h->value}));
        *h = (held){block, size, (uint8_t)round};
        memset(block, h->value, size);
        if (round % 100 == 0)
            gm_slabs_make_ready(slabs);
    }
    for (size_t i = 0; i < GM_COUNT_OF(all); i++) {
        intact = intact && (all[i].block == NULL || is_filled(&all[i]));
        gm_deallocate(&allocator, all[i].block, all[i].size, 1);
    }
    CHECK(intact);
    gm_slabs_destroy(slabs); /* asks that all blocks came back */
}

/* What is given back becomes large blocks again: as many of the largest fit as before. */
static void what_is_given_back_is_whole_again(void)
{
    gm_slabs *slabs = gm_slabs_create();
    if (slabs == NULL) {
        printf("SKIP what_is_given_back_is_whole_again: built with AddressSanitizer\n");
        return;
    }
    const gm_allocator allocator = gm_slabs_allocator(slabs);
    enum { SMALL = 3000 };
    static void *small[SMALL];
    uintptr_t lowest = UINTPTR_MAX, highest = 0;
    for (size_t i = 0; i < SMALL; i++) {
        small[i] = gm_allocate(&allocator, 512, 1);
        lowest = (uintptr_t)small[i] < lowest ? (uintptr_t)small[i] : lowest;
        highest = (uintptr_t)small[i] > highest ? (uintptr_t)small[i] : highest;
    }
    for (size_t i = 0; i < SMALL; i++) /* in another order than they were taken */
        gm_deallocate(&allocator, small[i * 7 % SMALL], 512, 1);
    void *large[3];
    bool inside = true;
    for (size_t i = 0; i < GM_COUNT_OF(large); i++) {
        large[i] = gm_allocate(&allocator, 512 << 10, 1);
        inside = inside && (uintptr_t)large[i] >= (lowest & ~(uintptr_t)0x1FFFFF) && (uintptr_t)large[i] < (lowest | 0x1FFFFF);
    }
    CHECK(highest - lowest < 2 << 20 && inside);
    for (size_t i = 0; i < GM_COUNT_OF(large); i++)
        gm_deallocate(&allocator, large[i], 512 << 10, 1);
    gm_slabs_destroy(slabs);
}

typedef struct slab_user {
    gm_allocator allocator;
    uint64_t seed;
    bool intact;
} slab_user;

static void *use_slabs(void *context)
{
    slab_user *user = context;
    held all[16] = {{0}};
    user->intact = true;
    for (int round = 0; round < 4000; round++) {
        held *h = &all[round % 16];
        user->intact = user->intact && (h->block == NULL || is_filled(h));
        gm_deallocate(&user->allocator, h->block, h->size, 1);
        const size_t size = random_size(&user->seed) % 20000 + 1;
        *h = (held){gm_allocate(&user->allocator, size, 1), size, (uint8_t)(round + user->seed)};
        memset(h->block, h->value, size);
    }
    for (size_t i = 0; i < GM_COUNT_OF(all); i++)
        gm_deallocate(&user->allocator, all[i].block, all[i].size, 1);
    return NULL;
}

static void threads_share_slabs(void)
{
    gm_slabs *slabs = gm_slabs_create();
    if (slabs == NULL) {
        printf("SKIP threads_share_slabs: built with AddressSanitizer\n");
        return;
    }
    slab_user users[4];
    pthread_t threads[4];
    for (size_t i = 0; i < GM_COUNT_OF(users); i++) {
        users[i] = (slab_user){gm_slabs_allocator(slabs), i + 1, false};
        CHECK(pthread_create(&threads[i], NULL, use_slabs, &users[i]) == 0);
    }
    for (size_t i = 0; i < GM_COUNT_OF(users); i++) {
        pthread_join(threads[i], NULL);
        CHECK(users[i].intact);
    }
    gm_slabs_destroy(slabs);
}

int main(void)
{
    RUN(bits_of_a_word_are_counted_and_found);
    RUN(an_error_holds_what_was_said);
    RUN(long_texts_are_cut_between_characters);
    RUN(an_error_may_be_made_from_itself);
    RUN(impossible_sizes_are_no_memory);
    RUN(a_custom_allocator_is_the_only_one_used);
    RUN(hashes_tell_texts_apart);
    RUN(blocks_are_aligned_and_apart_and_stay);
    RUN(rewinding_gives_back_what_was_taken_since);
    RUN(a_loop_of_taking_and_rewinding_allocates_once);
    RUN(a_large_chunk_is_not_kept);
    RUN(a_budget_is_never_exceeded);
    RUN(an_arena_is_as_before_when_memory_ends);
    RUN(copies_are_copies);
    RUN(free_room_is_poisoned);
    RUN(an_array_keeps_its_items_while_it_grows);
    RUN(an_array_is_as_before_when_memory_ends);
    RUN(a_table_finds_each_id_under_its_hash);
    RUN(a_table_is_as_before_when_memory_ends);
    RUN(every_sequence_of_up_to_three_bytes_reads_as_the_grammar_says);
    RUN(sequences_of_four_bytes_read_as_the_grammar_says);
    RUN(every_code_point_comes_back);
    RUN(texts_are_counted_and_cut_where_they_break);
    RUN(byte_order_is_code_point_order);
    RUN(a_lock_lets_one_thread_in_at_a_time);
    RUN(blocks_of_slabs_are_apart_and_keep_what_they_hold);
    RUN(what_is_given_back_is_whole_again);
    RUN(threads_share_slabs);
    return REPORT("test_base");
}
