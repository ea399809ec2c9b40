/*
 * lex/number_another.c - is there a number that begins so and has a value other than these?
 *
 * Excluding values from a language gives a language (number_set.c), whose states are alive only if
 * some number is left. Nothing is interned: the text so far is run through the arithmetic of states
 * (number_step.c), then any way that stays alive leads to a number.
 */
#include "lex/number_private.h"

/* ---- endless or not ---- */

static bool set_is_endless(const gm_number_set *set)
{
    return !set->is_list && (set->in.modulus == 0 || !set->has_high);
}

/* The exponents that put all of [D, D + 1) between the bounds. */
static gm_number_span between_bounds(const gm_number_set *set, const gm_number_key *key)
{
    const int64_t to_low = set->low.point - key->point, to_high = set->high.point - key->point;
    gm_number_span e = {-set->reach, key->phase == GM_NUMBER_IN_INTEGER ? INT64_MAX : set->reach};
    if (key->low != GM_NUMBER_SETTLED && to_low + (key->low != GM_NUMBER_ABOVE) > e.low)
        e.low = to_low + (key->low != GM_NUMBER_ABOVE);
    if (key->high != GM_NUMBER_SETTLED && to_high - (key->high != GM_NUMBER_BELOW) < e.high)
        e.high = to_high - (key->high != GM_NUMBER_BELOW);
    return e;
}

/* Between bounds without a modulus there are infinitely many values wherever there are two. */
static bool dense_is_endless(const gm_number_set *set, const gm_number_key *key)
{
    const int64_t to_low = set->low.point - key->point, to_high = set->high.point - key->point;
    const bool in_integer = key->phase == GM_NUMBER_IN_INTEGER;
    if (!key->flag)
        return set->low.count == 0 || key->low == GM_NUMBER_SETTLED || to_low <= set->reach;
    if (key->low == GM_NUMBER_SAME && to_low >= -set->reach && (in_integer || to_low <= set->reach))
        return true;
    if (key->high == GM_NUMBER_SAME && key->depth < set->high.count && to_high >= -set->reach &&
        (in_integer || to_high <= set->reach))
        return true;
    const gm_number_span inside = between_bounds(set, key);
    return inside.low <= inside.high;
}

bool gm_number_is_endless(gm_number *number, gm_number_state state)
{
    const gm_number_key key = gm_number_key_of(number, state);
    gm_number_set set;
    switch ((gm_number_phase)key.phase) {
    case GM_NUMBER_AT_START:
        set = gm_number_set_of(number, key.set);
        if (key.set != 0 && set_is_endless(&set))
            return true;
        set = gm_number_set_of(number, key.first);
        return key.first != 0 && set_is_endless(&set);
    case GM_NUMBER_AT_MINUS:
        set = gm_number_set_of(number, key.set);
        return set_is_endless(&set);
    case GM_NUMBER_AT_ZERO:
    case GM_NUMBER_IN_INTEGER:
    case GM_NUMBER_AT_POINT:
    case GM_NUMBER_IN_FRACTION:
        set = gm_number_set_of(number, key.set);
        if (set.is_list)
            return false;
        if (set.in.modulus == 0)
            return dense_is_endless(&set, &key);
        return key.phase == GM_NUMBER_IN_INTEGER && !set.has_high;
    default:
        return false; /* an exponent of bounded length */
    }
}

enum { FEW_ENTRIES = 32 };

/* With the greatest exponent [D, D + 1) is so wide that multiples are sure to lie in it; of as many in a row as
 * lattices can rule out one is left. */
static uint64_t least_multiples(const gm_number_set *set, const gm_number_key *key)
{
    const gm_number_span inside = between_bounds(set, key);
    uint64_t width = 1;
    if (set->is_list || set->in.modulus == 0 || inside.low > inside.high)
        return 0;
    const int64_t power = inside.high - key->fraction + set->scale;
    for (int64_t i = 0; i < power && i < 19; i++)
        width *= 10;
    width = power > 0 ? (width / set->in.modulus) >> set->out_count : 0;
    return width > set->entry_count ? width - set->entry_count - 1 : 0;
}

uint64_t gm_number_least_values(gm_number *number, gm_number_state state)
{
    const gm_number_key key = gm_number_key_of(number, state);
    gm_number_span spans[FEW_ENTRIES + 1];
    if (gm_number_is_endless(number, state))
        return UINT64_MAX;
    if (key.phase != GM_NUMBER_IN_INTEGER && key.phase != GM_NUMBER_IN_FRACTION)
        return 0;
    const gm_number_set set = gm_number_set_of(number, key.set);
    if (!key.flag)
        return 0;
    uint64_t values = least_multiples(&set, &key);
    if (set.spelling != GM_NUMBER_AS_EXPONENT || gm_number_span_bound(&key) > FEW_ENTRIES)
        return values;
    uint64_t powers = 0; /* D itself with different exponents */
    for (size_t count = gm_number_spans_of(&set, &key, spans); count > 0; count--)
        powers += (uint64_t)(spans[count - 1].high - spans[count - 1].low) + 1;
    return powers > values ? powers : values;
}

