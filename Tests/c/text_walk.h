/*
 * text_walk.h - for tests of lex/text.h: random patterns, random texts, and what rows say of a term.
 *
 * Everything is a function of the seed, so that a failure can be had again.
 */
#ifndef TEXT_WALK_H
#define TEXT_WALK_H

#include "base/utf8.h"
#include "lex/text.h"

#include "check.h"

/* ---- chance ---- */

typedef struct chance {
    uint64_t state;
} chance;

static inline uint32_t chance_below(chance *c, uint32_t count)
{
    c->state += 0x9e3779b97f4a7c15u;
    return (uint32_t)(gm_mix(c->state) >> 11) % count;
}

/* ---- patterns ---- */

typedef struct maker {
    chance *chance;
    char *out;
    size_t length, size;
    bool assertions; /* \b, \B, look-around as well */
} maker;

static inline void make_text(maker *m, const char *text)
{
    const size_t length = strlen(text);
    if (m->length + length < m->size) {
        memcpy(m->out + m->length, text, length + 1);
        m->length += length;
    }
}

static inline void make_one_of(maker *m, const char *const *choices, uint32_t count)
{
    make_text(m, choices[chance_below(m->chance, count)]);
}

static inline void make_atom(maker *m)
{
    static const char *const atoms[] = {"a",   "b",     "c",      "a",    "b",   "\xc3\xa9", ".",  "[ab]", "[^a]",
                                        "[a-c]", "\\d",   "\\w",    "\\W",  "[^\\w]", "[^\\db]", "-",  "1",    "\\x61",
                                        "[^]", "[\\da]", "\\n",    "\\D",  "ab",  "ba",       "[\\n\xc3\xa9]"};
    make_one_of(m, atoms, GM_COUNT_OF(atoms));
}

/* PCRE2 10.42 takes (^){0}a for anchored, so {0}, the last one, is kept from groups. */
static inline void make_quantifier(maker *m, bool of_group)
{
    static const char *const quantifiers[] = {"*",    "+",      "?",     "{2}", "{0,2}", "{1,3}", "{2,}", "*?",
                                              "+?",   "{1,2}?", "{0,1}", "{3}", "{2,4}", "{0}"};
    if (chance_below(m->chance, 5) < 2)
        make_one_of(m, quantifiers, GM_COUNT_OF(quantifiers) - of_group);
}

static inline void make_pattern(maker *m, int depth);

static inline void make_group(maker *m, int depth)
{
    static const char *const ahead[] = {"(?=", "(?!"};
    static const char *const behind[] = {"(?<=", "(?<!"};
    if (m->assertions && chance_below(m->chance, 3) == 0) {
        if (chance_below(m->chance, 3) == 0) {
            static const char *const inner[] = {"a", "b",  "ab", "[ab]", "\\d", "a.",
                                                "^", "^a", ".b", "\\w",  "a|b", "\xc3\xa9"};
            make_one_of(m, behind, 2);
            make_one_of(m, inner, GM_COUNT_OF(inner));
        } else {
            make_one_of(m, ahead, 2);
            make_pattern(m, depth - 1);
        }
        make_text(m, ")");
        return;
    }
    make_text(m, chance_below(m->chance, 2) ? "(" : "(?:");
    make_pattern(m, depth - 1);
    make_text(m, ")");
    make_quantifier(m, true);
}

static inline void make_pattern(maker *m, int depth)
{
    static const char *const anchors[] = {"^", "$"};
    static const char *const words[] = {"\\b", "\\B", "^", "$"};
    const uint32_t alternatives = chance_below(m->chance, 4) == 0 ? 2 + chance_below(m->chance, 2) : 1;
    for (uint32_t i = 0; i < alternatives; i++) {
        if (i > 0)
            make_text(m, "|");
        for (uint32_t items = chance_below(m->chance, 4); items > 0; items--) {
            const uint32_t kind = chance_below(m->chance, 10);
            if (kind == 0) {
                if (m->assertions)
                    make_one_of(m, words, 4);
                else
                    make_one_of(m, anchors, 2);
            } else if (kind < 4 && depth > 0) {
                make_group(m, depth);
            } else {
                make_atom(m);
                make_quantifier(m, false);
            }
        }
    }
}

/* A pattern, anchored on either side as often as not. */
static inline gm_bytes make_whole(chance *c, char *out, size_t size, bool assertions)
{
    maker m = {.chance = c, .out = out, .size = size, .assertions = assertions};
    out[0] = '\0';
    const uint32_t anchors = chance_below(c, 4);
    if (anchors & 1)
        make_text(&m, "^(?:");
    make_pattern(&m, 3);
    if (anchors & 1)
        make_text(&m, ")");
    if (anchors & 2)
        make_text(&m, "$");
    return (gm_bytes){out, m.length};
}

/* ---- texts ---- */

static inline gm_bytes random_text(chance *c, char *out, uint32_t most)
{
    static const char *const letters[] = {"a", "b", "c", "a", "b", "-", "1", "\xc3\xa9", "\n", "_", "\xf0\x9f\x98\x80"};
    size_t length = 0;
    for (uint32_t count = chance_below(c, most + 1); count > 0; count--) {
        const char *letter = letters[chance_below(c, GM_COUNT_OF(letters))];
        memcpy(out + length, letter, strlen(letter));
        length += strlen(letter);
    }
    return (gm_bytes){out, length};
}

