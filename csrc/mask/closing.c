/* mask/closing.c - see closing.h. */
#include "mask/closing.h"

#include "base/utf8.h"

enum { MOST_STRANDS = 3, MOST_WORDS = 256, MOST_PREFIX = 64, MOST_NAMES = 16 };

/* The strands of a string, and the states that they reach along a prefix of the parts, which are sorted. */
typedef struct reading {
    gm_text *text;
    const gm_place *place; /* of a string; NULL in a key: its length does not matter */
    const gm_lexical *lexical;
    uint64_t length;                               /* code points read before */
    gm_term states[MOST_STRANDS][MOST_PREFIX + 1]; /* by bytes of the last part read */
    size_t dead[MOST_STRANDS];                     /* bytes after which there was none; SIZE_MAX = never */
} reading;

/* What is known of the tokens whose parts leave a set of strands. */
typedef enum knowledge {
    UNKNOWN,
    LISTED, /* bit i of the list stands for tails->inner_tokens[i] */
    OWN     /* each must be tried: what follows depends on the key itself */
} knowledge;

typedef struct closers {
    uint32_t words[1 << MOST_STRANDS][MOST_WORDS];
    uint8_t known[1 << MOST_STRANDS];
} closers;

static const gm_lexical *strands_of(const gm_config *from)
{
    return from->mode == GM_MODE_STRING ? from->as.text.lexical : from->as.key.lexical;
}

