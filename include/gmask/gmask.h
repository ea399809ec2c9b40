/*
 * gmask/gmask.h - GrammarMask: masks that keep a language model's output inside a JSON Schema.
 *
 * Four objects, each made from the one before it:
 *
 *   gm_vocab     the token texts of one model             immutable, shared, retain/release
 *   gm_compiler  one vocabulary and the caches over it    any thread, shared, retain/release
 *   gm_grammar   one compiled schema                      any thread, shared, retain/release
 *   gm_matcher   one document being generated             one thread at a time, create/destroy
 *
 * The promise of every mask: bit t is set if and only if "document so far + token t" is a prefix
 * of some document that is valid under the schema and the options.
 *
 * Conventions. A function that can fail returns gm_status and leaves its out-parameters untouched
 * unless it says otherwise; details go to a caller-owned gm_error, which may be NULL. Structs that
 * callers fill begin with struct_size (set it to sizeof the struct); all other fields may be zero
 * and zero means the documented default. Ids are token ids. Masks are arrays of uint32_t, bit i of
 * word i/32, least significant first. Nothing here prints, exits, starts a thread or keeps global
 * state. The library links nothing but libc.
 */
#ifndef GMASK_GMASK_H
#define GMASK_GMASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32) && defined(GM_SHARED)
#if defined(GM_BUILDING)
#define GM_API __declspec(dllexport)
#else
#define GM_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define GM_API __attribute__((visibility("default")))
#else
#define GM_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Version ---------------------------------------------------------------------------- */

#define GM_VERSION_MAJOR 0
#define GM_VERSION_MINOR 1
#define GM_VERSION_PATCH 0

/* "major.minor.patch" of the library that runs. Static storage. */
GM_API const char *gm_version(void);

/* ---- Status and error ------------------------------------------------------------------- */

typedef enum gm_status {
    GM_OK = 0,
    GM_REJECTED = 1,         /* token or bytes not allowed here; the state is unchanged bit for bit */
    GM_TERMINATED = 2,       /* the document has ended */
    GM_DEAD_END = 3,         /* the vocabulary cannot continue this document */
    GM_INVALID_ARGUMENT = 4, /* a caller's mistake; nothing changed */
    GM_INVALID_SCHEMA = 5,   /* not JSON, or not a schema: see offset or pointer */
    GM_UNSATISFIABLE = 6,    /* no document is valid under the schema */
    GM_UNSUPPORTED = 7,      /* cannot be enforced exactly: see pointer and keyword */
    GM_LIMIT = 8,            /* raising a field of gm_limits would help: the message names it */
    GM_OUT_OF_MEMORY = 9,
    GM_INVALID_FILE = 10, /* damaged, stale or foreign file */
    GM_IO = 11            /* the operating system refused: the message has its reason */
} gm_status;

/* The name of a status, as in "GM_REJECTED"; "GM_?" for anything else. Static storage. */
GM_API const char *gm_status_name(gm_status status);

/* Details of a failure. Owned by the caller, fixed in size, so that reporting allocates nothing. */
typedef struct gm_error {
    gm_status status;
    char keyword[48];  /* the schema keyword at fault, or "" */
    char pointer[256]; /* JSON Pointer into the schema, cut at its end if longer */
    char message[320]; /* for people: what was expected, what was found */
    uint64_t offset;   /* byte offset in the text or file, where that is known; else 0 */
} gm_error;

/* ---- Memory ----------------------------------------------------------------------------- */

/* Where memory comes from. NULL instead of a pointer to one means malloc, realloc and free; a compiler, with its
 * grammars and their matchers, then takes large pieces and cuts blocks of middling size from them itself.
 * Must be callable from every thread that uses the object, and outlive it. */
typedef struct gm_allocator {
    void *context;
    void *(*allocate)(void *context, size_t size);
    void *(*reallocate)(void *context, void *block, size_t old_size, size_t size);
    void (*deallocate)(void *context, void *block, size_t size);
} gm_allocator;

/* ---- Vocabulary ------------------------------------------------------------------------- */

typedef struct gm_vocab gm_vocab;

