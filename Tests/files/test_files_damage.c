/*
 * test_files_damage.c - damaged files end in a status, never in a crash, a leak or a huge allocation.
 *
 * One small sound file of each format is cut, changed byte by byte, and spliced; every allocation
 * fails once. What is still accepted must be a whole vocabulary. Meant for a build with sanitizers;
 * without them it still checks statuses and memory.
 */
#include "made_files.h"

enum { FORMAT_COUNT = 9 };

static const char fallback_model[] = "{\"type\":\"BPE\",\"unk_token\":\"<unk>\",\"byte_fallback\":true,\"merges\":[\"a b\"],"
                                     "\"vocab\":{\"<unk>\":0,\"<0x0A>\":1,\"\\u2581{\":2,\"\xe2\x96\x81\":3}}";
static const char unigram_model[] = "{\"type\":\"Unigram\",\"unk_id\":1,\"vocab\":[[\"a\",-1.5e-3],[\"<unk>\",0],[\"\\ud83d\\ude00\",-2]]}";
static const char word_model[] = "{\"type\":\"WordPiece\",\"unk_token\":\"[UNK]\",\"continuing_subword_prefix\":\"##\","
                                 "\"vocab\":{\"[UNK]\":0,\"true\":1,\"##s\":2}}";
static const char tekken[] = "{\"config\":{\"default_vocab_size\":5,\"default_num_special_tokens\":2},"
                             "\"vocab\":[{\"rank\":0,\"token_bytes\":\"AA==\",\"token_str\":null},"
                             "{\"rank\":1,\"token_bytes\":\"4oA=\"},{\"rank\":2,\"token_bytes\":\"Ig==\"}],"
                             "\"special_tokens\":[{\"rank\":1,\"token_str\":\"[IMG]\",\"is_control\":true}]}";

static made small_sentence_piece(void)
{
    made file = {.size = 0}, trainer = {.size = 0};
    add_piece(&file, "<unk>", 2);
    add_piece(&file, "</s>", 3);
    add_piece(&file, "<0x0A>", 6);
    add_piece(&file, "\xe2\x96\x81{", 0);
    add_piece(&file, "more", 4);
    add_field_integer(&trainer, 42, 1);
    add_field_bytes(&file, 2, trainer.bytes, trainer.size);
    return file;
}

static made small_gguf(bool big_endian, const char *model)
{
    static const char *const texts[] = {"<unk>", "</s>", "<0x0A>", "\xe2\x96\x81{", "  ", "\xc4\xa0x"};
    static const uint8_t types[] = {2, 3, 6, 1, 4, 1};
    made file = {.size = 0, .big_endian = big_endian};
    begin_gguf(&file, 3, 5);
    add_pair_text(&file, "tokenizer.ggml.model", model);
    add_pair_texts(&file, "tokenizer.ggml.tokens", texts, 6);
    add_pair_numbers(&file, "tokenizer.ggml.token_type", I32, types, 6);
    add_pair_number(&file, "tokenizer.ggml.add_space_prefix", BOOL, 1);
    add_pair_number(&file, "tokenizer.ggml.eos_token_id", U32, 1);
    return file;
}

static made sound_file(unsigned format)
{
    switch (format) {
    case 0:
        return made_of("IQ== 0\nIg== 1\n= 2\n4oA= 4\n");
    case 1:
        return hugging("{\"type\":\"BPE\",\"merges\":[[\"a\",\"b\"]],\"vocab\":{\"a\":0,\"\\u0120b\":1,\"<s>\":2}}", BYTE_LEVEL,
                       "{\"id\":2,\"content\":\"<s>\",\"special\":true},{\"id\":3,\"content\":\"x\",\"special\":false}");
    case 2:
        return hugging(fallback_model, FALLBACK, "{\"id\":4,\"content\":\"\\u2581x\",\"special\":false}");
    case 3:
        return hugging(unigram_model, METASPACE, "{\"id\":0,\"content\":\"a\",\"special\":true}");
    case 4:
        return hugging(word_model, "{\"type\":\"WordPiece\",\"cleanup\":true}", "");
    case 5:
        return made_of(tekken);
    case 6:
        return small_sentence_piece();
    default:
        return small_gguf(format == 8, format == 8 ? "gpt2" : "llama");
    }
}

/* What is accepted holds together; what is not says why. */
static gm_status survives(const made *file)
{
    const opened result = open_made(file, NULL);
    CHECK(result.status == GM_OK || result.status == GM_INVALID_FILE || result.status == GM_UNSUPPORTED);
    if (result.status != GM_OK)
        return result.status;
    const gm_vocab *vocab = gm_vocab_info_vocab(result.info);
    CHECK(gm_vocab_token_count(vocab) > 0);
    for (uint32_t id = 0; id < gm_vocab_token_count(vocab); id++) {
        const uint8_t *bytes;
        size_t length;
        uint32_t flags;
        CHECK(gm_vocab_token(vocab, id, &bytes, &length, &flags) == GM_OK);
        CHECK(length <= file->size);
    }
    gm_vocab_info_destroy(result.info);
    return GM_OK;
}

