/* api/api_compile.c - compilers, and compiling: see gmask.h. */
#include "api/compile.h"

/* ---- compilers ---- */

/* With locks and a pool; NULL when out of memory. */
static gm_compiler *make_compiler(const gm_allocator *memory, const gm_limits *limits)
{
    gm_compiler *made = gm_allocate_zeroed(memory, 1, sizeof *made);
    if (made == NULL)
        return NULL;
    made->allocator = *memory;
    made->limits = gm_limits_or_default(limits);
    const bool has_pool = gm_memo_pool_init(&made->pool, memory, made->limits.max_cache_memory);
    if (has_pool && gm_lock_init(&made->cache_lock))
        return made;
    if (has_pool)
        gm_memo_pool_destroy(&made->pool);
    gm_deallocate(memory, made, 1, sizeof *made);
    return NULL;
}

gm_status gm_compiler_create(gm_vocab *vocab, const gm_limits *limits, const gm_allocator *allocator,
                             gm_compiler **compiler, gm_error *error)
{
    if (vocab == NULL || compiler == NULL)
        return gm_fail(error, GM_INVALID_ARGUMENT, "", "", "vocab and compiler must not be NULL");
    if (gm_vocab_has_word_pieces(vocab))
        return gm_fail(error, GM_UNSUPPORTED, "", "", "the tokens of a WordPiece vocabulary do not spell bytes");
    gm_slabs *slabs = allocator == NULL ? gm_slabs_create() : NULL;
    const gm_allocator memory = slabs != NULL ? gm_slabs_allocator(slabs) : gm_allocator_or_default(allocator);
    gm_compiler *made = make_compiler(&memory, limits);
    if (made == NULL) {
        gm_slabs_destroy(slabs);
        return gm_no_memory(error);
    }
    made->slabs = slabs;
    atomic_init(&made->references, 1);
    made->vocab = gm_vocab_retain(vocab);
    const gm_text_limits text_limits = gm_text_limits_of(&made->limits);
    const gm_number_limits number_limits = {made->limits.max_exponent_digits, made->limits.max_modulus};
    gm_status status = gm_text_create(&memory, &text_limits, &made->text, error);
    if (status == GM_OK)
        status = gm_number_create(&memory, &number_limits, &made->number, error);
    for (int minimal = 0; minimal < 2 && status == GM_OK; minimal++)
        status = gm_alphabet_init(&made->alphabets[minimal], gm_vocab_tables_of(vocab)->missing_bytes, minimal,
                                  made->text, &memory, error);
    if (status == GM_OK)
        status = gm_inner_create(&memory, vocab, made->text, made->alphabets, made->limits.max_mask_memory,
                                 &made->inner, error);
    if (status == GM_OK && !gm_inner_prepare(made->inner, false))
        status = gm_no_memory(error);
    if (status == GM_OK)
        *compiler = made;
    else
        gm_compiler_release(made);
    return status;
}

gm_compiler *gm_compiler_retain(gm_compiler *compiler)
{
    if (compiler != NULL)
        atomic_fetch_add_explicit(&compiler->references, 1, memory_order_relaxed);
    return compiler;
}

void gm_compiler_release(gm_compiler *compiler)
{
    if (compiler == NULL || atomic_fetch_sub_explicit(&compiler->references, 1, memory_order_acq_rel) != 1)
        return;
    const gm_allocator memory = compiler->allocator;
    gm_slabs *slabs = compiler->slabs;
    gm_inner_destroy(compiler->inner);
    if (compiler->number != NULL)
        gm_number_destroy(compiler->number);
    if (compiler->text != NULL)
        gm_text_destroy(compiler->text);
    gm_memo_pool_destroy(&compiler->pool);
    gm_vocab_release(compiler->vocab);
    gm_lock_destroy(&compiler->cache_lock);
    gm_deallocate(&memory, compiler, 1, sizeof *compiler);
    gm_slabs_destroy(slabs);
}

gm_vocab *gm_compiler_vocab(const gm_compiler *compiler) { return compiler != NULL ? compiler->vocab : NULL; }

/* ---- the weak cache ---- */

/* What decides a grammar: the options, field by field, then the text. NULL when out of memory. */
static bool make_key(gm_arena *arena, const gm_schema_options *options, gm_bytes text, gm_bytes *key)
{
    const uint32_t fields[] = {options->property_order, options->whitespace, options->max_whitespace, options->indent,
                               options->integers,       options->numbers,    options->escapes,        options->strict,
                               options->openapi,        options->formats,    options->unsupported,    options->draft};
    const char *separators[] = {options->item_separator != NULL ? options->item_separator : "",
                                options->key_separator != NULL ? options->key_separator : ""};
    const size_t lengths[] = {strlen(separators[0]) + 1, strlen(separators[1]) + 1};
    const size_t length = sizeof fields + lengths[0] + lengths[1] + text.length;
    char *data = gm_arena_take(arena, length);
    if (data == NULL)
        return false;
    char *at = data;
    memcpy(at, fields, sizeof fields);
    at += sizeof fields;
    for (int i = 0; i < 2; i++) {
        memcpy(at, separators[i], lengths[i]);
        at += lengths[i];
    }
    if (text.length != 0)
        memcpy(at, text.data, text.length);
    *key = (gm_bytes){data, length};
    return true;
}

