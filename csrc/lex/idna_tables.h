/*
 * lex/idna_tables.h - private to lex/: what tools/make_idna_tables.py generates.
 *
 * The code points that an internationalized host name may hold, in ranges of like traits. Left out
 * are those that normalization form C always replaces.
 */
#ifndef GM_LEX_IDNA_TABLES_H
#define GM_LEX_IDNA_TABLES_H

#include <stddef.h>
#include <stdint.h>

typedef enum gm_idna_role {
    GM_IDNA_PLAIN,
    GM_IDNA_CAPITAL, /* A to Z */
    GM_IDNA_HYPHEN,
    GM_IDNA_DOT, /* also the ideographic, fullwidth and halfwidth ones */
    GM_IDNA_MIDDLE_DOT,
    GM_IDNA_KERAIA,
    GM_IDNA_GERESH, /* and gershayim */
    GM_IDNA_KATAKANA_DOT,
    GM_IDNA_NON_JOINER,
    GM_IDNA_JOINER,
    GM_IDNA_SMALL_L
} gm_idna_role;

/* Classes of RFC 5893, as far as the rule tells them apart. */
typedef enum gm_idna_direction {
    GM_IDNA_L,
    GM_IDNA_R, /* and AL */
    GM_IDNA_AN,
    GM_IDNA_EN,
    GM_IDNA_NSM,
    GM_IDNA_NEUTRAL /* ES, CS, ET, ON, BN */
} gm_idna_direction;

/* A word of traits: role in bits 0 to 3, direction in 4 to 6, rank of the combining class (0 = class 0)
 * in 7 to 12, flags, size in 23 to 25. */
enum {
    GM_IDNA_JOINS_NEXT = 1 << 13,     /* Joining_Type L or D */
    GM_IDNA_JOINS_LAST = 1 << 14,     /* R or D */
    GM_IDNA_TRANSPARENT = 1 << 15,    /* T */
    GM_IDNA_MARK = 1 << 16,           /* General_Category M */
    GM_IDNA_MAY_COMPOSE = 1 << 17,    /* with what precedes it: NFC_Quick_Check is Maybe */
    GM_IDNA_HAS_COMPOSITES = 1 << 18, /* with something that may follow it */
    GM_IDNA_GREEK = 1 << 19,
    GM_IDNA_HEBREW = 1 << 20,
    GM_IDNA_KANA = 1 << 21, /* Hiragana, Katakana or Han */
    GM_IDNA_VIRAMA = 1 << 22
};

typedef struct gm_idna_range {
    uint32_t low;
    uint16_t more;  /* high - low */
    uint16_t traits; /* which word */
} gm_idna_range;

enum { GM_IDNA_TRAITS = 163, GM_IDNA_MOST_BEYOND = 24 };

extern const uint32_t gm_idna_traits[GM_IDNA_TRAITS];
extern const gm_idna_range gm_idna_ranges[]; /* ascending and apart */
extern const size_t gm_idna_range_count;

/* How many octets a label has at most in its ASCII form (64 = more than 63), by the size of its largest
 * code point (0 = ASCII, then below 0x250, 0x800, 0x3100, 0x10000, any) and its number of code points. */
extern const uint8_t gm_idna_longest[6][64];
/* How many octets its code points beyond ASCII take at most, by the same size and their number. */
extern const uint8_t gm_idna_digits[6][GM_IDNA_MOST_BEYOND + 1];

#endif
