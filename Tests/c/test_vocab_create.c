/* test_vocab_create.c - descriptions: what is legal, what is refused, spellings, kinds, the digest. */
#include "check.h"
#include "vocab/vocab.h"

typedef struct token {
    const char *text;
    size_t length;
    uint8_t flags;
} token;

#define TEXT(literal) {literal, sizeof(literal) - 1, 0}
#define FLAGGED(literal, bits) {literal, sizeof(literal) - 1, (bits)}

enum { MOST = 4096 };

static const uint8_t *texts[MOST];
static size_t lengths[MOST];
static uint8_t flags[MOST];

/* A description of form two over static arrays. */
static gm_vocab_desc describe(const token *tokens, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        texts[i] = (const uint8_t *)tokens[i].text;
        lengths[i] = tokens[i].length;
        flags[i] = tokens[i].flags;
    }
    return (gm_vocab_desc){
        .struct_size = sizeof(gm_vocab_desc), .token_count = count, .texts = texts, .lengths = lengths, .flags = flags};
}

static gm_vocab *make(const gm_vocab_desc *desc)
{
    gm_vocab *vocab = NULL;
    gm_error error = {0};
    const gm_status status = gm_vocab_create(desc, &vocab, &error);
    CHECK(status == GM_OK);
    if (status != GM_OK) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
    CHECK(gm_vocab_check(vocab, &error) == GM_OK);
    return vocab;
}

static bool text_is(const gm_vocab *vocab, uint32_t id, const char *text, size_t length)
{
    const uint8_t *bytes;
    size_t size;
    return gm_vocab_token(vocab, id, &bytes, &size, NULL) == GM_OK && size == length && bytes != NULL &&
           memcmp(bytes, text, length) == 0;
}
#define IS(vocab, id, literal) text_is(vocab, id, literal, sizeof(literal) - 1)

static uint32_t flags_of(const gm_vocab *vocab, uint32_t id)
{
    uint32_t bits = 99;
    CHECK(gm_vocab_token(vocab, id, NULL, NULL, &bits) == GM_OK);
    return bits;
}

static bool has_no_text(const gm_vocab *vocab, uint32_t id)
{
    const uint8_t *bytes = (const uint8_t *)"";
    size_t size = 9;
    return gm_vocab_token(vocab, id, &bytes, &size, NULL) == GM_OK && bytes == NULL && size == 0;
}

static bool maskable(const gm_vocab *vocab, uint32_t id) { return gm_vocab_is_maskable(gm_vocab_tables_of(vocab), id); }

/* The digest as its definition says it, one byte after another. */
static void serialise(uint64_t *hash, const void *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        *hash = (*hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
}

static void serialise_number(uint64_t *hash, uint32_t number)
{
    const unsigned char bytes[4] = {number & 0xFF, number >> 8 & 0xFF, number >> 16 & 0xFF, number >> 24};
    serialise(hash, bytes, 4);
}

static uint64_t plain_digest(const gm_vocab *vocab)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (uint32_t id = 0; id < gm_vocab_token_count(vocab); id++) {
        const uint8_t *bytes;
        size_t length;
        uint32_t bits;
        CHECK(gm_vocab_token(vocab, id, &bytes, &length, &bits) == GM_OK);
        serialise_number(&hash, id);
        serialise_number(&hash, bytes != NULL ? (uint32_t)length : 0xFFFFFFFFu);
        serialise(&hash, bytes, length);
        serialise_number(&hash, bits);
    }
    return hash;
}

/* ---- legal oddities ---- */

