/*
 * lex/number_step.c - the arithmetic of states of number languages. See number_private.h.
 *
 * Notation in comments: e is the exponent that will be read (0 if none is), so a prefix D whose
 * first digit stands at `point` and of which `fraction` digits stand after the decimal point has
 * become the magnitudes [D, D + 1) * 10^(e - fraction). In an integer part, a further digit does
 * what e + 1 does; so there e has no upper bound, and that is the only difference between the
 * parts. Everything below asks for which e something holds.
 */
#include "lex/number_private.h"

static int64_t greatest_exponent(const gm_number_set *set, const gm_number_key *key)
{
    return gm_number_in_integer(key) ? INT64_MAX : set->reach;
}

/* The e for which the first digits of D and of a decimal stand at one place. */
static int64_t aligned(const gm_decimal *decimal, const gm_number_key *key) { return decimal->point - key->point; }

/* ---- entries ---- */

static uint32_t first_entry(const gm_number_set *set, const gm_number_key *key, unsigned digit)
{
    uint32_t low = key->first, high = key->last;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (gm_decimal_digit(&set->entries[middle], key->depth) < digit)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Whether further digits and an exponent can lead to an entry of the range. */
static bool is_in_reach(const gm_number_set *set, const gm_number_key *key, const gm_decimal *entry)
{
    const int64_t e = aligned(entry, key);
    return (e >= -set->reach || !key->flag) && e <= greatest_exponent(set, key); /* 0 may be followed by more zeros */
}

/* Drops the range when nothing of it can be reached; returns how many digits still matter for it. */
static uint32_t settle_entries(const gm_number_set *set, gm_number_key *key)
{
    bool reachable = false;
    size_t longest = 0;
    for (uint32_t i = key->first; i < key->last && !(reachable && longest >= key->depth); i++) {
        reachable = reachable || is_in_reach(set, key, &set->entries[i]);
        if (set->entries[i].count > longest)
            longest = set->entries[i].count;
    }
    if (!reachable)
        key->first = key->last = 0;
    return !reachable ? 0 : longest < key->depth ? (uint32_t)longest : key->depth;
}

/* Entries of the range that stand where D stands with this exponent. */
static uint32_t entries_at(const gm_number_set *set, const gm_number_key *key, int64_t e)
{
    uint32_t count = 0;
    for (uint32_t i = key->first; i < key->last; i++)
        count += aligned(&set->entries[i], key) == e;
    return count;
}

/* D, whose digits the entry begins with, is all of the entry. */
static bool is_whole(const gm_number_key *key, const gm_decimal *entry) { return entry->count <= key->depth; }

/* ---- normal form ---- */

static gm_number_relation relation_after(gm_number_relation before, const gm_decimal *bound, uint32_t depth,
                                         unsigned digit)
{
    if (before != GM_NUMBER_SAME)
        return before;
    const unsigned other = gm_decimal_digit(bound, depth);
    return digit < other ? GM_NUMBER_BELOW : digit > other ? GM_NUMBER_ABOVE : GM_NUMBER_SAME;
}

static void settle_bounds(const gm_number_set *set, gm_number_key *key)
{
    if (!key->flag && key->low == GM_NUMBER_SAME && aligned(&set->low, key) > set->reach)
        key->point = set->low.point - set->reach - 1; /* only 0 is left, however many zeros follow */
    /* All of [D, D + 1) is on one side of a bound whose digits are used up. */
    if (key->low == GM_NUMBER_SAME && key->depth >= set->low.count && set->low_closed)
        key->low = GM_NUMBER_ABOVE;
    if (key->high == GM_NUMBER_SAME && key->depth >= set->high.count && !set->high_closed)
        key->high = GM_NUMBER_ABOVE;
    if (key->low != GM_NUMBER_SETTLED && key->flag &&
        aligned(&set->low, key) + (key->low != GM_NUMBER_ABOVE) <= -set->reach)
        key->low = GM_NUMBER_SETTLED;
    if (key->high != GM_NUMBER_SETTLED && !gm_number_in_integer(key) &&
        aligned(&set->high, key) - (key->high != GM_NUMBER_BELOW) >= set->reach)
        key->high = GM_NUMBER_SETTLED;
}

static uint32_t digits_that_matter(const gm_decimal *bound, uint8_t relation, uint32_t depth)
{
    return relation != GM_NUMBER_SAME ? 0 : bound->count < depth ? (uint32_t)bound->count : depth;
}

static void settle(const gm_number_set *set, gm_number_key *key)
{
    settle_bounds(set, key);
    uint32_t depth = settle_entries(set, key);
    const uint32_t low = digits_that_matter(&set->low, key->low, key->depth);
    const uint32_t high = digits_that_matter(&set->high, key->high, key->depth);
    depth = low > depth ? low : depth;
    key->depth = high > depth ? high : depth;
    const bool free_of_place =
        key->low == GM_NUMBER_SETTLED && key->high == GM_NUMBER_SETTLED && key->first == key->last;
    if (free_of_place)
        key->point = 0;
    if (set->common.modulus != 0)
        gm_number_settle_residue(set, key);
    else
        key->fraction = 0;
    if (free_of_place && !set->is_list && set->common.modulus == 0 && set->has_zero)
        key->flag = true; /* 0 is a member like the others */
}

/* ---- what can be reached ---- */

static bool zero_can_go_on(const gm_number_set *set, const gm_number_key *key)
{
    if (set->has_zero)
        return true;
    if (!set->is_list)
        return set->low.count == 0 || aligned(&set->low, key) <= set->reach;
    return key->first < key->last; /* settle keeps the entries only if one is in reach */
}

/* The e for which the first digit and the relation put all of [D, D + 1) strictly between the bounds. */
static gm_number_span between_bounds(const gm_number_set *set, const gm_number_key *key)
{
    gm_number_span e = {-set->reach, greatest_exponent(set, key)};
    if (key->low != GM_NUMBER_SETTLED) {
        const int64_t least = aligned(&set->low, key) + (key->low != GM_NUMBER_ABOVE);
        e.low = least > e.low ? least : e.low;
    }
    if (key->high != GM_NUMBER_SETTLED) {
        const int64_t most = aligned(&set->high, key) - (key->high != GM_NUMBER_BELOW);
        e.high = most < e.high ? most : e.high;
    }
    return e;
}

static bool is_exponent(const gm_number_set *set, const gm_number_key *key, int64_t e)
{
    return e >= -set->reach && e <= greatest_exponent(set, key);
}

/* With the e for which D begins like a bound, [D, D + 1) holds the bound, which is a member or has
 * members next to it on the inner side; settle_bounds saw to it that this side is in [D, D + 1). */
static bool bound_can_be_reached(const gm_number_set *set, const gm_number_key *key)
{
    return (key->low == GM_NUMBER_SAME && is_exponent(set, key, aligned(&set->low, key))) ||
           (key->high == GM_NUMBER_SAME && is_exponent(set, key, aligned(&set->high, key)));
}

static bool interval_can_be_reached(const gm_number_set *set, const gm_number_key *key)
{
    if (bound_can_be_reached(set, key))
        return true;
    const gm_number_span between = between_bounds(set, key);
    if (between.low > between.high)
        return false;
    if (set->in.modulus == 0 || between.high == INT64_MAX)
        return true;
    const int64_t units = key->fraction - set->scale; /* e at which D is as many units of the scale */
    for (int64_t e = between.high; e >= between.low && e > units; e--) {
        const uint32_t holes = entries_at(set, key, e);
        if (gm_number_has_members(set, key, e - units, holes))
            return true;
        if (holes == 0 && set->out_count == 0)
            return false; /* ten times a multiple is one, so smaller e have no more */
    }
    /* What is left of D's future are its products with powers of ten; each e that fails is a hole. */
    const gm_number_span own = gm_number_lattice_span(set, key);
    int64_t e = between.high < units ? between.high : units;
    e = own.high < e ? own.high : e;
    while (e >= between.low && e >= own.low && entries_at(set, key, e) != 0)
        e--;
    return e >= between.low && e >= own.low;
}

static bool can_go_on(const gm_number_set *set, const gm_number_key *key)
{
    if (!key->flag)
        return zero_can_go_on(set, key);
    return set->is_list ? key->first < key->last : interval_can_be_reached(set, key);
}

/* ---- mantissa ---- */

/* Appends a significant digit, or a zero before the first one. */
static void append_digit(const gm_number_set *set, gm_number_key *key, unsigned digit)
{
    if (set->common.modulus != 0)
        gm_number_append_residue(set, key, digit);
    if (!key->flag && digit == 0)
        return;
    key->low = (uint8_t)relation_after((gm_number_relation)key->low, &set->low, key->depth, digit);
    key->high = (uint8_t)relation_after((gm_number_relation)key->high, &set->high, key->depth, digit);
    if (key->first < key->last) {
        const uint32_t first = first_entry(set, key, digit);
        key->last = first_entry(set, key, digit + 1);
        key->first = first;
    }
    key->depth++;
    key->flag = true;
}

bool gm_number_first_digit(const gm_number_set *set, uint32_t id, unsigned digit, gm_number_key *to)
{
    *to = (gm_number_key){
        .set = id,
        .phase = digit == 0 ? GM_NUMBER_AT_ZERO : GM_NUMBER_IN_INTEGER,
        .low = set->is_list || set->low.count == 0 ? GM_NUMBER_SETTLED : GM_NUMBER_SAME,
        .high = set->is_list || !set->has_high ? GM_NUMBER_SETTLED : GM_NUMBER_SAME,
        .point = digit != 0,
        .last = set->entry_count,
    };
    append_digit(set, to, digit);
    settle(set, to);
    return can_go_on(set, to);
}

static bool next_is_point(const gm_number_set *set, gm_number_key *to)
{
    if (set->spelling == GM_NUMBER_AS_INTEGER || (to->phase != GM_NUMBER_AT_ZERO && to->phase != GM_NUMBER_IN_INTEGER))
        return false;
    to->phase = GM_NUMBER_AT_POINT;
    settle(set, to);
    return can_go_on(set, to);
}

bool gm_number_next(const gm_number_set *set, const gm_number_key *from, int class, gm_number_key *to)
{
    *to = *from;
    if (class == GM_NUMBER_POINT)
        return next_is_point(set, to);
    if (class > 9 || from->phase == GM_NUMBER_AT_ZERO)
        return false;
    const bool placed = !(to->low == GM_NUMBER_SETTLED && to->high == GM_NUMBER_SETTLED && to->first == to->last);
    if (gm_number_in_integer(from)) {
        to->point += placed;
    } else {
        to->phase = GM_NUMBER_IN_FRACTION;
        to->fraction++;
        to->point -= placed && !to->flag && class == 0;
    }
    append_digit(set, to, (unsigned)class);
    settle(set, to);
    return can_go_on(set, to);
}

/* The e for which D as it stands is between the bounds and fits the lattices. Holes are not looked at. */
static gm_number_span fitting(const gm_number_set *set, const gm_number_key *key)
{
    gm_number_span e = {-set->reach, set->reach};
    if (key->low != GM_NUMBER_SETTLED) {
        const int64_t least = aligned(&set->low, key) + (key->low != GM_NUMBER_ABOVE);
        e.low = least > e.low ? least : e.low;
    }
    if (key->high != GM_NUMBER_SETTLED) {
        const int64_t most = aligned(&set->high, key) - (key->high == GM_NUMBER_ABOVE);
        e.high = most < e.high ? most : e.high;
    }
    const gm_number_span own = gm_number_lattice_span(set, key);
    e.low = own.low > e.low ? own.low : e.low;
    e.high = own.high < e.high ? own.high : e.high;
    return e;
}

bool gm_number_may_end(const gm_number_set *set, const gm_number_key *key)
{
    const bool has_no_mark = key->phase == GM_NUMBER_AT_ZERO || key->phase == GM_NUMBER_IN_INTEGER;
    if (key->phase == GM_NUMBER_AT_POINT || (set->is_marked && has_no_mark))
        return false;
    if (!key->flag)
        return set->has_zero;
    bool listed = false;
    for (uint32_t i = key->first; i < key->last && !listed; i++)
        listed = is_whole(key, &set->entries[i]) && aligned(&set->entries[i], key) == 0;
    if (set->is_list || listed)
        return set->is_list && listed;
    const gm_number_span e = fitting(set, key);
    return e.low <= 0 && e.high >= 0;
}

size_t gm_number_span_bound(const gm_number_key *key) { return (size_t)(key->last - key->first) + 1; }

/* Adds e to a list that ascends. */
static size_t add_exponent(gm_number_span *spans, size_t count, int64_t e)
{
    if (count > 0 && spans[count - 1].high == e - 1) {
        spans[count - 1].high = e;
        return count;
    }
    spans[count] = (gm_number_span){e, e};
    return count + 1;
}

/* Takes e out of the last span, of which only what is above the holes so far is left. */
static size_t remove_exponent(gm_number_span *spans, size_t count, int64_t e)
{
    const gm_number_span last = spans[count - 1];
    if (e < last.low || e > last.high)
        return count;
    if (e > last.low) {
        spans[count - 1].high = e - 1;
        count++;
    }
    spans[count - 1] = (gm_number_span){e + 1, last.high};
    return count;
}

size_t gm_number_spans_of(const gm_number_set *set, const gm_number_key *key, gm_number_span *spans)
{
    const gm_number_span whole = {-set->reach, set->reach};
    spans[0] = whole;
    if (!key->flag)
        return set->has_zero;
    size_t count = 0;
    if (!set->is_list) {
        spans[0] = fitting(set, key);
        if (spans[0].low > spans[0].high)
            return 0;
        count = 1;
    }
    /* Whole entries of one range have the same digits: they ascend by point, so by exponent. */
    for (uint32_t i = key->first; i < key->last; i++) {
        const int64_t e = aligned(&set->entries[i], key);
        if (!is_whole(key, &set->entries[i]))
            continue;
        if (!set->is_list)
            count = remove_exponent(spans, count, e);
        else if (e >= whole.low && e <= whole.high)
            count = add_exponent(spans, count, e);
    }
    return count > 0 && spans[count - 1].low > spans[count - 1].high ? count - 1 : count;
}

/* ---- exponent ---- */

/* The span that holds the least allowed exponent >= e, or NULL. */
static const gm_number_span *span_from(const gm_number_exponents *exponents, int64_t e)
{
    size_t low = 0, high = exponents->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (exponents->spans[middle].high < e)
            low = middle + 1;
        else
            high = middle;
    }
    return low < exponents->count ? &exponents->spans[low] : NULL;
}

