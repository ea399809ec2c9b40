/* mask/memo.c - see memo.h. */
#include "mask/memo.h"

/* BLOCK: words looked at at once. A mask with more different words is kept whole: writing those takes longer than a
 * copy. */
enum { BUCKETS = 512, MOST_DIFFERENT = 96, BLOCK = 16 };

typedef struct memo_item {
    uint32_t at, word;
} memo_item;

struct gm_memo_entry {
    const gm_memo_entry *next; /* of the bucket */
    gm_memo_key key;
    const uint64_t *nodes; /* `depth` containers, one after another */
    uint64_t depth;
    uint64_t no_others, asked_at; /* as in gm_reads */
    uint32_t asked_count;
    bool any_yes;
    bool any; /* bit of the mask */
    const gm_asked *asked;
    const uint32_t *base;   /* NULL: nothing */
    gm_shared_mask *whole;  /* the mask itself, or NULL */
    gm_memo_entry *sharing; /* the next one that has such a mask */
    const memo_item *items;
    uint32_t item_count;
};

typedef struct memo_table {
    _Atomic(const gm_memo_entry *) of[BUCKETS];
} memo_table;

struct gm_memo {
    gm_memo_pool *pool;
    gm_lock grow;
    gm_pool_block *blocks;       /* L = grow; newest first */
    uint32_t block_count;        /* L = grow */
    gm_memo_entry *sharing;      /* L = grow; entries with a shared mask */
    uint32_t users;              /* L = grow */
    _Atomic(memo_table *) table; /* NULL until something is kept */
};

gm_status gm_memo_create(gm_memo_pool *pool, gm_memo **memo)
{
    gm_memo *made = gm_allocate_zeroed(&pool->allocator, 1, sizeof *made);
    if (made == NULL)
        return GM_OUT_OF_MEMORY;
    if (!gm_lock_init(&made->grow)) {
        gm_deallocate(&pool->allocator, made, 1, sizeof *made);
        return GM_OUT_OF_MEMORY;
    }
    made->pool = pool;
    atomic_init(&made->table, NULL);
    *memo = made;
    return GM_OK;
}

/* L >= grow, or nobody else has it. Gives back all that is kept. */
static void give_back(gm_memo *memo)
{
    for (const gm_memo_entry *entry = memo->sharing; entry != NULL; entry = entry->sharing)
        gm_memo_pool_release(memo->pool, entry->whole);
    gm_memo_pool_give(memo->pool, memo->blocks);
    memo->sharing = NULL;
    memo->blocks = NULL;
    memo->block_count = 0;
}

void gm_memo_destroy(gm_memo *memo)
{
    if (memo == NULL)
        return;
    gm_memo_pool *pool = memo->pool;
    give_back(memo);
    gm_lock_destroy(&memo->grow);
    gm_deallocate(&pool->allocator, memo, 1, sizeof *memo);
}

size_t gm_memo_memory(gm_memo *memo)
{
    gm_lock_acquire(&memo->grow);
    const size_t size = sizeof *memo + (size_t)memo->block_count * GM_POOL_BLOCK;
    gm_lock_release(&memo->grow);
    return size;
}

void gm_memo_join(gm_memo *memo)
{
    gm_lock_acquire(&memo->grow);
    memo->users++;
    gm_lock_release(&memo->grow);
}

void gm_memo_leave(gm_memo *memo)
{
    gm_lock_acquire(&memo->grow);
    memo->users--;
    gm_lock_release(&memo->grow);
}

/* ---- keys ---- */

/* Whoever adds a register must say here what masks read of it. */
#if UINTPTR_MAX == UINT64_MAX
_Static_assert(sizeof(gm_config) == 88, "a position has registers that keys of masks do not know");
_Static_assert(sizeof(gm_stack) == 88, "a container has registers that keys of masks do not know");
#endif

static uint64_t of_pointer(const void *pointer) { return (uint64_t)(uintptr_t)pointer; }

/* A number of members or items: where it is past all bounds, more of them change nothing. */
static uint64_t count_of(const gm_stack *node)
{
    const gm_place *place = node->turn->place;
    const bool counts = place->counts_items || (place->shape != NULL && place->shape->counts);
    uint64_t most = 0;
    for (uint32_t i = 0; i < place->array_count && counts; i++) {
        const gm_array_thread *thread = place->arrays[i];
        most = thread->prefix_count > most ? thread->prefix_count : most;
        most = thread->least > most ? thread->least : most;
        most = thread->most != GM_UNBOUNDED && thread->most > most ? thread->most : most;
    }
    for (uint32_t i = 0; i < place->object_count && counts; i++) {
        const gm_object_thread *thread = place->objects[i];
        most = thread->least > most ? thread->least : most;
        most = thread->most != GM_UNBOUNDED && thread->most > most ? thread->most : most;
    }
    return !counts ? 0 : node->count > most ? most + 1 : node->count;
}

