/* match/explore.c - see explore.h. */
#include "match/explore.h"

const gm_place *gm_config_place(const gm_machine *machine, const gm_config *config)
{
    if (config->mode == GM_MODE_END)
        return machine->root->place;
    return gm_config_is_in_frame(config) ? config->at.frame->place : config->at.turn->place;
}

const char *gm_config_text(const gm_config *config)
{
    switch ((gm_mode)config->mode) {
    case GM_MODE_VALUE:
        return "a value";
    case GM_MODE_STRING:
        return "more of a string, or its closing quote";
    case GM_MODE_NUMBER:
        return "more of a number, or its end";
    case GM_MODE_LITERAL:
        return "the rest of null, true or false";
    case GM_MODE_OBJECT_OPEN:
        return "a key or the end of the object";
    case GM_MODE_KEY:
        return "more of a key, or its closing quote";
    case GM_MODE_COLON:
        return "a colon";
    case GM_MODE_OBJECT_AFTER:
        return "a comma or the end of the object";
    case GM_MODE_OBJECT_COMMA:
        return "a key";
    case GM_MODE_ARRAY_OPEN:
        return "an item or the end of the array";
    case GM_MODE_ARRAY_AFTER:
        return "a comma or the end of the array";
    case GM_MODE_END:
        return "the end of the document";
    }
    return "";
}

/* What tells states apart, as numbers. */
typedef struct identity {
    uint64_t words[6];
} identity;

static identity identity_of(const gm_config *config)
{
    identity id = {{config->mode, config->spelling, 0, 0, 0, 0}};
    if (config->mode != GM_MODE_END)
        id.words[2] = gm_config_is_in_frame(config) ? config->at.frame->id : config->at.turn->id;
    id.words[3] = config->top != NULL ? (uint64_t)config->top->turn->id + 1 : 0;
    if (config->mode == GM_MODE_STRING || config->mode == GM_MODE_NUMBER)
        id.words[4] = config->as.text.lexical->id;
    else if (config->mode == GM_MODE_LITERAL)
        id.words[4] = (uint64_t)config->literal << 8 | config->position;
    else if (config->mode == GM_MODE_KEY) {
        id.words[4] = (uint64_t)config->as.key.low << 32 | config->as.key.high;
        id.words[5] = config->as.key.low < config->as.key.high ? config->as.key.depth : 0;
        if (config->as.key.lexical != NULL)
            id.words[5] |= ((uint64_t)config->as.key.lexical->id + 1) << 32;
    } else if (config->gap != 0)
        id.words[4] = 1;
    return id;
}

typedef struct exploring {
    gm_machine *machine;
    const gm_explorer *explorer;
    gm_allocator allocator;
    size_t max_states;
    gm_arena journal;
    GM_ARRAY(gm_config) states;
    gm_table table;
} exploring;

/* The id of a state, UINT32_MAX beyond the bound; reports it when new. */
static gm_status meet(exploring *e, const gm_config *config, uint32_t *out)
{
    const identity key = identity_of(config);
    const uint64_t hash = gm_hash_bytes(&key, sizeof key);
    for (gm_probe probe = gm_table_find(&e->table, hash); gm_probe_next(&e->table, &probe);) {
        const identity known = identity_of(&e->states.items[probe.id]);
        if (memcmp(&known, &key, sizeof key) == 0) {
            *out = probe.id;
            return GM_OK;
        }
    }
    *out = UINT32_MAX;
    if (e->states.count >= e->max_states)
        return GM_OK;
    const uint32_t id = (uint32_t)e->states.count;
    if (!GM_ARRAY_PUSH(&e->allocator, &e->states, *config) || !gm_table_add(&e->table, hash, id))
        return GM_OUT_OF_MEMORY;
    *out = id;
    return e->explorer->state(e->explorer->context, &e->journal, config, id);
}

static gm_status report(const exploring *e, uint32_t from, uint32_t to, unsigned first, unsigned end)
{
    if (to == UINT32_MAX || e->explorer->edge == NULL)
        return GM_OK;
    return e->explorer->edge(e->explorer->context, from, to, (uint8_t)first, (uint8_t)(end - 1));
}

static gm_status expand(exploring *e, uint32_t from)
{
    uint32_t run = UINT32_MAX;
    unsigned first = 0;
    for (unsigned byte = 0; byte < 256; byte++) {
        const gm_config config = e->states.items[from];
        gm_config next;
        uint32_t to = UINT32_MAX;
        const gm_status status = gm_machine_step(e->machine, &e->journal, &config, (uint8_t)byte, &next);
        if (status == GM_OK)
            GM_TRY(meet(e, &next, &to));
        else if (status != GM_REJECTED)
            return status;
        if (to != run) {
            GM_TRY(report(e, from, run, first, byte));
            run = to;
            first = byte;
        }
    }
    return report(e, from, run, first, 256);
}

gm_status gm_explore(gm_machine *machine, const gm_allocator *allocator, size_t max_states, const gm_explorer *explorer)
{
    exploring e = {.machine = machine, .explorer = explorer, .allocator = *allocator, .max_states = max_states};
    gm_arena_init(&e.journal, allocator);
    gm_table_init(&e.table, allocator);
    const gm_config start = gm_machine_start(machine, false);
    uint32_t id;
    gm_status status = meet(&e, &start, &id);
    for (uint32_t at = 0; at < e.states.count && status == GM_OK; at++)
        status = expand(&e, at);
    GM_ARRAY_FREE(&e.allocator, &e.states);
    gm_table_destroy(&e.table);
    gm_arena_destroy(&e.journal);
    return status;
}
