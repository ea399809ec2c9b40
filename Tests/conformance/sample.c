/*
 * sample.c - masks along real documents against the plain walk, and some against every single token.
 *
 *   sample TABLES [any] <JOBS
 *
 * TABLES are saved tables of a vocabulary (`gmask vocab --save`), JOBS lines as `gmask bench serve` reads them: those of
 * `make bench-peers` stay in BUILD/peers. Along each test the mask is made three times: as a matcher makes it, with what
 * grammars keep; without the memo; and by walking the trie with the machine alone, which is the specification. One
 * position in BRUTE_EVERY is also compared with what accept says of every id. With "any", keys may come in any order.
 */
#include "cli/input.h"
#include "match/matcher.h"

#include <json-c/json.h>
#include <stdlib.h>

enum { BRUTE_EVERY = 1000 };

typedef struct sampler {
    gm_compiler *compiler;
    const gm_schema_options *options;
    uint32_t *mask, *other;
    size_t words;
    const char *name; /* of the job */
    unsigned long schemas, refused, masks, brute, failures;
} sampler;

static void complain(sampler *s, const gm_matcher *matcher, const char *what)
{
    fprintf(stderr, "%s: after %zu tokens: %s\n", s->name, gm_matcher_token_count(matcher), what);
    s->failures++;
}

/* Fills once more, the matcher being made to do without some of what it has. */
static void compare(sampler *s, gm_matcher *matcher, gm_status status, bool keeps_inner, const char *what)
{
    const gm_mask_source source = matcher->source;
    const gm_memo_entry *found = matcher->found;
    matcher->source.memo = NULL;
    matcher->source.inner = keeps_inner ? source.inner : NULL;
    matcher->found = NULL;
    const gm_status again = gm_matcher_fill(matcher, s->other, s->words);
    matcher->source = source;
    matcher->found = found;
    if (again != status || memcmp(s->mask, s->other, s->words * sizeof *s->mask) != 0)
        complain(s, matcher, what);
}

static void compare_every_token(sampler *s, gm_matcher *matcher)
{
    for (uint32_t id = 0; id < s->words * 32; id++)
        if ((s->mask[id / 32] >> id % 32 & 1) != (gm_matcher_would_accept(matcher, id) == GM_OK)) {
            complain(s, matcher, "a bit is not what accept says");
            break;
        }
    s->brute++;
}

static bool check_position(sampler *s, gm_matcher *matcher)
{
    const gm_status status = gm_matcher_fill(matcher, s->mask, s->words);
    if (status != GM_OK && status != GM_TERMINATED && status != GM_DEAD_END)
        return false;
    compare(s, matcher, status, true, "the mask is another one without the memo");
    compare(s, matcher, status, false, "the mask is not the plain one");
    if (s->masks++ % BRUTE_EVERY == 0)
        compare_every_token(s, matcher);
    return status == GM_OK;
}

static void check_test(sampler *s, gm_grammar *grammar, struct json_object *tokens)
{
    gm_matcher *matcher = NULL;
    if (gm_matcher_create(grammar, NULL, &matcher, NULL) != GM_OK)
        return;
    const size_t count = json_object_array_length(tokens);
    for (size_t i = 0; i <= count && check_position(s, matcher); i++)
        if (i == count || gm_matcher_accept(matcher, (uint32_t)json_object_get_int64(
                                                         json_object_array_get_idx(tokens, i))) != GM_OK)
            break;
    gm_matcher_destroy(matcher);
}

static void check_job(sampler *s, const gm_cli_lines *lines)
{
    const char *schema;
    size_t length;
    struct json_object *job = json_tokener_parse(lines->line), *name = NULL, *tests = NULL;
    gm_grammar *grammar = NULL;
    if (json_object_object_get_ex(job, "name", &name) && json_object_object_get_ex(job, "tests", &tests) &&
        gm_cli_member_text(lines->line, lines->length, "schema", &schema, &length)) {
        s->name = json_object_get_string(name);
        s->schemas++;
        if (gm_compile_json_schema(s->compiler, schema, length, s->options, &grammar, NULL) != GM_OK)
            s->refused++;
        for (size_t i = 0; grammar != NULL && i < json_object_array_length(tests); i++) {
            struct json_object *tokens = NULL;
            json_object_object_get_ex(json_object_array_get_idx(tests, i), "tokens", &tokens);
            check_test(s, grammar, tokens);
        }
    }
    gm_grammar_release(grammar);
    json_object_put(job);
}

int main(int argc, char **argv)
{
    const gm_schema_options any = {.struct_size = sizeof any, .property_order = GM_ORDER_ANY};
    sampler s = {.options = argc > 2 && strcmp(argv[2], "any") == 0 ? &any : NULL};
    gm_vocab *vocab = NULL;
    gm_cli_lines lines;
    gm_error error = {0};
    if (argc < 2 || gm_vocab_load(argv[1], NULL, &vocab, &error) != GM_OK ||
        gm_compiler_create(vocab, NULL, NULL, &s.compiler, &error) != GM_OK || !gm_cli_lines_open(&lines, "-")) {
        fprintf(stderr, "sample: %s\n", argc < 2 ? "no tables" : error.message);
        return 2;
    }
    s.words = gm_vocab_mask_words(vocab);
    s.mask = gm_cli_allocate(s.words, sizeof *s.mask);
    s.other = gm_cli_allocate(s.words, sizeof *s.other);
    while (gm_cli_lines_next(&lines))
        check_job(&s, &lines);
    gm_cli_lines_close(&lines);
    printf("%lu schemas, %lu refused; %lu masks, made three ways, %lu compared with every token: %lu failures\n", s.schemas,
           s.refused, s.masks, s.brute, s.failures);
    free(s.mask);
    free(s.other);
    gm_compiler_release(s.compiler);
    gm_vocab_release(vocab);
    return s.failures != 0;
}
