/*
 * lex/number_residue.c - states of number languages as far as lattices are concerned. See number_private.h.
 *
 * Notation as in number_step.c: a prefix D of which `fraction` digits stand after the point has become,
 * with an exponent e, the magnitudes [D, D + 1) * 10^(e - fraction); in units of the scale that is 10^power wide,
 * power = e - fraction + scale. If power <= 0 the only multiple it can hold is D itself.
 */
#include "lex/number_private.h"

/* 10^32 > 2^63 * 2^32 * 2^GM_NUMBER_MAX_LATTICES: more members than there can be holes */
enum { NEVER_TOO_FEW = 32 };

/* The modulus for D when k more powers of ten are sure to come. */
static uint64_t reduced_modulus(const gm_number_lattice *lattice, int64_t k)
{
    uint64_t modulus = lattice->modulus >> ((int64_t)lattice->twos < k ? lattice->twos : (unsigned)k);
    for (int64_t i = 0; i < k && i < (int64_t)lattice->fives; i++)
        modulus /= 5;
    return modulus;
}

/* The weight for one lattice after the digit that made the residue. */
static int64_t weight_of(const gm_number_set *set, const gm_number_key *key, const gm_number_lattice *lattice,
                         uint64_t residue)
{
    if (set->reach == 0 && key->fraction <= set->scale) /* only e >= 0 counts, so more powers of ten are sure to come */
        return residue % reduced_modulus(lattice, set->scale - key->fraction) == 0 ? 0 : GM_NUMBER_NO_WEIGHT;
    const int64_t spare = gm_number_spare_tens(lattice, residue);
    return spare == GM_NUMBER_NO_WEIGHT ? spare : spare - key->fraction + set->scale;
}

/* The weights tell whether D itself is a multiple; the residue serves only what has another digit or
 * power of ten behind it, so one ten less in the modulus is enough. */
void gm_number_append_residue(const gm_number_set *set, gm_number_key *key, unsigned digit)
{
    if (!key->flag && digit == 0)
        return;
    const uint64_t residue = gm_residue_append(key->residue, digit, set->common.modulus);
    const int64_t tens = set->reach == 0 ? set->scale - key->fraction : 0;
    if (digit != 0 || (set->reach == 0 && tens >= 0)) {
        if (set->in.modulus != 0)
            key->weight = weight_of(set, key, &set->in, residue);
        key->excess = GM_NUMBER_NO_WEIGHT;
        for (uint32_t i = 0; i < set->out_count; i++) {
            const int64_t weight = weight_of(set, key, &set->out[i], residue);
            key->excess = weight > key->excess ? weight : key->excess;
        }
    } else if (gm_number_in_integer(key)) {
        key->weight += key->weight != GM_NUMBER_NO_WEIGHT;
        key->excess += key->excess != GM_NUMBER_NO_WEIGHT;
    }
    key->residue = residue % reduced_modulus(&set->common, tens > 1 ? tens : 1);
}

static int64_t clamped_weight(const gm_number_set *set, const gm_number_key *key, int64_t weight)
{
    if (weight > set->reach)
        return set->reach;
    return !gm_number_in_integer(key) && weight < -set->reach ? GM_NUMBER_NO_WEIGHT : weight;
}

void gm_number_settle_residue(const gm_number_set *set, gm_number_key *key)
{
    /* A digit of the fraction past these, if not 0, spoils every multiple. */
    const int64_t most = set->reach + set->scale > 0 ? set->reach + set->scale : 0;
    if (key->fraction >= most && key->phase != GM_NUMBER_AT_ZERO && !gm_number_in_integer(key)) {
        key->fraction = most;
        key->residue = 0;
    }
    key->weight = clamped_weight(set, key, key->weight);
    key->excess = clamped_weight(set, key, key->excess);
}

gm_number_span gm_number_lattice_span(const gm_number_set *set, const gm_number_key *key)
{
    gm_number_span e = {INT64_MIN, INT64_MAX};
    if (set->in.modulus != 0) {
        if (key->weight == GM_NUMBER_NO_WEIGHT)
            return (gm_number_span){0, -1};
        e.low = -key->weight;
    }
    if (set->out_count != 0 && key->excess != GM_NUMBER_NO_WEIGHT)
        e.high = -key->excess - 1;
    return e;
}

/* A number in two words. */
typedef struct wide {
    uint64_t high, low;
} wide;

static wide power_of_ten(int64_t power)
{
    wide n = {0, 1};
    for (int64_t i = 0; i < power; i++) {
        const uint64_t low = (n.low & UINT32_MAX) * 10, middle = (n.low >> 32) * 10 + (low >> 32);
        n.low = middle << 32 | (low & UINT32_MAX);
        n.high = n.high * 10 + (middle >> 32);
    }
    return n;
}

static bool is_ruled_out(const gm_number_set *set, uint64_t residue)
{
    for (uint32_t i = 0; i < set->out_count; i++)
        if (residue % set->out[i].modulus == 0)
            return true;
    return false;
}

bool gm_number_has_members(const gm_number_set *set, const gm_number_key *key, int64_t power, uint32_t holes)
{
    if (power >= NEVER_TOO_FEW)
        return true;
    uint64_t residue = key->residue;
    for (int64_t i = 0; i < power; i++)
        residue = gm_residue_append(residue, 0, set->common.modulus);
    const uint64_t step = set->in.modulus, past = residue % step;
    const wide width = power_of_ten(power);
    wide at = {0, past == 0 ? 0 : step - past};
    residue = past == 0 ? residue : (residue + (step - past)) % set->common.modulus;
    while (at.high < width.high || (at.high == width.high && at.low < width.low)) {
        if (!is_ruled_out(set, residue) && holes-- == 0)
            return true;
        residue = (residue + step) % set->common.modulus;
        at.low += step;
        at.high += at.low < step;
    }
    return false;
}
