/*
 * lex/number_lattice.c - multipleOf and its complements as lattices of one scale. See number_private.h.
 *
 * A decimal > 0 is odd * 2^twos * 5^fives, with an odd part that has no factor 5 either. Factors 2
 * and 5 apart, the least common multiple of decimals is that of the rest with the greater power of
 * each; so several multiples to be in are one, and a lattice to be out of matters only in what it has
 * in common with that one. Of lattices to be out of, those that lie in another are dropped.
 */
#include "lex/number_private.h"

enum { MOST_MULTIPLE_DIGITS = 19 };

typedef struct factored {
    uint64_t odd; /* 0: none */
    int64_t twos, fives;
} factored;

gm_status gm_number_read(gm_bytes text, const char *keyword, gm_decimal *out, gm_error *error)
{
    const gm_status status = gm_decimal_parse(text, out);
    if (status == GM_LIMIT)
        return gm_fail(error, status, "", keyword, "the exponent of %.*s is beyond %d",
                       text.length < 80 ? (int)text.length : 80, text.data, GM_DECIMAL_MAX_EXPONENT);
    if (status != GM_OK)
        return gm_fail(error, status, "", keyword, "not a number: %.*s", text.length < 80 ? (int)text.length : 80,
                       text.data);
    return GM_OK;
}

static uint64_t max_modulus_of(const gm_number_limits *limits)
{
    return limits->max_modulus < INT64_MAX ? limits->max_modulus : INT64_MAX;
}

static gm_status modulus_limit(const gm_number_limits *limits, gm_error *error)
{
    return gm_fail(error, GM_LIMIT, "", "multipleOf",
                   "the common multiple, scaled to an integer, is greater than max_modulus (%llu)",
                   (unsigned long long)max_modulus_of(limits));
}

static gm_status read_multiple(const gm_number_limits *limits, gm_bytes text, factored *out, gm_error *error)
{
    gm_decimal d;
    GM_TRY(gm_number_read(text, "multipleOf", &d, error));
    if (d.count == 0 || d.negative)
        return gm_fail(error, GM_INVALID_ARGUMENT, "", "multipleOf", "not greater than 0: %.*s",
                       text.length < 80 ? (int)text.length : 80, text.data);
    if (d.count > MOST_MULTIPLE_DIGITS)
        return modulus_limit(limits, error);
    factored f = {.twos = d.point - (int64_t)d.count, .fives = d.point - (int64_t)d.count};
    for (size_t i = 0; i < d.count; i++)
        f.odd = f.odd * 10 + gm_decimal_digit(&d, i);
    for (; f.odd % 2 == 0; f.odd /= 2)
        f.twos++;
    for (; f.odd % 5 == 0; f.odd /= 5)
        f.fives++;
    *out = f;
    return GM_OK;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* product *= factor^power; false when that exceeds the limit. */
static bool scale_up(uint64_t *product, uint64_t factor, int64_t power, uint64_t limit)
{
    for (; power > 0; power--) {
        if (*product > limit / factor)
            return false;
        *product *= factor;
    }
    return *product <= limit;
}

/* The common multiple; false when its odd part exceeds the limit. */
static bool combine(factored *all, factored more, uint64_t limit)
{
    if (all->odd == 0) {
        *all = more;
        return more.odd <= limit;
    }
    all->twos = more.twos > all->twos ? more.twos : all->twos;
    all->fives = more.fives > all->fives ? more.fives : all->fives;
    return scale_up(&all->odd, more.odd / common_divisor(all->odd, more.odd), 1, limit);
}

/* Whether each multiple of a is one of b. */
static bool lies_in(factored a, factored b) { return a.odd % b.odd == 0 && a.twos >= b.twos && a.fives >= b.fives; }

/* Adds a lattice to be out of; the ones that lie in it are dropped, or it if it lies in one. */
static bool add_lattice(factored *list, uint32_t *count, factored one)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < *count; i++)
        if (lies_in(one, list[i]))
            return true;
    for (uint32_t i = 0; i < *count; i++)
        if (!lies_in(list[i], one))
            list[kept++] = list[i];
    *count = kept;
    if (kept == GM_NUMBER_MAX_LATTICES)
        return false;
    list[(*count)++] = one;
    return true;
}

