/*
 * api/api_report.c - what of a schema is enforced, without any vocabulary; see gmask.h.
 *
 * The schema is compiled as if what cannot be enforced were to be ignored: so one pass finds every
 * place that would be refused, each as a note. Keywords of nodes that were read and stand in no
 * note are enforced.
 */
#include "api/compile.h"

#include <stdio.h>

struct gm_schema_report {
    gm_arena arena; /* holds the report itself too */
    gm_status status;
    GM_ARRAY(gm_report_entry) entries;
    const char *json;
    size_t json_length;
};

static bool add_entry(gm_schema_report *report, gm_report_kind kind, const char *pointer, const char *keyword,
                      const char *text)
{
    gm_arena *arena = &report->arena;
    const gm_report_entry entry = {kind, gm_arena_text(arena, gm_bytes_of(pointer)),
                                   gm_arena_text(arena, gm_bytes_of(keyword)), gm_arena_text(arena, gm_bytes_of(text))};
    return entry.pointer != NULL && entry.keyword != NULL && entry.text != NULL &&
           GM_ARRAY_PUSH(&arena->allocator, &report->entries, entry);
}

static bool stands_in_note(const gm_schema_note *notes, size_t count, const char *pointer, const char *keyword)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(notes[i].pointer, pointer) == 0 && strcmp(notes[i].keyword, keyword) == 0)
            return true;
    return false;
}

/* `failure`: what compiling stopped at, or NULL. */
static bool add_enforced(gm_schema_report *report, gm_schema *schema, const gm_schema_note *notes, size_t note_count,
                         const gm_error *failure)
{
    for (gm_node node = 0; node < gm_schema_node_count(schema); node++) {
        gm_schema_keywords keywords;
        char pointer[256], longer[320];
        if (!gm_schema_was_read(schema, node) || gm_schema_read(schema, node, &keywords, NULL) != GM_OK)
            continue;
        gm_schema_pointer(schema, node, pointer, sizeof pointer);
        for (int i = 0; i < GM_KW_COUNT; i++) {
            const char *name = gm_schema_spelling(schema, node, (gm_keyword)i);
            snprintf(longer, sizeof longer, "%s/%s", pointer, name);
            if (keywords.value[i] == NULL || stands_in_note(notes, note_count, longer, name) ||
                stands_in_note(notes, note_count, pointer, name))
                continue;
            if (failure != NULL && strcmp(failure->pointer, longer) == 0 && strcmp(failure->keyword, name) == 0)
                continue;
            if (!add_entry(report, GM_REPORT_ENFORCED, longer, name, ""))
                return false;
        }
    }
    return true;
}

static bool fill_report(gm_schema_report *report, gm_schema *schema, gm_unsupported wanted, const gm_error *error)
{
    const bool failed = report->status != GM_OK; /* only then does the error mean anything */
    size_t count = 0;
    bool fine = true;
    const gm_schema_note *notes = schema != NULL ? gm_schema_notes(schema, &count) : NULL;
    if (schema != NULL && notes == NULL)
        return false;
    if (schema != NULL)
        fine = add_enforced(report, schema, notes, count, failed ? error : NULL);
    for (size_t i = 0; i < count && fine; i++) {
        static const gm_report_kind kinds[] = {[GM_WARNING_ANNOTATION] = GM_REPORT_ANNOTATION,
                                               [GM_WARNING_NARROWED] = GM_REPORT_ENFORCED, /* as a subset */
                                               [GM_WARNING_IGNORED] = GM_REPORT_REFUSED};
        const bool refused = notes[i].kind == GM_WARNING_IGNORED;
        fine = add_entry(report, kinds[notes[i].kind], notes[i].pointer, notes[i].keyword,
                         refused ? "cannot be enforced exactly" : notes[i].text);
        if (refused && wanted == GM_UNSUPPORTED_REFUSE && report->status == GM_OK)
            report->status = GM_UNSUPPORTED;
    }
    if (fine && failed)
        fine = add_entry(report, GM_REPORT_REFUSED, error->pointer, error->keyword, error->message);
    return fine;
}

/* ---- as JSON ---- */

typedef struct writer {
    const gm_allocator *allocator;
    GM_ARRAY(char) text;
    bool failed;
} writer;

static void put(writer *w, const char *text, size_t length)
{
    if (w->failed || !GM_ARRAY_RESERVE(w->allocator, &w->text, length + 1)) {
        w->failed = true;
        return;
    }
    memcpy(w->text.items + w->text.count, text, length);
    w->text.count += length;
}

static void put_string(writer *w, const char *text)
{
    put(w, "\"", 1);
    for (; *text != '\0'; text++) {
        char escaped[8];
        if (*text == '"' || *text == '\\')
            put(w, escaped, (size_t)snprintf(escaped, sizeof escaped, "\\%c", *text));
        else if ((unsigned char)*text < 0x20)
            put(w, escaped, (size_t)snprintf(escaped, sizeof escaped, "\\u%04x", (unsigned)(unsigned char)*text));
        else
            put(w, text, 1);
    }
    put(w, "\"", 1);
}

