/*
 * machine/machine.h - the lazily built pushdown automaton over bytes.
 *
 * The machine answers one question: given a configuration and a byte, what is the configuration
 * after it, or can no valid document go on so? What it builds on the way is shared by all matchers
 * of a grammar and immutable once published:
 *
 *   place    a value that is to come: the formulas asked of it (its labels), what each JSON type
 *            offers, and how text and numbers begin
 *   lexical  the living threads of a string or number half read, each with its automaton's state
 *   frame    an open container between members: its living threads and how far each has come
 *   turn     what happens once a member's value has ended: which thread waits for which label
 *
 *      frame --member chosen--> turn --(place, its value)--> outcome: bits of labels --> frame
 *
 * A configuration pairs one of these with registers and a stack node. Stack nodes and key sets
 * live in the journal, an arena that the caller owns; they are immutable too, so keeping an old
 * configuration and cutting the journal undoes anything.
 *
 * Every thread of a frame is one that can still succeed, so "alive" is "reachable": a byte is
 * accepted exactly if some thread lives after it. What depends on the document (which names were
 * written, how many items) is in registers, never in a frame.
 *
 * Locking: building holds machine->grow; finding takes one acquire load.
 */
#ifndef GM_MACHINE_MACHINE_H
#define GM_MACHINE_MACHINE_H

#include "base/array.h"
#include "base/lock.h"
#include "base/table.h"
#include "form/form.h"
#include "machine/gaps.h"
#include "machine/keyset.h"
#include "machine/spelling.h"

#include <stdatomic.h>

typedef struct gm_place gm_place;
typedef struct gm_lexical gm_lexical;
typedef struct gm_frame gm_frame;
typedef struct gm_turn gm_turn;
typedef struct gm_stack gm_stack;
typedef struct gm_written gm_written;
typedef struct gm_used gm_used;

/* ---- what matchers hold ---- */

/* One open container. */
struct gm_stack {
    const gm_stack *parent;
    const gm_turn *turn; /* of the container's own value */
    uint64_t count;      /* items begun, if its shape counts them */
    uint64_t depth;      /* open containers, this one included */
    union {
        uint64_t word;         /* names seen, bit by shape index, up to 64 names */
        const uint64_t *words; /* more */
    } seen;
    const gm_keyset *others; /* other keys seen */
    uint64_t other_lengths;  /* of these, in bytes: bit n, the last for all longer ones */
    /* see distinct.h: */
    bool is_unique;         /* an array, of which a living thread is unique */
    uint32_t level;         /* unique arrays around this container */
    const gm_stack *around; /* the nearest of them, or NULL */
    const gm_used *used;    /* values of the items so far, where is_unique; NULL = none */
    const gm_written *item; /* what was written before the present item */
};

typedef enum gm_mode {
    GM_MODE_VALUE,        /* a value is to begin: at.turn */
    GM_MODE_STRING,       /* at.turn, text */
    GM_MODE_NUMBER,       /* at.turn, lexical */
    GM_MODE_LITERAL,      /* at.turn, literal, position */
    GM_MODE_OBJECT_OPEN,  /* after {: at.frame */
    GM_MODE_KEY,          /* at.frame, key */
    GM_MODE_COLON,        /* before the colon: at.turn */
    GM_MODE_OBJECT_AFTER, /* after a member: at.frame */
    GM_MODE_OBJECT_COMMA, /* after a comma: at.frame */
    GM_MODE_ARRAY_OPEN,   /* after [: at.frame */
    GM_MODE_ARRAY_AFTER,  /* after an item: at.frame */
    GM_MODE_END           /* the document is complete */
} gm_mode;

typedef struct gm_key_text {   /* a key half read */
    uint32_t low, high, depth; /* names of the shape that begin with the text so far */
    gm_key_hash hash;
    const gm_lexical *lexical; /* families that it may be of, where the shape has some; NULL = none */
} gm_key_text;

