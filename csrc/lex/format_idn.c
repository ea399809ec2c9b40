/*
 * lex/format_idn.c - internationalized host names (RFC 5890 to 5893), as an automaton in C.
 *
 * Labels of code points that RFC 5892 allows, with its contextual rules, the Bidi rule of RFC 5893,
 * and in normalization form C. A state remembers what the rules ask of the label and of the whole
 * name: some forty bits. Three things are a subset:
 *
 *   - no label has hyphens in its third and fourth place, so none is already in ASCII form (xn--);
 *   - the ASCII form of a label, which may have 63 octets, is known only when the label is complete;
 *     a bound by its number and kind of code points stands for it. It is exact for ASCII;
 *   - a character that may compose with the one before it is allowed only where that one has no
 *     composites at all, and no other mark stands between.
 *
 * Some characters ask for others that have to follow. They are read only if the name can still be
 * completed within all lengths: required() says by how many characters, and after the ones that it
 * counts on the rest is smaller by one; so no state is dead.
 */
#include "lex/format_private.h"
#include "lex/idna_tables.h"

enum { MOST_LABEL = 63, MOST_NAME = 253 };

/* What must come next. */
typedef enum awaited {
    NOTHING,
    SMALL_L, /* after a middle dot */
    GREEK,   /* after a keraia */
    JOINING  /* after a non-joiner: transparent characters, then one that joins what precedes it */
} awaited;

typedef struct state {
    /* the name */
    uint8_t total;       /* octets of the finished labels, with their dots */
    bool bidi;           /* some label is right-to-left, so the Bidi rule holds for all */
    bool all_bidi;       /* all finished labels keep it */
    /* the label */
    uint8_t count;       /* code points */
    uint8_t beyond;      /* of these, not ASCII */
    uint8_t size;        /* of the largest one, as in gm_idna_longest */
    bool capital;        /* has a capital letter, so must be ASCII */
    bool leftward;       /* right-to-left */
    bool begins_well;    /* left-to-right: by the Bidi rule */
    bool ends_well;      /* by the Bidi rule */
    bool european, arabic; /* digits, in a right-to-left label */
    bool kana;           /* has Hiragana, Katakana or Han */
    bool kana_required;  /* has a katakana middle dot and no kana yet */
    /* the last character */
    uint8_t rank;        /* of its combining class */
    bool hyphen, small_l, hebrew, composes, virama;
    bool joins;          /* it, or the one before transparent ones, joins what follows */
    awaited next;
} state;

/* ---- packing ---- */

static uint32_t bit(bool value, unsigned at) { return (uint32_t)value << at; }

static gm_term_node pack(const state *at)
{
    return (gm_term_node){
        .kind = GM_KIND_AUTOMATON,
        .a = GM_AUTOMATON_IDN,
        .low = (uint32_t)at->total | (uint32_t)at->count << 8 | (uint32_t)at->beyond << 14 | (uint32_t)at->size << 19 |
               (uint32_t)at->rank << 22 | bit(at->hyphen, 28) | bit(at->small_l, 29) | bit(at->hebrew, 30) |
               bit(at->composes, 31),
        .high = (uint32_t)at->next | bit(at->bidi, 2) | bit(at->all_bidi, 3) | bit(at->capital, 4) |
                bit(at->leftward, 5) | bit(at->begins_well, 6) | bit(at->ends_well, 7) | bit(at->european, 8) |
                bit(at->arabic, 9) | bit(at->kana, 10) | bit(at->kana_required, 11) | bit(at->virama, 12) |
                bit(at->joins, 13)};
}

static state unpack(gm_term_node node)
{
    const uint32_t low = node.low, high = node.high;
    return (state){.total = low & 0xFF,
                   .count = low >> 8 & 0x3F,
                   .beyond = low >> 14 & 0x1F,
                   .size = low >> 19 & 7,
                   .rank = low >> 22 & 0x3F,
                   .hyphen = low >> 28 & 1,
                   .small_l = low >> 29 & 1,
                   .hebrew = low >> 30 & 1,
                   .composes = low >> 31,
                   .next = (awaited)(high & 3),
                   .bidi = high >> 2 & 1,
                   .all_bidi = high >> 3 & 1,
                   .capital = high >> 4 & 1,
                   .leftward = high >> 5 & 1,
                   .begins_well = high >> 6 & 1,
                   .ends_well = high >> 7 & 1,
                   .european = high >> 8 & 1,
                   .arabic = high >> 9 & 1,
                   .kana = high >> 10 & 1,
                   .kana_required = high >> 11 & 1,
                   .virama = high >> 12 & 1,
                   .joins = high >> 13 & 1};
}

