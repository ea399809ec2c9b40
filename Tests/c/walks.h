/*
 * walks.h - random walks under masks, each mask compared token for token with what accept says.
 *
 * A walk starts a document, at every step fills the mask, checks it, and takes a random allowed
 * token, with a leaning towards the end so that it finishes. Now and then it rolls back some tokens
 * and finds the same masks again, or goes on in a fork while the original stays where it was. A
 * walk that meets an empty mask before the end, or that does not finish, is a failure.
 */
#ifndef WALKS_H
#define WALKS_H

#include "check.h"
#include "match/explore.h"
#include "match/matcher.h"

#include <stdint.h>

typedef struct walker {
    gm_vocab *vocab;
    size_t words;
    size_t tokens;
    uint64_t random;
    size_t brute_every; /* of the masks, one in so many is compared with accept on every token */
    size_t masks, brute, documents, tokens_taken;
    uint32_t *mask, *again;
    const char *schema; /* for messages */
} walker;

static uint32_t walk_random(walker *w, uint32_t below)
{
    w->random ^= w->random << 13;
    w->random ^= w->random >> 7;
    w->random ^= w->random << 17;
    return (uint32_t)((w->random >> 32) * below >> 32);
}

static bool walk_bit(const uint32_t *words, size_t i) { return words[i / 32] >> i % 32 & 1; }

/* The mask's bit and accept on every id agree. */
static bool walk_mask_is_exact(walker *w, gm_matcher *matcher)
{
    for (uint32_t id = 0; id < w->words * 32; id++) {
        const bool allowed = gm_matcher_would_accept(matcher, id) == GM_OK;
        if (allowed != walk_bit(w->mask, id)) {
            fprintf(stderr, "schema %s\n  id %u: mask %d, accept %d, after %zu tokens\n", w->schema, id,
                    walk_bit(w->mask, id), allowed, gm_matcher_token_count(matcher));
            return false;
        }
    }
    return true;
}

/* A random allowed id. */
static uint32_t walk_choose(walker *w)
{
    const uint32_t start = walk_random(w, (uint32_t)(w->words * 32));
    for (uint32_t i = 0; i < w->words * 32; i++) {
        const uint32_t id = (start + i) % (uint32_t)(w->words * 32);
        if (walk_bit(w->mask, id))
            return id;
    }
    return UINT32_MAX;
}

/* ---- finding an end ---- */

enum { WALK_SEARCH = 1 << 14, WALK_ALIKE = 24 };

typedef struct walk_node {
    gm_config config;
    uint32_t parent;
    uint8_t byte;
} walk_node;

/* Whether two positions inside one string or number have the same ways out. */
static bool walk_same(const gm_config *a, const gm_config *b)
{
    if (a->spelling != b->spelling)
        return false;
    if (a->mode == GM_MODE_KEY)
        return a->as.key.lexical == b->as.key.lexical && a->as.key.low == b->as.key.low &&
               a->as.key.high == b->as.key.high;
    const bool counts = a->mode == GM_MODE_STRING && a->at.turn->place->counts_points;
    return a->as.text.lexical == b->as.text.lexical && (!counts || a->as.text.length == b->as.text.length);
}

/* Breadth-first over bytes until the mode changes: the shortest way out of a string or number. Plain
 * characters only, unless `all`: escapes and long sequences have too many states to try first. Passes over the
 * first `but` (at most 8) frames or turns that are found: another way out may be what the container still needs. */