/* How token texts are spelled in the description. There is no hidden default: raw unless said. */
typedef enum gm_spelling {
    GM_SPELLING_RAW = 0,          /* the bytes themselves */
    GM_SPELLING_BYTE_LEVEL = 1,   /* GPT-2's alphabet of 256 letters for 256 bytes; a piece with any
                                     letter outside the alphabet stands for its own UTF-8 */
    GM_SPELLING_BYTE_FALLBACK = 2 /* U+2581 is a space, <0xNN> is one byte */
} gm_spelling;

/* Kinds of a token, a set of flags; 0 is an ordinary token. */
enum {
    GM_TOKEN_CONTROL = 1,      /* special: never text, never in a mask unless it stops */
    GM_TOKEN_ADDED = 2,        /* a literal matched before the model; see gm_vocab_desc.allow_added */
    GM_TOKEN_UNUSED = 4,       /* a hole, or declared unused: never in a mask */
    GM_TOKEN_BYTE = 8,         /* a byte-fallback piece: exactly one byte */
    GM_TOKEN_UNKNOWN = 16,     /* the unknown token: never in a mask */
    GM_TOKEN_CONTINUATION = 32 /* WordPiece: glued to the token before it */
};

/* Describes a vocabulary. Everything is copied. Duplicate texts, empty texts, NUL bytes, invalid
 * and partial UTF-8 and gaps are legal; an empty text is in no mask. */
typedef struct gm_vocab_desc {
    size_t struct_size;
    size_t token_count; /* highest id + 1, at most 2^31 - 1 */
    size_t logit_width; /* >= token_count; 0 = token_count */

    /* Texts, one of two forms. Form one: text i is blob[offsets[i] .. offsets[i+1]). */
    const uint8_t *blob;
    const uint64_t *offsets; /* token_count + 1 of them, not decreasing */
    /* Form two, used when texts is not NULL: texts[i] (may be NULL when lengths[i] is 0). */
    const uint8_t *const *texts;
    const size_t *lengths;

    const uint8_t *flags; /* GM_TOKEN_* per id, or NULL for all ordinary */
    const uint32_t *special; /* ids that get GM_TOKEN_CONTROL besides */
    size_t special_count;
    const uint32_t *unused; /* ids that get GM_TOKEN_UNUSED besides */
    size_t unused_count;
    const uint32_t *stop; /* default stop set of matchers: allowed exactly when the document may end */
    size_t stop_count;

    gm_spelling spelling; /* of ordinary tokens; added tokens are always raw */
    bool allow_added;     /* let added tokens that are not white space alone into masks */
    bool word_pieces;     /* tokens do not spell bytes (WordPiece): grammars are refused */
    bool prefix_space;    /* encoders of this vocabulary put a space before a text (information) */
    const gm_allocator *allocator;
} gm_vocab_desc;

/* Makes a vocabulary and its derived tables. */
GM_API gm_status gm_vocab_create(const gm_vocab_desc *desc, gm_vocab **vocab, gm_error *error);
GM_API gm_vocab *gm_vocab_retain(gm_vocab *vocab);
GM_API void gm_vocab_release(gm_vocab *vocab); /* NULL is fine */

GM_API size_t gm_vocab_token_count(const gm_vocab *vocab);
GM_API size_t gm_vocab_logit_width(const gm_vocab *vocab);
/* Words of a mask of this vocabulary: (logit_width + 31) / 32. */
GM_API size_t gm_vocab_mask_words(const gm_vocab *vocab);
/* Bytes of a token, borrowed for the life of the vocabulary; *bytes is NULL for a token without
 * text (control, unused, unknown). GM_INVALID_ARGUMENT when the id is out of range. */
GM_API gm_status gm_vocab_token(const gm_vocab *vocab, uint32_t id, const uint8_t **bytes, size_t *length,
                                uint32_t *flags);
/* Default stop ids, borrowed. */
GM_API const uint32_t *gm_vocab_stop(const gm_vocab *vocab, size_t *count);
/* FNV-1a 64 over (u32 id, u32 length or 0xFFFFFFFF for no text, bytes, u32 flags) of all ids,
 * little endian. Equal tables have equal digests whatever file they came from. */
