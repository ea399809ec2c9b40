/* mask/tails.c - see tails.h. */
#include "mask/tails.h"

#include "base/array.h"
#include "base/utf8.h"

#include <stdlib.h>

typedef GM_ARRAY(gm_small_text) tail_list;

static int compare_tails(const void *a, const void *b)
{
    const gm_small_text *x = a, *y = b;
    const int order = gm_bytes_compare(x->text, y->text);
    return order != 0 ? order : x->token < y->token ? -1 : x->token > y->token;
}

/* Whether a character half read at a token's end can be finished. */
static bool can_finish(gm_spelling_state state, const gm_alphabet *alphabet)
{
    gm_point_range ranges[4];
    const size_t count = state != GM_SPELLING_BETWEEN ? gm_spelling_ranges(state, alphabet->minimal, ranges) : 0;
    bool any = state == GM_SPELLING_BETWEEN;
    for (size_t i = 0; i < count && !any; i++)
        any = gm_spelling_can_finish(state, ranges[i], alphabet);
    return any;
}

size_t gm_find_quote(const uint8_t *text, size_t length, const gm_alphabet *alphabet)
{
    gm_spelling_state state = GM_SPELLING_BETWEEN;
    uint32_t point;
    for (size_t i = 0; i < length; i++)
        switch (gm_spelling_step(state, text[i], alphabet->minimal, &state, &point)) {
        case GM_SPELLED_QUOTE:
            return i;
        case GM_SPELLED_NOTHING:
            return SIZE_MAX;
        default:
            break;
        }
    return can_finish(state, alphabet) ? length : SIZE_MAX;
}

/* Sorts the tokens that hold a quote into tails and `open`. */
static bool sort_tokens(gm_tails *tails, const gm_vocab *vocab, const gm_alphabet *alphabet,
                        const gm_allocator *allocator, tail_list *list, tail_list *staying)
{
    const gm_trie *quotes = &gm_vocab_tables_of(vocab)->quotes;
    for (uint32_t i = 0; i < quotes->token_count; i++) {
        const uint32_t token = quotes->tokens[i];
        size_t length;
        const uint8_t *text = gm_vocab_text(vocab, token, &length);
        const size_t quote = gm_find_quote(text, length, alphabet);
        if (quote == length) {
            const gm_small_text whole = {{(const char *)text, length}, token, 0};
            tails->open[token / 32] |= 1u << token % 32;
            if (!GM_ARRAY_PUSH(allocator, staying, whole))
                return false;
        }
        if (quote >= length)
            continue;
        const gm_small_text found = {{(const char *)text + quote, length - quote}, token, quote};
        if (!GM_ARRAY_PUSH(allocator, list, found))
            return false;
    }
    return true;
}

static size_t shared_prefix(gm_bytes a, gm_bytes b)
{
    size_t i = 0;
    while (i < a.length && i < b.length && a.data[i] == b.data[i])
        i++;
    return i;
}

/* Writes the nodes of a planned trie. */
static bool write_trie(gm_small_trie *trie, const gm_trie_plan *plan, const gm_allocator *allocator)
{
    const size_t nodes = plan->nodes.count;
    trie->node_count = nodes;
    trie->number_count = nodes + plan->text_count;
    trie->branches = gm_allocate(allocator, nodes, sizeof *trie->branches);
    trie->numbers = gm_allocate(allocator, trie->number_count, sizeof *trie->numbers);
    trie->bytes = gm_allocate(allocator, nodes, 2);
    if (trie->branches == NULL || trie->numbers == NULL || trie->bytes == NULL)
        return false;
    gm_trie_plan_write(plan, trie->branches, trie->numbers, trie->bytes, trie->bytes + nodes, trie->numbers + nodes);
    trie->trie = (gm_trie){.node_count = (uint32_t)nodes,
                           .token_count = plan->text_count,
                           .tokens = trie->numbers + nodes,
                           .branches = trie->branches,
                           .firsts = trie->numbers,
                           .bytes = trie->bytes,
                           .leaves = trie->bytes + nodes,
                           .labels = plan->labels};
    return true;
}

bool gm_small_trie_init(gm_small_trie *trie, gm_small_text *texts, size_t count, const gm_allocator *allocator)
{
    const uint8_t *labels = count != 0 ? (const uint8_t *)texts[0].text.data : NULL;
    gm_trie_text *sorted = gm_allocate(allocator, count + 1, sizeof *sorted);
    gm_trie_plan plan = {0};
    *trie = (gm_small_trie){0};
    if (sorted == NULL)
        return false;
    if (count > 1)
        qsort(texts, count, sizeof *texts, compare_tails);
    for (size_t i = 0; i < count; i++) {
        const uint8_t *text = (const uint8_t *)texts[i].text.data;
        sorted[i] = (gm_trie_text){text, (uint32_t)texts[i].text.length, texts[i].token};
        labels = text < labels ? text : labels; /* all are parts of the vocabulary's texts */
    }
    const bool room =
        gm_trie_plan_init(&plan, sorted, (uint32_t)count, labels, allocator) && write_trie(trie, &plan, allocator);
    gm_trie_plan_destroy(&plan, allocator);
    gm_deallocate(allocator, sorted, count + 1, sizeof *sorted);
    return room;
}

