/* mask/walk.c - see walk.h. */
#include "mask/walk.h"

#include "mask/blanks.h"
#include "mask/digits.h"

struct gm_walk_level {
    gm_config config;   /* after the node's byte */
    gm_arena_mark mark; /* of the journal then */
    uint32_t next, end; /* children not yet tried */
    bool is_sifted;     /* bytes outside `first` are not tried */
    gm_byte_set first;
    bool is_named; /* in a key that must become a name of its shape: bytes of names need no steps */
    uint32_t name; /* names and children not yet looked at */
    uint32_t child;
};

enum { MANY_CHILDREN = 4 }; /* so many are worth finding the bytes that may come next */

void gm_walk_init(gm_walk *walk, const gm_allocator *allocator, uint64_t budget)
{
    *walk = (gm_walk){.allocator = *allocator, .budget = budget};
}

void gm_walk_destroy(gm_walk *walk)
{
    gm_deallocate(&walk->allocator, walk->levels, walk->capacity, sizeof *walk->levels);
    walk->levels = NULL;
    walk->capacity = 0;
}

size_t gm_walk_memory(const gm_walk *walk) { return walk->capacity * sizeof *walk->levels; }

static bool make_room(gm_walk *walk, size_t levels)
{
    if (walk->capacity >= levels)
        return true;
    gm_walk_destroy(walk);
    walk->levels = gm_allocate(&walk->allocator, levels, sizeof *walk->levels);
    walk->capacity = walk->levels != NULL ? levels : 0;
    return walk->levels != NULL;
}

/* Calls for every accepted node that has tokens; the walk ends early when a call returns false. */
typedef bool (*visit)(void *context, const gm_trie *trie, const gm_branch *branch);

typedef struct walking {
    gm_walk *walk;
    gm_machine *machine;
    gm_arena *journal;
    uint32_t max_depth;
    const gm_openings *openings;
    gm_byte_set skip; /* bytes at the root */
    bool takes_runs;  /* of tokens at once: the context is a canvas */
    visit see;
    void *context;
    uint64_t visited;
} walking;

static gm_status walk_trie(walking *w, const gm_trie *trie, struct gm_walk_level *root);

/* ---- runs of digits and blanks ---- */

/* Whether digits or blanks may stand here that are not part of a text. */
static bool may_be_in_run(const gm_config *config)
{
    return config->mode != GM_MODE_STRING && config->mode != GM_MODE_KEY && config->mode != GM_MODE_LITERAL;
}

/* Whether nothing but digits or nothing but blanks is below a branch, and all may follow: they are met by the
 * thousand. */
static bool takes_all_below(gm_machine *machine, const gm_branch *branch, const gm_config *config)
{
    const uint64_t digits = (uint64_t)0x3FF << '0';
    const uint64_t blanks = (uint64_t)1 << ' ' | (uint64_t)1 << '\n' | (uint64_t)1 << '\r' | (uint64_t)1 << '\t';
    const uint64_t below = branch->below.ascii[0];
    uint32_t room;
    if ((below & ~digits & ~blanks) != 0 || (branch->below.ascii[1] | branch->below.lead) != 0 || branch->has_rests ||
        branch->children == 0)
        return false;
    if (config->mode == GM_MODE_NUMBER)
        return (below & ~digits) == 0 && branch->height <= GM_MANY_DIGITS && !gm_config_may_repeat(config) &&
               gm_digits_follow(machine, config->as.text.lexical, branch->height);
    return (below & ~blanks) == 0 && gm_blanks_apply(machine, config, &room) &&
           (branch->height < UINT8_MAX ? branch->height <= room : room == GM_WHITESPACE_UNLIMITED);
}

/* Takes what is prepared behind a quote: `level` holds the configuration after it. The walk of the
 * tokens that close has levels of its own behind, and no openings: one level of recursion. */
static gm_status take_opening(walking *w, const gm_opening *opening, struct gm_walk_level *level)
{
    const gm_openings *openings = w->openings;
    for (uint32_t i = 0; i < opening->count; i++)
        gm_canvas_set(w->context, openings->ids[opening->first + i]);
    w->openings = NULL;
    const bool is_free = gm_is_free_string(&level->config, w->max_depth) && !gm_config_is_watched(&level->config);
    const gm_status status = walk_trie(w, is_free ? &opening->tails.trie : &opening->close.trie, level);
    w->openings = openings;
    return status;
}

/* ---- keys that must become names ---- */

/* Most of a key is spelled as its name is, and only those that may be taken lead on. So the names and the trie are gone
 * down side by side; the machine is asked about closing quotes and escapes alone. The hash of the key falls behind:
 * nobody asks about it where the key can be no other. Not where tokens lack bytes: then a character may begin that none
 * can end. */
