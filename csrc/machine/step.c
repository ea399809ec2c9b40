/*
 * machine/step.c - one byte: see machine.h.
 *
 * Each mode has a function that either moves within its mode, opens a container or ends a value.
 * Ending a value is one place: the outcome chooses the frame that follows, or the document is
 * complete. A number is ended by the byte after it, which is then read again in the mode behind.
 */
#include "machine/distinct.h"

#include "base/utf8.h"

typedef struct stepping {
    gm_machine *machine;
    gm_arena *journal;
    gm_config *config;        /* being changed; void once the step has failed */
    const gm_written *before; /* what was written without the present byte */
} stepping;

static uint64_t depth_of(const gm_config *config) { return config->top != NULL ? config->top->depth : 0; }

/* ---- ends of values ---- */

/* The value's text ends with `end`. */
static gm_status end_value(stepping *s, const uint64_t *outcome, const gm_written *end)
{
    const gm_turn *turn = s->config->at.turn;
    const gm_frame *frame;
    bool none;
    s->config->gap = 0;
    if (turn->is_root) {
        s->config->mode = GM_MODE_END;
        return GM_OK;
    }
    if (!turn->in_object && s->config->top->is_unique)
        GM_TRY(gm_distinct_end_item(s->machine, s->journal, s->config, end, outcome, &frame));
    else if ((frame = gm_turn_only_after(turn)) == NULL &&
             (frame = gm_machine_after(s->machine, turn, outcome, false, &none)) == NULL)
        return GM_OUT_OF_MEMORY;
    s->config->at.frame = frame;
    s->config->mode = turn->in_object ? GM_MODE_OBJECT_AFTER : GM_MODE_ARRAY_AFTER;
    return GM_OK;
}

/* Ends a string or number, which may be one that is in no item of a unique array before. */
static gm_status end_scalar(stepping *s, const uint64_t *outcome, const gm_written *end)
{
    if (s->config->written != NULL)
        GM_TRY(gm_distinct_note_scalar(s->journal, s->config, end));
    return end_value(s, outcome, end);
}

static gm_status close_container(stepping *s)
{
    uint64_t outcome[GM_MAX_OUTCOME_WORDS];
    if (!gm_frame_close(s->config->at.frame, s->config->top, outcome))
        return GM_REJECTED;
    s->config->at.turn = s->config->top->turn;
    s->config->top = s->config->top->parent;
    const gm_written *end = s->config->written;
    if (!gm_config_is_watched(s->config))
        s->config->written = NULL;
    return end_value(s, outcome, end);
}

/* ---- white space ---- */

/* Handles a white space byte in a gap. */
static gm_status blank(stepping *s, gm_gap gap, uint8_t byte, bool can_more, bool can_close)
{
    uint32_t next;
    if (!gm_gaps_take(&s->machine->gaps, gap, s->config->gap, depth_of(s->config), byte, can_more, can_close, &next))
        return GM_REJECTED;
    s->config->gap = next;
    return GM_OK;
}

/* The same between members or items, or (closing false) before the first. */
static gm_status blank_between(stepping *s, gm_gap gap, uint8_t byte, bool closing)
{
    const gm_frame *frame = s->config->at.frame;
    const gm_stack *top = s->config->top;
    uint64_t outcome[GM_MAX_OUTCOME_WORDS];
    if (s->machine->gaps.kind == GM_WHITESPACE_FLEXIBLE)
        return blank(s, gap, byte, true, true);
    const bool can_more = frame->is_object ? gm_frame_can_take_any(frame, top) : gm_frame_can_take_item(frame, top);
    return blank(s, gap, byte, can_more, closing && gm_frame_close(frame, top, outcome));
}

static bool gap_ends(const stepping *s, gm_gap gap, bool closing)
{
    return gm_gaps_end(&s->machine->gaps, gap, s->config->gap, depth_of(s->config), closing);
}

/* ---- beginnings of values ---- */

static const char *const literal_texts[3] = {"null", "true", "false"};

static gm_status begin_literal(stepping *s, int literal)
{
    if (s->config->at.turn->place->literals[literal] == NULL)
        return GM_REJECTED;
    s->config->mode = GM_MODE_LITERAL;
    s->config->literal = (uint8_t)literal;
    s->config->position = 1;
    return GM_OK;
}