void gm_small_trie_destroy(gm_small_trie *trie, const gm_allocator *allocator)
{
    gm_deallocate(allocator, trie->branches, trie->node_count, sizeof *trie->branches);
    gm_deallocate(allocator, trie->numbers, trie->number_count, sizeof *trie->numbers);
    gm_deallocate(allocator, trie->bytes, trie->node_count, 2);
    *trie = (gm_small_trie){0};
}

/* ---- inner parts ---- */

typedef struct part_entry {
    gm_bytes text;
    uint32_t token;
    gm_bytes tail;
} part_entry;

static int compare_parts(const void *a, const void *b)
{
    const part_entry *x = a, *y = b;
    const int order = gm_bytes_compare(x->text, y->text);
    return order != 0 ? order : x->token < y->token ? -1 : x->token > y->token;
}

/* Decodes spelled text that is known to be whole; returns the length. */
static size_t decode(const char *spelled, size_t length, bool minimal, char *out)
{
    gm_spelling_state state = GM_SPELLING_BETWEEN;
    uint32_t point;
    size_t written = 0;
    for (size_t i = 0; i < length; i++)
        if (gm_spelling_step(state, (uint8_t)spelled[i], minimal, &state, &point) == GM_SPELLED_POINT)
            written += gm_utf8_write(point, out + written);
    return written;
}

/* The place behind blanks. */
static size_t skip_blanks(gm_bytes text, size_t at)
{
    while (at < text.length && gm_is_whitespace((uint8_t)text.data[at]))
        at++;
    return at;
}

/* Whether a tail that closes a key may hold a whole key behind the value: says yes too often, as for `":{"a":`. */
static bool may_hold_key(gm_bytes tail)
{
    size_t at = skip_blanks(tail, 1), quotes = 0;
    if (at == tail.length || tail.data[at] != ':')
        return false;
    at = skip_blanks(tail, at + 1);
    const bool is_string = at < tail.length && tail.data[at] == '"';
    for (; at < tail.length; at++)
        quotes += tail.data[at] == '"';
    return quotes >= (is_string ? 4 : 2);
}

/* Whether a tail that closes a key may begin another one of the same object: says yes too often, as for `":{"a":1,"`.
 */
static bool may_begin_key(gm_bytes tail)
{
    bool comma = false;
    size_t at = skip_blanks(tail, 1);
    if (at == tail.length || tail.data[at] != ':')
        return false;
    for (; at < tail.length; at++) {
        if (comma && tail.data[at] == '"')
            return true;
        comma = comma || tail.data[at] == ',';
    }
    return false;
}

/* Makes the tries of tails by index; `entries` are in the order of the tokens. The list is used up. */
static bool list_by_index(gm_tails *tails, tail_list *list, const part_entry *entries, const gm_allocator *allocator)
{
    size_t count = list->count, singles = 0;
    tails->again_count = count / 32 + 1;
    tails->again = gm_allocate_zeroed(allocator, tails->again_count, sizeof *tails->again);
    for (size_t i = 0; i < count; i++)
        list->items[i] = (gm_small_text){entries[i].tail, (uint32_t)i, 0};
    if (tails->again == NULL || !gm_small_trie_init(&tails->listed, list->items, count, allocator))
        return false;
    for (size_t i = 0; i < count; i++) {
        const gm_small_text at = list->items[i];
        if (may_begin_key(at.text))
            tails->again[at.token / 32] |= 1u << at.token % 32;
        else
            list->items[singles++] = at;
    }
    return gm_small_trie_init(&tails->single, list->items, singles, allocator);
}

static uint32_t shared_characters(gm_bytes a, gm_bytes b)
{
    size_t shared = shared_prefix(a, b);
    while (shared > 0 && shared < b.length && ((uint8_t)b.data[shared] & 0xC0) == 0x80)
        shared--;
    return (uint32_t)shared;
}

static void fill_from(gm_tails *tails)
{
    uint32_t at = tails->part_count != 0 && tails->parts[0].text.length == 0;
    for (unsigned byte = 0; byte <= 256; byte++) {
        while (at < tails->part_count && (uint8_t)tails->parts[at].text.data[0] < byte)
            at++;
        tails->from[byte] = at;
    }
}

static void fill_parts(gm_tails *tails, const part_entry *entries, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        gm_inner_part *last = tails->part_count > 0 ? &tails->parts[tails->part_count - 1] : NULL;
        if (last == NULL || !gm_bytes_equal(last->text, entries[i].text)) {
            last = &tails->parts[tails->part_count++];
            *last = (gm_inner_part){entries[i].text, (uint32_t)i, 0, (uint32_t)gm_utf8_count(entries[i].text), 0};
            if (last != tails->parts)
                last->shared = shared_characters(last[-1].text, last->text);
        }
        last->count++;
        tails->longest_part = last->text.length > tails->longest_part ? last->text.length : tails->longest_part;
        tails->inner_tokens[i] = entries[i].token;
    }
    fill_from(tails);
}

