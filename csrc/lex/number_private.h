/*
 * lex/number_private.h - what the files of the number languages share.
 *
 *   number_lattice.c  multipleOf, its complements and their common multiples
 *   number_set.c      constraints -> two sets of magnitudes, one for texts with '-', one for texts without
 *   number_residue.c  what a state must know of D because of lattices
 *   number_step.c     the arithmetic of states: where a digit leads, what is alive, what may end
 *   number.c          the store: interning, rows, publication
 *
 * A magnitude is a decimal >= 0. A set of magnitudes is {0} or nothing, and either a finite list or
 *
 *   { v > 0 : low <= v <= high, v in a lattice, in none of some other lattices, not among the holes }
 *
 * where a lattice is all multiples of modulus * 10^-scale, with one scale for the whole set. In normal
 * form equal sets have equal records and the set is known not to be empty: with a lattice to be in,
 * low and high are themselves members; without, low < high, so there are always infinitely many
 * members between any two points (lattices are thin), and holes never decide what is alive.
 *
 * The lattices to be out of are parts of the one to be in, if there is one, and no part of each other.
 * Taken relative to it they are multiples of q1, ..., qk, all > 1. Of 2^k consecutive integers at
 * least one is no multiple of any (2^k consecutive ones covered by k residue classes would mean that
 * all integers are, and 1 is not), so looking for a member is a walk of at most 2^k steps.
 *
 * A state is a prefix of a text reduced to what its future depends on. Read the significant digits
 * (without leading zeros) as the integer D; more digits and an exponent e, |e| <= reach, then turn
 * the prefix into the magnitudes [D, D + 1) * 10^j. What must be known of D is
 *   - how it compares with as many leading digits of low and of high, and where its first digit
 *     stands (`point`, as in a decimal): so the least and greatest exponents that fit are known;
 *   - D mod the common multiple of all moduli, and how many powers of ten D itself can spare before it
 *     is no multiple any more (`weight`): a multiple for just the exponents e >= -weight; likewise
 *     `excess` for the lattices to be out of: in one of them for just the exponents e >= -excess;
 *   - which entries of the list, or holes, begin with the digits of D: a range of the sorted list.
 * Each is dropped or clamped as soon as no future can tell the difference. Every question is
 * answered from these numbers, never by looking at digits again, in constant time, but for
 * entries of the list that agree with all digits so far, and for the walks above.
 */
#ifndef GM_LEX_NUMBER_PRIVATE_H
#define GM_LEX_NUMBER_PRIVATE_H

#include "base/decimal.h"
#include "lex/number.h"

typedef enum gm_number_spelling_kind {
    GM_NUMBER_AS_JSON = 0,    /* JSON's grammar, exponents of any length: only without constraints */
    GM_NUMBER_AS_DECIMAL = 1, /* no exponent */
    GM_NUMBER_AS_INTEGER = 2, /* no exponent, no fraction */
    GM_NUMBER_AS_EXPONENT = 3 /* exponents with so many digits */
} gm_number_spelling_kind;

enum { GM_NUMBER_MAX_LATTICES = 8 }; /* to be out of */

/* The multiples of modulus * 10^-scale. */
typedef struct gm_number_lattice {
    uint64_t modulus;     /* 0: no lattice */
    uint64_t odd;         /* the modulus without its factors 2 and 5 */
    unsigned twos, fives; /* and how many these are */
} gm_number_lattice;

typedef struct gm_number_set {
    gm_number_spelling_kind spelling;
    bool is_marked; /* the text has a fraction or an exponent */
    bool has_zero;
    bool is_list; /* the entries are all the members but 0; else they are holes */
    bool has_high;
    bool low_closed, high_closed; /* the bound is itself a member */
    gm_decimal low;               /* zero: no bound (and low_closed is false) */
    gm_decimal high;
    gm_number_lattice in;                          /* members are in it */
    gm_number_lattice out[GM_NUMBER_MAX_LATTICES]; /* and in none of these; unused ones are zero */
    uint32_t out_count;
    gm_number_lattice common; /* what is in all of them */
    int64_t scale;
    int64_t reach; /* greatest exponent that can be written; 0 without exponents */
    uint32_t entry_count;
    const gm_decimal *entries; /* ascending by digits, then by point */
} gm_number_set;