static gm_status begin_string(stepping *s)
{
    const gm_lexical *start = s->config->at.turn->place->text_start;
    if (start == NULL)
        return GM_REJECTED;
    s->config->mode = GM_MODE_STRING;
    s->config->spelling = GM_SPELLING_BETWEEN;
    s->config->as.text.lexical = start;
    s->config->as.text.length = 0;
    s->config->as.text.hash = gm_distinct_hash_start();
    if (s->config->written != NULL)
        gm_distinct_note_begin(s->config, true);
    return GM_OK;
}

static gm_status begin_number(stepping *s, uint8_t byte)
{
    bool failed;
    const gm_lexical *lexical = s->config->at.turn->place->number_start;
    if (lexical == NULL)
        return GM_REJECTED;
    lexical = gm_lexical_digit(s->machine, lexical, gm_number_class(byte), &failed);
    if (lexical == NULL)
        return failed ? GM_OUT_OF_MEMORY : GM_REJECTED;
    s->config->mode = GM_MODE_NUMBER;
    s->config->as.text.lexical = lexical;
    if (s->config->written != NULL)
        gm_distinct_note_begin(s->config, false);
    return GM_OK;
}

static gm_status begin_container(stepping *s, bool is_object)
{
    const gm_place *place = s->config->at.turn->place;
    if ((is_object ? place->object_count : place->array_count) == 0)
        return GM_REJECTED;
    const gm_frame *frame =
        is_object ? gm_machine_object_start(s->machine, place) : gm_machine_array_start(s->machine, place);
    gm_stack *node = gm_arena_take(s->journal, sizeof *node);
    if (frame == NULL || node == NULL)
        return GM_OUT_OF_MEMORY;
    *node = (gm_stack){.parent = s->config->top, .turn = s->config->at.turn, .depth = depth_of(s->config) + 1};
    gm_distinct_open(node, !is_object && place->has_unique);
    if (is_object && place->shape->words > 1) {
        node->seen.words = gm_arena_take_zeroed(s->journal, place->shape->words * sizeof(uint64_t));
        if (node->seen.words == NULL)
            return GM_OUT_OF_MEMORY;
    }
    s->config->top = node;
    s->config->at.frame = frame;
    s->config->mode = is_object ? GM_MODE_OBJECT_OPEN : GM_MODE_ARRAY_OPEN;
    s->config->gap = 0;
    return GM_OK;
}

static gm_status begin_value(stepping *s, uint8_t byte)
{
    switch (byte) {
    case '"':
        return begin_string(s);
    case '{':
        return begin_container(s, true);
    case '[':
        return begin_container(s, false);
    case 'n':
        return begin_literal(s, 0);
    case 't':
        return begin_literal(s, 1);
    case 'f':
        return begin_literal(s, 2);
    default:
        return gm_number_class(byte) >= 0 ? begin_number(s, byte) : GM_REJECTED;
    }
}

static gm_status step_value(stepping *s, uint8_t byte)
{
    const gm_turn *turn = s->config->at.turn;
    if (turn->is_root) { /* a gap of one space where the matcher asked for it */
        if (byte == ' ' && s->config->gap == GM_LEADING_SPACE) {
            s->config->gap = 0;
            return GM_OK;
        }
        return begin_value(s, byte);
    }
    const gm_gap gap = turn->in_object ? GM_GAP_COLON : GM_GAP_COMMA;
    if (gm_is_whitespace(byte))
        return blank(s, gap, byte, true, false);
    return gap_ends(s, gap, false) ? begin_value(s, byte) : GM_REJECTED;
}

/* ---- scalars ---- */

