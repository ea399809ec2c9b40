/* machine/distinct.c - items of unique arrays: see distinct.h. */
#include "machine/distinct.h"

#include "base/utf8.h"
#include "json/json.h"

void gm_distinct_open(gm_stack *node, bool is_unique)
{
    const gm_stack *parent = node->parent;
    node->is_unique = is_unique;
    if (parent == NULL)
        return;
    node->around = parent->is_unique ? parent : parent->around;
    node->level = parent->level + parent->is_unique;
}

bool gm_config_has_string(const gm_config *config, gm_key_hash hash)
{
    for (const gm_stack *array = gm_distinct_innermost(config); array != NULL; array = array->around)
        if (gm_distinct_is_open(config, array) && gm_keyset_has(array->used->scalars, hash))
            return true;
    return false;
}

gm_status gm_config_unwatched(gm_arena *journal, const gm_config *from, gm_config *to)
{
    const gm_stack **hole = &to->top;
    const gm_stack *node = from->top;
    *to = *from;
    to->written = NULL;
    for (; node != NULL && (node->is_unique || node->around != NULL); node = node->parent) {
        gm_stack *copy = gm_arena_copy(journal, node, sizeof *node);
        if (copy == NULL)
            return GM_OUT_OF_MEMORY;
        copy->is_unique = false;
        copy->around = NULL;
        copy->used = NULL;
        copy->level = 0;
        *hole = copy;
        hole = &copy->parent;
    }
    *hole = node;
    return GM_OK;
}

gm_status gm_distinct_write(gm_arena *journal, gm_config *config, uint8_t byte)
{
    gm_written *last = gm_arena_take(journal, sizeof *last);
    const uint32_t length = config->written != NULL ? config->written->length : 0;
    if (last == NULL)
        return GM_OUT_OF_MEMORY;
    if (length == UINT32_MAX)
        return GM_LIMIT;
    *last = (gm_written){config->written, length + 1, byte};
    config->written = last;
    return GM_OK;
}

/* ---- texts ---- */

/* The last `length` bytes up to `end`. */
static gm_status text_of(gm_arena *journal, const gm_written *end, size_t length, gm_bytes *text)
{
    char *bytes = gm_arena_take(journal, length + 1);
    if (bytes == NULL)
        return GM_OUT_OF_MEMORY;
    for (size_t i = length; i > 0; i--, end = end->before)
        bytes[i - 1] = (char)end->byte;
    *text = (gm_bytes){bytes, length};
    return GM_OK;
}

static size_t number_length(const gm_written *end)
{
    size_t length = 0;
    for (; end != NULL && gm_number_class(end->byte) >= 0; end = end->before)
        length++;
    return length;
}

gm_status gm_distinct_number_text(gm_arena *journal, const gm_config *config, gm_bytes *text)
{
    return text_of(journal, config->written, number_length(config->written), text);
}

/* ---- hashes ---- */

static gm_key_hash hash_bytes(gm_key_hash hash, gm_bytes bytes)
{
    for (size_t i = 0; i < bytes.length; i++)
        hash = gm_key_hash_add(hash, (uint8_t)bytes.data[i]);
    return hash;
}

gm_key_hash gm_distinct_hash_start(void) { return gm_key_hash_add(gm_key_hash_start(), '"'); }

gm_key_hash gm_distinct_hash_point(gm_key_hash hash, uint32_t point)
{
    char bytes[4];
    return hash_bytes(hash, (gm_bytes){bytes, gm_utf8_write(point, bytes)});
}

/* Equal values have equal hashes. The first byte keeps strings and the canonical texts of other kinds apart. */
static gm_status hash_value(gm_arena *journal, const gm_json *value, gm_key_hash *hash)
{
    gm_bytes canonical;
    if (value->kind == GM_JSON_STRING) {
        *hash = hash_bytes(gm_distinct_hash_start(), value->as.text);
        return GM_OK;
    }
    const gm_arena_mark mark = gm_arena_save(journal);
    if (gm_json_canonical(journal, value, &canonical) != GM_OK)
        return GM_OUT_OF_MEMORY;
    *hash = hash_bytes(gm_key_hash_start(), canonical);
    gm_arena_rewind(journal, mark);
    return GM_OK;
}

