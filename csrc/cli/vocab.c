/*
 * cli/vocab.c - gmask vocab: what is known of a vocabulary, and saving its tables.
 */
#include "cli/commands.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/vocabulary.h"

#include <stdlib.h>
#include <string.h>

typedef struct vocab_options {
    bool json;
    const char *save_path;
} vocab_options;

/* What is counted over all tokens. */
typedef struct vocab_facts {
    size_t ordinary;
    size_t control;
    size_t added;
    size_t unused;
    size_t unknown;
    size_t byte_pieces;
    size_t continuation;
    size_t longest_length;
    uint32_t longest;
    size_t missing_count;
    uint64_t missing[4];
} vocab_facts;

static vocab_facts count_tokens(const gm_vocab *vocab)
{
    vocab_facts facts = {0};
    const size_t count = gm_vocab_token_count(vocab);
    for (uint32_t id = 0; id < count; id++) {
        const uint8_t *bytes = NULL;
        size_t length = 0;
        uint32_t flags = 0;
        gm_vocab_token(vocab, id, &bytes, &length, &flags);
        facts.ordinary += flags == 0;
        facts.control += (flags & GM_TOKEN_CONTROL) != 0;
        facts.added += (flags & GM_TOKEN_ADDED) != 0;
        facts.unused += (flags & GM_TOKEN_UNUSED) != 0;
        facts.unknown += (flags & GM_TOKEN_UNKNOWN) != 0;
        facts.byte_pieces += (flags & GM_TOKEN_BYTE) != 0;
        facts.continuation += (flags & GM_TOKEN_CONTINUATION) != 0;
        if (bytes != NULL && length > facts.longest_length) {
            facts.longest_length = length;
            facts.longest = id;
        }
    }
    facts.missing_count = gm_vocab_missing_bytes(vocab, facts.missing);
    return facts;
}

static const uint8_t *longest_token(const gm_vocab *vocab, const vocab_facts *facts)
{
    const uint8_t *bytes = NULL;
    size_t length;
    uint32_t flags;
    if (facts->longest_length != 0)
        gm_vocab_token(vocab, facts->longest, &bytes, &length, &flags);
    return bytes;
}

static bool is_missing(const vocab_facts *facts, unsigned byte)
{
    return (facts->missing[byte / 64] >> byte % 64 & 1) != 0;
}

/* Runs of bytes in hex, as in "00-1f 7f". */
static void print_missing(const vocab_facts *facts)
{
    for (unsigned byte = 0; byte < 256; byte++) {
        if (!is_missing(facts, byte))
            continue;
        const unsigned first = byte;
        while (byte < 255 && is_missing(facts, byte + 1))
            byte++;
        printf(" %02x", first);
        if (byte > first)
            printf("-%02x", byte);
    }
}

/* Names of special tokens: in a list the first few. */
static void print_specials(const gm_vocab_info *info)
{
    enum { SHOWN = 8 };
    const size_t count = gm_vocab_info_special_count(info);
    printf("specials     ");
    for (size_t i = 0; i < count && i < SHOWN; i++) {
        uint32_t id;
        const char *text;
        size_t length;
        if (gm_vocab_info_special(info, i, &id, &text, &length) != GM_OK)
            continue;
        printf(" %u ", id);
        gm_cli_print_token(stdout, (const uint8_t *)text, length);
    }
    if (count > SHOWN)
        printf(" ... (%zu names)", count);
    puts(count != 0 ? "" : " none");
}

static void print_specials_json(const gm_vocab_info *info)
{
    const size_t count = gm_vocab_info_special_count(info);
    fputs(",\"specials\":[", stdout);
    for (size_t i = 0; i < count; i++) {
        uint32_t id;
        const char *text;
        size_t length;
        if (gm_vocab_info_special(info, i, &id, &text, &length) != GM_OK)
            continue;
        printf("%s{\"id\":%u,\"text\":", i != 0 ? "," : "", id);
        gm_cli_json_string(stdout, text, length);
        putchar('}');
    }
    putchar(']');
}

static void print_facts(const gm_cli_vocabulary *vocabulary, const vocab_facts *facts)
{
    enum { SHOWN = 60 };
    const gm_vocab *vocab = vocabulary->vocab;
    size_t stop_count;
    const uint32_t *stop = gm_cli_vocabulary_stop(vocabulary, &stop_count);
    printf("kind          %s\n", vocabulary->kind);
    printf("tokens        %zu (logit width %zu)\n", gm_vocab_token_count(vocab), gm_vocab_logit_width(vocab));
    printf("of them       %zu ordinary, %zu control, %zu added, %zu unused, %zu unknown", facts->ordinary, facts->control,
           facts->added, facts->unused, facts->unknown);
    printf(", %zu bytes, %zu continuations\n", facts->byte_pieces, facts->continuation);
    if (vocabulary->info != NULL)
        print_specials(vocabulary->info);
    printf("stop tokens  ");
    for (size_t i = 0; i < stop_count; i++)
        printf(" %u", stop[i]);
    puts(stop_count != 0 ? "" : " none");
    printf("longest token %zu bytes", facts->longest_length);
    if (facts->longest_length != 0) {
        printf(" (%u: ", facts->longest);
        const size_t shown = facts->longest_length < SHOWN ? facts->longest_length : SHOWN;
        gm_cli_print_token(stdout, longest_token(vocab, facts), shown);
        fputs(shown < facts->longest_length ? "...)" : ")", stdout);
    }
    printf("\nmissing bytes ");
    printf("%zu", facts->missing_count);
    if (facts->missing_count != 0)
        print_missing(facts);
    printf("\nprefix space  %s\n", gm_vocab_prefix_space(vocab) ? "yes" : "no");
    printf("built in      %.1f ms\n", (double)vocabulary->open_ns / 1e6);
    printf("memory        %zu bytes\n", gm_vocab_memory(vocab));
    printf("digest        %016llx\n", (unsigned long long)gm_vocab_digest(vocab));
}

