/*
 * test_json_against_jsonc.c - the reader beside json-c, on random documents and on damaged ones.
 *
 * What we read json-c reads too, and the trees are equal. What we refuse json-c refuses too, but
 * for its leniencies, which even JSON_TOKENER_STRICT and JSON_TOKENER_VALIDATE_UTF8 leave (0.16):
 *
 *   - doubled keys: the last wins                    - lone surrogates become U+FFFD
 *   - raw control characters in strings              - UTF-8 is checked for its shape alone
 *   - keys in single quotes                          - NaN, Infinity, -Infinity
 *   - numbers like -01, 00, 1., 1.e1, -.5            - an integer beyond 64 bits is clamped
 *
 * Each refusal of ours that json-c does not share must have the message of one of these.
 */
#include "json/json.h"

#include "check.h"

#include <errno.h>
#include <json-c/json.h>

enum { ROOM = 4096, DOCUMENTS = 12000, DAMAGES = 6, DEPTH = 64 };

static uint64_t random_state = 20;

static uint32_t random_below(uint32_t bound)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((random_state >> 33) % bound);
}

/* ---- random documents ---- */

typedef struct document {
    char text[ROOM];
    size_t length;
} document;

static void put(document *to, const char *text)
{
    const size_t length = strlen(text);
    if (to->length + length < ROOM) {
        memcpy(to->text + to->length, text, length);
        to->length += length;
    }
}

#define PICK(list) list[random_below(GM_COUNT_OF(list))]

static void put_blanks(document *to)
{
    static const char *const blanks[] = {"", "", "", "", " ", "\n", "\t", "\r\n", "  "};
    put(to, PICK(blanks));
}

static void put_string(document *to)
{
    static const char *const pieces[] = {
        "a", "b", "key", "$ref", " ", "/", "~", "\\\"", "\\\\", "\\/", "\\b", "\\f", "\\n", "\\r", "\\t", "\\u0000", "\\u001f",
        "\\u0061", "\\u00E9", "\\uffff", "\\uD83D\\uDE00", "\\udbff\\udfff", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80",
        "\x7F", "a longer run of plain characters", "'", "{", "]", ",", ":"};
    put(to, "\"");
    for (uint32_t left = random_below(6); left > 0; left--)
        put(to, PICK(pieces));
    put(to, "\"");
}

static void put_number(document *to)
{
    static const char *const wholes[] = {"0", "1", "10", "42", "9007199254740993", "18446744073709551615", "9223372036854775807"};
    static const char *const fractions[] = {"", "", "", ".0", ".5", ".10", ".333333333333333333"};
    static const char *const exponents[] = {"", "", "", "e1", "E+2", "e-3", "e007", "e-400"};
    put(to, random_below(3) == 0 ? "-" : "");
    put(to, PICK(wholes));
    put(to, PICK(fractions));
    put(to, PICK(exponents));
}

static void put_value(document *to, uint32_t depth);

static void put_container(document *to, uint32_t depth, bool is_object)
{
    put(to, is_object ? "{" : "[");
    put_blanks(to);
    const uint32_t count = random_below(random_below(8) == 0 ? 14 : 4);
    for (uint32_t i = 0; i < count; i++) {
        put(to, i == 0 ? "" : ",");
        put_blanks(to);
        if (is_object) {
            put_string(to);
            put_blanks(to);
            put(to, ":");
            put_blanks(to);
        }
        put_value(to, depth);
        put_blanks(to);
    }
    put(to, is_object ? "}" : "]");
}

static void put_value(document *to, uint32_t depth)
{
    static const char *const names[] = {"true", "false", "null"};
    switch (random_below(depth == 0 ? 4 : 8)) {
    case 0: put(to, PICK(names)); break;
    case 1: put_number(to); break;
    case 2:
    case 3: put_string(to); break;
    default: put_container(to, depth - 1, random_below(2) != 0); break;
    }
}

static void damage(document *what)
{
    static const char bytes[] = "\"\\{}[],:-+.eE0123456789 \t\n'/ntfu\x01\x1f\x7f\x80\xA0\xBF\xC0\xC3\xE0\xE2\xED\xF0\xF4\xFF\vNI";
    const size_t at = random_below((uint32_t)what->length + 1);
    const char byte = bytes[random_below(sizeof bytes - 1)];
    char *const place = what->text + at;
    switch (random_below(4)) {
    case 0: /* insert */
        if (what->length + 1 < ROOM) {
            memmove(place + 1, place, what->length - at);
            *place = byte;
            what->length++;
        }
        break;
    case 1: /* replace */
        if (at < what->length)
            *place = byte;
        break;
    case 2: /* delete a few */
        if (at < what->length) {
            const size_t count = 1 + random_below((uint32_t)(what->length - at < 8 ? what->length - at : 8));
            memmove(place, place + count, what->length - at - count);
            what->length -= count;
        }
        break;
    default: /* cut off */
        if (random_below(4) == 0)
            what->length = at;
        break;
    }
}

/* ---- both readers ---- */

/* json-c's tree; false when it refuses. JSON null is a NULL tree. */
static bool read_foreign(const document *text, struct json_object **tree)
{
    struct json_tokener *tokener = json_tokener_new_ex(DEPTH + 1);
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
    char ended[ROOM + 1]; /* json-c wants a NUL to know that a number ends */
    memcpy(ended, text->text, text->length);
    ended[text->length] = '\0';
    *tree = json_tokener_parse_ex(tokener, ended, (int)text->length + 1);
    const bool fine = json_tokener_get_error(tokener) == json_tokener_success &&
                      json_tokener_get_parse_end(tokener) >= text->length;
    json_tokener_free(tokener);
    if (!fine) {
        json_object_put(*tree);
        *tree = NULL;
    }
    return fine;
}