typedef struct gm_config {
    const gm_stack *top; /* NULL outside any container */
    union {
        const gm_turn *turn;
        const gm_frame *frame;
    } at;
    uint8_t mode;
    uint8_t literal;           /* 0 null, 1 true, 2 false */
    uint8_t position;          /* letters of it read */
    uint32_t gap;              /* white space written in the present gap */
    const gm_written *written; /* inside unique arrays: the last byte of the document; see distinct.h */
    uint64_t fresh;            /* by level: the item at hand is known to equal none before it */
    gm_spelling_state spelling;
    union {
        struct {
            const gm_lexical *lexical;
            uint64_t length;  /* code points read */
            gm_key_hash hash; /* of the content, inside unique arrays */
        } text;               /* STRING; NUMBER uses lexical alone */
        gm_key_text key;
    } as;
} gm_config;

/* ---- shared structures ---- */

typedef struct gm_strand { /* one living thread of a scalar */
    uint32_t thread;       /* index into the place's texts or numbers */
    uint32_t state;        /* gm_term or gm_number_state */
} gm_strand;

typedef _Atomic(const gm_lexical *) gm_lexical_slot;

struct gm_lexical {
    bool is_text;
    uint32_t id;
    uint32_t count;
    const gm_strand *strands;
    const void *const *rows; /* gm_text_row or gm_number_row of each strand */
    /* where bytes or classes lead, filled as asked: 128 for text, GM_NUMBER_CLASSES for numbers; NULL until one is */
    _Atomic(gm_lexical_slot *) next;
    _Atomic(const gm_lexical *) last; /* of one strand of text: where a run of letters from here ended last */
};

typedef struct gm_place_text {
    gm_text_thread thread;
    uint32_t label;
} gm_place_text;

typedef struct gm_place_number {
    gm_number_language language;
    uint32_t label;
} gm_place_number;

enum { GM_BEGIN = 8 };

static inline uint64_t gm_read_four(const uint8_t *bytes)
{
    return (uint64_t)bytes[0] << 24 | (uint64_t)bytes[1] << 16 | (uint64_t)bytes[2] << 8 | bytes[3];
}

/* The first bytes of a text as a number, the first the highest, zeros behind its end: of two pieces that may overlap,
 * so that its length is no loop's. At most GM_BEGIN bytes. */
static inline uint64_t gm_begin_of(const uint8_t *bytes, size_t count)
{
    if (count >= 4)
        return gm_read_four(bytes) << 32 | gm_read_four(bytes + count - 4) << 8 * (GM_BEGIN - count);
    if (count == 0)
        return 0;
    return (uint64_t)bytes[0] << 56 | (uint64_t)bytes[count / 2] << (56 - 8 * (count / 2)) |
           (uint64_t)bytes[count - 1] << (56 - 8 * (count - 1));
}

/* The names that the object threads of a place treat apart, sorted, and what each thread makes of them. */
typedef struct gm_shape {
    uint32_t name_count;
    uint32_t words; /* of a bitset over the names */
    const gm_bytes *names;
    const uint64_t *begins;          /* gm_begin_of each */
    const uint32_t *const *local;    /* by thread: index of each name in the thread's own list, or GM_ORDER_NONE */
    const uint32_t *const *index;    /* by thread: index here of each name of the thread's own list */
    const uint64_t *const *needed;   /* by thread: bitset of required names that `seen` must show */
    const uint64_t *const *required; /* by thread: bitset of all required names */
    const uint32_t *const *strange;  /* by thread: its family of each name that only others list; GM_ORDER_NONE: rest */
    bool tracks_seen;                /* registers of names are kept */
    bool counts;                     /* some thread bounds the number of members, or has obligations */
    uint32_t family_count;
    const struct gm_shape_family *families; /* NULL: other names are all alike */
} gm_shape;

/* Other names that a thread asks the same. Terms are settled and hold no name of the shape. */
typedef struct gm_shape_family {
    uint32_t thread;
    gm_family family;
} gm_shape_family;

