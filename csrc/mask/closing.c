/* mask/closing.c - see closing.h. */
#include "mask/closing.h"

#include "base/utf8.h"

enum { MOST_STRANDS = 3, MOST_WORDS = 256, MOST_PREFIX = 64 };

/* The strands of a string, and the states that they reach along a prefix of the parts, which are sorted. */
typedef struct reading {
    gm_text *text;
    const gm_place *place;
    const gm_lexical *lexical;
    uint64_t length;                               /* code points read before */
    gm_term states[MOST_STRANDS][MOST_PREFIX + 1]; /* by bytes of the last part read */
    size_t dead[MOST_STRANDS];                     /* bytes after which there was none; SIZE_MAX = never */
} reading;

/* Which tokens may follow on from each set of strands: bit i of a list stands for tails->inner_tokens[i]. */
typedef struct closers {
    uint32_t words[1 << MOST_STRANDS][MOST_WORDS];
    bool known[1 << MOST_STRANDS];
} closers;

bool gm_closing_applies(const gm_mask_source *source, const gm_config *from)
{
    const gm_tails *tails;
    if (source->inner == NULL || from->mode != GM_MODE_STRING || from->spelling != GM_SPELLING_BETWEEN ||
        from->as.text.lexical->count > MOST_STRANDS || gm_config_is_watched(from))
        return false;
    gm_inner_free(source->inner, source->machine->minimal_escapes, &tails);
    return tails->small.trie.token_count <= MOST_WORDS * 32;
}

/* ---- parts ---- */

/* Reads a part with one strand from where it parts with the one before: *state is where that leads. */
static gm_status read_part(reading *r, uint32_t strand, gm_bytes part, size_t shared, gm_term *state)
{
    *state = GM_TERM_NONE;
    if (r->dead[strand] <= shared)
        return GM_OK;
    gm_term now = r->states[strand][shared];
    for (size_t at = shared; at < part.length && now != GM_TERM_NONE;) {
        const gm_text_row *row = gm_text_row_of(r->text, now);
        if (row == NULL)
            return GM_OUT_OF_MEMORY;
        now = gm_text_next(row, gm_utf8_read(part.data, part.length, &at));
        if (at <= MOST_PREFIX)
            r->states[strand][at] = now;
        if (now == GM_TERM_NONE)
            r->dead[strand] = at;
    }
    if (now != GM_TERM_NONE)
        r->dead[strand] = SIZE_MAX;
    *state = now;
    return GM_OK;
}

/* The strands that may end behind a part: a bit each. */
static gm_status strands_behind(reading *r, const gm_inner_part *part, uint32_t *ending)
{
    const size_t shared = part->shared <= MOST_PREFIX ? part->shared : 0;
    const uint64_t length = r->length + part->points;
    *ending = 0;
    for (uint32_t i = 0; i < r->lexical->count; i++) {
        const gm_text_thread *thread = &r->place->texts[r->lexical->strands[i].thread].thread;
        gm_term state;
        GM_TRY(read_part(r, i, part->text, shared, &state));
        const gm_text_row *row = state != GM_TERM_NONE ? gm_text_row_of(r->text, state) : NULL;
        if (row == NULL && state != GM_TERM_NONE)
            return GM_OUT_OF_MEMORY;
        if (row != NULL && row->accepts && length >= thread->least && length <= thread->most)
            *ending |= 1u << i;
    }
    return GM_OK;
}

/* The bytes that the content may go on with, or more. */
static gm_byte_set bytes_alive(const gm_lexical *lexical)
{
    gm_byte_set alive = {{0}};
    for (uint32_t i = 0; i < lexical->count; i++) {
        const gm_text_row *row = lexical->rows[i];
        alive.bits[0] |= row->alive[0];
        alive.bits[1] |= row->alive[1];
        alive.bits[2] |= row->range_count != 0 ? UINT64_MAX : 0;
        alive.bits[3] |= row->range_count != 0 ? UINT64_MAX : 0;
    }
    return alive;
}

/* ---- tails ---- */

/* The position of a string that those strands may end, whatever it holds. */
static bool as_if_ending(gm_machine *machine, const gm_config *from, uint32_t ending, gm_config *to)
{
    gm_strand strands[MOST_STRANDS];
    uint32_t count = 0;
    *to = *from;
    to->as.text.length = 0;
    for (uint32_t i = 0; i < from->as.text.lexical->count; i++) {
        const gm_strand strand = from->as.text.lexical->strands[i];
        const uint64_t least = from->at.turn->place->texts[strand.thread].thread.least;
        if (!(ending >> i & 1))
            continue;
        strands[count++] = (gm_strand){strand.thread, GM_TERM_ANY};
        if (least > to->as.text.length)
            to->as.text.length = least;
    }
    to->as.text.lexical = gm_machine_lexical(machine, true, strands, count);
    return to->as.text.lexical != NULL;
}

