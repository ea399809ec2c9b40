/* schema/uri.c - see uri.h. */
#include "schema/uri.h"

typedef struct parts {
    gm_bytes scheme;    /* with ':' */
    gm_bytes authority; /* with "//" */
    gm_bytes path;
    gm_bytes query; /* with '?' */
} parts;

gm_bytes gm_uri_without_fragment(gm_bytes uri)
{
    const char *const mark = uri.length != 0 ? memchr(uri.data, '#', uri.length) : NULL;
    return (gm_bytes){uri.data, mark != NULL ? (size_t)(mark - uri.data) : uri.length};
}

gm_bytes gm_uri_fragment(gm_bytes uri)
{
    const size_t before = gm_uri_without_fragment(uri).length;
    return before == uri.length ? (gm_bytes){"", 0} : (gm_bytes){uri.data + before + 1, uri.length - before - 1};
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static bool is_scheme_byte(char c)
{
    return is_letter(c) || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
}

static gm_bytes take(gm_bytes *from, size_t length)
{
    const gm_bytes taken = {from->data, length};
    *from = (gm_bytes){from->data + length, from->length - length};
    return taken;
}

static size_t length_before(gm_bytes text, const char *stops)
{
    size_t length = 0;
    while (length < text.length && strchr(stops, text.data[length]) == NULL)
        length++;
    return length;
}

/* `uri` has no fragment. */
static parts split(gm_bytes uri)
{
    parts of = {0};
    size_t scheme = 0;
    while (scheme < uri.length && is_scheme_byte(uri.data[scheme]))
        scheme++;
    if (scheme > 0 && scheme < uri.length && uri.data[scheme] == ':' && is_letter(*uri.data))
        of.scheme = take(&uri, scheme + 1);
    if (uri.length >= 2 && uri.data[0] == '/' && uri.data[1] == '/') {
        const gm_bytes rest = {uri.data + 2, uri.length - 2};
        of.authority = take(&uri, 2 + length_before(rest, "/?"));
    }
    of.path = take(&uri, length_before(uri, "?"));
    of.query = uri;
    return of;
}

static char *append(char *to, gm_bytes text)
{
    if (text.length != 0)
        memcpy(to, text.data, text.length);
    return to + text.length;
}

/* Takes the segments "." and ".." out of the path between `path` and `end`, in place; returns its
 * new end. A path that began with '/' still does, another one still does not. */
static char *remove_dot_segments(char *path, char *end)
{
    char *const start = path + (path < end && *path == '/');
    char *to = start;
    for (char *from = start; from < end;) {
        char *slash = memchr(from, '/', (size_t)(end - from));
        char *const next = slash != NULL ? slash + 1 : end;
        const size_t name = (size_t)((slash != NULL ? slash : end) - from);
        if (name == 2 && from[0] == '.' && from[1] == '.') {
            if (to > start)
                to--; /* the slash behind the segment that goes */
            while (to > start && to[-1] != '/')
                to--;
        } else if (!(name == 1 && *from == '.')) {
            memmove(to, from, (size_t)(next - from));
            to += next - from;
        }
        from = next;
    }
    return to;
}

bool gm_uri_resolve(gm_arena *arena, gm_bytes base, gm_bytes reference, gm_bytes *uri)
{
    base = gm_uri_without_fragment(base);
    reference = gm_uri_without_fragment(reference);
    char *const start = gm_arena_take(arena, base.length + reference.length + 2);
    if (start == NULL)
        return false;

    const parts from = split(base);
    const parts wanted = split(reference);
    const bool own_authority = wanted.scheme.length != 0 || wanted.authority.length != 0;
    char *to = append(start, wanted.scheme.length != 0 ? wanted.scheme : from.scheme);
    to = append(to, own_authority ? wanted.authority : from.authority);
    char *const path = to;
    if (!own_authority && wanted.path.length == 0) {
        to = append(to, from.path);
        to = append(to, wanted.query.length != 0 ? wanted.query : from.query);
    } else {
        if (!own_authority && *wanted.path.data != '/') {
            gm_bytes folder = from.path;
            while (folder.length != 0 && folder.data[folder.length - 1] != '/')
                folder.length--;
            if (folder.length == 0 && from.authority.length != 0)
                folder = GM_BYTES("/");
            to = append(to, folder);
        }
        to = append(to, wanted.path);
        to = append(remove_dot_segments(path, to), wanted.query);
    }
    *to = '\0';
    *uri = (gm_bytes){start, (size_t)(to - start)};
    return true;
}

static int hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

size_t gm_uri_percent_decode(gm_bytes text, char *out)
{
    size_t count = 0;
    for (size_t i = 0; i < text.length; i++) {
        const bool escaped = text.data[i] == '%' && text.length - i > 2 && hex_value(text.data[i + 1]) >= 0 &&
                             hex_value(text.data[i + 2]) >= 0;
        out[count++] = escaped ? (char)(hex_value(text.data[i + 1]) << 4 | hex_value(text.data[i + 2])) : text.data[i];
        i += escaped ? 2 : 0;
    }
    return count;
}