GM_API uint64_t gm_vocab_digest(const gm_vocab *vocab);
/* Bytes of memory held (mapped files included). */
GM_API size_t gm_vocab_memory(const gm_vocab *vocab);
/* Sets bit b of bits[b / 64] for each byte value that occurs in no maskable token; returns how many. */
GM_API size_t gm_vocab_missing_bytes(const gm_vocab *vocab, uint64_t bits[4]);
GM_API bool gm_vocab_prefix_space(const gm_vocab *vocab);

/* Writes the vocabulary with its derived tables, for gm_vocab_load. */
GM_API gm_status gm_vocab_save(const gm_vocab *vocab, const char *path, gm_error *error);
/* Maps saved tables read-only. Version, byte order, digest, checksum and every bound are checked
 * before use: a stale, foreign or damaged file is GM_INVALID_FILE. */
GM_API gm_status gm_vocab_load(const char *path, const gm_allocator *allocator, gm_vocab **vocab, gm_error *error);

/* ---- Limits ----------------------------------------------------------------------------- */

/* Bounds on work and memory. 0 takes the default in brackets. Work is counted, never timed, so the
 * same schema gets the same answer on every machine. */
typedef struct gm_limits {
    size_t struct_size;
    uint64_t max_schema_bytes;        /* [16 MiB] text of one document */
    uint64_t max_nesting;             /* [1,000] levels of a schema's text, of a regex's groups */
    uint64_t max_nodes;               /* [1,000,000] schema nodes after references */
    uint64_t max_threads;             /* [1,024] alternatives of one place */
    uint64_t max_regex_positions;     /* [50,000] terms of one pattern */
    uint64_t max_lexical_states;      /* [50,000] of one content language explored at compile */
    uint64_t max_satisfiability_work; /* [5,000,000] units; reserved, without effect in this version */
    uint64_t max_compile_work;        /* [200,000,000] units */
    uint64_t max_compile_memory;      /* [256 MiB] */
    uint64_t max_grammar_memory;      /* [64 MiB] states of one grammar, built as documents meet them */
    uint64_t max_cache_memory;        /* [256 MiB] masks kept by position, of all grammars of one compiler */
    uint64_t max_mask_memory;         /* [64 MiB] masks kept by content of strings, of one compiler */
    uint64_t max_mask_work;           /* [50,000,000] units of one mask */
    uint64_t max_exponent_digits;     /* [3] of a constrained number */
    uint64_t max_modulus;             /* [2^63 - 1] of multipleOf once scaled to an integer */
    uint64_t max_matcher_memory;      /* [256 MiB] */
} gm_limits;

/* ---- Compiler and grammar --------------------------------------------------------------- */

typedef struct gm_compiler gm_compiler;
typedef struct gm_grammar gm_grammar;

/* limits and allocator may be NULL. The compiler retains the vocabulary. GM_UNSUPPORTED for a
 * vocabulary whose tokens do not spell bytes. */
GM_API gm_status gm_compiler_create(gm_vocab *vocab, const gm_limits *limits, const gm_allocator *allocator,
                                    gm_compiler **compiler, gm_error *error);
GM_API gm_compiler *gm_compiler_retain(gm_compiler *compiler);
GM_API void gm_compiler_release(gm_compiler *compiler);
GM_API gm_vocab *gm_compiler_vocab(const gm_compiler *compiler); /* borrowed */

typedef enum gm_property_order {
    GM_ORDER_DECLARED = 0, /* x-order, else order of `properties`; other keys after them, in any order */
    GM_ORDER_ANY = 1       /* every order that JSON allows */
} gm_property_order;

typedef enum gm_whitespace {
    GM_WHITESPACE_FLEXIBLE = 0, /* any JSON white space at structural places, bounded runs */
    GM_WHITESPACE_COMPACT = 1,  /* none */
    GM_WHITESPACE_SPACED = 2,   /* ", " and ": " (or the two separators given), nothing else */
    GM_WHITESPACE_INDENTED = 3  /* what a pretty printer with `indent` spaces a level writes */
} gm_whitespace;

typedef enum gm_number_spelling { /* of integers and of numbers */
    GM_NUMBERS_PLAIN = 0,
    GM_NUMBERS_JSON = 1
} gm_number_spelling;

