/*
 * lex/number_set.c - from constraints to two sets of magnitudes. See number_private.h.
 *
 * All numbers are read first. Then each sign gets its set: bounds are turned into bounds of
 * magnitudes and, with multiples, moved inward to the nearest member, so that a set is empty just
 * when its bounds have crossed. Holes that are no members anyway are dropped.
 *
 * Several multiples are one: factors 2 and 5 apart, the least common multiple of decimals is that
 * of the rest with the greater power of each.
 */
#include "lex/number_private.h"

#include <stdlib.h>

enum {
    MOST_ZEROS = 4096,   /* that one may have to write for want of an exponent */
    MOST_DIGITS = 20000, /* of a bound that is moved to a multiple */
    MOST_MULTIPLE_DIGITS = 19
};

typedef struct bound {
    bool is_given;
    bool is_closed;
    gm_decimal value;
    const char *keyword;
} bound;

typedef struct reading {
    gm_arena *arena;
    const gm_number_constraints *constraints;
    gm_error *error;
    uint64_t max_modulus;
    int64_t reach;
    gm_number_spelling_kind spelling;
    bound minimum, maximum;
    gm_number_set multiples; /* modulus, odd, twos, fives and scale alone */
    const gm_decimal *values, *excluded; /* ascending as entries are, both signs together */
    size_t value_count, excluded_count;
    const char *values_keyword;
} reading;

/* ---- reading ---- */

static gm_status read_number(reading *r, gm_bytes text, const char *keyword, gm_decimal *out)
{
    const gm_status status = gm_decimal_parse(text, out);
    if (status == GM_LIMIT)
        return gm_fail(r->error, status, "", keyword, "the exponent of %.*s is beyond %d",
                       text.length < 80 ? (int)text.length : 80, text.data, GM_DECIMAL_MAX_EXPONENT);
    if (status != GM_OK)
        return gm_fail(r->error, status, "", keyword, "not a number: %.*s", text.length < 80 ? (int)text.length : 80,
                       text.data);
    return GM_OK;
}

static gm_status read_bound(reading *r, gm_bytes text, bool exclusive, const char *keyword, bound *out)
{
    *out = (bound){.is_given = text.data != NULL, .is_closed = !exclusive, .keyword = keyword};
    return out->is_given ? read_number(r, text, keyword, &out->value) : GM_OK;
}

static int compare_entries(const void *a, const void *b)
{
    const gm_decimal *x = a, *y = b;
    const int order = gm_decimal_compare_digits(x, y);
    return order != 0 ? order : x->point < y->point ? -1 : x->point > y->point;
}

static gm_status read_list(reading *r, const gm_bytes *texts, size_t count, const char *keyword, const gm_decimal **out)
{
    gm_decimal *list = GM_ARENA_NEW(r->arena, gm_decimal, count);
    if (list == NULL || count > INT32_MAX)
        return gm_no_memory(r->error);
    for (size_t i = 0; i < count; i++)
        GM_TRY(read_number(r, texts[i], keyword, &list[i]));
    if (count > 1)
        qsort(list, count, sizeof *list, compare_entries);
    *out = list;
    return GM_OK;
}

/* ---- multiples ---- */

/* odd * 2^twos * 5^fives. */
typedef struct factored {
    uint64_t odd;
    int64_t twos, fives;
} factored;

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static gm_status modulus_limit(reading *r)
{
    return gm_fail(r->error, GM_LIMIT, "", "multipleOf",
                   "the common multiple, scaled to an integer, is greater than max_modulus (%llu)",
                   (unsigned long long)r->max_modulus);
}

