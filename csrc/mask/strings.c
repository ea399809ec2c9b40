/* mask/strings.c - see strings.h. */
#include "mask/strings.h"

#include "mask/closing.h"

/* ---- bounds on length ---- */

/* What bounds on length do to the inner mask of a thread's content. */
typedef enum bounds_effect {
    IS_CLEAR, /* nothing */
    IS_CUT,   /* they take out the tokens of too many code points, and perhaps some of nearly as many */
    IS_BOUNDED
} bounds_effect;

typedef struct bounds {
    uint64_t length; /* code points read */
    uint64_t left;   /* that may follow */
    uint64_t sure;   /* IS_CUT: of tokens that are not taken out */
    uint64_t last;   /* IS_CUT: of tokens in doubt, at most */
} bounds;

enum { MANY_DOUBTFUL = 256 };

/* Whether few tokens are in doubt. */
static bool has_few_doubtful(const gm_inner *inner, bool minimal, const bounds *b)
{
    uint64_t doubtful = 0;
    const uint32_t *ids;
    for (uint64_t points = b->sure + 1; points <= b->last && doubtful <= MANY_DOUBTFUL; points++)
        doubtful += gm_inner_tokens_of(inner, minimal, points, &ids);
    return doubtful <= MANY_DOUBTFUL;
}

static bounds_effect effect_of_bounds(const gm_mask_source *source, gm_walk *walk, const gm_text_thread *thread,
                                      gm_term term, bounds *b)
{
    const bool minimal = source->machine->minimal_escapes;
    if (thread->least == 0 && thread->most == GM_UNBOUNDED)
        return IS_CLEAR;
    if (b->length > thread->most)
        return IS_BOUNDED;
    b->left = thread->most == GM_UNBOUNDED ? UINT64_MAX : thread->most - b->length;
    if (term == GM_TERM_ANY)
        return b->left >= gm_vocab_tables_of(source->vocab)->max_token_length ? IS_CLEAR : IS_BOUNDED;
    const gm_need need = gm_inner_need(source->inner, term, minimal, &walk->visited);
    if (need.behind == UINT64_MAX || (need.is_finite && b->length < thread->least))
        return IS_BOUNDED;
    if (need.points <= b->left)
        return IS_CLEAR;
    if (need.is_finite || need.behind > b->left)
        return IS_BOUNDED;
    const uint64_t longest = gm_vocab_tables_of(source->vocab)->max_token_length;
    b->sure = b->left - need.behind;
    b->last = b->left < longest ? b->left : longest;
    return has_few_doubtful(source->inner, minimal, b) ? IS_CUT : IS_BOUNDED;
}

bool gm_string_counts(const gm_mask_source *source, const gm_config *from)
{
    const gm_place *place = from->at.turn->place;
    if (!place->counts_points || source->inner == NULL || from->spelling != GM_SPELLING_BETWEEN)
        return place->counts_points;
    for (uint32_t i = 0; i < from->as.text.lexical->count; i++) {
        const gm_strand strand = from->as.text.lexical->strands[i];
        const gm_text_thread *thread = &place->texts[strand.thread].thread;
        const uint64_t length = from->as.text.length;
        gm_need need = {.points = gm_vocab_tables_of(source->vocab)->max_token_length};
        if (length < thread->least || length > thread->most)
            return true;
        if (thread->most != GM_UNBOUNDED && strand.state != GM_TERM_ANY &&
            !gm_inner_has_need(source->inner, strand.state, source->machine->minimal_escapes, &need))
            return true;
        if (thread->most != GM_UNBOUNDED &&
            (thread->most - length < need.points || thread->most - length < need.closing))
            return true;
    }
    return false;
}

/* ---- contents ---- */

/* Whether the content alone tells which tokens stay inside a string: not where a unique array may have all that
 * some token leaves. */
static bool content_tells(const gm_mask_source *source, const gm_config *from)
{
    const gm_lexical *lexical = from->as.text.lexical;
    for (uint32_t i = 0; i < lexical->count && gm_config_may_repeat(from); i++) {
        const gm_place_text *text = &from->at.turn->place->texts[lexical->strands[i].thread];
        if (text->thread.most != GM_UNBOUNDED ||
            !gm_content_is_perpetual(source->machine->text, lexical->strands[i].state))
            return false;
    }
    return true;
}

/* Takes from an inner mask what a bound takes out. */
static gm_status cut_inner(const gm_mask_source *source, gm_walk *walk, gm_arena *journal, const gm_config *from,
                           const bounds *b, gm_canvas *canvas)
{
    const bool minimal = source->machine->minimal_escapes;
    gm_inner_trim(source->inner, minimal, b->left, canvas);
    for (uint64_t points = b->sure + 1; points <= b->last; points++) {
        const uint32_t *ids;
        const uint32_t count = gm_inner_tokens_of(source->inner, minimal, points, &ids);
        for (uint32_t i = 0; i < count; i++)
            if (canvas->words[ids[i] / 32] >> ids[i] % 32 & 1)
                GM_TRY(gm_walk_tokens(walk, source->machine, journal, source->vocab, &ids[i], 1, from, canvas));
    }
    return GM_OK;
}