uint64_t gm_number_least_exponents(const gm_number *number, gm_number_state state)
{
    const gm_number_key key = gm_number_key_of(number, state);
    const bool in_exponent =
        key.phase == GM_NUMBER_AT_EXPONENT || key.phase == GM_NUMBER_AT_SIGN || key.phase == GM_NUMBER_IN_EXPONENT;
    uint64_t exponents = 1;
    if (!in_exponent || key.set != 0)
        return 0;
    for (int64_t i = 0; i < key.fraction && i < 19; i++)
        exponents *= 10;
    return key.fraction == GM_NUMBER_UNLIMITED ? UINT64_MAX : exponents;
}

/* ---- unconstrained numbers ---- */

/* By value; a number whose exponent is beyond all decimals is known by its text alone. */
static bool is_listed(gm_bytes text, const gm_bytes *values, size_t count)
{
    gm_decimal number, other;
    const bool is_decimal = gm_decimal_parse(text, &number) == GM_OK;
    for (size_t i = 0; i < count; i++) {
        const bool both = gm_decimal_parse(values[i], &other) == GM_OK && is_decimal;
        if (both ? gm_decimal_compare(&number, &other) == 0 : gm_bytes_equal(text, values[i]))
            return true;
    }
    return false;
}

/* More and more ones behind the text: each has a value of its own, unless all digits so far are zeros
 * in front of an exponent. So one more try than there are values is enough. */
static gm_status another_of_all(gm_arena *arena, gm_bytes begun, const gm_bytes *values, size_t count, uint32_t classes,
                                gm_bytes *rest)
{
    char digit = '1';
    while (digit < '9' && !(classes >> (digit - '0') & 1))
        digit++;
    const char last = begun.length != 0 ? begun.data[begun.length - 1] : '-';
    const bool ends = last >= '0' && last <= '9';
    const bool is_zero = ends && last == '0' && (begun.length == 1 || (begun.length == 2 && *begun.data == '-'));
    char *text = gm_arena_take(arena, begun.length + count + 3);
    if (text == NULL)
        return GM_OUT_OF_MEMORY;
    if (begun.length != 0)
        memcpy(text, begun.data, begun.length);
    size_t length = begun.length;
    for (size_t i = 0; i <= count; i++) {
        if (i == 1 && is_zero)
            text[length++] = '.';
        if (i > 0 || !ends)
            text[length++] = digit;
        if (!is_listed((gm_bytes){text, length}, values, count)) {
            *rest = (gm_bytes){text + begun.length, length - begun.length};
            return GM_OK;
        }
    }
    return GM_OK;
}

/* ---- running ---- */

typedef struct runner {
    gm_arena *arena;
    const gm_number_set *sets; /* [0] without '-', [1] with it */
    uint64_t exponent_digits;
} runner;

typedef struct position {
    const gm_number_set *set; /* NULL before the first digit */
    gm_number_key key;
    gm_number_exponents exponents;
} position;

static bool enter_exponent(const runner *r, position *at, bool *failed)
{
    const gm_number_set *set = at->set;
    if (at->key.phase == GM_NUMBER_AT_POINT || set->spelling != GM_NUMBER_AS_EXPONENT)
        return false;
    gm_number_span *spans = GM_ARENA_NEW(r->arena, gm_number_span, gm_number_span_bound(&at->key));
    *failed = spans == NULL;
    if (spans == NULL)
        return false;
    const size_t count = gm_number_spans_of(set, &at->key, spans);
    const bool all = count == 1 && spans[0].low == -set->reach && spans[0].high == set->reach;
    at->key = (gm_number_key){.set = !all, .phase = GM_NUMBER_AT_EXPONENT, .fraction = (int64_t)r->exponent_digits};
    at->exponents = (gm_number_exponents){spans, count};
    return count != 0;
}

/* Moves by a byte of a class; false when that is dead. */
static bool move_by(const runner *r, position *at, int class, bool *failed)
{
    const gm_number_key from = at->key;
    *failed = false;
    switch ((gm_number_phase)from.phase) {
    case GM_NUMBER_AT_START:
        if (class == GM_NUMBER_MINUS) {
            at->key.phase = GM_NUMBER_AT_MINUS;
            at->set = &r->sets[1];
            return !gm_number_set_is_empty(at->set);
        }
        at->set = &r->sets[0];
        return class <= 9 && !gm_number_set_is_empty(at->set) &&
               gm_number_first_digit(at->set, 1, (unsigned)class, &at->key);
    case GM_NUMBER_AT_MINUS:
        return class <= 9 && gm_number_first_digit(at->set, 1, (unsigned)class, &at->key);
    case GM_NUMBER_AT_ZERO:
    case GM_NUMBER_IN_INTEGER:
    case GM_NUMBER_AT_POINT:
    case GM_NUMBER_IN_FRACTION:
        return class == GM_NUMBER_EXPONENT ? enter_exponent(r, at, failed)
                                           : gm_number_next(at->set, &from, class, &at->key);
    default:
        return gm_number_next_exponent(&at->exponents, &from, class, &at->key);
    }
}

