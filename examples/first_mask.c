/*
 * first_mask.c - a document decoded under masks: logits, mask, sample, accept.
 *
 * The vocabulary has the 256 bytes and a stop token; a model's own comes from its file through gm_vocab_open
 * (gmask/files.h). Where a model would compute logits there is noise, and still the document is valid.
 */
#include <gmask/gmask.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STOP = 256, TOKENS = 257 };

static const char schema[] = "{\"type\": \"object\","
                             " \"properties\": {\"city\": {\"enum\": [\"Oslo\", \"Rome\"]},"
                             "                \"days\": {\"type\": \"integer\", \"minimum\": 1, \"maximum\": 14}},"
                             " \"required\": [\"city\", \"days\"], \"additionalProperties\": false}";

static int fail(const gm_error *error)
{
    fprintf(stderr, "%s: %s %s: %s\n", gm_status_name(error->status), error->pointer, error->keyword, error->message);
    return 1;
}

int main(void)
{
    uint8_t bytes[256];
    uint64_t offsets[TOKENS + 1];
    for (uint32_t i = 0; i <= TOKENS; i++)
        offsets[i] = i < 256 ? i : 256; /* token i is byte i; the stop token has no text */
    for (int i = 0; i < 256; i++)
        bytes[i] = (uint8_t)i;
    const uint32_t stop[] = {STOP};
    const gm_vocab_desc desc = {.struct_size = sizeof desc, .token_count = TOKENS, .blob = bytes, .offsets = offsets,
                                .special = stop, .special_count = 1, .stop = stop, .stop_count = 1};
    const gm_schema_options options = {
        .struct_size = sizeof options, .whitespace = GM_WHITESPACE_SPACED, .escapes = GM_ESCAPES_MINIMAL};

    gm_error error = {0};
    gm_vocab *vocab = NULL;       /* once a model */
    gm_compiler *compiler = NULL; /* once a model */
    gm_grammar *grammar = NULL;   /* once a schema */
    gm_matcher *matcher = NULL;   /* once a document */
    if (gm_vocab_create(&desc, &vocab, &error) != GM_OK ||
        gm_compiler_create(vocab, NULL, NULL, &compiler, &error) != GM_OK ||
        gm_compile_json_schema(compiler, schema, strlen(schema), &options, &grammar, &error) != GM_OK ||
        gm_matcher_create(grammar, NULL, &matcher, &error) != GM_OK)
        return fail(&error);

    float logits[TOKENS];
    gm_mask mask;
    while (gm_matcher_mask(matcher, &mask) == GM_OK) { /* GM_TERMINATED once the document has ended */
        for (int i = 0; i < TOKENS; i++)
            logits[i] = (float)rand();              /* the model */
        gm_logits_mask_f32(&mask, logits, TOKENS); /* minus infinity for what is not allowed */
        uint32_t best = 0;
        for (uint32_t i = 1; i < TOKENS; i++)
            best = logits[i] > logits[best] ? i : best;
        if (gm_matcher_accept(matcher, best) != GM_OK)
            return 1;
        if (best != STOP)
            putchar((int)best);
    }
    putchar('\n');

    gm_matcher_destroy(matcher);
    gm_grammar_release(grammar);
    gm_compiler_release(compiler);
    gm_vocab_release(vocab);
    return 0;
}
