/* test_formats.c - formats: fixed texts, second opinions, no dead ends, lengths, failing allocations, cost. */
#include "lex/format.h"

#include "base/array.h"
#include "base/utf8.h"
#include "check.h"

#include <arpa/inet.h>
#include <time.h>

/* ---- fixed texts ---- */

typedef struct sample {
    const char *format, *text;
    bool valid;
} sample;

static const sample samples[] = {
    {"date", "2024-02-29", true},
    {"date", "2023-02-29", false},
    {"date", "1900-02-29", false},
    {"date", "2000-02-29", true},
    {"date", "2023-04-31", false},
    {"date", "2023-4-01", false},
    {"date", "2023-04-01T00:00:00Z", false},
    {"time", "12:30:45Z", true},
    {"time", "12:30:45.000001+23:59", true},
    {"time", "12:30:45", false},
    {"time", "12:30:45.Z", false},
    {"time", "24:00:00Z", false},
    {"time", "23:59:60z", true},
    {"time", "22:59:60-01:00", true},
    {"time", "22:59:60.5-01:00", true},
    {"time", "22:59:60-01:01", false},
    {"date-time", "2023-04-05t06:07:08z", true},
    {"date-time", "2023-04-05 06:07:08Z", false},
    {"date-time", "2016-12-31T23:59:60Z", true},
    {"date-time", "2016-06-30T23:59:60.25+00:00", true},
    {"date-time", "2016-12-30T23:59:60Z", false}, /* not the last day */
    {"date-time", "2016-09-30T23:59:60Z", false},
    {"date-time", "2017-01-01T00:59:60+01:00", true},
    {"date-time", "2017-01-01T23:59:60Z", false},
    {"date-time", "2017-01-01T00:59:60-01:00", false},
    {"date-time", "2016-12-31T20:29:60-03:30", true},
    {"date-time", "2016-12-31T00:59:60+01:00", false}, /* a day early */
    {"duration", "P1Y2M3DT4H5M6S", true},
    {"duration", "PT5M", true},
    {"duration", "P3W", true},
    {"duration", "P1Y3D", false},
    {"duration", "P1W2D", false},
    {"duration", "P", false},
    {"duration", "P1DT", false},
    {"email", "a.b+c@example.org", true},
    {"email", "\"a b\\\"\"@x", true},
    {"email", "a@[192.0.2.1]", true},
    {"email", "a@[IPv6:2001:db8::1]", true},
    {"email", "a@[IPv6:1::2::3]", false},
    {"email", "a@[IPv6:1:2:3:4:5:6::8]", false}, /* eight groups: nothing is left out */
    {"email", "a..b@example.org", false},
    {"email", "a@-example.org", false},
    {"email", "a@b@c", false},
    {"idn-email", "\xC3\xA4@\xC3\xB6.example", true},
    {"idn-email", "\xC3\xA4@\xE3\x80\x82", false},
    {"idn-email", "a@\xCC\x81" "a", false}, /* begins with a mark */
    {"idn-email", "a@\xEF\xBD\x81", false}, /* a fullwidth letter */
    {"hostname", "a.example-1.org", true},
    {"hostname", "a-", false},
    {"hostname", "x", true},
    {"hostname", "xn", true},
    {"hostname", "xn-", false},
    {"hostname", "xn-a", true},
    {"hostname", "x--a", true},
    {"hostname", "XN--a", false},
    {"hostname", "a..b", false},
    {"idn-hostname", "b\xC3\xBC" "cher.example", true},
    {"idn-hostname", "B\xC3\xBC" "cher.example", false},
    {"idn-hostname", "BUCHER.example", true},
    {"idn-hostname", "ab--c", false},
    {"idn-hostname", "l\xC2\xB7l", true},
    {"idn-hostname", "l\xC2\xB7m", false},
    {"idn-hostname", "e\xCC\x81", false}, /* not in normalization form C */
    {"idn-hostname", "\xC5\x95\xCC\xA3", false}, /* neither: the marks are in the wrong order */
    {"idn-hostname", "\xD7\x90.1a", false}, /* Bidi */
    {"idn-hostname", "\xD7\x90.a1", true},
    {"ipv4", "255.0.10.199", true},
    {"ipv4", "256.0.0.1", false},
    {"ipv4", "01.0.0.1", false},
    {"ipv6", "::", true},
    {"ipv6", "::ffff:192.0.2.1", true},
    {"ipv6", "fe80::1%eth0", false},
    {"uri", "https://user:pw@[::1]:80/p/a?q=1/2#f?", true},
    {"uri", "urn:a:b", true},
    {"uri", "a:", true},
    {"uri", "//host/p", false},
    {"uri", "http://a b/", false},
    {"uri", "http://a/%4", false},
    {"uri", "http://[::1", false},
    {"uri", "http://\xC3\xA4/", false},
    {"uri-reference", "", true},
    {"uri-reference", "../a?b", true},
    {"uri-reference", "a/b:c", true},
    {"uri-reference", "1a:b", false},
    {"iri", "http://\xC3\xA4/\xE2\x82\xAC", true},
    {"iri", "http://a/\xEE\x80\x80", false},  /* private characters */
    {"iri", "http://a/?\xEE\x80\x80", true}, /* only in queries */
    {"iri-reference", "\xC3\xA4", true},
    {"iri-reference", "\xC3\xA4<", false},
    {"uri-template", "http://a/{+b:3,c*}{?d.e}", true},
    {"uri-template", "{a", false},
    {"uri-template", "{a:0}", false},
    {"uri-template", "{=a}", false},
    {"uuid", "01234567-89ab-CDEF-0123-456789abcdef", true},
    {"uuid", "0123456789abcdef0123456789abcdef", false},
    {"json-pointer", "", true},
    {"json-pointer", "/a~1b/~0/", true},
    {"json-pointer", "a", false},
    {"json-pointer", "/~", false},
    {"relative-json-pointer", "0#", true},
    {"relative-json-pointer", "12/a", true},
    {"relative-json-pointer", "01", false},
    {"regex", "^(a|b)*[^a-z0-9-]{2,13}?$", true},
    {"regex", "(?<year>\\d{4})-(?:0[1-9]|1[0-2])", true},
    {"regex", "(?=a)\\bb\\p{Lu}\\u{1F600}", true},
    {"regex", "(((())))", true},
    {"regex", "", true},
    {"regex", "a.b", true},
    {"regex", "\\p{LM}", false},
    {"regex", "\\p{Lm}", true},
    {"regex", "a|", true},
    {"regex", "(", false},
    {"regex", "a)", false},
    {"regex", "a**", false},
    {"regex", "[b-a]", false},
    {"regex", "[--a", false},
    {"regex", "a{3,2}", false},
    {"regex", "a{13,12}", false},
    {"regex", "a{13,13}", true},
    {"regex", "a{", false},
    {"regex", "\\a", false},
    {"regex", "\\1", false},
    {"regex", "^*", false},
    {"regex", "(?<a>x)(?<a>y)", false},
    {"regex", "\\p{Latin}", false},
};