/* ---- lengths ---- */

/* A bound for the octets of a label; more than MOST_LABEL if there is none. */
static unsigned longest(unsigned count, unsigned beyond, unsigned size)
{
    if (count > MOST_LABEL)
        return MOST_LABEL + 1;
    if (size == 0)
        return count;
    const unsigned by_count = gm_idna_longest[size][count];
    if (beyond > GM_IDNA_MOST_BEYOND)
        return by_count;
    const unsigned ascii = count - beyond;
    const unsigned by_kind = 4 + ascii + (ascii > 0) + gm_idna_digits[size][beyond];
    return by_count < by_kind ? by_count : by_kind;
}

static bool obeys_bidi(const state *at) { return at->ends_well && (at->leftward || at->begins_well); }

/* The least number of characters after which the label may end, of which none is larger than *size. */
static unsigned required(const state *at, unsigned *size)
{
    enum { ASCII_SIZE = 0, GREEK_SIZE = 2, RIGHT_TO_LEFT_SIZE = 2, KANA_SIZE = 3, MONGOLIAN_SIZE = 3 };
    const bool unfinished = at->count == 0 || at->hyphen || ((at->leftward || at->bidi) && !at->ends_well);
    *size = ASCII_SIZE;
    if (at->kana_required)
        *size = KANA_SIZE;
    else if (at->next == GREEK)
        *size = GREEK_SIZE;
    else if (at->next == JOINING)
        *size = at->leftward ? RIGHT_TO_LEFT_SIZE : MONGOLIAN_SIZE;
    else if (at->leftward)
        *size = RIGHT_TO_LEFT_SIZE;
    if (at->next == JOINING && !at->leftward)
        *size = MONGOLIAN_SIZE;
    const unsigned number = (at->next != NOTHING) + at->kana_required;
    return number > 0 ? number : unfinished;
}

/* Whether the label can be brought to an end within all lengths. */
static bool fits(const state *at)
{
    unsigned size;
    const unsigned more = required(at, &size);
    if (more > 0 && size > 0 && at->capital)
        return false;
    const unsigned beyond = at->beyond + (size > 0 ? more : 0);
    const unsigned octets = longest(at->count + more, beyond, more > 0 && size > at->size ? size : at->size);
    return octets <= MOST_LABEL && at->total + octets <= MOST_NAME;
}

static bool may_end(const state *at)
{
    unsigned size;
    return required(at, &size) == 0;
}

/* ---- steps: each returns false where the character is not allowed ---- */

static bool end_label(state *at)
{
    if (!may_end(at))
        return false;
    *at = (state){.total = (uint8_t)(at->total + longest(at->count, at->beyond, at->size) + 1),
                  .bidi = at->bidi,
                  .all_bidi = at->all_bidi && obeys_bidi(at)};
    return fits(at);
}

/* RFC 5893 section 2. */
static bool step_direction(state *at, gm_idna_direction direction)
{
    if (at->count == 0) {
        at->leftward = direction == GM_IDNA_R;
        at->begins_well = direction == GM_IDNA_L;
        if (at->leftward && !at->all_bidi)
            return false;
        at->bidi = at->bidi || at->leftward;
        if (at->bidi && !at->leftward && !at->begins_well)
            return false;
    }
    if (at->leftward) {
        at->european = at->european || direction == GM_IDNA_EN;
        at->arabic = at->arabic || direction == GM_IDNA_AN;
        if (direction == GM_IDNA_L || (at->european && at->arabic))
            return false;
        if (direction != GM_IDNA_NSM)
            at->ends_well = direction != GM_IDNA_NEUTRAL;
        return true;
    }
    if (direction == GM_IDNA_R || direction == GM_IDNA_AN)
        return false;
    if (direction != GM_IDNA_NSM)
        at->ends_well = direction == GM_IDNA_L || direction == GM_IDNA_EN;
    return true;
}

/* Normalization form C. */
static bool step_composition(state *at, uint32_t traits)
{
    const uint8_t rank = traits >> 7 & 0x3F;
    if (at->count == 0 && (traits & (GM_IDNA_MARK | GM_IDNA_MAY_COMPOSE)) != 0)
        return false;
    if ((traits & GM_IDNA_MAY_COMPOSE) != 0 && (at->rank != 0 || at->composes))
        return false;
    if (rank != 0 && rank < at->rank)
        return false;
    at->rank = rank;
    at->composes = (traits & GM_IDNA_HAS_COMPOSITES) != 0;
    return true;
}