typedef enum gm_escapes {
    GM_ESCAPES_JSON = 0,   /* every escape that JSON has */
    GM_ESCAPES_MINIMAL = 1 /* only required ones, in their shortest spelling */
} gm_escapes;

typedef enum gm_formats {
    GM_FORMATS_ASSERT = 0,
    GM_FORMATS_ANNOTATE = 1,
    GM_FORMATS_SCHEMA = 2 /* as $vocabulary of the metaschema says */
} gm_formats;

typedef enum gm_unsupported {
    GM_UNSUPPORTED_REFUSE = 0,
    GM_UNSUPPORTED_NARROW = 1, /* what cannot be enforced allows nothing; each place is a warning */
    GM_UNSUPPORTED_IGNORE = 2  /* what cannot be enforced allows anything; each place is a warning */
} gm_unsupported;

typedef enum gm_draft {
    GM_DRAFT_BY_SCHEMA = 0, /* by $schema, else 2020-12 */
    GM_DRAFT_4 = 4,
    GM_DRAFT_6 = 6,
    GM_DRAFT_7 = 7,
    GM_DRAFT_2019_09 = 8,
    GM_DRAFT_2020_12 = 9
} gm_draft;

/* Looks up the text of another document by absolute URI without fragment. Returns true and sets
 * *text (valid until the compile call returns) and *length, or false when there is none. Called
 * only from inside the compile call, on its thread. */
typedef bool (*gm_resolver)(void *context, const char *uri, size_t uri_length, const char **text, size_t *length);

#define GM_WHITESPACE_UNLIMITED 0xFFFFFFFFu

typedef struct gm_schema_options {
    size_t struct_size;
    gm_property_order property_order;
    gm_whitespace whitespace;
    uint32_t max_whitespace; /* bytes of one run under `flexible`; 0 = 20, GM_WHITESPACE_UNLIMITED = no limit */
    uint32_t indent;         /* spaces a level under `indented`; 0 = 2 */
    const char *item_separator; /* of `spaced`; NULL = ", ": one comma with white space around it */
    const char *key_separator;  /* of `spaced` and `indented`; NULL = ": " */
    gm_number_spelling integers;
    gm_number_spelling numbers;
    gm_escapes escapes;
    bool strict; /* as if unevaluatedProperties: false stood wherever properties are declared */
    bool openapi;
    gm_formats formats;
    gm_unsupported unsupported;
    gm_draft draft;
    gm_resolver resolver; /* NULL: no other document is known */
    void *resolver_context;
} gm_schema_options;

/* Compiles a JSON Schema. `options` may be NULL. Equal texts and options may give the same grammar
 * from the compiler's cache. The grammar retains its compiler. */
GM_API gm_status gm_compile_json_schema(gm_compiler *compiler, const char *text, size_t length,
                                        const gm_schema_options *options, gm_grammar **grammar, gm_error *error);
/* Any JSON document: the schema `true`. */
GM_API gm_status gm_compile_json(gm_compiler *compiler, const gm_schema_options *options, gm_grammar **grammar,
                                 gm_error *error);
/* Declared for later: these answer GM_UNSUPPORTED. */
GM_API gm_status gm_compile_regex(gm_compiler *compiler, const char *pattern, size_t length, gm_grammar **grammar,
                                  gm_error *error);
GM_API gm_status gm_compile_tags(gm_compiler *compiler, const char *text, size_t length, gm_grammar **grammar,
                                 gm_error *error);
GM_API gm_status gm_compile_ebnf(gm_compiler *compiler, const char *text, size_t length, gm_grammar **grammar,
                                 gm_error *error);

GM_API gm_grammar *gm_grammar_retain(gm_grammar *grammar);
GM_API void gm_grammar_release(gm_grammar *grammar);
GM_API gm_compiler *gm_grammar_compiler(const gm_grammar *grammar); /* borrowed */

typedef enum gm_warning_kind {
    GM_WARNING_ANNOTATION = 0, /* does not constrain: an annotation or an unknown keyword */
    GM_WARNING_NARROWED = 1,   /* enforced as a subset */
    GM_WARNING_IGNORED = 2     /* not enforced, as asked for */
} gm_warning_kind;