struct gm_place {
    uint32_t id;
    uint32_t label_count;
    uint32_t words; /* of an outcome: a bitset over labels */
    const gm_formula *labels;
    const uint64_t *literals[3]; /* outcome of null, true, false; NULL = not allowed */
    uint32_t text_count, number_count, object_count, array_count;
    const gm_place_text *texts;
    const gm_place_number *numbers;
    const gm_lexical *text_start, *number_start; /* NULL = not allowed */
    bool counts_points;                          /* some text thread has bounds */
    const gm_object_thread *const *objects;
    const uint32_t *object_labels;
    const gm_array_thread *const *arrays;
    const uint32_t *array_labels;
    bool counts_items;
    bool has_unique;       /* some array thread is unique */
    const gm_shape *shape; /* NULL without objects */
    _Atomic(const gm_frame *) object_start, array_start;
};

typedef struct gm_entry { /* one living thread of a container */
    uint32_t thread;      /* index into the place's objects or arrays */
    uint32_t order;       /* objects under `declared`: names before it in the thread's sequence have passed */
    uint32_t progress;    /* of its obligations, see form.h */
} gm_entry;

typedef struct gm_turn_chunk gm_turn_chunk;
enum { GM_TURN_CHUNK = 16 };
struct gm_turn_chunk {
    _Atomic(const gm_turn *) of[GM_TURN_CHUNK];
};

struct gm_frame {
    uint32_t id;
    bool is_object;
    bool other;      /* a key that no shape name equals may be taken */
    bool has_unique; /* arrays: some entry is unique */
    uint32_t count;  /* entries */
    uint32_t index;  /* arrays: items begun, clamped past every prefix */
    const gm_place *place;
    const gm_entry *entries;
    const uint64_t *takable;              /* objects: names that some entry can take, the registers aside */
    const gm_lexical *keys;               /* the families that some entry can take; NULL without families */
    _Atomic(gm_turn_chunk *) *name_turns; /* objects: by shape index */
    _Atomic(const gm_turn *) other_turn;  /* objects without families or counts */
    _Atomic(const gm_turn *) turns; /* a list: items, one for each set of survivors; names that depend on registers */
};

/* An entry waits for a label of the value, to become this one. It may wait for several: one for each set
 * of obligations that the value can serve, as far as the container can still be completed after that. */
typedef struct gm_wait {
    gm_entry entry;
    uint32_t label;
} gm_wait;

typedef struct gm_after gm_after;
struct gm_after {
    const gm_after *next;
    const gm_frame *frame;
    bool repeated;       /* the value is one that the array has already */
    uint64_t outcome[1]; /* as many words as the place says */
};

struct gm_turn {
    uint32_t id;
    bool is_root;
    bool in_object;
    const gm_place *place;     /* of the value */
    const gm_place *container; /* NULL at the root */
    uint32_t index;            /* arrays: of the frame that follows */
    uint32_t count;
    const gm_wait *waits;
    uint32_t name;                        /* objects: of the shape, or GM_ORDER_NONE */
    const gm_turn *next;                  /* link of gm_frame.turns */
    _Atomic(const gm_frame *) only_after; /* the frame that follows, if the place has one label */
    _Atomic(const gm_after *) afters;     /* by outcome, if it has more */
};

typedef struct gm_machine {
    const gm_form *form;
    gm_text *text;
    gm_number *number;
    gm_gaps gaps;
    bool minimal_escapes;
    const gm_alphabet *alphabet;
    gm_lock grow;
    gm_arena arena;                                         /* L = grow: all that is built */
    GM_ARRAY(const void *) places, lexicals, frames, turns; /* L = grow: by id */
    gm_table place_table, lexical_table, frame_table;       /* L = grow */
    const gm_turn *root;
} gm_machine;

/* `options` decide white space, escapes and order; `memory` bounds what states take. The form and stores must outlive
 * the machine. */
gm_status gm_machine_init(gm_machine *machine, const gm_form *form, gm_form_stores stores,
                          const gm_schema_options *options, uint64_t memory, const gm_allocator *allocator,
                          gm_error *error);
void gm_machine_destroy(gm_machine *machine);
/* Why a state could not be built: GM_LIMIT if a bound on memory was met, else GM_OUT_OF_MEMORY. */
gm_status gm_machine_no_room(gm_machine *machine);
size_t gm_machine_memory(gm_machine *machine);
/* How many ways from states to states are built: bytes of strings and numbers, members, ends of values. */
uint64_t gm_machine_transitions(gm_machine *machine);