static gm_status step_string(stepping *s, uint8_t byte)
{
    const gm_place *place = s->config->at.turn->place;
    const gm_lexical *lexical = s->config->as.text.lexical;
    const bool minimal = s->machine->minimal_escapes;
    uint32_t point;
    bool failed;
    gm_spelling_state next;
    switch (gm_spelling_step(s->config->spelling, byte, minimal, &next, &point)) {
    case GM_SPELLED_QUOTE: {
        uint64_t outcome[GM_MAX_OUTCOME_WORDS];
        if (!gm_lexical_close_text(place, lexical, s->config->as.text.length, outcome))
            return GM_REJECTED;
        return end_scalar(s, outcome, s->config->written);
    }
    case GM_SPELLED_POINT:
        lexical = gm_lexical_point(s->machine, place, lexical, point, s->config->as.text.length + 1, &failed);
        if (lexical == NULL)
            return failed ? GM_OUT_OF_MEMORY : GM_REJECTED;
        s->config->as.text.lexical = lexical;
        s->config->as.text.length++;
        if (s->config->written != NULL)
            s->config->as.text.hash = gm_distinct_hash_point(s->config->as.text.hash, point);
        s->config->spelling = GM_SPELLING_BETWEEN;
        return GM_OK;
    case GM_SPELLED_PART: {
        gm_point_range ranges[4];
        const size_t count = gm_spelling_ranges(next, minimal, ranges);
        failed = false;
        for (size_t i = 0; i < count; i++)
            if (gm_lexical_meets(s->machine, place, lexical, next, ranges[i], s->config->as.text.length + 1, &failed)) {
                s->config->spelling = next;
                return GM_OK;
            }
        return failed ? GM_OUT_OF_MEMORY : GM_REJECTED;
    }
    default:
        return GM_REJECTED;
    }
}

static gm_status step(stepping *s, uint8_t byte);

static gm_status step_number(stepping *s, uint8_t byte)
{
    const int number_class = gm_number_class(byte);
    if (number_class >= 0) {
        bool failed;
        const gm_lexical *next = gm_lexical_digit(s->machine, s->config->as.text.lexical, number_class, &failed);
        if (next == NULL)
            return failed ? GM_OUT_OF_MEMORY : GM_REJECTED;
        s->config->as.text.lexical = next;
        return GM_OK;
    }
    uint64_t outcome[GM_MAX_OUTCOME_WORDS];
    if (s->config->at.turn->is_root ||
        !gm_lexical_close_number(s->config->at.turn->place, s->config->as.text.lexical, outcome))
        return GM_REJECTED;
    const gm_status status = end_scalar(s, outcome, s->before);
    return status == GM_OK ? step(s, byte) : status; /* never a number again: one level */
}

static gm_status step_literal(stepping *s, uint8_t byte)
{
    const char *text = literal_texts[s->config->literal];
    if (byte != (uint8_t)text[s->config->position])
        return GM_REJECTED;
    s->config->position++;
    if (text[s->config->position] != '\0')
        return GM_OK;
    return end_value(s, s->config->at.turn->place->literals[s->config->literal], s->config->written);
}

/* ---- keys ---- */

/* GM_OK if some key that may be taken begins with the text so far, else GM_REJECTED. */
static gm_status key_is_alive(stepping *s, const gm_config *config)
{
    const gm_frame *frame = config->at.frame;
    if (gm_frame_can_take(frame, config->top, config->as.key.low, config->as.key.high))
        return GM_OK;
    if (!gm_frame_can_take_other(frame, config->top))
        return GM_REJECTED;
    if (frame->keys == NULL)
        return GM_OK;
    bool is_free = false;
    if (config->as.key.lexical != NULL)
        GM_TRY(gm_lexical_key_is_free(s->machine, s->journal, config->as.key.lexical, config->as.key.hash,
                                      config->top->others, &is_free));
    return is_free ? GM_OK : GM_REJECTED;
}

/* Whether a name that may be taken goes on with a code point of the range, which `half` can become. Names
 * that go on with the same byte stand together; an ASCII one decides for all of them. */
static bool name_meets(const gm_config *config, gm_spelling_state half, gm_point_range range,
                       const gm_alphabet *alphabet)
{
    const gm_shape *shape = config->at.frame->place->shape;
    const uint32_t depth = config->as.key.depth;
    uint32_t end;
    for (uint32_t i = config->as.key.low; i < config->as.key.high; i = end) {
        const gm_bytes name = shape->names[i];
        size_t at = depth;
        end = i + 1;
        if (name.length <= depth)
            continue;
        const uint32_t point = gm_utf8_read(name.data, name.length, &at);
        if (point < 0x80)
            end = gm_shape_bound(shape, i, config->as.key.high, depth, point + 1);
        if (point >= range.low && point <= range.high &&
            gm_spelling_can_finish(half, (gm_point_range){point, point}, alphabet) &&
            gm_frame_can_take(config->at.frame, config->top, i, end))
            return true;
    }
    return false;
}

