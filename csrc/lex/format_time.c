/*
 * lex/format_time.c - times of day and points in time by RFC 3339, as an automaton in C.
 *
 * A leap second is allowed where it is 23:59:60 in UTC, so a text must remember its hour and minute
 * until its offset has been read: that is 1,440 states for each character in between, and too
 * many for an expression that is written out. So a state is a node that says how far we have come and
 * what has to be remembered, and a step is arithmetic. What need not be remembered any more is
 * forgotten at once: unless a leap second is still possible, all times of day are one state.
 *
 * Leap seconds fall on the last minute of June or December in UTC. In local time that is the last day
 * of these months at 23:59 less a negative offset, or the first day of the next month for a positive
 * one. The years that have one are not known in advance, so any year may.
 *
 * Every state has a way on: what is required of an offset can be written, and so can some day of
 * every month. Node: b = position, low = what is remembered, in the units that the step before wrote.
 */
#include "lex/format_private.h"

/* Positions in YYYY-MM-DDTHH:MM:SS, then the fraction and the offset. */
enum {
    YEAR_1,
    YEAR_2,
    YEAR_3,
    YEAR_4,
    DASH_1,
    MONTH_1,
    MONTH_2,
    DASH_2,
    DAY_1,
    DAY_2,
    TEE,
    HOUR_1,
    HOUR_2,
    COLON_1,
    MINUTE_1,
    MINUTE_2,
    COLON_2,
    SECOND_1,
    SECOND_2,
    AFTER_SECOND,
    FRACTION_1,
    FRACTION_2,
    OFFSET_HOUR_1,
    OFFSET_HOUR_2,
    OFFSET_COLON,
    OFFSET_MINUTE_1,
    OFFSET_MINUTE_2,
    FINISHED,
    DEAD
};

/* What the date says of leap seconds. Remembered with the time of day: day << DAY_SHIFT | minutes. */
enum { DAY_PLAIN, DAY_LAST, DAY_FIRST, DAY_ANY, DAY_SHIFT = 12 };

enum { MINUTES = 24 * 60, FREE_OFFSET = MINUTES, FREE_TWENTIES = MINUTES + 1, LAST_MINUTE = MINUTES - 1 };

typedef struct state {
    uint32_t position, kept;
} state;

static const state dead = {DEAD, 0};

static state expect(state at, uint32_t code_point, uint32_t expected)
{
    return code_point == expected ? (state){at.position + 1, at.kept} : dead;
}

/* ---- the date ---- */

