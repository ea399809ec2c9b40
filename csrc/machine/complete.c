/*
 * machine/complete.c - a search for a way to the end of an item that its array accepts: see distinct.h.
 *
 * Depth first, over values rather than spellings: a string goes on by characters, each spelled in one way; a number by
 * values; the members that are added to an object are added in ascending order of their names where the order is free.
 * So every value is met once (a few more times where something half spelled can be ended in several ways), and since
 * what the machine accepts it can complete, hardly a step leads nowhere. It ends with the first value that the array
 * accepts, or where something is plain (reach.c): so with a way of finitely many values, of which at most as many are
 * passed over as the array has items.
 *
 * The stack is in the journal, which is as before when the search ends.
 */
#include "machine/distinct.h"

#include "base/utf8.h"

enum { MOST_NODES = 1 << 20 };

typedef struct key_order { /* the last member that was added to an object, where the order is free */
    uint64_t depth;        /* of the object */
    gm_bytes key;          /* data NULL: nothing is asked of the next key */
    const struct key_order *outer;
} key_order;

typedef struct number_value {
    gm_bytes text;
    const struct number_value *before;
} number_value;

typedef struct node {
    struct node *before;
    gm_arena_mark mark; /* of the journal behind the node: where its children begin */
    gm_config config;
    uint32_t stage; /* ways tried */
    uint32_t point; /* strings and keys: the next character to try */
    const key_order *order;
    gm_bytes key;                /* KEY, begun by the search: the text so far */
    bool is_begun;               /* KEY: by the search */
    bool is_tight;               /* and the text so far begins the last one */
    const number_value *numbers; /* NUMBER: those tried */
    size_t number_count;
} node;

typedef struct search {
    gm_machine *machine;
    gm_arena *journal;
    const gm_stack *outermost;
    node *top;
    gm_arena scratch;
} search;

static gm_status take(search *s, gm_config *config, uint8_t byte)
{
    return gm_machine_step_unchecked(s->machine, s->journal, config, byte, config);
}

static gm_status take_text(search *s, gm_config *config, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        GM_TRY(take(s, config, (uint8_t)text[i]));
    return GM_OK;
}

gm_status gm_complete_gap(gm_machine *machine, gm_arena *journal, const gm_config *from, uint8_t byte, gm_config *to)
{
    static const char blanks[] = "\n \t\r";
    gm_config config = *from;
    for (;;) {
        gm_status status = gm_machine_step_unchecked(machine, journal, &config, byte, to);
        if (status != GM_REJECTED || machine->gaps.kind == GM_WHITESPACE_FLEXIBLE)
            return status;
        for (size_t i = 0; i < sizeof blanks - 1 && status == GM_REJECTED; i++)
            status = gm_machine_step_unchecked(machine, journal, &config, (uint8_t)blanks[i], &config);
        if (status != GM_OK)
            return status;
    }
}

/* ---- characters ---- */

static gm_status take_escape(search *s, const gm_config *from, uint32_t unit, gm_config *to)
{
    gm_config config = *from;
    GM_TRY(take_text(s, &config, "\\u", 2));
    for (int shift = 12; shift >= 0; shift -= 4) {
        const uint8_t digit = (uint8_t)(unit >> shift & 15);
        gm_status status = take(s, &config, (uint8_t) "0123456789abcdef"[digit]);
        if (status == GM_REJECTED) /* no token may have the one */
            status = take(s, &config, (uint8_t) "0123456789ABCDEF"[digit]);
        GM_TRY(status);
    }
    *to = config;
    return GM_OK;
}