/* The configuration before the first byte; with leading_space, one space may stand before the root. */
gm_config gm_machine_start(const gm_machine *machine, bool leading_space);
/* Advances by one byte: GM_OK and *to, GM_REJECTED, GM_OUT_OF_MEMORY, or GM_LIMIT when the budget of the journal or of
 * the states is spent. A byte that no token has is rejected. `to` may be `from`; it is written only on GM_OK. The
 * journal may have grown in every case: cut it to undo. */
gm_status gm_machine_step(gm_machine *machine, gm_arena *journal, const gm_config *from, uint8_t byte, gm_config *to);
/* The same in place, without the copy: unless GM_OK the configuration is void and must not be read. */
gm_status gm_machine_advance(gm_machine *machine, gm_arena *journal, gm_config *config, uint8_t byte);
/* Advances so by all bytes of a text, `letters` of which, at its beginning, are known to spell themselves in a string.
 * *count = bytes that were accepted. */
gm_status gm_machine_run(gm_machine *machine, gm_arena *journal, gm_config *config, const uint8_t *bytes, size_t length,
                         size_t letters, size_t *count);
/* Whether the document is complete here. */
bool gm_machine_may_end(const gm_config *config);
/* Whether it is, and no byte may follow. */
bool gm_machine_is_complete(gm_machine *machine, const gm_config *config);

/* The same, but that items of unique arrays need not be such that they can still become different from those before:
 * only a whole item is compared. */
gm_status gm_machine_step_unchecked(gm_machine *machine, gm_arena *journal, const gm_config *from, uint8_t byte,
                                    gm_config *to);
/* Ends a number that is not the document, as the byte behind it would; likewise unchecked. */
gm_status gm_machine_end_number(gm_machine *machine, gm_arena *journal, const gm_config *from, gm_config *to);

/* ---- distinct.c ---- */

/* Whether a configuration stands between the members of a container, or in a key: at.frame, not at.turn. */
static inline bool gm_config_is_in_frame(const gm_config *config)
{
    switch ((gm_mode)config->mode) {
    case GM_MODE_OBJECT_OPEN:
    case GM_MODE_KEY:
    case GM_MODE_OBJECT_AFTER:
    case GM_MODE_OBJECT_COMMA:
    case GM_MODE_ARRAY_OPEN:
    case GM_MODE_ARRAY_AFTER:
        return true;
    default:
        return false;
    }
}

/* Whether the cursor is inside a unique array: what follows may depend on texts there. */
static inline bool gm_config_is_watched(const gm_config *config)
{
    return config->top != NULL && (config->top->is_unique || config->top->around != NULL);
}
/* Whether an item at hand may still be one that its array has already. */
bool gm_config_may_repeat(const gm_config *config);
/* Whether a string with this hash (as config->as.text.hash) is in some item that the present one may still be. */
bool gm_config_has_string(const gm_config *config, gm_key_hash hash);
/* The position as if no array around were unique; its stack is in the journal. */
gm_status gm_config_unwatched(gm_arena *journal, const gm_config *from, gm_config *to);

/* ---- build.c: interning; NULL = out of memory ---- */

/* How many ways a lexical has. */
static inline uint32_t gm_lexical_ways(const gm_lexical *lexical) { return lexical->is_text ? 128 : GM_NUMBER_CLASSES; }
/* Makes the table of a lexical's ways, unless it is there. NULL: there was no room, which costs only time. */
gm_lexical_slot *gm_machine_lexical_slots(gm_machine *machine, const gm_lexical *lexical);
/* The families whose names the frame's entries can take now; NULL with *failed false: none. */
const gm_lexical *gm_machine_keys(gm_machine *machine, const gm_frame *frame, const gm_stack *top, bool *failed);
const gm_lexical *gm_machine_lexical(gm_machine *machine, bool is_text, const gm_strand *strands, uint32_t count);
const gm_frame *gm_machine_object_start(gm_machine *machine, const gm_place *place);
const gm_frame *gm_machine_array_start(gm_machine *machine, const gm_place *place);
/* The turn of a name of the shape (GM_ORDER_NONE: of any other key, `families` having read it to its
 * end, or NULL without families). NULL also if no thread can take it: *none tells. */