/* `takes_any`: it is known that some key may be taken. */
static gm_status begin_key(stepping *s, bool takes_any)
{
    const gm_frame *frame = s->config->at.frame;
    bool failed = false;
    s->config->mode = GM_MODE_KEY;
    s->config->spelling = GM_SPELLING_BETWEEN;
    s->config->as.key.low = 0;
    s->config->as.key.high = frame->place->shape->name_count;
    s->config->as.key.depth = 0;
    s->config->as.key.hash = gm_key_hash_start();
    s->config->as.key.lexical = NULL;
    if (frame->keys != NULL)
        s->config->as.key.lexical = gm_machine_keys(s->machine, frame, s->config->top, &failed);
    else if (takes_any)
        return GM_OK;
    return failed ? GM_OUT_OF_MEMORY : key_is_alive(s, s->config);
}

/* How many bytes a name goes on with. */
static size_t common_length(gm_bytes name, size_t depth, const uint8_t *bytes, size_t count)
{
    const size_t most = name.length - depth < count ? name.length - depth : count;
    size_t length = 0;
    while (length < most && (uint8_t)name.data[depth + length] == bytes[length])
        length++;
    return length;
}

/* The same as gm_shape_narrow however far that is. */
static void narrow_far(const gm_shape *shape, uint32_t from, const uint8_t *bytes, size_t count, uint32_t *low,
                       uint32_t *high)
{
    for (size_t i = 0; i < count && *low < *high; i++) {
        const uint32_t depth = from + (uint32_t)i;
        size_t same = common_length(shape->names[*low], depth, bytes + i, count - i);
        if (*high - *low > 1) /* what the first and the last have in common all have */
            same = common_length(shape->names[*high - 1], depth, bytes + i, same);
        i += same;
        if (i == count)
            break;
        *low = gm_shape_bound(shape, *low, *high, depth + (uint32_t)same, bytes[i]);
        *high = gm_shape_bound(shape, *low, *high, depth + (uint32_t)same, bytes[i] + 1u);
    }
}

/* Leaves of the names that the key may become those that go on with some bytes; 0..0 if none does, wherever they ended,
 * so that keys alike are alike. */
static void narrow_names(gm_config *config, const uint8_t *bytes, size_t count)
{
    const gm_shape *shape = config->at.frame->place->shape;
    gm_key_text *key = &config->as.key;
    const bool is_hashed = config->at.frame->other || config->top->others != NULL; /* else nobody asks for it */
    uint32_t low = key->low, high = key->high;
    if (key->depth + count <= GM_BEGIN && bytes[0] != 0)
        gm_shape_narrow(shape, key->depth, bytes, count, &low, &high);
    else
        narrow_far(shape, key->depth, bytes, count, &low, &high);
    for (size_t i = 0; i < count && is_hashed; i++)
        key->hash = gm_key_hash_add(key->hash, bytes[i]);
    key->low = low < high ? low : 0;
    key->high = low < high ? high : 0;
    key->depth += (uint32_t)count;
}

static gm_status narrow_key(stepping *s, uint32_t point)
{
    gm_config *config = s->config;
    char bytes[4];
    if (config->as.key.lexical != NULL) {
        bool failed;
        config->as.key.lexical = gm_lexical_key_point(s->machine, config->as.key.lexical, point, &failed);
        if (failed)
            return GM_OUT_OF_MEMORY;
    }
    const size_t length = gm_utf8_write(point, bytes);
    narrow_names(config, (const uint8_t *)bytes, length);
    return GM_OK;
}

/* Whether some code point of the range leads on: of a name, of a family, or of any other key. A
 * family's names that agree with the range may all be used: then each point is tried. */
static gm_status key_meets(stepping *s, gm_spelling_state half, gm_point_range range)
{
    const gm_config *now = s->config;
    const gm_frame *frame = now->at.frame;
    const bool takes_other = gm_frame_can_take_other(frame, now->top);
    if (takes_other && frame->keys == NULL && gm_spelling_can_finish(half, range, s->machine->alphabet))
        return GM_OK;
    if (name_meets(now, half, range, s->machine->alphabet))
        return GM_OK;
    if (!takes_other || frame->keys == NULL)
        return GM_REJECTED;
    if (now->as.key.lexical == NULL || !gm_lexical_key_meets(s->machine, now->as.key.lexical, half, range))
        return GM_REJECTED;
    if (now->top->others == NULL)
        return GM_OK;
    const gm_config before = *now;
    for (uint32_t point = range.low; point <= range.high; point++) {
        if (!gm_lexical_key_meets(s->machine, before.as.key.lexical, half, (gm_point_range){point, point}))
            continue;
        gm_status status = narrow_key(s, point);
        if (status == GM_OK)
            status = key_is_alive(s, s->config);
        *s->config = before;
        if (status != GM_REJECTED)
            return status;
    }
    return GM_REJECTED;
}