static bool is_named_key(const gm_machine *machine, const gm_config *config)
{
    return machine->alphabet->is_whole && config->mode == GM_MODE_KEY && config->spelling == GM_SPELLING_BETWEEN &&
           gm_key_is_named(config) && config->as.key.low < config->as.key.high && !gm_config_is_watched(config);
}

/* Whether the first of the names that the key may become is the key. */
static bool name_ends(const gm_config *config)
{
    return config->at.frame->place->shape->names[config->as.key.low].length == config->as.key.depth;
}

/* What the machine is asked about: a quote where a name ends, a backslash between two characters. */
static gm_byte_set asked_of_name(const gm_config *config)
{
    const gm_bytes last = config->at.frame->place->shape->names[config->as.key.high - 1];
    const bool ends = name_ends(config);
    const bool between = ends || ((uint8_t)last.data[config->as.key.depth] & 0xC0) != 0x80;
    gm_byte_set asked = {{0}};
    asked.bits['"' / 64] |= (uint64_t)ends << '"' % 64;
    asked.bits['\\' / 64] |= (uint64_t)between << '\\' % 64;
    return asked;
}

static bool is_asked_of_name(const gm_config *config, uint8_t byte)
{
    const gm_byte_set asked = asked_of_name(config);
    return gm_byte_set_has(&asked, byte);
}

static void enter_names(const gm_branch *branch, struct gm_walk_level *level)
{
    level->first = asked_of_name(&level->config);
    level->name = level->config.as.key.low + name_ends(&level->config);
    level->child = branch->children;
}

/* Goes on with a byte that such names go on with, if some of them may be taken. */
static gm_status step_name(gm_config *config, uint8_t byte)
{
    const gm_shape *shape = config->at.frame->place->shape;
    const uint32_t depth = config->as.key.depth, high = config->as.key.high;
    if (byte < 0x80 && !gm_spells_itself(byte))
        return GM_REJECTED; /* only as an escape */
    const uint32_t low = gm_shape_bound(shape, config->as.key.low + name_ends(config), high, depth, byte);
    const uint32_t end = gm_shape_bound(shape, low, high, depth, byte + 1u);
    if (!gm_frame_can_take(config->at.frame, config->top, low, end))
        return GM_REJECTED;
    config->as.key.low = low;
    config->as.key.high = end;
    config->as.key.depth = depth + 1;
    return GM_OK;
}

/* The next child whose byte names go on with that may be taken; level[1] gets the configuration. */
static bool next_name(const gm_trie *trie, struct gm_walk_level *level, uint32_t *at)
{
    const gm_config *config = &level->config;
    const gm_frame *frame = config->at.frame;
    const gm_shape *shape = frame->place->shape;
    const uint32_t depth = config->as.key.depth, high = config->as.key.high;
    while (level->name < high && level->child < level->end) {
        const uint32_t name = level->name;
        const uint8_t byte = (uint8_t)shape->names[name].data[depth];
        level->name = gm_shape_bound(shape, name, high, depth, byte + 1u);
        if (byte < 0x80 && !gm_spells_itself(byte))
            continue; /* only as an escape */
        if (trie->bytes[level->child] < byte)
            level->child = gm_leap(trie->bytes, level->child, level->end, byte);
        if (level->child == level->end || trie->bytes[level->child] != byte ||
            !gm_frame_can_take(frame, config->top, name, level->name))
            continue;
        level[1].config = *config;
        level[1].config.as.key.low = name;
        level[1].config.as.key.high = level->name;
        level[1].config.as.key.depth = depth + 1;
        *at = level->child++;
        return true;
    }
    return false;
}

/* ---- the walk ---- */

/* Makes a level one whose children are to be tried; it holds their parent's configuration. */
static void enter(const walking *w, const gm_branch *branch, struct gm_walk_level *level)
{
    level->mark = gm_arena_save(w->journal);
    level->next = branch->children;
    level->end = branch->children + gm_child_count(branch);
    level->is_named = is_named_key(w->machine, &level->config);
    level->is_sifted = level->is_named || gm_child_count(branch) >= MANY_CHILDREN;
    if (level->is_named)
        enter_names(branch, level);
    else if (level->is_sifted)
        level->first = gm_first_bytes(&level->config);
}

/* The next child that is to be tried; false if there is none. */
static bool next_child(struct gm_walk_level *level, const uint8_t *bytes, uint32_t *at)
{
    if (level->is_sifted)
        level->next = gm_next_child(&level->first, bytes, level->next, level->end);
    *at = level->next++;
    return *at < level->end;
}