static uint32_t last_day(uint32_t month, bool leap_year)
{
    if (month == 2)
        return leap_year ? 29 : 28;
    return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

/* Which end of a month a leap second may touch: of June and December the last day, of the months after
 * them the first one. */
static uint32_t month_kind(uint32_t month)
{
    if (month == 6 || month == 12)
        return DAY_LAST;
    return month == 7 || month == 1 ? DAY_FIRST : DAY_PLAIN;
}

static state step_year(state at, uint32_t digit)
{
    const uint32_t kept = at.kept;
    switch (at.position) {
    case YEAR_1: /* of the century: its remainder by 4 */
        return (state){YEAR_2, digit * 10 % 4};
    case YEAR_2:
        return (state){YEAR_3, (kept + digit) % 4 == 0};
    case YEAR_3: /* 2: an odd tens digit; 1: a zero one in a century that is itself a leap year */
        return (state){YEAR_4, digit % 2 != 0 ? 2 : digit != 0 ? 4 : kept};
    default: {
        /* kept: 0 = 0 in a common century, 1 = 0 in a leap century, 2 = odd, 4 = even but not zero */
        const bool leap = kept == 2 ? digit % 4 == 2 : digit % 4 == 0 && (digit != 0 || kept != 0);
        return (state){DASH_1, leap};
    }
    }
}

static state step_month(state at, uint32_t digit)
{
    if (at.position == MONTH_1)
        return digit <= 1 ? (state){MONTH_2, at.kept | digit << 1} : dead;
    const uint32_t month = (at.kept >> 1) * 10 + digit;
    if (month < 1 || month > 12)
        return dead;
    return (state){DASH_2, last_day(month, at.kept & 1) | month_kind(month) << 8};
}

static state step_day(state at, uint32_t digit)
{
    if (at.position == DAY_1) { /* then: the bounds of the second digit, and what a bound means */
        const uint32_t last = at.kept & 0xFF, kind = at.kept >> 8;
        if (digit > last / 10)
            return dead;
        const uint32_t least = digit == 0, most = digit == last / 10 ? last % 10 : 9;
        const bool matters = (kind == DAY_LAST && digit == 3) || (kind == DAY_FIRST && digit == 0);
        return (state){DAY_2, least | most << 4 | (matters ? kind : DAY_PLAIN) << 8};
    }
    const uint32_t least = at.kept & 0xF, most = at.kept >> 4 & 0xF, kind = at.kept >> 8;
    if (digit < least || digit > most)
        return dead;
    const bool is_end = (kind == DAY_LAST && digit == most) || (kind == DAY_FIRST && digit == 1);
    return (state){TEE, is_end ? kind : DAY_PLAIN};
}

/* ---- the time of day ---- */

static uint32_t minutes_of(uint32_t kept) { return kept & ((1u << DAY_SHIFT) - 1); }

static state step_time(state at, uint32_t digit)
{
    const uint32_t day = at.kept >> DAY_SHIFT, number = minutes_of(at.kept), kept_day = day << DAY_SHIFT;
    const uint32_t remembered = day != DAY_PLAIN; /* else no minute matters */
    switch (at.position) {
    case HOUR_1:
        return digit <= 2 ? (state){HOUR_2, kept_day | digit} : dead;
    case HOUR_2:
        return number < 2 || digit <= 3 ? (state){COLON_1, kept_day | (number * 10 + digit) * remembered} : dead;
    case MINUTE_1:
        return digit <= 5 ? (state){MINUTE_2, kept_day | (number * 60 + digit * 10) * remembered} : dead;
    case MINUTE_2:
        return (state){COLON_2, kept_day | (number + digit) * remembered};
    case SECOND_1: {
        const bool possible = day == DAY_LAST || day == DAY_ANY || (day == DAY_FIRST && number != LAST_MINUTE);
        if (digit == 6)
            return possible ? (state){SECOND_2, at.kept} : dead;
        return digit < 6 ? (state){SECOND_2, DAY_PLAIN} : dead;
    }
    default: /* SECOND_2 */
        return day == DAY_PLAIN || digit == 0 ? (state){AFTER_SECOND, at.kept} : dead;
    }
}

/* The offset that makes it 23:59 in UTC. */
static state step_sign(uint32_t kept, uint32_t code_point)
{
    const uint32_t day = kept >> DAY_SHIFT, local = minutes_of(kept);
    if (day == DAY_PLAIN)
        return (state){OFFSET_HOUR_1, FREE_OFFSET};
    if (code_point == '-')
        return day == DAY_FIRST ? dead : (state){OFFSET_HOUR_1, LAST_MINUTE - local};
    const uint32_t offset = (local + 1) % MINUTES;
    if ((day == DAY_LAST && offset != 0) || (day == DAY_FIRST && offset == 0))
        return dead;
    return (state){OFFSET_HOUR_1, offset};
}

static state step_after_second(state at, uint32_t code_point)
{
    const uint32_t day = at.kept >> DAY_SHIFT;
    if (code_point == '.')
        return at.position == AFTER_SECOND ? (state){FRACTION_1, at.kept} : dead;
    if (code_point == '+' || code_point == '-')
        return step_sign(at.kept, code_point);
    if (code_point != 'Z' && code_point != 'z')
        return dead;
    const bool allowed = day == DAY_PLAIN || (day != DAY_FIRST && minutes_of(at.kept) == LAST_MINUTE);
    return allowed ? (state){FINISHED, 0} : dead;
}

static state step_offset(state at, uint32_t digit)
{
    const uint32_t kept = at.kept;
    const bool is_free = kept >= FREE_OFFSET;
    switch (at.position) {
    case OFFSET_HOUR_1:
        if (is_free)
            return digit <= 2 ? (state){OFFSET_HOUR_2, digit == 2 ? FREE_TWENTIES : FREE_OFFSET} : dead;
        return digit == kept / 600 ? (state){OFFSET_HOUR_2, kept % 600} : dead;
    case OFFSET_HOUR_2:
        if (is_free)
            return kept == FREE_OFFSET || digit <= 3 ? (state){OFFSET_COLON, FREE_OFFSET} : dead;
        return digit == kept / 60 ? (state){OFFSET_COLON, kept % 60} : dead;
    case OFFSET_MINUTE_1:
        if (is_free)
            return digit <= 5 ? (state){OFFSET_MINUTE_2, FREE_OFFSET} : dead;
        return digit == kept / 10 ? (state){OFFSET_MINUTE_2, kept % 10} : dead;
    default: /* OFFSET_MINUTE_2 */
        return is_free || digit == kept ? (state){FINISHED, 0} : dead;
    }
}

/* ---- steps ---- */

static state step_digit(state at, uint32_t digit)
{
    switch (at.position) {
    case YEAR_1:
    case YEAR_2:
    case YEAR_3:
    case YEAR_4:
        return step_year(at, digit);
    case MONTH_1:
    case MONTH_2:
        return step_month(at, digit);
    case DAY_1:
    case DAY_2:
        return step_day(at, digit);
    case HOUR_1:
    case HOUR_2:
    case MINUTE_1:
    case MINUTE_2:
    case SECOND_1:
    case SECOND_2:
        return step_time(at, digit);
    case FRACTION_1:
    case FRACTION_2:
        return (state){FRACTION_2, at.kept};
    case OFFSET_HOUR_1:
    case OFFSET_HOUR_2:
    case OFFSET_MINUTE_1:
    case OFFSET_MINUTE_2:
        return step_offset(at, digit);
    default:
        return dead;
    }
}

static state step(state at, uint32_t code_point)
{
    if (code_point >= '0' && code_point <= '9')
        return step_digit(at, code_point - '0');
    switch (at.position) {
    case DASH_1:
    case DASH_2:
        return expect(at, code_point, '-');
    case TEE:
        return code_point == 'T' || code_point == 't' ? (state){HOUR_1, at.kept << DAY_SHIFT} : dead;
    case COLON_1:
    case COLON_2:
    case OFFSET_COLON:
        return expect(at, code_point, ':');
    case AFTER_SECOND:
    case FRACTION_2:
        return step_after_second(at, code_point);
    default:
        return dead;
    }
}

static gm_term term_of(gm_text *text, state at)
{
    if (at.position == FINISHED)
        return GM_TERM_EMPTY;
    if (at.position == DEAD)
        return GM_TERM_NONE;
    return gm_term_intern(text, (gm_term_node){.kind = GM_KIND_AUTOMATON,
                                               .a = GM_AUTOMATON_TIME,
                                               .b = at.position,
                                               .low = at.kept});
}

bool gm_time_segments(gm_text *text, gm_term_node node)
{
    static const char read[] = "+-.0123456789:TZtz"; /* ascending */
    for (const char *at = read; *at != '\0'; at++) {
        const uint32_t code_point = (unsigned char)*at;
        const gm_term to = term_of(text, step((state){node.b, node.low}, code_point));
        if (!gm_text_add_segment(text, code_point, code_point, to))
            return false;
    }
    return true;
}

gm_term gm_term_date_time(gm_text *text) { return term_of(text, (state){YEAR_1, 0}); }

gm_term gm_term_time(gm_text *text) { return term_of(text, (state){HOUR_1, DAY_ANY << DAY_SHIFT}); }

/* ---- lengths ---- */

/* {first} and {from, from + 1, ...} with first < from. */
static gm_lengths first_and_from(gm_lengths_calculator *calculator, uint64_t first, uint64_t from)
{
    uint64_t *bits = gm_lengths_bits(calculator, from + 1);
    if (bits == NULL)
        return gm_lengths_of_bits(NULL, 0, 0);
    gm_lengths_set_bit(bits, first);
    gm_lengths_set_bit(bits, from);
    return gm_lengths_of_bits(bits, from + 1, 1);
}

/* Whether Z may follow the time of day. Before its seconds are known all is possible. */
static bool may_be_zulu(state at)
{
    const uint32_t day = at.kept >> DAY_SHIFT;
    return at.position <= SECOND_1 || day == DAY_PLAIN || (day != DAY_FIRST && minutes_of(at.kept) == LAST_MINUTE);
}

gm_lengths gm_time_lengths(gm_lengths_calculator *calculator, gm_term_node node)
{
    enum { OFFSET = 6, SHORTEST_FRACTION = 2 };
    const state at = {node.b, node.low};
    const uint64_t zone = may_be_zulu(at) ? 1 : OFFSET;
    if (at.position >= OFFSET_HOUR_1)
        return gm_lengths_interval(FINISHED - at.position, FINISHED - at.position);
    if (at.position == FRACTION_1)
        return gm_lengths_interval(1 + zone, UINT64_MAX);
    if (at.position == FRACTION_2)
        return gm_lengths_interval(zone, UINT64_MAX);
    const uint64_t before = AFTER_SECOND - at.position;
    return first_and_from(calculator, before + zone, before + zone + SHORTEST_FRACTION);
}
