/*
 * test_alphabet.c - vocabularies that lack bytes: what can be spelled, and that nothing leads into
 * a dead end.
 *
 * Two oracles. Finite languages: every document is written down in every spelling whose bytes are
 * there, and a token is allowed exactly if some document goes on with it. Infinite ones: the same
 * schema over a vocabulary of all bytes, searched with the bytes there are for an end.
 */
#include "small_vocabulary.h"

#include <stdlib.h>

static uint64_t seed = 1;

static uint32_t draw(uint32_t below)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % below;
}

/* ---- languages written down ---- */

typedef struct texts {
    char **items;
    size_t count, room;
} texts;

static void add(texts *list, const char *text)
{
    if (list->count == list->room) {
        list->room = list->room != 0 ? list->room * 2 : 16;
        list->items = realloc(list->items, list->room * sizeof *list->items);
    }
    list->items[list->count++] = strdup(text);
}

static void clear(texts *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->items[i]);
    free(list->items);
    *list = (texts){0};
}

/* Every text with every ending. */
static void append(texts *list, const texts *endings)
{
    texts made = {0};
    for (size_t i = 0; i < list->count; i++)
        for (size_t j = 0; j < endings->count; j++) {
            char joined[512];
            snprintf(joined, sizeof joined, "%s%s", list->items[i], endings->items[j]);
            add(&made, joined);
        }
    clear(list);
    *list = made;
}

/* \uXXXX of a unit behind each text, digits in either case. */
static void append_unit(texts *list, uint32_t unit)
{
    texts escape = {0};
    add(&escape, "\\u");
    for (int shift = 12; shift >= 0; shift -= 4) {
        texts digit = {0};
        const char lower[2] = {"0123456789abcdef"[unit >> shift & 15], '\0'};
        const char upper[2] = {"0123456789ABCDEF"[unit >> shift & 15], '\0'};
        add(&digit, lower);
        if (upper[0] != lower[0])
            add(&digit, upper);
        append(&escape, &digit);
        clear(&digit);
    }
    append(list, &escape);
    clear(&escape);
}

static uint32_t read_point(const char **text, char raw[5])
{
    const uint8_t *at = (const uint8_t *)*text;
    const size_t length = at[0] < 0x80 ? 1 : at[0] < 0xE0 ? 2 : at[0] < 0xF0 ? 3 : 4;
    uint32_t point = length == 1 ? at[0] : at[0] & (0xFFu >> (length + 1));
    for (size_t i = 1; i < length; i++)
        point = point << 6 | (at[i] & 0x3Fu);
    memcpy(raw, at, length);
    raw[length] = '\0';
    *text += length;
    return point;
}

/* All spellings of one code point. */
static texts spellings(uint32_t point, const char *raw, bool minimal)
{
    static const char points[] = "\"\\/\b\f\n\r\t", letters[] = "\"\\/bfnrt";
    texts all = {0}, escape = {0};
    const char *const found = strchr(points, (int)point);
    const char *const letter = point < 0x80 && found != NULL ? &letters[found - points] : NULL;
    if (point >= 0x20 && point != '"' && point != '\\')
        add(&all, raw);
    if (letter != NULL && !(minimal && point == '/')) {
        const char text[3] = {'\\', *letter, '\0'};
        add(&all, text);
    }
    if (minimal && (point >= 0x20 || letter != NULL))
        return all;
    add(&escape, "");
    append_unit(&escape, point < 0x10000 ? point : 0xD800 + ((point - 0x10000) >> 10));
    if (point >= 0x10000)
        append_unit(&escape, 0xDC00 + (point & 0x3FF));
    for (size_t i = 0; i < escape.count; i++)
        add(&all, escape.items[i]);
    clear(&escape);
    return all;
}

static bool has_all(const bool there[256], const char *text)
{
    for (; *text != '\0'; text++)
        if (!there[(uint8_t)*text])
            return false;
    return true;
}

