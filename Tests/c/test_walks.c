/* test_walks.c - masks equal brute force, rollback equals replay and every walk finishes, on the shipped vocabulary. */
#include "cli/shipped_vocabulary.h"
#include "walk_schemas.h"
#include "walks.h"

static void walk_all(const gm_schema_options *options, uint64_t seed, size_t documents)
{
    gm_vocab *vocab = NULL;
    gm_compiler *compiler = NULL;
    gm_error error;
    walker w;
    CHECK(gm_shipped_vocabulary(NULL, &vocab, &error) == GM_OK);
    CHECK(gm_compiler_create(vocab, NULL, NULL, &compiler, &error) == GM_OK);
    CHECK(walker_open(&w, vocab, seed, 8));
    for (size_t i = 0; i < GM_COUNT_OF(walk_schemas); i++)
        CHECK(walk_schema(&w, compiler, walk_schemas[i], options, documents));
    printf("  %zu documents, %zu tokens, %zu masks, %zu of them compared with brute force\n", w.documents, w.tokens_taken,
           w.masks, w.brute);
    walker_close(&w);
    gm_compiler_release(compiler);
    gm_vocab_release(vocab);
}

static void masks_are_exact_with_default_options(void) { walk_all(NULL, 1, 6); }

static void masks_are_exact_with_any_order_and_json_spellings(void)
{
    const gm_schema_options options = {.struct_size = sizeof options,
                                       .property_order = GM_ORDER_ANY,
                                       .max_whitespace = GM_WHITESPACE_UNLIMITED,
                                       .integers = GM_NUMBERS_JSON,
                                       .numbers = GM_NUMBERS_JSON};
    walk_all(&options, 2, 6);
}

static void masks_are_exact_in_compact_form_with_minimal_escapes(void)
{
    const gm_schema_options options = {
        .struct_size = sizeof options, .whitespace = GM_WHITESPACE_COMPACT, .escapes = GM_ESCAPES_MINIMAL};
    walk_all(&options, 3, 4);
}

static void masks_are_exact_when_indented_or_spaced(void)
{
    const gm_schema_options indented = {.struct_size = sizeof indented, .whitespace = GM_WHITESPACE_INDENTED, .indent = 3};
    const gm_schema_options spaced = {.struct_size = sizeof spaced,
                                      .whitespace = GM_WHITESPACE_SPACED,
                                      .item_separator = " ,",
                                      .key_separator = " :  "};
    walk_all(&indented, 4, 4);
    walk_all(&spaced, 5, 4);
}

int main(void)
{
    RUN(masks_are_exact_with_default_options);
    RUN(masks_are_exact_with_any_order_and_json_spellings);
    RUN(masks_are_exact_in_compact_form_with_minimal_escapes);
    RUN(masks_are_exact_when_indented_or_spaced);
    return REPORT("test_walks");
}
