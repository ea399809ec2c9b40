/*
 * machine/reach.c - whether it is plain that items at hand can become different from those before: see distinct.h.
 *
 * From the innermost value outwards: which of its labels it can make true at all, and which of them with more values
 * than all arrays in question have items. A thread of the container around lives with a label, and the container's
 * own labels with its threads; a container that can still take something with infinitely many values has them too.
 * Where the container is itself a unique array that may have the item already, a unique thread is sure to live only
 * with many values.
 *
 * All of it errs on one side: what is said to be plain is so.
 */
#include "machine/distinct.h"

typedef struct reach { /* labels of one place */
    uint64_t some[GM_MAX_OUTCOME_WORDS];
    uint64_t many[GM_MAX_OUTCOME_WORDS];
} reach;

typedef struct looking {
    gm_machine *machine;
    const gm_config *config;
    uint64_t items; /* of all arrays in question */
    bool failed;    /* memory was wanting */
} looking;

static void clear(reach *r, const gm_place *place)
{
    memset(r->some, 0, place->words * sizeof *r->some);
    memset(r->many, 0, place->words * sizeof *r->many);
}

static bool has(const uint64_t *set, uint32_t bit) { return set[bit / 64] >> bit % 64 & 1; }

static void note(reach *r, uint32_t label, bool many)
{
    r->some[label / 64] |= (uint64_t)1 << label % 64;
    r->many[label / 64] |= (uint64_t)many << label % 64;
}

static bool is_endless(const looking *l, gm_formula formula)
{
    return formula != GM_FORMULA_FALSE && gm_form_profile(l->machine->form, formula)->endless;
}

/* ---- what an open container can still take ---- */

static bool has_endless_names(looking *l, gm_term term)
{
    const gm_lengths *lengths;
    const gm_status status = gm_text_lengths(l->machine->text, term, &lengths, NULL);
    l->failed = l->failed || status == GM_OUT_OF_MEMORY;
    return status == GM_LIMIT || (status == GM_OK && lengths->greatest == UINT64_MAX);
}

/* Whether an entry of an object can take something that has infinitely many values, or one of infinitely many names. */
static bool takes_endless_member(looking *l, const gm_place *place, const gm_entry *entry, const gm_stack *node)
{
    const gm_object_thread *thread = place->objects[entry->thread];
    const gm_shape *shape = place->shape;
    const gm_frame frame = {.is_object = true, .place = place};
    const uint64_t *seen = gm_stack_seen(node, shape);
    gm_entry after;
    if (!thread->endless)
        return false;
    for (uint32_t served = 0; served < 1u << thread->obligations; served++) {
        if (shape->families == NULL &&
            gm_frame_take(&frame, entry, node, GM_ORDER_NONE, NULL, served, &after) != GM_FORMULA_FALSE)
            return true;
        for (uint32_t i = 0; i < shape->family_count; i++) {
            const gm_shape_family *family = &shape->families[i];
            if (family->thread != entry->thread || !has_endless_names(l, family->family.term))
                continue;
            if (gm_frame_take(&frame, entry, node, GM_ORDER_NONE, &family->family, served, &after) != GM_FORMULA_FALSE)
                return true;
        }
        for (uint32_t i = 0; i < thread->name_count; i++) {
            const uint32_t name = shape->index[entry->thread][i];
            if (is_endless(l, gm_formula_for(thread->names[i].formula, thread->names[i].serving, served)) &&
                !(seen[name / 64] >> name % 64 & 1) &&
                gm_frame_take(&frame, entry, node, name, NULL, served, &after) != GM_FORMULA_FALSE)
                return true;
        }
    }
    return false;
}

/* The same for an array, of which `index` items are done. */
static bool takes_endless_item(const looking *l, const gm_place *place, const gm_entry *entry, uint64_t index)
{
    const gm_array_thread *thread = place->arrays[entry->thread];
    if (!thread->endless)
        return false;
    if (thread->counting == NULL && thread->most == GM_UNBOUNDED && !thread->unique)
        return true;
    if (thread->counting != NULL && thread->most == GM_UNBOUNDED && !thread->unique &&
        thread->counting->greatest[(size_t)gm_array_position(thread, index) * thread->counting->states +
                                   entry->progress] == UINT64_MAX)
        return true;
    for (uint32_t served = 0; served < gm_array_sets(thread); served++) {
        uint32_t progress = entry->progress;
        if (is_endless(l, gm_array_take(thread, index, served, &progress)))
            return true;
    }
    if (thread->counting != NULL)
        return false;
    /* later positions: every one before `most` can be reached, but for unique items that may run out */
    for (uint64_t i = index; i < thread->most && i <= thread->prefix_count; i++) {
        if (is_endless(l, gm_array_item(thread, i, 0)))
            return true;
        if (thread->unique)
            return false;
    }
    return !thread->unique && index < thread->most && is_endless(l, gm_array_item(thread, thread->prefix_count, 0)) &&
           thread->most > thread->prefix_count;
}

