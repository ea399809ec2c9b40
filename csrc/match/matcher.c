/* match/matcher.c - see matcher.h. */
#include "match/matcher.h"

#include <stdlib.h>

/* ---- making and ending ---- */

static int compare_ids(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static gm_status copy_stop_set(gm_matcher *matcher, const uint32_t *ids, size_t count, gm_error *error)
{
    const size_t width = gm_vocab_facts_of(matcher->source.vocab)->logit_width;
    for (size_t i = 0; i < count; i++)
        if (ids[i] >= width)
            return gm_fail(error, GM_INVALID_ARGUMENT, "", "stop", "stop id %u is not below the logit width %llu",
                           ids[i], (unsigned long long)width);
    if (count == 0)
        return GM_OK;
    matcher->stop = gm_allocate(&matcher->allocator, count, sizeof *ids);
    if (matcher->stop == NULL)
        return gm_no_memory(error);
    memcpy(matcher->stop, ids, count * sizeof *ids);
    qsort(matcher->stop, count, sizeof *ids, compare_ids);
    matcher->stop_room = count;
    for (size_t i = 0; i < count; i++)
        if (i == 0 || matcher->stop[i] != matcher->stop[i - 1])
            matcher->stop[matcher->stop_count++] = matcher->stop[i];
    matcher->first_stop = matcher->stop[0];
    matcher->last_stop = matcher->stop[matcher->stop_count - 1];
    return GM_OK;
}

/* Whether each byte value is a token of its own, outside the stop set: then no position is stuck. */
static bool has_all_bytes(const gm_matcher *matcher)
{
    const gm_trie *trie = &gm_vocab_tables_of(matcher->source.vocab)->all;
    unsigned bytes = 0;
    const gm_branch *root = trie->branches;
    for (uint32_t at = root->children; at < root->children + gm_child_count(root); at++) {
        const gm_branch *branch = &trie->branches[at];
        bool usable = false;
        for (uint32_t i = branch->first; i < branch->own_end && branch->extra == 0 && !usable; i++)
            usable = !gm_match_is_stop(matcher, trie->tokens[i]);
        bytes += usable;
    }
    return bytes == 256;
}

gm_status gm_matcher_init(gm_matcher *matcher, const gm_mask_source *source, const gm_matcher_options *options,
                          const gm_limits *limits, gm_error *error)
{
    const gm_allocator allocator = gm_allocator_or_default(options->allocator);
    *matcher = (gm_matcher){.allocator = allocator, .source = *source, .first_stop = UINT32_MAX};
    matcher->start = matcher->config = gm_machine_start(source->machine, options->leading_space);
    gm_history_init(&matcher->history, &allocator, limits->max_matcher_memory);
    gm_walk_init(&matcher->walk, &allocator, limits->max_mask_work);
    const gm_vocab_facts *facts = gm_vocab_facts_of(source->vocab);
    const uint32_t *ids = options->own_stop_set ? options->stop : facts->stop;
    const size_t count = options->own_stop_set ? options->stop_count : facts->stop_count;
    const gm_status status = copy_stop_set(matcher, ids, count, error);
    if (source->memo != NULL)
        gm_memo_join(source->memo);
    matcher->heads = gm_vocab_tables_of(source->vocab)->heads;
    matcher->plain = gm_vocab_tables_of(source->vocab)->plain;
    matcher->token_count = facts->token_count;
    if (status != GM_OK)
        gm_matcher_finish(matcher);
    return status;
}

void gm_matcher_finish(gm_matcher *matcher)
{
    if (matcher->source.memo != NULL)
        gm_memo_leave(matcher->source.memo);
    gm_history_destroy(&matcher->history);
    gm_walk_destroy(&matcher->walk);
    gm_deallocate(&matcher->allocator, matcher->stop, matcher->stop_room, sizeof *matcher->stop);
    gm_deallocate(&matcher->allocator, matcher->words, gm_vocab_facts_of(matcher->source.vocab)->mask_words,
                  sizeof *matcher->words);
}

gm_status gm_match_fork(gm_matcher *from, gm_matcher *to)
{
    uint32_t *stop = NULL;
    if (from->stop_count != 0) {
        stop = gm_allocate(&from->allocator, from->stop_count, sizeof *stop);
        if (stop == NULL)
            return GM_OUT_OF_MEMORY;
        memcpy(stop, from->stop, from->stop_count * sizeof *stop);
    }
    *to = *from;
    to->stop = stop;
    to->stop_room = from->stop_count;
    to->words = NULL;
    to->masks = to->finds = to->written = 0;
    to->found = NULL;
    to->tallied = (gm_mask_tally){0};
    gm_walk_init(&to->walk, &from->allocator, from->walk.budget);
    to->history = gm_history_fork(&from->history);
    if (to->source.memo != NULL)
        gm_memo_join(to->source.memo);
    return GM_OK;
}

static void move_to(gm_matcher *matcher, const gm_config *config, bool stopped)
{
    matcher->config = *config;
    matcher->stopped = stopped;
    matcher->found = NULL;
}

void gm_match_reset(gm_matcher *matcher)
{
    gm_history_cut(&matcher->history, 0);
    move_to(matcher, &matcher->start, false);
}

/* ---- accepting ---- */

bool gm_match_is_stop(const gm_matcher *matcher, uint32_t token)
{
    size_t low = 0, high = matcher->stop_count;
    if (token < matcher->first_stop || token > matcher->last_stop)
        return false; /* most are */
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (matcher->stop[middle] == token)
            return true;
        if (matcher->stop[middle] < token)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

bool gm_match_is_stopped(const gm_matcher *matcher)
{
    return matcher->stopped ||
           (matcher->stop_count == 0 && gm_machine_is_complete(matcher->source.machine, &matcher->config));
}

/* Whether a token leaves the position as it is: whole characters inside free text without bounds, which nobody will
 * compare. */
static bool stays_in_place(const gm_matcher *matcher, uint32_t token)
{
    const gm_config *config = &matcher->config;
    return config->mode == GM_MODE_STRING && config->spelling == GM_SPELLING_BETWEEN && token < matcher->token_count &&
           (matcher->plain[token / 32] >> token % 32 & 1) && !matcher->stopped && !gm_config_is_watched(config) &&
           !config->at.turn->place->counts_points && config->as.text.lexical->count == 1 &&
           config->as.text.lexical->strands[0].state == GM_TERM_ANY && !gm_match_is_stop(matcher, token);
}

/* The text of a token that a mask may hold, and how many letters it is known to begin with; NULL for any other. */
static const uint8_t *text_of(const gm_matcher *matcher, uint32_t token, size_t *length, size_t *letters)
{
    if (token >= matcher->token_count || matcher->heads[token].length == 0)
        return NULL;
    if (matcher->heads[token].length == GM_LONG_TEXT)
        return gm_vocab_text(matcher->source.vocab, token, length);
    *length = matcher->heads[token].length;
    *letters = matcher->heads[token].letters;
    return matcher->heads[token].text;
}

/* Where a token leads from a position, in place: unless GM_OK it is void. */
static GM_INLINE gm_status advance(gm_matcher *matcher, gm_arena *journal, uint32_t token, gm_config *config,
                                   bool *stopped)
{
    size_t length, count, letters = 0;
    if (*stopped || (matcher->stop_count == 0 && gm_machine_is_complete(matcher->source.machine, config)))
        return GM_TERMINATED;
    if (gm_match_is_stop(matcher, token)) {
        *stopped = gm_machine_may_end(config);
        return *stopped ? GM_OK : GM_REJECTED;
    }
    const uint8_t *text = text_of(matcher, token, &length, &letters);
    if (text == NULL)
        return GM_REJECTED;
    return gm_machine_run(matcher->source.machine, journal, config, text, length, letters, &count);
}

/* Adds a step that led to the present position, or goes back to the one before it. */
static GM_INLINE gm_status end_step(gm_matcher *matcher, gm_arena *journal, gm_arena_mark mark, uint32_t value,
                                    const uint8_t *bytes, const gm_config *before, gm_status status)
{
    if (status == GM_OK)
        status = gm_history_push(&matcher->history, value, bytes, &matcher->config, matcher->stopped);
    if (status == GM_OK) {
        matcher->found = NULL;
        return GM_OK;
    }
    gm_arena_rewind(journal, mark);
    matcher->config = *before;
    return status;
}

gm_status gm_match_accept(gm_matcher *matcher, uint32_t token)
{
    gm_arena *journal = gm_history_journal(&matcher->history);
    if (journal == NULL)
        return GM_OUT_OF_MEMORY;
    if (stays_in_place(matcher, token))
        return gm_history_push_in_place(&matcher->history, token, &matcher->config);
    const gm_arena_mark mark = gm_arena_save(journal);
    const gm_config before = matcher->config;
    const bool was_stopped = matcher->stopped;
    gm_status status = advance(matcher, journal, token, &matcher->config, &matcher->stopped);
    status = end_step(matcher, journal, mark, token, NULL, &before, status);
    if (status != GM_OK)
        matcher->stopped = was_stopped;
    return status;
}

gm_status gm_match_would_accept(gm_matcher *matcher, uint32_t token)
{
    gm_arena *journal = gm_history_journal(&matcher->history);
    if (journal == NULL)
        return GM_OUT_OF_MEMORY;
    const gm_arena_mark mark = gm_arena_save(journal);
    gm_config config = matcher->config;
    bool stopped = matcher->stopped;
    const gm_status status = advance(matcher, journal, token, &config, &stopped);
    gm_arena_rewind(journal, mark);
    return status;
}

gm_status gm_match_accept_bytes(gm_matcher *matcher, const uint8_t *bytes, size_t length, size_t *accepted)
{
    gm_arena *journal = gm_history_journal(&matcher->history);
    *accepted = 0;
    if (journal == NULL)
        return GM_OUT_OF_MEMORY;
    if (gm_match_is_stopped(matcher))
        return GM_TERMINATED;
    if (length > UINT32_MAX)
        return GM_INVALID_ARGUMENT;
    const gm_arena_mark mark = gm_arena_save(journal);
    const gm_config before = matcher->config;
    const uint8_t *copy = NULL;
    gm_status status = gm_machine_run(matcher->source.machine, journal, &matcher->config, bytes, length, 0, accepted);
    if (status == GM_OK && (copy = gm_arena_copy(journal, bytes, length)) == NULL)
        status = gm_history_no_room(&matcher->history);
    return end_step(matcher, journal, mark, (uint32_t)length, copy, &before, status);
}

gm_status gm_match_would_accept_many(gm_matcher *matcher, const uint32_t *tokens, size_t count, size_t *prefix)
{
    gm_arena *journal = gm_history_journal(&matcher->history);
    if (journal == NULL)
        return GM_OUT_OF_MEMORY;
    const gm_arena_mark mark = gm_arena_save(journal);
    gm_config config = matcher->config;
    bool stopped = matcher->stopped;
    size_t fit = 0;
    gm_status status = GM_OK;
    while (fit < count && (status = advance(matcher, journal, tokens[fit], &config, &stopped)) == GM_OK)
        fit++;
    gm_arena_rewind(journal, mark);
    if (status == GM_OUT_OF_MEMORY || status == GM_LIMIT)
        return status;
    *prefix = fit;
    return GM_OK;
}

/* Runs the tokens of steps once more. */
static gm_status run_again(gm_matcher *matcher, gm_arena *journal, size_t from, size_t to, gm_position *position)
{
    for (size_t i = from + 1; i <= to; i++)
        GM_TRY(advance(matcher, journal, gm_history_text(&matcher->history, i).value, &position->config,
                       &position->stopped));
    return GM_OK;
}

/* Goes back to a step whose position was not kept, from the nearest one that was. */
static gm_status go_back(gm_matcher *matcher, size_t to, size_t kept, gm_position *position)
{
    gm_history *history = &matcher->history;
    if (!gm_history_is_shared(history, to)) {
        gm_arena aside; /* without a budget: it had room before */
        gm_arena_init(&aside, &matcher->allocator);
        const gm_status status = run_again(matcher, &aside, kept, to, position);
        if (status == GM_OK)
            gm_history_cut_aside(history, to, &aside);
        gm_arena_destroy(&aside);
        return status;
    }
    gm_history part = gm_history_part(history, to);
    gm_arena *journal = gm_history_journal(&part);
    const gm_status status = journal != NULL ? run_again(matcher, journal, kept, to, position) : GM_OUT_OF_MEMORY;
    gm_history_destroy(status == GM_OK ? history : &part);
    if (status == GM_OK)
        *history = part;
    return status;
}

gm_status gm_match_rollback(gm_matcher *matcher, size_t count)
{
    const size_t now = gm_history_count(&matcher->history);
    if (count > now)
        return GM_INVALID_ARGUMENT;
    if (count == 0)
        return GM_OK;
    const size_t to = now - count;
    size_t kept;
    const gm_position *before = gm_history_before(&matcher->history, to, &kept);
    gm_position position = before != NULL ? *before : (gm_position){.config = matcher->start};
    if (kept == to)
        gm_history_cut(&matcher->history, to);
    else
        GM_TRY(go_back(matcher, to, kept, &position));
    move_to(matcher, &position.config, position.stopped);
    return GM_OK;
}

/* ---- masks ---- */

/* Sets the bits of all stop tokens, or clears them: a stop token may be one that texts are made of too. Returns whether
 * any bit of the mask is set then; `any` says whether one was. */
static bool put_stop_tokens(const gm_matcher *matcher, bool may_end, bool any, uint32_t *words, size_t count)
{
    uint32_t lost = 0;
    for (size_t i = 0; i < matcher->stop_count; i++) {
        const uint32_t bit = 1u << matcher->stop[i] % 32, at = matcher->stop[i] / 32;
        lost |= words[at] & bit;
        words[at] = may_end ? words[at] | bit : words[at] & ~bit;
    }
    if (may_end && matcher->stop_count != 0)
        return true;
    return lost != 0 ? gm_mask_any(words, count) : any;
}

/* The mask here; where the position is the one of the last mask, what that was found as. */
static gm_status find_mask(gm_matcher *matcher, gm_arena *journal, gm_canvas *canvas, gm_mask_origin *origin)
{
    if (matcher->found == NULL)
        return gm_mask_compute(&matcher->source, &matcher->walk, journal, &matcher->config, canvas, origin,
                               &matcher->found);
    *origin = gm_memo_write(matcher->found, canvas) ? GM_MASK_FOUND : GM_MASK_FOUND_EMPTY;
    return GM_OK;
}

gm_status gm_match_fill(gm_matcher *matcher, uint32_t *words)
{
    const size_t count = gm_vocab_facts_of(matcher->source.vocab)->mask_words;
    gm_arena *journal = gm_history_make_ready(&matcher->history);
    if (journal == NULL) {
        memset(words, 0, count * sizeof *words);
        return GM_OUT_OF_MEMORY;
    }
    if (gm_match_is_stopped(matcher)) {
        memset(words, 0, count * sizeof *words);
        return GM_TERMINATED;
    }
    gm_canvas canvas;
    gm_mask_origin origin;
    gm_canvas_init(&canvas, words, count);
    gm_canvas_fetch(&canvas, matcher->heads);
    const gm_status status = find_mask(matcher, journal, &canvas, &origin);
    matcher->written += canvas.begun * count * sizeof *words;
    if (status != GM_OK) {
        memset(words, 0, count * sizeof *words);
        return status == GM_OUT_OF_MEMORY ? gm_machine_no_room(matcher->source.machine) : status;
    }
    if (origin == GM_MASK_COMPUTED)
        matcher->masks++;
    else
        matcher->finds++;
    const bool any = origin == GM_MASK_COMPUTED ? gm_mask_any(words, count) : origin == GM_MASK_FOUND;
    const bool may_end = gm_machine_may_end(&matcher->config);
    if (put_stop_tokens(matcher, may_end, any, words, count))
        return GM_OK;
    return may_end ? GM_TERMINATED : GM_DEAD_END;
}

gm_matcher_state_kind gm_match_state(gm_matcher *matcher)
{
    if (gm_match_is_stopped(matcher))
        return GM_STOPPED;
    if (gm_machine_is_complete(matcher->source.machine, &matcher->config))
        return GM_COMPLETE;
    if (gm_machine_may_end(&matcher->config) && matcher->stop_count != 0)
        return GM_MAY_STOP;
    const gm_matcher_state_kind alive = gm_machine_may_end(&matcher->config) ? GM_MAY_STOP : GM_RUNNING;
    if (matcher->alive == GM_ALIVE_UNASKED)
        matcher->alive = has_all_bytes(matcher) ? GM_ALIVE_ALWAYS : GM_ALIVE_PERHAPS;
    gm_arena *journal = matcher->alive == GM_ALIVE_ALWAYS ? NULL : gm_history_journal(&matcher->history);
    if (journal == NULL)
        return alive;
    const gm_vocab_tables *tables = gm_vocab_tables_of(matcher->source.vocab);
    bool any = true;
    const gm_status status =
        gm_walk_any(&matcher->walk, matcher->source.machine, journal, &tables->all, tables->max_token_length,
                    &matcher->config, matcher->stop, matcher->stop_count, &any);
    if (status != GM_OK || any)
        return alive;
    return alive == GM_MAY_STOP ? GM_STOPPED : GM_STUCK;
}

/* ---- bytes ---- */

gm_status gm_match_bytes(gm_matcher *matcher, uint64_t bytes[4])
{
    gm_arena *journal = gm_history_journal(&matcher->history);
    if (journal == NULL)
        return GM_OUT_OF_MEMORY;
    const gm_arena_mark mark = gm_arena_save(journal);
    memset(bytes, 0, 4 * sizeof *bytes);
    for (unsigned byte = 0; byte < 256 && !matcher->stopped; byte++) {
        gm_config next;
        const gm_status status =
            gm_machine_step(matcher->source.machine, journal, &matcher->config, (uint8_t)byte, &next);
        gm_arena_rewind(journal, mark);
        if (status == GM_OK)
            bytes[byte / 64] |= (uint64_t)1 << byte % 64;
        else if (status != GM_REJECTED)
            return status;
    }
    return GM_OK;
}

/* The one byte that may follow a configuration; -1 if there is not exactly one, -2 if there was no room. */
static int only_byte(gm_matcher *matcher, gm_arena *journal, const gm_config *config, gm_config *next)
{
    int found = -1;
    if (gm_machine_may_end(config))
        return -1;
    for (int byte = 0; byte < 256; byte++) {
        gm_config after;
        const gm_status status = gm_machine_step(matcher->source.machine, journal, config, (uint8_t)byte, &after);
        if (status == GM_REJECTED)
            continue;
        if (status != GM_OK)
            return -2;
        if (found >= 0)
            return -1;
        found = byte;
        *next = after;
    }
    return found;
}

gm_status gm_match_forced(gm_matcher *matcher, uint8_t *bytes, size_t capacity, size_t *length)
{
    gm_arena *journal = gm_history_journal(&matcher->history);
    if (journal == NULL)
        return GM_OUT_OF_MEMORY;
    const gm_arena_mark mark = gm_arena_save(journal);
    gm_config config = matcher->config;
    size_t count = 0;
    int byte = 0;
    while (count < capacity && !matcher->stopped) {
        gm_config next;
        if ((byte = only_byte(matcher, journal, &config, &next)) < 0)
            break;
        bytes[count++] = (uint8_t)byte;
        config = next;
    }
    gm_arena_rewind(journal, mark);
    if (byte == -2)
        return gm_history_no_room(&matcher->history);
    *length = count;
    return GM_OK;
}

gm_status gm_match_prefix(gm_matcher *matcher, const uint8_t *bytes, size_t length, size_t *fits)
{
    gm_arena *journal = gm_history_journal(&matcher->history);
    if (journal == NULL)
        return GM_OUT_OF_MEMORY;
    const gm_arena_mark mark = gm_arena_save(journal);
    gm_config config = matcher->config;
    const gm_status status = gm_machine_run(matcher->source.machine, journal, &config, bytes, length, 0, fits);
    gm_arena_rewind(journal, mark);
    return status == GM_REJECTED ? GM_OK : status;
}
