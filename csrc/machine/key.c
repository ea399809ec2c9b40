/*
 * machine/key.c - a key, byte by byte.
 *
 * The names that a key may become are a range of the shape's sorted ones, which each byte narrows; families have a
 * lexical, and of any other key there is a hash. A byte is taken if some key that may be taken goes on with it.
 */
#include "machine/stepping.h"

#include "base/utf8.h"

/* GM_OK if some key that may be taken begins with the text so far, else GM_REJECTED. */
static gm_status key_is_alive(gm_stepping *s, const gm_config *config)
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

gm_status gm_key_begin(gm_stepping *s, bool takes_any)
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

static gm_status narrow_key(gm_stepping *s, uint32_t point)
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
static gm_status key_meets(gm_stepping *s, gm_spelling_state half, gm_point_range range)
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

/* The stack node after a member with this name (GM_ORDER_NONE: another key, by its hash). */
static const gm_stack *with_name(gm_stepping *s, const gm_shape *shape, uint32_t name)
{
    gm_stack *node = gm_stepping_copy_top(s);
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

gm_status gm_key_end(gm_stepping *s)
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

gm_status gm_key_step(gm_stepping *s, uint8_t byte)
{
    const bool minimal = s->machine->minimal_escapes;
    uint32_t point;
    gm_spelling_state next;
    switch (gm_spelling_step(s->config->spelling, byte, minimal, &next, &point)) {
    case GM_SPELLED_QUOTE:
        return gm_key_end(s);
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

size_t gm_key_run(gm_stepping *s, const uint8_t *letters, size_t count)
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
