/* mask/compute.c - see compute.h. */
#include "mask/compute.h"

#include "mask/closing.h"
#include "mask/strings.h"

/* ---- keys ---- */

enum { MANY_NAMES = 4096 };

/* Takes out what would make the key one that was used. */
static void clear_used(const gm_tails *tails, const gm_config *from, gm_canvas *canvas)
{
    const gm_keyset *others = from->top->others;
    for (uint32_t i = 0; i < tails->part_count && others != NULL; i++)
        if (gm_stack_may_have(from->top, from->as.key.depth + tails->parts[i].text.length) &&
            gm_keyset_has(others, gm_tails_hash(from->as.key.hash, tails->parts[i].text)))
            gm_tails_clear(tails, &tails->parts[i], canvas);
}

/* Whether some token may make a key one of the names. */
static bool may_be_named(const gm_config *from, const gm_tails *tails)
{
    for (uint32_t i = from->as.key.low; i < from->as.key.high; i++)
        if (gm_tails_part_of_name(tails, from, i) != NULL)
            return true;
    return false;
}

static gm_status find_or_compute(const gm_mask_source *source, gm_walk *walk, gm_arena *journal, const gm_config *from,
                                 gm_canvas *canvas, gm_mask_origin *origin, const gm_memo_entry **found);

/* Begins with the mask of a key that becomes none of the names, which is kept: the same for all beginnings. *done is
 * false if it is this key's own, or not kept. */
static gm_status begin_nameless(const gm_mask_source *source, gm_walk *walk, gm_arena *journal, const gm_config *from,
                                gm_canvas *canvas, bool *done)
{
    gm_config nameless = *from;
    gm_memo_key key;
    gm_mask_origin origin;
    const gm_memo_entry *entry;
    nameless.as.key.low = nameless.as.key.high = 0;
    *done = false;
    if (from->as.key.low == from->as.key.high || source->memo == NULL ||
        !gm_memo_key_of(source->machine, &nameless, GM_MEMO_MASK, false, &key))
        return GM_OK;
    if ((entry = gm_memo_find(source->memo, &key, &nameless)) == NULL) {
        GM_TRY(find_or_compute(source, walk, journal, &nameless, canvas, &origin, &entry));
        entry = gm_memo_find(source->memo, &key, &nameless);
    }
    *done = entry != NULL;
    if (*done) {
        gm_memo_begin(entry, canvas);
        gm_memo_read(entry, walk->reads);
    }
    return GM_OK;
}

/* The mask inside a key where any other key may be taken, as if none was. All tokens that close such a key are found by
 * the tails; then the inner parts that make the key a name of the shape are tried one by one. */
static gm_status mask_free_key(const gm_mask_source *source, gm_walk *walk, gm_arena *journal, const gm_config *from,
                               gm_canvas *canvas)
{
    const gm_tails *tails;
    const uint32_t *free = gm_inner_free(source->inner, source->machine->minimal_escapes, &tails);
    const uint32_t longest = gm_vocab_tables_of(source->vocab)->max_token_length;
    bool done;
    GM_TRY(begin_nameless(source, walk, journal, from, canvas, &done));
    if (!done) {
        gm_config nameless = *from;
        nameless.as.key.low = nameless.as.key.high = 0;
        gm_canvas_begin(canvas, free);
        GM_TRY(
            gm_walk_mask(walk, source->machine, journal, &tails->small.trie, longest, NULL, NULL, &nameless, canvas));
    }
    for (uint32_t i = from->as.key.low; i < from->as.key.high; i++) {
        const gm_inner_part *part = gm_tails_part_of_name(tails, from, i);
        if (part == NULL)
            continue;
        gm_tails_clear(tails, part, canvas);
        if (part->text.length == 0) /* the name is complete: hundreds of tokens begin with a quote */
            GM_TRY(gm_walk_child(walk, source->machine, journal, &gm_vocab_tables_of(source->vocab)->all, longest, '"',
                                 from, canvas));
        else
            GM_TRY(gm_walk_tokens(walk, source->machine, journal, source->vocab, tails->inner_tokens + part->first,
                                  part->count, from, canvas));
    }
    return GM_OK;
}