static gm_status read_multiple(reading *r, gm_bytes text, factored *out)
{
    gm_decimal d;
    GM_TRY(read_number(r, text, "multipleOf", &d));
    if (d.count == 0 || d.negative)
        return gm_fail(r->error, GM_INVALID_ARGUMENT, "", "multipleOf", "not greater than 0: %.*s",
                       text.length < 80 ? (int)text.length : 80, text.data);
    if (d.count > MOST_MULTIPLE_DIGITS)
        return modulus_limit(r);
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

static gm_status combine(reading *r, factored *all, factored more)
{
    all->twos = more.twos > all->twos ? more.twos : all->twos;
    all->fives = more.fives > all->fives ? more.fives : all->fives;
    const uint64_t rest = more.odd / common_divisor(all->odd, more.odd);
    return scale_up(&all->odd, rest, 1, r->max_modulus) ? GM_OK : modulus_limit(r);
}

static gm_status read_multiples(reading *r)
{
    const gm_number_constraints *c = r->constraints;
    if (c->multiple_count == 0 && !c->integer)
        return GM_OK;
    factored all = {.odd = 1};
    size_t next = 0;
    if (!c->integer)
        GM_TRY(read_multiple(r, c->multiples[next++], &all));
    for (; next < c->multiple_count; next++) {
        factored more;
        GM_TRY(read_multiple(r, c->multiples[next], &more));
        GM_TRY(combine(r, &all, more));
    }
    gm_number_set m = {.modulus = all.odd, .odd = all.odd, .scale = -(all.twos < all.fives ? all.twos : all.fives)};
    if (!scale_up(&m.modulus, 2, all.twos + m.scale, r->max_modulus) ||
        !scale_up(&m.modulus, 5, all.fives + m.scale, r->max_modulus))
        return modulus_limit(r);
    m.twos = (unsigned)(all.twos + m.scale);
    m.fives = (unsigned)(all.fives + m.scale);
    r->multiples = m;
    return GM_OK;
}

static bool is_multiple(const gm_number_set *m, const gm_decimal *value)
{
    if (m->modulus == 0 || value->count == 0)
        return true;
    const int64_t places = (int64_t)value->count - value->point;
    const int64_t spare = gm_number_spare_tens(m, gm_decimal_residue(value, places, m->modulus));
    return spare != GM_NUMBER_NO_WEIGHT && spare - places + m->scale >= 0;
}

/* ---- lists ---- */

static bool is_listed(const gm_decimal *list, size_t count, const gm_decimal *value)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare_entries(&list[middle], value) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < count && compare_entries(&list[low], value) == 0; low++)
        if (list[low].negative == value->negative)
            return true;
    return false;
}

static bool is_within_bounds(const reading *r, const gm_decimal *value)
{
    if (r->minimum.is_given && gm_decimal_compare(value, &r->minimum.value) < (r->minimum.is_closed ? 0 : 1))
        return false;
    return !r->maximum.is_given || gm_decimal_compare(value, &r->maximum.value) <= (r->maximum.is_closed ? 0 : -1);
}

static bool is_allowed(const reading *r, const gm_decimal *value)
{
    return is_within_bounds(r, value) && is_multiple(&r->multiples, value) &&
           !is_listed(r->excluded, r->excluded_count, value) &&
           (!r->constraints->has_values || is_listed(r->values, r->value_count, value));
}

/* The magnitudes of one sign in a list that `keep` wants, each once, as the entries of *out. */
static gm_status filter(reading *r, const gm_decimal *list, size_t count, bool negative, const gm_number_set *set,
                        bool (*keep)(const reading *r, const gm_number_set *set, const gm_decimal *value),
                        gm_number_set *out)
{
    if (count == 0)
        return GM_OK;
    gm_decimal *kept = GM_ARENA_NEW(r->arena, gm_decimal, count);
    if (kept == NULL)
        return gm_no_memory(r->error);
    uint32_t kept_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (list[i].count == 0 || list[i].negative != negative || !keep(r, set, &list[i]))
            continue;
        if (kept_count > 0 && compare_entries(&kept[kept_count - 1], &list[i]) == 0)
            continue;
        kept[kept_count] = list[i];
        kept[kept_count++].negative = false;
    }
    out->entries = kept;
    out->entry_count = kept_count;
    return GM_OK;
}

static bool keep_member(const reading *r, const gm_number_set *set, const gm_decimal *value)
{
    (void)set;
    return is_allowed(r, value);
}

/* Holes strictly between the bounds. */
static bool keep_hole(const reading *r, const gm_number_set *set, const gm_decimal *value)
{
    return is_multiple(&r->multiples, value) && gm_decimal_compare_magnitudes(value, &set->low) > 0 &&
           (!set->has_high || gm_decimal_compare_magnitudes(value, &set->high) < 0);
}

/* ---- bounds moved to members ---- */

static gm_status digits_limit(reading *r, const char *keyword)
{
    return gm_fail(r->error, GM_LIMIT, "", keyword, "a multiple near this bound has more than %d digits", MOST_DIGITS);
}

/* *value += units * 10^-scale, or -= when down. */
static gm_status move(reading *r, gm_decimal *value, uint64_t units, bool down, const char *keyword)
{
    if (value->point + r->multiples.scale > MOST_DIGITS)
        return digits_limit(r, keyword);
    char *buffer = gm_arena_take(r->arena, 20);
    if (buffer == NULL)
        return gm_no_memory(r->error);
    gm_decimal amount = gm_decimal_of_u64(buffer, units, -r->multiples.scale);
    if (down)
        amount = gm_decimal_negate(&amount);
    return gm_decimal_add(r->arena, value, &amount, value) ? GM_OK : gm_no_memory(r->error);
}

