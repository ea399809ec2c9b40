/*
 * schema/pointer.c - where a value stands: JSON Pointers, and the errors and notes that carry them.
 *
 * No value knows its place. Values of a document begin in the order of its text, so a value is
 * found from the root by its offset: in each container the last child that does not begin after it.
 */
#include "schema/graph.h"

#include <stdarg.h>
#include <stdio.h>

typedef struct writer {
    char *out;
    size_t size;
    size_t length;
} writer;

static void put(writer *to, const char *text, size_t length)
{
    const size_t room = to->length + 1 < to->size ? to->size - 1 - to->length : 0;
    if (length != 0 && room != 0)
        memcpy(to->out + to->length, text, length < room ? length : room);
    to->length += length;
}

static bool has_byte(gm_bytes text, char byte)
{
    return text.length != 0 && memchr(text.data, byte, text.length) != NULL;
}

static void put_token(writer *to, gm_bytes token)
{
    size_t plain = 0; /* where what is yet to be put begins */
    put(to, "/", 1);
    const bool is_plain = !has_byte(token, '~') && !has_byte(token, '/'); /* nearly all are */
    for (size_t i = 0; i < token.length && !is_plain; i++) {
        if (token.data[i] != '~' && token.data[i] != '/')
            continue;
        put(to, token.data + plain, i - plain);
        put(to, token.data[i] == '~' ? "~0" : "~1", 2);
        plain = i + 1;
    }
    put(to, token.data + plain, token.length - plain);
}

static const gm_json *child_of(const gm_json *container, size_t i)
{
    return container->kind == GM_JSON_ARRAY ? container->as.items[i] : container->as.members[i].value;
}

/* Index of the last child that begins at or before `offset`. */
static size_t find_child(const gm_json *container, uint64_t offset)
{
    size_t low = 0;
    size_t high = container->count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (child_of(container, middle)->offset <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void put_path(writer *to, const gm_json *root, const gm_json *value)
{
    for (const gm_json *at = root; at != value && at->count != 0;) {
        const size_t i = find_child(at, value->offset);
        char digits[24];
        put_token(to, at->kind == GM_JSON_OBJECT
                          ? at->as.members[i].key
                          : (gm_bytes){digits, (size_t)snprintf(digits, sizeof digits, "%zu", i)});
        at = child_of(at, i);
    }
}

/* Takes back a character that was cut in its middle. */
static size_t whole_characters(const char *text, size_t length)
{
    size_t start = length;
    while (start > 0 && length - start < 4 && (text[start - 1] & 0xC0) == 0x80)
        start--;
    if (start == 0 || (text[start - 1] & 0x80) == 0)
        return length;
    const unsigned char first = (unsigned char)text[start - 1];
    const size_t needed = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    return length - (start - 1) < needed ? start - 1 : length;
}

size_t gm_pointer_write(const gm_schema *schema, uint32_t document, const gm_json *value, gm_bytes keyword, char *out,
                        size_t size)
{
    const gm_document *const of = &schema->documents.items[document];
    writer to = {.out = out, .size = size};
    if (document != 0) {
        put(&to, of->uri.data, of->uri.length);
        put(&to, "#", 1);
    }
    put_path(&to, of->root, value);
    if (keyword.length != 0)
        put_token(&to, keyword);
    if (size != 0)
        out[to.length < size ? to.length : whole_characters(out, size - 1)] = '\0';
    return to.length;
}

gm_status gm_fail_in(const gm_schema *schema, uint32_t document, const gm_json *value, gm_bytes keyword,
                     gm_status status, gm_error *error, const char *format, ...)
{
    if (error == NULL)
        return status;
    char pointer[sizeof error->pointer];
    char message[sizeof error->message];
    char name[sizeof error->keyword];
    gm_pointer_write(schema, document, value, keyword, pointer, sizeof pointer);
    const size_t shown = keyword.length < sizeof name ? keyword.length : sizeof name;
    snprintf(name, sizeof name, "%.*s", (int)shown, keyword.data);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return gm_fail(error, status, pointer, name, "%s", message);
}

gm_status gm_note(gm_schema *schema, uint32_t document, const gm_json *value, gm_bytes keyword, gm_warning_kind kind,
                  const char *text, gm_error *error)
{
    const gm_pending_note note = {kind, document, value, keyword, text};
    return GM_ARRAY_PUSH(&schema->arena->allocator, &schema->notes, note) ? GM_OK : gm_no_memory(error);
}

/* Makes the strings of a pending note, in the arena. */
static bool write_note(gm_schema *schema, const gm_pending_note *note, gm_schema_note *written)
{
    char shorter[256];
    const size_t length = gm_pointer_write(schema, note->document, note->value, note->keyword, shorter, sizeof shorter);
    char *const pointer = gm_arena_take(schema->arena, length + 1);
    const char *const keyword = gm_arena_text(schema->arena, note->keyword);
    if (pointer == NULL || keyword == NULL)
        return false;
    if (length < sizeof shorter)
        memcpy(pointer, shorter, length + 1);
    else
        gm_pointer_write(schema, note->document, note->value, note->keyword, pointer, length + 1);
    *written = (gm_schema_note){note->kind, pointer, keyword, note->text};
    return true;
}

const gm_schema_note *gm_schema_notes(gm_schema *schema, size_t *count)
{
    static const gm_schema_note none[1] = {{GM_WARNING_ANNOTATION, "", "", ""}};
    if (schema->written_count < schema->notes.count) {
        const gm_arena_mark mark = gm_arena_save(schema->arena);
        gm_schema_note *const written = GM_ARENA_NEW(schema->arena, gm_schema_note, schema->notes.count);
        bool fine = written != NULL;
        for (size_t i = 0; fine && i < schema->notes.count; i++)
            if (i < schema->written_count)
                written[i] = schema->written[i];
            else
                fine = write_note(schema, &schema->notes.items[i], &written[i]);
        if (!fine) {
            gm_arena_rewind(schema->arena, mark);
            return NULL;
        }
        schema->written = written;
        schema->written_count = schema->notes.count;
    }
    *count = schema->written_count;
    return schema->written_count != 0 ? schema->written : none;
}
