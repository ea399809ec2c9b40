/* api/api_people.c - what a matcher expects and why a token does not fit, for people; see gmask.h. */
#include "api/objects.h"
#include "match/explore.h"

#include <stdio.h>

gm_status gm_matcher_expected(gm_matcher *matcher, gm_expected *expected)
{
    if (matcher == NULL || expected == NULL || expected->struct_size < sizeof expected->struct_size)
        return GM_INVALID_ARGUMENT;
    gm_expected known = {.struct_size = expected->struct_size};
    GM_TRY(gm_match_bytes(matcher, known.bytes));
    GM_TRY(gm_match_pointer(matcher, known.document_pointer, sizeof known.document_pointer));
    known.may_stop = !matcher->stopped && gm_machine_may_end(&matcher->config);
    const gm_machine *machine = &matcher->grammar->machine;
    const gm_place *place = gm_config_place(machine, &matcher->config);
    const char *pointer = gm_form_profile(machine->form, place->labels[0])->pointer;
    snprintf(known.schema_pointer, sizeof known.schema_pointer, "%s", pointer);
    memcpy(expected, &known, expected->struct_size < sizeof known ? expected->struct_size : sizeof known);
    return GM_OK;
}

gm_status gm_matcher_explain(gm_matcher *matcher, uint32_t token, size_t *position, char *message, size_t message_size)
{
    if (matcher == NULL || position == NULL || (message == NULL && message_size != 0))
        return GM_INVALID_ARGUMENT;
    const gm_vocab *vocab = matcher->source.vocab;
    const gm_status verdict = gm_match_would_accept(matcher, token);
    size_t length = 0, fits = 0;
    const char *why;
    char text[128];
    if (verdict == GM_OUT_OF_MEMORY || verdict == GM_LIMIT)
        return verdict;
    const bool exists = token < gm_vocab_facts_of(vocab)->token_count;
    const uint8_t *bytes = exists ? gm_vocab_text(vocab, token, &length) : NULL;
    if (verdict == GM_OK) {
        fits = length;
        why = "it fits";
    } else if (verdict == GM_TERMINATED) {
        why = "the document has ended";
    } else if (gm_match_is_stop(matcher, token)) {
        why = "a stop token, and the document is not complete";
    } else if (!exists) {
        why = "no token has this id";
    } else if (bytes == NULL || !gm_vocab_is_maskable(gm_vocab_tables_of(vocab), token)) {
        why = "the token is control, unused, unknown, empty, or an added one that is not let in";
    } else {
        GM_TRY(gm_match_prefix(matcher, bytes, length, &fits));
        snprintf(text, sizeof text,
                 "byte 0x%02X (number %llu of the token) does not fit; before the token the document expects %s",
                 bytes[fits], (unsigned long long)fits, gm_config_text(&matcher->config));
        why = text;
    }
    *position = fits;
    if (message_size != 0)
        snprintf(message, message_size, "%s", why);
    return GM_OK;
}
