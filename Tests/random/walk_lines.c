/*
 * walk_lines.c - the walks of Tests/c/walks.h on the shipped vocabulary, over schemas from standard
 * input, one a line: masks equal brute force, rollback equals replay, no walk ends in a dead end.
 *
 * Schemas that do not compile are counted. The exit status is 0 only if no walk failed.
 */
#include "cli/shipped_vocabulary.h"
#include "walks.h"

static const gm_schema_options option_sets[] = {
    {.struct_size = sizeof(gm_schema_options)},
    {.struct_size = sizeof(gm_schema_options),
     .property_order = GM_ORDER_ANY,
     .max_whitespace = GM_WHITESPACE_UNLIMITED,
     .integers = GM_NUMBERS_JSON,
     .numbers = GM_NUMBERS_JSON},
    {.struct_size = sizeof(gm_schema_options), .whitespace = GM_WHITESPACE_COMPACT, .escapes = GM_ESCAPES_MINIMAL},
    {.struct_size = sizeof(gm_schema_options), .whitespace = GM_WHITESPACE_INDENTED, .property_order = GM_ORDER_ANY},
};

static bool compiles(gm_compiler *compiler, const char *schema, const gm_schema_options *options, size_t refused[16])
{
    gm_grammar *grammar = NULL;
    const gm_status status = gm_compile_json_schema(compiler, schema, strlen(schema), options, &grammar, NULL);
    gm_grammar_release(grammar);
    refused[status & 15]++;
    return status == GM_OK;
}

int main(void)
{
    static char line[1 << 20];
    gm_vocab *vocab = NULL;
    gm_compiler *compiler = NULL;
    walker w;
    size_t number = 0, failures = 0, statuses[16] = {0};
    if (gm_shipped_vocabulary(NULL, &vocab, NULL) != GM_OK || gm_compiler_create(vocab, NULL, NULL, &compiler, NULL) != GM_OK ||
        !walker_open(&w, vocab, 11, 4))
        return 2;
    for (; fgets(line, sizeof line, stdin) != NULL; number++) {
        const gm_schema_options *options = &option_sets[number % GM_COUNT_OF(option_sets)];
        line[strcspn(line, "\n")] = '\0';
        if (compiles(compiler, line, options, statuses) && !walk_schema(&w, compiler, line, options, 4)) {
            fprintf(stderr, "  option set %zu\n", number % GM_COUNT_OF(option_sets));
            failures++;
        }
    }
    for (int status = 0; status < 16; status++)
        if (statuses[status] != 0)
            printf("%zu %s, ", statuses[status], gm_status_name((gm_status)status));
    printf("%zu documents, %zu tokens, %zu masks, %zu of them compared with brute force, %zu failures\n", w.documents,
           w.tokens_taken, w.masks, w.brute, failures);
    walker_close(&w);
    gm_compiler_release(compiler);
    gm_vocab_release(vocab);
    return failures != 0 || check_failed + check_run != 0;
}