static bool may_end(const position *at)
{
    switch ((gm_number_phase)at->key.phase) {
    case GM_NUMBER_AT_START:
    case GM_NUMBER_AT_MINUS:
        return false;
    case GM_NUMBER_AT_ZERO:
    case GM_NUMBER_IN_INTEGER:
    case GM_NUMBER_AT_POINT:
    case GM_NUMBER_IN_FRACTION:
        return gm_number_may_end(at->set, &at->key);
    default:
        return gm_number_exponent_may_end(&at->exponents, &at->key);
    }
}

/* Exponents first, then the point: what lives behind them is near. Zeros after other digits: behind a point they could
 * go on for ever. */
static const char way_classes[] = {GM_NUMBER_EXPONENT, GM_NUMBER_POINT, GM_NUMBER_MINUS, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0,
                                   GM_NUMBER_PLUS};

typedef struct way { /* a digit of the rest, and what was tried behind it */
    struct way *before;
    position at;
    size_t length;
    uint32_t tried;
    char byte;
} way;

enum { MOST_WAYS = 1 << 16 }; /* with all bytes there none leads nowhere; without some this bounds the search */

static gm_status write_rest(gm_arena *arena, const way *last, gm_bytes *rest)
{
    const size_t length = last->length;
    char *text = gm_arena_take(arena, length + 1);
    if (text == NULL)
        return GM_OUT_OF_MEMORY;
    for (; last->length != 0; last = last->before)
        text[last->length - 1] = last->byte;
    *rest = (gm_bytes){text, length};
    return GM_OK;
}

static gm_status complete(const runner *r, const position *start, uint32_t classes, gm_bytes *rest)
{
    static const char bytes[] = "0123456789-+.e";
    way *last = gm_arena_take_zeroed(r->arena, sizeof *last);
    if (last == NULL)
        return GM_OUT_OF_MEMORY;
    last->at = *start;
    for (uint32_t ways = 0; last != NULL && ways < MOST_WAYS; ways++) {
        if (last->tried == 0 && may_end(&last->at))
            return write_rest(r->arena, last, rest);
        if (last->tried == sizeof way_classes) {
            last = last->before;
            continue;
        }
        const int class = way_classes[last->tried++];
        position at = last->at;
        bool failed;
        if (!(classes >> class & 1) || !move_by(r, &at, class, &failed)) {
            if ((classes >> class & 1) && failed)
                return GM_OUT_OF_MEMORY;
            continue;
        }
        way *next = gm_arena_take_zeroed(r->arena, sizeof *next);
        if (next == NULL)
            return GM_OUT_OF_MEMORY;
        *next = (way){.before = last, .at = at, .length = last->length + 1, .byte = bytes[class]};
        last = next;
    }
    return GM_OK;
}

static gm_status parse_values(gm_arena *arena, const gm_bytes *values, size_t count, const gm_decimal **out,
                              size_t *found_count)
{
    gm_decimal *list = GM_ARENA_NEW(arena, gm_decimal, count);
    size_t found = 0;
    if (list == NULL)
        return GM_OUT_OF_MEMORY;
    for (size_t i = 0; i < count; i++)
        found += gm_decimal_parse(values[i], &list[found]) == GM_OK; /* one beyond all exponents is in no set */
    *out = list;
    *found_count = found;
    return GM_OK;
}

gm_status gm_number_another(gm_number *number, gm_arena *arena, gm_number_language language, gm_bytes begun,
                            const gm_bytes *values, size_t count, uint32_t classes, gm_bytes *rest)
{
    *rest = (gm_bytes){NULL, 0};
    const gm_number_key start = gm_number_key_of(number, gm_number_start(number, language));
    const gm_number_set sets[2] = {gm_number_set_of(number, start.set), gm_number_set_of(number, start.first)};
    if (sets[start.set == 0].spelling == GM_NUMBER_AS_JSON)
        return another_of_all(arena, begun, values, count, classes, rest);
    const gm_decimal *decimals;
    gm_number_set less[2];
    size_t found;
    GM_TRY(parse_values(arena, values, count, &decimals, &found));
    GM_TRY(gm_number_set_without(arena, &sets[0], false, decimals, found, &less[0]));
    GM_TRY(gm_number_set_without(arena, &sets[1], true, decimals, found, &less[1]));
    const runner r = {arena, less, gm_number_exponent_digits(number)};
    position at = {.key = {.phase = GM_NUMBER_AT_START}};
    for (size_t i = 0; i < begun.length; i++) {
        bool failed;
        if (!move_by(&r, &at, gm_number_class((uint8_t)begun.data[i]), &failed))
            return failed ? GM_OUT_OF_MEMORY : GM_OK;
    }
    return complete(&r, &at, classes, rest);
}
