/*
 * test_schema_suite.c - the graph under the official suite: a plain validator that knows keywords
 * only through gm_schema_read, child and reference must give the suite's answers in all drafts.
 *
 * The cases are looked for in the folder GM_SHARED (else ../shared); `xz` unpacks them. Both are
 * skipped by name when absent. Patterns go to POSIX regcomp, which knows those of the suite but
 * for \p{...}.
 */
#define _POSIX_C_SOURCE 200809L
#include "schema/schema.h"

#include "base/utf8.h"
#include "check.h"

#include <regex.h>

__extension__ typedef unsigned __int128 wide;

enum { NESTING = 1000 };

typedef struct suite {
    gm_arena documents_arena;
    const gm_json *documents[200]; /* {"uri", "text"} */
    size_t document_count;
    const gm_json *allowed; /* URIs of the case at hand */
    size_t cases;
    size_t answers;
    size_t skipped;
} suite;

typedef struct validation {
    gm_arena *arena;
    gm_schema *schema;
    bool is_undecided; /* a pattern that regcomp does not know, or an error */
    bool is_broken;
} validation;

/* ---- numbers ---- */

typedef struct decimal { /* sign * digits * 10^exponent */
    bool negative;
    gm_bytes digits;
    long exponent;
} decimal;

static decimal decimal_of(const validation *in, const gm_json *number)
{
    gm_bytes text = {"0e0", 3};
    CHECK(gm_json_canonical(in->arena, number, &text) == GM_OK);
    decimal value = {.negative = *text.data == '-'};
    const char *const start = text.data + value.negative;
    const char *const mark = memchr(start, 'e', text.length);
    value.digits = (gm_bytes){start, (size_t)(mark - start)};
    for (const char *at = mark + 1 + (mark[1] == '-'); at < text.data + text.length; at++)
        value.exponent = value.exponent * 10 + (*at - '0');
    if (mark[1] == '-')
        value.exponent = -value.exponent;
    return value;
}

static bool is_zero(decimal value) { return *value.digits.data == '0'; }

static int compare(const validation *in, const gm_json *left, const gm_json *right)
{
    const decimal a = decimal_of(in, left);
    const decimal b = decimal_of(in, right);
    const int sign_a = is_zero(a) ? 0 : a.negative ? -1 : 1;
    const int sign_b = is_zero(b) ? 0 : b.negative ? -1 : 1;
    if (sign_a != sign_b || sign_a == 0)
        return sign_a - sign_b;
    const long size_a = a.exponent + (long)a.digits.length;
    const long size_b = b.exponent + (long)b.digits.length;
    const int order = size_a != size_b ? (size_a > size_b ? 1 : -1) : gm_bytes_compare(a.digits, b.digits);
    return sign_a * order;
}

static bool is_multiple(const validation *in, const gm_json *number, const gm_json *of)
{
    const decimal a = decimal_of(in, number);
    const decimal b = decimal_of(in, of);
    const long base = a.exponent < b.exponent ? a.exponent : b.exponent;
    wide modulus = 0;
    for (size_t i = 0; i < b.digits.length; i++)
        modulus = modulus * 10 + (wide)(b.digits.data[i] - '0');
    for (long i = base; i < b.exponent; i++)
        modulus *= 10;
    CHECK(modulus < (wide)1 << 64);
    wide rest = 0;
    for (size_t i = 0; i < a.digits.length; i++)
        rest = (rest * 10 + (wide)(a.digits.data[i] - '0')) % modulus;
    for (long i = base; i < a.exponent; i++)
        rest = rest * 10 % modulus;
    return rest == 0;
}

static size_t count_of(const validation *in, const gm_json *number)
{
    const decimal value = decimal_of(in, number);
    size_t count = 0;
    for (size_t i = 0; i < value.digits.length; i++)
        count = count * 10 + (size_t)(value.digits.data[i] - '0');
    for (long i = 0; i < value.exponent; i++)
        count *= 10;
    return count;
}

/* ---- scalars ---- */