static inline bool gm_number_set_is_empty(const gm_number_set *set)
{
    return !set->has_zero && set->is_list && set->entry_count == 0;
}

#define GM_NUMBER_NO_WEIGHT INT64_MIN       /* no power of ten makes D a multiple */
#define GM_NUMBER_UNLIMITED INT64_MAX       /* digits left of an exponent of any length */
#define GM_NUMBER_MAX_REACH (INT64_MAX / 4) /* stands for no limit under GM_NUMBER_AS_JSON */

/* Powers of ten that D can spare (negative: that it lacks) as a multiple of the modulus; the residue may be
 * of a multiple of it. D does not end in 0, so that it lacks 2 or 5, and its residue tells. */
static inline int64_t gm_number_spare_tens(const gm_number_lattice *lattice, uint64_t residue)
{
    if (residue % lattice->odd != 0)
        return GM_NUMBER_NO_WEIGHT;
    int64_t twos = -(int64_t)lattice->twos, fives = -(int64_t)lattice->fives;
    for (uint64_t n = residue; twos < 0 && n % 2 == 0; n /= 2)
        twos++;
    for (uint64_t n = residue; fives < 0 && n % 5 == 0; n /= 5)
        fives++;
    return twos < fives ? twos : fives;
}

typedef enum gm_number_phase {
    GM_NUMBER_AT_START,
    GM_NUMBER_AT_MINUS,    /* after '-' */
    GM_NUMBER_AT_ZERO,     /* after the integer part 0 */
    GM_NUMBER_IN_INTEGER,  /* in any other integer part */
    GM_NUMBER_AT_POINT,    /* after '.' */
    GM_NUMBER_IN_FRACTION, /* after at least one digit of it */
    GM_NUMBER_AT_EXPONENT, /* after 'e' */
    GM_NUMBER_AT_SIGN,     /* after its sign */
    GM_NUMBER_IN_EXPONENT  /* after at least one digit of it */
} gm_number_phase;

/* How the digits of D compare with as many of a bound's (zeros follow its last). */
typedef enum gm_number_relation {
    GM_NUMBER_SAME,
    GM_NUMBER_BELOW,
    GM_NUMBER_ABOVE,
    GM_NUMBER_SETTLED /* the bound holds whatever follows, or there is none */
} gm_number_relation;

/* A state. Compared and hashed as bytes: unused fields are zero, and there is no padding.
 *                   start       mantissa                             exponent
 */
typedef struct gm_number_key {
    uint32_t set;     /* without '-'  of magnitudes                    of exponents; 0 = every one */
    uint8_t phase;    /* gm_number_phase */
    uint8_t low;      /* 0           relation to the bound             0 */
    uint8_t high;     /* 0           relation to the bound             0 */
    uint8_t flag;     /* 0           D is not 0                        the exponent is negative */
    int64_t point;    /* 0           place of the first digit of D     0 */
    int64_t fraction; /* 0           digits of the fraction            digits left */
    int64_t weight;   /* 0           see above                         0 */
    int64_t excess;   /* 0           see above                         0 */
    uint64_t residue; /* 0           D mod the common modulus          value so far */
    uint32_t depth;   /* 0           digits of D                       0 */
    uint32_t first;   /* after '-'   entries that begin with D,        0 */
    uint32_t last;    /* 0           from first to before last         0 */
    uint32_t unused;
} gm_number_key;

/* Exponents from low to high. */
typedef struct gm_number_span {
    int64_t low, high;
} gm_number_span;

/* ---- number_lattice.c ---- */

/* The lattices of some constraints, in normal form but for bounds: `in`, `out`, `common` and `scale` of
 * *set; the rest of it is left alone. *nothing: no number but 0 is left, and not 0 either. */