static size_t walk_search_but(gm_matcher *matcher, gm_arena *journal, bool all, uint32_t but, uint8_t *out,
                              size_t capacity)
{
    static walk_node nodes[WALK_SEARCH];
    uint32_t count = 1;
    const void *passed[8];
    uint32_t passed_count = 0;
    nodes[0] = (walk_node){matcher->config, 0, 0};
    for (uint32_t at = 0; at < count; at++)
        for (unsigned byte = 0; byte < 256 + 4 && count < WALK_SEARCH; byte++) {
            /* what closes comes first: a space may promise more */
            static const uint8_t first[] = "\"]},";
            walk_node next = {.parent = at, .byte = byte < 4 ? first[byte] : (uint8_t)(byte - 4)};
            if (!all && nodes[at].config.spelling == GM_SPELLING_BETWEEN && (next.byte == '\\' || next.byte >= 0x80))
                continue;
            if (gm_machine_step(matcher->source.machine, journal, &nodes[at].config, next.byte, &next.config) != GM_OK)
                continue;
            /* behind texts that a unique array tells apart the ways out may differ: a few alike are kept */
            uint32_t alike = 0, most = gm_config_may_repeat(&next.config) ? WALK_ALIKE : 1;
            const bool ends = next.config.mode != matcher->config.mode || gm_machine_may_end(&next.config);
            for (uint32_t i = count; i-- > 0 && alike < most && !ends;)
                alike += walk_same(&nodes[i].config, &next.config);
            if (alike == most)
                continue;
            nodes[count++] = next;
            if (!ends)
                continue;
            bool is_passed = false;
            for (uint32_t i = 0; i < passed_count; i++)
                is_passed = is_passed || passed[i] == next.config.at.frame;
            if (is_passed)
                continue;
            if (passed_count < but) {
                passed[passed_count++] = next.config.at.frame;
                continue;
            }
            size_t length = 0;
            for (uint32_t i = count - 1; i != 0; i = nodes[i].parent)
                length++;
            if (length > capacity)
                return 0;
            size_t end = length;
            for (uint32_t i = count - 1; i != 0; i = nodes[i].parent)
                out[--end] = nodes[i].byte;
            return length;
        }
    return 0;
}

static size_t walk_search(gm_matcher *matcher, gm_arena *journal, bool all, uint8_t *out, size_t capacity)
{
    return walk_search_but(matcher, journal, all, 0, out, capacity);
}

/* The first byte of an order that may stand here: a closing quote, the end of an escape, a letter. */
static size_t walk_greedy(gm_matcher *matcher, gm_arena *journal, uint8_t *out)
{
    for (unsigned i = 0; i < 256 + 16; i++) {
        gm_config next;
        out[0] = i < 16 ? (uint8_t) "\"0dDcC8uabn\\xyz-"[i] : (uint8_t)(i - 16);
        if (gm_machine_step(matcher->source.machine, journal, &matcher->config, out[0], &next) == GM_OK)
            return 1;
    }
    return 0;
}

static size_t walk_out(gm_matcher *matcher, gm_arena *journal, uint8_t *out, size_t capacity)
{
    if (matcher->config.spelling != GM_SPELLING_BETWEEN)
        return walk_greedy(matcher, journal, out);
    const size_t length = walk_search(matcher, journal, false, out, capacity);
    return length != 0 ? length : walk_search(matcher, journal, true, out, capacity);
}

/* The rest of a key: of the first name that may be taken, else the shortest way out. */
static size_t walk_key(gm_matcher *matcher, gm_arena *journal, uint8_t *out, size_t capacity)
{
    const gm_config *config = &matcher->config;
    const gm_frame *frame = config->at.frame;
    for (int pass = 0; pass < 2; pass++) /* those that must come first: others may lead ever deeper */
        for (uint32_t i = config->as.key.low; i < config->as.key.high && config->spelling == GM_SPELLING_BETWEEN; i++) {
            const gm_bytes name = frame->place->shape->names[i];
            const uint64_t *required = frame->place->shape->required[frame->entries[0].thread];
            if ((pass == 0 && !(required[i / 64] >> i % 64 & 1)) || !gm_frame_can_take(frame, config->top, i, i + 1))
                continue;
            if (name.length == config->as.key.depth) {
                out[0] = '"';
                return 1;
            }
            const uint8_t byte = (uint8_t)name.data[config->as.key.depth];
            if (byte == '\n' || byte == '"' || byte == '\\')
                return (size_t)snprintf((char *)out, capacity, "\\%c", byte == '\n' ? 'n' : byte);
            out[0] = byte;
            return 1;
        }
    /* names of families have ends of their own; used ones make positions differ that look alike */
    if (config->spelling == GM_SPELLING_BETWEEN && frame->keys != NULL) {
        size_t length = walk_search(matcher, journal, false, out, capacity);
        if (length == 0)
            length = walk_search(matcher, journal, true, out, capacity);
        if (length != 0)
            return length;
    }
    return walk_greedy(matcher, journal, out);
}

