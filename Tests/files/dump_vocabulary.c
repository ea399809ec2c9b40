/*
 * dump_vocabulary.c - prints everything that opening a tokenizer file tells, one fact a line.
 *
 *   dump_vocabulary FILE [SPECIALS [WIDTH]]      SPECIALS "-" or absent: none
 *
 * Lines: kind NAME, width N, prefix 0|1, digest HEX, declared ID, special ID HEX, token ID HEX|- FLAGS.
 * Exit 1 with the message on stderr when the file is refused. Public functions only.
 */
#include "gmask/files.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_hex(const uint8_t *bytes, size_t length)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < length; i++) {
        putchar(digits[bytes[i] >> 4]);
        putchar(digits[bytes[i] & 15]);
    }
}

static void print_info(const gm_vocab_info *info)
{
    const gm_vocab *vocab = gm_vocab_info_vocab(info);
    printf("kind %s\nwidth %zu\nprefix %d\ndigest %016" PRIx64 "\n", gm_file_kind_name(gm_vocab_info_kind(info)),
           gm_vocab_logit_width(vocab), gm_vocab_prefix_space(vocab), gm_vocab_digest(vocab));
    size_t count;
    const uint32_t *declared = gm_vocab_info_declared_stop(info, &count);
    for (size_t i = 0; i < count; i++)
        printf("declared %" PRIu32 "\n", declared[i]);
    for (size_t i = 0; i < gm_vocab_info_special_count(info); i++) {
        uint32_t id;
        const char *text;
        size_t length;
        if (gm_vocab_info_special(info, i, &id, &text, &length) != GM_OK)
            exit(1);
        printf("special %" PRIu32 " ", id);
        print_hex((const uint8_t *)text, length);
        putchar('\n');
    }
}

static void print_tokens(const gm_vocab *vocab)
{
    for (uint32_t id = 0; id < gm_vocab_token_count(vocab); id++) {
        const uint8_t *bytes;
        size_t length;
        uint32_t flags;
        if (gm_vocab_token(vocab, id, &bytes, &length, &flags) != GM_OK)
            exit(1);
        printf("token %" PRIu32 " ", id);
        if (bytes == NULL)
            putchar('-');
        else
            print_hex(bytes, length);
        printf(" %" PRIu32 "\n", flags);
    }
}

int main(int count, char **arguments)
{
    if (count < 2)
        return 2;
    gm_file_options options = {.struct_size = sizeof options};
    if (count > 2 && strcmp(arguments[2], "-") != 0)
        options.specials_path = arguments[2];
    if (count > 3)
        options.logit_width = strtoul(arguments[3], NULL, 10);
    gm_vocab_info *info;
    gm_error error = {0};
    if (gm_vocab_info_open(arguments[1], &options, &info, &error) != GM_OK) {
        fprintf(stderr, "%s: %s (offset %" PRIu64 ")\n", gm_status_name(error.status), error.message, error.offset);
        return 1;
    }
    print_info(info);
    print_tokens(gm_vocab_info_vocab(info));
    gm_vocab_info_destroy(info);
    return 0;
}