/* Strings borrowed for the life of the grammar, NUL-terminated. */
typedef struct gm_warning {
    gm_warning_kind kind;
    const char *pointer;
    const char *keyword;
    const char *text;
} gm_warning;

GM_API size_t gm_grammar_warning_count(const gm_grammar *grammar);
GM_API gm_status gm_grammar_warning(const gm_grammar *grammar, size_t index, gm_warning *warning);

/* Bytes held by the grammar itself, lazily built states included, caches of its compiler not. */
GM_API size_t gm_grammar_memory(const gm_grammar *grammar);

typedef struct gm_grammar_stats {
    size_t struct_size;
    uint64_t compile_work; /* units of counted work in the compile call */
    uint64_t nodes;        /* schema nodes met */
    uint64_t formulas;     /* distinct formulas decided */
    uint64_t threads;      /* distinct threads */
    uint64_t places;       /* places built so far */
    uint64_t frames;       /* frame states built so far */
    uint64_t masks_built;  /* masks computed, not found */
    uint64_t masks_found;  /* masks found instead of computed; matchers add theirs now and then, and in the end */
    uint64_t trie_nodes;   /* vocabulary nodes visited for masks */
    uint64_t transitions;  /* built so far: where bytes, members and values lead from states */
    uint64_t mask_bytes;   /* of masks that matchers wrote as a whole, each as often as it was; added as masks_found are */
} gm_grammar_stats;

GM_API gm_status gm_grammar_get_stats(const gm_grammar *grammar, gm_grammar_stats *stats);

/* Builds states and masks that a generation is likely to meet, up to `work` counted units. */
GM_API gm_status gm_grammar_prewarm(gm_grammar *grammar, uint64_t work, gm_error *error);

/* The compiled grammar for people: one line a state; with `dot`, a Graphviz graph. `write` gets
 * pieces of UTF-8 in order; returning false ends the call with GM_IO. */
typedef bool (*gm_write)(void *context, const char *text, size_t length);
GM_API gm_status gm_grammar_explain(gm_grammar *grammar, bool dot, gm_write write, void *context, gm_error *error);

/* ---- Schema report: what is enforced, without any vocabulary ------------------------------ */

typedef struct gm_schema_report gm_schema_report;

typedef enum gm_report_kind {
    GM_REPORT_ENFORCED = 0,
    GM_REPORT_ANNOTATION = 1,
    GM_REPORT_REFUSED = 2
} gm_report_kind;

typedef struct gm_report_entry {
    gm_report_kind kind;
    const char *pointer; /* borrowed from the report, NUL-terminated */
    const char *keyword;
    const char *text;
} gm_report_entry;

/* GM_OK whenever the text is a schema, refused keywords included: look at the entries. */
GM_API gm_status gm_schema_check(const char *text, size_t length, const gm_schema_options *options,
                                 const gm_limits *limits, gm_schema_report **report, gm_error *error);
GM_API size_t gm_schema_report_count(const gm_schema_report *report);
GM_API gm_status gm_schema_report_entry(const gm_schema_report *report, size_t index, gm_report_entry *entry);
/* The status that compiling would give for a vocabulary with all bytes. */
GM_API gm_status gm_schema_report_status(const gm_schema_report *report);
/* The report as JSON text, borrowed, NUL-terminated. */
GM_API const char *gm_schema_report_json(const gm_schema_report *report, size_t *length);
GM_API void gm_schema_report_destroy(gm_schema_report *report);

/* ---- Masks ------------------------------------------------------------------------------ */

typedef enum gm_mask_kind {
    GM_MASK_NONE = 0,          /* nothing is allowed */
    GM_MASK_ALL = 1,           /* every id below token_count is allowed */
    GM_MASK_DENSE = 2,         /* words */
    GM_MASK_SPARSE = 3,        /* the added ids alone */
    GM_MASK_BASE_AND_LISTS = 4 /* words, then added ids set, then removed ids cleared */
} gm_mask_kind;

/* A borrowed view of a mask, valid until the next call on its matcher. Lists are ascending. */
typedef struct gm_mask {
    gm_mask_kind kind;
    const uint32_t *words; /* NULL unless DENSE or BASE_AND_LISTS */
    size_t word_count;
    const uint32_t *added;
    size_t added_count;
    const uint32_t *removed;
    size_t removed_count;
    size_t allowed_count; /* how many ids are allowed */
    size_t token_count;
    size_t logit_width;
} gm_mask;