static bool matches(validation *in, gm_bytes pattern, gm_bytes text)
{
    regex_t compiled;
    const char *const source = gm_arena_text(in->arena, pattern);
    if (memchr(pattern.data, '\\', pattern.length) != NULL || regcomp(&compiled, source, REG_EXTENDED | REG_NOSUB) != 0) {
        in->is_undecided = true;
        return true;
    }
    const bool found = regexec(&compiled, gm_arena_text(in->arena, text), 0, NULL, 0) == 0;
    regfree(&compiled);
    return found;
}

static bool equal(const validation *in, const gm_json *a, const gm_json *b)
{
    bool same = false;
    CHECK(gm_json_equal(in->arena, a, b, &same) == GM_OK);
    return same;
}

static bool has_type(const gm_json *value, gm_bytes type)
{
    static const char *const names[] = {"null", "boolean", "boolean", "number", "string", "array", "object"};
    if (gm_bytes_equal(type, GM_BYTES("integer")))
        return value->kind == GM_JSON_NUMBER && gm_json_is_integer(value);
    return gm_bytes_equal(type, gm_bytes_of(names[value->kind]));
}

static bool holds_type(const gm_json *types, const gm_json *value)
{
    bool fits = types->kind == GM_JSON_STRING && has_type(value, types->as.text);
    for (size_t i = 0; types->kind == GM_JSON_ARRAY && i < types->count; i++)
        fits = fits || has_type(value, types->as.items[i]->as.text);
    return fits;
}

static bool holds_enum(const validation *in, const gm_json *values, const gm_json *value)
{
    bool found = false;
    for (size_t i = 0; i < values->count; i++)
        found = found || equal(in, values->as.items[i], value);
    return found;
}

static bool in_range(const validation *in, const gm_json *least, const gm_json *most, size_t count)
{
    return (least == NULL || count >= count_of(in, least)) && (most == NULL || count <= count_of(in, most));
}

static bool holds_scalar(validation *in, const gm_json *const *kw, const gm_json *value)
{
    if ((kw[GM_KW_TYPE] && !holds_type(kw[GM_KW_TYPE], value)) || (kw[GM_KW_ENUM] && !holds_enum(in, kw[GM_KW_ENUM], value)) ||
        (kw[GM_KW_CONST] && !equal(in, kw[GM_KW_CONST], value)))
        return false;
    if (value->kind == GM_JSON_NUMBER)
        return !(kw[GM_KW_MINIMUM] && compare(in, value, kw[GM_KW_MINIMUM]) < 0) &&
               !(kw[GM_KW_MAXIMUM] && compare(in, value, kw[GM_KW_MAXIMUM]) > 0) &&
               !(kw[GM_KW_EXCLUSIVE_MINIMUM] && compare(in, value, kw[GM_KW_EXCLUSIVE_MINIMUM]) <= 0) &&
               !(kw[GM_KW_EXCLUSIVE_MAXIMUM] && compare(in, value, kw[GM_KW_EXCLUSIVE_MAXIMUM]) >= 0) &&
               !(kw[GM_KW_MULTIPLE_OF] && !is_multiple(in, value, kw[GM_KW_MULTIPLE_OF]));
    if (value->kind == GM_JSON_STRING)
        return in_range(in, kw[GM_KW_MIN_LENGTH], kw[GM_KW_MAX_LENGTH], gm_utf8_count(value->as.text)) &&
               !(kw[GM_KW_PATTERN] && !matches(in, kw[GM_KW_PATTERN]->as.text, value->as.text));
    return true;
}

/* ---- schemas; `seen` marks the members or items that were evaluated ---- */

static bool valid(validation *in, gm_node node, const gm_json *value, bool *seen);

static bool valid_child(validation *in, gm_node node, const gm_json *schema, const gm_json *value, bool *seen)
{
    gm_node child;
    gm_error error;
    if (gm_schema_child(in->schema, node, schema, &child, &error) != GM_OK) {
        fprintf(stderr, "%s: %s\n", error.pointer, error.message);
        in->is_broken = true;
        return false;
    }
    return valid(in, child, value, seen);
}

static bool *blank(const validation *in, const gm_json *value)
{
    return GM_ARENA_NEW(in->arena, bool, (value->kind >= GM_JSON_ARRAY ? value->count : 0) + 1);
}