static gm_text *store(void)
{
    gm_text *text = NULL;
    CHECK(gm_text_create(NULL, NULL, &text, NULL) == GM_OK);
    return text;
}

static gm_term term_of(gm_text *text, const char *name)
{
    gm_term term = GM_TERM_NONE;
    gm_error error = {0};
    const gm_format *format = gm_format_find(gm_bytes_of(name));
    CHECK(format != NULL);
    CHECK(format != NULL && gm_text_format(text, format, &term, &error) == GM_OK);
    return term;
}

static bool matches(gm_text *text, gm_term term, const char *string)
{
    bool answer = false;
    CHECK(gm_text_matches(text, term, gm_bytes_of(string), &answer) == GM_OK);
    return answer;
}

static void fixed_texts_are_told_apart(void)
{
    gm_text *text = store();
    for (size_t i = 0; i < GM_COUNT_OF(samples); i++)
        if (matches(text, term_of(text, samples[i].format), samples[i].text) != samples[i].valid) {
            fprintf(stderr, "%s: %s\n", samples[i].format, samples[i].text);
            CHECK(!"as labelled");
        }
    gm_text_destroy(text);
}

static void unknown_names_are_no_formats(void)
{
    static const char *const unknown[] = {"", "color", "ip-address", "host-name", "dates", "DATE"};
    for (size_t i = 0; i < GM_COUNT_OF(unknown); i++)
        CHECK(gm_format_find(gm_bytes_of(unknown[i])) == NULL);
}

static void subsets_say_what_they_leave_out(void)
{
    static const char *const subsets[] = {"hostname", "idn-hostname", "regex", "relative-json-pointer"};
    for (size_t i = 0; i < GM_COUNT_OF(subsets); i++)
        CHECK(gm_format_find(gm_bytes_of(subsets[i]))->is_subset && gm_format_find(gm_bytes_of(subsets[i]))->note != NULL);
    CHECK(!gm_format_find(GM_BYTES("date"))->is_subset);
    CHECK(gm_format_find(GM_BYTES("hostname"))->most == 253);
}

