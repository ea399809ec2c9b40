/*
 * json/read.c - the reader.
 *
 * The text is copied into the arena once, with a NUL behind it that ends every scan; strings are
 * decoded where they stand in the copy (no escape is shorter than what it means), numbers stay. So
 * strings and numbers cost no memory of their own, and a key's place in the text is its address.
 *
 * Values under construction lie on one stack of entries:
 *
 *   [ ... | open container | its 1st value | its 2nd value | ... ]
 *
 * Closing a container moves its values into one block of the arena and leaves the finished
 * container as the last entry. An open entry keeps the index of the open entry around it.
 *
 * Errors name the first byte that cannot stand where it does; a lone surrogate is named by the
 * backslash of its escape, ill-formed UTF-8 by the first byte of the sequence, a doubled key (found
 * when its object ends) by the opening quote of its second occurrence.
 */
#include "json/members.h"

#include "base/array.h"
#include "base/utf8.h"

#define NO_ENTRY UINT32_MAX

enum { FIRST_ENTRIES = 64, SCAN_WIDTH = 8 };

typedef struct entry {
    gm_bytes key; /* in an object */
    gm_json value; /* while open: count = the open entry around it */
} entry;

typedef struct reader {
    gm_arena *arena;
    char *text; /* the copy */
    char *end;  /* its NUL */
    char *at;
    size_t max_nesting;
    size_t nesting;
    uint32_t open; /* innermost open container, or NO_ENTRY */
    uint64_t seed;
    GM_ARRAY(entry) entries;
    gm_error *error;
} reader;

static uint64_t offset_of(const reader *in, const char *at) { return (uint64_t)(at - in->text); }

/* Says what was expected at `at` and what stands there. */
static GM_NOINLINE gm_status unexpected(const reader *in, const char *at, const char *expected)
{
    const unsigned char found = (unsigned char)*at;
    const uint64_t offset = offset_of(in, at);
    if (at == in->end)
        gm_fail_at(in->error, GM_INVALID_SCHEMA, offset, "expected %s, found the end of the text", expected);
    else if (found < 0x20 || found >= 0x7F)
        gm_fail_at(in->error, GM_INVALID_SCHEMA, offset, "expected %s, found the byte 0x%02X", expected,
                   (unsigned)found);
    else
        gm_fail_at(in->error, GM_INVALID_SCHEMA, offset, "expected %s, found '%c'", expected, found);
    return GM_INVALID_SCHEMA;
}

static GM_NOINLINE gm_status no_memory(const reader *in)
{
    gm_no_memory(in->error);
    return GM_OUT_OF_MEMORY;
}