/* In place: what was evaluated counts if the schema holds. */
static bool valid_here(validation *in, gm_node node, const gm_json *schema, const gm_json *value, bool *seen)
{
    bool *const own = blank(in, value);
    const bool fine = valid_child(in, node, schema, value, own);
    for (size_t i = 0; fine && value->kind >= GM_JSON_ARRAY && i < value->count; i++)
        seen[i] = seen[i] || own[i];
    return fine;
}

static size_t count_valid(validation *in, gm_node node, const gm_json *list, const gm_json *value, bool *seen)
{
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++)
        count += valid_here(in, node, list->as.items[i], value, seen);
    return count;
}

static bool holds_reference(validation *in, gm_node node, gm_keyword keyword, const gm_json *value, bool *seen)
{
    gm_node target;
    gm_error error;
    if (gm_schema_reference(in->schema, node, keyword, &target, &error) != GM_OK) {
        fprintf(stderr, "%s: %s\n", error.pointer, error.message);
        in->is_broken = true;
        return false;
    }
    bool *const own = blank(in, value);
    const bool fine = valid(in, target, value, own);
    for (size_t i = 0; fine && value->kind >= GM_JSON_ARRAY && i < value->count; i++)
        seen[i] = seen[i] || own[i];
    return fine;
}

static bool holds_in_place(validation *in, gm_node node, const gm_json *const *kw, const gm_json *value, bool *seen)
{
    bool fine = true;
    if (kw[GM_KW_REF])
        fine = holds_reference(in, node, GM_KW_REF, value, seen) && fine;
    if (kw[GM_KW_DYNAMIC_REF])
        fine = holds_reference(in, node, GM_KW_DYNAMIC_REF, value, seen) && fine;
    if (kw[GM_KW_ALL_OF])
        fine = count_valid(in, node, kw[GM_KW_ALL_OF], value, seen) == kw[GM_KW_ALL_OF]->count && fine;
    if (kw[GM_KW_ANY_OF])
        fine = count_valid(in, node, kw[GM_KW_ANY_OF], value, seen) > 0 && fine;
    if (kw[GM_KW_ONE_OF])
        fine = count_valid(in, node, kw[GM_KW_ONE_OF], value, seen) == 1 && fine;
    if (kw[GM_KW_NOT])
        fine = !valid_child(in, node, kw[GM_KW_NOT], value, blank(in, value)) && fine;
    if (kw[GM_KW_IF]) {
        const gm_json *const then = kw[valid_here(in, node, kw[GM_KW_IF], value, seen) ? GM_KW_THEN : GM_KW_ELSE];
        fine = (then == NULL || valid_here(in, node, then, value, seen)) && fine;
    }
    return fine;
}

static bool has_all(const gm_json *object, const gm_json *names)
{
    bool fine = true;
    for (size_t i = 0; i < names->count; i++)
        fine = fine && gm_json_get(object, names->as.items[i]->as.text) != NULL;
    return fine;
}

static bool holds_dependencies(validation *in, gm_node node, const gm_json *map, const gm_json *value, bool *seen)
{
    bool fine = true;
    for (size_t i = 0; map != NULL && i < map->count; i++) {
        const gm_json *const needed = map->as.members[i].value;
        if (gm_json_get(value, map->as.members[i].key) == NULL)
            continue;
        fine = (needed->kind == GM_JSON_ARRAY ? has_all(value, needed) : valid_here(in, node, needed, value, seen)) && fine;
    }
    return fine;
}

static bool holds_members(validation *in, gm_node node, const gm_json *const *kw, const gm_json *value, bool *seen)
{
    bool fine = true;
    for (size_t i = 0; i < value->count; i++) {
        const gm_json_member *const member = &value->as.members[i];
        const gm_json *const declared = kw[GM_KW_PROPERTIES] ? gm_json_get(kw[GM_KW_PROPERTIES], member->key) : NULL;
        bool is_met = declared != NULL;
        if (declared)
            fine = valid_child(in, node, declared, member->value, blank(in, member->value)) && fine;
        for (size_t j = 0; kw[GM_KW_PATTERN_PROPERTIES] && j < kw[GM_KW_PATTERN_PROPERTIES]->count; j++) {
            const gm_json_member *const pattern = &kw[GM_KW_PATTERN_PROPERTIES]->as.members[j];
            if (matches(in, pattern->key, member->key)) {
                is_met = true;
                fine = valid_child(in, node, pattern->value, member->value, blank(in, member->value)) && fine;
            }
        }
        if (!is_met && kw[GM_KW_ADDITIONAL_PROPERTIES]) {
            is_met = true;
            fine = valid_child(in, node, kw[GM_KW_ADDITIONAL_PROPERTIES], member->value, blank(in, member->value)) && fine;
        }
        seen[i] = seen[i] || is_met;
        const gm_json name = {.kind = GM_JSON_STRING, .as = {.text = member->key}};
        if (kw[GM_KW_PROPERTY_NAMES])
            fine = valid_child(in, node, kw[GM_KW_PROPERTY_NAMES], &name, blank(in, &name)) && fine;
    }
    return fine;
}