static void odd_texts_are_legal(void)
{
    static char spaces[1024];
    memset(spaces, ' ', sizeof spaces);
    const token tokens[] = {
        TEXT("a"), TEXT("a"), TEXT(""), TEXT("a\0b"), TEXT("\0"), TEXT("a\0"), TEXT("\xE2\x80"), TEXT("\x88\xEB\x8B\xA4"),
        TEXT("\xFF"), {spaces, sizeof spaces, 0}, {spaces, 512, 0}, {NULL, 0, 0}, FLAGGED("hole", GM_TOKEN_UNUSED),
        TEXT("\xEF\xBB\xBF"), TEXT("\xED\xA0\x80"), TEXT("\",")};
    gm_vocab_desc desc = describe(tokens, GM_COUNT_OF(tokens));
    desc.logit_width = 100;
    gm_vocab *vocab = make(&desc);
    for (uint32_t id = 0; id < GM_COUNT_OF(tokens); id++) {
        if (id == 12)
            CHECK(has_no_text(vocab, id) && !maskable(vocab, id));
        else
            CHECK(text_is(vocab, id, tokens[id].length != 0 ? tokens[id].text : "", tokens[id].length));
        CHECK(maskable(vocab, id) == (tokens[id].length != 0 && id != 12));
    }
    CHECK(gm_vocab_tables_of(vocab)->max_token_length == 1024);
    CHECK(gm_vocab_tables_of(vocab)->quotes.token_count == 1 && gm_vocab_tables_of(vocab)->quotes.tokens[0] == 15);
    CHECK(gm_vocab_logit_width(vocab) == 100 && gm_vocab_mask_words(vocab) == 4);
    CHECK(gm_vocab_token_count(vocab) == GM_COUNT_OF(tokens));
    for (uint32_t word = 1; word < 4; word++)
        CHECK(gm_vocab_tables_of(vocab)->maskable[word] == 0);
    CHECK(gm_vocab_digest(vocab) == plain_digest(vocab));
    CHECK(gm_vocab_token(vocab, 16, NULL, NULL, NULL) == GM_INVALID_ARGUMENT);
    CHECK(gm_vocab_token(vocab, UINT32_MAX, NULL, NULL, NULL) == GM_INVALID_ARGUMENT);
    gm_vocab_release(vocab);
}

static void both_forms_of_texts_give_the_same_vocabulary(void)
{
    const token tokens[] = {TEXT("ab"), TEXT(""), TEXT("c"), TEXT("{\"")};
    gm_vocab_desc two = describe(tokens, 4);
    const uint64_t offsets[] = {3, 5, 5, 6, 8};
    const gm_vocab_desc one = {.struct_size = sizeof one,
                               .token_count = 4,
                               .blob = (const uint8_t *)"xyzabc{\"rest",
                               .offsets = offsets,
                               .logit_width = 4};
    gm_vocab *a = make(&one), *b = make(&two);
    CHECK(gm_vocab_digest(a) == gm_vocab_digest(b) && gm_vocab_memory(a) == gm_vocab_memory(b));
    CHECK(IS(a, 0, "ab") && IS(a, 3, "{\"") && IS(a, 1, ""));
    gm_vocab_release(a);
    gm_vocab_release(b);
}

static void a_vocabulary_without_any_maskable_token_is_legal(void)
{
    const token tokens[] = {TEXT(""), FLAGGED("x", GM_TOKEN_CONTROL)};
    const gm_vocab_desc desc = describe(tokens, 2);
    gm_vocab *vocab = make(&desc);
    uint64_t bits[4];
    CHECK(gm_vocab_tables_of(vocab)->all.node_count == 1 && gm_vocab_tables_of(vocab)->all.token_count == 0);
    CHECK(gm_vocab_missing_bytes(vocab, bits) == 256 && bits[0] == UINT64_MAX && bits[3] == UINT64_MAX);
    CHECK(gm_vocab_tables_of(vocab)->max_token_length == 0);
    gm_vocab_release(vocab);
}

static void missing_bytes_are_those_of_no_maskable_token(void)
{
    token tokens[256];
    static char letters[256];
    for (int i = 0; i < 256; i++) {
        letters[i] = (char)i;
        tokens[i] = (token){letters + i, 1, i == 'x' ? GM_TOKEN_CONTROL : i == 'y' ? GM_TOKEN_ADDED : 0};
    }
    gm_vocab_desc desc = describe(tokens, 256);
    gm_vocab *vocab = make(&desc);
    uint64_t bits[4];
    CHECK(gm_vocab_missing_bytes(vocab, bits) == 2);
    CHECK(bits[0] == 0 && bits[2] == 0 && bits[3] == 0 && bits[1] == ((uint64_t)3 << ('x' - 64)));
    gm_vocab_release(vocab);
    desc.allow_added = true;
    vocab = make(&desc);
    CHECK(gm_vocab_missing_bytes(vocab, bits) == 1);
    gm_vocab_release(vocab);
}

/* ---- kinds and lists ---- */

