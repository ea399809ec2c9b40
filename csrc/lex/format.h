/*
 * lex/format.h - the values of the keyword `format`, as content languages.
 *
 * A format is exact, or a subset of what its specification allows, with a note that says what is
 * left out. A subset may be asked for, never negated. docs/formats.md says the same at more length.
 *
 * A few formats bound the length of the whole text; that bound is told apart, so that it can be
 * counted instead of being multiplied into the term.
 */
#ifndef GM_LEX_FORMAT_H
#define GM_LEX_FORMAT_H

#include "lex/text.h"

typedef struct gm_format {
    const char *name;
    bool is_subset;
    const char *note;     /* what a subset leaves out; else NULL */
    uint64_t least, most; /* code points of the text, beside the term; most is UINT64_MAX if unbounded */
} gm_format;

/* NULL: no format that we know, so an annotation. */
const gm_format *gm_format_find(gm_bytes name);

/* The texts of a format, as a settled term; made once per store. */
gm_status gm_text_format(gm_text *text, const gm_format *format, gm_term *term, gm_error *error);

#endif
