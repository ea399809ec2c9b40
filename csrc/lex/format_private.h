/*
 * lex/format_private.h - private to lex/format*.c: who makes the terms of which formats.
 *
 * Terms come from a pattern where that is the short way to say it, and from a function where it is
 * not.
 */
#ifndef GM_LEX_FORMAT_PRIVATE_H
#define GM_LEX_FORMAT_PRIVATE_H

#include "lex/format.h"
#include "lex/term.h"

/* The whole texts that a pattern matches. It may use the rules of format.c as <name>; those for
 * characters beyond ASCII are empty unless `international`. */
gm_status gm_format_pattern(gm_text *text, const char *pattern, bool international, gm_term *term, gm_error *error);
/* Regular expressions as texts (format_regex.c). */
gm_status gm_format_regex(gm_text *text, gm_term *term, gm_error *error);

#endif