/* Adds the spellings of a document in the bytes there are; strings stand between apostrophes. */
static void spell(texts *list, const char *document, bool minimal, const bool there[256])
{
    texts all = {0};
    bool inside = false;
    add(&all, "");
    while (*document != '\0') {
        char raw[5];
        const uint32_t point = read_point(&document, raw);
        texts ways = {0}, kept = {0};
        if (point == '\'')
            add(&ways, "\"");
        else if (inside)
            ways = spellings(point, raw, minimal);
        else
            add(&ways, raw);
        inside = inside != (point == '\'');
        for (size_t i = 0; i < ways.count; i++)
            if (has_all(there, ways.items[i]))
                add(&kept, ways.items[i]);
        append(&all, &kept);
        clear(&ways);
        clear(&kept);
    }
    for (size_t i = 0; i < all.count; i++)
        add(list, all.items[i]);
    clear(&all);
}

static int compare_texts(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* Whether some text begins with `prefix`; the list is sorted. */
static bool begins_some(const texts *list, const char *prefix)
{
    size_t low = 0, high = list->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (strcmp(list->items[middle], prefix) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < list->count && strncmp(list->items[low], prefix, strlen(prefix)) == 0;
}

/* ---- vocabularies ---- */

enum { MOST_TOKENS = 300 };

typedef struct tokens {
    char texts[MOST_TOKENS][16];
    size_t count;
} tokens;

/* A token for each byte there, and some pieces of documents. */
static void make_tokens(tokens *all, const bool there[256], const texts *documents)
{
    all->count = 0;
    for (unsigned byte = 1; byte < 256; byte++)
        if (there[byte]) {
            all->texts[all->count][0] = (char)byte;
            all->texts[all->count++][1] = '\0';
        }
    for (int i = 0; i < 12 && documents->count != 0; i++) {
        const char *document = documents->items[draw((uint32_t)documents->count)];
        const size_t length = strlen(document), from = draw((uint32_t)length), size = 2 + draw(7);
        if (size <= length - from)
            snprintf(all->texts[all->count++], 16, "%.*s", (int)size, document + from);
    }
}

static gm_vocab *vocab_of(const tokens *all)
{
    const char *list[MOST_TOKENS];
    for (size_t i = 0; i < all->count; i++)
        list[i] = all->texts[i];
    return small_vocab_of(list, all->count, (gm_vocab_desc){0});
}

/* ---- finite languages ---- */

typedef struct finite {
    const char *schema;
    const char *documents[24];
} finite;

static const finite finites[] = {
    {"{\"const\":\"\xC3\xA9\\n\"}", {"'\xC3\xA9\n'"}},
    {"{\"enum\":[\"\xC3\xA9\",\"\xE2\x82\xAC\",\"a/\",\"\\\"b\"]}", {"'\xC3\xA9'", "'\xE2\x82\xAC'", "'a/'", "'\"b'"}},
    {"{\"enum\":[\"\xF0\x9F\x98\x80\",\"\xF0\x9F\x98\x81x\",\"\xEF\xBF\xBD\"]}",
     {"'\xF0\x9F\x98\x80'", "'\xF0\x9F\x98\x81x'", "'\xEF\xBF\xBD'"}},
    {"{\"type\":\"string\",\"pattern\":\"^[\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80]{0,2}$\",\"minLength\":1}",
     {"'\xC3\xA9'", "'\xE2\x82\xAC'", "'\xF0\x9F\x98\x80'", "'\xC3\xA9\xC3\xA9'", "'\xC3\xA9\xE2\x82\xAC'", "'\xC3\xA9\xF0\x9F\x98\x80'",
      "'\xE2\x82\xAC\xC3\xA9'", "'\xE2\x82\xAC\xE2\x82\xAC'", "'\xE2\x82\xAC\xF0\x9F\x98\x80'", "'\xF0\x9F\x98\x80\xC3\xA9'",
      "'\xF0\x9F\x98\x80\xE2\x82\xAC'", "'\xF0\x9F\x98\x80\xF0\x9F\x98\x80'"}},
    {"{\"type\":\"object\",\"properties\":{\"\xC3\xA9\":{\"const\":\"\\t\"},\"k\":{\"enum\":[null,true]}},"
     "\"additionalProperties\":false}",
     {"{}", "{'\xC3\xA9':'\t'}", "{'k':null}", "{'k':true}", "{'\xC3\xA9':'\t','k':null}", "{'\xC3\xA9':'\t','k':true}",
      "{'k':null,'\xC3\xA9':'\t'}", "{'k':true,'\xC3\xA9':'\t'}"}},
    {"{\"type\":\"object\",\"patternProperties\":{\"^[\xC3\xA9g]$\":{\"const\":true}},\"additionalProperties\":false,"
     "\"minProperties\":1}",
     {"{'\xC3\xA9':true}", "{'g':true}", "{'\xC3\xA9':true,'g':true}", "{'g':true,'\xC3\xA9':true}"}},
    {"{\"type\":\"array\",\"items\":{\"enum\":[\"\\u0001\",false]},\"minItems\":1,\"maxItems\":2}",
     {"['\x01']", "[false]", "['\x01','\x01']", "['\x01',false]", "[false,'\x01']", "[false,false]"}},
    {"{\"type\":\"integer\",\"minimum\":96,\"maximum\":140,\"multipleOf\":4}",
     {"96", "100", "104", "108", "112", "116", "120", "124", "128", "132", "136", "140"}},
    {"{\"type\":\"array\",\"items\":{\"type\":\"integer\",\"minimum\":-12,\"maximum\":-9},\"minItems\":1,\"maxItems\":1}",
     {"[-12]", "[-11]", "[-10]", "[-9]"}},
    {"{\"enum\":[null,true,false,{},[],\"\"]}", {"null", "true", "false", "{}", "[]", "''"}},
};

/* Some of the bytes that occur in some spelling; the rare ones go more often. */
static void choose_bytes(const finite *language, bool there[256])
{
    bool every[256];
    texts all = {0};
    memset(every, true, sizeof every);
    memset(there, false, 256);
    for (size_t i = 0; i < GM_COUNT_OF(language->documents) && language->documents[i] != NULL; i++)
        spell(&all, language->documents[i], false, every);
    for (size_t i = 0; i < all.count; i++)
        for (const char *at = all.items[i]; *at != '\0'; at++)
            there[(uint8_t)*at] = true;
    clear(&all);
    const uint32_t lost = 1 + draw(6);
    for (uint32_t i = 0; i < lost;) {
        const uint8_t byte = (uint8_t)draw(256);
        if (!there[byte] || (strchr("\"{}[]", byte) != NULL && draw(8) != 0)) {
            i += draw(64) == 0;
            continue;
        }
        there[byte] = false;
        i++;
    }
}

/* Whether every token is allowed exactly if some document goes on with it. */
static bool mask_is_the_languages(gm_matcher *matcher, const texts *documents, const tokens *all, const char *so_far)
{
    uint32_t words[SMALL_WORDS];
    if (!small_mask_is_exact(matcher, words))
        return false;
    for (uint32_t i = 0; i < all->count; i++) {
        char longer[512];
        snprintf(longer, sizeof longer, "%s%s", so_far, all->texts[i]);
        if (small_bit(words, i) != begins_some(documents, longer)) {
            fprintf(stderr, "after %s the mask says %d to %s\n", so_far, small_bit(words, i), all->texts[i]);
            return false;
        }
    }
    return true;
}

static bool is_document(const texts *documents, const char *text)
{
    return bsearch(&text, documents->items, documents->count, sizeof text, compare_texts) != NULL;
}

/* One walk to the end of a document; false on the first wrong mask or state. */
static bool walk(gm_grammar *grammar, const texts *documents, const tokens *all)
{
    gm_matcher *matcher = NULL;
    char so_far[512] = "";
    bool good = gm_matcher_create(grammar, NULL, &matcher, NULL) == GM_OK;
    while (good) {
        uint32_t words[SMALL_WORDS];
        const gm_matcher_state_kind state = gm_matcher_state(matcher);
        good = mask_is_the_languages(matcher, documents, all, so_far) && state != GM_STUCK &&
               (state == GM_MAY_STOP || state == GM_STOPPED) == is_document(documents, so_far);
        if (!good || state == GM_STOPPED || gm_matcher_fill(matcher, words, SMALL_WORDS) != GM_OK)
            break;
        uint32_t id = draw((uint32_t)all->count);
        while (!small_bit(words, id))
            id = (id + 1) % (uint32_t)all->count;
        good = gm_matcher_accept(matcher, id) == GM_OK;
        strcat(so_far, all->texts[id]);
    }
    gm_matcher_destroy(matcher);
    return good;
}

static bool language_is_exact(const finite *language, bool minimal)
{
    const gm_schema_options options = {.struct_size = sizeof options, .property_order = GM_ORDER_ANY, .escapes = minimal ? GM_ESCAPES_MINIMAL : GM_ESCAPES_JSON};
    bool there[256], good = true;
    tokens all;
    texts documents = {0};
    choose_bytes(language, there);
    for (size_t i = 0; i < GM_COUNT_OF(language->documents) && language->documents[i] != NULL; i++)
        spell(&documents, language->documents[i], minimal, there);
    if (documents.count > 1)
        qsort(documents.items, documents.count, sizeof *documents.items, compare_texts);
    make_tokens(&all, there, &documents);
    small s = small_compile(vocab_of(&all), 0, language->schema, &options);
    if (documents.count == 0)
        good = s.error.status == GM_UNSATISFIABLE && s.grammar == NULL;
    else
        good = s.grammar != NULL;
    if (!good)
        fprintf(stderr, "%s: %s, but there are %zu spellings\n", language->schema, gm_status_name(s.error.status), documents.count);
    for (int i = 0; i < 5 && good && documents.count != 0; i++)
        if (!walk(s.grammar, &documents, &all)) {
            good = false;
            fprintf(stderr, "%s, minimal %d\n", language->schema, minimal);
        }
    small_close(&s);
    clear(&documents);
    return good;
}

static void masks_are_the_prefixes_of_what_can_be_spelled(void)
{
    seed = 2024;
    for (int round = 0; round < 20; round++)
        for (size_t i = 0; i < GM_COUNT_OF(finites); i++)
            CHECK(language_is_exact(&finites[i], round % 3 == 0));
}

/* ---- infinite languages ---- */

static const char *const infinites[] = {
    "{\"type\":\"string\"}",
    "{\"type\":\"string\",\"minLength\":2,\"maxLength\":3}",
    "{\"type\":\"string\",\"pattern\":\"^\\\\n|\xC3\xA9+$\"}",
    "{\"type\":\"object\",\"additionalProperties\":{\"const\":\"\xC3\xA9\"},\"properties\":{\"n\":false}}",
    "{\"type\":\"object\",\"propertyNames\":{\"maxLength\":1},\"additionalProperties\":{\"enum\":[\"\\n\",1]}}",
    "{\"type\":\"object\",\"patternProperties\":{\"^[\xC3\xA9n]+$\":{\"const\":\"\"}},\"additionalProperties\":false,\"minProperties\":1}",
    "{\"type\":\"number\",\"minimum\":15,\"maximum\":99}",
    "{\"type\":\"array\",\"items\":{\"type\":\"number\",\"exclusiveMinimum\":0,\"exclusiveMaximum\":0.09}}",
    "{\"type\":\"object\",\"properties\":{\"\xC3\xA9\":{\"type\":\"array\",\"items\":{\"type\":\"integer\",\"multipleOf\":7}}}}",
};
/* Bytes that may be there; few, so that the search stays small. */
static const char choices[] = "\"\\u0e9n{}[]:,1.-\xC3\xA9\xE2\x82\xAC";

typedef enum answer { NO, YES, UNKNOWN } answer;

enum { DEPTH = 20, TRIES = 200 };

/* Whether the matcher can be brought to an end with the bytes there are. */
static answer search(gm_matcher *matcher, const bool there[256], int depth, int *tries)
{
    const gm_matcher_state_kind state = gm_matcher_state(matcher);
    answer found = NO;
    if (state == GM_MAY_STOP || state == GM_COMPLETE)
        return YES;
    if (depth == 0 || --*tries < 0)
        return UNKNOWN;
    for (size_t i = 0; i < sizeof choices - 1 && found != YES; i++) {
        const uint8_t byte = (uint8_t)choices[i];
        if (!there[byte] || gm_matcher_accept_bytes(matcher, &byte, 1, NULL) != GM_OK)
            continue;
        const answer behind = search(matcher, there, depth - 1, tries);
        found = behind != NO ? behind : found;
        CHECK(gm_matcher_rollback(matcher, 1) == GM_OK);
    }
    return found;
}

static answer reaches_an_end(gm_matcher *matcher, const bool there[256])
{
    int tries = TRIES;
    return search(matcher, there, DEPTH, &tries);
}

static bool walk_beside(gm_matcher *matcher, gm_matcher *whole, const tokens *all, const bool there[256], int *told)
{
    for (int step = 0; step < 24; step++) {
        uint32_t words[SMALL_WORDS];
        const gm_matcher_state_kind state = gm_matcher_state(matcher);
        if (!small_mask_is_exact(matcher, words) || state == GM_STUCK)
            return false;
        for (uint32_t i = 0; i < all->count; i++) {
            answer alive = NO;
            if (small_put(whole, all->texts[i]) == GM_OK) {
                alive = reaches_an_end(whole, there);
                CHECK(gm_matcher_rollback(whole, 1) == GM_OK);
            }
            *told += alive != UNKNOWN;
            if (alive != UNKNOWN && (alive == YES) != small_bit(words, i)) {
                fprintf(stderr, "the mask says %d to %s\n", small_bit(words, i), all->texts[i]);
                return false;
            }
        }
        if (state == GM_STOPPED)
            return true;
        uint32_t id = draw((uint32_t)all->count);
        while (!small_bit(words, id))
            id = (id + 1) % (uint32_t)all->count;
        if (gm_matcher_accept(matcher, id) != GM_OK || small_put(whole, all->texts[id]) != GM_OK)
            return false;
    }
    return true;
}

static bool agrees_with_all_bytes(const char *schema, bool minimal, int *told)
{
    const gm_schema_options options = {.struct_size = sizeof options, .property_order = GM_ORDER_ANY, .escapes = minimal ? GM_ESCAPES_MINIMAL : GM_ESCAPES_JSON};
    bool there[256] = {false};
    const texts none = {0};
    tokens all;
    for (size_t i = 0; i < sizeof choices - 1; i++)
        there[(uint8_t)choices[i]] = draw(6) != 0;
    make_tokens(&all, there, &none);
    small whole = small_open(NULL, schema, &options);
    small s = small_compile(vocab_of(&all), 0, schema, &options);
    const answer inhabited = reaches_an_end(whole.matcher, there);
    bool good = inhabited == UNKNOWN || (s.grammar != NULL) == (inhabited == YES);
    if (s.grammar != NULL && good) {
        CHECK(gm_matcher_create(s.grammar, NULL, &s.matcher, NULL) == GM_OK);
        good = walk_beside(s.matcher, whole.matcher, &all, there, told);
    }
    if (!good) {
        fprintf(stderr, "%s, minimal %d, bytes:", schema, minimal);
        for (size_t i = 0; i < all.count; i++)
            fprintf(stderr, " %s", all.texts[i]);
        fprintf(stderr, "\n");
    }
    small_close(&s);
    small_close(&whole);
    return good;
}

static void masks_are_what_all_bytes_would_say_with_the_bytes_there_are(void)
{
    int told = 0;
    seed = 7;
    for (int round = 0; round < 6; round++)
        for (size_t i = 0; i < GM_COUNT_OF(infinites); i++)
            CHECK(agrees_with_all_bytes(infinites[i], round % 3 == 0, &told));
    CHECK(told > 5000);
}

/* ---- single cases ---- */

static gm_status status_over(const char *bytes, const char *schema, gm_schema_options options)
{
    tokens all = {.count = 0};
    for (; *bytes != '\0'; bytes++)
        snprintf(all.texts[all.count++], 16, "%c", *bytes);
    options.struct_size = sizeof options;
    small s = small_compile(vocab_of(&all), 0, schema, &options);
    const gm_status status = s.error.status;
    small_close(&s);
    return status;
}

static void escaping_minimally_needs_the_raw_bytes(void)
{
    const gm_schema_options json = {0}, minimal = {.escapes = GM_ESCAPES_MINIMAL};
    CHECK(status_over("\"\\u0e9", "{\"const\":\"\xC3\xA9\"}", json) == GM_OK);
    CHECK(status_over("\"\\u0e9", "{\"const\":\"\xC3\xA9\"}", minimal) == GM_UNSATISFIABLE);
    CHECK(status_over("\"\\u01", "{\"const\":\"\\u0001\"}", minimal) == GM_OK);
    CHECK(status_over("\"\\u0a", "{\"const\":\"\\n\"}", json) == GM_OK);
    CHECK(status_over("\"\\u0a", "{\"const\":\"\\n\"}", minimal) == GM_UNSATISFIABLE);
    CHECK(status_over("\"\\/", "{\"const\":\"/\"}", minimal) == GM_OK);
}

static void separators_are_spelled_too(void)
{
    const gm_schema_options compact = {.whitespace = GM_WHITESPACE_COMPACT}, spaced = {.whitespace = GM_WHITESPACE_SPACED},
                            lines = {.whitespace = GM_WHITESPACE_INDENTED},
                            tight = {.whitespace = GM_WHITESPACE_SPACED, .item_separator = ",", .key_separator = ":"};
    static const char one[] = "{\"required\":[\"a\"],\"type\":\"object\",\"maxProperties\":1}";
    static const char two[] = "{\"const\":[1,1]}", single[] = "{\"const\":[1]}", members[] = "{\"const\":{\"a\":1,\"1\":1}}";
    CHECK(status_over("{}\":a1", one, compact) == GM_OK && status_over("{}\":a1", one, spaced) == GM_UNSATISFIABLE);
    CHECK(status_over("{}\":a1", one, tight) == GM_OK && status_over("{}\":a1 ", one, lines) == GM_UNSATISFIABLE);
    CHECK(status_over("[1]", two, compact) == GM_UNSATISFIABLE && status_over("[1]", single, compact) == GM_OK);
    CHECK(status_over("[1],", two, compact) == GM_OK && status_over("[1],", two, spaced) == GM_UNSATISFIABLE);
    CHECK(status_over("[1], \n", two, lines) == GM_OK && status_over("[1], ", single, lines) == GM_UNSATISFIABLE);
    CHECK(status_over("{}\":a1", members, compact) == GM_UNSATISFIABLE && status_over("{}\":a1,", members, compact) == GM_OK);
}

/* The bytes that may follow a text, as one-byte tokens; "" if the text does not fit. */
static const char *next_bytes(const char *bytes, const char *schema, const char *text)
{
    static char next[64];
    uint32_t words[SMALL_WORDS];
    tokens all = {.count = 0};
    size_t count = 0;
    for (const char *at = bytes; *at != '\0'; at++)
        snprintf(all.texts[all.count++], 16, "%c", *at);
    small s = small_compile(vocab_of(&all), 0, schema, NULL);
    CHECK(s.grammar != NULL && gm_matcher_create(s.grammar, NULL, &s.matcher, NULL) == GM_OK);
    if (small_put(s.matcher, text) == GM_OK && small_mask_is_exact(s.matcher, words))
        for (uint32_t i = 0; i < all.count; i++)
            if (small_bit(words, i))
                next[count++] = bytes[i];
    next[count] = '\0';
    small_close(&s);
    return next;
}

static void keys_end_too(void)
{
    static const char any[] = "{\"additionalProperties\":{\"const\":{}},\"type\":\"object\"}";
    static const char pattern[] = "{\"type\":\"object\",\"patternProperties\":{\"^n\xC3\xA9+$\":{\"const\":1}},\"additionalProperties\":false}";
    CHECK(strcmp(next_bytes("{}\":\\u", any, "{\"\\"), "\"\\") == 0); /* no digits for \uXXXX */
    CHECK(strcmp(next_bytes("{}\":\\u1", any, "{\"\\"), "\"\\u") == 0);
    CHECK(strcmp(next_bytes("{}\":\xC3", any, "{\""), "{}\":") == 0);
    CHECK(strcmp(next_bytes("{}\":n1", pattern, "{"), "}") == 0);
    CHECK(strcmp(next_bytes("{}\":n1\xC3\xA9", pattern, "{"), "}\"") == 0);
}

/* A few steps of a document that needs an escape and a number; the first status that is not GM_OK. */
static gm_status write_document(gm_compiler *compiler, const gm_allocator *allocator)
{
    static const char schema[] = "{\"type\":\"array\",\"items\":{\"anyOf\":[{\"enum\":[\"\xC3\xA9\",\"n\"]},{\"enum\":[101,17]}]}}";
    const gm_matcher_options options = {.struct_size = sizeof options, .allocator = allocator};
    gm_grammar *grammar = NULL;
    gm_matcher *matcher = NULL;
    uint32_t words[SMALL_WORDS];
    gm_status status = gm_compile_json_schema(compiler, schema, sizeof schema - 1, NULL, &grammar, NULL);
    if (status == GM_OK)
        status = gm_matcher_create(grammar, &options, &matcher, NULL);
    for (const char *at = "[\"\\u00e9\",101,"; *at != '\0' && status == GM_OK; at++) {
        status = gm_matcher_fill(matcher, words, SMALL_WORDS);
        if (status == GM_OK)
            status = gm_matcher_accept_bytes(matcher, (const uint8_t *)at, 1, NULL);
    }
    gm_matcher_destroy(matcher);
    gm_grammar_release(grammar);
    return status;
}

static void every_allocation_may_fail(void)
{
    tokens all = {.count = 0};
    for (const char *at = "[]\"\\u0e91,"; *at != '\0'; at++)
        snprintf(all.texts[all.count++], 16, "%c", *at);
    gm_vocab *vocab = vocab_of(&all);
    failing_allocator state = {.budget = -1};
    const gm_allocator allocator = failing_allocator_of(&state);
    gm_status status = GM_OUT_OF_MEMORY;
    long budget = 0;
    gm_compiler *compiler = NULL;
    for (; status != GM_OK; budget += 1 + budget / 4) {
        state.budget = budget;
        status = gm_compiler_create(vocab, NULL, &allocator, &compiler, NULL);
        CHECK(status == GM_OK || (status == GM_OUT_OF_MEMORY && state.live == 0));
    }
    const long kept = state.live;
    for (status = GM_OUT_OF_MEMORY, budget = 0; status != GM_OK; budget++) {
        state.budget = budget;
        status = write_document(compiler, &allocator);
        CHECK(status == GM_OK || status == GM_OUT_OF_MEMORY);
    }
    CHECK(budget > 20 && state.live >= kept);
    gm_compiler_release(compiler);
    CHECK(state.live == 0);
    gm_vocab_release(vocab);
}

static void past_its_memory_a_matcher_says_limit(void)
{
    uint32_t stop;
    gm_vocab *vocab = small_byte_vocab(NULL, &stop);
    for (uint64_t most = 1; most <= 64 << 10; most = most * 3 + 1) {
        const gm_limits limits = {.struct_size = sizeof limits, .max_matcher_memory = most};
        gm_compiler *compiler = NULL;
        gm_grammar *grammar = NULL;
        gm_matcher *matcher = NULL;
        CHECK(gm_compiler_create(vocab, &limits, NULL, &compiler, NULL) == GM_OK);
        CHECK(gm_compile_json(compiler, NULL, &grammar, NULL) == GM_OK);
        CHECK(gm_matcher_create(grammar, NULL, &matcher, NULL) == GM_OK);
        const size_t bare = gm_matcher_memory(matcher);
        for (size_t kind = 0; kind < 2; kind++) { /* the journal grows with depth, the steps with length */
            gm_status status = gm_matcher_accept(matcher, '[');
            for (int i = 0; i < 100000 && status == GM_OK; i++)
                status = gm_matcher_accept(matcher, kind == 0 ? '[' : (uint8_t)"1,"[i % 2]);
            CHECK(status == GM_LIMIT);
            CHECK(gm_matcher_memory(matcher) <= bare + most + 256);
            CHECK(gm_matcher_rollback(matcher, gm_matcher_token_count(matcher)) == GM_OK);
        }
        gm_matcher_destroy(matcher);
        gm_grammar_release(grammar);
        gm_compiler_release(compiler);
    }
    gm_vocab_release(vocab);
}

int main(void)
{
    RUN(masks_are_the_prefixes_of_what_can_be_spelled);
    RUN(masks_are_what_all_bytes_would_say_with_the_bytes_there_are);
    RUN(escaping_minimally_needs_the_raw_bytes);
    RUN(separators_are_spelled_too);
    RUN(keys_end_too);
    RUN(every_allocation_may_fail);
    RUN(past_its_memory_a_matcher_says_limit);
    return REPORT("test_alphabet");
}