gm_status gm_number_lattices_of(const gm_number_limits *limits, const gm_number_constraints *constraints,
                                gm_number_set *set, bool *nothing, gm_error *error);
/* Whether a decimal is in the lattice of this scale. */
bool gm_number_is_multiple(const gm_number_lattice *lattice, int64_t scale, const gm_decimal *value);
/* Whether it is in the lattice to be in, if there is one, and in none of the others. */
bool gm_number_fits_lattices(const gm_number_set *set, const gm_decimal *value);
/* Reads a number of the constraints; the keyword is for the message. */
gm_status gm_number_read(gm_bytes text, const char *keyword, gm_decimal *out, gm_error *error);

/* ---- number_set.c ---- */

/* What gm_number_define was given, as two sets: [0] for texts without '-', [1] for texts with it.
 * Memory comes from the arena; decimals borrow the constraints' texts. Knows no store. */
gm_status gm_number_sets_of(gm_arena *arena, const gm_number_limits *limits, const gm_number_constraints *constraints,
                            gm_number_set sets[2], gm_error *error);
/* The set of one sign without some values, of either sign. Memory comes from the arena; digits are borrowed. */
gm_status gm_number_set_without(gm_arena *arena, const gm_number_set *set, bool negative, const gm_decimal *values,
                                size_t count, gm_number_set *out);

/* ---- number.c ---- */

gm_number_key gm_number_key_of(const gm_number *number, gm_number_state state);
/* A copy; what it points to lives as long as the store. */
gm_number_set gm_number_set_of(gm_number *number, uint32_t id);
uint64_t gm_number_exponent_digits(const gm_number *number);

/* ---- number_residue.c ---- */

static inline bool gm_number_in_integer(const gm_number_key *key) { return key->phase == GM_NUMBER_IN_INTEGER; }

/* Appends a digit to D as far as lattices are concerned; key->fraction is already the new one. */
void gm_number_append_residue(const gm_number_set *set, gm_number_key *key, unsigned digit);
/* Forgets what no future can tell. */
void gm_number_settle_residue(const gm_number_set *set, gm_number_key *key);
/* The e for which D as it stands is in the lattice to be in, and in none of the others. */
gm_number_span gm_number_lattice_span(const gm_number_set *set, const gm_number_key *key);
/* Whether more members of the lattices than `holes` lie in [D, D + 1) * 10^(e - fraction), which is 10^power
 * wide in units of the scale, power > 0. */
bool gm_number_has_members(const gm_number_set *set, const gm_number_key *key, int64_t power, uint32_t holes);

/* ---- number_step.c ---- */

/* The state after a digit at the start, or after '-'. False when it is dead, like the following. */
bool gm_number_first_digit(const gm_number_set *set, uint32_t id, unsigned digit, gm_number_key *to);
/* The state after a digit or the point in a mantissa. */
bool gm_number_next(const gm_number_set *set, const gm_number_key *from, int class, gm_number_key *to);
/* Whether the mantissa may end here, without an exponent. */
bool gm_number_may_end(const gm_number_set *set, const gm_number_key *key);
/* The exponents that make the mantissa a member, ascending and apart; as many as are returned.
 * `spans` has room for gm_number_span_bound of them. */
size_t gm_number_spans_of(const gm_number_set *set, const gm_number_key *key, gm_number_span *spans);
size_t gm_number_span_bound(const gm_number_key *key);

/* Exponents: the spans allowed, of exponents with at most so many digits. */
typedef struct gm_number_exponents {
    const gm_number_span *spans;
    size_t count;
} gm_number_exponents;

/* The state after a sign or digit; `from` is in the exponent. */
bool gm_number_next_exponent(const gm_number_exponents *exponents, const gm_number_key *from, int class,
                             gm_number_key *to);
/* Whether the exponent may end here. */
bool gm_number_exponent_may_end(const gm_number_exponents *exponents, const gm_number_key *key);

#endif