/* Whether other keys are all alike here and may be taken, and names are few enough to try. */
static bool is_free_key(const gm_config *from)
{
    return from->mode == GM_MODE_KEY && from->at.frame->keys == NULL &&
           from->as.key.high - from->as.key.low <= MANY_NAMES && gm_frame_can_take_other(from->at.frame, from->top);
}

/* Whether this is a key that some family may hold. */
static bool is_family_key(const gm_config *from)
{
    return from->mode == GM_MODE_KEY && !gm_config_is_watched(from) && from->spelling == GM_SPELLING_BETWEEN &&
           from->at.frame->keys != NULL && from->as.key.lexical != NULL &&
           gm_frame_can_take_other(from->at.frame, from->top) &&
           (from->top->others == NULL || from->top->count <= GM_PLENTY);
}

/* Inside a key that a family may hold. Tokens that stay inside are those of the families' inner masks,
 * which is exact as long as the family has more names behind the token than were used; the few others are tried.
 * Then those that names of the shape go on with, found as if no family were there, and those that close. */
static gm_status mask_family_key(const gm_mask_source *source, gm_walk *walk, gm_arena *journal, const gm_config *from,
                                 gm_canvas *canvas)
{
    const gm_vocab_tables *tables = gm_vocab_tables_of(source->vocab);
    const gm_lexical *families = from->as.key.lexical;
    const bool minimal = source->machine->minimal_escapes;
    for (uint32_t i = 0; i < families->count; i++)
        if (!gm_inner_put(source->inner, families->strands[i].state, minimal, i == 0, canvas, &walk->visited))
            return GM_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < families->count && from->top->others != NULL; i++) {
        const uint32_t *ids;
        uint32_t count;
        if (!gm_inner_scarce(source->inner, families->strands[i].state, minimal, &ids, &count, &walk->visited))
            return GM_OUT_OF_MEMORY;
        GM_TRY(gm_walk_tokens(walk, source->machine, journal, source->vocab, ids, count, from, canvas));
    }
    if (gm_closing_applies(source, from))
        GM_TRY(gm_closing_put(source, walk, journal, from, canvas));
    else
        GM_TRY(gm_walk_mask(walk, source->machine, journal, &tables->quotes, tables->max_token_length, NULL, NULL, from,
                            canvas));
    if (from->as.key.low == from->as.key.high)
        return GM_OK;
    gm_config names = *from;
    names.as.key.lexical = NULL;
    return gm_walk_mask(walk, source->machine, journal, &tables->all, tables->max_token_length, NULL, NULL, &names,
                        canvas);
}

/* The gap that a blank would begin or go on with, as it is before it: of a number the one behind. *none is true if
 * no blank may follow. */
static gm_status find_gap(const gm_mask_source *source, gm_walk *walk, gm_arena *journal, const gm_config *from,
                          gm_config *gap, bool *none)
{
    const gm_arena_mark mark = gm_arena_save(journal);
    *none = false;
    *gap = *from;
    if (from->mode != GM_MODE_NUMBER || source->machine->gaps.kind != GM_WHITESPACE_FLEXIBLE ||
        gm_config_is_watched(from))
        return GM_OK;
    static const char blanks[] = " \n\r\t"; /* all alike, where the vocabulary has them */
    gm_status status = GM_REJECTED;
    for (int i = 0; status == GM_REJECTED && blanks[i] != '\0'; i++)
        status = gm_machine_step(source->machine, journal, from, (uint8_t)blanks[i], gap);
    gm_reads_after(walk->reads, status == GM_OK ? gap : from);
    gm_arena_rewind(journal, mark); /* ending a number takes nothing from the journal */
    gap->gap = 0;
    *none = status == GM_REJECTED;
    return *none ? GM_OK : status;
}

/* Begins a mask with what is prepared: the tokens that begin with white space, where any may stand, and those of
 * nothing but digits, where any may. *skip becomes the bytes that these begin with. */
