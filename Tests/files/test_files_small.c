/* test_files_small.c - small files of every format: what each token spells, and what is refused. */
#define _POSIX_C_SOURCE 200809L

#include "made_files.h"

#include <unistd.h>

/* ---- rank files ---- */

static const char ranks[] = "IQ== 0\nIg== 1\n= 2\n4oA= 4\nIQ== 3\n";

static void a_rank_file_may_be_out_of_order_and_hold_an_empty_and_a_repeated_text(void)
{
    const made file = made_of(ranks);
    gm_vocab_info *info = sound(&file, NULL);
    CHECK(gm_vocab_info_kind(info) == GM_FILE_TIKTOKEN);
    CHECK(gm_vocab_token_count(gm_vocab_info_vocab(info)) == 5);
    CHECK(IS_TOKEN(info, 0, "!", 0) && IS_TOKEN(info, 3, "!", 0));
    CHECK(IS_TOKEN(info, 1, "\"", 0));
    CHECK(IS_TOKEN(info, 2, "", 0));
    CHECK(IS_TOKEN(info, 4, "\xe2\x80", 0));
    CHECK(stops_are(info, NULL, 0) && gm_vocab_info_special_count(info) == 0);
    gm_vocab_info_destroy(info);
}

static void specials_of_a_rank_file_come_from_the_caller_in_both_directions(void)
{
    const made file = made_of(ranks);
    const char specials[] = "{\"7\": \"<|end|>\", \"<|call|>\": 9, \"7\": \"<|stop|>\", \"10\": 11, \"1\\u0032\": \"\\ud83d\\ude00\"}";
    const gm_file_options options = {
        .struct_size = sizeof options, .specials = specials, .specials_length = sizeof specials - 1};
    gm_vocab_info *info = sound(&file, &options);
    CHECK(gm_vocab_token_count(gm_vocab_info_vocab(info)) == 13);
    CHECK(IS_EMPTY(info, 5, GM_TOKEN_UNUSED) && IS_EMPTY(info, 6, GM_TOKEN_UNUSED) && IS_EMPTY(info, 8, GM_TOKEN_UNUSED));
    CHECK(IS_EMPTY(info, 7, GM_TOKEN_CONTROL) && IS_EMPTY(info, 9, GM_TOKEN_CONTROL));
    CHECK(gm_vocab_info_special_count(info) == 5);
    CHECK(is_named(info, 7, "<|end|>") && is_named(info, 7, "<|stop|>") && is_named(info, 9, "<|call|>"));
    CHECK(is_named(info, 11, "10") && is_named(info, 12, "\xf0\x9f\x98\x80"));
    gm_vocab_info_destroy(info);
}

static void specials_that_cannot_be_are_refused(void)
{
    static const struct {
        const char *text;
        gm_status status;
        const char *says;
    } cases[] = {
        {"{\"0\": \"x\"}", GM_INVALID_ARGUMENT, "ordinary token"},
        {"{\"x\": \"y\"}", GM_INVALID_FILE, "an id"},
        {"{\"x\": -1}", GM_INVALID_FILE, "an id or a text"},
        {"{\"x\": 1.5}", GM_INVALID_FILE, "an id or a text"},
        {"{\"x\": 1e3}", GM_INVALID_FILE, "an id or a text"},
        {"{\"x\": 99999999999999999999}", GM_INVALID_FILE, "an id or a text"},
        {"{\"x\": 16777216}", GM_INVALID_FILE, "beyond"},
        {"[1]", GM_INVALID_FILE, "an object"},
        {"", GM_INVALID_FILE, "ends at byte 0"},
    };
    const made file = made_of(ranks);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const gm_file_options options = {.struct_size = sizeof options,
                                         .specials = cases[i].text,
                                         .specials_length = strlen(cases[i].text)};
        CHECK(refused(&file, &options, cases[i].status, cases[i].says));
    }
    const gm_file_options options = {.struct_size = sizeof options, .specials = "{}", .specials_length = 2};
    const made json = hugging("{\"type\":\"BPE\",\"vocab\":{\"a\":0},\"merges\":[]}", BYTE_LEVEL, "");
    CHECK(refused(&json, &options, GM_INVALID_ARGUMENT, "hf-bytelevel"));
}

static void lines_that_are_no_rank_lines_are_refused_with_their_offset(void)
{
    static const struct {
        const char *text;
        uint64_t offset;
    } cases[] = {
        {"IQ== 0\nIg==\n", 7},      {"IQ== 0\nIg= 1\n", 7},     {"IQ== 0\nIg== -1\n", 7},  {"IQ== 0\nIg== 0\n", 7},
        {"IQ== 0\nIh== 1\n", 7},    {"IQ== 0\nI?== 1\n", 7},    {"IQ== 0\nIg== 1 2\n", 7}, {"IQ== 0\nIg== 99999999\n", 7},
        {"IQ== 0\n== 1\n", 7},      {"IQ== 0\nI=g= 1\n", 7},    {"IQ== 0\nIg 1\n", 7},     {"IQ== 0\nIg== 1x\n", 7},
        {"IQ== 0\n 1\n", 7},        {"IQ== 0\nIg==1\n", 7},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const made file = made_of(cases[i].text);
        const opened result = open_made(&file, NULL);
        CHECK(result.status == GM_INVALID_FILE && result.error.offset == cases[i].offset);
        gm_vocab_info_destroy(result.info);
    }
}

static void an_id_that_only_a_huge_file_could_have_is_refused(void)
{
    const made fits = made_of("IQ== 1048576\n"), beyond = made_of("IQ== 2000000\n");
    gm_vocab_info *info = sound(&fits, NULL);
    CHECK(gm_vocab_token_count(gm_vocab_info_vocab(info)) == 1048577);
    gm_vocab_info_destroy(info);
    CHECK(refused(&beyond, NULL, GM_INVALID_FILE, "beyond"));
}

static void line_ends_may_be_of_both_kinds_and_the_last_may_be_missing(void)
{
    const made file = made_of("IQ== 0\r\n\nIg== 1");
    gm_vocab_info *info = sound(&file, NULL);
    CHECK(IS_TOKEN(info, 0, "!", 0) && IS_TOKEN(info, 1, "\"", 0));
    gm_vocab_info_destroy(info);
}

/* ---- tokenizer.json ---- */