static inline void skip_blanks(reader *in)
{
    char *at = in->at;
    while (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t')
        at++;
    in->at = at;
}

/* ---- strings ---- */

/* First byte from `at` on that is no plain ASCII of a string; the NUL at the end is none. Eight
 * bytes a step: a byte below 0x20 borrows into its top bit, and so does a quote or a backslash
 * once it was made zero. False alarms come only after a true one, in a higher byte. */
static inline char *skip_plain(char *at, const char *end)
{
    const uint64_t ones = 0x0101010101010101u;
    while (end - at >= SCAN_WIDTH) {
        uint64_t word;
        memcpy(&word, at, SCAN_WIDTH);
        const uint64_t quote = word ^ ones * '"';
        const uint64_t backslash = word ^ ones * '\\';
        const uint64_t stop = (word | (word - ones * 0x20) | (quote - ones) | (backslash - ones)) & ones * 0x80;
        if (stop != 0)
            break;
        at += SCAN_WIDTH;
    }
    while (gm_spells_itself((unsigned char)*at))
        at++;
    return at;
}

static int hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* Reads the four digits after "\u" at `at`. */
static gm_status read_hex(const reader *in, const char *at, uint32_t *unit)
{
    *unit = 0;
    for (const char *digit = at + 2; digit < at + 6; digit++) {
        const int value = hex_value(*digit);
        if (value < 0)
            return unexpected(in, digit, "a hexadecimal digit");
        *unit = *unit << 4 | (uint32_t)value;
    }
    return GM_OK;
}

/* Reads "\uXXXX", or two of them that form a pair, at in->at; moves past. */
static gm_status read_unicode_escape(reader *in, uint32_t *code_point)
{
    char *const start = in->at;
    uint32_t unit;
    GM_TRY(read_hex(in, start, &unit));
    in->at = start + 6;
    if (unit >= 0xD800 && unit <= 0xDBFF && in->at[0] == '\\' && in->at[1] == 'u') {
        uint32_t low;
        GM_TRY(read_hex(in, in->at, &low));
        if (low >= 0xDC00 && low <= 0xDFFF) {
            in->at += 6;
            unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
        }
    }
    if (unit >= 0xD800 && unit <= 0xDFFF) {
        gm_fail_at(in->error, GM_INVALID_SCHEMA, offset_of(in, start),
                   "expected a pair of surrogates, found the lone surrogate \\u%04X", (unsigned)unit);
        return GM_INVALID_SCHEMA;
    }
    *code_point = unit;
    return GM_OK;
}

/* Decodes the escape at in->at to *to; moves both past it. */
static gm_status read_escape(reader *in, char **to)
{
    static const char letters[] = "\"\\/bfnrt";
    static const char meanings[] = "\"\\/\b\f\n\r\t";
    const char letter = in->at[1];
    if (letter == 'u') {
        uint32_t code_point;
        GM_TRY(read_unicode_escape(in, &code_point));
        *to += gm_utf8_write(code_point, *to);
        return GM_OK;
    }
    const char *const known = letter != '\0' ? strchr(letters, letter) : NULL;
    if (known == NULL)
        return unexpected(in, in->at + 1, "a letter of an escape (\" \\ / b f n r t u)");
    *(*to)++ = meanings[known - letters];
    in->at += 2;
    return GM_OK;
}

/* The rest of a string from its first byte that is not plain; *to moves past the decoded text. */
static GM_NOINLINE gm_status read_uncommon(reader *in, char **to)
{
    while (*in->at != '"') {
        const unsigned char c = (unsigned char)*in->at;
        if (c == '\\') {
            GM_TRY(read_escape(in, to));
            continue;
        }
        if (c < 0x20)
            return unexpected(in, in->at,
                              in->at == in->end ? "the end of a string" : "an escape for a control character");
        size_t size = 0;
        if (gm_utf8_read(in->at, (size_t)(in->end - in->at), &size) == UINT32_MAX)
            return unexpected(in, in->at, "well-formed UTF-8");
        memmove(*to, in->at, size);
        *to += size;
        in->at += size;
    }
    return GM_OK;
}

/* Reads the string whose opening quote is at in->at. */
static inline gm_status read_string(reader *in, gm_bytes *text)
{
    char *const start = in->at + 1;
    char *end = skip_plain(start, in->end);
    in->at = end;
    if (GM_UNLIKELY(*end != '"'))
        GM_TRY(read_uncommon(in, &end));
    in->at++;
    *text = (gm_bytes){start, (size_t)(end - start)};
    return GM_OK;
}

/* ---- numbers and names ---- */

static inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

static gm_status read_digits(reader *in)
{
    if (!is_digit(*in->at))
        return unexpected(in, in->at, "a digit");
    while (is_digit(*in->at))
        in->at++;
    return GM_OK;
}

static gm_status read_number(reader *in, gm_json *value)
{
    char *const start = in->at;
    in->at += *start == '-';
    if (*in->at == '0')
        in->at++;
    else
        GM_TRY(read_digits(in));
    if (*in->at == '.') {
        in->at++;
        GM_TRY(read_digits(in));
    }
    if (*in->at == 'e' || *in->at == 'E') {
        in->at++;
        in->at += *in->at == '+' || *in->at == '-';
        GM_TRY(read_digits(in));
    }
    value->kind = GM_JSON_NUMBER;
    value->as.text = (gm_bytes){start, (size_t)(in->at - start)};
    return GM_OK;
}

static gm_status read_name(reader *in, const char *name, gm_json_kind kind, gm_json *value)
{
    for (const char *letter = name; *letter != '\0'; letter++, in->at++)
        if (*in->at != *letter)
            return unexpected(in, in->at, name);
    value->kind = kind;
    return GM_OK;
}

/* ---- containers ---- */

/* A fresh entry; NULL when there is no memory. Entries may move. */
static inline entry *push_entry(reader *in)
{
    if (GM_UNLIKELY(!GM_ARRAY_RESERVE(&in->arena->allocator, &in->entries, FIRST_ENTRIES)))
        return NULL;
    return &in->entries.items[in->entries.count++];
}

static GM_NOINLINE gm_status doubled(const reader *in, gm_bytes key)
{
    int shown = key.length < 64 ? (int)key.length : 64;
    while (shown > 0 && (key.data[shown] & 0xC0) == 0x80) /* cut between characters */
        shown--;
    return gm_fail_at(in->error, GM_INVALID_SCHEMA, offset_of(in, key.data - 1),
                      "the key \"%.*s\" stands twice in its object", shown, key.data);
}

/* Fills the index behind the members of a large object. */
static gm_status index_members(const reader *in, const gm_json_member *members, size_t count, gm_json_index *index)
{
    const size_t capacity = gm_json_index_capacity(count);
    index->seed = in->seed;
    memset(index->slots, 0, capacity * sizeof *index->slots);
    for (size_t i = 0; i < count; i++) {
        const size_t slot = gm_json_index_find(index, members, capacity, members[i].key);
        if (index->slots[slot] != 0)
            return doubled(in, members[i].key);
        index->slots[slot] = (uint32_t)(i + 1);
    }
    return GM_OK;
}

static gm_status compare_members(const reader *in, const gm_json_member *members, size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if (GM_UNLIKELY(gm_bytes_equal(members[i].key, members[j].key)))
                return doubled(in, members[i].key);
    return GM_OK;
}

/* Moves the values of the innermost container to the arena and closes it. */
static gm_status close_array(reader *in, gm_json *array, const entry *values, size_t count)
{
    const size_t each = sizeof(gm_json) + sizeof(gm_json *);
    gm_json *const nodes = count <= SIZE_MAX / each ? gm_arena_take(in->arena, count * each) : NULL;
    if (nodes == NULL)
        return no_memory(in);
    const gm_json **const items = (const gm_json **)(nodes + count);
    for (size_t i = 0; i < count; i++) {
        nodes[i] = values[i].value;
        items[i] = &nodes[i];
    }
    array->as.items = items;
    return GM_OK;
}

static gm_status close_object(reader *in, gm_json *object, const entry *values, size_t count)
{
    const size_t each = sizeof(gm_json) + sizeof(gm_json_member);
    const size_t indexed =
        count < GM_JSON_INDEXED ? 0 : sizeof(gm_json_index) + gm_json_index_capacity(count) * sizeof(uint32_t);
    gm_json *const nodes =
        count <= (SIZE_MAX - indexed) / each ? gm_arena_take(in->arena, count * each + indexed) : NULL;
    if (nodes == NULL)
        return no_memory(in);
    gm_json_member *const members = (gm_json_member *)(nodes + count);
    for (size_t i = 0; i < count; i++) {
        nodes[i] = values[i].value;
        members[i] = (gm_json_member){values[i].key, &nodes[i]};
    }
    object->as.members = members;
    return indexed != 0 ? index_members(in, members, count, (gm_json_index *)(void *)(members + count))
                        : compare_members(in, members, count);
}

static gm_status close_container(reader *in)
{
    gm_json *const value = &in->entries.items[in->open].value;
    const entry *const values = in->entries.items + in->open + 1;
    const size_t count = in->entries.count - in->open - 1;
    const uint32_t around = value->count;
    in->entries.count = (size_t)in->open + 1;
    in->at++;
    in->nesting--;
    in->open = around;
    value->count = (uint32_t)count;
    return value->kind == GM_JSON_ARRAY ? close_array(in, value, values, count)
                                        : close_object(in, value, values, count);
}

static gm_status open_container(reader *in, gm_json *value, gm_json_kind kind)
{
    if (in->nesting >= in->max_nesting)
        return gm_fail_at(in->error, GM_LIMIT, offset_of(in, in->at),
                          "nested deeper than max_nesting = %zu levels", in->max_nesting);
    value->kind = kind;
    value->count = in->open;
    in->open = (uint32_t)(in->entries.count - 1);
    in->nesting++;
    in->at++;
    return GM_OK;
}

/* ---- the document ---- */

/* Reads a scalar, or the opening bracket of a container, into the entry on top. */
static gm_status read_value(reader *in, gm_json *value)
{
    value->offset = offset_of(in, in->at);
    value->count = 0;
    switch (*in->at) {
    case '"':
        value->kind = GM_JSON_STRING;
        return read_string(in, &value->as.text);
    case '{': return open_container(in, value, GM_JSON_OBJECT);
    case '[': return open_container(in, value, GM_JSON_ARRAY);
    case 't': return read_name(in, "true", GM_JSON_TRUE, value);
    case 'f': return read_name(in, "false", GM_JSON_FALSE, value);
    case 'n': return read_name(in, "null", GM_JSON_NULL, value);
    default:
        if (*in->at == '-' || is_digit(*in->at))
            return read_number(in, value);
        return unexpected(in, in->at, "a value");
    }
}

/* Pushes the entry of the next member or item and reads up to its value. */
static gm_status begin_entry(reader *in, bool is_member, entry **begun)
{
    entry *const fresh = push_entry(in);
    if (fresh == NULL)
        return no_memory(in);
    skip_blanks(in);
    if (is_member) {
        if (*in->at != '"')
            return unexpected(in, in->at, "a key");
        GM_TRY(read_string(in, &fresh->key));
        skip_blanks(in);
        if (*in->at != ':')
            return unexpected(in, in->at, "':'");
        in->at++;
        skip_blanks(in);
    }
    *begun = fresh;
    return GM_OK;
}

/* After a value: closes what ends here, up to the next comma or the end of the root. */
static gm_status finish_values(reader *in)
{
    while (in->open != NO_ENTRY) {
        const bool in_object = in->entries.items[in->open].value.kind == GM_JSON_OBJECT;
        skip_blanks(in);
        if (*in->at == ',') {
            in->at++;
            return GM_OK;
        }
        if (*in->at != (in_object ? '}' : ']'))
            return unexpected(in, in->at, in_object ? "',' or '}'" : "',' or ']'");
        GM_TRY(close_container(in));
    }
    return GM_OK;
}

static gm_status read_document(reader *in)
{
    do {
        entry *begun = NULL;
        const bool is_member = in->open != NO_ENTRY && in->entries.items[in->open].value.kind == GM_JSON_OBJECT;
        GM_TRY(begin_entry(in, is_member, &begun));
        const uint32_t open = in->open;
        GM_TRY(read_value(in, &begun->value));
        if (in->open != open) { /* a container: is it empty? */
            skip_blanks(in);
            if (*in->at != (begun->value.kind == GM_JSON_OBJECT ? '}' : ']'))
                continue;
            GM_TRY(close_container(in));
        }
        GM_TRY(finish_values(in));
    } while (in->open != NO_ENTRY);
    skip_blanks(in);
    return in->at == in->end ? GM_OK : unexpected(in, in->at, "the end of the text");
}

static gm_status read_text(reader *in, const char *text, size_t length, gm_json *root)
{
    if (length >= NO_ENTRY)
        return gm_fail_at(in->error, GM_LIMIT, 0, "a text of %zu bytes: one document holds less than 4 GiB", length);
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
        return gm_fail_at(in->error, GM_INVALID_SCHEMA, 0, "expected a value, found a byte order mark");
    in->text = gm_arena_text(in->arena, (gm_bytes){text, length});
    if (in->text == NULL)
        return no_memory(in);
    in->end = in->text + length;
    in->at = in->text;
    in->seed = gm_mix((uint64_t)(uintptr_t)in->text ^ gm_mix((uint64_t)(uintptr_t)in));
    const gm_status status = read_document(in);
    if (status == GM_OK)
        *root = in->entries.items[0].value;
    GM_ARRAY_FREE(&in->arena->allocator, &in->entries);
    return status;
}

gm_status gm_json_read(gm_arena *arena, const char *text, size_t length, size_t max_nesting, const gm_json **root,
                       gm_error *error)
{
    const gm_arena_mark mark = gm_arena_save(arena);
    reader in = {.arena = arena, .max_nesting = max_nesting, .open = NO_ENTRY, .error = error};
    gm_json *const value = gm_arena_take(arena, sizeof *value);
    const gm_status status = value == NULL ? gm_no_memory(error) : read_text(&in, text, length, value);
    if (status != GM_OK)
        gm_arena_rewind(arena, mark);
    else
        *root = value;
    return status;
}