static void a_format_is_made_once(void)
{
    gm_text *text = store();
    CHECK(term_of(text, "uri") == term_of(text, "uri"));
    gm_text_destroy(text);
}

/* ---- second opinions ---- */

static uint32_t seed = 12345;

static uint32_t below(uint32_t limit)
{
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed % limit;
}

static int days_in_month(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month - 1] + (month == 2 && leap);
}

static void dates_follow_the_calendar(void)
{
    gm_text *text = store();
    const gm_term date = term_of(text, "date"), date_time = term_of(text, "date-time");
    char string[64];
    for (int year = 0; year < 10000; year += 1 + (year > 420 && year < 1890) + 13 * (year > 2410))
        for (int month = 0; month <= 13; month++)
            for (int day = 0; day <= 32; day += day == 1 ? 26 : 1) {
                const bool valid = month >= 1 && month <= 12 && day >= 1 && day <= days_in_month(year, month);
                snprintf(string, sizeof string, "%04d-%02d-%02d", year, month, day);
                CHECK(matches(text, date, string) == valid);
                snprintf(string, sizeof string, "%04d-%02d-%02dT00:00:00Z", year, month, day);
                CHECK(matches(text, date_time, string) == valid);
            }
    gm_text_destroy(text);
}

/* Whether some date and this local time of day are 23:59 UTC of the last day of June or December. */
static bool is_leap(int days_after_end, int local, int offset)
{
    return local - offset + days_after_end * 1440 == 1439;
}

static void leap_seconds_are_the_last_of_june_and_december(void)
{
    gm_text *text = store();
    const gm_term time = term_of(text, "time"), date_time = term_of(text, "date-time");
    static const char *const days[] = {"2016-12-30", "2016-12-31", "2017-01-01", "2017-01-02"};
    char string[64];
    for (int i = 0; i < 200000; i++) {
        const int local = (int)below(1440), sign = below(2) == 0 ? 1 : -1, day = (int)below(4);
        int offset = (int)below(1440) * sign;
        if (below(2) == 0) /* mostly those that matter */
            offset = sign > 0 ? (local + 1) % 1440 : local - 1439;
        const int size = offset < 0 ? -offset : offset;
        const char direction = offset < 0 || (offset == 0 && sign < 0) ? '-' : '+';
        snprintf(string, sizeof string, "%02d:%02d:60%s%c%02d:%02d", local / 60, local % 60, i % 3 == 0 ? ".9" : "",
                 direction, size / 60, size % 60);
        CHECK(matches(text, time, string) == ((local - offset + 2 * 1440) % 1440 == 1439));
        snprintf(string, sizeof string, "%sT%02d:%02d:60%c%02d:%02d", days[day], local / 60, local % 60, direction,
                 size / 60, size % 60);
        CHECK(matches(text, date_time, string) == is_leap(day - 1, local, offset));
    }
    gm_text_destroy(text);
}

static void addresses_are_those_of_the_system(void)
{
    static const char *const parts[] = {":", "::", ":", "1", "ab", "ffff", "0", "12345", ".", "1.2.3.4", "255.0.0.1", "01.2.3.4", "1.2.3"};
    gm_text *text = store();
    const gm_term four = term_of(text, "ipv4"), six = term_of(text, "ipv6");
    unsigned char out[16];
    int valid = 0;
    for (int i = 0; i < 200000; i++) {
        char string[256] = "";
        const uint32_t count = 1 + below(17);
        for (uint32_t j = 0; j < count; j++) /* mostly groups and colons by turns */
            strcat(string, parts[below(8) == 0 ? below(GM_COUNT_OF(parts)) : (j + count) % 2 != 0 ? below(3) : 3 + below(3)]);
        const bool expected = inet_pton(AF_INET6, string, out) == 1;
        valid += expected;
        CHECK(matches(text, six, string) == expected);
        char dotted[64];
        snprintf(dotted, sizeof dotted, "%u.%u.%u%s%u", below(300), below(260), below(1000), below(9) ? "." : "", below(256));
        CHECK(matches(text, four, dotted) == (inet_pton(AF_INET, dotted, out) == 1));
    }
    CHECK(valid > 500);
    gm_text_destroy(text);
}

