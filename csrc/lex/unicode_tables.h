/*
 * lex/unicode_tables.h - private to lex/: what tools/make_unicode_tables.py generates.
 *
 * A set is a stretch of gm_unicode_sets: distances between boundaries, which are by turns the first
 * code point of a range and the first behind it, each distance a little-endian base-128 number.
 */
#ifndef GM_LEX_UNICODE_TABLES_H
#define GM_LEX_UNICODE_TABLES_H

#include <stddef.h>
#include <stdint.h>

typedef struct gm_unicode_name {
    const char *name;
    uint32_t offset, length; /* in gm_unicode_sets, in bytes */
} gm_unicode_name;

extern const uint8_t gm_unicode_sets[];

/* Each sorted by name. */
extern const gm_unicode_name gm_unicode_categories[];
extern const size_t gm_unicode_categories_count;
extern const gm_unicode_name gm_unicode_scripts[];
extern const size_t gm_unicode_scripts_count;
extern const gm_unicode_name gm_unicode_script_extensions[];
extern const size_t gm_unicode_script_extensions_count;
extern const gm_unicode_name gm_unicode_binary_properties[];
extern const size_t gm_unicode_binary_properties_count;

#endif