static void control_unused_and_unknown_have_no_text_and_no_place_in_masks(void)
{
    const token tokens[] = {FLAGGED("a", GM_TOKEN_CONTROL), FLAGGED("b", GM_TOKEN_UNUSED), FLAGGED("c", GM_TOKEN_UNKNOWN),
                            FLAGGED("d", GM_TOKEN_ADDED | GM_TOKEN_CONTROL), TEXT("e"), TEXT("f"), TEXT("a"),
                            FLAGGED("long", GM_TOKEN_BYTE | GM_TOKEN_UNUSED)};
    gm_vocab_desc desc = describe(tokens, 8);
    const uint32_t special[] = {4, 4, 2}, unused[] = {5};
    desc.special = special, desc.special_count = 3;
    desc.unused = unused, desc.unused_count = 1;
    desc.allow_added = true;
    gm_vocab *vocab = make(&desc);
    for (uint32_t id = 0; id < 8; id++) {
        CHECK(has_no_text(vocab, id) == (id != 6));
        CHECK(maskable(vocab, id) == (id == 6));
    }
    CHECK(flags_of(vocab, 4) == GM_TOKEN_CONTROL && flags_of(vocab, 5) == GM_TOKEN_UNUSED);
    CHECK(flags_of(vocab, 2) == GM_TOKEN_UNKNOWN); /* which wins over control */
    CHECK(flags_of(vocab, 3) == (GM_TOKEN_ADDED | GM_TOKEN_CONTROL));
    CHECK(gm_vocab_digest(vocab) == plain_digest(vocab));
    gm_vocab_release(vocab);
}

static void added_tokens_are_maskable_when_white_or_wanted(void)
{
    const token tokens[] = {FLAGGED(" \t\n\r", GM_TOKEN_ADDED), FLAGGED("\n\n", GM_TOKEN_ADDED),
                            FLAGGED(" x", GM_TOKEN_ADDED),       FLAGGED("", GM_TOKEN_ADDED),
                            FLAGGED("\v", GM_TOKEN_ADDED),       FLAGGED("\xC2\xA0", GM_TOKEN_ADDED),
                            FLAGGED(" \0", GM_TOKEN_ADDED)};
    gm_vocab_desc desc = describe(tokens, GM_COUNT_OF(tokens));
    gm_vocab *vocab = make(&desc);
    for (uint32_t id = 0; id < GM_COUNT_OF(tokens); id++)
        CHECK(maskable(vocab, id) == (id < 2) && !has_no_text(vocab, id));
    gm_vocab_release(vocab);
    desc.allow_added = true;
    vocab = make(&desc);
    for (uint32_t id = 0; id < GM_COUNT_OF(tokens); id++)
        CHECK(maskable(vocab, id) == (id != 3));
    gm_vocab_release(vocab);
}

static void stop_ids_come_out_ascending_once_each(void)
{
    const token tokens[] = {TEXT("a"), TEXT("b"), TEXT("c")};
    gm_vocab_desc desc = describe(tokens, 3);
    const uint32_t stop[] = {70, 2, 31, 2, 32, 0, 70};
    desc.logit_width = 71;
    desc.stop = stop, desc.stop_count = 7;
    gm_vocab *vocab = make(&desc);
    size_t count;
    const uint32_t *ids = gm_vocab_stop(vocab, &count);
    CHECK(count == 5 && ids[0] == 0 && ids[1] == 2 && ids[2] == 31 && ids[3] == 32 && ids[4] == 70);
    gm_vocab_release(vocab);
}

static void what_a_vocabulary_says_of_itself_is_kept(void)
{
    const token tokens[] = {FLAGGED("a", GM_TOKEN_CONTINUATION)};
    gm_vocab_desc desc = describe(tokens, 1);
    gm_vocab *vocab = make(&desc);
    CHECK(!gm_vocab_prefix_space(vocab) && !gm_vocab_has_word_pieces(vocab) && maskable(vocab, 0));
    gm_vocab_release(vocab);
    desc.prefix_space = true;
    desc.word_pieces = true;
    vocab = make(&desc);
    CHECK(gm_vocab_prefix_space(vocab) && gm_vocab_has_word_pieces(vocab));
    CHECK(flags_of(vocab, 0) == GM_TOKEN_CONTINUATION);
    gm_vocab_release(vocab);
}

