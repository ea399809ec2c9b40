/*
 * walk_bytes.c - vocabularies that lack bytes, over schemas from standard input, one a line.
 *
 * The tokens are single bytes, some missing. A schema that needs what is missing is refused; for any
 * other no walk may ever get stuck, since token boundaries cannot be in the way. Masks equal accept.
 * Without a stop token a walk ends in GM_STOPPED. The exit status is 0 only if no walk failed.
 */
#include "check.h"
#include "gmask/gmask.h"

#include <string.h>

static const gm_schema_options option_sets[] = {
    {.struct_size = sizeof(gm_schema_options)},
    {.struct_size = sizeof(gm_schema_options), .property_order = GM_ORDER_ANY, .integers = GM_NUMBERS_JSON, .numbers = GM_NUMBERS_JSON},
    {.struct_size = sizeof(gm_schema_options), .whitespace = GM_WHITESPACE_COMPACT, .escapes = GM_ESCAPES_MINIMAL},
    {.struct_size = sizeof(gm_schema_options), .whitespace = GM_WHITESPACE_INDENTED},
    {.struct_size = sizeof(gm_schema_options), .whitespace = GM_WHITESPACE_SPACED},
};

static uint64_t state = 88172645463325252u;
static size_t walks, steps, stopped, statuses[16];

static uint32_t draw(uint32_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)((state >> 32) * below >> 32);
}

/* Bytes in use: all ASCII but some, and some of the others. */
static gm_vocab *some_bytes(uint8_t bytes[256], uint32_t *count)
{
    static uint64_t offsets[257];
    gm_vocab *vocab = NULL;
    *count = 0;
    const uint32_t missing = 1 + draw(12), high = draw(3);
    bool gone[256] = {false};
    for (uint32_t i = 0; i < missing; i++)
        gone[draw(2) ? (uint8_t)"{}[]\":,0123456789.-+eEntrufals \\\n/b"[draw(36)] : draw(128)] = true;
    for (uint32_t byte = 0x80; byte < 256; byte++)
        gone[byte] = high == 0 || (high == 1 && draw(2));
    for (uint32_t byte = 0; byte < 256; byte++)
        if (!gone[byte])
            bytes[(*count)++] = (uint8_t)byte;
    for (uint32_t i = 0; i <= *count; i++)
        offsets[i] = i;
    const gm_vocab_desc desc = {.struct_size = sizeof desc, .token_count = *count, .blob = bytes, .offsets = offsets};
    return gm_vocab_create(&desc, &vocab, NULL) == GM_OK ? vocab : NULL;
}

static void show(const char *what, const char *schema, const uint8_t *bytes, uint32_t count, const uint8_t *text, size_t length, size_t set)
{
    fprintf(stderr, "%s, option set %zu\n  schema %s\n  after %.*s\n  missing ", what, set, schema, (int)length, (const char *)text);
    for (uint32_t byte = 0, i = 0; byte < 128; byte++)
        if (i < count && bytes[i] == byte)
            i++;
        else
            fprintf(stderr, byte > 32 && byte < 127 ? "%c" : "<%u>", byte);
    fputc('\n', stderr);
}

static bool walk(gm_grammar *grammar, const char *schema, const uint8_t *bytes, uint32_t count, size_t set)
{
    enum { LONGEST = 150 };
    uint8_t text[LONGEST];
    gm_matcher *matcher = NULL;
    bool fine = gm_matcher_create(grammar, NULL, &matcher, NULL) == GM_OK;
    walks++;
    for (size_t step = 0; step < LONGEST && fine; step++, steps++) {
        uint32_t words[8] = {0};
        const gm_matcher_state_kind now = gm_matcher_state(matcher);
        const gm_status status = gm_matcher_fill(matcher, words, 8);
        if (now == GM_STOPPED) {
            stopped++;
            fine = status == GM_TERMINATED;
            break;
        }
        for (uint32_t id = 0; id < 256 && fine; id++)
            fine = (words[id / 32] >> id % 32 & 1) == (gm_matcher_would_accept(matcher, id) == GM_OK);
        fine = fine && status == GM_OK && now != GM_STUCK;
        if (!fine) {
            show(now == GM_STUCK || status != GM_OK ? "stuck" : "the mask is not what accept says", schema, bytes, count, text, step, set);
            break;
        }
        uint32_t id = draw(count);
        for (uint32_t i = 0; i < count && bytes[id] != '"' && draw(4) == 0; i++)
            id = (id + 1) % count; /* towards quotes now and then */
        while (!(words[id / 32] >> id % 32 & 1))
            id = (id + 1) % count;
        text[step] = bytes[id];
        fine = gm_matcher_accept(matcher, id) == GM_OK;
    }
    gm_matcher_destroy(matcher);
    return fine;
}

int main(void)
{
    static char line[1 << 20];
    size_t failures = 0;
    for (size_t number = 0; fgets(line, sizeof line, stdin) != NULL; number++) {
        uint8_t bytes[256];
        uint32_t count;
        gm_compiler *compiler = NULL;
        gm_grammar *grammar = NULL;
        gm_vocab *vocab = some_bytes(bytes, &count);
        line[strcspn(line, "\n")] = '\0';
        if (vocab == NULL || gm_compiler_create(vocab, NULL, NULL, &compiler, NULL) != GM_OK)
            return 2;
        for (size_t set = 0; set < GM_COUNT_OF(option_sets); set++) {
            const gm_status status = gm_compile_json_schema(compiler, line, strlen(line), &option_sets[set], &grammar, NULL);
            statuses[status & 15]++;
            if (status != GM_OK)
                continue;
            for (int i = 0; i < 3; i++)
                if (!walk(grammar, line, bytes, count, set)) {
                    failures++;
                    break;
                }
            gm_grammar_release(grammar);
        }
        gm_compiler_release(compiler);
        gm_vocab_release(vocab);
    }
    for (int status = 0; status < 16; status++)
        if (statuses[status] != 0)
            printf("%zu %s, ", statuses[status], gm_status_name((gm_status)status));
    printf("%zu walks, %zu of them to the end, %zu steps, %zu failures\n", walks, stopped, steps, failures);
    return failures != 0 || check_failed + check_run != 0;
}