/* ---- Matcher ---------------------------------------------------------------------------- */

typedef struct gm_matcher gm_matcher;

typedef struct gm_matcher_options {
    size_t struct_size;
    bool own_stop_set;     /* use `stop` instead of the vocabulary's set; an empty one means none */
    const uint32_t *stop;  /* copied; an id in the stop set is never text */
    size_t stop_count;
    bool leading_space;    /* one space may stand before the root value */
    uint64_t token_budget; /* reserved: must be 0 */
    const gm_allocator *allocator;
} gm_matcher_options;

typedef enum gm_matcher_state_kind {
    GM_RUNNING = 0,  /* more must follow */
    GM_MAY_STOP = 1, /* a stop token is allowed, and so is more */
    GM_COMPLETE = 2, /* nothing but stop tokens may follow */
    GM_STOPPED = 3,  /* a stop token was accepted, or the document is complete and there are no stop tokens */
    GM_STUCK = 4     /* the vocabulary cannot continue */
} gm_matcher_state_kind;

/* The matcher retains the grammar. `options` may be NULL. */
GM_API gm_status gm_matcher_create(gm_grammar *grammar, const gm_matcher_options *options, gm_matcher **matcher,
                                   gm_error *error);
GM_API void gm_matcher_destroy(gm_matcher *matcher);
/* Back to the start; drops the history, keeps stop set and options, touches no fork. */
GM_API gm_status gm_matcher_reset(gm_matcher *matcher);
/* A second matcher at the same position with the same history; cheap at any length. */
GM_API gm_status gm_matcher_fork(gm_matcher *matcher, gm_matcher **fork);

/* Copies the mask of the next step. word_count >= gm_vocab_mask_words (else GM_INVALID_ARGUMENT, and
 * nothing is written); words past the logit width become zero. Whatever else goes wrong, the words
 * are all zeros: GM_TERMINATED (GM_STOPPED), GM_DEAD_END (GM_STUCK), GM_LIMIT, GM_OUT_OF_MEMORY. */
GM_API gm_status gm_matcher_fill(gm_matcher *matcher, uint32_t *words, size_t word_count);
/* The same, borrowed, without a copy. */
GM_API gm_status gm_matcher_mask(gm_matcher *matcher, gm_mask *mask);

/* Advances by a token: GM_OK, GM_REJECTED (also for ids outside the vocabulary) or GM_TERMINATED. */
GM_API gm_status gm_matcher_accept(gm_matcher *matcher, uint32_t token);
/* Advances by text: all of it or none. *accepted (may be NULL) tells how many bytes fitted, also on
 * rejection. A byte that no token has never fits. One history entry, one in the token count. */
GM_API gm_status gm_matcher_accept_bytes(gm_matcher *matcher, const uint8_t *bytes, size_t length, size_t *accepted);
/* What gm_matcher_accept would answer; no state changes and no mask is built. */
GM_API gm_status gm_matcher_would_accept(gm_matcher *matcher, uint32_t token);
/* *prefix = how many of the tokens would be accepted one after another. The matcher stays. */
GM_API gm_status gm_matcher_would_accept_many(gm_matcher *matcher, const uint32_t *tokens, size_t count, size_t *prefix);
/* Reserved: GM_UNSUPPORTED. Masks after each node of a tree of drafts; row i is for node i,
 * parents[i] < i or UINT32_MAX for a child of the present position. */
GM_API gm_status gm_matcher_fill_tree(gm_matcher *matcher, const uint32_t *tokens, const uint32_t *parents, size_t count,
                                      uint32_t *words, size_t stride, const uint32_t *rows);
/* Takes back the last `token_count` accepted tokens (or byte runs). More than accepted is
 * GM_INVALID_ARGUMENT, lack of memory GM_OUT_OF_MEMORY: both change nothing. The time does not depend on
 * the number; up to seven tokens are run again. */
GM_API gm_status gm_matcher_rollback(gm_matcher *matcher, size_t token_count);