/* Spells a character in the first way that is accepted. */
static gm_status take_point(search *s, const gm_config *from, uint32_t point, gm_config *to)
{
    static const char letters[] = "\"\\bfnrt/", points[] = "\"\\\b\f\n\r\t/";
    char bytes[4];
    gm_status status = GM_REJECTED;
    *to = *from;
    if (point >= 0x20 && point != '"' && point != '\\')
        status = take_text(s, to, bytes, gm_utf8_write(point, bytes));
    for (size_t i = 0; i < sizeof letters - 1 && status == GM_REJECTED; i++) {
        const char escape[2] = {'\\', letters[i]};
        *to = *from;
        if (point == (uint8_t)points[i])
            status = take_text(s, to, escape, 2);
    }
    if (status != GM_REJECTED)
        return status;
    if (point < 0x10000)
        return take_escape(s, from, point, to);
    GM_TRY(take_escape(s, from, 0xD800 + ((point - 0x10000) >> 10), to));
    return take_escape(s, to, 0xDC00 + ((point - 0x10000) & 0x3FF), to);
}

/* The first character from `point` on that some strand goes on with; UINT32_MAX if none does. */
static uint32_t next_point(const gm_lexical *lexical, uint32_t point)
{
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; i < lexical->count; i++) {
        const uint32_t next = gm_text_row_point(lexical->rows[i], point);
        least = next < least ? next : least;
    }
    return least;
}

/* The last character that all strands follow like `point`: where one is out of bounds all are. */
static uint32_t last_alike(const gm_lexical *lexical, uint32_t point)
{
    uint32_t last = point < 128 ? point : GM_MAX_CODE_POINT;
    for (uint32_t i = 0; i < lexical->count && point >= 128; i++) {
        const gm_text_row *row = lexical->rows[i];
        for (uint32_t j = 0; j < row->range_count; j++) {
            if (row->ranges[j].low > point && row->ranges[j].low - 1 < last)
                last = row->ranges[j].low - 1;
            if (row->ranges[j].low <= point && row->ranges[j].high >= point && row->ranges[j].high < last)
                last = row->ranges[j].high;
        }
    }
    return last;
}

/* In the middle of a character: byte by byte; digits in one case. */
static gm_status next_byte(search *s, node *at, gm_config *child)
{
    while (at->stage < 256) {
        const uint8_t byte = (uint8_t)at->stage++;
        if (byte >= 'A' && byte <= 'F' && at->config.spelling != GM_SPELLING_BETWEEN) {
            *child = at->config;
            const gm_status lower = take(s, child, byte | 0x20);
            if (lower != GM_REJECTED && lower != GM_OK)
                return lower;
            if (lower == GM_OK)
                continue;
        }
        *child = at->config;
        const gm_status status = take(s, child, byte);
        if (status != GM_REJECTED)
            return status;
    }
    return GM_REJECTED;
}

static gm_status next_of_string(search *s, node *at, gm_config *child)
{
    const gm_lexical *lexical = at->config.as.text.lexical;
    if (at->config.spelling != GM_SPELLING_BETWEEN)
        return next_byte(s, at, child);
    if (at->stage++ == 0) {
        *child = at->config;
        const gm_status status = take(s, child, '"');
        if (status != GM_REJECTED)
            return status;
    }
    for (uint32_t point; (point = next_point(lexical, at->point)) != UINT32_MAX;) {
        const gm_status status = take_point(s, &at->config, point, child);
        at->point = (status == GM_REJECTED ? last_alike(lexical, point) : point) + 1;
        if (status != GM_REJECTED)
            return status;
    }
    return GM_REJECTED;
}

/* ---- keys ---- */

static uint32_t next_of_names(const gm_config *config, uint32_t point)
{
    const gm_shape *shape = config->at.frame->place->shape;
    uint32_t least = UINT32_MAX;
    for (uint32_t i = config->as.key.low; i < config->as.key.high; i++) {
        size_t at = config->as.key.depth;
        if (shape->names[i].length <= at)
            continue;
        const uint32_t next = gm_utf8_read(shape->names[i].data, shape->names[i].length, &at);
        if (next >= point && next < least)
            least = next;
    }
    return least;
}

