/*
 * lex/piece.c - stretches of a pattern that may hold ^ and $ anywhere.
 *
 * Whether ^ holds within a stretch depends on two facts only: whether the stretch begins at the start
 * of the text, and whether anything was read since; likewise for $. So a piece has four languages, and
 * those of a compound follow from those of its parts once it is said which parts read nothing. The
 * outcome has no assertions left, and what cannot match, as in a^b, has become GM_TERM_NONE on the way:
 * a pattern with anchors needs no search for dead ends.
 */
#include "lex/pattern.h"

static bool nullable(const gm_text *text, gm_term term)
{
    return term != GM_TERM_FAILED && gm_term_nullable(text, term);
}

static void note_what_it_minds(gm_piece *piece)
{
    const gm_term *language = piece->language;
    const gm_term both = language[GM_AT_START | GM_AT_END];
    piece->minds_start = language[0] != language[GM_AT_START] || language[GM_AT_END] != both;
    piece->minds_end = language[0] != language[GM_AT_END] || language[GM_AT_START] != both;
}

gm_piece gm_piece_plain(gm_term term) { return (gm_piece){.language = {term, term, term, term}}; }

gm_piece gm_piece_start(void)
{
    return (gm_piece){.language = {GM_TERM_NONE, GM_TERM_EMPTY, GM_TERM_NONE, GM_TERM_EMPTY}, .minds_start = true};
}

gm_piece gm_piece_end(void)
{
    return (gm_piece){.language = {GM_TERM_NONE, GM_TERM_NONE, GM_TERM_EMPTY, GM_TERM_EMPTY}, .minds_end = true};
}

/* The language of first second: the first ends at the end only if the second reads nothing, and so
 * on. Four cases, each of them a part of the whole whatever else holds. */
static gm_term concat_at(gm_text *text, const gm_piece *first, const gm_piece *second, unsigned place)
{
    const unsigned start = place & GM_AT_START, end = place & GM_AT_END;
    gm_term both[4] = {gm_term_concat(text, first->language[start], second->language[end]), GM_TERM_NONE, GM_TERM_NONE,
                       GM_TERM_NONE};
    if (!first->minds_end && !second->minds_start)
        return both[0];
    if (nullable(text, first->language[start]))
        both[1] = second->language[place];
    if (nullable(text, second->language[end]))
        both[2] = first->language[place];
    if (nullable(text, first->language[place]) && nullable(text, second->language[place]))
        both[3] = GM_TERM_EMPTY;
    return gm_term_union(text, both, 4);
}

gm_piece gm_piece_concat(gm_text *text, gm_piece first, gm_piece second)
{
    if (!first.minds_start && !first.minds_end && !second.minds_start && !second.minds_end)
        return gm_piece_plain(gm_term_concat(text, first.language[0], second.language[0]));
    gm_piece whole = {0};
    for (unsigned place = 0; place < 4; place++)
        whole.language[place] = concat_at(text, &first, &second, place);
    note_what_it_minds(&whole);
    return whole;
}

static gm_term union_at(gm_text *text, const gm_piece *pieces, size_t count, unsigned place)
{
    gm_terms *parts = &text->parts;
    parts->count = 0;
    if (!GM_ARRAY_RESERVE(&text->allocator, parts, count))
        return GM_TERM_FAILED;
    for (size_t i = 0; i < count; i++)
        parts->items[parts->count++] = pieces[i].language[place];
    return gm_term_union(text, parts->items, count);
}

gm_piece gm_piece_union(gm_text *text, const gm_piece *pieces, size_t count)
{
    bool minds = false;
    for (size_t i = 0; i < count; i++)
        minds |= pieces[i].minds_start || pieces[i].minds_end;
    if (!minds)
        return gm_piece_plain(union_at(text, pieces, count, 0));
    gm_piece whole = {0};
    for (unsigned place = 0; place < 4; place++)
        whole.language[place] = union_at(text, pieces, count, place);
    note_what_it_minds(&whole);
    return whole;
}

static gm_term without_empty(gm_text *text, gm_term term)
{
    return nullable(text, term) ? gm_term_nonempty(text, term) : term;
}

/* Turns that read nothing need no place of their own: where one is possible it can stand for all that
 * are missing. The others are a first one, a last one, and those between, which are at neither end;
 * or a single one, which is both first and last. */
static gm_term repeat_at(gm_text *text, const gm_piece *body, uint32_t low, uint32_t high, unsigned place)
{
    const unsigned start = place & GM_AT_START, end = place & GM_AT_END;
    if (high == 0)
        return GM_TERM_EMPTY;
    gm_term parts[3] = {GM_TERM_NONE, GM_TERM_NONE, GM_TERM_NONE};
    if (low == 0 || nullable(text, body->language[place]))
        parts[0] = GM_TERM_EMPTY;
    if (nullable(text, body->language[start]) || nullable(text, body->language[end]))
        low = 0;
    if (low <= 1)
        parts[1] = without_empty(text, body->language[place]);
    if (high > 1) {
        const uint32_t least = low > 2 ? low - 2 : 0, most = high == GM_REPEAT_UNBOUNDED ? high : high - 2;
        const gm_term inner = gm_term_repeat(text, without_empty(text, body->language[0]), least, most);
        const gm_term last = without_empty(text, body->language[end]);
        parts[2] = gm_term_concat(text, without_empty(text, body->language[start]), gm_term_concat(text, inner, last));
    }
    return gm_term_union(text, parts, 3);
}

gm_piece gm_piece_repeat(gm_text *text, gm_piece body, uint32_t low, uint32_t high)
{
    if (!body.minds_start && !body.minds_end)
        return gm_piece_plain(gm_term_repeat(text, body.language[0], low, high));
    gm_piece whole = {0};
    for (unsigned place = 0; place < 4; place++)
        whole.language[place] = repeat_at(text, &body, low, high, place);
    note_what_it_minds(&whole);
    return whole;
}

gm_term gm_piece_search(gm_text *text, gm_piece piece)
{
    const gm_piece any = gm_piece_plain(GM_TERM_ANY);
    const gm_piece tail = gm_piece_concat(text, piece, any);
    return gm_piece_concat(text, any, tail).language[GM_AT_START | GM_AT_END];
}