static bool holds_object(validation *in, gm_node node, const gm_json *const *kw, const gm_json *value, bool *seen)
{
    bool fine = holds_members(in, node, kw, value, seen);
    fine = in_range(in, kw[GM_KW_MIN_PROPERTIES], kw[GM_KW_MAX_PROPERTIES], value->count) && fine;
    fine = (kw[GM_KW_REQUIRED] == NULL || has_all(value, kw[GM_KW_REQUIRED])) && fine;
    fine = holds_dependencies(in, node, kw[GM_KW_DEPENDENT_REQUIRED], value, seen) && fine;
    fine = holds_dependencies(in, node, kw[GM_KW_DEPENDENT_SCHEMAS], value, seen) && fine;
    return holds_dependencies(in, node, kw[GM_KW_DEPENDENCIES], value, seen) && fine;
}

static bool holds_contains(validation *in, gm_node node, const gm_schema_keywords *keywords, const gm_json *value, bool *seen)
{
    const gm_json *const *kw = keywords->value;
    size_t count = 0;
    for (size_t i = 0; i < value->count; i++) {
        const gm_json *const item = value->as.items[i];
        if (!valid_child(in, node, kw[GM_KW_CONTAINS], item, blank(in, item)))
            continue;
        count++;
        if (keywords->draft == GM_DRAFT_2020_12)
            seen[i] = true;
    }
    return (count > 0 || kw[GM_KW_MIN_CONTAINS]) && in_range(in, kw[GM_KW_MIN_CONTAINS], kw[GM_KW_MAX_CONTAINS], count);
}

static bool holds_array(validation *in, gm_node node, const gm_schema_keywords *keywords, const gm_json *value, bool *seen)
{
    const gm_json *const *kw = keywords->value;
    bool fine = in_range(in, kw[GM_KW_MIN_ITEMS], kw[GM_KW_MAX_ITEMS], value->count);
    for (size_t i = 0; i < value->count; i++) {
        const gm_json *const item = value->as.items[i];
        const bool in_prefix = kw[GM_KW_PREFIX_ITEMS] && i < kw[GM_KW_PREFIX_ITEMS]->count;
        const gm_json *const schema = in_prefix ? kw[GM_KW_PREFIX_ITEMS]->as.items[i] : kw[GM_KW_ITEMS];
        if (schema)
            fine = valid_child(in, node, schema, item, blank(in, item)) && fine;
        seen[i] = seen[i] || schema != NULL;
        for (size_t j = 0; kw[GM_KW_UNIQUE_ITEMS] && j < i; j++)
            fine = !equal(in, item, value->as.items[j]) && fine;
    }
    return (kw[GM_KW_CONTAINS] == NULL || holds_contains(in, node, keywords, value, seen)) && fine;
}

static bool holds_unevaluated(validation *in, gm_node node, const gm_json *schema, const gm_json *value, bool *seen)
{
    bool fine = true;
    for (size_t i = 0; i < value->count; i++) {
        const gm_json *const part = value->kind == GM_JSON_ARRAY ? value->as.items[i] : value->as.members[i].value;
        if (!seen[i])
            fine = valid_child(in, node, schema, part, blank(in, part)) && fine;
        seen[i] = true;
    }
    return fine;
}

