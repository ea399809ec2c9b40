/* test_vocab_shipped.c - the vocabulary inside the program against its text in data/. */
#include "check.h"
#include "vocab/vocab.h"

#include "cli/shipped_vocabulary.c" /* belongs to the command, which is not in the library under test */

static gm_vocab *shipped(void)
{
    gm_vocab *vocab = NULL;
    gm_error error = {0};
    CHECK(gm_shipped_vocabulary(NULL, &vocab, &error) == GM_OK && gm_vocab_check(vocab, &error) == GM_OK);
    return vocab;
}

static void it_spells_every_byte_and_has_one_stop_token(void)
{
    gm_vocab *vocab = shipped();
    uint64_t missing[4];
    size_t stops;
    CHECK(gm_vocab_missing_bytes(vocab, missing) == 0);
    CHECK(gm_vocab_token_count(vocab) == 4096 && gm_vocab_logit_width(vocab) == 4096);
    CHECK(gm_vocab_stop(vocab, &stops)[0] == 4091 && stops == 1);
    CHECK(gm_vocab_tables_of(vocab)->all.token_count == 4090 && gm_vocab_tables_of(vocab)->max_token_length == 128);
    gm_vocab_release(vocab);
}

static int hex_value(int c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; }

static bool line_is_token(const char *line, const gm_vocab *vocab, uint32_t id)
{
    const uint8_t *text;
    size_t length;
    uint32_t flags;
    CHECK(gm_vocab_token(vocab, id, &text, &length, &flags) == GM_OK);
    if (line[0] == '!')
        return text == NULL && flags == GM_TOKEN_CONTROL;
    if (text == NULL || flags != 0 || strlen(line) != 2 * length + 1)
        return false;
    for (size_t i = 0; i < length; i++)
        if (hex_value(line[2 * i]) * 16 + hex_value(line[2 * i + 1]) != text[i])
            return false;
    return true;
}

static void it_equals_the_text_in_data(void)
{
    FILE *file = fopen("data/vocabulary.txt", "r");
    if (file == NULL) {
        printf("SKIP it_equals_the_text_in_data: no data/vocabulary.txt from here\n");
        return;
    }
    gm_vocab *vocab = shipped();
    char line[1024];
    CHECK(fgets(line, sizeof line, file) != NULL && strcmp(line, "vocab1 4096 4091\n") == 0);
    for (uint32_t id = 0; id < 4096; id++)
        CHECK(fgets(line, sizeof line, file) != NULL && line_is_token(line, vocab, id));
    CHECK(fgets(line, sizeof line, file) == NULL);
    fclose(file);
    gm_vocab_release(vocab);
}

int main(void)
{
    RUN(it_spells_every_byte_and_has_one_stop_token);
    RUN(it_equals_the_text_in_data);
    return REPORT("test_vocab_shipped");
}