/* Some bytes that bring the document nearer to its end; 0 if none were found. */
static size_t walk_towards_end(gm_matcher *matcher, uint8_t *out, size_t capacity)
{
    static const uint8_t order[] = "}]\n ntfalseurl\"0123456789-[{,:\r\t";
    gm_arena *journal = gm_history_journal(&matcher->history);
    if (journal == NULL)
        return 0;
    const gm_arena_mark mark = gm_arena_save(journal);
    const uint8_t mode = matcher->config.mode;
    size_t length = 0;
    if (mode == GM_MODE_KEY)
        length = walk_key(matcher, journal, out, capacity);
    else if (mode == GM_MODE_STRING)
        length = walk_out(matcher, journal, out, capacity);
    else {
        /* white space leads nowhere under `flexible`, and is the only way on where it is fixed */
        for (size_t pass = 0; pass < 2 && length == 0; pass++)
            for (size_t i = 0; i < sizeof order - 1 && length == 0; i++) {
                gm_config next;
                const bool blank = gm_is_whitespace(order[i]);
                const bool flexible = matcher->source.machine->gaps.kind == GM_WHITESPACE_FLEXIBLE;
                if (blank && flexible && pass == 0)
                    continue;
                if (gm_machine_step(matcher->source.machine, journal, &matcher->config, order[i], &next) == GM_OK) {
                    out[0] = order[i];
                    length = 1;
                }
            }
    }
    if (length == 0 || (mode == GM_MODE_NUMBER && out[0] != '}' && out[0] != ']' && out[0] != '\n'))
        length = walk_out(matcher, journal, out, capacity);
    gm_arena_rewind(journal, mark);
    return length;
}

/* A random byte that may stand here; in text and numbers mostly one that keeps most threads alive, since
 * what an array or object still has to hold is asked by threads of their own. */
static size_t walk_wander(walker *w, gm_matcher *matcher, uint8_t *out, size_t capacity)
{
    gm_arena *journal = gm_history_journal(&matcher->history);
    uint8_t bytes[128];
    uint32_t count = 0, most = 0;
    const bool lexical = matcher->config.mode == GM_MODE_STRING || matcher->config.mode == GM_MODE_NUMBER;
    const bool greedy = lexical && walk_random(w, 4) != 0;
    const bool between = matcher->config.mode == GM_MODE_NUMBER ||
                         (matcher->config.mode == GM_MODE_STRING && matcher->config.spelling == GM_SPELLING_BETWEEN);
    if (journal != NULL && between && walk_random(w, 2) == 0) {
        const gm_arena_mark mark = gm_arena_save(journal);
        const size_t length = walk_search_but(matcher, journal, false, 1 + walk_random(w, 2), out, capacity);
        gm_arena_rewind(journal, mark);
        if (length != 0)
            return length;
    }
    for (uint8_t byte = 0x20; journal != NULL && byte < 0x7f; byte++) {
        const gm_arena_mark mark = gm_arena_save(journal);
        gm_config next;
        if (gm_machine_step(matcher->source.machine, journal, &matcher->config, byte, &next) == GM_OK) {
            const bool inside = next.mode == GM_MODE_STRING || next.mode == GM_MODE_NUMBER;
            const uint32_t alive = inside && greedy ? next.as.text.lexical->count : 0;
            count = alive > most ? 0 : count;
            most = alive > most ? alive : most;
            if (alive == most)
                bytes[count++] = byte;
        }
        gm_arena_rewind(journal, mark);
    }
    if (count == 0)
        return 0;
    out[0] = bytes[walk_random(w, count)];
    return 1;
}

/* One attempt: the way that leads out soonest; or, since that may never do what the document still has to do,
 * that way and random bytes by turns. */
static bool walk_attempt(walker *w, gm_matcher *fork, bool wanders)
{
    for (int step = 0; step < (wanders ? 1500 : 3000) && !gm_machine_may_end(&fork->config); step++) {
        uint8_t bytes[512];
        size_t accepted = 0, length = 0;
        if (wanders && walk_random(w, 3) == 0)
            length = walk_wander(w, fork, bytes, sizeof bytes);
        if (length == 0)
            length = walk_towards_end(fork, bytes, sizeof bytes);
        if (length == 0 || gm_matcher_accept_bytes(fork, bytes, length, &accepted) != GM_OK)
            return false;
    }
    return gm_machine_may_end(&fork->config);
}

/* Completes the document in a fork; false if no end is found. */
static bool walk_finds_an_end(walker *w, gm_matcher *matcher)
{
    bool found = false;
    for (int attempt = 0; attempt < 150 && !found; attempt++) {
        gm_matcher *fork = NULL;
        found = gm_matcher_fork(matcher, &fork) == GM_OK && walk_attempt(w, fork, attempt > 0);
        gm_matcher_destroy(fork);
    }
    if (!found)
        fprintf(stderr, "schema %s\n  no end is found after %zu tokens, expecting %s\n", w->schema,
                gm_matcher_token_count(matcher), gm_config_text(&matcher->config));
    return found;
}