/* ---- spellings ---- */

static size_t put_utf8(uint32_t letter, char *out)
{
    if (letter < 0x80) {
        out[0] = (char)letter;
        return 1;
    }
    out[0] = (char)(0xC0 | letter >> 6);
    out[1] = (char)(0x80 | (letter & 0x3F));
    return 2;
}

static void the_byte_level_alphabet_spells_each_byte(void)
{
    /* Built as its definition says: bytes that print keep their number, the others follow in order. */
    token tokens[256];
    static char letters[256][2];
    uint32_t next = 256;
    for (uint32_t byte = 0; byte < 256; byte++) {
        const bool prints = (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
        tokens[byte] = (token){letters[byte], put_utf8(prints ? byte : next++, letters[byte]), 0};
    }
    gm_vocab_desc desc = describe(tokens, 256);
    desc.spelling = GM_SPELLING_BYTE_LEVEL;
    gm_vocab *vocab = make(&desc);
    for (uint32_t byte = 0; byte < 256; byte++)
        CHECK(text_is(vocab, byte, (const char[]){(char)byte}, 1) && flags_of(vocab, byte) == 0);
    CHECK(next == 256 + 68);
    gm_vocab_release(vocab);
}

static void a_letter_outside_the_alphabet_makes_the_whole_piece_raw(void)
{
    const token tokens[] = {TEXT("\xC4\xA0x"),                          /* U+0120: a space */
                            TEXT("\xC4\xA0\xE2\x84\xA2"),               /* and a trade mark sign */
                            TEXT("a b"),                                /* a true space is no letter of it */
                            TEXT("\xC5\x84"),                           /* U+0144: the first one past */
                            TEXT("\xC5\x83"),                           /* U+0143: AD */
                            TEXT("\xC4\xA0\xC4"),                       /* ill-formed */
                            TEXT("\xC2\xAD"),                           /* U+00AD itself */
                            TEXT("\xE2\x96\x81{"),                      /* U+2581 is three bytes here */
                            TEXT("<0x0A>"),                             /* and this is text */
                            FLAGGED("\xC4\xA0x", GM_TOKEN_ADDED),       /* added tokens are raw */
                            FLAGGED("caf\xC3\xA9", GM_TOKEN_ADDED),     /* even where the alphabet has them */
                            TEXT("caf\xC3\xA9"), TEXT("")};
    gm_vocab_desc desc = describe(tokens, GM_COUNT_OF(tokens));
    desc.spelling = GM_SPELLING_BYTE_LEVEL;
    gm_vocab *vocab = make(&desc);
    CHECK(IS(vocab, 0, " x"));
    CHECK(IS(vocab, 4, "\xAD"));
    CHECK(IS(vocab, 11, "caf\xE9"));
    for (uint32_t id = 1; id < GM_COUNT_OF(tokens); id++)
        if (id != 4 && id != 11)
            CHECK(text_is(vocab, id, tokens[id].text, tokens[id].length));
    CHECK(flags_of(vocab, 8) == 0);
    gm_vocab_release(vocab);
}

static void byte_fallback_spells_spaces_and_single_bytes(void)
{
    const token tokens[] = {TEXT("\xE2\x96\x81{"),
                            TEXT("\xE2\x96\x81\xE2\x96\x81"),
                            TEXT("<0x0A>"),
                            TEXT("<0xfF>"),
                            TEXT("<0x0G>"),
                            TEXT("<0x0A> "),
                            TEXT("<0X0A>"),
                            TEXT("_"),
                            TEXT("\xE2\x96"),
                            FLAGGED("\xE2\x96\x81", GM_TOKEN_ADDED),
                            FLAGGED("<0x0B>", GM_TOKEN_ADDED),
                            FLAGGED("<0x0C>", GM_TOKEN_BYTE),
                            FLAGGED("\x0D", GM_TOKEN_BYTE),
                            TEXT("<0x00>"),
                            TEXT("{"),
                            TEXT("<0x7B>")};
    gm_vocab_desc desc = describe(tokens, GM_COUNT_OF(tokens));
    desc.spelling = GM_SPELLING_BYTE_FALLBACK;
    gm_vocab *vocab = make(&desc);
    CHECK(IS(vocab, 0, " {") && IS(vocab, 1, "  ") && IS(vocab, 2, "\n") && IS(vocab, 3, "\xFF"));
    CHECK(IS(vocab, 4, "<0x0G>") && IS(vocab, 5, "<0x0A> ") && IS(vocab, 6, "<0X0A>") && IS(vocab, 7, "_"));
    CHECK(IS(vocab, 8, "\xE2\x96") && IS(vocab, 9, "\xE2\x96\x81") && IS(vocab, 10, "<0x0B>"));
    CHECK(IS(vocab, 11, "\x0C") && IS(vocab, 12, "\r") && IS(vocab, 13, "\0") && IS(vocab, 15, "{"));
    for (uint32_t id = 0; id < GM_COUNT_OF(tokens); id++) {
        const bool is_byte = id == 2 || id == 3 || (id >= 11 && id <= 13) || id == 15;
        CHECK((flags_of(vocab, id) & GM_TOKEN_BYTE) == (is_byte ? GM_TOKEN_BYTE : 0));
    }
    CHECK(maskable(vocab, 14) && maskable(vocab, 15)); /* duplicates both */
    gm_vocab_release(vocab);
}

static void raw_texts_are_themselves(void)
{
    const token tokens[] = {TEXT("\xC4\xA0x"), TEXT("\xE2\x96\x81"), TEXT("<0x0A>"), FLAGGED("\n", GM_TOKEN_BYTE)};
    const gm_vocab_desc desc = describe(tokens, 4);
    gm_vocab *vocab = make(&desc);
    for (uint32_t id = 0; id < 4; id++)
        CHECK(text_is(vocab, id, tokens[id].text, tokens[id].length) && flags_of(vocab, id) == tokens[id].flags);
    gm_vocab_release(vocab);
}

/* ---- refusals ---- */

static void refuses(const gm_vocab_desc *desc, const char *word)
{
    gm_vocab *vocab = (gm_vocab *)(void *)flags;
    gm_error error = {0};
    CHECK(gm_vocab_create(desc, &vocab, &error) == GM_INVALID_ARGUMENT && error.status == GM_INVALID_ARGUMENT);
    CHECK(vocab == (gm_vocab *)(void *)flags);
    CHECK(strstr(error.message, word) != NULL);
    CHECK(gm_vocab_create(desc, &vocab, NULL) == GM_INVALID_ARGUMENT);
}

static void a_callers_mistake_is_refused_by_name(void)
{
    const token tokens[] = {TEXT("a"), TEXT("b")};
    const gm_vocab_desc good = describe(tokens, 2);
    const uint32_t two[] = {0, 2};
    const uint64_t falling[] = {0, 2, 1};
    const gm_allocator partial = {0};
    gm_vocab_desc bad;
#define REFUSED(word, ...) (bad = good, __VA_ARGS__, refuses(&bad, word))
    REFUSED("struct_size", bad.struct_size = 0);
    REFUSED("struct_size", bad.struct_size--);
    REFUSED("token_count", bad.token_count = 0);
    REFUSED("token_count", bad.token_count = (size_t)1 << 31);
    REFUSED("logit_width", bad.logit_width = 1);
    REFUSED("logit_width", bad.logit_width = (size_t)1 << 31);
    REFUSED("spelling", bad.spelling = (gm_spelling)3);
    REFUSED("allocator", bad.allocator = &partial);
    REFUSED("lengths", bad.lengths = NULL);
    REFUSED("offsets", bad.texts = NULL);
    REFUSED("after token 1", bad.texts = NULL, bad.offsets = falling);
    REFUSED("blob", bad.texts = NULL, bad.offsets = (const uint64_t[]){0, 1, 1});
    REFUSED("special[1] is 2", bad.special = two, bad.special_count = 2);
    REFUSED("unused[1] is 2", bad.unused = two, bad.unused_count = 2);
    REFUSED("stop[1] is 2", bad.stop = two, bad.stop_count = 2);
    REFUSED("special is NULL", bad.special_count = 1);
    flags[1] = 64;
    refuses(&good, "flags of token 1");
    flags[1] = 0;
    texts[1] = NULL;
    refuses(&good, "text 1 is NULL");
    const token pair[] = {TEXT("a"), FLAGGED("bc", GM_TOKEN_BYTE)};
    const gm_vocab_desc two_bytes = describe(pair, 2);
    refuses(&two_bytes, "token 1");
    CHECK(gm_vocab_create(NULL, NULL, NULL) == GM_INVALID_ARGUMENT);
}

static void texts_past_32_bits_are_refused(void)
{
    static const uint8_t byte[1];
    static uint64_t offsets[3] = {0, 0x80000000u, 0x100000000u};
    const gm_vocab_desc desc = {.struct_size = sizeof desc, .token_count = 2, .blob = byte, .offsets = offsets};
    if (sizeof(size_t) > 4)
        refuses(&desc, "2^32");
}

static void a_longer_description_is_read_if_it_asks_for_nothing_new(void)
{
    const token tokens[] = {TEXT("a")};
    struct {
        gm_vocab_desc desc;
        uint64_t later;
    } newer = {describe(tokens, 1), 0};
    newer.desc.struct_size = sizeof newer;
    gm_vocab_release(make(&newer.desc));
    newer.later = 1;
    refuses(&newer.desc, "struct_size");
}

/* ---- memory ---- */

static void every_allocation_may_fail(void)
{
    static char many[100][24];
    token tokens[MOST];
    for (int i = 0; i < 100; i++) {
        snprintf(many[i], sizeof many[i], "prefixed%02d\"", i); /* one long run of equal keys */
        tokens[i] = (token){many[i], 11, 0};
    }
    gm_vocab_desc desc = describe(tokens, 100);
    const uint32_t stop[] = {3};
    desc.stop = stop, desc.stop_count = 1;
    gm_status status = GM_OUT_OF_MEMORY;
    long budget = 0;
    for (; status == GM_OUT_OF_MEMORY && budget < 1000; budget++) {
        failing_allocator state = {.budget = budget};
        const gm_allocator allocator = failing_allocator_of(&state);
        desc.allocator = &allocator;
        gm_vocab *vocab = NULL;
        gm_error error = {0};
        status = gm_vocab_create(&desc, &vocab, &error);
        CHECK(status == error.status && (vocab != NULL) == (status == GM_OK));
        if (status != GM_OK)
            CHECK(state.live == 0);
        else
            CHECK(state.live == 2 && state.calls == budget);
        gm_vocab_release(vocab);
        CHECK(state.live == 0);
    }
    CHECK(status == GM_OK && budget > 5);
}

static void references_are_counted(void)
{
    failing_allocator state = {.budget = -1};
    const gm_allocator allocator = failing_allocator_of(&state);
    const token tokens[] = {TEXT("a")};
    gm_vocab_desc desc = describe(tokens, 1);
    desc.allocator = &allocator;
    gm_vocab *vocab = make(&desc);
    CHECK(gm_vocab_retain(vocab) == vocab && gm_vocab_allocator(vocab)->context == &state);
    gm_vocab_release(vocab);
    CHECK(state.live == 2 && IS(vocab, 0, "a"));
    gm_vocab_release(vocab);
    CHECK(state.live == 0);
    gm_vocab_release(NULL);
    CHECK(gm_vocab_retain(NULL) == NULL);
}

int main(void)
{
    RUN(odd_texts_are_legal);
    RUN(both_forms_of_texts_give_the_same_vocabulary);
    RUN(a_vocabulary_without_any_maskable_token_is_legal);
    RUN(missing_bytes_are_those_of_no_maskable_token);
    RUN(control_unused_and_unknown_have_no_text_and_no_place_in_masks);
    RUN(added_tokens_are_maskable_when_white_or_wanted);
    RUN(stop_ids_come_out_ascending_once_each);
    RUN(what_a_vocabulary_says_of_itself_is_kept);
    RUN(the_byte_level_alphabet_spells_each_byte);
    RUN(a_letter_outside_the_alphabet_makes_the_whole_piece_raw);
    RUN(byte_fallback_spells_spaces_and_single_bytes);
    RUN(raw_texts_are_themselves);
    RUN(a_callers_mistake_is_refused_by_name);
    RUN(texts_past_32_bits_are_refused);
    RUN(a_longer_description_is_read_if_it_asks_for_nothing_new);
    RUN(every_allocation_may_fail);
    RUN(references_are_counted);
    return REPORT("test_vocab_create");
}