static void labels_and_names_have_their_length(void)
{
    gm_text *text = store();
    const gm_term host = term_of(text, "hostname"), idn = term_of(text, "idn-hostname");
    for (size_t length = 1; length < 300; length++) {
        char label[400] = "", name[400] = "";
        memset(label, 'a', length);
        for (size_t i = 0; i < length; i++)
            name[i] = i % 64 == 63 && i + 1 < length ? '.' : 'b';
        CHECK(matches(text, host, label) == (length <= 63));
        CHECK(matches(text, idn, label) == (length <= 63));
        if (length % 64 != 0)
            CHECK(matches(text, idn, name) == (length <= 253));
    }
    gm_text_destroy(text);
}

/* ---- no dead ends ---- */

static const char *const all[] = {"date",          "time",         "date-time",     "duration", "email",
                                  "idn-email",     "hostname",     "idn-hostname",  "ipv4",     "ipv6",
                                  "uri",           "uri-reference", "iri",          "iri-reference", "uri-template",
                                  "uuid",          "json-pointer", "relative-json-pointer", "regex"};

typedef GM_ARRAY(gm_term) terms;

static void add_once(terms *list, gm_term term)
{
    const gm_allocator allocator = gm_allocator_or_default(NULL);
    for (size_t i = list->count; i-- > 0;)
        if (list->items[i] == term)
            return;
    CHECK(GM_ARRAY_PUSH(&allocator, list, term));
}

static void add_targets(gm_text *text, gm_term term, terms *list)
{
    const gm_text_row *row = gm_text_row_of(text, term);
    for (int i = 0; i < 128; i++)
        if (row->ascii[i] != GM_TERM_NONE && (i == 0 || row->ascii[i] != row->ascii[i - 1]))
            add_once(list, row->ascii[i]);
    for (uint32_t i = 0; i < row->range_count; i++)
        if (i == 0 || row->ranges[i].to != row->ranges[i - 1].to)
            add_once(list, row->ranges[i].to);
}

static void free_terms(terms *list)
{
    const gm_allocator allocator = gm_allocator_or_default(NULL);
    GM_ARRAY_FREE(&allocator, list);
}

/* Depth first: ends are near, but states are many. */
static bool reaches_an_end(gm_text *text, gm_term from)
{
    const gm_allocator allocator = gm_allocator_or_default(NULL);
    terms seen = {0}, stack = {0};
    bool found = false;
    add_once(&stack, from);
    while (stack.count > 0 && !found && seen.count < 3000) {
        const gm_term term = stack.items[--stack.count];
        const size_t before = seen.count;
        add_once(&seen, term);
        found = gm_text_row_of(text, term)->accepts;
        terms targets = {0};
        if (seen.count > before)
            add_targets(text, term, &targets);
        for (size_t i = 0; i < targets.count; i++)
            CHECK(GM_ARRAY_PUSH(&allocator, &stack, targets.items[i]));
        free_terms(&targets);
    }
    free_terms(&seen);
    free_terms(&stack);
    return found;
}

/* A term that a random character leads to, rare ones as often as common ones; NONE at the end. */
static gm_term wander(gm_text *text, gm_term from)
{
    terms list = {0};
    add_targets(text, from, &list);
    const gm_term to = list.count == 0 ? (gm_term)GM_TERM_NONE : list.items[below((uint32_t)list.count)];
    free_terms(&list);
    return to;
}

static void every_state_reaches_an_end(void)
{
    for (size_t i = 0; i < GM_COUNT_OF(all); i++) {
        gm_text *text = store();
        const gm_term start = term_of(text, all[i]);
        const bool is_idn = strcmp(all[i], "idn-hostname") == 0;
        for (int walk = 0; walk < (is_idn ? 60 : 30); walk++) {
            gm_term term = start;
            for (int step = 0; step < (is_idn ? 40 : 60) && term != GM_TERM_NONE; step++) {
                if (!reaches_an_end(text, term)) {
                    fprintf(stderr, "%s\n", all[i]);
                    CHECK(!"has an end");
                }
                term = wander(text, term);
            }
        }
        gm_text_destroy(text);
    }
}

/* ---- lengths ---- */

static bool has(const gm_lengths *set, uint64_t length)
{
    return gm_lengths_meet(set, length, length);
}