static bool walk_rollback_finds_the_same(walker *w, gm_matcher *matcher, const uint32_t *taken, size_t count)
{
    const size_t back = walk_random(w, (uint32_t)count) + 1;
    memcpy(w->again, w->mask, w->words * sizeof *w->mask);
    if (gm_matcher_rollback(matcher, back) != GM_OK || gm_matcher_token_count(matcher) != count - back)
        return false;
    for (size_t i = count - back; i < count; i++)
        if (gm_matcher_accept(matcher, taken[i]) != GM_OK)
            return false;
    const gm_status status = gm_matcher_fill(matcher, w->mask, w->words);
    return status == GM_OK && memcmp(w->again, w->mask, w->words * sizeof *w->mask) == 0;
}

/* One document; false on any failure. */
static bool walk_document(walker *w, gm_grammar *grammar)
{
    enum { LONGEST = 60 };
    gm_matcher *matcher = NULL;
    gm_error error;
    uint32_t taken[LONGEST];
    bool fine = gm_matcher_create(grammar, NULL, &matcher, &error) == GM_OK;
    size_t count = 0;
    const size_t longest = walk_random(w, LONGEST);
    while (fine && count < longest && gm_matcher_state(matcher) != GM_STOPPED) {
        const gm_status status = gm_matcher_fill(matcher, w->mask, w->words);
        w->masks++;
        if (status != GM_OK) {
            fprintf(stderr, "schema %s\n  %s after %zu tokens\n", w->schema, gm_status_name(status), count);
            fine = false;
            break;
        }
        if (w->masks % w->brute_every == 0) {
            w->brute++;
            fine = walk_mask_is_exact(w, matcher);
        }
        if (fine && count > 0 && walk_random(w, 8) == 0 && !walk_rollback_finds_the_same(w, matcher, taken, count)) {
            fprintf(stderr, "schema %s\n  another mask after rollback and replay of %zu tokens\n", w->schema, count);
            fine = false;
        }
        if (fine && walk_random(w, 16) == 0) {
            gm_matcher *fork = NULL;
            fine = gm_matcher_fork(matcher, &fork) == GM_OK;
            if (walk_random(w, 2) == 0 && fine) { /* go on in the fork */
                gm_matcher *other = matcher;
                matcher = fork;
                fork = other;
            }
            gm_matcher_destroy(fork);
        }
        const uint32_t id = walk_choose(w);
        if (fine && gm_matcher_accept(matcher, id) != GM_OK) {
            fprintf(stderr, "schema %s\n  allowed id %u is rejected\n", w->schema, id);
            fine = false;
        }
        taken[count++] = id;
    }
    fine = fine && (gm_matcher_state(matcher) == GM_STOPPED || walk_finds_an_end(w, matcher));
    w->tokens_taken += count;
    w->documents++;
    gm_matcher_destroy(matcher);
    return fine;
}

static bool walker_open(walker *w, gm_vocab *vocab, uint64_t seed, size_t brute_every)
{
    *w = (walker){.vocab = vocab,
                  .words = gm_vocab_mask_words(vocab),
                  .tokens = gm_vocab_token_count(vocab),
                  .random = seed * 2 + 1,
                  .brute_every = brute_every};
    w->mask = malloc(w->words * sizeof *w->mask);
    w->again = malloc(w->words * sizeof *w->again);
    return w->mask != NULL && w->again != NULL;
}

static void walker_close(walker *w)
{
    free(w->mask);
    free(w->again);
}

/* Compiles a schema and walks `documents` of it; false on any failure. */
static inline bool walk_schema(walker *w, gm_compiler *compiler, const char *schema, const gm_schema_options *options,
                               size_t documents)
{
    gm_grammar *grammar = NULL;
    gm_error error;
    w->schema = schema;
    if (gm_compile_json_schema(compiler, schema, strlen(schema), options, &grammar, &error) != GM_OK) {
        fprintf(stderr, "schema %s\n  %s %s %s: %s\n", schema, gm_status_name(error.status), error.pointer,
                error.keyword, error.message);
        return false;
    }
    bool fine = true;
    for (size_t i = 0; i < documents && fine; i++)
        fine = walk_document(w, grammar);
    gm_grammar_release(grammar);
    return fine;
}

#endif