/* The key of a KEY node with one more character. */
static bool append_key(search *s, const node *at, uint32_t point, node *to)
{
    char *text = gm_arena_take(s->journal, at->key.length + 4);
    if (text == NULL)
        return false;
    if (at->key.length != 0)
        memcpy(text, at->key.data, at->key.length);
    to->key = (gm_bytes){text, at->key.length + gm_utf8_write(point, text + at->key.length)};
    return true;
}

static const key_order *order_of(const node *at)
{
    const key_order *order = at->order;
    while (order != NULL && order->depth > at->config.top->depth)
        order = order->outer;
    return order != NULL && order->depth == at->config.top->depth && order->key.data != NULL ? order : NULL;
}

/* Whether the order in which a thread takes a name is free. */
static bool is_free(const gm_place *place, const gm_entry *entry, uint32_t name)
{
    const uint32_t local = name == GM_ORDER_NONE ? GM_ORDER_NONE : place->shape->local[entry->thread][name];
    return local == GM_ORDER_NONE || place->objects[entry->thread]->names[local].order == GM_ORDER_NONE;
}

/* Whether a thread lacks a name before `bound` that will not be added any more, or members that it must have. */
static bool is_lost(const gm_place *place, const gm_stack *top, const gm_entry *entry, uint32_t bound)
{
    const gm_shape *shape = place->shape;
    const gm_object_thread *thread = place->objects[entry->thread];
    const uint64_t *needed = shape->needed[entry->thread], *seen = gm_stack_seen(top, shape);
    for (uint32_t i = 0; i < bound; i++)
        if (needed[i / 64] >> i % 64 & ~(seen[i / 64] >> i % 64) & 1)
            return true;
    if (top->count >= thread->least || !shape->counts || thread->rest != GM_FORMULA_FALSE || thread->family_count != 0)
        return false;
    uint64_t left = 0;
    for (uint32_t i = bound; i < shape->name_count; i++)
        left += !(seen[i / 64] >> i % 64 & 1);
    return top->count + left < thread->least;
}

/* A key of the search is complete: from now on only greater ones are added, if their order is free. */
static gm_status end_key(search *s, const node *at, gm_config *child, node *to)
{
    const uint32_t name =
        at->config.as.key.low < at->config.as.key.high &&
                at->config.at.frame->place->shape->names[at->config.as.key.low].length == at->config.as.key.depth
            ? at->config.as.key.low
            : GM_ORDER_NONE;
    *child = at->config;
    GM_TRY(take(s, child, '"'));
    const gm_place *place = at->config.at.frame->place;
    const gm_turn *turn = child->at.turn;
    bool free = at->is_begun, lost = true;
    for (uint32_t i = 0; i < turn->count && free; i++)
        free = is_free(place, &turn->waits[i].entry, name);
    uint32_t bound = 0;
    while (free && bound < place->shape->name_count && gm_bytes_compare(place->shape->names[bound], at->key) < 0)
        bound++;
    for (uint32_t i = 0; i < turn->count && free && lost; i++)
        lost = is_lost(place, child->top, &turn->waits[i].entry, bound);
    if (free && lost)
        return GM_REJECTED;
    const key_order *outer = at->order;
    while (outer != NULL && outer->depth >= child->top->depth)
        outer = outer->outer;
    key_order *order = gm_arena_take(s->journal, sizeof *order);
    if (order == NULL)
        return GM_OUT_OF_MEMORY;
    *order = (key_order){child->top->depth, free ? at->key : (gm_bytes){NULL, 0}, outer};
    to->order = order;
    return GM_OK;
}

