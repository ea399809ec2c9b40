/*
 * lex/pattern.h - private to lex/: the parts of reading an ECMA-262 pattern.
 *
 *   pattern.c        groups, alternatives, quantifiers: the grammar
 *   pattern_class.c  escapes and classes: which code points an atom stands for
 *   pattern_name.c   names of groups
 *   piece.c          what a stretch of a pattern means when it holds ^ and $
 *
 * Nothing here outlives one call of gm_text_pattern.
 */
#ifndef GM_LEX_PATTERN_H
#define GM_LEX_PATTERN_H

#include "lex/term.h"

/* What a stretch of a pattern matches, by whether it begins at the start of the text and whether it
 * ends at its end: ^ holds only at the start, $ only at the end. Larger knowledge never makes a
 * language smaller: language[0] is a part of language[1], and so on. */
typedef struct gm_piece {
    gm_term language[4]; /* index: GM_AT_START | GM_AT_END */
    bool minds_start, minds_end; /* whether languages differ by it */
} gm_piece;

enum { GM_AT_START = 1, GM_AT_END = 2 };

gm_piece gm_piece_plain(gm_term term);
gm_piece gm_piece_start(void); /* ^ */
gm_piece gm_piece_end(void);   /* $ */
gm_piece gm_piece_concat(gm_text *text, gm_piece first, gm_piece second);
gm_piece gm_piece_union(gm_text *text, const gm_piece *pieces, size_t count);
gm_piece gm_piece_repeat(gm_text *text, gm_piece body, uint32_t low, uint32_t high);
/* The texts in which a piece is found: search semantics. */
gm_term gm_piece_search(gm_text *text, gm_piece piece);

typedef enum gm_group_kind {
    GM_GROUP_ROOT,
    GM_GROUP_PLAIN,
    GM_GROUP_AHEAD,
    GM_GROUP_NOT_AHEAD,
    GM_GROUP_BEHIND,
    GM_GROUP_NOT_BEHIND
} gm_group_kind;

/* An open group. Its finished alternatives, then the items of the current one, lie on the stack of
 * pieces from `base` on. */
typedef struct gm_group {
    gm_group_kind kind;
    size_t base;
    uint32_t alternatives;
    uint32_t number; /* in the order of opening */
    size_t offset;   /* of its parenthesis */
} gm_group;

typedef struct gm_group_name {
    size_t offset;       /* in the source */
    size_t from, length; /* in letters */
    size_t path, depth;  /* in paths; of a reference: none */
} gm_group_name;

typedef struct gm_pattern {
    gm_text *text;
    gm_bytes source;
    size_t at;
    bool unicode;      /* with the u flag; else Annex B */
    bool assertions;   /* read it with look-around and word boundaries: all pieces are plain, see assert.c */
    bool has_assertions; /* it turned out to have some, and was not read so: to be read again */
    bool named_groups; /* the pattern has some: \k is then a reference in Annex B too */
    uint32_t capture_count;
    uint64_t positions;
    GM_ARRAY(gm_piece) pieces;
    GM_ARRAY(gm_group) groups;
    gm_ranges ranges; /* of the class being read */
    gm_ranges other;  /* of an escape within it */
    GM_ARRAY(char) name;    /* the name of a group being read, decoded */
    GM_ARRAY(char) letters; /* of all names kept below */
    GM_ARRAY(gm_group_name) names;
    GM_ARRAY(gm_group_name) references; /* \k: checked at the end, when all names are known */
    GM_ARRAY(uint64_t) paths;           /* of the names: group number << 32 | alternative, outermost first */
    gm_table name_table;                /* of indexes into names */
    uint32_t group_count;               /* groups opened so far */

    /* What went wrong. A construct that is valid but unsupported does not end the reading: what comes after
     * may show that the other dialect applies. */
    gm_status status;
    const char *message;
    size_t offset;
    const char *unsupported;
    size_t unsupported_offset;
} gm_pattern;

/* Both return false. */
bool gm_pattern_fail(gm_pattern *pattern, size_t offset, const char *message);
bool gm_pattern_no_memory(gm_pattern *pattern);
/* Notes what cannot be enforced; the first one counts. */
void gm_pattern_unsupported(gm_pattern *pattern, size_t offset, const char *what);

static inline int gm_pattern_peek(const gm_pattern *pattern, size_t ahead)
{
    const size_t at = pattern->at + ahead;
    return at < pattern->source.length ? (unsigned char)pattern->source.data[at] : -1;
}

/* Steps over a byte if it is the next one. */
static inline bool gm_pattern_skip(gm_pattern *pattern, char byte)
{
    if (gm_pattern_peek(pattern, 0) != (unsigned char)byte)
        return false;
    pattern->at++;
    return true;
}

/* The code point at pattern->at, which must not be the end. False for ill-formed UTF-8. */
bool gm_pattern_read(gm_pattern *pattern, uint32_t *code_point);

typedef enum gm_escape {
    GM_ESCAPE_FAILED,
    GM_ESCAPE_CHARACTER,
    GM_ESCAPE_SET,      /* its ranges were appended to pattern->ranges */
    GM_ESCAPE_REFERENCE /* to a group: unsupported */
} gm_escape;

/* Reads an escape other than an assertion; pattern->at is behind its backslash. */
gm_escape gm_pattern_escape(gm_pattern *pattern, bool in_class, uint32_t *code_point);
/* Leaves the characters of \w in pattern->ranges, normalized. */
bool gm_pattern_word_characters(gm_pattern *pattern);
/* Reads a class; pattern->at is behind its bracket. The set is left in pattern->ranges, normalized. */
bool gm_pattern_class(gm_pattern *pattern);
/* Reads \u after its `u` (braces only if allowed); -1 and nothing read if that is not one. */
int32_t gm_pattern_unicode_escape(gm_pattern *pattern, bool braces);
/* Reads `name>` of (?<name> and \k<name>, decoded, into pattern->name. */
bool gm_pattern_name(gm_pattern *pattern);
/* Keeps pattern->name, found at `offset`, as the name of the group just opened or as a reference. */
bool gm_pattern_keep_name(gm_pattern *pattern, size_t offset, bool is_reference);
/* Whether all references have their groups; fails the pattern if not. */
bool gm_pattern_check_references(gm_pattern *pattern);

#endif