static gm_status put_prepared(const gm_mask_source *source, gm_walk *walk, gm_arena *journal, const gm_config *from,
                              gm_canvas *canvas, gm_byte_set *skip)
{
    const bool minimal = source->machine->minimal_escapes;
    const gm_digits *digits;
    const gm_blanks *blanks = NULL;
    uint32_t room = GM_NO_BLANKS;
    bool none;
    gm_config gap;
    *skip = (gm_byte_set){{0}};
    if (source->inner == NULL) {
        gm_canvas_begin(canvas, NULL);
        return GM_OK;
    }
    GM_TRY(find_gap(source, walk, journal, from, &gap, &none));
    if (!none && gm_blanks_apply(source->machine, &gap, &room))
        blanks = gm_inner_blanks(source->inner, minimal, room);
    if (blanks == NULL)
        room = GM_NO_BLANKS;
    const gm_digits_kind kind =
        gm_inner_digits(source->inner, &digits) ? gm_digits_apply(digits, source->machine, from) : GM_DIGITS_NONE;
    const uint32_t *base = gm_inner_prepared(source->inner, minimal, room, kind);
    gm_canvas_begin(canvas, base != NULL || blanks == NULL ? base : blanks->words);
    if (base != NULL)
        *skip = gm_digits_bytes(digits, kind);
    if (blanks != NULL || none)
        skip->bits[0] |= (uint64_t)1 << ' ' | (uint64_t)1 << '\n' | (uint64_t)1 << '\r' | (uint64_t)1 << '\t';
    if (blanks == NULL)
        return GM_OK;
    return gm_walk_mask(walk, source->machine, journal, &blanks->rests.trie,
                        gm_vocab_tables_of(source->vocab)->max_token_length, &blanks->quoted, NULL, &gap, canvas);
}

/* Computes a mask. */
static gm_status compute(const gm_mask_source *source, gm_walk *walk, gm_arena *journal, const gm_config *from,
                         gm_canvas *canvas)
{
    const gm_vocab_tables *tables = gm_vocab_tables_of(source->vocab);
    bool told = false;
    if (source->inner != NULL && is_family_key(from))
        return mask_family_key(source, walk, journal, from, canvas);
    if (source->inner != NULL && from->spelling == GM_SPELLING_BETWEEN && is_free_key(from) &&
        !gm_config_is_watched(from))
        return mask_free_key(source, walk, journal, from, canvas);
    GM_TRY(gm_string_mask(source, walk, journal, from, canvas, &told));
    if (told)
        return GM_OK;
    gm_byte_set skip;
    GM_TRY(put_prepared(source, walk, journal, from, canvas, &skip));
    const gm_openings *openings =
        source->inner != NULL ? gm_inner_openings(source->inner, source->machine->minimal_escapes) : NULL;
    return gm_walk_mask(walk, source->machine, journal, &tables->all, tables->max_token_length, openings, &skip, from,
                        canvas);
}

/* Finds a mask, or computes and keeps it. */
static gm_status find_or_compute(const gm_mask_source *source, gm_walk *walk, gm_arena *journal, const gm_config *from,
                                 gm_canvas *canvas, gm_mask_origin *origin, const gm_memo_entry **found)
{
    gm_memo_key key;
    *origin = GM_MASK_COMPUTED;
    *found = NULL;
    const bool counts = from->mode == GM_MODE_STRING && gm_string_counts(source, from);
    if (source->memo == NULL || !gm_memo_key_of(source->machine, from, GM_MEMO_MASK, counts, &key))
        return compute(source, walk, journal, from, canvas);
    const gm_memo_entry *entry = gm_memo_find(source->memo, &key, from);
    if (entry != NULL) {
        *origin = gm_memo_write(entry, canvas) ? GM_MASK_FOUND : GM_MASK_FOUND_EMPTY;
        *found = entry;
        return GM_OK;
    }
    gm_reads reads, *around = walk->reads;
    gm_reads_begin(&reads, from);
    walk->reads = &reads;
    const gm_status status = compute(source, walk, journal, from, canvas);
    walk->reads = around;
    if (status == GM_OK)
        gm_memo_add(source->memo, &key, from, &reads, canvas);
    return status;
}