static bool takes_endless(looking *l, const gm_place *place, const gm_entry *entry, const gm_stack *node,
                          bool is_object, uint64_t index)
{
    return is_object ? takes_endless_member(l, place, entry, node) : takes_endless_item(l, place, entry, index);
}

/* ---- strings ---- */

/* Whether some string of a term is of a length that is left by the bounds of a thread behind so many code points. */
static bool lives(looking *l, const gm_text_thread *thread, gm_term term, uint64_t length)
{
    const gm_lengths *lengths;
    if (term == GM_TERM_NONE || length > thread->most)
        return false;
    const gm_status status = gm_text_lengths(l->machine->text, term, &lengths, NULL);
    l->failed = l->failed || status == GM_OUT_OF_MEMORY;
    return status == GM_OK && gm_lengths_meet(lengths, thread->least > length ? thread->least - length : 0,
                                              thread->most == GM_UNBOUNDED ? GM_UNBOUNDED : thread->most - length);
}

/* Whether more characters than there are items may come next: strings that go on with different ones are different. */
static bool has_many_next(looking *l, const gm_text_thread *thread, gm_term term, uint64_t length)
{
    enum { SURROGATES = 0x800 };
    const gm_text_row *row = gm_text_row_of(l->machine->text, term);
    uint64_t next = 0;
    l->failed = l->failed || row == NULL;
    if (row == NULL || !l->machine->alphabet->is_whole)
        return false;
    for (uint32_t i = row->range_count; i-- > 0 && next <= l->items;) {
        const uint64_t size = (uint64_t)row->ranges[i].high - row->ranges[i].low + 1;
        if (size > SURROGATES && lives(l, thread, row->ranges[i].to, length + 1))
            next += size - SURROGATES; /* as if they were in it */
    }
    for (uint32_t point = 0; point < 128 && next <= l->items; point++)
        next += lives(l, thread, row->ascii[point], length + 1);
    return next > l->items;
}

/* Whether a text thread in `term` can go on in more ways than there are items. */
static bool is_many(looking *l, const gm_place_text *text, gm_term term, uint64_t length)
{
    const gm_text_thread *thread = &text->thread;
    const gm_lengths *lengths;
    if (term == GM_TERM_NONE || length > thread->most)
        return false;
    const uint64_t room = thread->most == GM_UNBOUNDED ? GM_UNBOUNDED : thread->most - length;
    if (term == GM_TERM_ANY)
        return room == GM_UNBOUNDED || (room > 0 && l->items < 0x10000); /* characters of one byte to three */
    const gm_status status = gm_text_lengths(l->machine->text, term, &lengths, NULL);
    l->failed = l->failed || status == GM_OUT_OF_MEMORY;
    if (status != GM_OK)
        return false;
    if (lengths->greatest == UINT64_MAX && room == GM_UNBOUNDED)
        return true;
    if (has_many_next(l, thread, term, length))
        return true;
    if (!lengths->interval || lengths->least == UINT64_MAX)
        return false;
    /* strings of different lengths are different */
    uint64_t least = thread->least > length ? thread->least - length : 0;
    least = lengths->least > least ? lengths->least : least;
    const uint64_t most = lengths->greatest < room ? lengths->greatest : room;
    return most >= least && most - least >= l->items;
}

/* A strand in the middle of a character: whether it lives, and goes on in many ways. */
static void meet_half(looking *l, const gm_place_text *text, const gm_text_row *row, uint64_t length, bool *some,
                      bool *many)
{
    const gm_spelling_state half = l->config->spelling;
    const gm_alphabet *alphabet = l->machine->alphabet;
    gm_point_range ranges[4];
    const size_t count = gm_spelling_ranges(half, l->machine->minimal_escapes, ranges);
    for (size_t i = 0; i < count && !*many; i++) {
        for (uint32_t point = ranges[i].low; point <= ranges[i].high && point < 128 && !*many; point++)
            *many = gm_spelling_can_finish(half, (gm_point_range){point, point}, alphabet) &&
                    is_many(l, text, row->ascii[point], length);
        for (uint32_t j = 0; j < row->range_count && !*many; j++) {
            const gm_point_range both =
                gm_point_range_meet(ranges[i], (gm_point_range){row->ranges[j].low, row->ranges[j].high});
            *many = both.low <= both.high && gm_spelling_can_finish(half, both, alphabet) &&
                    is_many(l, text, row->ranges[j].to, length);
        }
    }
    *some = *many;
}