static void print_json(const gm_cli_vocabulary *vocabulary, const vocab_facts *facts)
{
    const gm_vocab *vocab = vocabulary->vocab;
    size_t stop_count;
    const uint32_t *stop = gm_cli_vocabulary_stop(vocabulary, &stop_count);
    printf("{\"kind\":\"%s\",\"token_count\":%zu,\"logit_width\":%zu", vocabulary->kind, gm_vocab_token_count(vocab),
           gm_vocab_logit_width(vocab));
    printf(",\"ordinary\":%zu,\"control\":%zu,\"added\":%zu,\"unused\":%zu,\"unknown\":%zu", facts->ordinary,
           facts->control, facts->added, facts->unused, facts->unknown);
    printf(",\"byte\":%zu,\"continuation\":%zu", facts->byte_pieces, facts->continuation);
    if (vocabulary->info != NULL)
        print_specials_json(vocabulary->info);
    printf(",\"stop\":[");
    for (size_t i = 0; i < stop_count; i++)
        printf("%s%u", i != 0 ? "," : "", stop[i]);
    printf("],\"longest\":{\"id\":%u,\"bytes\":%zu},\"missing_bytes\":[", facts->longest, facts->longest_length);
    for (unsigned byte = 0, printed = 0; byte < 256; byte++)
        if (is_missing(facts, byte))
            printf("%s%u", printed++ != 0 ? "," : "", byte);
    printf("],\"prefix_space\":%s,\"build_us\":%llu,\"memory\":%zu,\"digest\":\"%016llx\"}\n",
           gm_vocab_prefix_space(vocab) ? "true" : "false", (unsigned long long)(vocabulary->open_ns / 1000),
           gm_vocab_memory(vocab), (unsigned long long)gm_vocab_digest(vocab));
}

static int show(gm_cli_options *options, const vocab_options *own)
{
    gm_cli_vocabulary vocabulary;
    gm_error error = {0};
    if (options->operand_count != 0)
        options->vocab_path = options->operands[0];
    if (!gm_cli_vocabulary_open(options, &vocabulary))
        return GM_CLI_FAILED;
    const vocab_facts facts = count_tokens(vocabulary.vocab);
    if (own->json)
        print_json(&vocabulary, &facts);
    else
        print_facts(&vocabulary, &facts);
    gm_status status = GM_OK;
    if (own->save_path != NULL)
        status = gm_vocab_save(vocabulary.vocab, own->save_path, &error);
    if (status != GM_OK)
        gm_cli_say_error(own->save_path, &error);
    gm_cli_vocabulary_close(&vocabulary);
    return status == GM_OK ? GM_CLI_DONE : GM_CLI_FAILED;
}

enum { OWN_JSON, OWN_SAVE };

static const gm_cli_option own_options[] = {
    [OWN_JSON] = {"json", 0, NULL, "one JSON object"},
    [OWN_SAVE] = {"save", 0, "FILE", "write the tables, for --vocab to map"},
};

static bool take_own(void *context, size_t index, const char *value)
{
    vocab_options *own = context;
    if (index == OWN_JSON)
        own->json = true;
    else
        own->save_path = value;
    return true;
}

static int run_vocab(const gm_cli_command *self, int argc, char **argv)
{
    gm_cli_options options = {0};
    vocab_options own = {0};
    int status = gm_cli_parse(self, argc, argv, &options, take_own, &own);
    if (status == GM_CLI_GO)
        status = show(&options, &own);
    gm_cli_options_free(&options);
    return status;
}

const gm_cli_command gm_cli_vocab = {
    .name = "vocab",
    .arguments = "[FILE]",
    .summary = "Show the facts of a vocabulary, save its tables",
    .details = "FILE is a tokenizer file (tokenizer.json, tiktoken ranks, tekken.json, SentencePiece model,\n"
               "GGUF), saved tables or vocab1 text. Without it, the shipped vocabulary.",
    .groups = GM_CLI_TAKES_SPECIALS,
    .own = own_options,
    .own_count = sizeof own_options / sizeof *own_options,
    .max_operands = 1,
    .run = run_vocab,
};
