/*
 * lex/number_set.c - from constraints to two sets of magnitudes. See number_private.h.
 *
 * All numbers are read first. Then each sign gets its set: bounds are turned into bounds of
 * magnitudes and, with multiples, moved inward to the nearest member, so that a set is empty just
 * when its bounds have crossed. Holes that are no members anyway are dropped.
 */
#include "lex/number_private.h"

#include <stdlib.h>

enum {
    MOST_ZEROS = 4096,  /* that one may have to write for want of an exponent */
    MOST_DIGITS = 20000 /* of a bound that is moved to a multiple */
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
    int64_t reach;
    gm_number_spelling_kind spelling;
    bound minimum, maximum;
    gm_number_set lattices;              /* lattices and scale alone */
    bool nothing;                        /* the lattices leave no number */
    const gm_decimal *values, *excluded; /* ascending as entries are, both signs together */
    size_t value_count, excluded_count;
    const char *values_keyword;
} reading;

/* ---- reading ---- */

static gm_status read_bound(reading *r, gm_bytes text, bool exclusive, const char *keyword, bound *out)
{
    *out = (bound){.is_given = text.data != NULL, .is_closed = !exclusive, .keyword = keyword};
    return out->is_given ? gm_number_read(text, keyword, &out->value, r->error) : GM_OK;
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
        GM_TRY(gm_number_read(texts[i], keyword, &list[i], r->error));
    if (count > 1)
        qsort(list, count, sizeof *list, compare_entries);
    *out = list;
    return GM_OK;
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
    return is_within_bounds(r, value) && gm_number_fits_lattices(&r->lattices, value) &&
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
    return gm_number_fits_lattices(&r->lattices, value) && gm_decimal_compare_magnitudes(value, &set->low) > 0 &&
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
    if (value->point + r->lattices.scale > MOST_DIGITS)
        return digits_limit(r, keyword);
    char *buffer = gm_arena_take(r->arena, 20);
    if (buffer == NULL)
        return gm_no_memory(r->error);
    gm_decimal amount = gm_decimal_of_u64(buffer, units, -r->lattices.scale);
    if (down)
        amount = gm_decimal_negate(&amount);
    return gm_decimal_add(r->arena, value, &amount, value) ? GM_OK : gm_no_memory(r->error);
}

/* Moves a bound > 0 to the nearest multiple on its inner side; it may become <= 0. */
static gm_status move_to_multiple(reading *r, gm_decimal *value, bool is_closed, bool down, const char *keyword)
{
    const uint64_t modulus = r->lattices.in.modulus;
    const int64_t scale = r->lattices.scale;
    const gm_decimal whole = gm_decimal_truncate(value, scale);
    const bool exact = whole.count == value->count;
    if (modulus != 1 && value->point + scale > MOST_DIGITS)
        return digits_limit(r, keyword);
    const uint64_t rest = modulus == 1 ? 0 : gm_decimal_residue(&whole, scale, modulus);
    if (exact && rest == 0 && is_closed)
        return GM_OK;
    *value = whole;
    if (!down)
        return move(r, value, modulus - rest, false, keyword);
    if (rest == 0 && exact)
        return move(r, value, modulus, true, keyword);
    return rest != 0 ? move(r, value, rest, true, keyword) : GM_OK;
}

/* Whether a magnitude of this sign is among the values or in a lattice that is ruled out. */
static bool is_hole(const reading *r, const gm_decimal *value, bool negative)
{
    gm_decimal member = *value;
    member.negative = negative;
    return is_listed(r->excluded, r->excluded_count, &member) || !gm_number_fits_lattices(&r->lattices, &member);
}

/* Moves a bound that is a multiple on past holes. */
static gm_status skip_holes(reading *r, gm_decimal *value, bool negative, bool down, const char *keyword)
{
    for (;;) {
        if (value->count == 0 || value->negative || !is_hole(r, value, negative))
            return GM_OK;
        GM_TRY(move(r, value, r->lattices.in.modulus, down, keyword));
    }
}

/* ---- sets ---- */

