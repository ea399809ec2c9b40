/*
 * lex/lengths.c - sets of lengths: unions, sums and multiples of ultimately periodic sets.
 *
 * Almost every language that a schema uses has an interval of lengths, and intervals are handled by
 * formulas. The rest are bits: some explicit ones, of which the last `period` repeat for ever.
 */
#include "lex/lengths.h"

/* ---- reading ---- */

gm_lengths gm_lengths_interval(uint64_t least, uint64_t greatest)
{
    return (gm_lengths){.least = least, .greatest = greatest, .interval = true};
}

static const gm_lengths no_lengths = {.least = UINT64_MAX, .greatest = 0, .interval = true};

static bool is_empty(const gm_lengths *set) { return set->least == UINT64_MAX; }

bool gm_lengths_has(const gm_lengths *set, uint64_t length)
{
    if (set->interval)
        return set->least <= length && length <= set->greatest;
    if (length < set->explicit_count)
        return gm_lengths_bit(set->bits, length);
    if (set->period == 0)
        return false;
    return gm_lengths_bit(set->bits, set->explicit_count - set->period + (length - set->explicit_count) % set->period);
}

/* The first set bit in low..high - 1, or high. */
static uint64_t first_bit(const uint64_t *bits, uint64_t low, uint64_t high)
{
    while (low < high) {
        const uint64_t word = bits[low / 64] >> low % 64;
        if (word != 0) {
            while (!gm_lengths_bit(bits, low))
                low++;
            return low < high ? low : high;
        }
        low = (low / 64 + 1) * 64;
    }
    return high;
}

bool gm_lengths_meet(const gm_lengths *lengths, uint64_t low, uint64_t high)
{
    if (low < lengths->least)
        low = lengths->least;
    if (high > lengths->greatest)
        high = lengths->greatest;
    if (low > high || lengths->interval)
        return low <= high;
    const uint64_t count = lengths->explicit_count, period = lengths->period;
    if (low < count) {
        const uint64_t end = high < count ? high + 1 : count;
        if (first_bit(lengths->bits, low, end) < end)
            return true;
        low = count;
    }
    if (low > high || period == 0)
        return false;
    if (high - low >= period)
        return true; /* a period that repeats has some member: see gm_lengths_of_bits */
    for (uint64_t length = low; length <= high; length++)
        if (gm_lengths_has(lengths, length))
            return true;
    return false;
}

/* ---- making ---- */

bool gm_lengths_spend(gm_lengths_calculator *calculator, uint64_t words)
{
    calculator->work += words + 1;
    if (calculator->work > calculator->most_work && calculator->status == GM_OK)
        calculator->status = GM_LIMIT;
    return calculator->status == GM_OK;
}

uint64_t *gm_lengths_bits(gm_lengths_calculator *calculator, uint64_t count)
{
    if (count > calculator->most_bits && calculator->status == GM_OK)
        calculator->status = GM_LIMIT;
    if (!gm_lengths_spend(calculator, count / 64))
        return NULL;
    uint64_t *bits = GM_ARENA_NEW(&calculator->arena, uint64_t, (size_t)(count / 64 + 1));
    if (bits == NULL)
        calculator->status = GM_OUT_OF_MEMORY;
    return bits;
}

static bool repeats_by(const uint64_t *bits, uint64_t count, uint64_t period, uint64_t step)
{
    for (uint64_t i = count - period; i + step < count; i++)
        if (gm_lengths_bit(bits, i) != gm_lengths_bit(bits, i + step))
            return false;
    return true;
}

/* The shortest period that divides `period`. */
static uint64_t shortest_period(const uint64_t *bits, uint64_t count, uint64_t period)
{
    for (uint64_t step = 1; step <= period / 2; step++)
        if (period % step == 0 && repeats_by(bits, count, period, step))
            return step;
    return period;
}

static bool all_set(const uint64_t *bits, uint64_t low, uint64_t high)
{
    while (low < high && gm_lengths_bit(bits, low))
        low++;
    return low >= high;
}