/* Retains a grammar unless its last reference is gone. */
static bool try_retain(gm_grammar *grammar)
{
    size_t references = atomic_load_explicit(&grammar->references, memory_order_relaxed);
    while (references != 0)
        if (atomic_compare_exchange_weak_explicit(&grammar->references, &references, references + 1,
                                                  memory_order_acq_rel, memory_order_relaxed))
            return true;
    return false;
}

/* L >= cache_lock */
static gm_grammar *find_locked(gm_compiler *compiler, uint64_t hash, gm_bytes key)
{
    for (gm_grammar *at = compiler->buckets[hash % GM_CACHE_BUCKETS]; at != NULL; at = at->next)
        if (at->key_hash == hash && gm_bytes_equal(at->key, key) && try_retain(at))
            return at;
    return NULL;
}

/* An equal grammar that was put in the meantime, retained; else puts this one and returns NULL. */
static gm_grammar *put_in_cache(gm_compiler *compiler, gm_grammar *grammar)
{
    gm_lock_acquire(&compiler->cache_lock);
    gm_grammar *other = find_locked(compiler, grammar->key_hash, grammar->key);
    if (other == NULL) {
        gm_grammar **bucket = &compiler->buckets[grammar->key_hash % GM_CACHE_BUCKETS];
        grammar->next = *bucket;
        grammar->cached = true;
        *bucket = grammar;
    }
    gm_lock_release(&compiler->cache_lock);
    return other;
}

static void take_from_cache(gm_compiler *compiler, gm_grammar *grammar)
{
    gm_lock_acquire(&compiler->cache_lock);
    gm_grammar **at = &compiler->buckets[grammar->key_hash % GM_CACHE_BUCKETS];
    while (*at != grammar)
        at = &(*at)->next;
    *at = grammar->next;
    gm_lock_release(&compiler->cache_lock);
}

/* ---- grammars ---- */

static void destroy_grammar(gm_grammar *grammar, bool has_machine)
{
    gm_compiler *compiler = grammar->compiler;
    gm_memo_destroy(grammar->memo);
    if (has_machine)
        gm_machine_destroy(&grammar->machine);
    gm_arena_destroy(&grammar->keep);
    gm_deallocate(&compiler->allocator, grammar, 1, sizeof *grammar);
    gm_compiler_release(compiler);
}

gm_grammar *gm_grammar_retain(gm_grammar *grammar)
{
    if (grammar != NULL)
        atomic_fetch_add_explicit(&grammar->references, 1, memory_order_relaxed);
    return grammar;
}

void gm_grammar_release(gm_grammar *grammar)
{
    if (grammar == NULL || atomic_fetch_sub_explicit(&grammar->references, 1, memory_order_acq_rel) != 1)
        return;
    if (grammar->cached)
        take_from_cache(grammar->compiler, grammar);
    destroy_grammar(grammar, true);
}

static gm_status keep_warnings(gm_grammar *grammar, gm_schema *schema, gm_error *error)
{
    size_t count;
    const gm_schema_note *notes = gm_schema_notes(schema, &count);
    gm_warning *warnings = GM_ARENA_NEW(&grammar->keep, gm_warning, count);
    if (notes == NULL || warnings == NULL)
        return gm_no_memory(error);
    for (size_t i = 0; i < count; i++) {
        warnings[i].kind = notes[i].kind;
        warnings[i].pointer = gm_arena_text(&grammar->keep, gm_bytes_of(notes[i].pointer));
        warnings[i].keyword = gm_arena_text(&grammar->keep, gm_bytes_of(notes[i].keyword));
        warnings[i].text = gm_arena_text(&grammar->keep, gm_bytes_of(notes[i].text));
        if (warnings[i].pointer == NULL || warnings[i].keyword == NULL || warnings[i].text == NULL)
            return gm_no_memory(error);
    }
    grammar->warnings = warnings;
    grammar->warning_count = count;
    return GM_OK;
}

