/* files/decoder.c - see decoder.h. */
#include "files/decoder.h"

#include <string.h>

/* ---- small trees ---- */

json_object *gm_file_member(json_object *tree, const char *name)
{
    json_object *value = NULL;
    if (json_object_is_type(tree, json_type_object))
        json_object_object_get_ex(tree, name, &value);
    return value;
}

bool gm_file_member_flag(json_object *tree, const char *name)
{
    json_object *value = gm_file_member(tree, name);
    return json_object_is_type(value, json_type_boolean) && json_object_get_boolean(value);
}

gm_file_span gm_file_member_text(json_object *tree, const char *name)
{
    json_object *value = gm_file_member(tree, name);
    if (!json_object_is_type(value, json_type_string))
        return (gm_file_span){NULL, 0};
    return (gm_file_span){(const uint8_t *)json_object_get_string(value), (size_t)json_object_get_string_len(value)};
}

bool gm_file_span_is(gm_file_span span, const char *text)
{
    return span.data != NULL && span.size == strlen(text) && memcmp(span.data, text, span.size) == 0;
}

/* A step or a Sequence of steps, which holds them under `list`. Sequences in sequences are walked
 * with a stack of this size. */
#define MAX_SEQUENCES 8

typedef struct step_walk {
    const char *list;
    json_object *open[MAX_SEQUENCES];
    size_t next[MAX_SEQUENCES];
    size_t depth;
    json_object *single; /* the tree itself, when it is no sequence */
    bool is_too_deep;
} step_walk;

static void enter(step_walk *walk, json_object *tree)
{
    if (!gm_file_span_is(gm_file_member_text(tree, "type"), "Sequence")) {
        walk->single = tree;
    } else if (walk->depth == MAX_SEQUENCES) {
        walk->is_too_deep = true;
    } else {
        walk->open[walk->depth] = gm_file_member(tree, walk->list);
        walk->next[walk->depth++] = 0;
    }
}

static step_walk walk_steps(json_object *tree, const char *list)
{
    step_walk walk = {.list = list};
    if (tree != NULL)
        enter(&walk, tree);
    return walk;
}

/* The next step that is no sequence, or NULL. */
static json_object *next_step(step_walk *walk)
{
    for (;;) {
        json_object *step = walk->single;
        walk->single = NULL;
        if (step != NULL)
            return step;
        if (walk->depth == 0 || walk->is_too_deep)
            return NULL;
        json_object *steps = walk->open[walk->depth - 1];
        const size_t at = walk->next[walk->depth - 1]++;
        if (!json_object_is_type(steps, json_type_array) || at >= json_object_array_length(steps))
            walk->depth--;
        else
            enter(walk, json_object_array_get_idx(steps, at));
    }
}

/* ---- decoders ---- */

static gm_status unsupported(gm_file_span type, const char *why, uint64_t offset, gm_error *error)
{
    return gm_file_fail(error, GM_UNSUPPORTED, offset, "decoder: %.*s at byte %llu %s", gm_file_shown(type.size),
                        type.data != NULL ? (const char *)type.data : "", (unsigned long long)offset, why);
}

static gm_status set_space(gm_file_decoder *decoder, gm_file_span type, gm_file_span sign, uint64_t offset,
                           gm_error *error)
{
    if (sign.size == 0 || sign.size > sizeof decoder->space)
        return unsupported(type, "has no sign for a space that we know", offset, error);
    if (decoder->space_length != 0 &&
        (decoder->space_length != sign.size || memcmp(decoder->space, sign.data, sign.size) != 0))
        return unsupported(type, "names a second sign for a space", offset, error);
    memcpy(decoder->space, sign.data, sign.size);
    decoder->space_length = sign.size;
    return GM_OK;
}

static gm_status read_replace(json_object *step, gm_file_decoder *decoder, gm_file_span type, uint64_t offset,
                              gm_error *error)
{
    const gm_file_span pattern = gm_file_member_text(gm_file_member(step, "pattern"), "String");
    if (!gm_file_span_is(gm_file_member_text(step, "content"), " ") || pattern.data == NULL)
        return unsupported(type, "replaces something else than a sign by a space", offset, error);
    return set_space(decoder, type, pattern, offset, error);
}

static gm_status read_step(json_object *step, gm_file_decoder *decoder, uint64_t offset, gm_error *error)
{
    const gm_file_span type = gm_file_member_text(step, "type");
    if (gm_file_span_is(type, "ByteLevel")) {
        decoder->byte_level = true;
    } else if (gm_file_span_is(type, "ByteFallback")) {
        decoder->byte_fallback = true;
    } else if (gm_file_span_is(type, "Fuse")) {
        decoder->is_fused = true;
    } else if (gm_file_span_is(type, "WordPiece")) {
        decoder->word_piece = true;
    } else if (gm_file_span_is(type, "Metaspace")) {
        gm_file_span sign = gm_file_member_text(step, "replacement");
        if (sign.data == NULL)
            sign = gm_file_member_text(step, "str_rep");
        return set_space(decoder, type, sign, offset, error);
    } else if (gm_file_span_is(type, "Replace")) {
        return read_replace(step, decoder, type, offset, error);
    } else if (gm_file_span_is(type, "Strip")) {
        if (!decoder->is_fused)
            return unsupported(type, "strips every token, so what a token spells depends on the next", offset, error);
    } else {
        return unsupported(type, "is a step whose effect on a token we do not know", offset, error);
    }
    return GM_OK;
}

gm_status gm_file_decoder_read(json_object *tree, uint64_t offset, gm_file_decoder *decoder, gm_error *error)
{
    *decoder = (gm_file_decoder){0};
    if (tree == NULL)
        return gm_file_fail(error, GM_UNSUPPORTED, offset,
                            "decoder: there is none, so texts of tokens are joined by spaces");
    step_walk walk = walk_steps(tree, "decoders");
    for (json_object *step; (step = next_step(&walk)) != NULL;)
        GM_FILE_TRY(read_step(step, decoder, offset, error));
    if (walk.is_too_deep)
        return gm_file_fail(error, GM_UNSUPPORTED, offset, "decoder: sequences are nested deeper than %d",
                            MAX_SEQUENCES);
    if (decoder->byte_level && (decoder->byte_fallback || decoder->space_length != 0 || decoder->word_piece))
        return gm_file_fail(error, GM_UNSUPPORTED, offset, "decoder: ByteLevel is mixed with other spellings");
    return GM_OK;
}

/* ---- prefix space ---- */

/* Newer files have prepend_scheme, older ones add_prefix_space. */
static bool step_prepends(json_object *step)
{
    const gm_file_span type = gm_file_member_text(step, "type");
    if (gm_file_span_is(type, "Prepend"))
        return gm_file_member_text(step, "prepend").size != 0;
    if (gm_file_span_is(type, "ByteLevel"))
        return gm_file_member_flag(step, "add_prefix_space");
    if (!gm_file_span_is(type, "Metaspace"))
        return false;
    const gm_file_span scheme = gm_file_member_text(step, "prepend_scheme");
    return scheme.data != NULL ? !gm_file_span_is(scheme, "never") : gm_file_member_flag(step, "add_prefix_space");
}

static bool any_prepends(json_object *tree, const char *list)
{
    step_walk walk = walk_steps(tree, list);
    for (json_object *step; (step = next_step(&walk)) != NULL;)
        if (step_prepends(step))
            return true;
    return false;
}

bool gm_file_has_prefix_space(json_object *normalizer, json_object *pre_tokenizer)
{
    return any_prepends(normalizer, "normalizers") || any_prepends(pre_tokenizer, "pretokenizers");
}