static inline uint32_t pick_code_point(chance *c, const gm_text_row *row)
{
    static const uint32_t usual[] = {'a', 'b', 'c', '1', '-', 0xE9, '\n', 0x1F600, '_'};
    for (int i = 0; i < 12; i++) {
        const uint32_t code_point = usual[chance_below(c, GM_COUNT_OF(usual))];
        if (gm_text_next(row, code_point) != GM_TERM_NONE)
            return code_point;
    }
    for (uint32_t code_point = 0; code_point < 128; code_point++)
        if (row->ascii[code_point] != GM_TERM_NONE)
            return code_point;
    return row->range_count > 0 ? row->ranges[0].low : UINT32_MAX;
}

/* A text of a term, of about `wanted` code points; length SIZE_MAX if none was found. out has room
 * for 4 * (wanted + 64) bytes. */
static inline gm_bytes walk_text(gm_text *text, gm_term term, chance *c, char *out, size_t wanted)
{
    size_t length = 0;
    for (size_t count = 0; count < wanted + 64; count++) {
        const gm_text_row *row = gm_text_row_of(text, term);
        if (row->accepts && (count >= wanted || chance_below(c, 6) == 0))
            return (gm_bytes){out, length};
        const uint32_t code_point = pick_code_point(c, row);
        if (code_point == UINT32_MAX)
            return row->accepts ? (gm_bytes){out, length} : (gm_bytes){out, SIZE_MAX};
        length += gm_utf8_write(code_point, out + length);
        term = gm_text_next(row, code_point);
    }
    return (gm_bytes){out, SIZE_MAX};
}

/* Changes a text a little; out has room for its length + 8. */
static inline gm_bytes mutate_text(chance *c, gm_bytes text, char *out)
{
    size_t starts[512], count = 0;
    for (size_t at = 0; at < text.length && count < 511; count++) {
        starts[count] = at;
        gm_utf8_read(text.data, text.length, &at);
    }
    starts[count] = text.length;
    const size_t at = starts[count > 0 ? chance_below(c, (uint32_t)count + 1) : 0];
    const bool remove = chance_below(c, 2) != 0 && at < text.length;
    char letter[16];
    const gm_bytes added = chance_below(c, 3) != 0 ? random_text(c, letter, 1) : (gm_bytes){letter, 0};
    size_t next = at;
    if (remove)
        gm_utf8_read(text.data, text.length, &next);
    memcpy(out, text.data, at);
    memcpy(out + at, added.data, added.length);
    memcpy(out + at + added.length, text.data + next, text.length - next);
    return (gm_bytes){out, text.length - (next - at) + added.length};
}

/* ---- what rows say ---- */

enum { MOST_WALKED = 3000 };

typedef struct reach {
    gm_term states[MOST_WALKED];
    size_t count;
    bool complete;
} reach;

static inline bool reach_add(reach *r, gm_term term)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->states[i] == term)
            return true;
    if (r->count == MOST_WALKED)
        return false;
    r->states[r->count++] = term;
    return true;
}

/* Adds all terms that a row leads to. */
static inline bool reach_add_row(reach *r, const gm_text_row *row)
{
    bool fits = true;
    gm_term last = GM_TERM_NONE;
    for (uint32_t i = 0; i < 128 + row->range_count; i++) {
        const gm_term to = i < 128 ? row->ascii[i] : row->ranges[i - 128].to;
        if (to != GM_TERM_NONE && to != last)
            fits &= reach_add(r, to);
        last = to;
    }
    return fits;
}

/* Whether from every state that a term leads to (as far as room allows) a text can end: checked backward
 * over the states found. False negatives are possible only where room ended: *complete tells. */
static inline bool all_live(gm_text *text, gm_term term, bool *complete)
{
    static reach r;
    static bool live[MOST_WALKED];
    r.count = 0;
    *complete = true;
    if (term == GM_TERM_NONE)
        return true;
    reach_add(&r, term);
    for (size_t i = 0; i < r.count; i++)
        *complete &= reach_add_row(&r, gm_text_row_of(text, r.states[i]));
    for (size_t i = 0; i < r.count; i++)
        live[i] = gm_text_row_of(text, r.states[i])->accepts;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < r.count; i++) {
            if (live[i])
                continue;
            static reach next;
            next.count = 0;
            reach_add_row(&next, gm_text_row_of(text, r.states[i]));
            for (size_t j = 0; j < next.count && !live[i]; j++)
                for (size_t k = 0; k < r.count; k++)
                    if (r.states[k] == next.states[j] && live[k]) {
                        live[i] = changed = true;
                        break;
                    }
        }
    }
    for (size_t i = 0; i < r.count; i++)
        if (!live[i])
            return false;
    return true;
}

/* Compares gm_text_lengths with lengths found by walking, up to `most`. */
static inline bool lengths_agree(gm_text *text, gm_term term, uint64_t most)
{
    static reach now, next;
    const gm_lengths *lengths;
    gm_error error;
    const gm_status status = gm_text_lengths(text, term, &lengths, &error);
    if (status == GM_LIMIT)
        return true; /* refused, which is no answer */
    if (status != GM_OK)
        return false;
    now.count = 0;
    if (term != GM_TERM_NONE)
        reach_add(&now, term);
    for (uint64_t length = 0; length <= most; length++) {
        bool found = false;
        next.count = 0;
        for (size_t i = 0; i < now.count; i++) {
            const gm_text_row *row = gm_text_row_of(text, now.states[i]);
            found |= row->accepts;
            if (!reach_add_row(&next, row))
                return true; /* too many to tell */
        }
        if (gm_lengths_meet(lengths, length, length) != found) {
            fprintf(stderr, "length %llu: %s by walking\n", (unsigned long long)length, found ? "found" : "not found");
            return false;
        }
        if (found && (length < lengths->least || length > lengths->greatest))
            return false;
        now = next;
    }
    return true;
}

#endif