static void byte_level_pieces_and_added_tokens_of_awkward_kinds(void)
{
    /* U+0120 is a space, U+010A a newline; a letter outside makes the whole piece raw. */
    const made file = hugging(
        "{\"type\":\"BPE\",\"merges\":[[\"\\u0120\",\"a\"]],\"vocab\":{\"a\":1,\"\\u0120\":0,\"\xc4\xa0" "a\":2,\"\xc4\x8a\":3,"
        "\"\\u2581a\":4,\"\xc4\xa0\xe2\x84\xa2\":5,\"<0x0A>\":6,\"true\":7,\"\xc3\xbc\":8,\"<s>\":9,\"\xef\xbd\x9c\":10,\"\\u00ad\":11}}",
        BYTE_LEVEL,
        "{\"id\":7,\"content\":\"true\",\"special\":false},{\"id\":9,\"content\":\"<s>\",\"special\":true},"
        "{\"id\":10,\"content\":\"\xef\xbd\x9c\",\"special\":true},"
        "{\"id\":12,\"content\":\"caf\xc3\xa9\",\"special\":false},{\"id\":13,\"content\":\"\\u0120x\",\"special\":false},"
        "{\"id\":14,\"content\":\" tool call \",\"special\":false},{\"id\":15,\"content\":\"\\n\\n\",\"special\":false},"
        "{\"id\":16,\"content\":\"\xe2\x96\x81\",\"special\":false}");
    gm_vocab_info *info = sound(&file, NULL);
    CHECK(gm_vocab_info_kind(info) == GM_FILE_HF_BYTE_LEVEL);
    CHECK(IS_TOKEN(info, 0, " ", 0) && IS_TOKEN(info, 1, "a", 0) && IS_TOKEN(info, 2, " a", 0));
    CHECK(IS_TOKEN(info, 3, "\n", 0));
    CHECK(IS_TOKEN(info, 4, "\xe2\x96\x81" "a", 0));
    CHECK(IS_TOKEN(info, 5, "\xc4\xa0\xe2\x84\xa2", 0));
    CHECK(IS_TOKEN(info, 6, "<0x0A>", 0));
    CHECK(IS_TOKEN(info, 7, "true", GM_TOKEN_ADDED));
    CHECK(IS_TOKEN(info, 8, "\xfc", 0));
    CHECK(IS_EMPTY(info, 9, GM_TOKEN_CONTROL) && is_named(info, 9, "<s>"));
    CHECK(IS_EMPTY(info, 10, GM_TOKEN_CONTROL) && is_named(info, 10, "\xef\xbd\x9c"));
    CHECK(IS_TOKEN(info, 11, "\xc2\xad", 0)); /* the soft hyphen is no letter of the alphabet */
    CHECK(IS_TOKEN(info, 12, "caf\xc3\xa9", GM_TOKEN_ADDED));
    CHECK(IS_TOKEN(info, 13, "\xc4\xa0x", GM_TOKEN_ADDED));
    CHECK(IS_TOKEN(info, 14, " tool call ", GM_TOKEN_ADDED));
    CHECK(IS_TOKEN(info, 15, "\n\n", GM_TOKEN_ADDED));
    CHECK(IS_TOKEN(info, 16, "\xe2\x96\x81", GM_TOKEN_ADDED));
    CHECK(!gm_vocab_prefix_space(gm_vocab_info_vocab(info)));
    gm_vocab_info_destroy(info);
}

static void every_letter_of_the_byte_level_alphabet_is_one_byte(void)
{
    made model = made_of("{\"type\":\"BPE\",\"merges\":[],\"vocab\":{");
    unsigned next = 0x100;
    for (unsigned byte = 0; byte < 256; byte++) {
        const bool is_visible = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
        add_format(&model, "%s\"\\u%04x\":%u", byte != 0 ? "," : "", is_visible ? byte : next++, byte);
    }
    add_text(&model, "}}");
    model.bytes[model.size] = 0;
    /* Quote and backslash were written as \u escapes too. */
    made file = made_of("{\"decoder\":" BYTE_LEVEL ",\"model\":");
    add_text(&file, (const char *)model.bytes);
    add_text(&file, "}");
    gm_vocab_info *info = sound(&file, NULL);
    for (unsigned byte = 0; byte < 256; byte++)
        CHECK(has_token(info, byte, (const char[]){(char)byte}, 1, 0));
    gm_vocab_info_destroy(info);
}

static void byte_fallback_pieces(void)
{
    const made file = hugging(
        "{\"type\":\"BPE\",\"unk_token\":\"<unk>\",\"byte_fallback\":true,\"merges\":[\"a b\"],"
        "\"vocab\":{\"<unk>\":0,\"<s>\":1,\"<0x0A>\":2,\"<0x7b>\":3,\"{\":4,\"\xe2\x96\x81\xe2\x96\x81{\":5,\"_\":6,\"<0xZZ>\":7,\"\\u0000\":8}}",
        FALLBACK,
        "{\"id\":0,\"content\":\"<unk>\",\"special\":true},{\"id\":1,\"content\":\"<s>\",\"special\":true},"
        "{\"id\":9,\"content\":\"\xe2\x96\x81x\",\"special\":false}");
    gm_vocab_info *info = sound(&file, NULL);
    CHECK(gm_vocab_info_kind(info) == GM_FILE_HF_BYTE_FALLBACK);
    CHECK(IS_EMPTY(info, 0, GM_TOKEN_UNKNOWN) && IS_EMPTY(info, 1, GM_TOKEN_CONTROL));
    CHECK(gm_vocab_info_special_count(info) == 2 && is_named(info, 0, "<unk>"));
    CHECK(IS_TOKEN(info, 2, "\n", GM_TOKEN_BYTE) && IS_TOKEN(info, 3, "{", GM_TOKEN_BYTE));
    CHECK(IS_TOKEN(info, 4, "{", 0) && IS_TOKEN(info, 5, "  {", 0));
    CHECK(IS_TOKEN(info, 6, "_", 0) && IS_TOKEN(info, 7, "<0xZZ>", 0) && IS_TOKEN(info, 8, "\0", 0));
    CHECK(IS_TOKEN(info, 9, " x", GM_TOKEN_ADDED));
    gm_vocab_info_destroy(info);
}

static void unigram_has_a_list_and_its_unknown_token_by_id(void)
{
    const made file = hugging("{\"unk_id\":2,\"vocab\":[[\"<pad>\",0],[\"</s>\",0.0],[\"<unk>\",0],[\"\xe2\x96\x81" "a\",-1.5e-3],"
                              "[\"<0x0A>\",-2],[\"\xe2\x96\x81" "a\",-3]]}",
                              METASPACE,
                              "{\"id\":0,\"content\":\"<pad>\",\"special\":true},"
                              "{\"id\":2,\"content\":\"<unk>\",\"special\":true}");
    gm_vocab_info *info = sound(&file, NULL);
    CHECK(gm_vocab_info_kind(info) == GM_FILE_HF_UNIGRAM);
    CHECK(IS_EMPTY(info, 0, GM_TOKEN_CONTROL) && IS_TOKEN(info, 1, "</s>", 0) && IS_EMPTY(info, 2, GM_TOKEN_UNKNOWN));
    CHECK(IS_TOKEN(info, 3, " a", 0) && IS_TOKEN(info, 4, "<0x0A>", 0) && IS_TOKEN(info, 5, " a", 0));
    gm_vocab_info_destroy(info);
}

static void word_pieces_carry_the_continuation_flag(void)
{
    const made file = hugging("{\"unk_token\":\"[UNK]\",\"continuing_subword_prefix\":\"##\",\"max_input_chars_per_word\":100,"
                              "\"vocab\":{\"[UNK]\":0,\"true\":1,\"##s\":2,\"##\":3,\"[unused0]\":4}}",
                              "{\"type\":\"WordPiece\",\"prefix\":\"##\",\"cleanup\":true}",
                              "{\"id\":0,\"content\":\"[UNK]\",\"special\":true}");
    gm_vocab_info *info = sound(&file, NULL);
    CHECK(gm_vocab_info_kind(info) == GM_FILE_HF_WORD_PIECE);
    CHECK(IS_EMPTY(info, 0, GM_TOKEN_UNKNOWN) && IS_TOKEN(info, 1, "true", 0));
    CHECK(IS_TOKEN(info, 2, "s", GM_TOKEN_CONTINUATION) && IS_TOKEN(info, 3, "", GM_TOKEN_CONTINUATION));
    CHECK(IS_TOKEN(info, 4, "[unused0]", 0));
    gm_vocab_info_destroy(info);
}