static gm_status next_of_key(search *s, node *at, gm_config *child, node *to)
{
    const gm_lexical *families = at->config.as.key.lexical;
    const key_order *order = at->is_tight ? order_of(at) : NULL;
    if (at->config.spelling != GM_SPELLING_BETWEEN)
        return next_byte(s, at, child);
    if (at->stage++ == 0) {
        if (order != NULL && at->key.length < order->key.length) {
            size_t from = at->key.length;
            at->point = gm_utf8_read(order->key.data, order->key.length, &from);
        }
        const gm_status status = order == NULL ? end_key(s, at, child, to) : GM_REJECTED;
        if (status != GM_REJECTED)
            return status;
    }
    for (;;) {
        uint32_t point = next_of_names(&at->config, at->point);
        const uint32_t other = families != NULL ? next_point(families, at->point) : UINT32_MAX;
        point = other < point ? other : point;
        if (point == UINT32_MAX)
            return GM_REJECTED;
        at->point = point + 1;
        const gm_status status = take_point(s, &at->config, point, child);
        if (status == GM_REJECTED)
            continue;
        if (status != GM_OK || !at->is_begun)
            return status;
        size_t from = at->key.length;
        to->is_begun = true;
        to->is_tight = order != NULL && at->key.length < order->key.length &&
                       gm_utf8_read(order->key.data, order->key.length, &from) == point;
        return append_key(s, at, point, to) ? GM_OK : GM_OUT_OF_MEMORY;
    }
}

/* ---- numbers ---- */

static gm_status find_number(search *s, const node *at, gm_bytes *rest)
{
    const gm_lexical *lexical = at->config.as.text.lexical;
    const gm_place *place = at->config.at.turn->place;
    uint32_t classes = 0;
    for (int class = 0; class < GM_NUMBER_CLASSES; class ++)
        classes |= (uint32_t)gm_alphabet_has_class(s->machine->alphabet, class) << class;
    gm_bytes begun, *values = GM_ARENA_NEW(&s->scratch, gm_bytes, at->number_count);
    if (values == NULL)
        return GM_OUT_OF_MEMORY;
    const number_value *value = at->numbers;
    for (size_t i = 0; i < at->number_count; i++, value = value->before)
        values[i] = value->text;
    GM_TRY(gm_distinct_number_text(&s->scratch, &at->config, &begun));
    *rest = (gm_bytes){NULL, 0};
    for (uint32_t i = 0; i < lexical->count && rest->data == NULL; i++)
        GM_TRY(gm_number_another(s->machine->number, &s->scratch, place->numbers[lexical->strands[i].thread].language,
                                 begun, values, at->number_count, classes, rest));
    return GM_OK;
}

/* The next value that the number may have, ended. */
static gm_status next_of_number(search *s, node *at, gm_config *child)
{
    for (;;) {
        gm_bytes rest, text;
        const gm_arena_mark mark = gm_arena_save(&s->scratch);
        GM_TRY(find_number(s, at, &rest));
        if (rest.data == NULL)
            return GM_REJECTED;
        const char *kept = gm_arena_copy(s->journal, rest.data, rest.length);
        gm_arena_rewind(&s->scratch, mark);
        number_value *value = gm_arena_take(s->journal, sizeof *value);
        if (kept == NULL || value == NULL)
            return GM_OUT_OF_MEMORY;
        *child = at->config;
        gm_status status = take_text(s, child, kept, rest.length);
        if (status == GM_OK)
            GM_TRY(gm_distinct_number_text(s->journal, child, &text));
        if (status != GM_OK)
            return status; /* rejected: bytes that a language has and the machine has not */
        *value = (number_value){text, at->numbers};
        at->numbers = value;
        at->number_count++;
        at->mark = gm_arena_save(s->journal);
        status = gm_machine_end_number(s->machine, s->journal, child, child);
        if (status != GM_REJECTED)
            return status;
    }
}

/* ---- structure ---- */

/* The next of some bytes that may stand here, each after the white space it wants. */
static gm_status next_of_bytes(search *s, node *at, const char *bytes, gm_config *child)
{
    while (bytes[at->stage] != '\0') {
        const gm_status status =
            gm_complete_gap(s->machine, s->journal, &at->config, (uint8_t)bytes[at->stage++], child);
        if (status != GM_REJECTED)
            return status;
    }
    return GM_REJECTED;
}