static gm_stack *copy_top(stepping *s)
{
    gm_stack *node = gm_arena_take(s->journal, sizeof *node);
    if (node != NULL)
        *node = *s->config->top;
    return node;
}

/* The stack node after a member with this name (GM_ORDER_NONE: another key, by its hash). */
static const gm_stack *with_name(stepping *s, const gm_shape *shape, uint32_t name)
{
    gm_stack *node = copy_top(s);
    if (node == NULL)
        return NULL;
    node->count++;
    if (name == GM_ORDER_NONE) {
        const uint32_t length = s->config->as.key.depth;
        node->other_lengths |= (uint64_t)1 << (length < 63 ? length : 63);
        node->others = gm_keyset_add(node->others, s->config->as.key.hash, s->journal);
        return node->others != NULL ? node : NULL;
    }
    if (shape->words <= 1) {
        node->seen.word |= (uint64_t)1 << name;
        return node;
    }
    uint64_t *words = gm_arena_copy(s->journal, node->seen.words, shape->words * sizeof *words);
    if (words == NULL)
        return NULL;
    words[name / 64] |= (uint64_t)1 << name % 64;
    node->seen.words = words;
    return node;
}

static gm_status end_key(stepping *s)
{
    const gm_frame *frame = s->config->at.frame;
    const gm_shape *shape = frame->place->shape;
    const uint32_t low = s->config->as.key.low;
    uint32_t name = GM_ORDER_NONE;
    if (low < s->config->as.key.high && shape->names[low].length == s->config->as.key.depth)
        name = low;
    const gm_lexical *families = name == GM_ORDER_NONE ? s->config->as.key.lexical : NULL;
    if (name != GM_ORDER_NONE
            ? !gm_frame_can_take(frame, s->config->top, name, name + 1)
            : !gm_frame_can_take_other(frame, s->config->top) || (frame->keys != NULL && families == NULL) ||
                  gm_keyset_has(s->config->top->others, s->config->as.key.hash))
        return GM_REJECTED;
    bool none;
    const gm_turn *turn = name != GM_ORDER_NONE && !shape->counts ? gm_frame_known_turn(frame, name) : NULL;
    if (turn == NULL && (turn = gm_machine_name_turn(s->machine, frame, s->config->top, name, families, &none)) == NULL)
        return none ? GM_REJECTED : GM_OUT_OF_MEMORY;
    if (name == GM_ORDER_NONE || shape->tracks_seen) {
        const gm_stack *top = with_name(s, shape, name);
        if (top == NULL)
            return GM_OUT_OF_MEMORY;
        s->config->top = top;
    }
    s->config->at.turn = turn;
    s->config->mode = GM_MODE_COLON;
    s->config->gap = 0;
    return GM_OK;
}

static gm_status step_key(stepping *s, uint8_t byte)
{
    const bool minimal = s->machine->minimal_escapes;
    uint32_t point;
    gm_spelling_state next;
    switch (gm_spelling_step(s->config->spelling, byte, minimal, &next, &point)) {
    case GM_SPELLED_QUOTE:
        return end_key(s);
    case GM_SPELLED_POINT:
        GM_TRY(narrow_key(s, point));
        s->config->spelling = GM_SPELLING_BETWEEN;
        return key_is_alive(s, s->config);
    case GM_SPELLED_PART: {
        gm_point_range ranges[4];
        const size_t count = gm_spelling_ranges(next, minimal, ranges);
        gm_status status = GM_REJECTED;
        for (size_t i = 0; i < count && status == GM_REJECTED; i++)
            status = key_meets(s, next, ranges[i]);
        if (status == GM_OK)
            s->config->spelling = next;
        return status;
    }
    default:
        return GM_REJECTED;
    }
}

static gm_status step_colon(stepping *s, uint8_t byte)
{
    if (gm_is_whitespace(byte))
        return blank(s, GM_GAP_KEY, byte, true, false);
    if (byte != ':' || !gap_ends(s, GM_GAP_KEY, false))
        return GM_REJECTED;
    s->config->mode = GM_MODE_VALUE;
    s->config->gap = 0;
    return GM_OK;
}

/* ---- between members and items ---- */