/* Advances a configuration by a byte, which the machine is asked about. */
static gm_status ask(walking *w, gm_config *config, uint8_t byte)
{
    if (w->visited++ >= w->walk->budget)
        return GM_LIMIT;
    gm_reads_before(w->walk->reads, config, byte);
    GM_TRY(gm_machine_advance(w->machine, w->journal, config, byte));
    gm_reads_after(w->walk->reads, config);
    return GM_OK;
}

/* Tries the first byte of one child: GM_OK if it was accepted, and level[1] has the configuration. */
static gm_status try_child(walking *w, const struct gm_walk_level *level, uint8_t byte, struct gm_walk_level *next)
{
    if (level == w->walk->levels && gm_byte_set_has(&w->skip, byte))
        return GM_REJECTED;
    gm_arena_rewind(w->journal, level->mark);
    next->config = level->config;
    return ask(w, &next->config, byte);
}

static void set_tokens(gm_canvas *canvas, const gm_trie *trie, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++)
        gm_canvas_set(canvas, trie->tokens[i]);
}

/* Follows the label of a branch behind its first byte: GM_OK at its end. GM_REJECTED also where all that is behind was
 * taken at once. */
static gm_status follow_label(walking *w, const gm_trie *trie, const gm_branch *branch, gm_config *config)
{
    for (unsigned i = 0; i < branch->extra; i++) {
        const uint8_t byte = trie->labels[branch->label + i];
        if (w->takes_runs && may_be_in_run(config) && (gm_is_whitespace(byte) || (byte >= '0' && byte <= '9'))) {
            const gm_branch within = gm_trie_within_label(trie, branch, i);
            if (takes_all_below(w->machine, &within, config)) {
                set_tokens(w->context, trie, branch->first, branch->end);
                return GM_REJECTED;
            }
        }
        if (!is_named_key(w->machine, config) || is_asked_of_name(config, byte)) {
            GM_TRY(ask(w, config, byte));
            continue;
        }
        if (w->visited++ >= w->walk->budget)
            return GM_LIMIT;
        GM_TRY(step_name(config, byte));
    }
    return GM_OK;
}

/* Takes what is below an accepted branch at once, if that may be done: *taken. */
static gm_status take_below(walking *w, const gm_trie *trie, uint32_t at, struct gm_walk_level *level, bool *taken)
{
    const gm_branch *branch = &trie->branches[at];
    if (w->takes_runs && branch->children != 0 && branch->extra != 0 && may_be_in_run(&level->config)) {
        const gm_branch end = gm_trie_within_label(trie, branch, branch->extra);
        *taken = takes_all_below(w->machine, &end, &level->config);
    } else {
        *taken = w->takes_runs && takes_all_below(w->machine, branch, &level->config);
    }
    if (*taken)
        set_tokens(w->context, trie, branch->own_end, branch->end);
    if (*taken || w->openings == NULL || gm_last_byte(trie, at) != '"' ||
        !gm_openings_apply(&level->config, w->max_depth))
        return GM_OK;
    const gm_opening *opening = gm_openings_find(w->openings, at);
    *taken = opening != NULL;
    return *taken ? take_opening(w, opening, level) : GM_OK;
}

/* Walks what is below a branch, whose configuration the level holds. */
static gm_status walk_below(walking *w, const gm_trie *trie, struct gm_walk_level *base)
{
    struct gm_walk_level *level = base;
    for (;;) {
        uint32_t at;
        gm_status status = GM_OK;
        if (next_child(level, trie->bytes, &at)) {
            status = try_child(w, level, trie->bytes[at], level + 1);
        } else if (!level->is_named || !next_name(trie, level, &at)) {
            if (level == base)
                return GM_OK;
            level--;
            continue;
        } else {
            gm_arena_rewind(w->journal, level->mark);
            status = w->visited++ < w->walk->budget ? GM_OK : GM_LIMIT;
        }
        const gm_branch *branch = &trie->branches[at];
        bool taken;
        if (status == GM_OK)
            status = follow_label(w, trie, branch, &level[1].config);
        if (status == GM_REJECTED)
            continue;
        GM_TRY(status);
        if (branch->first != branch->own_end && !w->see(w->context, trie, branch))
            return GM_OK;
        GM_TRY(take_below(w, trie, at, level + 1, &taken));
        if (!taken && branch->children != 0)
            enter(w, branch, ++level);
    }
}

static gm_status walk_trie(walking *w, const gm_trie *trie, struct gm_walk_level *root)
{
    enter(w, trie->branches, root);
    return walk_below(w, trie, root);
}

/* The root's level; NULL when out of memory. */
static struct gm_walk_level *begin(walking *w, const gm_config *from)
{
    if (!make_room(w->walk, 2 * ((size_t)w->max_depth + 2)))
        return NULL;
    w->walk->levels->config = *from;
    w->walk->levels->mark = gm_arena_save(w->journal);
    return w->walk->levels;
}