/* Text to form to machine. */
static gm_status build_grammar(gm_grammar *grammar, gm_bytes text, const gm_schema_options *options, gm_error *error)
{
    gm_compiler *compiler = grammar->compiler;
    const gm_form_stores stores = {compiler->text, compiler->number,
                                   &compiler->alphabets[options->escapes == GM_ESCAPES_MINIMAL]};
    gm_compiling compiling;
    gm_gaps gaps;
    /* first what the caller got wrong: separators that are none would look like ones nobody can spell */
    GM_TRY(gm_gaps_init(&gaps, options, &grammar->keep, error));
    gm_status status =
        gm_compiling_run(&compiling, &grammar->keep, text, stores, options, &compiler->limits, &grammar->form, error);
    if (status == GM_OK)
        status = keep_warnings(grammar, compiling.schema, error);
    gm_compiling_finish(&compiling);
    if (status == GM_OK && !gm_inner_prepare(compiler->inner, options->escapes == GM_ESCAPES_MINIMAL))
        status = gm_no_memory(error);
    if (status == GM_OK)
        status = gm_machine_init(&grammar->machine, grammar->form, stores, options, compiler->limits.max_grammar_memory,
                                 &compiler->allocator, error);
    if (status == GM_OK && gm_memo_create(&compiler->pool, &grammar->memo) != GM_OK) {
        gm_machine_destroy(&grammar->machine);
        status = gm_no_memory(error);
    }
    gm_slabs_make_ready(compiler->slabs);
    return status;
}

static gm_status make_grammar(gm_compiler *compiler, gm_bytes text, const gm_schema_options *options, gm_grammar **out,
                              gm_error *error)
{
    gm_grammar *grammar = gm_allocate_zeroed(&compiler->allocator, 1, sizeof *grammar);
    if (grammar == NULL)
        return gm_no_memory(error);
    grammar->compiler = gm_compiler_retain(compiler);
    atomic_init(&grammar->references, 1);
    atomic_init(&grammar->masks_built, 0);
    atomic_init(&grammar->masks_found, 0);
    atomic_init(&grammar->trie_nodes, 0);
    atomic_init(&grammar->mask_bytes, 0);
    gm_arena_init(&grammar->keep, &compiler->allocator);
    const bool cacheable = options->resolver == NULL;
    gm_status status = GM_OK;
    if (cacheable) {
        if (!make_key(&grammar->keep, options, text, &grammar->key))
            status = gm_no_memory(error);
        grammar->key_hash = gm_hash_bytes(grammar->key.data, grammar->key.length);
    }
    gm_grammar *known = NULL;
    if (status == GM_OK && cacheable) {
        gm_lock_acquire(&compiler->cache_lock);
        known = find_locked(compiler, grammar->key_hash, grammar->key);
        gm_lock_release(&compiler->cache_lock);
    }
    if (status == GM_OK && known == NULL)
        status = build_grammar(grammar, text, options, error);
    if (status != GM_OK || known != NULL) {
        destroy_grammar(grammar, false);
        if (known != NULL)
            *out = known;
        return status;
    }
    if (cacheable && (known = put_in_cache(compiler, grammar)) != NULL)
        destroy_grammar(grammar, true);
    *out = known != NULL ? known : grammar;
    return GM_OK;
}

gm_status gm_compile_json_schema(gm_compiler *compiler, const char *text, size_t length,
                                 const gm_schema_options *options, gm_grammar **grammar, gm_error *error)
{
    gm_error local;
    gm_schema_options known;
    if (error == NULL)
        error = &local;
    if (compiler == NULL || grammar == NULL || (text == NULL && length != 0))
        return gm_fail(error, GM_INVALID_ARGUMENT, "", "", "compiler, text and grammar must not be NULL");
    GM_TRY(gm_options_or_default(options, &known, error));
    if (length > compiler->limits.max_schema_bytes)
        return gm_fail(error, GM_LIMIT, "", "", "the schema has %llu bytes, max_schema_bytes is %llu",
                       (unsigned long long)length, (unsigned long long)compiler->limits.max_schema_bytes);
    return make_grammar(compiler, (gm_bytes){text, length}, &known, grammar, error);
}

gm_status gm_compile_json(gm_compiler *compiler, const gm_schema_options *options, gm_grammar **grammar,
                          gm_error *error)
{
    return gm_compile_json_schema(compiler, "true", 4, options, grammar, error);
}

static gm_status not_yet(const gm_compiler *compiler, gm_grammar **grammar, const char *what, gm_error *error)
{
    if (compiler == NULL || grammar == NULL)
        return gm_fail(error, GM_INVALID_ARGUMENT, "", "", "compiler and grammar must not be NULL");
    return gm_fail(error, GM_UNSUPPORTED, "", "", "%s are not supported by this version", what);
}

gm_status gm_compile_regex(gm_compiler *compiler, const char *pattern, size_t length, gm_grammar **grammar,
                           gm_error *error)
{
    (void)pattern;
    (void)length;
    return not_yet(compiler, grammar, "regular expressions as grammars", error);
}

gm_status gm_compile_tags(gm_compiler *compiler, const char *text, size_t length, gm_grammar **grammar, gm_error *error)
{
    (void)text;
    (void)length;
    return not_yet(compiler, grammar, "structural tags", error);
}

gm_status gm_compile_ebnf(gm_compiler *compiler, const char *text, size_t length, gm_grammar **grammar, gm_error *error)
{
    (void)text;
    (void)length;
    return not_yet(compiler, grammar, "EBNF grammars", error);
}