gm_lengths gm_lengths_of_bits(uint64_t *bits, uint64_t count, uint64_t period)
{
    GM_ASSERT(period <= count);
    if (period > 0 && first_bit(bits, count - period, count) == count) {
        count -= period; /* an empty period is none */
        period = 0;
    }
    if (period > 0)
        period = shortest_period(bits, count, period);
    if (period == 0)
        while (count > 0 && !gm_lengths_bit(bits, count - 1))
            count--;
    else
        while (count > period && gm_lengths_bit(bits, count - 1) == gm_lengths_bit(bits, count - 1 - period))
            count--;
    if (count == 0)
        return no_lengths;
    const uint64_t least = first_bit(bits, 0, count);
    const uint64_t greatest = period > 0 ? UINT64_MAX : count - 1;
    if (period <= 1 && all_set(bits, least, count))
        return gm_lengths_interval(least, greatest);
    return (gm_lengths){.explicit_count = count, .period = period, .bits = bits, .least = least, .greatest = greatest};
}

static uint64_t add(uint64_t a, uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }
static uint64_t multiply(uint64_t a, uint64_t b) { return b != 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b; }

/* A least length too long for any text, kept apart from the mark of an empty set. */
static gm_lengths interval_up_to(uint64_t least, uint64_t greatest)
{
    return gm_lengths_interval(least == UINT64_MAX ? UINT64_MAX - 1 : least, greatest);
}

/* Of a number that is not 0 and one that may be. */
static uint64_t greatest_common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a != 0 ? a : 1;
}

/* How many bits say all about a set, and how many of them repeat. */
static uint64_t count_of(const gm_lengths *set)
{
    if (!set->interval)
        return set->explicit_count;
    return set->greatest == UINT64_MAX ? add(set->least, 1) : set->greatest + 1;
}

static uint64_t period_of(const gm_lengths *set)
{
    return set->interval ? set->greatest == UINT64_MAX : set->period;
}

static uint64_t common_period(const gm_lengths *a, const gm_lengths *b)
{
    const uint64_t left = period_of(a), right = period_of(b);
    if (left == 0 || right == 0)
        return left + right;
    return multiply(left / greatest_common_divisor(left, right), right);
}

/* ---- union ---- */

static bool intervals_touch(const gm_lengths *a, const gm_lengths *b)
{
    return a->interval && b->interval && a->least <= add(b->greatest, 1) && b->least <= add(a->greatest, 1);
}

static bool contains_interval(const gm_lengths *a, const gm_lengths *b)
{
    return a->interval && a->least <= b->least && b->greatest <= a->greatest;
}

/* Sets bits low..high - 1. */
static void set_bits(uint64_t *bits, uint64_t low, uint64_t high)
{
    for (; low < high && low % 64 != 0; low++)
        gm_lengths_set_bit(bits, low);
    for (; high - low >= 64 && low < high; low += 64)
        bits[low / 64] = ~(uint64_t)0;
    for (; low < high; low++)
        gm_lengths_set_bit(bits, low);
}

/* Sets in `bits` the members of a set below `count`. */
static void copy_members(uint64_t *bits, const gm_lengths *set, uint64_t count)
{
    if (set->interval) {
        set_bits(bits, set->least, set->greatest < count ? set->greatest + 1 : count);
        return;
    }
    const uint64_t whole = (set->explicit_count < count ? set->explicit_count : count) / 64;
    for (uint64_t i = 0; i < whole; i++)
        bits[i] |= set->bits[i];
    for (uint64_t length = whole * 64; length < count && length <= set->greatest; length++)
        if (gm_lengths_has(set, length))
            gm_lengths_set_bit(bits, length);
}

gm_lengths gm_lengths_union(gm_lengths_calculator *calculator, gm_lengths a, gm_lengths b)
{
    if (is_empty(&a) || contains_interval(&b, &a))
        return b;
    if (is_empty(&b) || contains_interval(&a, &b))
        return a;
    if (intervals_touch(&a, &b))
        return gm_lengths_interval(a.least < b.least ? a.least : b.least,
                                   a.greatest > b.greatest ? a.greatest : b.greatest);
    const uint64_t period = common_period(&a, &b);
    const uint64_t longer = count_of(&a) > count_of(&b) ? count_of(&a) : count_of(&b);
    const uint64_t count = add(longer, period);
    uint64_t *bits = gm_lengths_bits(calculator, count);
    if (bits == NULL || !gm_lengths_spend(calculator, count / 64))
        return no_lengths;
    copy_members(bits, &a, count);
    copy_members(bits, &b, count);
    return gm_lengths_of_bits(bits, count, period);
}

