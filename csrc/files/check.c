/* files/check.c - see check.h. */
#include "files/check.h"

#include <string.h>

#define MAX_NESTING 64

typedef enum expectation {
    EXPECT_VALUE,
    EXPECT_VALUE_OR_END, /* after [ */
    EXPECT_KEY,
    EXPECT_KEY_OR_END, /* after { */
    EXPECT_COMMA_OR_END
} expectation;

typedef struct checker {
    const uint8_t *text;
    size_t size;
    size_t at;
    expectation expect;
    unsigned depth;
    uint64_t is_object; /* bit d: the container at depth d is an object */
    gm_error *error;
} checker;

static gm_status expected(const checker *c, const char *what)
{
    if (c->at >= c->size)
        return gm_file_fail(c->error, GM_INVALID_FILE, c->size, "JSON ends at byte %zu where %s should be", c->size,
                            what);
    return gm_file_fail(c->error, GM_INVALID_FILE, c->at, "JSON has '%c' (0x%02x) at byte %zu where %s should be",
                        c->text[c->at], c->text[c->at], c->at, what);
}

static void skip_white_space(checker *c)
{
    while (c->at < c->size &&
           (c->text[c->at] == ' ' || c->text[c->at] == '\n' || c->text[c->at] == '\r' || c->text[c->at] == '\t'))
        c->at++;
}

/* ---- strings ---- */

/* Length of the well-formed UTF-8 sequence at `text`, or 0. */
static size_t utf8_length(const uint8_t *text, size_t size)
{
    const uint8_t lead = text[0];
    const size_t length = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
    if (length == 0 || length > size)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    const bool is_wrong = (lead == 0xe0 && text[1] < 0xa0) || (lead == 0xed && text[1] > 0x9f) ||
                          (lead == 0xf0 && text[1] < 0x90) || (lead == 0xf4 && text[1] > 0x8f);
    return is_wrong ? 0 : length;
}

/* Reads the four digits after \u at `at`. */
static bool read_unit(const checker *c, size_t at, unsigned *unit)
{
    *unit = 0;
    if (c->size - at < 4)
        return false;
    for (size_t i = at; i < at + 4; i++) {
        const uint8_t d = c->text[i], letter = d | 0x20;
        if (d >= '0' && d <= '9')
            *unit = *unit << 4 | (unsigned)(d - '0');
        else if (letter >= 'a' && letter <= 'f')
            *unit = *unit << 4 | (unsigned)(letter - 'a' + 10);
        else
            return false;
    }
    return true;
}

/* At a backslash. */
static gm_status check_escape(checker *c)
{
    const size_t rest = c->size - c->at;
    if (rest < 2 || c->text[c->at + 1] == 0 || strchr("\"\\/bfnrtu", c->text[c->at + 1]) == NULL)
        return expected(c, "an escape");
    if (c->text[c->at + 1] != 'u') {
        c->at += 2;
        return GM_OK;
    }
    unsigned unit, second;
    if (!read_unit(c, c->at + 2, &unit))
        return expected(c, "four hexadecimal digits of an escape");
    if (unit < 0xd800 || unit > 0xdfff) {
        c->at += 6;
        return GM_OK;
    }
    if (unit > 0xdbff || rest < 12 || c->text[c->at + 6] != '\\' || c->text[c->at + 7] != 'u' ||
        !read_unit(c, c->at + 8, &second) || second < 0xdc00 || second > 0xdfff)
        return expected(c, "a whole surrogate pair");
    c->at += 12;
    return GM_OK;
}

static gm_status check_string(checker *c)
{
    for (c->at++; c->at < c->size;) {
        const uint8_t byte = c->text[c->at];
        if (byte == '"') {
            c->at++;
            return GM_OK;
        }
        if (byte == '\\') {
            GM_FILE_TRY(check_escape(c));
        } else if (byte < 0x20) {
            return expected(c, "an escaped control character");
        } else {
            const size_t length = byte < 0x80 ? 1 : utf8_length(c->text + c->at, c->size - c->at);
            if (length == 0)
                return expected(c, "valid UTF-8");
            c->at += length;
        }
    }
    return expected(c, "the end of a string");
}

/* ---- other scalars ---- */