static void every_sound_file_is_accepted(void)
{
    for (unsigned format = 0; format < FORMAT_COUNT; format++) {
        const made file = sound_file(format);
        CHECK(survives(&file) == GM_OK);
    }
}

/* JSON and GGUF know where they end. A rank file and a protobuf cut between two tokens are whole. */
static void every_truncation_ends_in_a_status(void)
{
    for (unsigned format = 0; format < FORMAT_COUNT; format++) {
        const made file = sound_file(format);
        for (size_t size = 0; size < file.size; size++) {
            made cut = file;
            cut.size = size;
            const gm_status status = survives(&cut);
            if (format != 0 && format != 6)
                CHECK(status == GM_INVALID_FILE);
        }
    }
}

static void every_change_of_one_byte_ends_in_a_status(void)
{
    static const uint8_t values[] = {0x00, 0xff, 0x7f, '"', '{', '9'};
    for (unsigned format = 0; format < FORMAT_COUNT; format++) {
        made file = sound_file(format);
        for (size_t at = 0; at < file.size; at++) {
            const uint8_t before = file.bytes[at];
            for (unsigned bit = 0; bit < 8; bit++) {
                file.bytes[at] = before ^ (uint8_t)(1u << bit);
                survives(&file);
            }
            for (size_t i = 0; i < sizeof values; i++) {
                file.bytes[at] = values[i];
                survives(&file);
            }
            file.bytes[at] = before;
        }
    }
}

static uint32_t draw(uint64_t *state, size_t bound)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*state >> 33) % bound);
}

/* Removes, repeats or overwrites a few runs. */
static void splice(made *file, uint64_t *state)
{
    for (uint32_t times = 1 + draw(state, 3); times > 0 && file->size > 1; times--) {
        const size_t from = draw(state, file->size), to = draw(state, file->size);
        const size_t rest = file->size - (from > to ? from : to);
        const size_t length = 1 + draw(state, rest < 24 ? rest : 24);
        switch (draw(state, 4)) {
        case 0: /* remove */
            memmove(file->bytes + from, file->bytes + from + length, file->size - from - length);
            file->size -= length;
            break;
        case 1: /* repeat where it stands */
            memmove(file->bytes + from + length, file->bytes + from, file->size - from);
            file->size += length;
            break;
        case 2: /* over something else */
            memmove(file->bytes + to, file->bytes + from, length);
            break;
        default:
            file->bytes[from] = (uint8_t)draw(state, 256);
        }
    }
}

static void random_splices_end_in_a_status(void)
{
    uint64_t state = 1;
    for (unsigned format = 0; format < FORMAT_COUNT; format++)
        for (unsigned i = 0; i < 1500; i++) {
            made file = sound_file(format);
            splice(&file, &state);
            survives(&file);
        }
}

/* A copy where each byte that is not UTF-8 became U+FFFD: lengths no longer fit. */
static void a_gguf_file_that_went_through_a_text_editor_is_refused(void)
{
    made file = small_gguf(false, "llama"), copy = {.size = 0};
    file.bytes[8] = 0x80; /* a tensor count that is no UTF-8 */
    for (size_t i = 0; i < file.size; i++) {
        if (file.bytes[i] == 0x80)
            add(&copy, "\xef\xbf\xbd", 3);
        else
            add(&copy, &file.bytes[i], 1);
    }
    CHECK(survives(&file) == GM_OK && survives(&copy) == GM_INVALID_FILE);
}

static void every_allocation_may_fail_once(void)
{
    for (unsigned format = 0; format < FORMAT_COUNT; format++) {
        const made file = sound_file(format);
        const char specials[] = "{\"9\":\"<|end|>\"}";
        gm_status status = GM_OUT_OF_MEMORY;
        for (long budget = 0; status != GM_OK; budget++) {
            failing_allocator state = {.budget = budget};
            const gm_allocator allocator = failing_allocator_of(&state);
            const gm_file_options options = {.struct_size = sizeof options,
                                             .specials = format == 0 ? specials : NULL,
                                             .specials_length = format == 0 ? sizeof specials - 1 : 0,
                                             .stop = (const uint32_t[]){1},
                                             .stop_count = 1,
                                             .allocator = &allocator};
            gm_vocab *vocab = NULL;
            gm_error error = {0};
            status = gm_vocab_open_memory(file.bytes, file.size, &options, &vocab, &error);
            CHECK(status == GM_OK || (status == GM_OUT_OF_MEMORY && error.status == status && vocab == NULL));
            gm_vocab_release(vocab);
            CHECK(state.live == 0);
            if (budget > 500)
                status = GM_OK;
            CHECK(budget <= 500);
        }
    }
}

int main(void)
{
    RUN(every_sound_file_is_accepted);
    RUN(every_truncation_ends_in_a_status);
    RUN(every_change_of_one_byte_ends_in_a_status);
    RUN(random_splices_end_in_a_status);
    RUN(a_gguf_file_that_went_through_a_text_editor_is_refused);
    RUN(every_allocation_may_fail_once);
    return REPORT("test_files_damage");
}
