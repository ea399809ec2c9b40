/*
 * api/objects.h - the objects behind the public handles, and what they own.
 *
 *   gm_matcher --retains--> gm_grammar --retains--> gm_compiler --retains--> gm_vocab
 *
 * A compiler owns the stores that its grammars share (content terms, number languages, inner masks)
 * and finds equal grammars again through a weak cache: an entry does not keep its grammar alive.
 */
#ifndef GM_API_OBJECTS_H
#define GM_API_OBJECTS_H

#include "base/slabs.h"
#include "mask/kernels.h"
#include "match/matcher.h"

enum { GM_CACHE_BUCKETS = 256 };

struct gm_compiler {
    gm_allocator allocator;
    gm_slabs *slabs; /* what the allocator takes memory from, if it is not the caller's, or NULL */
    atomic_size_t references;
    gm_vocab *vocab;
    gm_limits limits; /* no zeros: defaults are filled in */
    gm_text *text;
    gm_number *number;
    gm_alphabet alphabets[2]; /* without and with minimal escapes */
    gm_inner *inner;
    gm_memo_pool pool; /* of all grammars' memos */
    gm_lock cache_lock;
    gm_grammar *buckets[GM_CACHE_BUCKETS]; /* L = cache_lock; not retained */
};

struct gm_grammar {
    gm_compiler *compiler;
    atomic_size_t references;
    gm_arena keep; /* form, warnings, key */
    const gm_form *form;
    gm_machine machine;
    gm_memo *memo;
    gm_warning *warnings;
    size_t warning_count;
    gm_grammar *next; /* L = cache_lock */
    bool cached;
    uint64_t key_hash;
    gm_bytes key; /* options and text */
    _Atomic uint64_t masks_built, masks_found, trie_nodes, mask_bytes;
};

/* limits.c: the caller's limits (may be NULL) with defaults filled in. */
gm_limits gm_limits_or_default(const gm_limits *limits);
/* The caller's options (may be NULL) with what an older struct lacks zeroed; checks ranges. */
gm_status gm_options_or_default(const gm_schema_options *options, gm_schema_options *out, gm_error *error);
gm_text_limits gm_text_limits_of(const gm_limits *limits);

#endif