const gm_turn *gm_machine_name_turn(gm_machine *machine, const gm_frame *frame, const gm_stack *top, uint32_t name,
                                    const gm_lexical *families, bool *none);
/* The turn of a name of a shape that does not count, if it is known. */
static inline const gm_turn *gm_frame_known_turn(const gm_frame *frame, uint32_t name)
{
    gm_turn_chunk *chunk = atomic_load_explicit(&frame->name_turns[name / GM_TURN_CHUNK], memory_order_acquire);
    return chunk != NULL ? atomic_load_explicit(&chunk->of[name % GM_TURN_CHUNK], memory_order_acquire) : NULL;
}
/* The frame after the value of a turn whose place has one label, if it is known. */
static inline const gm_frame *gm_turn_only_after(const gm_turn *turn)
{
    return turn->place->label_count == 1
               ? atomic_load_explicit((_Atomic(const gm_frame *) *)&turn->only_after, memory_order_acquire)
               : NULL;
}
/* The turn of item number `index` (an exact count where the place counts items). NULL also if no
 * thread can take it: *none tells. */
const gm_turn *gm_machine_item_turn(gm_machine *machine, const gm_frame *frame, uint64_t index, bool *none);
/* The frame after a value with the given outcome (not all zero); `repeated`: an item that the array has already, so
 * that unique threads die. NULL also if no thread is left then: *none tells. */
const gm_frame *gm_machine_after(gm_machine *machine, const gm_turn *turn, const uint64_t *outcome, bool repeated,
                                 bool *none);

/* ---- frame.c: what an open container allows ---- */

static inline const uint64_t *gm_stack_seen(const gm_stack *stack, const gm_shape *shape)
{
    return shape->words <= 1 ? &stack->seen.word : stack->seen.words;
}
/* First name of low..high-1 whose byte at `depth` is at least `byte`; all agree before it. Names
 * that end at `depth` come first. */
uint32_t gm_shape_bound(const gm_shape *shape, uint32_t low, uint32_t high, uint32_t depth, unsigned byte);
/* Narrows low..high, names that agree in their first `depth` bytes, to those that go on with some bytes, none of them
 * NUL, which end within GM_BEGIN bytes; none: low is high then. */
void gm_shape_narrow(const gm_shape *shape, uint32_t depth, const uint8_t *bytes, size_t count, uint32_t *low,
                     uint32_t *high);
/* Whether some other key of that many bytes was seen; a quick no is certain. */
static inline bool gm_stack_may_have(const gm_stack *stack, uint64_t length)
{
    return stack->other_lengths >> (length < 63 ? length : 63) & 1;
}
/* Whether some name of low..high-1 may be taken, where names are many or the shape counts: gm_frame_can_take. */
bool gm_frame_can_take_counted(const gm_frame *frame, const gm_stack *top, uint32_t low, uint32_t high);
/* Whether some name of low..high-1 may be taken. */
static inline bool gm_frame_can_take(const gm_frame *frame, const gm_stack *top, uint32_t low, uint32_t high)
{
    const gm_shape *shape = frame->place->shape;
    if (shape->words != 1 || shape->counts)
        return gm_frame_can_take_counted(frame, top, low, high);
    return low < high && ((frame->takable[0] & ~top->seen.word) >> low & ~(uint64_t)0 >> (64 - (high - low))) != 0;
}
/* Whether some other key may be taken, where the frame has some and the shape counts: gm_frame_can_take_other. */
bool gm_frame_can_take_other_counted(const gm_frame *frame, const gm_stack *top);
/* Whether some key that no name of the shape equals may be taken. */
static inline bool gm_frame_can_take_other(const gm_frame *frame, const gm_stack *top)
{
    return frame->other && (!frame->place->shape->counts || gm_frame_can_take_other_counted(frame, top));
}
static inline bool gm_frame_can_take_any(const gm_frame *frame, const gm_stack *top)
{
    return gm_frame_can_take_other(frame, top) || gm_frame_can_take(frame, top, 0, frame->place->shape->name_count);
}
/* The formula that an entry asks of a name of the shape (GM_ORDER_NONE: of one of a family, or of any other
 * where the thread has none and `family` is NULL) if its value serves a set of obligations; GM_FORMULA_FALSE
 * if the order or the name forbids it, or the registers: then the object could not be completed. *after
 * becomes the entry behind it. */