static gm_status step_object_open(stepping *s, uint8_t byte)
{
    if (byte == '}')
        return gap_ends(s, GM_GAP_OPEN, true) ? close_container(s) : GM_REJECTED;
    if (gm_is_whitespace(byte))
        return blank_between(s, GM_GAP_OPEN, byte, false);
    return byte == '"' && gap_ends(s, GM_GAP_OPEN, false) ? begin_key(s, false) : GM_REJECTED;
}

static gm_status step_object_after(stepping *s, uint8_t byte)
{
    if (byte == '}')
        return gap_ends(s, GM_GAP_ITEM, true) ? close_container(s) : GM_REJECTED;
    if (gm_is_whitespace(byte))
        return blank_between(s, GM_GAP_ITEM, byte, true);
    if (byte != ',' || !gap_ends(s, GM_GAP_ITEM, false) || !gm_frame_can_take_any(s->config->at.frame, s->config->top))
        return GM_REJECTED;
    s->config->mode = GM_MODE_OBJECT_COMMA;
    s->config->gap = 0;
    return GM_OK;
}

static gm_status step_object_comma(stepping *s, uint8_t byte)
{
    if (gm_is_whitespace(byte))
        return blank(s, GM_GAP_COMMA, byte, true, false);
    return byte == '"' && gap_ends(s, GM_GAP_COMMA, false) ? begin_key(s, true) : GM_REJECTED; /* so the comma stands */
}

/* Moves on to the next item's turn and counts it. The item's text begins behind `before`. */
static gm_status take_item(stepping *s, const gm_written *before)
{
    const gm_frame *frame = s->config->at.frame;
    bool none;
    const gm_turn *turn = gm_machine_item_turn(s->machine, frame, gm_frame_items(frame, s->config->top), &none);
    if (turn == NULL)
        return none ? GM_REJECTED : GM_OUT_OF_MEMORY;
    if (frame->place->counts_items || s->config->top->is_unique) {
        gm_stack *node = copy_top(s);
        if (node == NULL)
            return GM_OUT_OF_MEMORY;
        node->count++;
        node->item = before;
        s->config->top = node;
    }
    s->config->at.turn = turn;
    s->config->mode = GM_MODE_VALUE;
    s->config->gap = 0;
    return GM_OK;
}

static gm_status step_array_open(stepping *s, uint8_t byte)
{
    if (byte == ']')
        return gap_ends(s, GM_GAP_OPEN, true) ? close_container(s) : GM_REJECTED;
    if (gm_is_whitespace(byte))
        return blank_between(s, GM_GAP_OPEN, byte, false);
    if (!gap_ends(s, GM_GAP_OPEN, false))
        return GM_REJECTED;
    const gm_status status = take_item(s, s->before);
    return status == GM_OK ? begin_value(s, byte) : status;
}

static gm_status step_array_after(stepping *s, uint8_t byte)
{
    if (byte == ']')
        return gap_ends(s, GM_GAP_ITEM, true) ? close_container(s) : GM_REJECTED;
    if (gm_is_whitespace(byte))
        return blank_between(s, GM_GAP_ITEM, byte, true);
    return byte == ',' && gap_ends(s, GM_GAP_ITEM, false) ? take_item(s, s->config->written) : GM_REJECTED;
}

/* ---- dispatch ---- */

static gm_status step(stepping *s, uint8_t byte)
{
    switch ((gm_mode)s->config->mode) {
    case GM_MODE_VALUE:
        return step_value(s, byte);
    case GM_MODE_STRING:
        return step_string(s, byte);
    case GM_MODE_NUMBER:
        return step_number(s, byte);
    case GM_MODE_LITERAL:
        return step_literal(s, byte);
    case GM_MODE_OBJECT_OPEN:
        return step_object_open(s, byte);
    case GM_MODE_KEY:
        return step_key(s, byte);
    case GM_MODE_COLON:
        return step_colon(s, byte);
    case GM_MODE_OBJECT_AFTER:
        return step_object_after(s, byte);
    case GM_MODE_OBJECT_COMMA:
        return step_object_comma(s, byte);
    case GM_MODE_ARRAY_OPEN:
        return step_array_open(s, byte);
    case GM_MODE_ARRAY_AFTER:
        return step_array_after(s, byte);
    case GM_MODE_END:
        return GM_REJECTED;
    }
    return GM_REJECTED;
}