static void look_at_string(looking *l, const gm_place *place, reach *r)
{
    const gm_lexical *lexical = l->config->as.text.lexical;
    const uint64_t length = l->config->as.text.length;
    for (uint32_t i = 0; i < lexical->count; i++) {
        const gm_place_text *text = &place->texts[lexical->strands[i].thread];
        bool some = l->config->spelling == GM_SPELLING_BETWEEN, many = false;
        if (some)
            many = is_many(l, text, lexical->strands[i].state, length);
        else
            meet_half(l, text, lexical->rows[i], length + 1, &some, &many);
        if (some)
            note(r, text->label, many);
    }
}

/* ---- other values ---- */

static bool has_all_digits(const gm_alphabet *alphabet)
{
    for (int class = 0; class < GM_NUMBER_CLASSES; class ++)
        if (class != GM_NUMBER_PLUS && !gm_alphabet_has_class(alphabet, class))
            return false;
    return true;
}

/* Whether a number in whose exponent the cursor is does not begin with zeros alone. */
static bool has_mantissa(const gm_config *config)
{
    bool in_mantissa = false;
    for (const gm_written *at = config->written; at != NULL && gm_number_class(at->byte) >= 0; at = at->before) {
        if (in_mantissa && at->byte >= '1' && at->byte <= '9')
            return true;
        in_mantissa = in_mantissa || gm_number_class(at->byte) == GM_NUMBER_EXPONENT;
    }
    return false;
}

static void look_at_number(looking *l, const gm_place *place, reach *r)
{
    const gm_lexical *lexical = l->config->as.text.lexical;
    const bool all = has_all_digits(l->machine->alphabet);
    for (uint32_t i = 0; i < lexical->count; i++) {
        const gm_number_state state = lexical->strands[i].state;
        const bool many = gm_number_least_values(l->machine->number, state) > l->items ||
                          (gm_number_least_exponents(l->machine->number, state) > l->items && has_mantissa(l->config));
        note(r, place->numbers[lexical->strands[i].thread].label, all && many);
    }
}

/* The names that a key may become. */
typedef struct key_names {
    uint32_t low, high;
    const gm_lexical *families; /* half read; NULL: all, from their beginnings */
} key_names;

static void look_at_families(looking *l, const gm_entry *entry, uint32_t served, const key_names *names, reach *r)
{
    const gm_frame *frame = l->config->at.frame;
    const gm_shape *shape = frame->place->shape;
    const uint32_t count = names->families != NULL ? names->families->count : shape->family_count;
    gm_entry after;
    for (uint32_t i = 0; i < count; i++) {
        const gm_shape_family *family =
            &shape->families[names->families != NULL ? names->families->strands[i].thread : i];
        const gm_term term = names->families != NULL ? names->families->strands[i].state : family->family.term;
        if (family->thread == entry->thread && has_endless_names(l, term) &&
            gm_frame_take(frame, entry, l->config->top, GM_ORDER_NONE, &family->family, served, &after) !=
                GM_FORMULA_FALSE)
            note(r, frame->place->object_labels[entry->thread], true);
    }
}

/* A key must follow, or is half read: the threads that can take some name. In the middle of a character only what all
 * other names are asked is looked at. */
static void look_at_key(looking *l, reach *r)
{
    const gm_config *config = l->config;
    const gm_frame *frame = config->at.frame;
    const gm_shape *shape = frame->place->shape;
    const uint64_t *seen = gm_stack_seen(config->top, shape);
    const bool is_key = config->mode == GM_MODE_KEY;
    const bool between = !is_key || config->spelling == GM_SPELLING_BETWEEN;
    const key_names names = {is_key ? config->as.key.low : 0, is_key ? config->as.key.high : shape->name_count,
                             is_key ? config->as.key.lexical : NULL};
    gm_entry after;
    for (uint32_t i = 0; i < frame->count; i++) {
        const gm_entry *entry = &frame->entries[i];
        const uint32_t label = frame->place->object_labels[entry->thread];
        for (uint32_t served = 0; served < gm_frame_sets(frame, entry); served++) {
            if (shape->families == NULL && frame->other &&
                gm_frame_take(frame, entry, config->top, GM_ORDER_NONE, NULL, served, &after) != GM_FORMULA_FALSE)
                note(r, label, true);
            for (uint32_t name = names.low; name < names.high && between; name++) {
                if (seen[name / 64] >> name % 64 & 1)
                    continue;
                const gm_formula formula = gm_frame_take(frame, entry, config->top, name, NULL, served, &after);
                if (formula != GM_FORMULA_FALSE)
                    note(r, label, is_endless(l, formula));
            }
            if (between && shape->families != NULL && (!is_key || names.families != NULL))
                look_at_families(l, entry, served, &names, r);
        }
    }
}