/* Not inside unique arrays. */
static gm_status mask_unwatched(const gm_mask_source *source, gm_walk *walk, gm_arena *journal, const gm_config *from,
                                gm_canvas *canvas, gm_mask_origin *origin, const gm_memo_entry **found)
{
    const gm_tails *tails;
    if (source->inner == NULL || from->mode != GM_MODE_KEY || from->spelling != GM_SPELLING_BETWEEN ||
        !is_free_key(from))
        return find_or_compute(source, walk, journal, from, canvas, origin, found);
    gm_inner_free(source->inner, source->machine->minimal_escapes, &tails);
    /* as if no other key had been used, then without those that were: the present key is all that a token asks about;
     * and as if it were none of the names, if no token can make it one */
    gm_stack top = *from->top;
    gm_config plain = *from;
    top.others = NULL;
    plain.top = &top;
    if (!may_be_named(from, tails))
        plain.as.key.low = plain.as.key.high = 0;
    GM_TRY(find_or_compute(source, walk, journal, &plain, canvas, origin, found));
    if (from->top->others == NULL && tails->second_count == 0)
        return GM_OK;
    *origin = GM_MASK_COMPUTED;
    *found = NULL; /* what was found is not yet the mask, which may fail */
    clear_used(tails, from, canvas);
    return gm_walk_tokens(walk, source->machine, journal, source->vocab, tails->second_ids, tails->second_count, from,
                          canvas); /* their second key may be the present one */
}

/* Whether the mask inside a unique array is that outside of it, but for few tokens: the item at hand is known to differ
 * from those before, or is free text that differs unless it ends as one of them. */
static bool is_nearly_unwatched(const gm_mask_source *source, const gm_config *from)
{
    const uint32_t longest = gm_vocab_tables_of(source->vocab)->max_token_length;
    if (source->inner == NULL || source->machine->gaps.kind == GM_WHITESPACE_SPACED) /* blanks may promise an item */
        return false;
    return !gm_config_may_repeat(from) || gm_is_free_string(from, longest + 1);
}

/* The list of tokens that may begin another item of a unique array. */
static unsigned commas_to_try(const gm_config *from)
{
    const bool quoted = from->mode == GM_MODE_STRING || from->mode == GM_MODE_KEY;
    return (quoted ? GM_COMMAS_BEHIND_QUOTE : 0u) | (from->top->is_unique ? 0u : GM_COMMAS_BEHIND_BRACKET);
}

/* Tries the tokens that may begin another item, and those that close a string which some item has. */
static gm_status mask_nearly_unwatched(const gm_mask_source *source, gm_walk *walk, gm_arena *journal,
                                       const gm_config *from, const gm_commas *commas, gm_canvas *canvas)
{
    const uint32_t longest = gm_vocab_tables_of(source->vocab)->max_token_length;
    const gm_tails *tails;
    for (size_t i = 0; i < commas->word_count; i++)
        canvas->words[i] &= ~commas->words[i];
    gm_canvas_forget(canvas);
    GM_TRY(gm_walk_mask(walk, source->machine, journal, &commas->tokens.trie, longest, NULL, NULL, from, canvas));
    if (!gm_config_may_repeat(from))
        return GM_OK;
    gm_inner_free(source->inner, source->machine->minimal_escapes, &tails);
    for (uint32_t i = 0; i < tails->part_count; i++) {
        const gm_inner_part *part = &tails->parts[i];
        if (gm_config_has_string(from, gm_tails_hash(from->as.text.hash, part->text)))
            GM_TRY(gm_walk_tokens(walk, source->machine, journal, source->vocab, tails->inner_tokens + part->first,
                                  part->count, from, canvas));
    }
    return GM_OK;
}

gm_status gm_mask_compute(const gm_mask_source *source, gm_walk *walk, gm_arena *journal, const gm_config *from,
                          gm_canvas *canvas, gm_mask_origin *origin, const gm_memo_entry **found)
{
    const gm_commas *commas = NULL;
    gm_config unwatched;
    if (!gm_config_is_watched(from))
        return mask_unwatched(source, walk, journal, from, canvas, origin, found);
    if (is_nearly_unwatched(source, from))
        commas = gm_inner_commas(source->inner, commas_to_try(from));
    if (commas == NULL)
        return find_or_compute(source, walk, journal, from, canvas, origin, found);
    const gm_arena_mark mark = gm_arena_save(journal);
    gm_status status = gm_config_unwatched(journal, from, &unwatched);
    if (status == GM_OK)
        status = mask_unwatched(source, walk, journal, &unwatched, canvas, origin, found);
    if (status == GM_OK)
        status = mask_nearly_unwatched(source, walk, journal, from, commas, canvas);
    gm_arena_rewind(journal, mark);
    *origin = GM_MASK_COMPUTED;
    *found = NULL;
    return status;
}