/* What the last character but one asked for. */
static bool step_awaited(state *at, uint32_t traits)
{
    switch (at->next) {
    case NOTHING:
        return true;
    case SMALL_L:
        at->next = NOTHING;
        return (traits & 0xF) == GM_IDNA_SMALL_L;
    case GREEK:
        at->next = NOTHING;
        return (traits & GM_IDNA_GREEK) != 0;
    case JOINING:
        if ((traits & GM_IDNA_JOINS_LAST) != 0)
            at->next = NOTHING;
        return (traits & (GM_IDNA_JOINS_LAST | GM_IDNA_TRANSPARENT)) != 0;
    }
    return false;
}

/* RFC 5892 appendix A, and what is said of hyphens and capital letters. */
static bool step_role(state *at, gm_idna_role role)
{
    switch (role) {
    case GM_IDNA_HYPHEN:
        return at->count > 0 && !(at->count == 3 && at->hyphen);
    case GM_IDNA_CAPITAL:
        at->capital = true;
        return true;
    case GM_IDNA_MIDDLE_DOT:
        at->next = SMALL_L;
        return at->small_l && !at->leftward;
    case GM_IDNA_KERAIA:
        at->next = GREEK;
        return !at->leftward;
    case GM_IDNA_GERESH:
        return at->hebrew;
    case GM_IDNA_KATAKANA_DOT:
        at->kana_required = !at->kana;
        return !at->leftward;
    case GM_IDNA_NON_JOINER:
        if (!at->virama)
            at->next = JOINING;
        return at->virama || at->joins;
    case GM_IDNA_JOINER:
        return at->virama;
    case GM_IDNA_PLAIN:
    case GM_IDNA_DOT:
    case GM_IDNA_SMALL_L:
        break;
    }
    return true;
}

static bool step(state *at, uint32_t traits)
{
    const gm_idna_role role = (gm_idna_role)(traits & 0xF);
    const unsigned size = traits >> 23;
    if (role == GM_IDNA_DOT)
        return end_label(at);
    if (!step_awaited(at, traits) || !step_direction(at, (gm_idna_direction)(traits >> 4 & 7)) ||
        !step_role(at, role) || !step_composition(at, traits))
        return false;
    at->hyphen = role == GM_IDNA_HYPHEN;
    at->small_l = role == GM_IDNA_SMALL_L;
    at->hebrew = (traits & GM_IDNA_HEBREW) != 0;
    at->virama = (traits & GM_IDNA_VIRAMA) != 0;
    if ((traits & GM_IDNA_TRANSPARENT) == 0)
        at->joins = (traits & GM_IDNA_JOINS_NEXT) != 0;
    if ((traits & GM_IDNA_KANA) != 0) {
        at->kana = true;
        at->kana_required = false;
    }
    at->count++;
    at->beyond += size > 0 && at->beyond <= GM_IDNA_MOST_BEYOND;
    at->size = (uint8_t)(size > at->size ? size : at->size);
    return !(at->capital && at->size > 0) && fits(at);
}

/* ---- terms ---- */

static gm_term term_of(gm_text *text, const state *at)
{
    gm_term_node node = pack(at);
    node.nullable = may_end(at);
    return gm_term_intern(text, node);
}

gm_term gm_term_idn_hostname(gm_text *text)
{
    const state start = {.all_bidi = true};
    return term_of(text, &start);
}

/* Where each word of traits leads from a state, found once. */
static bool find_targets(gm_text *text, gm_term_node node, gm_term *targets)
{
    for (size_t i = 0; i < GM_IDNA_TRAITS; i++) {
        state at = unpack(node);
        targets[i] = step(&at, gm_idna_traits[i]) ? term_of(text, &at) : (gm_term)GM_TERM_NONE;
        if (targets[i] == GM_TERM_FAILED)
            return false;
    }
    return true;
}

bool gm_idn_segments(gm_text *text, gm_term_node node)
{
    gm_term targets[GM_IDNA_TRAITS];
    if (!find_targets(text, node, targets))
        return false;
    for (size_t i = 0; i < gm_idna_range_count; i++) {
        const gm_idna_range range = gm_idna_ranges[i];
        if (!gm_text_add_segment(text, range.low, range.low + range.more, targets[range.traits]))
            return false;
    }
    return true;
}