/* What the machine accepted is JSON, so only memory can be wanting. */
static gm_status read_value(gm_arena *journal, gm_bytes text, const gm_json **value)
{
    return gm_json_read(journal, text.data, text.length, SIZE_MAX, value, NULL) == GM_OK ? GM_OK : GM_OUT_OF_MEMORY;
}

/* ---- scalars ---- */

bool gm_config_may_repeat(const gm_config *config)
{
    for (const gm_stack *array = gm_distinct_innermost(config); array != NULL; array = array->around)
        if (gm_distinct_is_open(config, array))
            return true;
    return false;
}

/* A string's hash was made while it was read; a number is read back. */
static gm_status hash_scalar(gm_arena *journal, const gm_config *config, const gm_written *end, gm_key_hash *hash)
{
    gm_bytes text;
    const gm_json *value;
    *hash = config->as.text.hash;
    if (config->mode == GM_MODE_STRING)
        return GM_OK;
    const gm_arena_mark mark = gm_arena_save(journal);
    GM_TRY(text_of(journal, end, number_length(end), &text));
    GM_TRY(read_value(journal, text, &value));
    GM_TRY(hash_value(journal, value, hash));
    gm_arena_rewind(journal, mark);
    return GM_OK;
}

void gm_distinct_note_begin(gm_config *config, bool is_string)
{
    for (const gm_stack *array = gm_distinct_innermost(config); array != NULL; array = array->around)
        if (array->level < 64 && gm_distinct_is_open(config, array) &&
            !(is_string ? array->used->has_string : array->used->has_number))
            config->fresh |= (uint64_t)1 << array->level;
}

gm_status gm_distinct_note_scalar(gm_arena *journal, gm_config *config, const gm_written *end)
{
    gm_key_hash hash;
    if (!gm_config_may_repeat(config))
        return GM_OK;
    GM_TRY(hash_scalar(journal, config, end, &hash));
    for (const gm_stack *array = gm_distinct_innermost(config); array != NULL; array = array->around)
        if (array->level < 64 && gm_distinct_is_open(config, array) && !gm_keyset_has(array->used->scalars, hash))
            config->fresh |= (uint64_t)1 << array->level;
    return GM_OK;
}

/* Strings and numbers inside a value, added to those used: a walk with a stack of its own. */
typedef struct level {
    const gm_json *container;
    uint32_t next;
    struct level *outer;
} level;

static gm_status add_hash(gm_arena *journal, gm_key_hash hash, const gm_keyset **set)
{
    if (gm_keyset_has(*set, hash))
        return GM_OK;
    const gm_keyset *more = gm_keyset_add(*set, hash, journal);
    if (more == NULL)
        return GM_OUT_OF_MEMORY;
    *set = more;
    return GM_OK;
}

static gm_status add_scalars(gm_arena *journal, const gm_json *value, gm_used *used)
{
    level *innermost = NULL;
    for (;;) {
        if (value->kind == GM_JSON_STRING || value->kind == GM_JSON_NUMBER) {
            gm_key_hash hash;
            GM_TRY(hash_value(journal, value, &hash));
            GM_TRY(add_hash(journal, hash, &used->scalars));
            *(value->kind == GM_JSON_STRING ? &used->has_string : &used->has_number) = true;
        } else if ((value->kind == GM_JSON_ARRAY || value->kind == GM_JSON_OBJECT) && value->count != 0) {
            level *inner = gm_arena_take(journal, sizeof *inner);
            if (inner == NULL)
                return GM_OUT_OF_MEMORY;
            *inner = (level){value, 0, innermost};
            innermost = inner;
        }
        while (innermost != NULL && innermost->next == innermost->container->count)
            innermost = innermost->outer;
        if (innermost == NULL)
            return GM_OK;
        const uint32_t at = innermost->next++;
        value = innermost->container->kind == GM_JSON_ARRAY ? innermost->container->as.items[at]
                                                            : innermost->container->as.members[at].value;
    }
}

/* ---- items ---- */

