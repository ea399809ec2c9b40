/*
 * walks.c - the random walks of Tests/c/walks.h on vocabularies of real models.
 *
 *   walks FOLDER [-] [NAME ...]
 *
 * FOLDER holds the tokenizer files of the table below, unpacked. Every schema of walk_schemas.h is
 * compiled under every option set; each document is walked under masks, with rollbacks and forks,
 * until it ends; one mask in so many is compared with what accept says of every id below the logit
 * width. With "-" the schemas come from standard input, one a line
 * (Tests/random/random_schemas.py --print makes some); those that are refused are left out. Prints one
 * row a vocabulary; the exit status is 0 only if nothing failed.
 */
#include "gmask/files.h"
#include "walk_schemas.h"
#include "walks.h"

#include <time.h>

typedef struct conformance_file {
    const char *name;
    const char *specials;  /* of rank files, which hold none */
    uint32_t stop[3];
    size_t stop_count;     /* 0 = what the file declares */
    size_t logit_width;    /* 0 = the number of ids */
    size_t brute_every;
} conformance_file;

static const conformance_file files[] = {
    {.name = "llama3.tiktoken",
     .specials = "{\"128000\":\"<|begin_of_text|>\",\"128001\":\"<|end_of_text|>\",\"128009\":\"<|eot_id|>\"}",
     .stop = {128001, 128009},
     .stop_count = 2,
     .logit_width = 128256,
     .brute_every = 12},
    {.name = "mistral_v3.spm.model", .brute_every = 5},
    {.name = "gemma3.gguf", .brute_every = 24},
    {.name = "cohere.tokenizer.json", .stop = {6}, .stop_count = 1, .logit_width = 75600, .brute_every = 10},
    {.name = "mon.tokenizer.json", .stop = {2}, .stop_count = 1, .brute_every = 10},
};

static const gm_schema_options option_sets[] = {
    {.struct_size = sizeof(gm_schema_options)},
    {.struct_size = sizeof(gm_schema_options),
     .property_order = GM_ORDER_ANY,
     .max_whitespace = GM_WHITESPACE_UNLIMITED,
     .integers = GM_NUMBERS_JSON,
     .numbers = GM_NUMBERS_JSON},
    {.struct_size = sizeof(gm_schema_options), .whitespace = GM_WHITESPACE_COMPACT, .escapes = GM_ESCAPES_MINIMAL},
    {.struct_size = sizeof(gm_schema_options), .whitespace = GM_WHITESPACE_INDENTED, .indent = 4},
    {.struct_size = sizeof(gm_schema_options), .whitespace = GM_WHITESPACE_SPACED, .numbers = GM_NUMBERS_JSON},
};

static const char *const *schemas = walk_schemas;
static size_t schema_count = GM_COUNT_OF(walk_schemas);
static bool may_refuse; /* the schemas are somebody else's */

/* Takes the schemas from standard input; they stay for the rest of the run. */
static bool read_schemas(void)
{
    static char line[1 << 20];
    size_t room = 0;
    char **lines = NULL;
    schema_count = 0;
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (schema_count == room) {
            room = room * 2 + 64;
            char **more = realloc(lines, room * sizeof *more);
            if (more == NULL)
                return false;
            lines = more;
        }
        line[strcspn(line, "\n")] = '\0';
        lines[schema_count] = malloc(strlen(line) + 1);
        if (lines[schema_count] == NULL)
            return false;
        strcpy(lines[schema_count++], line);
    }
    schemas = (const char *const *)lines;
    may_refuse = true;
    return true;
}

static bool is_refused(gm_compiler *compiler, const char *schema, const gm_schema_options *options)
{
    gm_grammar *grammar = NULL;
    const bool refused = may_refuse && gm_compile_json_schema(compiler, schema, strlen(schema), options, &grammar, NULL) != GM_OK;
    gm_grammar_release(grammar);
    return refused;
}

static gm_status open_file(const char *folder, const conformance_file *file, gm_vocab **vocab, gm_error *error)
{
    char path[4096];
    const gm_file_options options = {
        .struct_size = sizeof options,
        .specials = file->specials,
        .specials_length = file->specials != NULL ? strlen(file->specials) : 0,
        .stop = file->stop,
        .stop_count = file->stop_count,
        .logit_width = file->logit_width,
    };
    snprintf(path, sizeof path, "%s/%s", folder, file->name);
    return gm_vocab_open(path, &options, vocab, error);
}

/* Walks everything on one vocabulary; returns the number of schemas that failed. */
static size_t walk_file(const char *folder, const conformance_file *file)
{
    gm_vocab *vocab = NULL;
    gm_compiler *compiler = NULL;
    gm_error error;
    walker w;
    size_t failures = 0;
    if (open_file(folder, file, &vocab, &error) != GM_OK ||
        gm_compiler_create(vocab, NULL, NULL, &compiler, &error) != GM_OK) {
        fprintf(stderr, "%s: %s: %s\n", file->name, gm_status_name(error.status), error.message);
        gm_vocab_release(vocab);
        return 1;
    }
    const clock_t start = clock();
    if (walker_open(&w, vocab, 7, file->brute_every))
        for (size_t o = 0; o < GM_COUNT_OF(option_sets); o++)
            for (size_t i = 0; i < schema_count; i++)
                if (!is_refused(compiler, schemas[i], &option_sets[o]) &&
                    !walk_schema(&w, compiler, schemas[i], &option_sets[o], 2)) {
                    fprintf(stderr, "  %s, option set %zu\n", file->name, o);
                    failures++;
                }
    printf("| %-22s | %9zu | %7zu | %7zu | %13zu | %8zu | %7.1f |\n", file->name, w.documents, w.tokens_taken, w.masks,
           w.brute, failures, (double)(clock() - start) / CLOCKS_PER_SEC);
    fflush(stdout);
    walker_close(&w);
    gm_compiler_release(compiler);
    gm_vocab_release(vocab);
    return failures;
}

static bool is_asked_for(const char *name, char **asked, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(asked[i], name) == 0)
            return true;
    return count == 0;
}

int main(int argc, char **argv)
{
    size_t failures = 0;
    const bool from_input = argc > 2 && strcmp(argv[2], "-") == 0;
    if (argc < 2 || (from_input && !read_schemas())) {
        fprintf(stderr, "usage: walks FOLDER [-] [NAME ...]\n");
        return 2;
    }
    const int first = from_input ? 3 : 2;
    printf("%zu schemas, %zu option sets\n", schema_count, GM_COUNT_OF(option_sets));
    printf("| vocabulary             | documents |  tokens |   masks | brute-forced* | failures | seconds |\n");
    printf("|------------------------|-----------|---------|---------|---------------|----------|---------|\n");
    for (size_t i = 0; i < GM_COUNT_OF(files); i++)
        if (is_asked_for(files[i].name, argv + first, argc - first))
            failures += walk_file(argv[1], &files[i]);
    printf("* compared with accept on every id below the logit width\n");
    return failures != 0 || check_failed + check_run != 0;
}