/* Words of a container in a key: its turn, its count, and the names seen where they are tracked. An array may be in the
 * place of an object with names, and has seen none: where those are past one word it has no room for them either. */
static uint32_t seen_words(const gm_stack *node)
{
    const gm_shape *shape = node->turn->place->shape;
    if (shape == NULL || !shape->tracks_seen || (shape->words > 1 && node->seen.words == NULL))
        return 0;
    return shape->words;
}

static uint64_t *put_node(uint64_t *to, const gm_stack *node)
{
    const uint32_t seen = seen_words(node);
    to[0] = of_pointer(node->turn);
    to[1] = count_of(node);
    if (seen != 0)
        memcpy(to + 2, gm_stack_seen(node, node->turn->place->shape), seen * sizeof *to);
    return to + 2 + seen;
}

/* Whether a container is the one that words tell of; *words moves behind it. */
static bool is_node(const uint64_t **words, const gm_stack *node)
{
    const uint64_t *at = *words;
    if (at[0] != of_pointer(node->turn) || at[1] != count_of(node))
        return false;
    const uint32_t seen = seen_words(node);
    *words = at + 2 + seen;
    return seen == 0 || memcmp(at + 2, gm_stack_seen(node, node->turn->place->shape), seen * sizeof *at) == 0;
}

static bool has_gap(const gm_config *config)
{
    return config->mode != GM_MODE_STRING && config->mode != GM_MODE_NUMBER && config->mode != GM_MODE_LITERAL &&
           config->mode != GM_MODE_KEY && config->mode != GM_MODE_END;
}

bool gm_memo_key_of(const gm_machine *machine, const gm_config *from, gm_memo_kind kind, bool counts, gm_memo_key *key)
{
    uint64_t *words = key->words;
    if (gm_config_is_watched(from))
        return false; /* texts are read */
    memset(words, 0, sizeof key->words);
    words[0] = from->mode | (uint64_t)kind << 24 | (has_gap(from) ? (uint64_t)from->gap << 32 : 0);
    words[1] = of_pointer(from->at.turn);
    if (machine->gaps.kind == GM_WHITESPACE_INDENTED)
        words[6] = from->top != NULL ? from->top->depth : 0;
    switch ((gm_mode)from->mode) {
    case GM_MODE_LITERAL:
        words[0] |= (uint64_t)from->literal << 8 | (uint64_t)from->position << 16;
        break;
    case GM_MODE_STRING:
        words[2] = from->spelling;
        words[3] = of_pointer(from->as.text.lexical);
        words[4] = counts ? from->as.text.length : UINT64_MAX;
        break;
    case GM_MODE_NUMBER:
        words[3] = of_pointer(from->as.text.lexical);
        break;
    case GM_MODE_KEY:
        if (from->at.frame->other && from->top->others != NULL)
            return false; /* a mask less the used keys */
        words[2] = from->spelling;
        words[3] = of_pointer(from->as.key.lexical);
        if (from->as.key.low == from->as.key.high)
            break; /* no name: how long the key is makes no difference */
        words[4] = from->as.key.low | (uint64_t)from->as.key.high << 32;
        words[5] = from->as.key.depth;
        break;
    default:
        break;
    }
    key->hash = 0;
    for (int i = 0; i < GM_MEMO_WORDS; i++)
        key->hash = (key->hash ^ words[i]) * 0x9fb21c651e98df25u ^ key->hash >> 29;
    if (from->top != NULL)
        key->hash = (key->hash ^ of_pointer(from->top->turn)) * 0x9fb21c651e98df25u + count_of(from->top);
    key->hash ^= key->hash >> 32;
    return true;
}

/* ---- finding ---- */

static const gm_stack *node_at(const gm_stack *top, uint64_t level)
{
    for (; level != 0; level--)
        top = top->parent;
    return top;
}

static bool agrees(const gm_memo_entry *entry, const gm_stack *top)
{
    const uint64_t *words = entry->nodes;
    const gm_stack *node = top;
    uint64_t no_others = entry->no_others, asked_at = entry->asked_at;
    bool some_used = entry->any_yes; /* where no key was used, every answer is no */
    for (uint64_t i = 0; i < entry->depth; i++, node = node->parent, no_others >>= 1, asked_at >>= 1) {
        if (node == NULL || !is_node(&words, node) || ((no_others & 1) && node->others != NULL))
            return false;
        some_used = some_used || ((asked_at & 1) && node->others != NULL);
    }
    if (!some_used)
        return true;
    for (uint32_t i = 0; i < entry->asked_count; i++)
        if (gm_keyset_has(node_at(top, entry->asked[i].level)->others, entry->asked[i].hash) != entry->asked[i].answer)
            return false;
    return true;
}