GM_API gm_matcher_state_kind gm_matcher_state(gm_matcher *matcher);
/* The bytes that every legal text shares from here, at most `capacity` of them are written;
 * *length is how many were. Masks never depend on it. */
GM_API gm_status gm_matcher_forced(gm_matcher *matcher, uint8_t *bytes, size_t capacity, size_t *length);
/* Reserved: GM_UNSUPPORTED. Bytes of a shortest completion. */
GM_API gm_status gm_matcher_shortest(gm_matcher *matcher, size_t *bytes);
GM_API size_t gm_matcher_token_count(const gm_matcher *matcher);
GM_API size_t gm_matcher_memory(const gm_matcher *matcher);
GM_API gm_grammar *gm_matcher_grammar(const gm_matcher *matcher); /* borrowed */
/* The stop set in force, borrowed, ascending. */
GM_API const uint32_t *gm_matcher_stop(const gm_matcher *matcher, size_t *count);

/* For people: what is expected here. */
typedef struct gm_expected {
    size_t struct_size;
    uint64_t bytes[4];          /* bit b of bytes[b / 64]: byte b may follow */
    bool may_stop;              /* the document may end here */
    char document_pointer[256]; /* the place in the document, cut at its end if longer */
    char schema_pointer[256];   /* a part of the schema that asks here */
} gm_expected;
GM_API gm_status gm_matcher_expected(gm_matcher *matcher, gm_expected *expected);
/* Why a token is not allowed: *position is its first byte that does not fit (its length when all
 * fit), message is for people. GM_OK whenever the question could be answered. */
GM_API gm_status gm_matcher_explain(gm_matcher *matcher, uint32_t token, size_t *position, char *message,
                                    size_t message_size);

/* ---- Batches ---------------------------------------------------------------------------- */

/* Runs body(body_context, i) for every i in [0, count), in any order, on any threads, and returns
 * when all are done. NULL = one after another on the calling thread. */
typedef void (*gm_parallel_for)(void *context, size_t count, void (*body)(void *body_context, size_t index),
                                void *body_context);

/* Fills row rows[i] (or i when rows is NULL) of `words`, `stride` words apart, from matcher i. Rows
 * of NULL matchers are left alone, and no other row is written. Returns
 * GM_OK, or the first status in order of i that is neither GM_OK, GM_TERMINATED nor GM_DEAD_END;
 * statuses[i] (may be NULL) has each. A matcher must not stand twice in the list. */
GM_API gm_status gm_fill_batch(gm_matcher *const *matchers, size_t count, uint32_t *words, size_t stride,
                               const uint32_t *rows, gm_status *statuses, gm_parallel_for parallel_for, void *context);

/* ---- Logits ----------------------------------------------------------------------------- */

/* Set what is not allowed to minus infinity (f32, bf16) or -65504 (f16, the least finite half), in
 * place; ids from token_count up to `count` as well. `count` may be smaller than the width. */
GM_API void gm_logits_mask_f32(const gm_mask *mask, float *logits, size_t count);
GM_API void gm_logits_mask_f16(const gm_mask *mask, uint16_t *logits, size_t count);
GM_API void gm_logits_mask_bf16(const gm_mask *mask, uint16_t *logits, size_t count);
/* The same from a copied mask; ids past word_count * 32 are masked. */
GM_API void gm_words_mask_f32(const uint32_t *words, size_t word_count, float *logits, size_t count);
GM_API void gm_words_mask_f16(const uint32_t *words, size_t word_count, uint16_t *logits, size_t count);
GM_API void gm_words_mask_bf16(const uint32_t *words, size_t word_count, uint16_t *logits, size_t count);
/* Over a list of candidates: logits[i] belongs to token ids[i]. */
GM_API void gm_mask_candidates(const gm_mask *mask, const uint32_t *ids, float *logits, size_t count);
/* out[i] = 0 where allowed, minus infinity elsewhere. */
GM_API void gm_mask_additive_f32(const gm_mask *mask, float *out, size_t count);
/* Whether one id is allowed. */
GM_API bool gm_mask_allows(const gm_mask *mask, uint32_t token);

#ifdef __cplusplus
}
#endif
#endif
