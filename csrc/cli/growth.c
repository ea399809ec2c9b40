/*
 * cli/growth.c - gmask bench growth: how costs grow with one size at a time.
 *
 * Each axis writes a schema of a size, and a document under it. Compile, first mask, slowest and median
 * mask are the least of three runs, each with a compiler and grammar of its own, so that all states are
 * cold. Costs that grow faster than the size show as curves steeper than the diagonal.
 */
#include "cli/commands.h"
#include "cli/greedy.h"
#include "cli/growth.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/vocabulary.h"
#include "cli/walk.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- text that grows ---- */

typedef struct text {
    char *data;
    size_t length, capacity;
} text;

static void put(text *to, const char *format, ...) GM_CLI_PRINTF(2, 3);

static void put(text *to, const char *format, ...)
{
    char piece[256];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    if (to->length + (size_t)length + 1 > to->capacity) {
        to->capacity = 2 * (to->length + (size_t)length + 64);
        to->data = gm_cli_reallocate(to->data, to->capacity, 1);
    }
    memcpy(to->data + to->length, piece, (size_t)length + 1);
    to->length += (size_t)length;
}

static void put_times(text *to, size_t count, const char *piece)
{
    for (size_t i = 0; i < count; i++)
        put(to, "%s", piece);
}

/* ---- the axes ---- */

static size_t at_most(size_t size, size_t most) { return size < most ? size : most; }

static void write_person(size_t size, text *schema, text *document)
{
    (void)size;
    put(schema,
        "{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\",\"pattern\":\"^[A-Z][a-z]+$\"},"
        "\"age\":{\"type\":\"integer\",\"minimum\":0},\"notes\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}},"
        "\"required\":[\"name\",\"age\"]}");
    put(document, "{\"name\": \"Ada\", \"age\": 36, \"notes\": [\"writes programs\", \"plays the harp\"]}");
}

static void write_enum(size_t size, text *schema, text *document)
{
    put(schema, "{\"enum\":[");
    for (size_t i = 0; i < size; i++)
        put(schema, "%s\"value %zu\"", i == 0 ? "" : ",", i * 7919 % size);
    put(schema, "]}");
    put(document, "\"value %zu\"", size - 1);
}

static void write_length(size_t size, text *schema, text *document)
{
    put(schema, "{\"type\":\"string\",\"maxLength\":%zu}", size);
    put(document, "\"");
    put_times(document, at_most(size, 400), "x");
    put(document, "\"");
}

static void write_items(size_t size, text *schema, text *document)
{
    put(schema, "{\"type\":\"array\",\"items\":{\"type\":\"integer\"},\"maxItems\":%zu}", size);
    put(document, "[7");
    put_times(document, at_most(size, 200) - 1, ", 7");
    put(document, "]");
}

static void write_properties(size_t size, text *schema, text *document)
{
    put(schema, "{\"type\":\"object\",\"properties\":{");
    for (size_t i = 0; i < size; i++)
        put(schema, "%s\"field %zu\":{\"type\":\"integer\"}", i == 0 ? "" : ",", i);
    put(schema, "}}");
    put(document, "{");
    for (size_t i = 0; i < at_most(size, 100); i++)
        put(document, "%s\"field %zu\": %zu", i == 0 ? "" : ", ", i, i);
    put(document, "}");
}

static void write_required(size_t size, text *schema, text *document)
{
    write_properties(size, schema, document);
    schema->length--;
    put(schema, ",\"required\":[");
    document->length = 0;
    put(document, "{");
    for (size_t i = 0; i < size; i++) {
        put(schema, "%s\"field %zu\"", i == 0 ? "" : ",", i);
        put(document, "%s\"field %zu\": 1", i == 0 ? "" : ", ", size - 1 - i);
    }
    put(schema, "]}");
    put(document, "}");
}

static void write_choice(const char *word, size_t size, text *schema, text *document)
{
    put(schema, "{\"%s\":[", word);
    for (size_t i = 0; i < size; i++)
        put(schema,
            "%s{\"type\":\"object\",\"properties\":{\"kind\":{\"const\":\"kind %zu\"},\"value "
            "%zu\":{\"type\":\"string\"}},"
            "\"required\":[\"kind\"]}",
            i == 0 ? "" : ",", i, i);
    put(schema, "]}");
    put(document, "{\"kind\": \"kind %zu\", \"value %zu\": \"text\"}", size - 1, size - 1);
}

static void write_any(size_t size, text *schema, text *document) { write_choice("anyOf", size, schema, document); }
static void write_one(size_t size, text *schema, text *document) { write_choice("oneOf", size, schema, document); }

static void write_nested(size_t size, text *schema, text *document)
{
    put_times(schema, size, "{\"type\":\"array\",\"items\":");
    put(schema, "{\"type\":\"integer\"}");
    put_times(schema, size, "}");
    put_times(document, size, "[");
    put(document, "1");
    put_times(document, size, "]");
}