const gm_memo_entry *gm_memo_find(const gm_memo *memo, const gm_memo_key *key, const gm_config *from)
{
    memo_table *table = atomic_load_explicit(&((gm_memo *)memo)->table, memory_order_acquire);
    if (table == NULL)
        return NULL;
    const gm_memo_entry *entry = atomic_load_explicit(&table->of[key->hash & (BUCKETS - 1)], memory_order_acquire);
    for (; entry != NULL; entry = entry->next)
        if (entry->key.hash == key->hash && memcmp(entry->key.words, key->words, sizeof key->words) == 0 &&
            agrees(entry, from->top))
            return entry;
    return NULL;
}

bool gm_memo_write(const gm_memo_entry *entry, gm_canvas *canvas)
{
    gm_canvas_show(canvas, entry->whole != NULL ? entry->whole->words : entry->base);
    for (uint32_t i = 0; i < entry->item_count; i++)
        canvas->words[entry->items[i].at] = entry->items[i].word;
    return entry->any;
}

void gm_memo_begin(const gm_memo_entry *entry, gm_canvas *canvas)
{
    gm_canvas_begin(canvas, entry->whole != NULL ? entry->whole->words : entry->base);
    canvas->borrows = entry->whole != NULL;
    for (uint32_t i = 0; i < entry->item_count; i++) {
        canvas->words[entry->items[i].at] = entry->items[i].word;
        gm_canvas_note(canvas, entry->items[i].at);
    }
}

void gm_memo_read(const gm_memo_entry *entry, gm_reads *reads)
{
    if (reads != NULL)
        gm_reads_add(reads, entry->depth, entry->no_others, entry->asked, entry->asked_count);
}

/* ---- adding ---- */

static bool is_same_block(const uint32_t *words, const uint32_t *base)
{
    uint32_t different = 0;
    for (int i = 0; i < BLOCK; i++)
        different |= words[i] ^ base[i];
    return different == 0;
}

/* The words that differ from a base, ascending; no more are looked for than may be listed. */
typedef struct difference {
    memo_item items[MOST_DIFFERENT];
    uint32_t count; /* MOST_DIFFERENT + 1: more */
    uint64_t hash;  /* of the base, the first items, and the notes: tells most masks apart */
} difference;

/* A sum of these waits for no product before it. */
static uint64_t mix(uint64_t at, uint64_t word)
{
    const uint64_t mixed = word + (at + 1) * 0x9fb21c651e98df25u;
    return mixed * (mixed >> 32 | 1);
}

static void add_item(const gm_canvas *canvas, size_t at, difference *different)
{
    const uint32_t before = canvas->base != NULL ? canvas->base[at] : 0;
    if (canvas->words[at] == before)
        return;
    if (different->count < MOST_DIFFERENT)
        different->items[different->count] = (memo_item){(uint32_t)at, canvas->words[at]};
    different->count++;
    different->hash += mix(at, canvas->words[at]);
}

static void find_difference(const gm_canvas *canvas, difference *different)
{
    static const uint32_t nothing[BLOCK] = {0};
    different->count = 0;
    different->hash = of_pointer(canvas->base);
    for (size_t i = 0; canvas->is_noted && i * 64 < canvas->word_count; i++) {
        different->hash += mix(i, canvas->notes[i]);
        for (uint64_t notes = canvas->notes[i]; notes != 0 && different->count <= MOST_DIFFERENT; notes &= notes - 1)
            add_item(canvas, i * 64 + gm_lowest_bit(notes), different);
    }
    for (size_t i = 0; !canvas->is_noted && i < canvas->word_count && different->count <= MOST_DIFFERENT; i += BLOCK) {
        const size_t here = canvas->word_count - i < BLOCK ? canvas->word_count - i : BLOCK;
        if (here == BLOCK && is_same_block(canvas->words + i, canvas->base != NULL ? canvas->base + i : nothing))
            continue;
        for (size_t j = 0; j < here && different->count <= MOST_DIFFERENT; j++)
            add_item(canvas, i + j, different);
    }
}

/* Whether a mask is kept as itself. */
static bool is_better_whole(const gm_canvas *canvas, uint32_t different)
{
    return different > MOST_DIFFERENT || different * sizeof(memo_item) >= canvas->word_count * sizeof *canvas->words;
}

/* L >= grow. Memory that lives as long as the memo; NULL when there is none. */
static void *take(gm_memo *memo, size_t size)
{
    if (size > GM_POOL_ROOM)
        return NULL;
    if (memo->blocks == NULL || GM_POOL_ROOM - memo->blocks->used < size) {
        gm_pool_block *block = gm_memo_pool_take(memo->pool);
        if (block == NULL)
            return NULL;
        block->next = memo->blocks;
        memo->blocks = block;
        memo->block_count++;
    }
    char *data = memo->blocks->data + memo->blocks->used;
    memo->blocks->used += (size + 15) & ~(size_t)15;
    if (memo->blocks->used > GM_POOL_ROOM)
        memo->blocks->used = GM_POOL_ROOM;
    return data;
}

