/* machine/spelling.c - see spelling.h. */
#include "machine/spelling.h"

#include "base/utf8.h"

/* Kinds. LOW: after a whole high surrogate escape, the low one is still to come. */
enum {
    UTF8_2 = 1, /* inside a sequence of two, three, four bytes */
    UTF8_3,
    UTF8_4,
    ESCAPE,    /* after a backslash */
    HEX,       /* after \u: `missing` digits to come */
    LOW_SLASH, /* a high surrogate was read: a backslash must follow */
    LOW_U,     /* then u */
    LOW_HEX    /* then four digits of a low surrogate; value has the high one's ten bits above */
};

static gm_spelling_state pack(uint32_t kind, uint32_t missing, uint32_t value)
{
    return kind | missing << 4 | value << 8;
}
static uint32_t kind_of(gm_spelling_state state) { return state & 15; }
static uint32_t missing_of(gm_spelling_state state) { return state >> 4 & 15; }
static uint32_t value_of(gm_spelling_state state) { return state >> 8; }

static int hex_digit(uint8_t byte)
{
    if (byte >= '0' && byte <= '9')
        return byte - '0';
    const uint8_t lower = byte | 0x20;
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

static gm_spelling_result first_byte(uint8_t byte, gm_spelling_state *next)
{
    if (byte == '"')
        return GM_SPELLED_QUOTE;
    if (byte == '\\') {
        *next = pack(ESCAPE, 0, 0);
        return GM_SPELLED_PART;
    }
    if (byte < 0xC2 || byte > 0xF4) /* control characters; those that stand for themselves are not met here */
        return GM_SPELLED_NOTHING;
    if (byte < 0xE0)
        *next = pack(UTF8_2, 1, byte & 0x1Fu);
    else if (byte < 0xF0)
        *next = pack(UTF8_3, 2, byte & 0x0Fu);
    else
        *next = pack(UTF8_4, 3, byte & 0x07u);
    return GM_SPELLED_PART;
}

/* The code points with the given prefix of a UTF-8 sequence: one range, empty when low > high. */
static gm_point_range utf8_range(uint32_t kind, uint32_t missing, uint32_t value)
{
    static const uint32_t least[5] = {0, 0x80, 0x800, 0x10000, 0};
    gm_point_range range = {value << (6 * missing), 0};
    range.high = range.low + (1u << (6 * missing)) - 1;
    if (range.low < least[kind])
        range.low = least[kind];
    if (range.high > GM_MAX_CODE_POINT)
        range.high = GM_MAX_CODE_POINT;
    if (kind == UTF8_3 && range.low >= 0xD800 && range.low <= 0xDFFF)
        range.low = 0xE000;
    if (kind == UTF8_3 && range.high >= 0xD800 && range.high <= 0xDFFF)
        range.high = 0xD7FF;
    return range;
}

static gm_spelling_result continuation(gm_spelling_state state, uint8_t byte, gm_spelling_state *next, uint32_t *point)
{
    if ((byte & 0xC0) != 0x80)
        return GM_SPELLED_NOTHING;
    const uint32_t missing = missing_of(state) - 1, value = value_of(state) << 6 | (byte & 0x3Fu);
    const gm_point_range range = utf8_range(kind_of(state), missing, value);
    if (range.low > range.high)
        return GM_SPELLED_NOTHING;
    if (missing != 0) {
        *next = pack(kind_of(state), missing, value);
        return GM_SPELLED_PART;
    }
    *next = GM_SPELLING_BETWEEN;
    *point = value;
    return GM_SPELLED_POINT;
}

/* Short escapes: their letters and meanings, the solidus last. */
static const char escape_letters[] = "\"\\bfnrt/";
static const char escape_points[] = "\"\\\b\f\n\r\t/";
enum { ESCAPES = 8, REQUIRED_ESCAPES = 7 };

static bool has_short_escape(uint32_t point)
{
    return point == '\b' || point == '\f' || point == '\n' || point == '\r' || point == '\t';
}

static gm_spelling_result escape(uint8_t byte, bool minimal, gm_spelling_state *next, uint32_t *point)
{
    if (byte == 'u') {
        *next = pack(HEX, 4, 0);
        return GM_SPELLED_PART;
    }
    for (int i = 0; i < (minimal ? REQUIRED_ESCAPES : ESCAPES); i++)
        if (byte == (uint8_t)escape_letters[i]) {
            *next = GM_SPELLING_BETWEEN;
            *point = (uint8_t)escape_points[i];
            return GM_SPELLED_POINT;
        }
    return GM_SPELLED_NOTHING;
}

static gm_spelling_result hex(gm_spelling_state state, uint8_t byte, bool minimal, gm_spelling_state *next,
                              uint32_t *point)
{
    const int digit = hex_digit(byte);
    if (digit < 0)
        return GM_SPELLED_NOTHING;
    const uint32_t missing = missing_of(state) - 1, value = value_of(state) << 4 | (uint32_t)digit;
    *next = pack(HEX, missing, value);
    gm_point_range ranges[4];
    if (missing != 0)
        return gm_spelling_ranges(*next, minimal, ranges) != 0 ? GM_SPELLED_PART : GM_SPELLED_NOTHING;
    if (minimal && (value >= 0x20 || has_short_escape(value)))
        return GM_SPELLED_NOTHING;
    if (value >= 0xDC00 && value <= 0xDFFF)
        return GM_SPELLED_NOTHING;
    if (value >= 0xD800 && value <= 0xDBFF) {
        *next = pack(LOW_SLASH, 0, value & 0x3FFu);
        return GM_SPELLED_PART;
    }
    *next = GM_SPELLING_BETWEEN;
    *point = value;
    return GM_SPELLED_POINT;
}

/* Digits of a low surrogate: DC00 to DFFF. The value holds ten bits of the high one, then the
 * digits read so far. */
static gm_spelling_result low_hex(gm_spelling_state state, uint8_t byte, gm_spelling_state *next, uint32_t *point)
{
    const int digit = hex_digit(byte);
    const uint32_t missing = missing_of(state) - 1;
    if (digit < 0 || (missing == 3 && digit != 0xD) || (missing == 2 && digit < 0xC))
        return GM_SPELLED_NOTHING;
    const uint32_t bits = missing == 3 ? 0u : missing == 2 ? 2u : 4u;
    const uint32_t value = value_of(state) << bits | ((uint32_t)digit & ((1u << bits) - 1));
    if (missing != 0) {
        *next = pack(LOW_HEX, missing, value);
        return GM_SPELLED_PART;
    }
    *next = GM_SPELLING_BETWEEN;
    *point = 0x10000 + value;
    return GM_SPELLED_POINT;
}

gm_spelling_result gm_spelling_step_rare(gm_spelling_state state, uint8_t byte, bool minimal, gm_spelling_state *next,
                                         uint32_t *point)
{
    switch (kind_of(state)) {
    case GM_SPELLING_BETWEEN:
        return first_byte(byte, next);
    case ESCAPE:
        return escape(byte, minimal, next, point);
    case HEX:
        return hex(state, byte, minimal, next, point);
    case LOW_SLASH:
        *next = pack(LOW_U, 0, value_of(state));
        return byte == '\\' ? GM_SPELLED_PART : GM_SPELLED_NOTHING;
    case LOW_U:
        *next = pack(LOW_HEX, 4, value_of(state));
        return byte == 'u' ? GM_SPELLED_PART : GM_SPELLED_NOTHING;
    case LOW_HEX:
        return low_hex(state, byte, next, point);
    default:
        return continuation(state, byte, next, point);
    }
}

static size_t hex_ranges(uint32_t missing, uint32_t value, gm_point_range ranges[4])
{
    const uint32_t low = value << (4 * missing), high = low + (1u << (4 * missing)) - 1;
    size_t count = 0;
    if (low < 0xD800)
        ranges[count++] = (gm_point_range){low, high < 0xD800 ? high : 0xD7FF};
    if (high > 0xDFFF)
        ranges[count++] = (gm_point_range){low > 0xDFFF ? low : 0xE000, high};
    const uint32_t first = low > 0xD800 ? low : 0xD800, last = high < 0xDBFF ? high : 0xDBFF;
    if (first <= last) /* high surrogates: each covers 1,024 code points */
        ranges[count++] =
            (gm_point_range){0x10000 + ((first & 0x3FFu) << 10), 0x10000 + ((last & 0x3FFu) << 10) + 0x3FF};
    return count;
}

/* Under minimal escapes \u spells nothing but control characters without a short escape. */
static size_t minimal_hex_ranges(uint32_t missing, uint32_t value, gm_point_range ranges[4])
{
    static const gm_point_range controls[4] = {{0x00, 0x07}, {0x0B, 0x0B}, {0x0E, 0x1F}, {1, 0}};
    const uint32_t low = value << (4 * missing), high = low + (1u << (4 * missing)) - 1;
    size_t count = 0;
    for (size_t i = 0; i < 3; i++) {
        const gm_point_range meet = {low > controls[i].low ? low : controls[i].low,
                                     high < controls[i].high ? high : controls[i].high};
        if (meet.low <= meet.high)
            ranges[count++] = meet;
    }
    return count;
}

size_t gm_spelling_ranges(gm_spelling_state state, bool minimal, gm_point_range ranges[4])
{
    const uint32_t missing = missing_of(state), value = value_of(state);
    switch (kind_of(state)) {
    case ESCAPE:
        if (!minimal) {
            ranges[0] = (gm_point_range){0, 0xD7FF};
            ranges[1] = (gm_point_range){0xE000, GM_MAX_CODE_POINT};
            return 2;
        }
        ranges[0] = (gm_point_range){0, 0x1F};
        ranges[1] = (gm_point_range){'"', '"'};
        ranges[2] = (gm_point_range){'\\', '\\'};
        return 3;
    case HEX:
        return minimal ? minimal_hex_ranges(missing, value, ranges) : hex_ranges(missing, value, ranges);
    case LOW_SLASH:
    case LOW_U:
        ranges[0] = (gm_point_range){0x10000 + (value << 10), 0x10000 + (value << 10) + 0x3FF};
        return 1;
    case LOW_HEX: {
        const uint32_t bits = missing >= 3 ? 10 : missing == 2 ? 8 : 4;
        ranges[0] = (gm_point_range){0x10000 + (value << bits), 0x10000 + (value << bits) + (1u << bits) - 1};
        return 1;
    }
    default:
        ranges[0] = utf8_range(kind_of(state), missing, value);
        return 1;
    }
}

void gm_spelling_bytes(gm_spelling_state state, uint64_t bytes[4])
{
    const uint32_t kind = kind_of(state);
    const char *letters = kind == ESCAPE      ? "\"\\bfnrt/u"
                          : kind == LOW_SLASH ? "\\"
                          : kind == LOW_U     ? "u"
                                              : "0123456789abcdefABCDEF";
    memset(bytes, 0, 4 * sizeof *bytes);
    if (kind == UTF8_2 || kind == UTF8_3 || kind == UTF8_4)
        bytes[2] = UINT64_MAX;
    else
        for (; *letters != '\0'; letters++)
            bytes[*letters / 64] |= (uint64_t)1 << *letters % 64;
}

static void add_byte(uint64_t bytes[4], char byte) { bytes[byte / 64] |= (uint64_t)1 << byte % 64; }

void gm_spelling_bytes_to(gm_spelling_state state, uint32_t point, uint64_t bytes[4])
{
    const uint32_t missing = missing_of(state);
    uint64_t any[4];
    if (kind_of(state) == ESCAPE) {
        add_byte(bytes, 'u');
        for (int i = 0; i < ESCAPES; i++)
            if (point == (uint8_t)escape_points[i])
                add_byte(bytes, escape_letters[i]);
        return;
    }
    if (kind_of(state) == HEX && point < 0x10000) {
        const uint32_t digit = point >> 4 * (missing - 1) & 15;
        if (point >> 4 * missing != value_of(state))
            return;
        add_byte(bytes, "0123456789abcdef"[digit]);
        add_byte(bytes, "0123456789ABCDEF"[digit]);
        return;
    }
    gm_spelling_bytes(state, any);
    for (int i = 0; i < 4; i++)
        bytes[i] |= any[i];
}

/* ---- what an alphabet lacks ---- */

static bool has_rest(gm_spelling_state state, uint32_t point, const gm_alphabet *alphabet)
{
    switch (kind_of(state)) {
    case ESCAPE:
        return gm_alphabet_has_escape(alphabet, point);
    case HEX:
        return gm_alphabet_has_hex(alphabet, point, missing_of(state));
    case LOW_SLASH:
        return gm_alphabet_has(alphabet, "\\u") && gm_alphabet_has_low_hex(alphabet, point, 4);
    case LOW_U:
        return gm_alphabet_has(alphabet, "u") && gm_alphabet_has_low_hex(alphabet, point, 4);
    case LOW_HEX:
        return gm_alphabet_has_low_hex(alphabet, point, missing_of(state));
    default:
        return gm_alphabet_has_tail(alphabet, point, missing_of(state));
    }
}

bool gm_spelling_can_finish(gm_spelling_state state, gm_point_range range, const gm_alphabet *alphabet)
{
    if (alphabet->is_whole)
        return range.low <= range.high;
    for (uint32_t point = range.low; point <= range.high; point++)
        if (has_rest(state, point, alphabet))
            return true;
    return false;
}

bool gm_spelling_meets(gm_spelling_state state, gm_point_range range, const gm_alphabet *alphabet,
                       const gm_text_row *row)
{
    if (alphabet->is_whole)
        return gm_text_row_meets(row, range.low, range.high);
    for (uint32_t point = range.low; point <= range.high && point < 128; point++)
        if (row->ascii[point] != GM_TERM_NONE && has_rest(state, point, alphabet))
            return true;
    for (uint32_t i = 0; i < row->range_count; i++) {
        const gm_point_range both =
            gm_point_range_meet(range, (gm_point_range){row->ranges[i].low, row->ranges[i].high});
        if (gm_spelling_can_finish(state, both, alphabet))
            return true;
    }
    return false;
}