static bool is_fresh(const gm_config *config, const gm_stack *array)
{
    return array->level < 64 && (config->fresh >> array->level & 1);
}

/* The array at the top with one more item; a string that is the item is told by its hash alone. */
static gm_status add_item(gm_arena *journal, gm_stack *node, gm_key_hash hash, const gm_json *value)
{
    gm_used *used = gm_arena_take_zeroed(journal, sizeof *used);
    if (used == NULL)
        return GM_OUT_OF_MEMORY;
    if (node->used != NULL)
        *used = *node->used;
    used->count++;
    used->values = gm_keyset_add(used->values, hash, journal);
    if (used->values == NULL)
        return GM_OUT_OF_MEMORY;
    node->used = used;
    if (value != NULL)
        return add_scalars(journal, value, used);
    used->has_string = true;
    return add_hash(journal, hash, &used->scalars);
}

static gm_status end_item(gm_machine *machine, gm_arena *journal, gm_config *config, gm_key_hash hash,
                          const gm_json *value, const uint64_t *outcome, const gm_frame **frame)
{
    const gm_stack *array = config->top;
    bool none;
    const bool repeated = array->used != NULL && !is_fresh(config, array) && gm_keyset_has(array->used->values, hash);
    *frame = gm_machine_after(machine, config->at.turn, outcome, repeated, &none);
    if (*frame == NULL)
        return none ? GM_REJECTED : GM_OUT_OF_MEMORY;
    gm_stack *node = gm_arena_copy(journal, array, sizeof *node);
    if (node == NULL)
        return GM_OUT_OF_MEMORY;
    node->is_unique = (*frame)->has_unique;
    if (!node->is_unique)
        node->used = NULL;
    else
        GM_TRY(add_item(journal, node, hash, value));
    if (node->level < 64)
        config->fresh &= ~((uint64_t)1 << node->level);
    config->top = node;
    if (!gm_config_is_watched(config))
        config->written = NULL;
    return GM_OK;
}

gm_status gm_distinct_end_item(gm_machine *machine, gm_arena *journal, gm_config *config, const gm_written *end,
                               const uint64_t *outcome, const gm_frame **frame)
{
    const gm_written *before = config->top->item;
    gm_bytes text;
    const gm_json *value;
    gm_key_hash hash;
    gm_arena scratch; /* so that the journal keeps no more than hashes */
    if (config->mode == GM_MODE_STRING)
        return end_item(machine, journal, config, config->as.text.hash, NULL, outcome, frame);
    gm_arena_init(&scratch, &journal->allocator);
    gm_status status = text_of(&scratch, end, end->length - (before != NULL ? before->length : 0), &text);
    if (status == GM_OK)
        status = read_value(&scratch, text, &value);
    if (status == GM_OK)
        status = hash_value(&scratch, value, &hash);
    if (status == GM_OK)
        status = end_item(machine, journal, config, hash, value, outcome, frame);
    gm_arena_destroy(&scratch);
    return status;
}

/* Where an item separator holds white space before its comma, writing it promises another item. */
static gm_status check_promise(gm_machine *machine, gm_arena *journal, const gm_config *config)
{
    gm_config next;
    if (config->mode != GM_MODE_ARRAY_AFTER || config->gap == 0 || !config->top->is_unique ||
        machine->gaps.kind != GM_WHITESPACE_SPACED)
        return GM_OK;
    GM_TRY(gm_complete_gap(machine, journal, config, ',', &next));
    return gm_distinct_check(machine, journal, &next);
}

gm_status gm_distinct_check(gm_machine *machine, gm_arena *journal, const gm_config *config)
{
    GM_TRY(check_promise(machine, journal, config));
    const gm_stack *outermost = NULL;
    bool plain;
    for (const gm_stack *array = gm_distinct_innermost(config); array != NULL; array = array->around)
        if (gm_distinct_is_open(config, array))
            outermost = array;
    if (outermost == NULL)
        return GM_OK;
    GM_TRY(gm_reach_is_plain(machine, config, outermost, &plain));
    return plain ? GM_OK : gm_complete_item(machine, journal, config, outermost);
}