static bool build_parts(gm_tails *tails, tail_list *list, bool minimal, const gm_allocator *allocator)
{
    size_t spelled = 1, written = 0;
    for (size_t i = 0; i < list->count; i++)
        spelled += list->items[i].quote;
    tails->text_room = spelled; /* decoding never lengthens */
    tails->part_room = list->count + 1;
    tails->texts = gm_allocate(allocator, tails->text_room, 1);
    tails->parts = gm_allocate(allocator, tails->part_room, sizeof *tails->parts);
    tails->inner_tokens = gm_allocate(allocator, tails->part_room, sizeof *tails->inner_tokens);
    tails->second_ids = gm_allocate(allocator, tails->part_room, sizeof *tails->second_ids);
    part_entry *entries = gm_allocate(allocator, tails->part_room, sizeof *entries);
    bool room = tails->texts != NULL && tails->parts != NULL && tails->inner_tokens != NULL && entries != NULL &&
                tails->second_ids != NULL;
    for (size_t i = 0; i < list->count && room; i++) {
        const gm_small_text *at = &list->items[i];
        if (may_hold_key(at->text))
            tails->second_ids[tails->second_count++] = at->token;
        const size_t length = decode(at->text.data - at->quote, at->quote, minimal, tails->texts + written);
        entries[i] = (part_entry){{tails->texts + written, length}, at->token, at->text};
        written += length;
    }
    if (room && list->count > 1)
        qsort(entries, list->count, sizeof *entries, compare_parts);
    if (room)
        fill_parts(tails, entries, list->count);
    room = room && list_by_index(tails, list, entries, allocator);
    gm_deallocate(allocator, entries, tails->part_room, sizeof *entries);
    return room;
}

const gm_inner_part *gm_tails_find(const gm_tails *tails, gm_bytes text)
{
    uint32_t low = 0, high = tails->part_count;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        const int order = gm_bytes_compare(tails->parts[middle].text, text);
        if (order == 0)
            return &tails->parts[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

const gm_inner_part *gm_tails_part_of_name(const gm_tails *tails, const gm_config *key, uint32_t index)
{
    const gm_bytes name = key->at.frame->place->shape->names[index];
    const gm_bytes rest = {name.data + key->as.key.depth, name.length - key->as.key.depth};
    return rest.length <= tails->longest_part ? gm_tails_find(tails, rest) : NULL;
}

void gm_tails_clear(const gm_tails *tails, const gm_inner_part *part, gm_canvas *canvas)
{
    for (uint32_t i = 0; i < part->count; i++)
        gm_canvas_clear(canvas, tails->inner_tokens[part->first + i]);
}

gm_key_hash gm_tails_hash(gm_key_hash hash, gm_bytes text)
{
    for (size_t i = 0; i < text.length; i++)
        hash = gm_key_hash_add(hash, (uint8_t)text.data[i]);
    return hash;
}

gm_status gm_tails_init(gm_tails *tails, const gm_vocab *vocab, const gm_alphabet *alphabet,
                        const gm_allocator *allocator)
{
    tail_list list = {0}, staying = {0};
    *tails = (gm_tails){.open_count = gm_vocab_facts_of(vocab)->mask_words};
    tails->open = gm_allocate_zeroed(allocator, tails->open_count, sizeof *tails->open);
    const bool done = tails->open != NULL && sort_tokens(tails, vocab, alphabet, allocator, &list, &staying) &&
                      gm_small_trie_init(&tails->small, list.items, list.count, allocator) &&
                      gm_small_trie_init(&tails->staying, staying.items, staying.count, allocator) &&
                      build_parts(tails, &list, alphabet->minimal, allocator);
    GM_ARRAY_FREE(allocator, &list);
    GM_ARRAY_FREE(allocator, &staying);
    if (done)
        return GM_OK;
    gm_tails_destroy(tails, allocator);
    return GM_OUT_OF_MEMORY;
}

void gm_tails_destroy(gm_tails *tails, const gm_allocator *allocator)
{
    gm_deallocate(allocator, tails->open, tails->open_count, sizeof *tails->open);
    gm_small_trie_destroy(&tails->small, allocator);
    gm_small_trie_destroy(&tails->listed, allocator);
    gm_small_trie_destroy(&tails->single, allocator);
    gm_small_trie_destroy(&tails->staying, allocator);
    gm_deallocate(allocator, tails->again, tails->again_count, sizeof *tails->again);
    gm_deallocate(allocator, tails->parts, tails->part_room, sizeof *tails->parts);
    gm_deallocate(allocator, tails->inner_tokens, tails->part_room, sizeof *tails->inner_tokens);
    gm_deallocate(allocator, tails->second_ids, tails->part_room, sizeof *tails->second_ids);
    gm_deallocate(allocator, tails->texts, tails->text_room, 1);
    *tails = (gm_tails){0};
}