static gm_status walk_tails(const gm_mask_source *source, gm_walk *walk, gm_arena *journal, const gm_config *ending,
                            gm_canvas *list)
{
    const gm_tails *tails;
    gm_inner_free(source->inner, source->machine->minimal_escapes, &tails);
    gm_canvas_begin(list, NULL);
    return gm_walk_mask(walk, source->machine, journal, &tails->listed.trie,
                        gm_vocab_tables_of(source->vocab)->max_token_length, NULL, NULL, ending, list);
}

/* Finds the list of a set of strands, or makes and keeps it. */
static gm_status list_closers(const gm_mask_source *source, gm_walk *walk, gm_arena *journal, const gm_config *from,
                              uint32_t ending, gm_canvas *list)
{
    gm_config position;
    gm_memo_key key;
    gm_reads own, *around = walk->reads;
    if (!as_if_ending(source->machine, from, ending, &position))
        return GM_OUT_OF_MEMORY;
    if (source->memo == NULL || !gm_memo_key_of(source->machine, &position, GM_MEMO_CLOSERS, true, &key))
        return walk_tails(source, walk, journal, &position, list);
    const gm_memo_entry *entry = gm_memo_find(source->memo, &key, &position);
    if (entry != NULL) {
        gm_memo_write(entry, list);
        gm_memo_read(entry, around);
        return GM_OK;
    }
    gm_reads_begin(&own, &position);
    walk->reads = &own;
    const gm_status status = walk_tails(source, walk, journal, &position, list);
    walk->reads = around;
    if (status == GM_OK)
        gm_memo_add(source->memo, &key, &position, &own, list);
    gm_reads_join(around, &own);
    return status;
}

/* ---- both ---- */

typedef struct closing {
    const gm_mask_source *source;
    gm_walk *walk;
    gm_arena *journal;
    const gm_config *from;
    const gm_tails *tails;
    gm_canvas *canvas;
    reading reading;
    closers lists;
} closing;

/* Adds the tokens of a part. */
static gm_status put_part(closing *c, const gm_inner_part *part)
{
    uint32_t ending;
    GM_TRY(strands_behind(&c->reading, part, &ending));
    if (ending == 0)
        return GM_OK;
    uint32_t *words = c->lists.words[ending];
    if (!c->lists.known[ending]) {
        gm_canvas list;
        gm_canvas_init(&list, words, (c->tails->small.trie.token_count + 31) / 32);
        GM_TRY(list_closers(c->source, c->walk, c->journal, c->from, ending, &list));
        c->lists.known[ending] = true;
    }
    const uint32_t end = part->first + part->count;
    for (uint32_t at = part->first; at < end; at = (at / 32 + 1) * 32) {
        uint32_t bits = words[at / 32] & UINT32_MAX << at % 32;
        if (end - at < 32 - at % 32)
            bits &= (1u << end % 32) - 1;
        for (; bits != 0; bits &= bits - 1)
            gm_canvas_set(c->canvas, c->tails->inner_tokens[at / 32 * 32 + gm_lowest_bit(bits)]);
    }
    return GM_OK;
}

gm_status gm_closing_put(const gm_mask_source *source, gm_walk *walk, gm_arena *journal, const gm_config *from,
                         gm_canvas *canvas)
{
    closing c; /* not cleared: it is long */
    c.source = source;
    c.walk = walk;
    c.journal = journal;
    c.from = from;
    c.canvas = canvas;
    c.reading.text = source->machine->text;
    c.reading.place = from->at.turn->place;
    c.reading.lexical = from->as.text.lexical;
    c.reading.length = from->as.text.length;
    for (uint32_t i = 0; i < from->as.text.lexical->count; i++) {
        c.reading.states[i][0] = from->as.text.lexical->strands[i].state;
        c.reading.dead[i] = SIZE_MAX;
    }
    memset(c.lists.known, 0, sizeof c.lists.known);
    gm_inner_free(source->inner, source->machine->minimal_escapes, &c.tails);
    GM_TRY(gm_walk_mask(walk, source->machine, journal, &c.tails->staying.trie,
                        gm_vocab_tables_of(source->vocab)->max_token_length, NULL, NULL, from, canvas));
    if (c.tails->from[0] != 0)
        GM_TRY(put_part(&c, c.tails->parts));
    const gm_byte_set alive = bytes_alive(from->as.text.lexical);
    for (unsigned byte = gm_byte_set_next(&alive, 0); byte < 256; byte = byte < 255 ? gm_byte_set_next(&alive, byte + 1) : 256)
        for (uint32_t i = c.tails->from[byte]; i < c.tails->from[byte + 1]; i++)
            GM_TRY(put_part(&c, &c.tails->parts[i]));
    return GM_OK;
}
