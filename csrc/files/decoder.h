/*
 * files/decoder.h - what the pipeline of a tokenizer.json says about the bytes of a piece.
 *
 * A decoder is a list of steps. We know those whose effect on a piece in the middle of a text is
 * the same wherever it stands; a file with any other step is refused, for its tokens have no bytes
 * of their own. Steps that touch only the two ends of a whole text (Strip after Fuse, the first
 * space of Metaspace) do not count: tables never strip. The clean-up of WordPiece works on whole
 * texts too, and such vocabularies spell no bytes anyway.
 */
#ifndef GM_FILES_DECODER_H
#define GM_FILES_DECODER_H

#include "files/document.h"

typedef struct gm_file_decoder {
    bool byte_level;
    bool byte_fallback; /* <0xNN> pieces become bytes */
    bool is_fused;      /* pieces were joined: later steps see whole texts */
    bool word_piece;
    uint8_t space[8]; /* the run that becomes a space */
    size_t space_length;
} gm_file_decoder;

/* `tree` is the value of "decoder". `offset` is where it stands. */
gm_status gm_file_decoder_read(json_object *tree, uint64_t offset, gm_file_decoder *decoder, gm_error *error);
/* True when encoders of this file put a space before a text. Either tree may be NULL. */
bool gm_file_has_prefix_space(json_object *normalizer, json_object *pre_tokenizer);

/* Members of small trees; a missing one, or one of another type, gives the zero value. */
json_object *gm_file_member(json_object *tree, const char *name);
bool gm_file_member_flag(json_object *tree, const char *name);
gm_file_span gm_file_member_text(json_object *tree, const char *name);
bool gm_file_span_is(gm_file_span span, const char *text);

#endif
