/*
 * machine/step.c - one byte: see machine.h.
 *
 * Each mode has a function that either moves within its mode, opens a container or ends a value.
 * Ending a value is one place: the outcome chooses the frame that follows, or the document is
 * complete. A number is ended by the byte after it, which is then read again in the mode behind.
 */
#include "machine/stepping.h"

static uint64_t depth_of(const gm_config *config) { return config->top != NULL ? config->top->depth : 0; }

/* ---- ends of values ---- */

/* The value's text ends with `end`. */
static gm_status end_value(gm_stepping *s, const uint64_t *outcome, const gm_written *end)
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
static gm_status end_scalar(gm_stepping *s, const uint64_t *outcome, const gm_written *end)
{
    if (s->config->written != NULL)
        GM_TRY(gm_distinct_note_scalar(s->journal, s->config, end));
    return end_value(s, outcome, end);
}

static gm_status close_container(gm_stepping *s)
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
static gm_status blank(gm_stepping *s, gm_gap gap, uint8_t byte, bool can_more, bool can_close)
{
    uint32_t next;
    if (!gm_gaps_take(&s->machine->gaps, gap, s->config->gap, depth_of(s->config), byte, can_more, can_close, &next))
        return GM_REJECTED;
    s->config->gap = next;
    return GM_OK;
}

/* The same between members or items, or (closing false) before the first. */
static gm_status blank_between(gm_stepping *s, gm_gap gap, uint8_t byte, bool closing)
{
    const gm_frame *frame = s->config->at.frame;
    const gm_stack *top = s->config->top;
    uint64_t outcome[GM_MAX_OUTCOME_WORDS];
    if (s->machine->gaps.kind == GM_WHITESPACE_FLEXIBLE)
        return blank(s, gap, byte, true, true);
    const bool can_more = frame->is_object ? gm_frame_can_take_any(frame, top) : gm_frame_can_take_item(frame, top);
    return blank(s, gap, byte, can_more, closing && gm_frame_close(frame, top, outcome));
}

static bool gap_ends(const gm_stepping *s, gm_gap gap, bool closing)
{
    return gm_gaps_end(&s->machine->gaps, gap, s->config->gap, depth_of(s->config), closing);
}

/* ---- beginnings of values ---- */

static const char *const literal_texts[3] = {"null", "true", "false"};

static gm_status begin_literal(gm_stepping *s, int literal)
{
    if (s->config->at.turn->place->literals[literal] == NULL)
        return GM_REJECTED;
    s->config->mode = GM_MODE_LITERAL;
    s->config->literal = (uint8_t)literal;
    s->config->position = 1;
    return GM_OK;
}

static gm_status begin_string(gm_stepping *s)
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

static gm_status begin_number(gm_stepping *s, uint8_t byte)
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

static gm_status begin_container(gm_stepping *s, bool is_object)
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

static gm_status begin_value(gm_stepping *s, uint8_t byte)
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

static gm_status step_value(gm_stepping *s, uint8_t byte)
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

static gm_status end_string(gm_stepping *s)
{
    uint64_t outcome[GM_MAX_OUTCOME_WORDS];
    if (!gm_lexical_close_text(s->config->at.turn->place, s->config->as.text.lexical, s->config->as.text.length,
                               outcome))
        return GM_REJECTED;
    return end_scalar(s, outcome, s->config->written);
}

