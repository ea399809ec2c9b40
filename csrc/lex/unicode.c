/* lex/unicode.c - see unicode.h; unicode_tables.h tells how sets are written. */
#include "lex/unicode.h"

#include "lex/unicode_tables.h"

static const gm_unicode_name *find(const gm_unicode_name *names, size_t count, gm_bytes name)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        const int order = gm_bytes_compare(gm_bytes_of(names[middle].name), name);
        if (order == 0)
            return &names[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* Reads the distance at *at and moves *at past it. */
static uint32_t read_distance(const uint8_t *bytes, size_t *at)
{
    uint32_t distance = 0;
    for (unsigned shift = 0;; shift += 7) {
        const uint8_t byte = bytes[(*at)++];
        distance |= (uint32_t)(byte & 127) << shift;
        if (byte < 128)
            return distance;
    }
}

static gm_property_result append(const gm_allocator *allocator, const gm_unicode_name *name, gm_ranges *ranges)
{
    if (name == NULL)
        return GM_PROPERTY_UNKNOWN;
    const uint8_t *bytes = gm_unicode_sets + name->offset;
    uint32_t boundary = 0;
    for (size_t at = 0; at < name->length;) {
        const uint32_t low = boundary + read_distance(bytes, &at);
        boundary = low + read_distance(bytes, &at);
        if (!gm_ranges_add(allocator, ranges, low, boundary - 1))
            return GM_PROPERTY_NO_MEMORY;
    }
    return GM_PROPERTY_FOUND;
}

static bool holds(const gm_unicode_name *name, uint32_t code_point)
{
    const uint8_t *bytes = gm_unicode_sets + name->offset;
    bool inside = false;
    uint32_t boundary = 0;
    for (size_t at = 0; at < name->length; inside = !inside) {
        boundary += read_distance(bytes, &at);
        if (code_point < boundary)
            return inside;
    }
    return false;
}

static bool is_one_of(gm_bytes name, const char *long_name, const char *short_name)
{
    return gm_bytes_equal(name, gm_bytes_of(long_name)) || gm_bytes_equal(name, gm_bytes_of(short_name));
}

gm_property_result gm_unicode_property(const gm_allocator *allocator, gm_bytes name, gm_bytes value, gm_ranges *ranges)
{
    const gm_unicode_name *found = NULL;
    if (value.data == NULL) {
        found = find(gm_unicode_categories, gm_unicode_categories_count, name);
        if (found == NULL)
            found = find(gm_unicode_binary_properties, gm_unicode_binary_properties_count, name);
    } else if (is_one_of(name, "General_Category", "gc")) {
        found = find(gm_unicode_categories, gm_unicode_categories_count, value);
    } else if (is_one_of(name, "Script", "sc")) {
        found = find(gm_unicode_scripts, gm_unicode_scripts_count, value);
    } else if (is_one_of(name, "Script_Extensions", "scx")) {
        found = find(gm_unicode_script_extensions, gm_unicode_script_extensions_count, value);
    }
    return append(allocator, found, ranges);
}

static bool has_binary_property(gm_bytes name, uint32_t code_point)
{
    const gm_unicode_name *found = find(gm_unicode_binary_properties, gm_unicode_binary_properties_count, name);
    return found != NULL && holds(found, code_point);
}

bool gm_unicode_is_id_start(uint32_t code_point) { return has_binary_property(GM_BYTES("ID_Start"), code_point); }

bool gm_unicode_is_id_continue(uint32_t code_point)
{
    const bool is_joiner = code_point == 0x200C || code_point == 0x200D;
    return is_joiner || has_binary_property(GM_BYTES("ID_Continue"), code_point);
}