static gm_status advance_unchecked(gm_machine *machine, gm_arena *journal, gm_config *config, uint8_t byte)
{
    stepping s = {machine, journal, config, config->written};
    if (!machine->alphabet->is_whole && !gm_alphabet_has_byte(machine->alphabet, byte))
        return GM_REJECTED;
    if (gm_config_is_watched(config))
        GM_TRY(gm_distinct_write(journal, config, byte));
    return step(&s, byte);
}

gm_status gm_machine_step_unchecked(gm_machine *machine, gm_arena *journal, const gm_config *from, uint8_t byte,
                                    gm_config *to)
{
    gm_config next = *from;
    const gm_status status = advance_unchecked(machine, journal, &next, byte);
    if (status == GM_OK)
        *to = next;
    return status;
}

gm_status gm_machine_end_number(gm_machine *machine, gm_arena *journal, const gm_config *from, gm_config *to)
{
    gm_config next = *from;
    stepping s = {machine, journal, &next, from->written};
    uint64_t outcome[GM_MAX_OUTCOME_WORDS];
    if (!gm_lexical_close_number(from->at.turn->place, from->as.text.lexical, outcome))
        return GM_REJECTED;
    const gm_status status = end_scalar(&s, outcome, from->written);
    if (status == GM_OK)
        *to = next;
    return status;
}

/* Whether a byte is white space in a gap where any may stand: it promises nothing. */
static bool is_idle(const gm_machine *machine, gm_mode mode, uint8_t byte)
{
    return gm_is_whitespace(byte) && machine->gaps.kind == GM_WHITESPACE_FLEXIBLE && mode != GM_MODE_STRING &&
           mode != GM_MODE_KEY && mode != GM_MODE_NUMBER;
}

/* What was short when a step failed. */
GM_NOINLINE static gm_status what_was_short(gm_machine *machine, const gm_arena *journal)
{
    return journal->is_spent ? GM_LIMIT : gm_machine_no_room(machine);
}

static gm_status settled(gm_machine *machine, const gm_arena *journal, gm_status status)
{
    return GM_LIKELY(status != GM_OUT_OF_MEMORY) ? status : what_was_short(machine, journal);
}

gm_status gm_machine_advance(gm_machine *machine, gm_arena *journal, gm_config *config, uint8_t byte)
{
    const gm_mode mode = (gm_mode)config->mode;
    gm_status status = advance_unchecked(machine, journal, config, byte);
    if (status == GM_OK && config->written != NULL && !is_idle(machine, mode, byte))
        status = gm_distinct_check(machine, journal, config);
    return settled(machine, journal, status);
}

gm_status gm_machine_step(gm_machine *machine, gm_arena *journal, const gm_config *from, uint8_t byte, gm_config *to)
{
    gm_config next = *from;
    const gm_status status = gm_machine_advance(machine, journal, &next, byte);
    if (status == GM_OK)
        *to = next;
    return status;
}

/* ---- runs ---- */

/* Takes letters of a key, if some key that may be taken begins so: then one begins with each part of them too. Returns
 * how many, or 0. */
static size_t run_in_key(stepping *s, const uint8_t *letters, size_t count)
{
    gm_config *config = s->config;
    if (config->as.key.lexical != NULL)
        return 0;
    const gm_key_text before = config->as.key;
    narrow_names(config, letters, count);
    const bool same =
        config->as.key.low == before.low && config->as.key.high == before.high; /* so they live as before */
    if ((same && config->at.frame->keys == NULL) || key_is_alive(s, config) == GM_OK)
        return count;
    config->as.key = before;
    return 0;
}

/* Takes letters, many at once: *taken, perhaps 0. What it leaves is for step. Outside unique arrays. */
static gm_status run_letters(stepping *s, const uint8_t *letters, size_t count, size_t *taken)
{
    gm_config *config = s->config;
    if (config->mode == GM_MODE_KEY) {
        *taken = run_in_key(s, letters, count);
        return GM_OK;
    }
    if (!gm_lexical_run(s->machine, config->at.turn->place, &config->as.text.lexical, config->as.text.length, letters,
                        count, taken))
        return GM_OUT_OF_MEMORY;
    config->as.text.length += *taken;
    return GM_OK;
}

