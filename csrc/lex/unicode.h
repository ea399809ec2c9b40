/*
 * lex/unicode.h - properties of code points that patterns may ask for with \p{...}.
 *
 * The tables are generated (unicode_tables.c, by tools/make_unicode_tables.py) and read only here.
 * Knows nothing of terms.
 */
#ifndef GM_LEX_UNICODE_H
#define GM_LEX_UNICODE_H

#include "lex/charset.h"

typedef enum gm_property_result {
    GM_PROPERTY_FOUND,
    GM_PROPERTY_UNKNOWN,  /* ECMA-262 has no such property or value */
    GM_PROPERTY_NO_MEMORY
} gm_property_result;

/* Appends the code points of \p{name} (value.data == NULL) or \p{name=value} to `ranges`. Names are
 * matched exactly, as ECMA-262 has it. */
gm_property_result gm_unicode_property(const gm_allocator *allocator, gm_bytes name, gm_bytes value, gm_ranges *ranges);

bool gm_unicode_is_id_start(uint32_t code_point);
bool gm_unicode_is_id_continue(uint32_t code_point);

#endif