/* Begins with the inner masks of a string's strands. */
static gm_status put_inner(const gm_mask_source *source, gm_walk *walk, gm_arena *journal, const gm_config *from,
                           gm_canvas *canvas)
{
    const gm_lexical *lexical = from->as.text.lexical;
    const bool minimal = source->machine->minimal_escapes;
    bool over = true; /* nothing was written */
    for (uint32_t i = 0; i < lexical->count; i++) {
        const gm_text_thread *thread = &from->at.turn->place->texts[lexical->strands[i].thread].thread;
        const gm_term term = lexical->strands[i].state;
        bounds b = {.length = from->as.text.length};
        const bounds_effect effect = effect_of_bounds(source, walk, thread, term, &b);
        if (effect == IS_CLEAR || (effect == IS_CUT && lexical->count == 1)) {
            if (!gm_inner_put(source->inner, term, minimal, over, canvas, &walk->visited))
                return GM_OUT_OF_MEMORY;
            if (effect == IS_CUT)
                GM_TRY(cut_inner(source, walk, journal, from, &b, canvas));
        } else if (b.length <= thread->most) {
            if (over)
                gm_canvas_begin(canvas, NULL);
            if (!gm_inner_put_bounded(
                    source->inner, term, minimal, thread->least > b.length ? thread->least - b.length : 0,
                    thread->most == GM_UNBOUNDED ? GM_UNBOUNDED : thread->most - b.length, canvas, &walk->visited))
                return GM_OUT_OF_MEMORY;
        } else if (over) {
            gm_canvas_begin(canvas, NULL);
        }
        over = false;
    }
    return GM_OK;
}

/* ---- any text ---- */

/* Whether this is any text under a bound on length, with one strand: then only counts matter. */
static bool is_bounded_string(const gm_config *from)
{
    return from->as.text.lexical->count == 1 && from->as.text.lexical->strands[0].state == GM_TERM_ANY;
}

/* Any text under a bound: tokens by their number of points; those that close by that of their inner
 * part, all alike otherwise. */
static gm_status mask_bounded(const gm_mask_source *source, gm_walk *walk, gm_arena *journal, const gm_config *from,
                              gm_canvas *canvas)
{
    const bool minimal = source->machine->minimal_escapes;
    const gm_tails *tails;
    const uint32_t longest = gm_vocab_tables_of(source->vocab)->max_token_length;
    const gm_text_thread *thread = &from->at.turn->place->texts[from->as.text.lexical->strands[0].thread].thread;
    const uint64_t length = from->as.text.length;
    const uint64_t least = thread->least > length ? thread->least - length : 0;
    const uint64_t most = thread->most - length;
    gm_config enough = *from; /* where a quote may close */
    gm_inner_free(source->inner, minimal, &tails);
    gm_inner_cut(source->inner, minimal, most, canvas);
    enough.as.text.length = length + least;
    GM_TRY(gm_walk_mask(walk, source->machine, journal, &tails->small.trie, longest, NULL, NULL, &enough, canvas));
    for (uint32_t i = 0; i < tails->part_count; i++)
        if (tails->parts[i].points < least || tails->parts[i].points > most)
            gm_tails_clear(tails, &tails->parts[i], canvas);
    return GM_OK;
}

/* Any text that no token carries past a bound: all tokens that stay inside, and those that close by their tails. */
static gm_status mask_free(const gm_mask_source *source, gm_walk *walk, gm_arena *journal, const gm_config *from,
                           gm_canvas *canvas)
{
    const gm_tails *tails;
    gm_canvas_begin(canvas, gm_inner_free(source->inner, source->machine->minimal_escapes, &tails));
    return gm_walk_mask(walk, source->machine, journal, &tails->small.trie,
                        gm_vocab_tables_of(source->vocab)->max_token_length, NULL, NULL, from, canvas);
}

gm_status gm_string_mask(const gm_mask_source *source, gm_walk *walk, gm_arena *journal, const gm_config *from,
                         gm_canvas *canvas, bool *told)
{
    const gm_vocab_tables *tables = gm_vocab_tables_of(source->vocab);
    const bool is_watched = gm_config_is_watched(from);
    *told = false;
    if (source->inner == NULL || from->mode != GM_MODE_STRING || from->spelling != GM_SPELLING_BETWEEN)
        return GM_OK;
    *told = true;
    if (!is_watched && gm_is_free_string(from, tables->max_token_length))
        return mask_free(source, walk, journal, from, canvas);
    if (!is_watched && is_bounded_string(from))
        return mask_bounded(source, walk, journal, from, canvas);
    *told = content_tells(source, from);
    if (!*told)
        return GM_OK;
    GM_TRY(put_inner(source, walk, journal, from, canvas));
    if (gm_closing_applies(source, from))
        return gm_closing_put(source, walk, journal, from, canvas);
    return gm_walk_mask(walk, source->machine, journal, &tables->quotes, tables->max_token_length, NULL, NULL, from,
                        canvas);
}