static void holes_of_a_vocabulary_are_unused(void)
{
    const made file = hugging("{\"type\":\"BPE\",\"merges\":[],\"vocab\":{\"a\":3,\"b\":1}}", BYTE_LEVEL, "");
    gm_vocab_info *info = sound(&file, NULL);
    CHECK(IS_EMPTY(info, 0, GM_TOKEN_UNUSED) && IS_EMPTY(info, 2, GM_TOKEN_UNUSED) && IS_TOKEN(info, 3, "a", 0));
    gm_vocab_info_destroy(info);
}

static void an_added_token_that_readers_would_number_otherwise_is_refused(void)
{
    static const char model[] = "{\"type\":\"BPE\",\"merges\":[],\"vocab\":{\"a\":0,\"b\":1}}";
    const made gap = hugging(model, BYTE_LEVEL, "{\"id\":5,\"content\":\"x\",\"special\":true}");
    CHECK(refused(&gap, NULL, GM_INVALID_FILE, "number it 2"));
    const made elsewhere = hugging(model, BYTE_LEVEL, "{\"id\":2,\"content\":\"b\",\"special\":true}");
    CHECK(refused(&elsewhere, NULL, GM_INVALID_FILE, "piece 1"));
    const made over = hugging(model, BYTE_LEVEL, "{\"id\":1,\"content\":\"x\",\"special\":true}");
    CHECK(refused(&over, NULL, GM_INVALID_FILE, "number it 2"));
    const made twice = hugging(model, BYTE_LEVEL,
                               "{\"id\":2,\"content\":\"x\",\"special\":true},{\"id\":2,\"content\":\"x\",\"special\":true}");
    CHECK(refused(&twice, NULL, GM_INVALID_FILE, "number it 3"));
    const made swapped = hugging(model, BYTE_LEVEL,
                                 "{\"id\":3,\"content\":\"x\",\"special\":true},{\"id\":2,\"content\":\"y\",\"special\":true}");
    CHECK(refused(&swapped, NULL, GM_INVALID_FILE, "number it 2"));
}

static void decoders_without_fixed_bytes_are_unsupported(void)
{
    static const struct {
        const char *decoder;
        const char *says;
    } cases[] = {
        {"null", "joined by spaces"},
        {"{\"type\":\"CTC\"}", "CTC"},
        {"{\"type\":\"BPEDecoder\",\"suffix\":\"</w>\"}", "BPEDecoder"},
        {"{\"type\":\"Strip\",\"content\":\" \",\"start\":1,\"stop\":0}", "strips every token"},
        {"{\"type\":\"Replace\",\"pattern\":{\"Regex\":\"_\"},\"content\":\" \"}", "replaces"},
        {"{\"type\":\"Replace\",\"pattern\":{\"String\":\"_\"},\"content\":\"\"}", "replaces"},
        {"{\"type\":\"Sequence\",\"decoders\":[" REPLACE ",{\"type\":\"Replace\",\"pattern\":{\"String\":\"_\"},\"content\":\" \"}]}",
         "second sign"},
        {"{\"type\":\"Sequence\",\"decoders\":[" REPLACE "," BYTE_LEVEL "]}", "mixed"},
        {"{\"type\":\"WordPiece\",\"prefix\":\"##\",\"cleanup\":true}", "WordPiece"},
        {"{}", "decoder"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const made file = hugging("{\"type\":\"BPE\",\"merges\":[],\"vocab\":{\"a\":0}}", cases[i].decoder, "");
        CHECK(refused(&file, NULL, GM_UNSUPPORTED, cases[i].says));
    }
}

static void models_without_fixed_bytes_are_unsupported(void)
{
    const made words = hugging("{\"type\":\"WordLevel\",\"vocab\":{\"a\":0}}", METASPACE, "");
    CHECK(refused(&words, NULL, GM_UNSUPPORTED, "WordLevel"));
    const made suffix = hugging("{\"type\":\"BPE\",\"end_of_word_suffix\":\"</w>\",\"vocab\":{\"a\":0}}", METASPACE, "");
    CHECK(refused(&suffix, NULL, GM_UNSUPPORTED, "end_of_word_suffix"));
    const made prefix = hugging("{\"type\":\"BPE\",\"continuing_subword_prefix\":\"##\",\"vocab\":{\"a\":0}}", METASPACE, "");
    CHECK(refused(&prefix, NULL, GM_UNSUPPORTED, "continuing_subword_prefix"));
    const made bytes = hugging("{\"type\":\"BPE\",\"byte_fallback\":true,\"vocab\":{\"<0x0A>\":0}}", METASPACE, "");
    CHECK(refused(&bytes, NULL, GM_UNSUPPORTED, "byte_fallback"));
}

static void empty_affixes_of_a_bpe_model_mean_none(void)
{
    const made file = hugging("{\"type\":\"BPE\",\"continuing_subword_prefix\":\"\",\"end_of_word_suffix\":\"\",\"vocab\":{\"a\":0}}",
                              BYTE_LEVEL, "");
    gm_vocab_info *info = sound(&file, NULL);
    CHECK(IS_TOKEN(info, 0, "a", 0));
    gm_vocab_info_destroy(info);
}

static void a_prefix_space_is_told_from_normalizer_and_pre_tokenizer(void)
{
    static const struct {
        const char *normalizer, *pre_tokenizer;
        bool prefix;
    } cases[] = {
        {"null", "null", false},
        {"null", "{\"type\":\"Metaspace\",\"prepend_scheme\":\"first\"}", true},
        {"null", "{\"type\":\"Metaspace\",\"prepend_scheme\":\"always\"}", true},
        {"null", "{\"type\":\"Metaspace\",\"prepend_scheme\":\"never\",\"add_prefix_space\":true}", false},
        {"null", "{\"type\":\"Metaspace\",\"add_prefix_space\":true}", true},
        {"null", "{\"type\":\"Sequence\",\"pretokenizers\":[{\"type\":\"Sequence\",\"pretokenizers\":[]},"
                 "{\"type\":\"ByteLevel\",\"add_prefix_space\":true}]}", true},
        {"{\"type\":\"Sequence\",\"normalizers\":[{\"type\":\"Prepend\",\"prepend\":\"\\u2581\"}]}", "null", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        made file = {.size = 0};
        add_format(&file, "{\"normalizer\":%s,\"pre_tokenizer\":%s,\"decoder\":" METASPACE
                          ",\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0}}}",
                   cases[i].normalizer, cases[i].pre_tokenizer);
        gm_vocab_info *info = sound(&file, NULL);
        CHECK(gm_vocab_prefix_space(gm_vocab_info_vocab(info)) == cases[i].prefix);
        gm_vocab_info_destroy(info);
    }
}

static void fields_of_the_wrong_type_are_named(void)
{
    static const struct {
        const char *file, *says;
    } cases[] = {
        {"{\"model\":[]}", "model"},
        {"{\"model\":{\"type\":\"BPE\"},\"decoder\":" BYTE_LEVEL "}", "vocab"},
        {"{\"model\":{\"type\":\"BPE\",\"vocab\":[]},\"decoder\":" BYTE_LEVEL "}", "model.vocab"},
        {"{\"model\":{\"type\":\"Unigram\",\"vocab\":{}},\"decoder\":" BYTE_LEVEL "}", "model.vocab"},
        {"{\"model\":{\"type\":\"Unigram\",\"vocab\":[\"a\"]},\"decoder\":" METASPACE "}", "model.vocab"},
        {"{\"model\":{\"type\":\"Unigram\",\"vocab\":[[]]},\"decoder\":" METASPACE "}", "model.vocab"},
        {"{\"model\":{\"type\":\"Unigram\",\"vocab\":[[1]]},\"decoder\":" METASPACE "}", "a piece"},
        {"{\"model\":{\"type\":\"Unigram\",\"unk_id\":1,\"vocab\":[[\"a\",0]]},\"decoder\":" METASPACE "}", "unk_id"},
        {"{\"model\":{\"type\":\"Tree\",\"vocab\":{}},\"decoder\":" BYTE_LEVEL "}", "model.type"},
        {"{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":\"b\"}},\"decoder\":" BYTE_LEVEL "}", "model.vocab"},
        {"{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":-1}},\"decoder\":" BYTE_LEVEL "}", "model.vocab"},
        {"{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0,\"b\":0}},\"decoder\":" BYTE_LEVEL "}", "twice"},
        {"{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":4000000000}},\"decoder\":" BYTE_LEVEL "}", "beyond"},
        {"{\"model\":{\"type\":\"BPE\",\"vocab\":{}},\"decoder\":" BYTE_LEVEL "}", "no token"},
        {"{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0}},\"decoder\":[]}", "decoder"},
        {"{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0}},\"added_tokens\":{}}", "added_tokens"},
        {"{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0}},\"added_tokens\":[1]}", "added_tokens"},
        {"{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0}},\"added_tokens\":[{\"id\":1}]}", "content"},
        {"{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0}},\"added_tokens\":[{\"content\":\"x\"}]}", "id"},
        {"{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0}},\"added_tokens\":[{\"id\":\"1\",\"content\":\"x\"}]}", "id"},
        {"{\"a\":1}", "tokenizer.json"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const made file = made_of(cases[i].file);
        CHECK(refused(&file, NULL, GM_INVALID_FILE, cases[i].says));
    }
}