/* Moves a bound > 0 to the nearest multiple on its inner side; it may become <= 0. */
static gm_status move_to_multiple(reading *r, gm_decimal *value, bool is_closed, bool down, const char *keyword)
{
    const gm_number_set *m = &r->multiples;
    const gm_decimal whole = gm_decimal_truncate(value, m->scale);
    const bool exact = whole.count == value->count;
    if (m->modulus != 1 && value->point + m->scale > MOST_DIGITS)
        return digits_limit(r, keyword);
    const uint64_t rest = m->modulus == 1 ? 0 : gm_decimal_residue(&whole, m->scale, m->modulus);
    if (exact && rest == 0 && is_closed)
        return GM_OK;
    *value = whole;
    if (!down)
        return move(r, value, m->modulus - rest, false, keyword);
    if (rest == 0 && exact)
        return move(r, value, m->modulus, true, keyword);
    return rest != 0 ? move(r, value, rest, true, keyword) : GM_OK;
}

/* Moves a bound on past holes. */
static gm_status skip_holes(reading *r, gm_decimal *value, bool negative, bool down, const char *keyword)
{
    for (;;) {
        gm_decimal member = *value;
        member.negative = negative;
        if (value->count == 0 || value->negative || !is_listed(r->excluded, r->excluded_count, &member))
            return GM_OK;
        GM_TRY(move(r, value, r->multiples.modulus, down, keyword));
    }
}

/* ---- sets ---- */

static void set_to_list(const reading *r, gm_number_set *set, const gm_decimal *entries, uint32_t count)
{
    *set = (gm_number_set){
        .spelling = r->spelling,
        .has_zero = set->has_zero,
        .is_list = true,
        .reach = r->reach,
        .entries = entries,
        .entry_count = count,
    };
}

static gm_status set_to_one(reading *r, gm_number_set *set)
{
    gm_decimal *entry = gm_arena_copy(r->arena, &set->low, sizeof set->low);
    if (entry == NULL)
        return gm_no_memory(r->error);
    set_to_list(r, set, entry, 1);
    return GM_OK;
}

/* The bounds of magnitudes for one sign, as given; false when there are none but 0. */
static bool take_bounds(const reading *r, bool negative, gm_number_set *set)
{
    const bound *lower = negative ? &r->maximum : &r->minimum, *upper = negative ? &r->minimum : &r->maximum;
    const gm_decimal low = negative ? gm_decimal_negate(&lower->value) : lower->value;
    const gm_decimal high = negative ? gm_decimal_negate(&upper->value) : upper->value;
    if (upper->is_given && (high.count == 0 || high.negative))
        return false;
    if (lower->is_given && low.count != 0 && !low.negative) {
        set->low = low;
        set->low_closed = lower->is_closed;
    }
    set->has_high = upper->is_given;
    set->high = high;
    set->high_closed = upper->is_given && upper->is_closed;
    return true;
}

static gm_status move_bounds(reading *r, bool negative, gm_number_set *set)
{
    const bound *lower = negative ? &r->maximum : &r->minimum, *upper = negative ? &r->minimum : &r->maximum;
    if (set->low.count == 0) /* past 0, the least multiple is the modulus */
        GM_TRY(move(r, &set->low, r->multiples.modulus, false, "multipleOf"));
    else
        GM_TRY(move_to_multiple(r, &set->low, set->low_closed, false, lower->keyword));
    GM_TRY(skip_holes(r, &set->low, negative, false, "not"));
    set->low_closed = true;
    if (set->has_high) {
        GM_TRY(move_to_multiple(r, &set->high, set->high_closed, true, upper->keyword));
        GM_TRY(skip_holes(r, &set->high, negative, true, "not"));
        set->high_closed = true;
    }
    return GM_OK;
}

/* Opens bounds that are holes; without a modulus that is all there is to do. */
static void open_bounds(const reading *r, bool negative, gm_number_set *set)
{
    gm_decimal low = set->low, high = set->high;
    low.negative = high.negative = negative;
    set->low_closed = set->low_closed && !is_listed(r->excluded, r->excluded_count, &low);
    set->high_closed = set->high_closed && !is_listed(r->excluded, r->excluded_count, &high);
}