/* Whether white space may stand where a configuration is, if any may. */
static bool is_in_gap(const gm_config *config)
{
    enum {
        GAPS = 1 << GM_MODE_VALUE | 1 << GM_MODE_OBJECT_OPEN | 1 << GM_MODE_COLON | 1 << GM_MODE_OBJECT_AFTER |
               1 << GM_MODE_OBJECT_COMMA | 1 << GM_MODE_ARRAY_OPEN | 1 << GM_MODE_ARRAY_AFTER
    };
    return (GAPS >> config->mode & 1) && config->top != NULL; /* none around the document */
}

/* Takes a byte between values that asks nothing of any of them; false: it is for step. Most tokens between values hold
 * one or two of these. */
static GM_INLINE bool step_lightly(stepping *s, uint8_t byte)
{
    gm_config *config = s->config;
    if (s->machine->gaps.kind != GM_WHITESPACE_FLEXIBLE)
        return false;
    if (byte == ':' && config->mode == GM_MODE_COLON) {
        config->mode = GM_MODE_VALUE;
        config->gap = 0;
        return true;
    }
    uint32_t next;
    if (!gm_is_whitespace(byte) || !is_in_gap(config) ||
        !gm_gaps_take(&s->machine->gaps, GM_GAP_ITEM, config->gap, 0, byte, true, true, &next))
        return false;
    config->gap = next;
    return true;
}

/* Advances by a byte, and before it by all that can be taken at once: *count more than were taken before. */
static gm_status run_on(stepping *s, const uint8_t *bytes, size_t length, size_t known, size_t *count)
{
    const gm_config *config = s->config;
    if ((config->mode == GM_MODE_STRING || config->mode == GM_MODE_KEY) && config->spelling == GM_SPELLING_BETWEEN) {
        const size_t letters = *count < known ? known - *count : gm_count_letters(bytes + *count, length - *count);
        size_t taken = 0;
        if (letters != 0)
            GM_TRY(run_letters(s, bytes + *count, letters, &taken));
        *count += taken;
        if (*count == length)
            return GM_OK;
    }
    if (!step_lightly(s, bytes[*count]))
        GM_TRY(step(s, bytes[*count]));
    ++*count;
    return GM_OK;
}

/* The same byte by byte, where something is written, or what follows must be checked. */
GM_NOINLINE static gm_status run_each(gm_machine *machine, gm_arena *journal, gm_config *config, const uint8_t *bytes,
                                      size_t length, size_t *count)
{
    gm_status status = GM_OK;
    while (*count < length && status == GM_OK) {
        status = gm_machine_advance(machine, journal, config, bytes[*count]);
        *count += status == GM_OK;
    }
    return status;
}

gm_status gm_machine_run(gm_machine *machine, gm_arena *journal, gm_config *config, const uint8_t *bytes, size_t length,
                         size_t letters, size_t *count)
{
    stepping s = {machine, journal, config, NULL};
    gm_status status = GM_OK;
    *count = 0;
    while (*count < length && status == GM_OK) {
        if (!machine->alphabet->is_whole || gm_config_is_watched(config))
            return run_each(machine, journal, config, bytes, length, count);
        status = run_on(&s, bytes, length, letters, count);
    }
    return settled(machine, journal, status);
}

bool gm_machine_may_end(const gm_config *config)
{
    if (config->mode == GM_MODE_END)
        return true;
    uint64_t outcome[GM_MAX_OUTCOME_WORDS];
    return config->mode == GM_MODE_NUMBER && config->at.turn->is_root &&
           gm_lexical_close_number(config->at.turn->place, config->as.text.lexical, outcome);
}

/* Whether a number may go on with a byte of a class. */
static bool goes_on(gm_machine *machine, const gm_lexical *lexical, int number_class)
{
    bool any = false, failed = false;
    for (uint32_t i = 0; i < lexical->count && !any; i++)
        any = ((const gm_number_row *)lexical->rows[i])->to[number_class] != GM_NUMBER_DEAD;
    if (!any || machine->alphabet->is_whole)
        return any;
    return gm_alphabet_has_class(machine->alphabet, number_class) &&
           (gm_lexical_digit(machine, lexical, number_class, &failed) != NULL || failed);
}

bool gm_machine_is_complete(gm_machine *machine, const gm_config *config)
{
    if (config->mode == GM_MODE_END || !gm_machine_may_end(config))
        return config->mode == GM_MODE_END;
    for (int number_class = 0; number_class < GM_NUMBER_CLASSES; number_class++)
        if (goes_on(machine, config->as.text.lexical, number_class))
            return false;
    return true;
}