/* L >= grow. The buckets, made on first use; NULL when there is no memory. */
static memo_table *table_of(gm_memo *memo)
{
    memo_table *table = atomic_load_explicit(&memo->table, memory_order_relaxed);
    if (table != NULL || (table = take(memo, sizeof *table)) == NULL)
        return table;
    for (size_t i = 0; i < BUCKETS; i++)
        atomic_init(&table->of[i], NULL);
    atomic_store_explicit(&memo->table, table, memory_order_release);
    return table;
}

static size_t node_words(const gm_stack *top, uint64_t depth)
{
    size_t count = 0;
    for (uint64_t i = 0; i < depth; i++, top = top->parent)
        count += 2 + seen_words(top);
    return count;
}

static bool has_any(const gm_canvas *canvas, const difference *different)
{
    for (uint32_t i = 0; i < different->count && i < MOST_DIFFERENT; i++)
        if (different->items[i].word != 0)
            return true;
    return gm_mask_any(canvas->words, canvas->word_count);
}

/* L >= grow. An entry with all it points to, in one piece; NULL when there is no memory. */
static gm_memo_entry *make_entry(gm_memo *memo, const gm_stack *top, const gm_reads *reads, const gm_canvas *canvas,
                                 const difference *different)
{
    const bool is_whole = is_better_whole(canvas, different->count);
    const uint32_t item_count = is_whole ? 0 : different->count;
    const uint64_t depth = gm_reads_depth(reads);
    const size_t nodes = node_words(top, depth) * sizeof(uint64_t), asked = reads->asked_count * sizeof *reads->asked;
    char *at = take(memo, sizeof(gm_memo_entry) + nodes + asked + item_count * sizeof(memo_item));
    gm_memo_entry *entry = (gm_memo_entry *)at;
    if (entry == NULL)
        return NULL;
    uint64_t *put = (uint64_t *)(at + sizeof *entry);
    gm_asked *asks = (gm_asked *)(at + sizeof *entry + nodes);
    memo_item *items = (memo_item *)(at + sizeof *entry + nodes + asked);
    *entry = (gm_memo_entry){.nodes = put,
                             .depth = depth,
                             .no_others = reads->no_others,
                             .asked_at = reads->asked_at,
                             .any_yes = reads->any_yes,
                             .asked_count = reads->asked_count,
                             .asked = asks,
                             .any = has_any(canvas, different),
                             .base = is_whole ? NULL : canvas->base,
                             .items = items,
                             .item_count = item_count};
    for (uint64_t i = 0; i < depth; i++, top = top->parent)
        put = put_node(put, top);
    memcpy(asks, reads->asked, asked);
    memcpy(items, different->items, item_count * sizeof *items);
    if (!is_whole)
        return entry;
    entry->whole = gm_memo_pool_share(memo->pool, different->hash, canvas->words, canvas->word_count);
    if (entry->whole == NULL)
        return NULL;
    entry->sharing = memo->sharing;
    memo->sharing = entry;
    return entry;
}

/* L >= grow. Gives all memory back, if the caller is the only user; false if not, or if there was none. */
static bool forget(gm_memo *memo)
{
    if (memo->users != 1 || memo->blocks == NULL)
        return false;
    atomic_store_explicit(&memo->table, NULL, memory_order_relaxed);
    give_back(memo);
    return true;
}

void gm_memo_add(gm_memo *memo, const gm_memo_key *key, const gm_config *from, const gm_reads *reads,
                 const gm_canvas *canvas)
{
    difference different;
    if (reads->is_spoilt)
        return;
    find_difference(canvas, &different);
    gm_lock_acquire(&memo->grow);
    memo_table *table = NULL;
    gm_memo_entry *entry = NULL;
    bool again = gm_memo_find(memo, key, from) == NULL;
    for (int attempt = 0; again && attempt < 2; attempt++) {
        table = table_of(memo);
        entry = table != NULL ? make_entry(memo, from->top, reads, canvas, &different) : NULL;
        again = entry == NULL && attempt == 0 && !canvas->borrows && forget(memo);
    }
    if (entry != NULL) {
        _Atomic(const gm_memo_entry *) *bucket = &table->of[key->hash & (BUCKETS - 1)];
        entry->key = *key;
        entry->next = atomic_load_explicit(bucket, memory_order_relaxed);
        atomic_store_explicit(bucket, entry, memory_order_release);
    }
    gm_lock_release(&memo->grow);
}