static bool valid(validation *in, gm_node node, const gm_json *value, bool *seen)
{
    const gm_json *const schema = gm_schema_value(in->schema, node);
    if (gm_json_is_boolean(schema))
        return schema->kind == GM_JSON_TRUE;
    gm_schema_keywords keywords;
    gm_error error;
    if (gm_schema_read(in->schema, node, &keywords, &error) != GM_OK) {
        fprintf(stderr, "%s: %s\n", error.pointer, error.message);
        in->is_broken = true;
        return false;
    }
    const gm_json *const *kw = keywords.value;
    bool fine = holds_scalar(in, kw, value);
    fine = holds_in_place(in, node, kw, value, seen) && fine;
    if (value->kind == GM_JSON_OBJECT) {
        fine = holds_object(in, node, kw, value, seen) && fine;
        if (kw[GM_KW_UNEVALUATED_PROPERTIES])
            fine = holds_unevaluated(in, node, kw[GM_KW_UNEVALUATED_PROPERTIES], value, seen) && fine;
    }
    if (value->kind == GM_JSON_ARRAY) {
        fine = holds_array(in, node, &keywords, value, seen) && fine;
        if (kw[GM_KW_UNEVALUATED_ITEMS])
            fine = holds_unevaluated(in, node, kw[GM_KW_UNEVALUATED_ITEMS], value, seen) && fine;
    }
    return fine;
}

/* ---- cases ---- */

static gm_bytes text_of(const gm_json *object, const char *key)
{
    const gm_json *const value = gm_json_get(object, gm_bytes_of(key));
    return value != NULL && value->kind == GM_JSON_STRING ? value->as.text : (gm_bytes){"", 0};
}

static bool resolve(void *context, const char *uri, size_t length, const char **text, size_t *text_length)
{
    const suite *const of = context;
    bool is_allowed = false;
    for (size_t i = 0; i < of->allowed->count; i++)
        is_allowed = is_allowed || gm_bytes_equal(of->allowed->as.items[i]->as.text, (gm_bytes){uri, length});
    for (size_t i = 0; is_allowed && i < of->document_count; i++)
        if (gm_bytes_equal(text_of(of->documents[i], "uri"), (gm_bytes){uri, length})) {
            const gm_bytes found = text_of(of->documents[i], "text");
            *text = found.data;
            *text_length = found.length;
            return true;
        }
    return false;
}

static gm_draft draft_of(gm_bytes name)
{
    static const struct {
        const char *name;
        gm_draft draft;
    } drafts[] = {{"draft4", GM_DRAFT_4}, {"draft6", GM_DRAFT_6}, {"draft7", GM_DRAFT_7},
                  {"draft2019-09", GM_DRAFT_2019_09}, {"draft2020-12", GM_DRAFT_2020_12}};
    for (size_t i = 0; i < GM_COUNT_OF(drafts); i++)
        if (gm_bytes_equal(name, gm_bytes_of(drafts[i].name)))
            return drafts[i].draft;
    return GM_DRAFT_BY_SCHEMA;
}

static void run_instance(suite *of, validation *in, gm_node root, const gm_json *instance, gm_bytes id)
{
    const gm_bytes text = text_of(instance, "text");
    const gm_json *value = NULL;
    CHECK(gm_json_read(in->arena, text.data, text.length, NESTING, &value, NULL) == GM_OK);
    in->is_undecided = false;
    in->is_broken = false;
    const bool answer = valid(in, root, value, blank(in, value));
    if (in->is_undecided) {
        of->skipped++;
        return;
    }
    const bool label = gm_json_get(instance, GM_BYTES("valid"))->kind == GM_JSON_TRUE;
    if (answer != label || in->is_broken)
        fprintf(stderr, "%.*s: %.*s\n", (int)id.length, id.data, (int)text.length, text.data);
    CHECK(answer == label && !in->is_broken);
    of->answers++;
}