/* ---- sum ---- */

/* to |= from << by, in words of `count` bits. */
static void or_shifted(uint64_t *to, const uint64_t *from, uint64_t by, uint64_t count)
{
    const uint64_t words = count / 64 + 1, skip = by / 64, shift = by % 64;
    for (uint64_t i = skip; i < words; i++) {
        to[i] |= from[i - skip] << shift;
        if (shift != 0 && i > skip)
            to[i] |= from[i - skip - 1] >> (64 - shift);
    }
}

/* From where on, and with which period, the sum of two sets surely repeats. Multiples of p plus
 * multiples of q are all multiples of their divisor g from (p/g - 1)(q/g - 1)g on. */
static uint64_t start_of_period(const gm_lengths *a, const gm_lengths *b)
{
    const uint64_t left = period_of(a), right = period_of(b);
    uint64_t start = add(count_of(a), count_of(b));
    if (left != 0 && right != 0)
        start = add(start, multiply(left, right / greatest_common_divisor(left, right)));
    return start;
}

/* The first clear bit in low..high - 1, or high. */
static uint64_t first_gap(const uint64_t *bits, uint64_t low, uint64_t high)
{
    while (low < high) {
        if (low % 64 == 0 && bits[low / 64] == ~(uint64_t)0)
            low += 64;
        else if (gm_lengths_bit(bits, low))
            low++;
        else
            return low;
    }
    return high;
}

/* The next run of set bits from *low on: *low..*high - 1; false if there is none. */
static bool next_run(const uint64_t *bits, uint64_t count, uint64_t *low, uint64_t *high)
{
    *low = first_bit(bits, *low, count);
    *high = first_gap(bits, *low, count);
    return *low < count;
}

static uint64_t count_runs(const uint64_t *bits, uint64_t count)
{
    uint64_t runs = 0;
    for (uint64_t low = 0, high; next_run(bits, count, &low, &high); low = high)
        runs++;
    return runs;
}

static uint64_t count_members(const uint64_t *bits, uint64_t count)
{
    uint64_t members = 0;
    for (uint64_t i = 0; i < count / 64 + 1; i++)
        for (uint64_t word = bits[i]; word != 0; word &= word - 1)
            members++;
    return members;
}

/* Adds the sums of two sets, member by member of `a`; for sets of few members. */
static bool add_members(gm_lengths_calculator *calculator, const uint64_t *a, const uint64_t *b, uint64_t count, uint64_t *bits)
{
    for (uint64_t length = first_bit(a, 0, count); length < count; length = first_bit(a, length + 1, count)) {
        if (!gm_lengths_spend(calculator, (count - length) / 64))
            return false;
        or_shifted(bits, b, length, count - 1);
    }
    return true;
}

/* The same by runs; those of two runs make up one. */
static bool add_runs(gm_lengths_calculator *calculator, const uint64_t *a, const uint64_t *b, uint64_t count, uint64_t *bits)
{
    for (uint64_t low = 0, high; next_run(a, count, &low, &high); low = high)
        for (uint64_t from = 0, to; next_run(b, count, &from, &to) && low + from < count; from = to) {
            const uint64_t end = high + to - 1;
            if (!gm_lengths_spend(calculator, (high - low + to - from) / 64))
                return false;
            set_bits(bits, low + from, end < count ? end : count);
        }
    return true;
}

gm_lengths gm_lengths_sum(gm_lengths_calculator *calculator, gm_lengths a, gm_lengths b)
{
    if (is_empty(&a) || is_empty(&b))
        return no_lengths;
    if (a.interval && b.interval)
        return interval_up_to(add(a.least, b.least), add(a.greatest, b.greatest));
    const uint64_t period = common_period(&a, &b);
    const uint64_t count = add(start_of_period(&a, &b), period);
    uint64_t *bits = gm_lengths_bits(calculator, count);
    uint64_t *left = gm_lengths_bits(calculator, count);
    uint64_t *right = gm_lengths_bits(calculator, count);
    if (bits == NULL || left == NULL || right == NULL || !gm_lengths_spend(calculator, count / 64))
        return no_lengths;
    copy_members(left, &a, count);
    copy_members(right, &b, count);
    const uint64_t members = count_members(left, count), runs = count_runs(left, count), others = count_runs(right, count);
    if (runs < members / (others + 1) ? !add_runs(calculator, left, right, count, bits)
                                      : !add_members(calculator, left, right, count, bits))
        return no_lengths;
    for (uint64_t i = count; i < (count / 64 + 1) * 64; i++)
        bits[i / 64] &= ~((uint64_t)1 << i % 64);
    return gm_lengths_of_bits(bits, count, period);
}