static size_t count_digits(checker *c)
{
    const size_t begin = c->at;
    while (c->at < c->size && c->text[c->at] >= '0' && c->text[c->at] <= '9')
        c->at++;
    return c->at - begin;
}

static bool take(checker *c, uint8_t byte)
{
    if (c->at >= c->size || c->text[c->at] != byte)
        return false;
    c->at++;
    return true;
}

static gm_status check_number(checker *c)
{
    take(c, '-');
    if (!take(c, '0') && count_digits(c) == 0)
        return expected(c, "a digit");
    if (take(c, '.') && count_digits(c) == 0)
        return expected(c, "a digit");
    if (take(c, 'e') || take(c, 'E')) {
        if (!take(c, '+'))
            take(c, '-');
        if (count_digits(c) == 0)
            return expected(c, "a digit");
    }
    return GM_OK;
}

static gm_status check_word(checker *c)
{
    static const char *const words[] = {"true", "false", "null"};
    for (size_t i = 0; i < 3; i++) {
        const size_t length = strlen(words[i]);
        if (c->size - c->at >= length && memcmp(c->text + c->at, words[i], length) == 0) {
            c->at += length;
            return GM_OK;
        }
    }
    return expected(c, "a value");
}

/* ---- structure ---- */

static bool in_object(const checker *c) { return c->depth != 0 && (c->is_object >> (c->depth - 1) & 1) != 0; }

static gm_status open_container(checker *c, bool is_object)
{
    if (c->depth == MAX_NESTING)
        return gm_file_fail(c->error, GM_INVALID_FILE, c->at, "JSON is nested deeper than %d at byte %zu", MAX_NESTING,
                            c->at);
    const uint64_t bit = (uint64_t)1 << c->depth++;
    c->is_object = is_object ? c->is_object | bit : c->is_object & ~bit;
    c->expect = is_object ? EXPECT_KEY_OR_END : EXPECT_VALUE_OR_END;
    c->at++;
    return GM_OK;
}

static void close_container(checker *c)
{
    c->depth--;
    c->expect = EXPECT_COMMA_OR_END;
    c->at++;
}

static gm_status check_value(checker *c)
{
    const uint8_t byte = c->text[c->at];
    if (byte == '{' || byte == '[')
        return open_container(c, byte == '{');
    c->expect = EXPECT_COMMA_OR_END;
    if (byte == '"')
        return check_string(c);
    return byte == '-' || (byte >= '0' && byte <= '9') ? check_number(c) : check_word(c);
}

static gm_status check_key(checker *c)
{
    if (c->text[c->at] != '"')
        return expected(c, "a key");
    GM_FILE_TRY(check_string(c));
    skip_white_space(c);
    if (!take(c, ':'))
        return expected(c, "':'");
    c->expect = EXPECT_VALUE;
    return GM_OK;
}

/* At a byte that is not white space. */
static gm_status step(checker *c)
{
    const uint8_t byte = c->text[c->at];
    const bool is_end = c->depth != 0 && byte == (in_object(c) ? '}' : ']');
    switch (c->expect) {
    case EXPECT_VALUE_OR_END:
    case EXPECT_KEY_OR_END:
        if (is_end) {
            close_container(c);
            return GM_OK;
        }
        return c->expect == EXPECT_KEY_OR_END ? check_key(c) : check_value(c);
    case EXPECT_VALUE:
        return check_value(c);
    case EXPECT_KEY:
        return check_key(c);
    case EXPECT_COMMA_OR_END:
        break;
    }
    if (is_end) {
        close_container(c);
        return GM_OK;
    }
    if (byte != ',')
        return expected(c, in_object(c) ? "',' or '}'" : "',' or ']'");
    c->at++;
    c->expect = in_object(c) ? EXPECT_KEY : EXPECT_VALUE;
    return GM_OK;
}

gm_status gm_file_check_json(gm_file_span text, gm_error *error)
{
    checker c = {.text = text.data, .size = text.size, .error = error, .expect = EXPECT_VALUE};
    do {
        skip_white_space(&c);
        if (c.at == c.size)
            return expected(&c, "more");
        GM_FILE_TRY(step(&c));
    } while (c.depth != 0 || c.expect != EXPECT_COMMA_OR_END);
    skip_white_space(&c);
    return c.at == c.size ? GM_OK : expected(&c, "the end");
}