/* ---- JSON ---- */

static void text_that_is_not_json_is_refused_at_its_offset(void)
{
    static const struct {
        const char *text;
        size_t length;
        uint64_t offset;
    } cases[] = {
#define AT(literal, offset) {literal, sizeof(literal) - 1, offset}
        AT("{", 1), AT("{\"a\"", 4), AT("{\"a\":", 5), AT("{\"a\":1", 6), AT("{\"a\":1,}", 7), AT("{a:1}", 1),
        AT("{\"a\" 1}", 5), AT("{\"a\":1}x", 7), AT("{\"a\":01}", 6), AT("{\"a\":+1}", 5), AT("{\"a\":1.}", 7),
        AT("{\"a\":1e}", 7), AT("{\"a\":-}", 6), AT("{\"a\":NaN}", 5), AT("{\"a\":tru}", 5), AT("{\"a\":[1 2]}", 8),
        AT("{\"a\":[1,]}", 8), AT("{\"a\":[}", 6), AT("{\"a\":'x'}", 5), AT("{\"a\":\"x}", 8), AT("{\"a\":\"\\x\"}", 6),
        AT("{\"a\":\"\\u12g4\"}", 6), AT("{\"a\":\"\\ud800\"}", 6), AT("{\"a\":\"\\udc00\"}", 6),
        AT("{\"a\":\"\\ud800\\u0041\"}", 6), AT("{\"a\":\"\\ud800\\ud800\"}", 6), AT("{\"a\":\"\x01\"}", 6),
        AT("{\"a\":\"\n\"}", 6), AT("{\"a\":\"\0\"}", 6), AT("{\"a\":\"\x80\"}", 6), AT("{\"a\":\"\xc3\"}", 6),
        AT("{\"a\":\"\xc0\x80\"}", 6), AT("{\"a\":\"\xe0\x80\x80\"}", 6), AT("{\"a\":\"\xed\xa0\x80\"}", 6),
        AT("{\"a\":\"\xf4\x90\x80\x80\"}", 6), AT("{\"a\":\"\xff\"}", 6), AT("{/**/}", 1), AT("{}\0", 2), AT("{]", 1),
        AT("{\"a\":\"\\", 6), AT("{\"a\":\"\\u", 6),
#undef AT
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        made file = {.size = 0};
        add(&file, cases[i].text, cases[i].length);
        const opened result = open_made(&file, NULL);
        CHECK(result.status == GM_INVALID_FILE);
        CHECK(result.error.offset == cases[i].offset);
        if (result.error.offset != cases[i].offset)
            fprintf(stderr, "%s: at %d: %s\n", cases[i].text, (int)result.error.offset, result.error.message);
        gm_vocab_info_destroy(result.info);
    }
}

static void nesting_ends_at_a_bound(void)
{
    for (size_t depth = 60; depth < 70; depth++) {
        made file = made_of("{\"x\":");
        for (size_t i = 1; i < depth; i++)
            add_text(&file, "[");
        for (size_t i = 1; i < depth; i++)
            add_text(&file, "]");
        add_text(&file, ",\"decoder\":" BYTE_LEVEL ",\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0}}}");
        const opened result = open_made(&file, NULL);
        CHECK(result.status == (depth <= 64 ? GM_OK : GM_INVALID_FILE));
        gm_vocab_info_destroy(result.info);
    }
}

/* A long piece in every spelling of JSON white space. */
static void white_space_anywhere_and_a_long_token(void)
{
    made file = made_of(" \t\r\n{ \"decoder\" :\n" BYTE_LEVEL "\t, \"model\" : { \"vocab\" : { \"");
    for (size_t i = 0; i < 3000; i++)
        add_text(&file, "\\u0120\xc4\xa0");
    add_text(&file, "\" : 0 , \"\\\"\\\\\" : 1 } , \"type\" : \"BPE\" } } \n");
    gm_vocab_info *info = sound(&file, NULL);
    char spaces[6000];
    memset(spaces, ' ', sizeof spaces);
    CHECK(has_token(info, 0, spaces, sizeof spaces, 0) && IS_TOKEN(info, 1, "\"\\", 0));
    gm_vocab_info_destroy(info);
}

/* ---- tekken ---- */

#define TEKKEN_CONFIG(specials, size)                                                                                  \
    "\"config\":{\"pattern\":\"x\",\"num_vocab_tokens\":9,\"default_vocab_size\":" #size                               \
    ",\"default_num_special_tokens\":" #specials ",\"version\":\"v11\"}"
#define TEKKEN_VOCAB                                                                                                   \
    "\"vocab\":[{\"rank\":0,\"token_bytes\":\"AA==\",\"token_str\":\"\\u0000\"},"                                      \
    "{\"rank\":2,\"token_bytes\":\"4oA=\",\"token_str\":null},{\"rank\":1,\"token_bytes\":\"IQ==\",\"token_str\":\"!\"}," \
    "{\"rank\":3,\"token_bytes\":\"Ig==\",\"token_str\":\"\\\"\"}]"

static void tekken_ids_are_ranks_after_the_specials_and_the_rest_is_dropped(void)
{
    const made file = made_of("{" TEKKEN_CONFIG(3, 6) "," TEKKEN_VOCAB
                              ",\"special_tokens\":[{\"rank\":1,\"token_str\":\"[IMG]\",\"is_control\":false}]}");
    gm_vocab_info *info = sound(&file, NULL);
    CHECK(gm_vocab_info_kind(info) == GM_FILE_TEKKEN);
    CHECK(gm_vocab_token_count(gm_vocab_info_vocab(info)) == 6);
    for (uint32_t id = 0; id < 3; id++)
        CHECK(IS_EMPTY(info, id, GM_TOKEN_CONTROL));
    CHECK(is_named(info, 0, "<SPECIAL_0>") && is_named(info, 1, "[IMG]") && is_named(info, 2, "<SPECIAL_2>"));
    CHECK(IS_TOKEN(info, 3, "\0", 0) && IS_TOKEN(info, 4, "!", 0) && IS_TOKEN(info, 5, "\xe2\x80", 0));
    gm_vocab_info_destroy(info);
}