static bool numbers_agree(const gm_json *ours, struct json_object *theirs)
{
    char text[ROOM];
    memcpy(text, ours->as.text.data, ours->as.text.length);
    text[ours->as.text.length] = '\0';
    if (json_object_is_type(theirs, json_type_double))
        return strtod(text, NULL) == json_object_get_double(theirs);
    errno = 0;
    if (*text == '-')
        return strtoll(text, NULL, 10) == json_object_get_int64(theirs); /* both clamp */
    return strtoull(text, NULL, 10) == json_object_get_uint64(theirs);
}

static bool trees_agree(const gm_json *ours, struct json_object *theirs)
{
    switch (ours->kind) {
    case GM_JSON_NULL: return theirs == NULL;
    case GM_JSON_FALSE:
    case GM_JSON_TRUE:
        return json_object_is_type(theirs, json_type_boolean) &&
               (json_object_get_boolean(theirs) != 0) == (ours->kind == GM_JSON_TRUE);
    case GM_JSON_NUMBER:
        return (json_object_is_type(theirs, json_type_int) || json_object_is_type(theirs, json_type_double)) &&
               numbers_agree(ours, theirs);
    case GM_JSON_STRING:
        return json_object_is_type(theirs, json_type_string) &&
               gm_bytes_equal(ours->as.text, (gm_bytes){json_object_get_string(theirs),
                                                        (size_t)json_object_get_string_len(theirs)});
    case GM_JSON_ARRAY:
        if (!json_object_is_type(theirs, json_type_array) || json_object_array_length(theirs) != ours->count)
            return false;
        for (size_t i = 0; i < ours->count; i++)
            if (!trees_agree(ours->as.items[i], json_object_array_get_idx(theirs, i)))
                return false;
        return true;
    case GM_JSON_OBJECT: break;
    }
    if (!json_object_is_type(theirs, json_type_object) || (size_t)json_object_object_length(theirs) != ours->count)
        return false;
    size_t i = 0;
    json_object_object_foreach(theirs, key, value) {
        /* json-c's keys end at the first NUL */
        const gm_bytes mine = ours->as.members[i].key;
        if (strlen(key) > mine.length || memcmp(mine.data, key, strlen(key)) != 0 ||
            !trees_agree(ours->as.members[i++].value, value))
            return false;
    }
    return true;
}

static bool has_key_with_nul(const gm_json *value)
{
    bool found = false;
    for (size_t i = 0; i < value->count && !found; i++) {
        if (value->kind == GM_JSON_OBJECT)
            found = memchr(value->as.members[i].key.data, '\0', value->as.members[i].key.length) != NULL ||
                    has_key_with_nul(value->as.members[i].value);
        else if (value->kind == GM_JSON_ARRAY)
            found = has_key_with_nul(value->as.items[i]);
    }
    return found;
}

static bool is_known_leniency(const document *text, const gm_error *error)
{
    static const char *const messages[] = {
        "the key \"",
        "expected a pair of surrogates",
        "expected an escape for a control character",
        "expected well-formed UTF-8",
        "expected a key, found '''",
        "expected a value, found 'N'",
        "expected a value, found 'I'",
        "expected a digit, found ", /* after a point, or between '-' and '.' or Infinity */
        "expected the end of the text, found ",
        "expected ',' or '}', found ",
        "expected ',' or ']', found "};
    size_t kind = 0;
    while (kind < GM_COUNT_OF(messages) && strncmp(error->message, messages[kind], strlen(messages[kind])) != 0)
        kind++;
    const char before = error->offset > 0 ? text->text[error->offset - 1] : ' ';
    if (kind == 7)
        return before == '.' || before == '-';
    if (kind > 7) /* a digit after a leading zero */
        return kind < GM_COUNT_OF(messages) && error->offset < text->length && before == '0' &&
               text->text[error->offset] >= '0' && text->text[error->offset] <= '9';
    return true;
}

static void show(const document *text, const char *why, const gm_error *error)
{
    fprintf(stderr, "%s: %.*s\n  offset %d: %s\n", why, (int)text->length, text->text, (int)error->offset, error->message);
}

static bool compare(const document *text)
{
    const gm_allocator allocator = gm_allocator_or_default(NULL);
    gm_arena arena;
    gm_arena_init(&arena, &allocator);
    const gm_json *ours = NULL;
    gm_error error = {0};
    struct json_object *theirs = NULL;
    const gm_status status = gm_json_read(&arena, text->text, text->length, DEPTH, &ours, &error);
    const bool foreign = read_foreign(text, &theirs);
    bool fine = true;
    if (status == GM_OK) {
        fine = foreign && (has_key_with_nul(ours) || trees_agree(ours, theirs));
        if (!fine)
            show(text, foreign ? "another tree" : "json-c refuses", &error);
    } else if (foreign) {
        fine = is_known_leniency(text, &error);
        if (!fine)
            show(text, "json-c reads", &error);
    }
    json_object_put(theirs);
    gm_arena_destroy(&arena);
    CHECK(fine);
    return status == GM_OK;
}

static void both_read_the_same_documents(void)
{
    size_t read = 0;
    size_t refused = 0;
    for (size_t i = 0; i < DOCUMENTS; i++) {
        document text = {.length = 0};
        put_blanks(&text);
        put_value(&text, 5);
        put_blanks(&text);
        for (uint32_t damages = 0; damages < DAMAGES; damages++) {
            compare(&text) ? read++ : refused++;
            damage(&text);
        }
    }
    CHECK(read > DOCUMENTS && refused > DOCUMENTS);
}

int main(void)
{
    RUN(both_read_the_same_documents);
    return REPORT("test_json_against_jsonc");
}