static gm_status make_interval(reading *r, bool negative, gm_number_set *set)
{
    if (r->multiples.modulus != 0)
        GM_TRY(move_bounds(r, negative, set));
    else
        open_bounds(r, negative, set);
    if (set->has_high) {
        const int order = set->high.negative ? 1 : gm_decimal_compare_magnitudes(&set->low, &set->high);
        if (order > 0 || (order == 0 && !(set->low_closed && set->high_closed))) {
            set_to_list(r, set, NULL, 0);
            return GM_OK;
        }
        if (order == 0)
            return set_to_one(r, set);
    }
    return filter(r, r->excluded, r->excluded_count, negative, set, keep_hole, set);
}

static gm_status zeros_limit(reading *r, const char *keyword)
{
    return gm_fail(r->error, GM_LIMIT, "", keyword, "without a longer exponent this needs more than %d zeros", MOST_ZEROS);
}

/* Refuses what could be written in principle only. */
static gm_status check_zeros(reading *r, bool negative, const gm_number_set *set)
{
    const bound *lower = negative ? &r->maximum : &r->minimum, *upper = negative ? &r->minimum : &r->maximum;
    const int64_t most = MOST_ZEROS + set->reach;
    for (uint32_t i = 0; set->is_list && i < set->entry_count; i++)
        if (set->entries[i].point > most || set->entries[i].point < -most)
            return zeros_limit(r, r->values_keyword);
    if (!set->is_list && set->low.count != 0 && set->low.point > most)
        return zeros_limit(r, lower->is_given ? lower->keyword : "multipleOf");
    if (!set->is_list && set->has_high && set->high.point < -most)
        return zeros_limit(r, upper->keyword);
    return GM_OK;
}

static gm_status make_set(reading *r, bool negative, gm_number_set *out)
{
    const gm_decimal zero = {0};
    gm_number_set set = r->multiples;
    set.spelling = r->spelling;
    set.reach = r->reach;
    set.has_zero = is_allowed(r, &zero);
    if (r->constraints->has_values) {
        set_to_list(r, &set, NULL, 0);
        GM_TRY(filter(r, r->values, r->value_count, negative, &set, keep_member, &set));
    } else if (take_bounds(r, negative, &set)) {
        GM_TRY(make_interval(r, negative, &set));
    } else {
        set_to_list(r, &set, NULL, 0);
    }
    GM_TRY(check_zeros(r, negative, &set));
    *out = set;
    return GM_OK;
}

static gm_number_spelling_kind spelling_of(const gm_number_constraints *c, int64_t reach)
{
    if (c->minimum.data == NULL && c->maximum.data == NULL && c->multiple_count == 0 && !c->integer && !c->has_values &&
        c->excluded_count == 0)
        return GM_NUMBER_AS_JSON;
    if (c->plain_integer && c->integer)
        return GM_NUMBER_AS_INTEGER;
    return c->plain || reach == 0 ? GM_NUMBER_AS_DECIMAL : GM_NUMBER_AS_EXPONENT;
}

gm_status gm_number_sets_of(gm_arena *arena, const gm_number_limits *limits, const gm_number_constraints *constraints,
                            gm_number_set sets[2], gm_error *error)
{
    const gm_number_constraints *c = constraints;
    reading r = {
        .arena = arena,
        .constraints = c,
        .error = error,
        .max_modulus = limits->max_modulus < INT64_MAX ? limits->max_modulus : INT64_MAX,
        .values_keyword = c->has_values ? c->value_count == 1 ? "const" : "enum" : "multipleOf",
    };
    int64_t reach = 1;
    for (uint64_t i = 0; i < limits->max_exponent_digits; i++)
        reach *= 10;
    r.spelling = spelling_of(c, --reach);
    if (r.spelling == GM_NUMBER_AS_JSON) {
        sets[0] = sets[1] = (gm_number_set){.has_zero = true, .reach = GM_NUMBER_MAX_REACH};
        return GM_OK;
    }
    r.reach = r.spelling == GM_NUMBER_AS_EXPONENT ? reach : 0;
    GM_TRY(read_bound(&r, c->minimum, c->exclusive_minimum, c->exclusive_minimum ? "exclusiveMinimum" : "minimum", &r.minimum));
    GM_TRY(read_bound(&r, c->maximum, c->exclusive_maximum, c->exclusive_maximum ? "exclusiveMaximum" : "maximum", &r.maximum));
    GM_TRY(read_multiples(&r));
    if (c->has_values)
        GM_TRY(read_list(&r, c->values, r.value_count = c->value_count, r.values_keyword, &r.values));
    if (c->excluded_count != 0)
        GM_TRY(read_list(&r, c->excluded, r.excluded_count = c->excluded_count, "not", &r.excluded));
    GM_TRY(make_set(&r, false, &sets[0]));
    return make_set(&r, true, &sets[1]);
}