static gm_status step_string(gm_stepping *s, uint8_t byte)
{
    const gm_place *place = s->config->at.turn->place;
    const gm_lexical *lexical = s->config->as.text.lexical;
    const bool minimal = s->machine->minimal_escapes;
    uint32_t point;
    bool failed;
    gm_spelling_state next;
    switch (gm_spelling_step(s->config->spelling, byte, minimal, &next, &point)) {
    case GM_SPELLED_QUOTE:
        return end_string(s);
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

static gm_status step(gm_stepping *s, uint8_t byte);

static gm_status step_number(gm_stepping *s, uint8_t byte)
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

static gm_status step_literal(gm_stepping *s, uint8_t byte)
{
    const char *text = literal_texts[s->config->literal];
    if (byte != (uint8_t)text[s->config->position])
        return GM_REJECTED;
    s->config->position++;
    if (text[s->config->position] != '\0')
        return GM_OK;
    return end_value(s, s->config->at.turn->place->literals[s->config->literal], s->config->written);
}

static gm_status step_colon(gm_stepping *s, uint8_t byte)
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

static gm_status step_object_open(gm_stepping *s, uint8_t byte)
{
    if (byte == '}')
        return gap_ends(s, GM_GAP_OPEN, true) ? close_container(s) : GM_REJECTED;
    if (gm_is_whitespace(byte))
        return blank_between(s, GM_GAP_OPEN, byte, false);
    return byte == '"' && gap_ends(s, GM_GAP_OPEN, false) ? gm_key_begin(s, false) : GM_REJECTED;
}

static gm_status step_object_after(gm_stepping *s, uint8_t byte)
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

static gm_status step_object_comma(gm_stepping *s, uint8_t byte)
{
    if (gm_is_whitespace(byte))
        return blank(s, GM_GAP_COMMA, byte, true, false);
    return byte == '"' && gap_ends(s, GM_GAP_COMMA, false) ? gm_key_begin(s, true)
                                                           : GM_REJECTED; /* so the comma stands */
}

/* Moves on to the next item's turn and counts it. The item's text begins behind `before`. */
static gm_status take_item(gm_stepping *s, const gm_written *before)
{
    const gm_frame *frame = s->config->at.frame;
    bool none;
    const gm_turn *turn = gm_machine_item_turn(s->machine, frame, gm_frame_items(frame, s->config->top), &none);
    if (turn == NULL)
        return none ? GM_REJECTED : GM_OUT_OF_MEMORY;
    if (frame->place->counts_items || s->config->top->is_unique) {
        gm_stack *node = gm_stepping_copy_top(s);
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

static gm_status step_array_open(gm_stepping *s, uint8_t byte)
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

static gm_status step_array_after(gm_stepping *s, uint8_t byte)
{
    if (byte == ']')
        return gap_ends(s, GM_GAP_ITEM, true) ? close_container(s) : GM_REJECTED;
    if (gm_is_whitespace(byte))
        return blank_between(s, GM_GAP_ITEM, byte, true);
    return byte == ',' && gap_ends(s, GM_GAP_ITEM, false) ? take_item(s, s->config->written) : GM_REJECTED;
}

/* ---- dispatch ---- */

static gm_status step(gm_stepping *s, uint8_t byte)
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
        return gm_key_step(s, byte);
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
    gm_stepping s = {machine, journal, config, config->written};
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
    gm_stepping s = {machine, journal, &next, from->written};
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

/* Takes letters, many at once: *taken, perhaps 0. What it leaves is for step. Outside unique arrays. */
static gm_status run_letters(gm_stepping *s, const uint8_t *letters, size_t count, size_t *taken)
{
    gm_config *config = s->config;
    if (config->mode == GM_MODE_KEY) {
        *taken = gm_key_run(s, letters, count);
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

/* Takes a byte between values or the quote that begins one, where any white space may stand; false: it is for step, and
 * nothing was changed. Most tokens between values hold one or two of these, and one way tells them apart sooner than
 * two: by mode, then by byte. */
static GM_INLINE bool step_lightly(gm_stepping *s, uint8_t byte)
{
    gm_config *config = s->config;
    if (s->machine->gaps.kind != GM_WHITESPACE_FLEXIBLE)
        return false;
    if (byte == '"') {
        if (config->mode == GM_MODE_VALUE)
            return begin_string(s) == GM_OK;
        return config->mode == GM_MODE_OBJECT_COMMA && config->at.frame->keys == NULL && gm_key_begin(s, true) == GM_OK;
    }
    if (byte == ':' && config->mode == GM_MODE_COLON) {
        config->mode = GM_MODE_VALUE;
        config->gap = 0;
        return true;
    }
    if (byte == ',' && config->mode == GM_MODE_OBJECT_AFTER && gm_frame_can_take_any(config->at.frame, config->top)) {
        config->mode = GM_MODE_OBJECT_COMMA;
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

/* Advances by all letters that a string or key goes on with, and the quote behind them. */
static gm_status run_through_text(gm_stepping *s, const uint8_t *bytes, size_t length, size_t known, size_t *count)
{
    const size_t letters = *count < known ? known - *count : gm_count_letters(bytes + *count, length - *count);
    size_t taken = 0;
    if (letters != 0)
        GM_TRY(run_letters(s, bytes + *count, letters, &taken));
    *count += taken;
    if (*count == length)
        return GM_OK;
    if (bytes[*count] != '"')
        GM_TRY(step(s, bytes[*count]));
    else
        GM_TRY(s->config->mode == GM_MODE_KEY ? gm_key_end(s) : end_string(s));
    ++*count;
    return GM_OK;
}

/* Advances by a byte, or by all that can be taken at once: *count more than were taken before. */
static gm_status run_on(gm_stepping *s, const uint8_t *bytes, size_t length, size_t known, size_t *count)
{
    const gm_config *config = s->config;
    if ((config->mode == GM_MODE_STRING || config->mode == GM_MODE_KEY) && config->spelling == GM_SPELLING_BETWEEN)
        return run_through_text(s, bytes, length, known, count);
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
    gm_stepping s = {machine, journal, config, NULL};
    gm_status status = GM_OK;
    const bool is_whole = machine->alphabet->is_whole;
    size_t at = 0; /* apart from *count, so that it need not be in memory */
    while (at < length && status == GM_OK && is_whole && !gm_config_is_watched(config))
        status = run_on(&s, bytes, length, letters, &at);
    *count = at;
    if (GM_UNLIKELY(at < length && status == GM_OK))
        return run_each(machine, journal, config, bytes, length, count);
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
