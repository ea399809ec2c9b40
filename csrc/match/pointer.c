/*
 * match/pointer.c - where in the document a matcher is, as a JSON Pointer.
 *
 * Nothing on the way of a token keeps names for this: the document is read again from the history,
 * which remembers each step's text. What has been accepted is well-formed, so a small reader that
 * follows brackets, commas and strings is enough.
 */
#include "base/utf8.h"
#include "match/matcher.h"

typedef struct level {
    bool is_object;
    uint64_t index; /* of the item that is being written */
    size_t name;    /* offset of the present member's name among the names, SIZE_MAX before the first */
    size_t name_length;
} level;

typedef struct tracker {
    gm_allocator allocator;
    GM_ARRAY(level) levels;
    GM_ARRAY(char) names; /* decoded, one after another */
    bool in_string, in_key, expects_key;
    gm_spelling_state spelling;
} tracker;

static bool begin_level(tracker *t, bool is_object)
{
    const level fresh = {is_object, 0, SIZE_MAX, 0};
    t->expects_key = is_object;
    return GM_ARRAY_PUSH(&t->allocator, &t->levels, fresh);
}

static void end_level(tracker *t)
{
    level *top = &t->levels.items[t->levels.count - 1];
    if (top->name != SIZE_MAX)
        t->names.count = top->name;
    t->levels.count--;
    t->expects_key = false;
}

static bool string_byte(tracker *t, uint8_t byte)
{
    uint32_t point;
    char bytes[4];
    switch (gm_spelling_step(t->spelling, byte, false, &t->spelling, &point)) {
    case GM_SPELLED_QUOTE:
        t->in_string = t->in_key = false;
        return true;
    case GM_SPELLED_POINT:
        break;
    default:
        return true;
    }
    if (!t->in_key)
        return true;
    const size_t length = gm_utf8_write(point, bytes);
    for (size_t i = 0; i < length; i++)
        if (!GM_ARRAY_PUSH(&t->allocator, &t->names, bytes[i]))
            return false;
    t->levels.items[t->levels.count - 1].name_length += length;
    return true;
}

static void begin_text(tracker *t)
{
    t->in_string = true;
    t->in_key = t->expects_key;
    t->spelling = GM_SPELLING_BETWEEN;
    if (!t->expects_key)
        return;
    level *top = &t->levels.items[t->levels.count - 1];
    if (top->name != SIZE_MAX)
        t->names.count = top->name;
    top->name = t->names.count;
    top->name_length = 0;
    t->expects_key = false;
}

static bool track(tracker *t, uint8_t byte)
{
    if (t->in_string)
        return string_byte(t, byte);
    if (byte == '"')
        begin_text(t);
    else if (byte == '{' || byte == '[')
        return begin_level(t, byte == '{');
    else if (byte == '}' || byte == ']')
        end_level(t);
    else if (byte == ',' && t->levels.items[t->levels.count - 1].is_object)
        t->expects_key = true;
    else if (byte == ',')
        t->levels.items[t->levels.count - 1].index++;
    return true;
}

typedef struct sink {
    char *out;
    size_t size, length;
} sink;

static void put(sink *s, char byte)
{
    if (s->length + 1 < s->size)
        s->out[s->length++] = byte;
}

static void put_name(sink *s, const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (name[i] == '~' || name[i] == '/') {
            put(s, '~');
            put(s, name[i] == '~' ? '0' : '1');
        } else {
            put(s, name[i]);
        }
    }
}

static void put_number(sink *s, uint64_t number)
{
    char digits[20];
    size_t count = 0;
    do
        digits[count++] = (char)('0' + number % 10);
    while ((number /= 10) != 0);
    while (count > 0)
        put(s, digits[--count]);
}

gm_status gm_match_pointer(const gm_matcher *matcher, char *out, size_t size)
{
    tracker t = {.allocator = matcher->allocator};
    bool room = true;
    const size_t steps = gm_history_count(&matcher->history);
    for (size_t i = 1; i <= steps && room; i++) {
        const gm_step_text step = gm_history_text(&matcher->history, i);
        size_t length = step.value;
        const uint8_t *text = step.bytes;
        if (text == NULL && gm_match_is_stop(matcher, step.value))
            continue;
        if (text == NULL)
            text = gm_vocab_text(matcher->source.vocab, step.value, &length);
        for (size_t j = 0; j < length && room; j++)
            room = track(&t, text[j]);
    }
    sink s = {out, size, 0};
    for (size_t i = 0; i < t.levels.count; i++) {
        const level *at = &t.levels.items[i];
        if (at->is_object && (at->name == SIZE_MAX || (i + 1 == t.levels.count && (t.expects_key || t.in_key))))
            break; /* between members: the pointer of the object itself */
        put(&s, '/');
        if (at->is_object)
            put_name(&s, t.names.items + at->name, at->name_length);
        else
            put_number(&s, at->index);
    }
    out[s.length] = '\0';
    GM_ARRAY_FREE(&t.allocator, &t.levels);
    GM_ARRAY_FREE(&t.allocator, &t.names);
    return room ? GM_OK : GM_OUT_OF_MEMORY;
}