static void run_case(suite *of, gm_arena *arena, const gm_json *one)
{
    gm_schema_options options = {.struct_size = sizeof options, .draft = draft_of(text_of(one, "draft"))};
    options.formats = gm_bytes_equal(text_of(gm_json_get(one, GM_BYTES("options")), "formats"), GM_BYTES("assert"))
                          ? GM_FORMATS_ASSERT
                          : GM_FORMATS_ANNOTATE;
    options.resolver = resolve;
    options.resolver_context = of;
    of->allowed = gm_json_get(one, GM_BYTES("documents"));
    const gm_bytes text = text_of(one, "schema");
    const gm_bytes id = text_of(one, "id");
    validation in = {.arena = arena};
    gm_node root = 0;
    gm_error error = {0};
    const gm_status status = gm_schema_open(arena, text.data, text.length, &options, NULL, &in.schema, &root, &error);
    if (status != GM_OK)
        fprintf(stderr, "%.*s: %s: %s\n", (int)id.length, id.data, error.pointer, error.message);
    CHECK(status == GM_OK);
    if (status != GM_OK)
        return;
    of->cases++;
    const gm_json *const instances = gm_json_get(one, GM_BYTES("instances"));
    for (size_t i = 0; i < instances->count; i++)
        run_instance(of, &in, root, instances->as.items[i], id);
    size_t notes = 0;
    CHECK(gm_schema_notes(in.schema, &notes) != NULL);
    gm_schema_close(in.schema);
}

/* ---- files ---- */

static const char *shared_folder(void)
{
    const char *const given = getenv("GM_SHARED");
    return given != NULL ? given : "../shared";
}

static gm_arena fresh_arena(void)
{
    const gm_allocator allocator = gm_allocator_or_default(NULL);
    gm_arena arena;
    gm_arena_init(&arena, &allocator);
    return arena;
}

static bool read_documents(suite *of)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/cases/documents/documents.jsonl", shared_folder());
    FILE *const file = fopen(path, "r");
    if (file == NULL)
        return false;
    char *line = NULL;
    size_t size = 0;
    for (ssize_t length; (length = getline(&line, &size, file)) > 0 && of->document_count < GM_COUNT_OF(of->documents);)
        CHECK(gm_json_read(&of->documents_arena, line, (size_t)length, NESTING, &of->documents[of->document_count++], NULL) == GM_OK);
    free(line);
    fclose(file);
    return true;
}

/* Optional files about references, identifiers and dialects; the rest is about other things. */
static bool is_wanted(gm_bytes id)
{
    static const char *const wanted[] = {"/optional/id/", "/optional/anchor/", "/optional/unknownKeyword/",
                                         "/optional/refOfUnknownKeyword/", "/optional/cross-draft/", "/optional/no-schema/"};
    char text[256];
    snprintf(text, sizeof text, "%.*s", (int)id.length, id.data);
    bool found = strstr(text, "/optional/") == NULL;
    for (size_t i = 0; i < GM_COUNT_OF(wanted); i++)
        found = found || strstr(text, wanted[i]) != NULL;
    return found;
}

static bool run_file(suite *of, const char *name)
{
    char path[1024];
    char command[1100];
    snprintf(path, sizeof path, "%s/cases/%s", shared_folder(), name);
    FILE *const there = fopen(path, "r");
    if (there == NULL)
        return false;
    fclose(there);
    snprintf(command, sizeof command, "xz -dc '%s'", path);
    FILE *const cases = popen(command, "r");
    if (cases == NULL)
        return false;
    char *line = NULL;
    size_t size = 0;
    size_t lines = 0;
    for (ssize_t length; (length = getline(&line, &size, cases)) > 0; lines++) {
        gm_arena arena = fresh_arena();
        const gm_json *one = NULL;
        CHECK(gm_json_read(&arena, line, (size_t)length, NESTING, &one, NULL) == GM_OK);
        if (is_wanted(text_of(one, "id")))
            run_case(of, &arena, one);
        gm_arena_destroy(&arena);
    }
    free(line);
    pclose(cases);
    return lines != 0;
}

static void the_official_suite_gets_its_answers(void)
{
    suite of = {.documents_arena = fresh_arena()};
    if (!read_documents(&of) || !run_file(&of, "suite-main.jsonl.xz"))
        printf("SKIP the_official_suite_gets_its_answers: no cases in %s, or no xz\n", shared_folder());
    else
        CHECK(run_file(&of, "suite-optional.jsonl.xz") && of.cases > 1400 && of.answers > 4900 && of.skipped < 50);
    gm_arena_destroy(&of.documents_arena);
    printf("%zu cases, %zu answers, %zu skipped for their patterns\n", of.cases, of.answers, of.skipped);
}

int main(void)
{
    RUN(the_official_suite_gets_its_answers);
    return REPORT("test_schema_suite");
}