/* What the digits so far can become: some and all of it are told to be allowed. */
static void judge_exponent(const gm_number_exponents *exponents, const gm_number_key *key, bool *some, bool *all)
{
    *some = false;
    *all = true;
    int64_t low = (int64_t)key->residue, size = 1;
    for (int64_t more = 0; more <= key->fraction; more++, low *= 10, size *= 10) {
        if (more == 0 && key->phase != GM_NUMBER_IN_EXPONENT)
            continue;
        const gm_number_span want =
            key->flag ? (gm_number_span){-(low + size - 1), -low} : (gm_number_span){low, low + size - 1};
        const gm_number_span *span = span_from(exponents, want.low);
        *some = *some || (span != NULL && span->low <= want.high);
        *all = *all && span != NULL && span->low <= want.low && span->high >= want.high;
    }
}

bool gm_number_next_exponent(const gm_number_exponents *exponents, const gm_number_key *from, int class,
                             gm_number_key *to)
{
    *to = *from;
    if (class == GM_NUMBER_PLUS || class == GM_NUMBER_MINUS) {
        if (from->phase != GM_NUMBER_AT_EXPONENT)
            return false;
        to->phase = GM_NUMBER_AT_SIGN;
        to->flag = class == GM_NUMBER_MINUS;
    } else if (class <= 9) {
        if (from->fraction == 0)
            return false;
        to->phase = GM_NUMBER_IN_EXPONENT;
        to->fraction -= from->fraction != GM_NUMBER_UNLIMITED;
        to->residue = from->residue * 10 + (uint64_t) class;
    } else {
        return false;
    }
    bool some = true, all = true;
    if (from->set != 0)
        judge_exponent(exponents, to, &some, &all);
    if (all) {
        to->set = 0;
        to->flag = false;
        to->residue = 0;
    }
    return some;
}

bool gm_number_exponent_may_end(const gm_number_exponents *exponents, const gm_number_key *key)
{
    if (key->phase != GM_NUMBER_IN_EXPONENT)
        return false;
    if (key->set == 0)
        return true;
    const int64_t e = key->flag ? -(int64_t)key->residue : (int64_t)key->residue;
    const gm_number_span *span = span_from(exponents, e);
    return span != NULL && span->low <= e;
}