/* Between members or items: every entry can be completed. Where white space is fixed, some that is written already may
 * tell what must follow; then nothing is said. */
static void look_at_frame(looking *l, reach *r)
{
    const gm_frame *frame = l->config->at.frame;
    if (l->config->gap != 0 && l->machine->gaps.kind != GM_WHITESPACE_FLEXIBLE)
        return;
    const gm_place *place = frame->place;
    const uint32_t *labels = frame->is_object ? place->object_labels : place->array_labels;
    for (uint32_t i = 0; i < frame->count; i++)
        note(r, labels[frame->entries[i].thread],
             takes_endless(l, place, &frame->entries[i], l->config->top, frame->is_object,
                           frame->is_object ? 0 : gm_frame_items(frame, l->config->top)));
}

static void look_at_literal(const gm_config *config, reach *r)
{
    const gm_place *place = config->at.turn->place;
    memcpy(r->some, place->literals[config->literal], place->words * sizeof *r->some);
}

static void look_at_start(looking *l, const gm_place *place, reach *r)
{
    for (uint32_t i = 0; i < place->label_count; i++)
        note(r, i, is_endless(l, place->labels[i]));
}

/* ---- outwards ---- */

/* From the labels of a value to those of the container around it. */
static void look_around(looking *l, const gm_turn *turn, const gm_stack *node, const reach *value, reach *r)
{
    const gm_place *place = turn->container;
    const bool may_repeat = node->is_unique && gm_distinct_is_open(l->config, node);
    clear(r, place);
    for (uint32_t i = 0; i < turn->count; i++) {
        const gm_wait *wait = &turn->waits[i];
        const bool many = has(value->many, wait->label);
        if (!has(value->some, wait->label) || (may_repeat && !many && place->arrays[wait->entry.thread]->unique))
            continue;
        const uint32_t label = (turn->in_object ? place->object_labels : place->array_labels)[wait->entry.thread];
        note(r, label,
             many || takes_endless(l, place, &wait->entry, node, turn->in_object,
                                   place->counts_items && !turn->in_object ? node->count : turn->index));
    }
}

static bool item_is_plain(const gm_turn *turn, const reach *item)
{
    for (uint32_t i = 0; i < turn->count; i++)
        if (has(item->some, turn->waits[i].label) &&
            (has(item->many, turn->waits[i].label) || !turn->container->arrays[turn->waits[i].entry.thread]->unique))
            return true;
    return false;
}

/* The value at hand, or the container between whose members the cursor is: its turn, the node around it, its reach. */
static void look_inside(looking *l, const gm_turn **turn, const gm_stack **node, reach *r)
{
    const gm_config *config = l->config;
    *turn = config->at.turn;
    *node = config->top;
    if (gm_config_is_in_frame(config)) {
        *turn = config->top->turn;
        *node = config->top->parent;
    }
    const gm_place *place = (*turn)->place;
    clear(r, place);
    switch ((gm_mode)config->mode) {
    case GM_MODE_STRING:
        look_at_string(l, place, r);
        return;
    case GM_MODE_NUMBER:
        look_at_number(l, place, r);
        return;
    case GM_MODE_LITERAL:
        look_at_literal(config, r);
        return;
    case GM_MODE_KEY:
    case GM_MODE_OBJECT_COMMA:
        look_at_key(l, r);
        return;
    case GM_MODE_VALUE:
    case GM_MODE_COLON:
        look_at_start(l, place, r);
        return;
    case GM_MODE_END:
        return;
    default:
        look_at_frame(l, r);
        return;
    }
}

gm_status gm_reach_is_plain(gm_machine *machine, const gm_config *config, const gm_stack *outermost, bool *plain)
{
    looking l = {.machine = machine, .config = config};
    const gm_turn *turn;
    const gm_stack *node;
    reach r, around;
    for (const gm_stack *array = gm_distinct_innermost(config); array != outermost->around; array = array->around)
        if (gm_distinct_is_open(config, array))
            l.items += array->used->count;
    look_inside(&l, &turn, &node, &r);
    while (node != outermost) {
        look_around(&l, turn, node, &r, &around);
        r = around;
        turn = node->turn;
        node = node->parent;
    }
    *plain = item_is_plain(turn, &r);
    return l.failed ? GM_OUT_OF_MEMORY : GM_OK;
}