/* ---- repetition ---- */

static uint64_t divisor_of_members(const gm_lengths *a)
{
    uint64_t divisor = greatest_common_divisor(a->least, period_of(a));
    for (uint64_t length = a->least; length < count_of(a) && divisor != 1; length++)
        if (gm_lengths_has(a, length))
            divisor = greatest_common_divisor(length, divisor);
    return divisor;
}

/* Sums of any number of members. With m the least member, a sum plus m is a sum: once a length of
 * each possible remainder by m has come up, only multiples of the common divisor follow, and all of them. */
static gm_lengths any_sum(gm_lengths_calculator *calculator, gm_lengths a)
{
    GM_ASSERT(a.least > 0);
    const uint64_t least = a.least, divisor = divisor_of_members(&a);
    uint64_t missing = least / divisor, count = add(multiply(count_of(&a), 2), multiply(least, 2));
    for (;; count = multiply(count, 2)) {
        uint64_t *bits = gm_lengths_bits(calculator, count);
        uint64_t *steps = gm_lengths_bits(calculator, count);
        uint64_t *seen = gm_lengths_bits(calculator, least);
        if (bits == NULL || steps == NULL || seen == NULL || !gm_lengths_spend(calculator, count))
            return no_lengths;
        copy_members(steps, &a, count);
        gm_lengths_set_bit(bits, 0);
        for (uint64_t length = 0; length + divisor < count; length++) {
            if (!gm_lengths_bit(bits, length))
                continue;
            if (!gm_lengths_bit(seen, length % least)) {
                gm_lengths_set_bit(seen, length % least);
                if (--missing == 0)
                    return gm_lengths_of_bits(bits, length + divisor, divisor);
            }
            if (!gm_lengths_spend(calculator, (count - length) / 64))
                return no_lengths;
            or_shifted(bits, steps, length, count - 1);
        }
        missing = least / divisor;
    }
}

/* Sums of exactly `times` members, by squaring. */
static gm_lengths power(gm_lengths_calculator *calculator, gm_lengths a, uint32_t times)
{
    gm_lengths result = gm_lengths_interval(0, 0);
    for (; times > 0 && calculator->status == GM_OK; times /= 2) {
        if (times % 2 == 1)
            result = gm_lengths_sum(calculator, result, a);
        if (times > 1)
            a = gm_lengths_sum(calculator, a, a);
    }
    return result;
}

/* Whether k members of an interval, for all k in low..high, make up one interval. */
static bool stays_interval(const gm_lengths *a, uint32_t low, uint32_t high)
{
    return a->interval && (low == high || add(multiply(low, a->greatest), 1) >= multiply((uint64_t)low + 1, a->least));
}

gm_lengths gm_lengths_repeat(gm_lengths_calculator *calculator, gm_lengths a, uint32_t low, uint32_t high)
{
    if (is_empty(&a))
        return low == 0 ? gm_lengths_interval(0, 0) : no_lengths;
    GM_ASSERT(a.least > 0);
    if (stays_interval(&a, low, high)) {
        const bool unbounded = high == GM_REPEAT_UNBOUNDED || a.greatest == UINT64_MAX;
        return interval_up_to(multiply(low, a.least), unbounded && high > 0 ? UINT64_MAX : multiply(high, a.greatest));
    }
    const gm_lengths fixed = power(calculator, a, low);
    if (calculator->status != GM_OK)
        return no_lengths;
    if (high == GM_REPEAT_UNBOUNDED)
        return gm_lengths_sum(calculator, fixed, any_sum(calculator, a));
    const gm_lengths optional = gm_lengths_union(calculator, gm_lengths_interval(0, 0), a);
    return gm_lengths_sum(calculator, fixed, power(calculator, optional, high - low));
}