static void lengths_are_those_that_a_walk_finds(void)
{
    static const char *const names[] = {"time", "date-time", "date", "ipv4", "uuid"};
    for (size_t i = 0; i < GM_COUNT_OF(names); i++) {
        gm_text *text = store();
        for (int walk = 0; walk < 12; walk++) {
            gm_term term = term_of(text, names[i]);
            const uint32_t steps = walk == 0 ? 0 : below(24);
            for (uint32_t step = 0; step < steps && term != GM_TERM_NONE; step++) {
                const gm_term next = wander(text, term);
                if (next != GM_TERM_NONE)
                    term = next;
            }
            const gm_lengths *lengths = NULL;
            CHECK(gm_text_lengths(text, term, &lengths, NULL) == GM_OK);
            terms layer = {0};
            add_once(&layer, term);
            for (uint64_t length = 0; length < 20 && layer.count < 400; length++) {
                bool accepts = false;
                terms next = {0};
                for (size_t j = 0; j < layer.count; j++) {
                    accepts = accepts || gm_text_row_of(text, layer.items[j])->accepts;
                    add_targets(text, layer.items[j], &next);
                }
                CHECK(has(lengths, length) == accepts);
                free_terms(&layer);
                layer = next;
            }
            free_terms(&layer);
        }
        gm_text_destroy(text);
    }
}

static void complements_and_intersections_hold(void)
{
    gm_text *text = store();
    gm_term pattern, both, neither;
    CHECK(gm_text_pattern(text, GM_BYTES("^2016-12-31T2"), &pattern, NULL) == GM_OK);
    CHECK(gm_text_and(text, term_of(text, "time"), term_of(text, "date"), &both, NULL) == GM_OK);
    CHECK(both == GM_TERM_NONE);
    CHECK(gm_text_and(text, term_of(text, "date-time"), pattern, &both, NULL) == GM_OK);
    CHECK(matches(text, both, "2016-12-31T23:59:60Z") && !matches(text, both, "2016-12-31T13:59:00Z"));
    CHECK(gm_text_not(text, term_of(text, "date-time"), &neither, NULL) == GM_OK);
    CHECK(matches(text, neither, "2016-12-31T23:58:60Z") && !matches(text, neither, "2016-12-31T23:59:60Z"));
    gm_text_destroy(text);
}

/* ---- memory and time ---- */

static void every_allocation_may_fail(void)
{
    for (size_t i = 0; i < GM_COUNT_OF(all); i++) {
        gm_status status = GM_OUT_OF_MEMORY;
        for (long budget = 0; status != GM_OK; budget += 1 + budget / 8) {
            failing_allocator state = {.budget = budget};
            const gm_allocator allocator = failing_allocator_of(&state);
            gm_text *text = NULL;
            gm_term term = GM_TERM_NONE;
            bool answer;
            gm_error error = {0};
            status = gm_text_create(&allocator, NULL, &text, &error);
            if (status == GM_OK)
                status = gm_text_format(text, gm_format_find(gm_bytes_of(all[i])), &term, &error);
            if (status == GM_OK)
                status = gm_text_matches(text, term, GM_BYTES("2016-12-31T23:59:60Z"), &answer);
            CHECK(status == GM_OK || status == GM_OUT_OF_MEMORY);
            gm_text_destroy(text);
            CHECK(state.live == 0);
        }
    }
}

static void making_one_is_quick(void)
{
    for (size_t i = 0; i < GM_COUNT_OF(all); i++) {
        gm_text *text = store();
        const size_t before = gm_text_memory(text);
        const clock_t start = clock();
        (void)term_of(text, all[i]);
        const double us = (double)(clock() - start) * 1e6 / CLOCKS_PER_SEC;
        printf("  %-22s %6.0f us %6zu KiB\n", all[i], us, (gm_text_memory(text) - before) / 1024);
        CHECK(us < 100000);
        gm_text_destroy(text);
    }
}

int main(void)
{
    RUN(fixed_texts_are_told_apart);
    RUN(unknown_names_are_no_formats);
    RUN(subsets_say_what_they_leave_out);
    RUN(a_format_is_made_once);
    RUN(dates_follow_the_calendar);
    RUN(leap_seconds_are_the_last_of_june_and_december);
    RUN(addresses_are_those_of_the_system);
    RUN(labels_and_names_have_their_length);
    RUN(every_state_reaches_an_end);
    RUN(lengths_are_those_that_a_walk_finds);
    RUN(complements_and_intersections_hold);
    RUN(every_allocation_may_fail);
    RUN(making_one_is_quick);
    return REPORT("test_formats");
}