static void put_field(writer *w, const char *name, const char *value)
{
    put(w, name, strlen(name));
    put_string(w, value);
}

static bool write_json(gm_schema_report *report)
{
    static const char *const kinds[] = {"enforced", "annotation", "refused"};
    writer w = {.allocator = &report->arena.allocator};
    put_field(&w, "{\"status\":", gm_status_name(report->status));
    put(&w, ",\"entries\":[", 12);
    for (size_t i = 0; i < report->entries.count; i++) {
        const gm_report_entry *entry = &report->entries.items[i];
        put_field(&w, i == 0 ? "{\"kind\":" : ",{\"kind\":", kinds[entry->kind]);
        put_field(&w, ",\"pointer\":", entry->pointer);
        put_field(&w, ",\"keyword\":", entry->keyword);
        put_field(&w, ",\"text\":", entry->text);
        put(&w, "}", 1);
    }
    put(&w, "]}", 2);
    if (!w.failed) {
        report->json = gm_arena_text(&report->arena, (gm_bytes){w.text.items, w.text.count});
        report->json_length = w.text.count;
    }
    GM_ARRAY_FREE(w.allocator, &w.text);
    return report->json != NULL;
}

/* ---- public ---- */

void gm_schema_report_destroy(gm_schema_report *report)
{
    if (report == NULL)
        return;
    const gm_allocator allocator = report->arena.allocator;
    GM_ARRAY_FREE(&allocator, &report->entries);
    gm_arena_destroy(&report->arena);
    gm_deallocate(&allocator, report, 1, sizeof *report);
}

static gm_status make_report(gm_schema_report *report, gm_bytes text, const gm_schema_options *options,
                             const gm_limits *limits, gm_error *error)
{
    const gm_allocator *allocator = &report->arena.allocator;
    const gm_text_limits text_limits = gm_text_limits_of(limits);
    const gm_number_limits number_limits = {limits->max_exponent_digits, limits->max_modulus};
    gm_schema_options ignoring = *options;
    const uint64_t no_byte[4] = {0};
    gm_alphabet alphabet;
    gm_form_stores stores = {NULL, NULL, &alphabet};
    gm_compiling compiling;
    gm_error found = {.status = GM_OK};
    const gm_form *form;
    ignoring.unsupported = GM_UNSUPPORTED_IGNORE;
    gm_status status = gm_text_create(allocator, &text_limits, &stores.text, error);
    if (status == GM_OK)
        status = gm_number_create(allocator, &number_limits, &stores.number, error);
    if (status == GM_OK)
        status = gm_alphabet_init(&alphabet, no_byte, false, stores.text, allocator, error);
    if (status == GM_OK) {
        report->status = gm_compiling_run(&compiling, &report->arena, text, stores, &ignoring, limits, &form, &found);
        if (report->status == GM_OUT_OF_MEMORY ||
            !fill_report(report, compiling.schema, options->unsupported, &found) || !write_json(report))
            status = gm_no_memory(error);
        else if (compiling.schema == NULL) { /* not even JSON */
            status = report->status;
            *error = found;
        }
        gm_compiling_finish(&compiling);
    }
    if (stores.number != NULL)
        gm_number_destroy(stores.number);
    if (stores.text != NULL)
        gm_text_destroy(stores.text);
    return status;
}

gm_status gm_schema_check(const char *text, size_t length, const gm_schema_options *options, const gm_limits *limits,
                          gm_schema_report **report, gm_error *error)
{
    gm_error local;
    gm_schema_options known;
    const gm_limits bounds = gm_limits_or_default(limits);
    if (error == NULL)
        error = &local;
    if (report == NULL || (text == NULL && length != 0))
        return gm_fail(error, GM_INVALID_ARGUMENT, "", "", "text and report must not be NULL");
    GM_TRY(gm_options_or_default(options, &known, error));
    const gm_allocator allocator = gm_allocator_or_default(NULL);
    gm_schema_report *made = gm_allocate_zeroed(&allocator, 1, sizeof *made);
    if (made == NULL)
        return gm_no_memory(error);
    gm_arena_init(&made->arena, &allocator);
    const gm_status status = make_report(made, (gm_bytes){text, length}, &known, &bounds, error);
    if (status == GM_OK)
        *report = made;
    else
        gm_schema_report_destroy(made);
    return status;
}

size_t gm_schema_report_count(const gm_schema_report *report) { return report != NULL ? report->entries.count : 0; }

gm_status gm_schema_report_entry(const gm_schema_report *report, size_t index, gm_report_entry *entry)
{
    if (report == NULL || entry == NULL || index >= report->entries.count)
        return GM_INVALID_ARGUMENT;
    *entry = report->entries.items[index];
    return GM_OK;
}

gm_status gm_schema_report_status(const gm_schema_report *report)
{
    return report != NULL ? report->status : GM_INVALID_ARGUMENT;
}

const char *gm_schema_report_json(const gm_schema_report *report, size_t *length)
{
    if (length != NULL)
        *length = report != NULL ? report->json_length : 0;
    return report != NULL ? report->json : "";
}