static gm_status end_literal(search *s, node *at, gm_config *child)
{
    static const char *const texts[3] = {"null", "true", "false"};
    const char *rest = texts[at->config.literal] + at->config.position;
    if (at->stage++ != 0)
        return GM_REJECTED;
    *child = at->config;
    return take_text(s, child, rest, strlen(rest));
}

/* The next way on from a node, as a configuration and what a node of it needs to know. */
static gm_status next_way(search *s, node *at, gm_config *child, node *to)
{
    switch ((gm_mode)at->config.mode) {
    case GM_MODE_VALUE:
        return next_of_bytes(s, at, "ntf\"-0123456789[{", child);
    case GM_MODE_ARRAY_OPEN:
        return next_of_bytes(s, at, "]ntf\"-0123456789[{", child);
    case GM_MODE_STRING:
        return next_of_string(s, at, child);
    case GM_MODE_NUMBER:
        return next_of_number(s, at, child);
    case GM_MODE_LITERAL:
        return end_literal(s, at, child);
    case GM_MODE_KEY:
        return next_of_key(s, at, child, to);
    case GM_MODE_OBJECT_OPEN:
        return next_of_bytes(s, at, "}\"", child);
    case GM_MODE_COLON:
        return next_of_bytes(s, at, ":", child);
    case GM_MODE_OBJECT_AFTER:
        return next_of_bytes(s, at, "},", child);
    case GM_MODE_OBJECT_COMMA:
        return next_of_bytes(s, at, "\"", child);
    case GM_MODE_ARRAY_AFTER:
        return next_of_bytes(s, at, "],", child);
    case GM_MODE_END:
        return GM_REJECTED;
    }
    return GM_REJECTED;
}

/* ---- the search ---- */

static bool push(search *s, const gm_config *config, const node *like)
{
    node *next = gm_arena_take_zeroed(s->journal, sizeof *next);
    if (next == NULL)
        return false;
    *next = *like;
    next->before = s->top;
    next->config = *config;
    while (config->mode == GM_MODE_OBJECT_OPEN && next->order != NULL && next->order->depth >= config->top->depth)
        next->order = next->order->outer; /* of an object that stood in its place before */
    if (config->mode == GM_MODE_KEY && s->top != NULL && s->top->config.mode != GM_MODE_KEY) {
        next->is_begun = true;
        next->is_tight = order_of(next) != NULL;
    }
    next->mark = gm_arena_save(s->journal);
    s->top = next;
    return true;
}

static gm_status run(search *s)
{
    for (uint32_t nodes = 0; s->top != NULL; nodes++) {
        if (nodes == MOST_NODES)
            return GM_LIMIT;
        node *at = s->top, to = {.order = at->order};
        gm_config child;
        bool plain;
        gm_arena_rewind(s->journal, at->mark);
        const gm_status status = next_way(s, at, &child, &to);
        if (status == GM_REJECTED) {
            s->top = at->before;
            continue;
        }
        GM_TRY(status);
        if (child.mode == GM_MODE_ARRAY_AFTER && child.top->depth == s->outermost->depth)
            return GM_OK;
        GM_TRY(gm_reach_is_plain(s->machine, &child, s->outermost, &plain));
        if (plain)
            return GM_OK;
        if (!push(s, &child, &to))
            return GM_OUT_OF_MEMORY;
    }
    return GM_REJECTED;
}

gm_status gm_complete_item(gm_machine *machine, gm_arena *journal, const gm_config *config, const gm_stack *outermost)
{
    search s = {.machine = machine, .journal = journal, .outermost = outermost};
    const node first = {0};
    const gm_arena_mark mark = gm_arena_save(journal);
    gm_arena_init(&s.scratch, &journal->allocator);
    const gm_status status = push(&s, config, &first) ? run(&s) : GM_OUT_OF_MEMORY;
    gm_arena_destroy(&s.scratch);
    gm_arena_rewind(journal, mark);
    return status;
}