gm_formula gm_frame_take(const gm_frame *frame, const gm_entry *entry, const gm_stack *top, uint32_t name,
                         const gm_family *family, uint32_t served, gm_entry *after);
/* The same, whatever the registers hold. */
gm_formula gm_frame_ask(const gm_frame *frame, const gm_entry *entry, uint32_t name, const gm_family *family,
                        uint32_t served, gm_entry *after);
/* The sets of obligations that a member or item may serve: below this. */
static inline uint32_t gm_frame_sets(const gm_frame *frame, const gm_entry *entry)
{
    return frame->is_object ? 1u << frame->place->objects[entry->thread]->obligations
                            : gm_array_sets(frame->place->arrays[entry->thread]);
}
/* Whether an entry can take a name of some family now. */
bool gm_frame_takes_family(const gm_frame *frame, const gm_entry *entry, const gm_stack *top, const gm_family *family);
bool gm_frame_can_take_item(const gm_frame *frame, const gm_stack *top);
/* Sets the bits of the labels that hold if the container ends here; false if none does. `outcome`
 * has room for place->words. */
bool gm_frame_close(const gm_frame *frame, const gm_stack *top, uint64_t *outcome);
/* The number of items begun, as far as the frame depends on it. */
static inline uint64_t gm_frame_items(const gm_frame *frame, const gm_stack *top)
{
    return frame->place->counts_items ? top->count : frame->index;
}

/* ---- lexical.c: text and numbers half read ---- */

/* Follows a code point of a key through the families; NULL with *failed false: none lives. */
const gm_lexical *gm_lexical_key_point(gm_machine *machine, const gm_lexical *lexical, uint32_t point, bool *failed);
/* Whether some name of the families that begins with the key so far is not yet among the others. */
gm_status gm_lexical_key_is_free(gm_machine *machine, gm_arena *journal, const gm_lexical *lexical, gm_key_hash hash,
                                 const gm_keyset *others, bool *is_free);
/* Whether a code point that a half-read one can become leads on. */
bool gm_lexical_key_meets(const gm_machine *machine, const gm_lexical *lexical, gm_spelling_state half,
                          gm_point_range range);

/* Follows a code point; NULL with *failed false: no strand lives. `length` counts it already. */
const gm_lexical *gm_lexical_point(gm_machine *machine, const gm_place *place, const gm_lexical *lexical,
                                   uint32_t point, uint64_t length, bool *failed);
/* Follows letters that spell themselves, as many as lead on, at most `length`; *lexical becomes where they lead and
 * *taken how many they are: 0 also where it is not so easily seen. `before`: code points read so far. False when out of
 * memory. */
bool gm_lexical_run(gm_machine *machine, const gm_place *place, const gm_lexical **lexical, uint64_t before,
                    const uint8_t *letters, size_t length, size_t *taken);
/* Whether some code point of the range that `half` can become keeps a strand alive; `length` counts it
 * already. *failed is set when memory was wanting, else left alone. */
bool gm_lexical_meets(gm_machine *machine, const gm_place *place, const gm_lexical *lexical, gm_spelling_state half,
                      gm_point_range range, uint64_t length, bool *failed);
/* The labels that hold if the text ends here; false if none does. */
bool gm_lexical_close_text(const gm_place *place, const gm_lexical *lexical, uint64_t length, uint64_t *outcome);
const gm_lexical *gm_lexical_digit(gm_machine *machine, const gm_lexical *lexical, int number_class, bool *failed);
bool gm_lexical_close_number(const gm_place *place, const gm_lexical *lexical, uint64_t *outcome);

enum { GM_LEADING_SPACE = 1 };      /* gap of the root: one space may stand here */
enum { GM_MAX_OUTCOME_WORDS = 64 }; /* of a place; one with more labels cannot be built */

#endif
