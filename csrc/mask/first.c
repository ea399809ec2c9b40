/* mask/first.c - see first.h. */
#include "mask/first.h"

#include "base/utf8.h"

enum { MANY_GROUPS = 64, MANY_STRANDS = 16 };

static const gm_byte_set every = {{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}};

#define LOW(byte) ((uint64_t)1 << (byte))       /* below 64 */
#define HIGH(byte) ((uint64_t)1 << ((byte)-64)) /* below 128 */
#define BLANKS (LOW(' ') | LOW('\n') | LOW('\r') | LOW('\t'))
#define DIGITS ((uint64_t)0x3FF << '0')

static gm_byte_set ascii(uint64_t low, uint64_t high) { return (gm_byte_set){{low, high, 0, 0}}; }

/* What a value may begin with. */
static gm_byte_set of_value(const gm_place *place)
{
    gm_byte_set first = {{0}};
    first.bits[0] |= place->text_start != NULL ? LOW('"') : 0;
    first.bits[0] |= place->number_start != NULL ? LOW('-') | DIGITS : 0;
    first.bits[1] |= place->object_count != 0 ? HIGH('{') : 0;
    first.bits[1] |= place->array_count != 0 ? HIGH('[') : 0;
    first.bits[1] |= place->literals[0] != NULL ? HIGH('n') : 0;
    first.bits[1] |= place->literals[1] != NULL ? HIGH('t') : 0;
    first.bits[1] |= place->literals[2] != NULL ? HIGH('f') : 0;
    return first;
}

/* What contents go on with between two characters. */
static gm_byte_set of_content(const gm_lexical *lexical)
{
    gm_byte_set first = ascii(LOW('"'), HIGH('\\'));
    if (lexical->count > MANY_STRANDS)
        return every;
    for (uint32_t i = 0; i < lexical->count; i++) {
        const gm_text_row *row = lexical->rows[i];
        first.bits[0] |= row->alive[0];
        first.bits[1] |= row->alive[1];
        if (row->range_count != 0)
            first.bits[2] = first.bits[3] = UINT64_MAX;
    }
    return first;
}

static gm_byte_set of_number(const gm_config *config)
{
    static const char signs[] = "-+.eE";
    const gm_lexical *lexical = config->as.text.lexical;
    gm_byte_set first = {{0}};
    bool may_end = false;
    if (lexical->count > MANY_STRANDS)
        return ascii(BLANKS | DIGITS | LOW('-') | LOW('+') | LOW('.') | LOW(','),
                     HIGH('e') | HIGH('E') | HIGH(']') | HIGH('}'));
    for (uint32_t i = 0; i < lexical->count; i++) {
        const gm_number_row *row = lexical->rows[i];
        may_end = may_end || row->accepts;
        for (unsigned digit = 0; digit < 10; digit++)
            first.bits[0] |= (uint64_t)(row->to[digit] != GM_NUMBER_DEAD) << ('0' + digit);
        for (const char *sign = signs; *sign != '\0'; sign++)
            if (row->to[gm_number_class((uint8_t)*sign)] != GM_NUMBER_DEAD)
                first.bits[*sign / 64] |= (uint64_t)1 << *sign % 64;
    }
    if (may_end) {
        first.bits[0] |= BLANKS | LOW(',');
        first.bits[1] |= HIGH(']') | HIGH('}');
    }
    return first;
}

/* Adds what the names that a key may become, and no other, go on with: as bytes, or from inside a character. */
static gm_byte_set of_names(const gm_config *config)
{
    const gm_shape *shape = config->at.frame->place->shape;
    const uint32_t depth = config->as.key.depth, high = config->as.key.high;
    const bool between = config->spelling == GM_SPELLING_BETWEEN;
    gm_byte_set first = between ? ascii(LOW('"'), HIGH('\\')) : (gm_byte_set){{0}};
    uint32_t groups = 0;
    for (uint32_t i = config->as.key.low, end; i < high; i = end) {
        const gm_bytes name = shape->names[i];
        end = i + 1;
        if (name.length <= depth)
            continue;
        if (groups++ == MANY_GROUPS)
            return every;
        const uint8_t byte = (uint8_t)name.data[depth];
        size_t at = depth;
        if (between)
            first.bits[byte / 64] |= (uint64_t)1 << byte % 64;
        else
            gm_spelling_bytes_to(config->spelling, gm_utf8_read(name.data, name.length, &at), first.bits);
        if (between || byte < 0x80) /* names that go on with the same byte stand together */
            end = gm_shape_bound(shape, i, high, depth, byte + 1u);
    }
    return first;
}

static gm_byte_set of_key(const gm_config *config)
{
    const gm_frame *frame = config->at.frame;
    gm_byte_set first = every;
    if (gm_key_is_named(config))
        return of_names(config);
    if (config->spelling != GM_SPELLING_BETWEEN)
        gm_spelling_bytes(config->spelling, first.bits);
    else if (frame->keys != NULL) {
        const gm_byte_set names = of_names(config);
        first = of_content(config->as.key.lexical);
        for (int i = 0; i < 4; i++)
            first.bits[i] |= names.bits[i];
    }
    return first;
}

static gm_byte_set of_literal(const gm_config *config)
{
    static const char *const texts[3] = {"null", "true", "false"};
    const char letter = texts[config->literal][config->position];
    return ascii(0, HIGH(letter));
}

gm_byte_set gm_first_bytes(const gm_config *config)
{
    gm_byte_set first = {{0}};
    switch ((gm_mode)config->mode) {
    case GM_MODE_VALUE:
        first = of_value(config->at.turn->place);
        first.bits[0] |= BLANKS;
        return first;
    case GM_MODE_STRING:
        if (config->spelling == GM_SPELLING_BETWEEN)
            return of_content(config->as.text.lexical);
        gm_spelling_bytes(config->spelling, first.bits);
        return first;
    case GM_MODE_NUMBER:
        return of_number(config);
    case GM_MODE_LITERAL:
        return of_literal(config);
    case GM_MODE_OBJECT_OPEN:
        return ascii(BLANKS | LOW('"'), HIGH('}'));
    case GM_MODE_KEY:
        return of_key(config);
    case GM_MODE_COLON:
        return ascii(BLANKS | LOW(':'), 0);
    case GM_MODE_OBJECT_AFTER:
        return ascii(BLANKS | LOW(','), HIGH('}'));
    case GM_MODE_OBJECT_COMMA:
        return ascii(BLANKS | LOW('"'), 0);
    case GM_MODE_ARRAY_OPEN:
        return ascii(BLANKS | LOW('"') | LOW('-') | DIGITS,
                     HIGH(']') | HIGH('[') | HIGH('{') | HIGH('n') | HIGH('t') | HIGH('f'));
    case GM_MODE_ARRAY_AFTER:
        return ascii(BLANKS | LOW(','), HIGH(']'));
    case GM_MODE_END:
        return first;
    }
    return every;
}