static int64_t scale_of(factored f) { return -(f.twos < f.fives ? f.twos : f.fives); }

static bool scaled(factored f, int64_t scale, uint64_t limit, gm_number_lattice *out)
{
    if (f.odd == 0)
        return true;
    *out = (gm_number_lattice){f.odd, f.odd, (unsigned)(f.twos + scale), (unsigned)(f.fives + scale)};
    return scale_up(&out->modulus, 2, f.twos + scale, limit) && scale_up(&out->modulus, 5, f.fives + scale, limit);
}

/* Lattices to be out of that are the same but for their order are the same set. */
static void sort_lattices(gm_number_lattice *list, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        for (uint32_t j = i; j > 0 && list[j - 1].modulus > list[j].modulus; j--) {
            const gm_number_lattice swap = list[j];
            list[j] = list[j - 1];
            list[j - 1] = swap;
        }
}

gm_status gm_number_lattices_of(const gm_number_limits *limits, const gm_number_constraints *constraints,
                                gm_number_set *set, bool *nothing, gm_error *error)
{
    const gm_number_constraints *c = constraints;
    const uint64_t limit = max_modulus_of(limits);
    factored in = {.odd = c->integer}, out[GM_NUMBER_MAX_LATTICES], more;
    uint32_t count = 0;
    *nothing = false;
    for (size_t i = 0; i < c->multiple_count; i++) {
        GM_TRY(read_multiple(limits, c->multiples[i], &more, error));
        if (!combine(&in, more, limit))
            return modulus_limit(limits, error);
    }
    for (size_t i = 0; i < c->not_multiple_count; i++) {
        GM_TRY(read_multiple(limits, c->not_multiples[i], &more, error));
        if (in.odd != 0 && !combine(&more, in, limit))
            return modulus_limit(limits, error);
        *nothing = *nothing || (in.odd != 0 && lies_in(in, more));
        if (!add_lattice(out, &count, more))
            return gm_fail(error, GM_LIMIT, "", "not", "more than %d multiples to be avoided by one number",
                           GM_NUMBER_MAX_LATTICES);
    }
    factored common = in;
    for (uint32_t i = 0; i < count; i++)
        if (!combine(&common, out[i], limit))
            return modulus_limit(limits, error);
    /* One scale for all: that of the lattice to be in, of which the others are parts; else the finest. */
    int64_t scale = in.odd != 0 ? scale_of(in) : count > 0 ? scale_of(out[0]) : 0;
    for (uint32_t i = 0; in.odd == 0 && i < count; i++)
        scale = scale_of(out[i]) > scale ? scale_of(out[i]) : scale;
    bool fits = scaled(in, scale, limit, &set->in) && scaled(common, scale, limit, &set->common);
    for (uint32_t i = 0; i < count && fits; i++)
        fits = scaled(out[i], scale, limit, &set->out[i]);
    if (!fits)
        return modulus_limit(limits, error);
    sort_lattices(set->out, count);
    set->out_count = count;
    set->scale = scale;
    return GM_OK;
}

bool gm_number_is_multiple(const gm_number_lattice *lattice, int64_t scale, const gm_decimal *value)
{
    if (value->count == 0)
        return true;
    const int64_t places = (int64_t)value->count - value->point;
    const int64_t spare = gm_number_spare_tens(lattice, gm_decimal_residue(value, places, lattice->modulus));
    return spare != GM_NUMBER_NO_WEIGHT && spare - places + scale >= 0;
}

bool gm_number_fits_lattices(const gm_number_set *set, const gm_decimal *value)
{
    if (set->in.modulus != 0 && !gm_number_is_multiple(&set->in, set->scale, value))
        return false;
    for (uint32_t i = 0; i < set->out_count; i++)
        if (gm_number_is_multiple(&set->out[i], set->scale, value))
            return false;
    return true;
}