static void end(walking *w)
{
    gm_arena_rewind(w->journal, w->walk->levels->mark);
    w->walk->visited += w->visited;
}

static gm_status run(walking *w, const gm_trie *trie, const gm_config *from)
{
    struct gm_walk_level *root = begin(w, from);
    if (root == NULL)
        return GM_OUT_OF_MEMORY;
    const gm_status status = walk_trie(w, trie, root);
    end(w);
    return status;
}

static bool set_bits(void *context, const gm_trie *trie, const gm_branch *branch)
{
    for (uint32_t i = branch->first; i < branch->own_end; i++)
        gm_canvas_set_one(context, trie->tokens[i]);
    return true;
}

gm_status gm_walk_mask(gm_walk *walk, gm_machine *machine, gm_arena *journal, const gm_trie *trie, uint32_t max_depth,
                       const gm_openings *openings, const gm_byte_set *skip, const gm_config *from, gm_canvas *canvas)
{
    walking w = {walk, machine,  journal, max_depth, openings, skip != NULL ? *skip : (gm_byte_set){{0}},
                 true, set_bits, canvas,  0};
    return run(&w, trie, from);
}

gm_status gm_walk_child(gm_walk *walk, gm_machine *machine, gm_arena *journal, const gm_trie *trie, uint32_t max_depth,
                        uint8_t byte, const gm_config *from, gm_canvas *canvas)
{
    walking w = {walk, machine, journal, max_depth, NULL, {{0}}, true, set_bits, canvas, 0};
    struct gm_walk_level *root = begin(&w, from);
    if (root == NULL)
        return GM_OUT_OF_MEMORY;
    enter(&w, trie->branches, root);
    while (root->next < root->end && trie->bytes[root->next] != byte)
        root->next++;
    root->end = root->next < root->end ? root->next + 1 : root->end;
    const gm_status status = walk_below(&w, trie, root);
    end(&w);
    return status;
}

gm_status gm_walk_below(gm_walk *walk, gm_machine *machine, gm_arena *journal, const gm_trie *trie, uint32_t max_depth,
                        uint32_t branch, const gm_config *from, gm_canvas *canvas)
{
    walking w = {walk, machine, journal, max_depth, NULL, {{0}}, true, set_bits, canvas, 0};
    struct gm_walk_level *root = begin(&w, from);
    if (root == NULL)
        return GM_OUT_OF_MEMORY;
    set_bits(canvas, trie, &trie->branches[branch]);
    enter(&w, &trie->branches[branch], root);
    const gm_status status = walk_below(&w, trie, root);
    end(&w);
    return status;
}

gm_status gm_walk_tokens(gm_walk *walk, gm_machine *machine, gm_arena *journal, const gm_vocab *vocab,
                         const uint32_t *ids, uint32_t count, const gm_config *from, gm_canvas *canvas)
{
    const gm_arena_mark mark = gm_arena_save(journal);
    for (uint32_t i = 0; i < count; i++) {
        size_t length;
        const uint8_t *text = gm_vocab_text(vocab, ids[i], &length);
        gm_config config = *from;
        gm_status status = GM_OK;
        for (size_t j = 0; j < length && status == GM_OK; j++) {
            gm_reads_before(walk->reads, &config, text[j]);
            status = gm_machine_advance(machine, journal, &config, text[j]);
            if (status == GM_OK)
                gm_reads_after(walk->reads, &config);
        }
        gm_arena_rewind(journal, mark);
        if (status == GM_OK)
            gm_canvas_set_one(canvas, ids[i]);
        else if (status == GM_REJECTED)
            gm_canvas_clear(canvas, ids[i]);
        else
            return status;
    }
    return GM_OK;
}

typedef struct search {
    const uint32_t *except;
    size_t except_count;
    bool found;
} search;

static bool is_other(void *context, const gm_trie *trie, const gm_branch *branch)
{
    search *s = context;
    for (uint32_t i = branch->first; i < branch->own_end && !s->found; i++) {
        bool excepted = false;
        for (size_t j = 0; j < s->except_count && !excepted; j++)
            excepted = s->except[j] == trie->tokens[i];
        s->found = !excepted;
    }
    return !s->found;
}

gm_status gm_walk_any(gm_walk *walk, gm_machine *machine, gm_arena *journal, const gm_trie *trie, uint32_t max_depth,
                      const gm_config *from, const uint32_t *except, size_t except_count, bool *any)
{
    search s = {except, except_count, false};
    walking w = {walk, machine, journal, max_depth, NULL, {{0}}, false, is_other, &s, 0};
    const gm_status status = run(&w, trie, from);
    *any = s.found;
    return status;
}
