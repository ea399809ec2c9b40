/*
 * lex/format_private.h - private to lex/format*.c: who makes the terms of which formats.
 *
 * Terms come from a pattern where that is the short way to say it, and from a function where it is
 * not.
 */
#ifndef GM_LEX_FORMAT_PRIVATE_H
#define GM_LEX_FORMAT_PRIVATE_H

#include "lex/format.h"
#include "lex/lengths.h"

/* The whole texts that a pattern matches. It may use the rules of format.c as <name>; those for
 * characters beyond ASCII are empty unless `international`. */
gm_status gm_format_pattern(gm_text *text, const char *pattern, bool international, gm_term *term, gm_error *error);
/* Regular expressions as texts (format_regex.c). */
gm_status gm_format_regex(gm_text *text, gm_term *term, gm_error *error);

/* ---- automata in C ---- */

/* Which one an AUTOMATON node is a state of. Their states always have a way on to an end; and nodes
 * of one state are equal, so what need not be told apart any more must not differ. */
typedef enum gm_automaton {
    GM_AUTOMATON_TIME, /* b: position, low: what is remembered (format_time.c) */
    GM_AUTOMATON_IDN   /* low, high: packed (format_idn.c) */
} gm_automaton;

/* Points in time, times of day, and internationalized host names, from the start. */
gm_term gm_term_date_time(gm_text *text);
gm_term gm_term_time(gm_text *text);
gm_term gm_term_idn_hostname(gm_text *text);

bool gm_time_segments(gm_text *text, gm_term_node node);
bool gm_idn_segments(gm_text *text, gm_term_node node);
gm_lengths gm_time_lengths(gm_lengths_calculator *calculator, gm_term_node node);

#endif