static void write_pattern(size_t size, text *schema, text *document)
{
    put(schema, "{\"type\":\"string\",\"pattern\":\"^(");
    for (size_t i = 0; i < size; i++)
        put(schema, "%sword%zu[a-z]*", i == 0 ? "" : "|", i);
    put(schema, ")$\"}");
    put(document, "\"word%zuabcdef\"", size - 1);
}

static void write_long(size_t size, text *schema, text *document)
{
    put(schema, "{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{\"id\":{\"type\":\"integer\"},"
                "\"name\":{\"type\":\"string\"}},\"required\":[\"id\",\"name\"]}}");
    put(document, "[");
    for (size_t i = 0; i < size / 16 + 1; i++)
        put(document, "%s{\"id\": %zu, \"name\": \"some name\"}", i == 0 ? "" : ", ", i);
    put(document, "]");
}

typedef struct axis {
    const char *name;
    uint64_t sizes[GM_CLI_MOST_POINTS]; /* ends with 0 */
    void (*write)(size_t size, text *schema, text *document);
    bool any_order;
    bool cuts_vocabulary; /* the size is the number of tokens, as far as there are so many */
} axis;

static const axis axes[] = {
    {"tokens of the vocabulary", {5000, 10000, 20000, 50000, 128000, 256000}, write_person, false, true},
    {"constants in an enum", {10, 100, 1000, 10000}, write_enum, false, false},
    {"maxLength", {10, 100, 1000, 10000, 262144}, write_length, false, false},
    {"maxItems", {10, 100, 1000, 10000, 100000}, write_items, false, false},
    {"properties", {10, 50, 200, 1000, 2000}, write_properties, false, false},
    {"required names, any order", {3, 10, 50, 200, 600}, write_required, true, false},
    {"alternatives of anyOf", {2, 10, 50, 100, 200}, write_any, false, false},
    {"alternatives of oneOf", {2, 10, 50, 100, 200}, write_one, false, false},
    {"levels of nesting", {2, 10, 50, 200, 500}, write_nested, false, false},
    {"alternatives of a pattern", {1, 10, 100, 1000}, write_pattern, false, false},
    {"tokens of the document", {100, 1000, 10000, 100000, 1000000}, write_long, false, false},
};
enum { AXES = sizeof axes / sizeof *axes };

/* ---- measuring ---- */

typedef struct measuring {
    const gm_cli_vocabulary *whole;
    gm_schema_options options;
} measuring;

/* The first tokens of a vocabulary, with its single bytes and stop tokens whatever their ids. */
static gm_vocab *cut_vocabulary(const gm_cli_vocabulary *whole, size_t count)
{
    gm_vocab *vocab = NULL;
    const size_t total = gm_vocab_token_count(whole->vocab);
    const uint8_t **texts = gm_cli_allocate(total, sizeof *texts);
    size_t *lengths = gm_cli_allocate(total, sizeof *lengths);
    uint8_t *flags = gm_cli_allocate(total, sizeof *flags);
    for (uint32_t id = 0; id < total; id++) {
        uint32_t all;
        gm_vocab_token(whole->vocab, id, &texts[id], &lengths[id], &all);
        flags[id] = (uint8_t)all;
        if (id >= count && lengths[id] > 1)
            texts[id] = NULL, lengths[id] = 0;
    }
    gm_vocab_desc desc = {.struct_size = sizeof desc,
                          .token_count = total,
                          .texts = texts,
                          .lengths = lengths,
                          .flags = flags,
                          .spelling = GM_SPELLING_RAW};
    desc.stop = gm_vocab_stop(whole->vocab, &desc.stop_count);
    gm_error error;
    if (gm_vocab_create(&desc, &vocab, &error) != GM_OK)
        gm_cli_say_error(NULL, &error);
    free(texts);
    free(lengths);
    free(flags);
    return vocab;
}

static void lower(double *least, double value) { *least = *least == 0 || value < *least ? value : *least; }

/* One run with everything cold; false after saying why not. */
static bool run_once(const measuring *m, gm_vocab *vocab, const text *schema, const uint32_t *tokens, size_t count,
                     gm_cli_point *point)
{
    gm_compiler *compiler = NULL;
    gm_grammar *grammar = NULL;
    gm_error error;
    gm_cli_walker walker;
    uint64_t first_ns = 0;
    gm_status status = gm_compiler_create(vocab, NULL, NULL, &compiler, &error);
    const uint64_t start = gm_cli_now_ns();
    if (status == GM_OK)
        status = gm_compile_json_schema(compiler, schema->data, schema->length, &m->options, &grammar, &error);
    const uint64_t end = gm_cli_now_ns();
    if (status != GM_OK) {
        gm_cli_say_error(NULL, &error);
        gm_compiler_release(compiler);
        return false;
    }
    gm_cli_walker_init(&walker, vocab);
    gm_cli_walk walk = {0};
    status = gm_cli_first_mask(&walker, grammar, &m->whole->matcher, &first_ns);
    if (status == GM_OK)
        walk = gm_cli_walk_tokens(&walker, grammar, &m->whole->matcher, tokens, count);
    const gm_cli_summary masks = gm_cli_times_summary(&walker.masks);
    if (!walk.is_accepted)
        gm_cli_say(NULL, "size %llu: the document is not accepted", (unsigned long long)point->size);
    lower(&point->compile_us, (double)(end - start) / 1e3);
    lower(&point->first_us, (double)first_ns / 1e3);
    lower(&point->worst_us, masks.max_us);
    lower(&point->median_us, masks.median_us);
    lower(&point->memory_kib, (double)gm_grammar_memory(grammar) / 1024);
    gm_cli_walker_free(&walker);
    gm_grammar_release(grammar);
    gm_compiler_release(compiler);
    return walk.is_accepted;
}