bool gm_closing_applies(const gm_mask_source *source, const gm_config *from)
{
    const gm_tails *tails;
    const bool in_family = from->mode == GM_MODE_KEY && from->at.frame->keys != NULL && from->as.key.lexical != NULL;
    if (source->inner == NULL || (from->mode != GM_MODE_STRING && !in_family) ||
        from->spelling != GM_SPELLING_BETWEEN || strands_of(from)->count > MOST_STRANDS || gm_config_is_watched(from))
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

static bool is_within(const reading *r, uint32_t strand, uint64_t length)
{
    if (r->place == NULL)
        return true;
    const gm_text_thread *thread = &r->place->texts[r->lexical->strands[strand].thread].thread;
    return length >= thread->least && length <= thread->most;
}

/* The strands that may end behind a part: a bit each. */
static gm_status strands_behind(reading *r, const gm_inner_part *part, uint32_t *ending)
{
    const size_t shared = part->shared <= MOST_PREFIX ? part->shared : 0;
    const uint64_t length = r->length + part->points;
    *ending = 0;
    for (uint32_t i = 0; i < r->lexical->count; i++) {
        gm_term state;
        GM_TRY(read_part(r, i, part->text, shared, &state));
        const gm_text_row *row = state != GM_TERM_NONE ? gm_text_row_of(r->text, state) : NULL;
        if (row == NULL && state != GM_TERM_NONE)
            return GM_OUT_OF_MEMORY;
        if (row != NULL && row->accepts && is_within(r, i, length))
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

/* The position of a string or key that those strands may end, whatever it holds; false when out of memory. */
static bool as_if_ending(gm_machine *machine, const gm_config *from, uint32_t ending, gm_config *to)
{
    const gm_lexical *lexical = strands_of(from);
    gm_strand strands[MOST_STRANDS];
    uint32_t count = 0;
    uint64_t least = 0;
    *to = *from;
    for (uint32_t i = 0; i < lexical->count; i++) {
        const gm_strand strand = lexical->strands[i];
        if (!(ending >> i & 1))
            continue;
        strands[count++] = (gm_strand){strand.thread, GM_TERM_ANY};
        if (from->mode == GM_MODE_STRING && from->at.turn->place->texts[strand.thread].thread.least > least)
            least = from->at.turn->place->texts[strand.thread].thread.least;
    }
    lexical = gm_machine_lexical(machine, true, strands, count);
    if (from->mode == GM_MODE_STRING) {
        to->as.text.lexical = lexical;
        to->as.text.length = least;
    } else {
        to->as.key.lexical = lexical;
        to->as.key.low = to->as.key.high = 0;
        while (gm_keyset_has(from->top->others, to->as.key.hash))
            to->as.key.hash = gm_key_hash_add(to->as.key.hash, 0xFF);
    }
    return lexical != NULL;
}

/* Walks the tails behind their quote. */
static gm_status walk_tails(const gm_mask_source *source, gm_walk *walk, gm_arena *journal, const gm_config *behind,
                            bool is_key, gm_canvas *list)
{
    const gm_tails *tails;
    gm_inner_free(source->inner, source->machine->minimal_escapes, &tails);
    const gm_trie *trie = is_key ? &tails->single.trie : &tails->listed.trie;
    gm_canvas_begin(list, NULL);
    if (trie->branches->children == 0)
        return GM_OK;
    return gm_walk_below(walk, source->machine, journal, trie, gm_vocab_tables_of(source->vocab)->max_token_length,
                         trie->branches->children, behind, list);
}

/* Whether a walk behind a key depended on which key it is. */
static bool depends_on_key(const gm_reads *reads) { return reads->is_spoilt || (reads->no_others & 1) != 0; }

/* Finds the list of a position behind a quote, or makes and keeps it. */
static gm_status list_behind(const gm_mask_source *source, gm_walk *walk, gm_arena *journal, const gm_config *behind,
                             bool is_key, gm_canvas *list, knowledge *known)
{
    gm_memo_key key;
    gm_reads own, *around = walk->reads;
    const bool keeps = source->memo != NULL && gm_memo_key_of(source->machine, behind, GM_MEMO_CLOSERS, true, &key);
    const gm_memo_entry *entry = keeps ? gm_memo_find(source->memo, &key, behind) : NULL;
    *known = LISTED;
    if (entry != NULL) {
        gm_memo_write(entry, list);
        gm_memo_read(entry, around);
        return GM_OK;
    }
    gm_reads_begin(&own, behind);
    walk->reads = &own;
    const gm_status status = walk_tails(source, walk, journal, behind, is_key, list);
    walk->reads = around;
    if (is_key && depends_on_key(&own))
        *known = OWN;
    else if (status == GM_OK && keeps)
        gm_memo_add(source->memo, &key, behind, &own, list);
    gm_reads_join(around, &own);
    return status;
}

/* Finds out about the tokens whose parts leave a set of strands. */
static gm_status find_closers(const gm_mask_source *source, gm_walk *walk, gm_arena *journal, const gm_config *from,
                              uint32_t ending, gm_canvas *list, knowledge *known)
{
    const gm_arena_mark mark = gm_arena_save(journal);
    gm_config behind;
    *known = UNKNOWN;
    if (!as_if_ending(source->machine, from, ending, &behind))
        return GM_OUT_OF_MEMORY;
    gm_status status = gm_machine_advance(source->machine, journal, &behind, '"');
    if (status == GM_REJECTED) {
        gm_canvas_begin(list, NULL);
        *known = LISTED;
        status = GM_OK;
    } else if (status == GM_OK) {
        gm_reads_after(walk->reads, &behind);
        status = list_behind(source, walk, journal, &behind, from->mode == GM_MODE_KEY, list, known);
    }
    gm_arena_rewind(journal, mark);
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
    const gm_inner_part *names[MOST_NAMES]; /* parts that make a key one of the names */
    uint32_t name_count;
    reading reading;
    closers lists;
} closing;

/* Whether a part makes a key one of the names, or one that was used. */
static bool is_taken_key(const closing *c, const gm_inner_part *part)
{
    for (uint32_t i = 0; i < c->name_count; i++)
        if (c->names[i] == part)
            return true;
    return c->from->mode == GM_MODE_KEY && c->from->top->others != NULL &&
           gm_stack_may_have(c->from->top, c->from->as.key.depth + part->text.length) &&
           gm_keyset_has(c->from->top->others, gm_tails_hash(c->from->as.key.hash, part->text));
}

/* Sets the tokens of a part that are on a list. */
static void set_listed(closing *c, const gm_inner_part *part, const uint32_t *words)
{
    const uint32_t end = part->first + part->count;
    for (uint32_t at = part->first; at < end; at = (at / 32 + 1) * 32) {
        uint32_t bits = words[at / 32] & UINT32_MAX << at % 32;
        if (end - at < 32 - at % 32)
            bits &= (1u << end % 32) - 1;
        for (; bits != 0; bits &= bits - 1)
            gm_canvas_set(c->canvas, c->tails->inner_tokens[at / 32 * 32 + gm_lowest_bit(bits)]);
    }
}

/* Tries the tokens of a part one by one: those of which a bit is set. */
static gm_status try_part(closing *c, const gm_inner_part *part, const uint32_t *chosen)
{
    for (uint32_t at = part->first; at < part->first + part->count; at++)
        if (chosen == NULL || (chosen[at / 32] >> at % 32 & 1) != 0)
            GM_TRY(gm_walk_tokens(c->walk, c->source->machine, c->journal, c->source->vocab,
                                  &c->tails->inner_tokens[at], 1, c->from, c->canvas));
    return GM_OK;
}

/* Adds the tokens of a part. */
static gm_status put_part(closing *c, const gm_inner_part *part)
{
    uint32_t ending;
    GM_TRY(strands_behind(&c->reading, part, &ending));
    if (ending == 0 || is_taken_key(c, part))
        return GM_OK;
    uint32_t *words = c->lists.words[ending];
    if (c->lists.known[ending] == UNKNOWN) {
        gm_canvas list;
        knowledge known;
        gm_canvas_init(&list, words, (c->tails->small.trie.token_count + 31) / 32);
        GM_TRY(find_closers(c->source, c->walk, c->journal, c->from, ending, &list, &known));
        c->lists.known[ending] = (uint8_t)known;
    }
    if (c->lists.known[ending] == OWN)
        return try_part(c, part, NULL);
    set_listed(c, part, words);
    return c->from->mode == GM_MODE_KEY ? try_part(c, part, c->tails->again) : GM_OK;
}

/* Lists the parts that make a key one of the names; false if they are too many. */
static bool list_names(closing *c)
{
    const gm_config *from = c->from;
    c->name_count = 0;
    for (uint32_t i = from->as.key.low; from->mode == GM_MODE_KEY && i < from->as.key.high; i++) {
        const gm_inner_part *part = gm_tails_part_of_name(c->tails, from, i);
        if (part != NULL && c->name_count == MOST_NAMES)
            return false;
        if (part != NULL)
            c->names[c->name_count++] = part;
    }
    return true;
}

static gm_status put_parts(closing *c)
{
    const gm_byte_set alive = bytes_alive(c->reading.lexical);
    if (c->tails->from[0] != 0)
        GM_TRY(put_part(c, c->tails->parts));
    for (unsigned byte = 0; byte < 256 && (byte = gm_byte_set_next(&alive, byte)) < 256; byte++)
        for (uint32_t i = c->tails->from[byte]; i < c->tails->from[byte + 1]; i++)
            GM_TRY(put_part(c, &c->tails->parts[i]));
    return GM_OK;
}

gm_status gm_closing_put(const gm_mask_source *source, gm_walk *walk, gm_arena *journal, const gm_config *from,
                         gm_canvas *canvas)
{
    const gm_vocab_tables *tables = gm_vocab_tables_of(source->vocab);
    const gm_lexical *lexical = strands_of(from);
    closing c; /* not cleared: it is long */
    c.source = source;
    c.walk = walk;
    c.journal = journal;
    c.from = from;
    c.canvas = canvas;
    c.reading.text = source->machine->text;
    c.reading.place = from->mode == GM_MODE_STRING ? from->at.turn->place : NULL;
    c.reading.lexical = lexical;
    c.reading.length = from->mode == GM_MODE_STRING ? from->as.text.length : 0;
    for (uint32_t i = 0; i < lexical->count; i++) {
        c.reading.states[i][0] = lexical->strands[i].state;
        c.reading.dead[i] = SIZE_MAX;
    }
    memset(c.lists.known, UNKNOWN, sizeof c.lists.known);
    gm_reads_before(walk->reads, from, '"'); /* used keys are left out */
    gm_inner_free(source->inner, source->machine->minimal_escapes, &c.tails);
    if (!list_names(&c))
        return gm_walk_mask(walk, source->machine, journal, &tables->quotes, tables->max_token_length, NULL, NULL, from,
                            canvas);
    GM_TRY(gm_walk_mask(walk, source->machine, journal, &c.tails->staying.trie, tables->max_token_length, NULL, NULL,
                        from, canvas));
    return put_parts(&c);
}