static void set_to_list(const reading *r, gm_number_set *set, const gm_decimal *entries, uint32_t count)
{
    *set = (gm_number_set){
        .spelling = r->spelling,
        .is_marked = set->is_marked,
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
        GM_TRY(move(r, &set->low, r->lattices.in.modulus, false, "multipleOf"));
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

/* Opens bounds that are holes; without a lattice to be in that is all there is to do. */
static void open_bounds(const reading *r, bool negative, gm_number_set *set)
{
    set->low_closed = set->low_closed && !is_hole(r, &set->low, negative);
    set->high_closed = set->high_closed && !is_hole(r, &set->high, negative);
}

static gm_status make_interval(reading *r, bool negative, gm_number_set *set)
{
    if (r->lattices.in.modulus != 0)
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
    return gm_fail(r->error, GM_LIMIT, "", keyword, "without a longer exponent this needs more than %d zeros",
                   MOST_ZEROS);
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
    gm_number_set set = r->lattices;
    set.spelling = r->spelling;
    set.is_marked = r->constraints->marked;
    set.reach = r->reach;
    set.has_zero = is_allowed(r, &zero);
    if (r->nothing || (r->spelling == GM_NUMBER_AS_INTEGER && set.is_marked)) {
        set.has_zero = false;
        set_to_list(r, &set, NULL, 0);
    } else if (r->constraints->has_values) {
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

/* ---- a set without some values ---- */

static bool keep_unlisted(const reading *r, const gm_number_set *set, const gm_decimal *value)
{
    (void)set;
    return !is_listed(r->excluded, r->excluded_count, value);
}

/* The values of one sign as magnitudes, and the set's holes, as entries are sorted. */
static gm_status collect_excluded(reading *r, const gm_number_set *set, bool negative, const gm_decimal *values,
                                  size_t count)
{
    const size_t holes = set->is_list ? 0 : set->entry_count;
    gm_decimal *all = GM_ARENA_NEW(r->arena, gm_decimal, count + holes);
    if (all == NULL)
        return GM_OUT_OF_MEMORY;
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        if (values[i].count != 0 && values[i].negative == negative) {
            all[found] = values[i];
            all[found++].negative = false;
        }
    for (size_t i = 0; i < holes; i++)
        all[found++] = set->entries[i];
    if (found > 1)
        qsort(all, found, sizeof *all, compare_entries);
    r->excluded = all;
    r->excluded_count = found;
    return GM_OK;
}

/* Moves the bounds past what is excluded, or opens them. *none: nothing is left between them. */
static gm_status narrow(reading *r, gm_number_set *set, bool *none)
{
    if (set->in.modulus == 0) {
        open_bounds(r, false, set);
        return GM_OK;
    }
    GM_TRY(skip_holes(r, &set->low, false, false, "uniqueItems"));
    if (set->has_high)
        GM_TRY(skip_holes(r, &set->high, false, true, "uniqueItems"));
    *none = set->has_high && (set->high.negative || gm_decimal_compare_magnitudes(&set->low, &set->high) > 0);
    return GM_OK;
}

gm_status gm_number_set_without(gm_arena *arena, const gm_number_set *set, bool negative, const gm_decimal *values,
                                size_t count, gm_number_set *out)
{
    reading r = {.arena = arena, .reach = set->reach, .spelling = set->spelling, .lattices = *set};
    gm_number_set less = *set;
    bool none = false;
    for (size_t i = 0; i < count; i++)
        less.has_zero = less.has_zero && values[i].count != 0;
    GM_TRY(collect_excluded(&r, set, negative, values, count));
    if (!set->is_list)
        GM_TRY(narrow(&r, &less, &none));
    if (none) {
        set_to_list(&r, &less, NULL, 0);
    } else if (set->is_list) {
        GM_TRY(filter(&r, set->entries, set->entry_count, false, &less, keep_unlisted, &less));
    } else if (set->in.modulus != 0 && set->has_high && gm_decimal_compare_magnitudes(&less.low, &less.high) == 0) {
        GM_TRY(set_to_one(&r, &less));
    } else {
        less.entry_count = 0;
        GM_TRY(filter(&r, r.excluded, r.excluded_count, false, &less, keep_hole, &less));
    }
    *out = less;
    return GM_OK;
}

static gm_number_spelling_kind spelling_of(const gm_number_constraints *c, int64_t reach)
{
    if (c->minimum.data == NULL && c->maximum.data == NULL && c->multiple_count == 0 && !c->integer && !c->has_values &&
        c->excluded_count == 0 && c->not_multiple_count == 0 && !c->marked)
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
    GM_TRY(read_bound(&r, c->minimum, c->exclusive_minimum, c->exclusive_minimum ? "exclusiveMinimum" : "minimum",
                      &r.minimum));
    GM_TRY(read_bound(&r, c->maximum, c->exclusive_maximum, c->exclusive_maximum ? "exclusiveMaximum" : "maximum",
                      &r.maximum));
    GM_TRY(gm_number_lattices_of(limits, c, &r.lattices, &r.nothing, error));
    if (c->has_values)
        GM_TRY(read_list(&r, c->values, r.value_count = c->value_count, r.values_keyword, &r.values));
    if (c->excluded_count != 0)
        GM_TRY(read_list(&r, c->excluded, r.excluded_count = c->excluded_count, "not", &r.excluded));
    GM_TRY(make_set(&r, false, &sets[0]));
    return make_set(&r, true, &sets[1]);
}