static bool measure_point(const measuring *m, const axis *a, gm_cli_point *point)
{
    text schema = {0}, document = {0};
    gm_cli_greedy greedy;
    uint32_t *tokens = NULL;
    size_t count;
    gm_vocab *vocab = a->cuts_vocabulary ? cut_vocabulary(m->whole, point->size) : gm_vocab_retain(m->whole->vocab);
    if (vocab == NULL)
        return false;
    a->write(point->size, &schema, &document);
    gm_cli_greedy_init(&greedy, vocab);
    bool is_good = gm_cli_greedy_encode(&greedy, document.data, document.length, &tokens, &count);
    for (int i = 0; i < 3 && is_good; i++)
        is_good = run_once(m, vocab, &schema, tokens, count, point);
    gm_cli_greedy_free(&greedy);
    free(tokens);
    free(schema.data);
    free(document.data);
    gm_vocab_release(vocab);
    return is_good;
}

static bool measure_curve(measuring *m, const axis *a, gm_cli_curve *curve)
{
    const size_t tokens = gm_vocab_token_count(m->whole->vocab);
    curve->name = a->name;
    m->options.property_order = a->any_order ? GM_ORDER_ANY : GM_ORDER_DECLARED;
    printf("%s\n  %10s %12s %12s %12s %12s %12s\n", a->name, "size", "compile us", "first us", "worst us", "median us",
           "grammar KiB");
    for (size_t i = 0; i < GM_CLI_MOST_POINTS && a->sizes[i] != 0; i++) {
        gm_cli_point *point = &curve->points[curve->count];
        *point = (gm_cli_point){.size = a->sizes[i]};
        if (a->cuts_vocabulary && i > 0 && a->sizes[i - 1] >= tokens)
            break;
        if (a->cuts_vocabulary)
            point->size = at_most(point->size, tokens);
        if (!measure_point(m, a, point))
            return false;
        curve->count++;
        printf("  %10llu %12.1f %12.2f %12.2f %12.2f %12.1f\n", (unsigned long long)point->size, point->compile_us,
               point->first_us, point->worst_us, point->median_us, point->memory_kib);
        fflush(stdout);
    }
    return curve->count != 0;
}

/* ---- the command ---- */

static bool plot(const char *path, const gm_cli_curve *curves, size_t count)
{
    FILE *out = fopen(path, "w");
    if (out == NULL) {
        gm_cli_say(path, "cannot be written");
        return false;
    }
    gm_cli_plot_curves(out, curves, count);
    return fclose(out) == 0;
}

static bool take_own(void *context, size_t index, const char *value)
{
    (void)index;
    *(const char **)context = value;
    return true;
}

static int run_growth(const gm_cli_command *self, int argc, char **argv)
{
    gm_cli_options options = {0};
    gm_cli_vocabulary vocabulary;
    const char *svg = NULL;
    int status = gm_cli_parse(self, argc, argv, &options, take_own, &svg);
    if (status == GM_CLI_GO && !gm_cli_vocabulary_open(&options, &vocabulary))
        status = GM_CLI_FAILED;
    if (status == GM_CLI_GO) {
        measuring m = {.whole = &vocabulary, .options = {.struct_size = sizeof m.options}};
        gm_cli_curve curves[AXES] = {0};
        size_t count = 0;
        status = GM_CLI_DONE;
        for (size_t i = 0; i < AXES; i++)
            if (measure_curve(&m, &axes[i], &curves[count]))
                count++;
            else
                curves[count] = (gm_cli_curve){0};
        if (count == 0 || (svg != NULL && !plot(svg, curves, count)))
            status = GM_CLI_FAILED;
        gm_cli_vocabulary_close(&vocabulary);
    }
    gm_cli_options_free(&options);
    return status;
}

static const gm_cli_option own_options[] = {{"svg", 0, "FILE", "write the curves as a picture"}};

const gm_cli_command gm_cli_bench_growth = {
    .name = "bench growth",
    .arguments = "[OPTION]...",
    .summary = "Measure how costs grow with one size at a time",
    .details =
        "Sizes of the vocabulary, of constants, bounds, properties, alternatives, nesting, patterns and documents.",
    .groups = GM_CLI_TAKES_VOCAB | GM_CLI_TAKES_SPECIALS,
    .own = own_options,
    .own_count = 1,
    .run = run_growth,
};
