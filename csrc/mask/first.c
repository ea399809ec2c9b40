/* mask/first.c - see first.h. */
#include "mask/first.h"

enum { MANY_NAMES = 24, MANY_STRANDS = 4 };

static const gm_first every = {{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}};

static void add(gm_first *first, uint8_t byte) { first->bytes[byte / 64] |= (uint64_t)1 << byte % 64; }

static void add_all(gm_first *first, const char *bytes)
{
    for (; *bytes != '\0'; bytes++)
        add(first, (uint8_t)*bytes);
}

static const char blanks[] = " \n\r\t";

static void add_value(gm_first *first, const gm_place *place)
{
    static const char *const literals[3] = {"n", "t", "f"};
    for (int i = 0; i < 3; i++)
        add_all(first, place->literals[i] != NULL ? literals[i] : "");
    add_all(first, place->text_start != NULL ? "\"" : "");
    add_all(first, place->number_start != NULL ? "-0123456789" : "");
    add_all(first, place->object_count != 0 ? "{" : "");
    add_all(first, place->array_count != 0 ? "[" : "");
}

static gm_first of_string(const gm_config *config)
{
    const gm_lexical *lexical = config->as.text.lexical;
    gm_first first = {{0}};
    if (lexical->count > MANY_STRANDS)
        return every;
    add(&first, '\\');
    for (uint32_t i = 0; i < lexical->count; i++) {
        const gm_text_row *row = lexical->rows[i];
        for (uint32_t byte = 0x20; byte < 0x80; byte++)
            first.bytes[byte / 64] |= (uint64_t)(row->ascii[byte] != GM_TERM_NONE) << byte % 64;
        if (row->range_count != 0)
            first.bytes[2] = first.bytes[3] = UINT64_MAX;
    }
    add(&first, '"');
    return first;
}

static gm_first of_key(const gm_config *config)
{
    const gm_frame *frame = config->at.frame;
    const gm_shape *shape = frame->place->shape;
    gm_first first = {{0}};
    const bool has_other = frame->other && (frame->keys == NULL || config->as.key.lexical != NULL);
    if (has_other || config->as.key.high - config->as.key.low > MANY_NAMES)
        return every;
    add_all(&first, "\\\"");
    for (uint32_t i = config->as.key.low; i < config->as.key.high; i++)
        if (shape->names[i].length > config->as.key.depth)
            add(&first, (uint8_t)shape->names[i].data[config->as.key.depth]);
    return first;
}

gm_first gm_first_bytes(const gm_config *config)
{
    static const char *const literal_texts[3] = {"null", "true", "false"};
    gm_first first = {{0}};
    if ((config->mode == GM_MODE_STRING || config->mode == GM_MODE_KEY) && config->spelling != GM_SPELLING_BETWEEN) {
        gm_spelling_bytes(config->spelling, first.bytes);
        return first;
    }
    switch ((gm_mode)config->mode) {
    case GM_MODE_VALUE:
        add_all(&first, blanks);
        add_value(&first, config->at.turn->place);
        return first;
    case GM_MODE_STRING:
        return of_string(config);
    case GM_MODE_NUMBER:
        add_all(&first, " \n\r\t-+.eE0123456789,]}");
        return first;
    case GM_MODE_LITERAL:
        add(&first, (uint8_t)literal_texts[config->literal][config->position]);
        return first;
    case GM_MODE_OBJECT_OPEN:
        add_all(&first, " \n\r\t\"}");
        return first;
    case GM_MODE_KEY:
        return of_key(config);
    case GM_MODE_COLON:
        add_all(&first, " \n\r\t:");
        return first;
    case GM_MODE_OBJECT_AFTER:
        add_all(&first, " \n\r\t,}");
        return first;
    case GM_MODE_OBJECT_COMMA:
        add_all(&first, " \n\r\t\"");
        return first;
    case GM_MODE_ARRAY_OPEN:
        add_all(&first, " \n\r\t]\"-0123456789ntf[{");
        return first;
    case GM_MODE_ARRAY_AFTER:
        add_all(&first, " \n\r\t,]");
        return first;
    case GM_MODE_END:
        return first;
    }
    return every;
}