static void older_tekken_files_name_no_special(void)
{
    const made file = made_of("{" TEKKEN_VOCAB "," TEKKEN_CONFIG(22, 25) "}");
    gm_vocab_info *info = sound(&file, NULL);
    CHECK(is_named(info, 2, "</s>") && is_named(info, 19, "[TOOL_CONTENT]") && is_named(info, 20, "<SPECIAL_20>"));
    CHECK(gm_vocab_info_special_count(info) == 22 && IS_TOKEN(info, 23, "!", 0));
    gm_vocab_info_destroy(info);
}

static void damaged_tekken_files_are_refused_by_field(void)
{
    static const struct {
        const char *file, *says;
    } cases[] = {
        {"{\"config\":{}," TEKKEN_VOCAB "}", "default_vocab_size"},
        {"{" TEKKEN_CONFIG(7, 6) "," TEKKEN_VOCAB "}", "default_num_special_tokens"},
        {"{" TEKKEN_CONFIG(1, 99999999999) "," TEKKEN_VOCAB "}", "default_vocab_size"},
        {"{" TEKKEN_CONFIG(1, 6) ",\"vocab\":[{\"rank\":0,\"token_bytes\":\"A\"}]}", "base64"},
        {"{" TEKKEN_CONFIG(1, 6) ",\"vocab\":[{\"rank\":0,\"token_bytes\":null}]}", "token_bytes"},
        {"{" TEKKEN_CONFIG(1, 6) ",\"vocab\":[{\"token_bytes\":\"AA==\"}]}", "rank"},
        {"{" TEKKEN_CONFIG(1, 6) ",\"vocab\":[{\"rank\":-1,\"token_bytes\":\"AA==\"}]}", "rank"},
        {"{" TEKKEN_CONFIG(1, 6) ",\"vocab\":[{\"rank\":0,\"token_bytes\":\"AA==\"},{\"rank\":0,\"token_bytes\":\"AA==\"}]}", "twice"},
        {"{" TEKKEN_CONFIG(1, 6) ",\"vocab\":[7]}", "vocab"},
        {"{" TEKKEN_CONFIG(1, 6) ",\"special_tokens\":[{\"rank\":1,\"token_str\":\"x\"}]," TEKKEN_VOCAB "}", "rank"},
        {"{" TEKKEN_CONFIG(1, 6) ",\"special_tokens\":[{\"rank\":0}]," TEKKEN_VOCAB "}", "token_str"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const made file = made_of(cases[i].file);
        CHECK(refused(&file, NULL, GM_INVALID_FILE, cases[i].says));
    }
}

/* ---- SentencePiece ---- */

static made small_sentence_piece(void)
{
    made file = {.size = 0};
    add_piece(&file, "<unk>", 2);
    add_piece(&file, "<s>", 3);
    add_piece(&file, "</s>", 3);
    add_piece(&file, "<0x0A>", 6);
    add_piece(&file, "\xe2\x96\x81{", 0);
    add_piece(&file, "\xe2\x96\x81\xe2\x96\x81", 4);
    add_piece(&file, "\xe2\x96\x81gone", 5);
    add_piece(&file, "{", 1);
    return file;
}

static void sentence_piece_kinds_and_spaces(void)
{
    const made file = small_sentence_piece();
    gm_vocab_info *info = sound(&file, NULL);
    CHECK(gm_vocab_info_kind(info) == GM_FILE_SENTENCE_PIECE);
    CHECK(IS_EMPTY(info, 0, GM_TOKEN_UNKNOWN) && IS_EMPTY(info, 1, GM_TOKEN_CONTROL));
    CHECK(IS_TOKEN(info, 3, "\n", GM_TOKEN_BYTE) && IS_TOKEN(info, 4, " {", 0));
    CHECK(IS_TOKEN(info, 5, "  ", GM_TOKEN_ADDED) && IS_EMPTY(info, 6, GM_TOKEN_UNUSED) && IS_TOKEN(info, 7, "{", 0));
    CHECK(gm_vocab_info_special_count(info) == 3 && is_named(info, 1, "<s>"));
    CHECK(gm_vocab_prefix_space(gm_vocab_info_vocab(info)));
    CHECK(STOPS_ARE(info, 2)); /* the default of eos_id */
    gm_vocab_info_destroy(info);
}

static void unknown_protobuf_fields_are_skipped_by_wire_type(void)
{
    made file = {.size = 0}, piece = {.size = 0}, trainer = {.size = 0}, normalizer = {.size = 0};
    add_field_integer(&piece, 99, UINT64_MAX);
    add_field_text(&piece, 1, "a");
    add_field_text(&piece, 1000, "ignored");
    add_field_bytes(&file, 1, piece.bytes, piece.size);
    add_piece(&file, "</s>", 3);
    add_field_integer(&file, 77, 5);
    add_varint(&file, 78 << 3 | 1);
    add(&file, "12345678", 8);
    add_varint(&file, 79 << 3 | 5);
    add(&file, "1234", 4);
    add_field_integer(&trainer, 35, 1);
    add_field_integer(&trainer, 42, 1);
    add_field_bytes(&file, 2, trainer.bytes, trainer.size);
    add_field_integer(&normalizer, 3, 0);
    add_field_bytes(&file, 3, normalizer.bytes, normalizer.size);
    gm_vocab_info *info = sound(&file, NULL);
    CHECK(IS_TOKEN(info, 0, "a", 0) && gm_vocab_token_count(gm_vocab_info_vocab(info)) == 2);
    CHECK(STOPS_ARE(info, 1) && !gm_vocab_prefix_space(gm_vocab_info_vocab(info)));
    gm_vocab_info_destroy(info);
}

static void a_missing_or_ordinary_end_of_sentence_is_no_stop_id(void)
{
    made file = {.size = 0}, trainer = {.size = 0};
    add_piece(&file, "a", 0);
    add_piece(&file, "b", 0);
    add_piece(&file, "c", 0);
    gm_vocab_info *info = sound(&file, NULL);
    CHECK(stops_are(info, NULL, 0));
    gm_vocab_info_destroy(info);
    add_field_integer(&trainer, 42, UINT64_MAX); /* -1 */
    add_field_bytes(&file, 2, trainer.bytes, trainer.size);
    info = sound(&file, NULL);
    CHECK(stops_are(info, NULL, 0));
    gm_vocab_info_destroy(info);
}

static void broken_protobufs_are_refused(void)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *says;
    } cases[] = {
#define BYTES(literal, says) {literal, sizeof(literal) - 1, says}
        BYTES("\x0a\x05\x0a\x01" "a", "longer than what holds it"),
        BYTES("\x0a\x03\x0a\x02" "a", "longer than what holds it"),
        BYTES("\x0a\x05\x0a\x01" "a\x18\x07", "type 7"),
        BYTES("\x0a\x05\x0a\x01" "a\x18\x00", "type 0"),
        BYTES("\x0a\x05\x0a\x01" "a\x18\x06", "not spelled"),
        BYTES("\x0a\x03\x0a\x01" "a\x0b", "wire type"),
        BYTES("\x0a\x03\x0a\x01" "a\x02\x00", "field number"),
        BYTES("\x0a\x03\x0a\x01" "a\x08\x01", "a piece"),
        BYTES("\x0a\x02\x08\x01", "text of a piece"),
        BYTES("\x0a\x05\x0a\x01" "a\x1a\x00", "type of a piece"),
        BYTES("\x0a\x03\x0a\x01" "a\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "longer"),
        BYTES("\x0a\x03\x0a\x01" "a\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", "length"),
        BYTES("\x0a\x03\x0a\x01" "a\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "length"),
        BYTES("\x12\x00", "no token"),
#undef BYTES
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        made file = {.size = 0};
        add(&file, cases[i].bytes, cases[i].size);
        CHECK(refused(&file, NULL, GM_INVALID_FILE, cases[i].says));
    }
    made file = small_sentence_piece(), denormalizer = {.size = 0};
    add_field_text(&denormalizer, 2, "map");
    add_field_bytes(&file, 5, denormalizer.bytes, denormalizer.size);
    CHECK(refused(&file, NULL, GM_UNSUPPORTED, "denormalizer"));
}

/* The tag of the first field is a newline, and its length may be an opening brace. */
static void a_protobuf_that_begins_like_json_is_a_protobuf(void)
{
    made file = {.size = 0};
    char text[115];
    memset(text, 'x', sizeof text);
    text[114] = 0;
    add_piece(&file, text, 1);
    CHECK(file.bytes[0] == '\n' && file.bytes[1] == '{');
    gm_vocab_info *info = sound(&file, NULL);
    CHECK(gm_vocab_info_kind(info) == GM_FILE_SENTENCE_PIECE && has_token(info, 0, text, 114, 0));
    gm_vocab_info_destroy(info);
}

/* ---- GGUF ---- */

static const char *const gguf_texts[] = {"<unk>", "</s>", "<0x0A>", "\xe2\x96\x81{", "  ", "gone", ("\xe2\x96\x81" "a"), "{", "[PAD8]"};
static const uint8_t gguf_types[] = {2, 3, 6, 1, 4, 5, 4, 1, 2};

static made small_gguf(bool big_endian, uint32_t version, unsigned type, const char *model)
{
    made file = {.size = 0, .big_endian = big_endian};
    begin_gguf(&file, version, 6);
    add_pair_text(&file, "general.architecture", "llama");
    add_pair_numbers(&file, "tokenizer.ggml.scores", F32, gguf_types, 3);
    add_pair_text(&file, "tokenizer.ggml.model", model);
    add_pair_texts(&file, "tokenizer.ggml.tokens", gguf_texts, 9);
    add_pair_numbers(&file, "tokenizer.ggml.token_type", type, gguf_types, 9);
    add_pair_number(&file, "tokenizer.ggml.eos_token_id", type, 1);
    add_text(&file, "tensors would follow");
    return file;
}

static void gguf_is_the_same_in_both_byte_orders_both_versions_and_all_integer_types(void)
{
    static const unsigned types[] = {U8, I8, U16, I16, U32, I32, U64, I64};
    for (size_t i = 0; i < 8; i++)
        for (unsigned variant = 0; variant < 4; variant++) {
            const made file = small_gguf(variant & 1, 2 + (variant >> 1), types[i], "llama");
            gm_vocab_info *info = sound(&file, NULL);
            CHECK(gm_vocab_info_kind(info) == GM_FILE_GGUF_SENTENCE_PIECE);
            CHECK(IS_EMPTY(info, 0, GM_TOKEN_UNKNOWN) && IS_EMPTY(info, 1, GM_TOKEN_CONTROL));
            CHECK(IS_TOKEN(info, 2, "\n", GM_TOKEN_BYTE) && IS_TOKEN(info, 3, " {", 0));
            CHECK(IS_TOKEN(info, 4, "  ", GM_TOKEN_ADDED) && IS_EMPTY(info, 5, GM_TOKEN_UNUSED));
            CHECK(IS_TOKEN(info, 6, "\xe2\x96\x81" "a", GM_TOKEN_ADDED) && IS_TOKEN(info, 7, "{", 0));
            CHECK(IS_EMPTY(info, 8, GM_TOKEN_UNKNOWN) && gm_vocab_info_special_count(info) == 3);
            CHECK(STOPS_ARE(info, 1) && gm_vocab_prefix_space(gm_vocab_info_vocab(info)));
            gm_vocab_info_destroy(info);
        }
}

static void gguf_models_say_how_pieces_are_spelled(void)
{
    static const char *const texts[] = {"\xc4\xa0x", "\xe2\x96\x81x", "\xe2\x84\xa2\xc4\xa0", "y"};
    static const struct {
        const char *model;
        gm_file_kind kind;
        bool prefix;
        const char *spelled[4];
        uint32_t flags[4];
    } cases[] = {
        {"gpt2", GM_FILE_GGUF_BYTE_LEVEL, false, {" x", "\xe2\x96\x81x", "\xe2\x84\xa2\xc4\xa0", "y"}, {0}},
        {"llama", GM_FILE_GGUF_SENTENCE_PIECE, true, {"\xc4\xa0x", " x", "\xe2\x84\xa2\xc4\xa0", "y"}, {0}},
        {"t5", GM_FILE_GGUF_SENTENCE_PIECE, false, {"\xc4\xa0x", " x", "\xe2\x84\xa2\xc4\xa0", "y"}, {0}},
        {"gemma4", GM_FILE_GGUF_SENTENCE_PIECE, false, {"\xc4\xa0x", " x", "\xe2\x84\xa2\xc4\xa0", "y"}, {0}},
        {"bert", GM_FILE_GGUF_WORD_PIECE, false, {"\xc4\xa0x", "x", "\xe2\x84\xa2\xc4\xa0", "y"}, {32, 0, 32, 32}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        made file = {.size = 0};
        begin_gguf(&file, 3, 2);
        add_pair_texts(&file, "tokenizer.ggml.tokens", texts, 4);
        add_pair_text(&file, "tokenizer.ggml.model", cases[i].model);
        gm_vocab_info *info = sound(&file, NULL);
        CHECK(gm_vocab_info_kind(info) == cases[i].kind);
        CHECK(gm_vocab_prefix_space(gm_vocab_info_vocab(info)) == cases[i].prefix);
        for (uint32_t id = 0; id < 4; id++)
            CHECK(has_token(info, id, cases[i].spelled[id], strlen(cases[i].spelled[id]), cases[i].flags[id]));
        CHECK(stops_are(info, NULL, 0));
        gm_vocab_info_destroy(info);
    }
}

static void gguf_declares_prefix_space_and_up_to_three_stop_ids(void)
{
    made file = {.size = 0};
    begin_gguf(&file, 3, 6);
    add_pair_texts(&file, "tokenizer.ggml.tokens", gguf_texts, 9);
    add_pair_text(&file, "tokenizer.ggml.model", "llama");
    add_pair_number(&file, "tokenizer.ggml.add_space_prefix", BOOL, 0);
    add_pair_number(&file, "tokenizer.ggml.eot_token_id", U16, 7);
    add_pair_number(&file, "tokenizer.ggml.eos_token_id", U32, 3);
    add_pair_number(&file, "tokenizer.ggml.eom_token_id", U64, 3);
    gm_vocab_info *info = sound(&file, NULL);
    CHECK(!gm_vocab_prefix_space(gm_vocab_info_vocab(info)) && STOPS_ARE(info, 3, 7));
    gm_vocab_info_destroy(info);
}

static void broken_gguf_files_are_refused(void)
{
    made file = small_gguf(false, 1, U32, "llama");
    CHECK(refused(&file, NULL, GM_INVALID_FILE, "version 1"));
    file = small_gguf(true, 4, U32, "llama");
    CHECK(refused(&file, NULL, GM_INVALID_FILE, "version 4"));
    file = small_gguf(false, 3, F32, "llama");
    CHECK(refused(&file, NULL, GM_INVALID_FILE, "token_type"));
    file = small_gguf(false, 3, U32, "rwkv");
    CHECK(refused(&file, NULL, GM_UNSUPPORTED, "rwkv"));

    const struct {
        uint64_t count;
        uint32_t type;
    } arrays[] = {{UINT64_MAX, U8}, {UINT64_MAX / 8 + 1, U64}, {1ull << 61, STRING}, {1ull << 32, STRING}, {1, ARRAY}, {1, 13}};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        file = (made){.size = 0};
        begin_gguf(&file, 3, 1);
        add_string(&file, "tokenizer.ggml.tokens");
        add_integer(&file, 4, ARRAY);
        add_integer(&file, 4, arrays[i].type);
        add_integer(&file, 8, arrays[i].count);
        add(&file, (uint8_t[64]){0}, 64);
        CHECK(refused(&file, NULL, GM_INVALID_FILE, arrays[i].type > F64 || arrays[i].type == ARRAY ? "type" : "beyond the end"));
    }
}

typedef void change(made *file);
static void no_model(made *file)
{
    begin_gguf(file, 3, 1);
    add_pair_texts(file, "tokenizer.ggml.tokens", gguf_texts, 2);
}
static void no_tokens(made *file)
{
    begin_gguf(file, 3, 1);
    add_pair_text(file, "tokenizer.ggml.model", "llama");
}
static void two_models(made *file)
{
    begin_gguf(file, 3, 2);
    add_pair_text(file, "tokenizer.ggml.model", "llama");
    add_pair_text(file, "tokenizer.ggml.model", "gpt2");
}
static void too_many_pairs(made *file) { begin_gguf(file, 3, UINT64_MAX); }
static void long_key(made *file)
{
    begin_gguf(file, 3, 1);
    add_integer(file, 8, UINT64_MAX - 3);
    add(file, (uint8_t[40]){0}, 40);
}
static void fewer_types(made *file)
{
    no_tokens(file);
    file->size = 0;
    begin_gguf(file, 3, 3);
    add_pair_text(file, "tokenizer.ggml.model", "llama");
    add_pair_texts(file, "tokenizer.ggml.tokens", gguf_texts, 2);
    add_pair_numbers(file, "tokenizer.ggml.token_type", I32, gguf_types, 1);
}
static void type_zero(made *file)
{
    begin_gguf(file, 3, 3);
    add_pair_text(file, "tokenizer.ggml.model", "llama");
    add_pair_texts(file, "tokenizer.ggml.tokens", gguf_texts, 1);
    add_pair_numbers(file, "tokenizer.ggml.token_type", I32, (const uint8_t[]){0}, 1);
}
static void stop_beyond(made *file)
{
    begin_gguf(file, 3, 3);
    add_pair_text(file, "tokenizer.ggml.model", "llama");
    add_pair_texts(file, "tokenizer.ggml.tokens", gguf_texts, 2);
    add_pair_number(file, "tokenizer.ggml.eos_token_id", I32, UINT32_MAX);
}

/* As an unsigned byte -1 would be a token. */
static void stop_negative(made *file)
{
    const char *texts[300];
    for (size_t i = 0; i < 300; i++)
        texts[i] = "x";
    begin_gguf(file, 3, 3);
    add_pair_text(file, "tokenizer.ggml.model", "llama");
    add_pair_texts(file, "tokenizer.ggml.tokens", texts, 300);
    add_pair_number(file, "tokenizer.ggml.eos_token_id", I8, 0xff);
}

static void gguf_files_that_lack_or_repeat_something_are_refused(void)
{
    static const struct {
        change *make;
        const char *says;
    } cases[] = {{no_model, "tokenizer.ggml.model"},  {no_tokens, "tokenizer.ggml.tokens"}, {two_models, "twice"},
                 {too_many_pairs, "count of pairs"},  {long_key, "a key"},                  {fewer_types, "token_type"},
                 {type_zero, "type 0"},               {stop_beyond, "eos_token_id"},
                 {stop_negative, "eos_token_id"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        made file = {.size = 0};
        cases[i].make(&file);
        CHECK(refused(&file, NULL, GM_INVALID_FILE, cases[i].says));
    }
}

/* ---- options ---- */

static void stop_ids_come_from_ids_and_texts_or_else_from_the_file(void)
{
    const made file = small_gguf(false, 3, I32, "llama");
    const char *const texts[] = {"<unk>", "{"};
    const uint32_t ids[] = {4, 1, 4};
    gm_file_options options = {.struct_size = sizeof options, .stop = ids, .stop_count = 3};
    gm_vocab_info *info = sound(&file, &options);
    CHECK(STOPS_ARE(info, 1, 4));
    size_t count;
    const uint32_t *declared = gm_vocab_info_declared_stop(info, &count);
    CHECK(count == 1 && declared[0] == 1);
    gm_vocab_info_destroy(info);

    options = (gm_file_options){.struct_size = sizeof options, .stop_texts = texts, .stop_text_count = 2};
    info = sound(&file, &options);
    CHECK(STOPS_ARE(info, 0, 7));
    gm_vocab_info_destroy(info);

    const char *const unknown[] = {"<none>"};
    options.stop_texts = unknown;
    options.stop_text_count = 1;
    CHECK(refused(&file, &options, GM_INVALID_ARGUMENT, "<none>"));
    const uint32_t beyond[] = {9};
    options = (gm_file_options){.struct_size = sizeof options, .stop = beyond, .stop_count = 1};
    CHECK(refused(&file, &options, GM_INVALID_ARGUMENT, ""));
}

static void a_text_is_looked_up_among_special_then_added_then_ordinary_tokens(void)
{
    const made file = hugging("{\"type\":\"BPE\",\"byte_fallback\":true,\"vocab\":{\"x\":0,\"<0x78>\":1,\"y\":2,\"<s>\":3}}",
                              FALLBACK, "{\"id\":2,\"content\":\"y\",\"special\":false},{\"id\":3,\"content\":\"<s>\",\"special\":true}");
    gm_vocab_info *info = sound(&file, NULL);
    uint32_t ids[2] = {9, 9};
    CHECK(gm_vocab_info_find(info, "x", 1, ids, 2) == 2 && ids[0] == 0 && ids[1] == 1);
    CHECK(gm_vocab_info_find(info, "x", 1, NULL, 0) == 2);
    CHECK(gm_vocab_info_find(info, "y", 1, ids, 1) == 1 && ids[0] == 2);
    CHECK(gm_vocab_info_find(info, "<s>", 3, ids, 1) == 1 && ids[0] == 3);
    CHECK(gm_vocab_info_find(info, "", 0, ids, 1) == 0 && gm_vocab_info_find(info, "z", 1, ids, 1) == 0);
    gm_vocab_info_destroy(info);
}

static void the_logit_width_is_the_callers(void)
{
    const made file = made_of(ranks);
    gm_file_options options = {.struct_size = sizeof options, .logit_width = 100};
    gm_vocab_info *info = sound(&file, &options);
    CHECK(gm_vocab_logit_width(gm_vocab_info_vocab(info)) == 100 && gm_vocab_token_count(gm_vocab_info_vocab(info)) == 5);
    gm_vocab_info_destroy(info);
    options.logit_width = 4;
    CHECK(refused(&file, &options, GM_INVALID_ARGUMENT, ""));
}

static void a_callers_mistakes_are_named(void)
{
    const made file = made_of(ranks);
    gm_file_options options = {.struct_size = 1};
    CHECK(refused(&file, &options, GM_INVALID_ARGUMENT, "struct_size"));
    options = (gm_file_options){.struct_size = sizeof options, .specials_path = "x", .specials = "{}"};
    CHECK(refused(&file, &options, GM_INVALID_ARGUMENT, "both"));
    options = (gm_file_options){.struct_size = sizeof options, .stop_count = 1};
    CHECK(refused(&file, &options, GM_INVALID_ARGUMENT, "stop_count"));
    gm_vocab *vocab = NULL;
    CHECK(gm_vocab_open_memory(NULL, 1, NULL, &vocab, NULL) == GM_INVALID_ARGUMENT);
    CHECK(gm_vocab_open_memory(NULL, 0, NULL, &vocab, NULL) == GM_INVALID_FILE);
    CHECK(gm_vocab_open(NULL, NULL, &vocab, NULL) == GM_INVALID_ARGUMENT);
    CHECK(gm_vocab_open("x", NULL, NULL, NULL) == GM_INVALID_ARGUMENT && vocab == NULL);
}

static void every_kind_has_a_name(void)
{
    for (int kind = GM_FILE_TIKTOKEN; kind <= GM_FILE_GGUF_WORD_PIECE; kind++)
        CHECK(strcmp(gm_file_kind_name((gm_file_kind)kind), "unknown") != 0);
    CHECK(strcmp(gm_file_kind_name((gm_file_kind)99), "unknown") == 0);
}

/* ---- the file system ---- */

static void foreign_files_are_named(void)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *says;
    } cases[] = {{"", 0, "empty"},           {"version https://git-lfs.github.com/spec/v1\n", 43, "Git LFS"},
                 {"PK\x03\x04....", 8, "zip"}, {"\x1f\x8b\x08....", 7, "gzip"},
                 {"<!DOCTYPE html>", 15, "web page"}, {"hello", 5, "none of"},
                 {"\0", 1, "none of"},       {"GGUX", 4, "none of"},
                 {"G", 1, "none of"},        {"\n", 1, "none of"}, {"[1]", 3, "none of"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        made file = {.size = 0};
        add(&file, cases[i].bytes, cases[i].size);
        CHECK(refused(&file, NULL, GM_INVALID_FILE, cases[i].says));
    }
}

static void files_are_opened_by_path(void)
{
    char folder[] = "test-files-XXXXXX", path[64], specials[64];
    CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/ranks", folder);
    snprintf(specials, sizeof specials, "%s/specials", folder);
    FILE *file = fopen(path, "wb");
    fwrite(ranks, 1, sizeof ranks - 1, file);
    fclose(file);
    file = fopen(specials, "wb");
    fputs("{\"9\":\"<end>\"}", file);
    fclose(file);

    const char *const stop[] = {"<end>"};
    gm_file_options options = {
        .struct_size = sizeof options, .specials_path = specials, .stop_texts = stop, .stop_text_count = 1};
    gm_vocab *vocab = NULL;
    gm_error error = {0};
    CHECK(gm_vocab_open(path, &options, &vocab, &error) == GM_OK);
    CHECK(gm_vocab_token_count(vocab) == 10);
    size_t count;
    CHECK(gm_vocab_stop(vocab, &count)[0] == 9 && count == 1);
    gm_vocab_release(vocab);

    vocab = NULL;
    CHECK(gm_vocab_open(folder, NULL, &vocab, &error) == GM_IO && error.message[0] != 0);
    unlink(specials);
    CHECK(gm_vocab_open(path, &options, &vocab, &error) == GM_IO);
    unlink(path);
    CHECK(gm_vocab_open(path, NULL, &vocab, &error) == GM_IO && vocab == NULL);
    rmdir(folder);
}

static void a_pipe_is_read_to_its_end(void)
{
    int ends[2];
    char path[32];
    CHECK(pipe(ends) == 0);
    CHECK(write(ends[1], ranks, sizeof ranks - 1) == (ssize_t)(sizeof ranks - 1));
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    gm_vocab *vocab = NULL;
    CHECK(gm_vocab_open(path, NULL, &vocab, NULL) == GM_OK);
    CHECK(vocab != NULL && gm_vocab_token_count(vocab) == 5);
    gm_vocab_release(vocab);
    close(ends[0]);
}

int main(void)
{
    RUN(a_rank_file_may_be_out_of_order_and_hold_an_empty_and_a_repeated_text);
    RUN(specials_of_a_rank_file_come_from_the_caller_in_both_directions);
    RUN(specials_that_cannot_be_are_refused);
    RUN(lines_that_are_no_rank_lines_are_refused_with_their_offset);
    RUN(an_id_that_only_a_huge_file_could_have_is_refused);
    RUN(line_ends_may_be_of_both_kinds_and_the_last_may_be_missing);
    RUN(byte_level_pieces_and_added_tokens_of_awkward_kinds);
    RUN(every_letter_of_the_byte_level_alphabet_is_one_byte);
    RUN(byte_fallback_pieces);
    RUN(unigram_has_a_list_and_its_unknown_token_by_id);
    RUN(word_pieces_carry_the_continuation_flag);
    RUN(holes_of_a_vocabulary_are_unused);
    RUN(an_added_token_that_readers_would_number_otherwise_is_refused);
    RUN(decoders_without_fixed_bytes_are_unsupported);
    RUN(models_without_fixed_bytes_are_unsupported);
    RUN(empty_affixes_of_a_bpe_model_mean_none);
    RUN(a_prefix_space_is_told_from_normalizer_and_pre_tokenizer);
    RUN(fields_of_the_wrong_type_are_named);
    RUN(text_that_is_not_json_is_refused_at_its_offset);
    RUN(nesting_ends_at_a_bound);
    RUN(white_space_anywhere_and_a_long_token);
    RUN(tekken_ids_are_ranks_after_the_specials_and_the_rest_is_dropped);
    RUN(older_tekken_files_name_no_special);
    RUN(damaged_tekken_files_are_refused_by_field);
    RUN(sentence_piece_kinds_and_spaces);
    RUN(unknown_protobuf_fields_are_skipped_by_wire_type);
    RUN(a_missing_or_ordinary_end_of_sentence_is_no_stop_id);
    RUN(broken_protobufs_are_refused);
    RUN(a_protobuf_that_begins_like_json_is_a_protobuf);
    RUN(gguf_is_the_same_in_both_byte_orders_both_versions_and_all_integer_types);
    RUN(gguf_models_say_how_pieces_are_spelled);
    RUN(gguf_declares_prefix_space_and_up_to_three_stop_ids);
    RUN(broken_gguf_files_are_refused);
    RUN(gguf_files_that_lack_or_repeat_something_are_refused);
    RUN(stop_ids_come_from_ids_and_texts_or_else_from_the_file);
    RUN(a_text_is_looked_up_among_special_then_added_then_ordinary_tokens);
    RUN(the_logit_width_is_the_callers);
    RUN(a_callers_mistakes_are_named);
    RUN(every_kind_has_a_name);
    RUN(foreign_files_are_named);
    RUN(files_are_opened_by_path);
    RUN(a_pipe_is_read_to_its_end);
    return REPORT("test_files_small");
}
