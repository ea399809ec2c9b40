/*
 * test_number_cases.c - number languages: known hard numbers, refusals, sizes, failing allocations
 * and threads. See test_number_language.c for the brute force.
 */
#include "number_problem.h"

#include <pthread.h>

/* ---- known numbers ---- */

enum { DEAD, ALIVE, MEMBER }; /* a member is alive as well; ALIVE means: not a member, but alive */

static int judge(gm_number *number, const problem *p, const char *text)
{
    gm_number_language language = 0;
    bool is_empty = false;
    gm_error error = {0};
    if (define(number, p, &language, &is_empty, &error) != GM_OK) {
        fprintf(stderr, "%s: %s\n", error.keyword, error.message);
        return -1;
    }
    gm_number_state state = gm_number_start(number, language);
    const gm_number_row *row = state != GM_NUMBER_DEAD ? gm_number_row_of(number, state) : NULL;
    for (; *text != '\0' && state != GM_NUMBER_DEAD; text++) {
        state = row->to[gm_number_class((uint8_t)*text)];
        row = state != GM_NUMBER_DEAD ? gm_number_row_of(number, state) : NULL;
    }
    return state == GM_NUMBER_DEAD ? DEAD : row->accepts ? MEMBER : ALIVE;
}

static bool empty(gm_number *number, const problem *p)
{
    gm_number_language language = 0;
    bool is_empty = false;
    CHECK(define(number, p, &language, &is_empty, NULL) == GM_OK);
    return is_empty;
}

static gm_status refusal(gm_number *number, const problem *p, const char *keyword)
{
    gm_number_language language = 77;
    bool is_empty = true;
    gm_error error = {0};
    const gm_status status = define(number, p, &language, &is_empty, &error);
    CHECK(status == GM_OK || (language == 77 && is_empty));
    CHECK(status == GM_OK || strcmp(error.keyword, keyword) == 0);
    CHECK(status == GM_OK || (error.status == status && error.pointer[0] == '\0' && error.message[0] != '\0'));
    return status;
}

#define JSON .plain = false
#define PLAIN .plain = true, .plain_integer = true

static void unconstrained_numbers_follow_the_json_grammar(void)
{
    gm_number *number = new_store(3);
    for (int plain = 0; plain < 2; plain++) {
        const problem p = {.plain = plain, .plain_integer = plain};
        CHECK(judge(number, &p, "") == ALIVE);
        CHECK(judge(number, &p, "1e400") == MEMBER);
        CHECK(judge(number, &p, "-0.000E-99999999999999999999999999999999") == MEMBER);
        CHECK(judge(number, &p, "0.1e") == ALIVE && judge(number, &p, "-") == ALIVE);
        CHECK(judge(number, &p, "01") == DEAD && judge(number, &p, ".5") == DEAD && judge(number, &p, "+1") == DEAD);
        CHECK(judge(number, &p, "1.e") == DEAD && judge(number, &p, "1ee") == DEAD && judge(number, &p, "1e1.") == DEAD);
        gm_number_language language = 0;
        bool is_empty = true;
        CHECK(define(number, &p, &language, &is_empty, NULL) == GM_OK && !is_empty);
        exploration x;
        explore(&x, number, gm_number_start(number, language));
        CHECK(x.count <= 10);
        explored(&x);
    }
    gm_number_destroy(number);
}

static void a_prefix_is_alive_only_if_it_can_become_an_allowed_number(void)
{
    gm_number *number = new_store(3);
    const problem open = {.minimum = "0", .maximum = "0.001", .exclusive_minimum = true, .exclusive_maximum = true, PLAIN};
    CHECK(judge(number, &open, "0.") == ALIVE && judge(number, &open, "0.000") == ALIVE);
    CHECK(judge(number, &open, "0.0009") == MEMBER && judge(number, &open, "0.001") == DEAD);
    CHECK(judge(number, &open, "-") == DEAD && judge(number, &open, "1") == DEAD);
    const problem natural = {.minimum = "0", PLAIN};
    CHECK(judge(number, &natural, "-") == ALIVE && judge(number, &natural, "-0") == MEMBER);
    CHECK(judge(number, &natural, "-0.0") == MEMBER && judge(number, &natural, "-0.01") == DEAD);
    CHECK(judge(number, &natural, "-1") == DEAD);
    const problem twelve = {.maximum = "12", JSON};
    CHECK(judge(number, &twelve, "12") == MEMBER && judge(number, &twelve, "12.00") == MEMBER);
    CHECK(judge(number, &twelve, "12.01") == ALIVE && judge(number, &twelve, "12.01e-1") == MEMBER);
    CHECK(judge(number, &twelve, "12e1") == DEAD && judge(number, &twelve, "12e0") == MEMBER);
    CHECK(judge(number, &twelve, "120") == ALIVE && judge(number, &twelve, "120e-1") == MEMBER);
    CHECK(judge(number, &twelve, "120e-") == ALIVE && judge(number, &twelve, "120e+") == DEAD);
    const problem plain_twelve = {.maximum = "12", PLAIN};
    CHECK(judge(number, &plain_twelve, "12") == MEMBER && judge(number, &plain_twelve, "12.0") == MEMBER);
    CHECK(judge(number, &plain_twelve, "12.") == ALIVE && judge(number, &plain_twelve, "12.01") == DEAD);
    CHECK(judge(number, &plain_twelve, "120") == DEAD && judge(number, &plain_twelve, "12e") == DEAD);
    const problem integer = {.integer = true, JSON};
    CHECK(judge(number, &integer, "1.5") == ALIVE && judge(number, &integer, "1.5e") == ALIVE);
    CHECK(judge(number, &integer, "1.5e1") == MEMBER && judge(number, &integer, "1.5e0") == ALIVE);
    CHECK(judge(number, &integer, "1.5e00") == ALIVE && judge(number, &integer, "1.5e000") == DEAD);
    CHECK(judge(number, &integer, "1.0") == MEMBER && judge(number, &integer, "15e-") == ALIVE);
    CHECK(judge(number, &integer, "15e-0") == MEMBER && judge(number, &integer, "15e-1") == DEAD);
    CHECK(judge(number, &integer, "1e400") == MEMBER && judge(number, &integer, "1e4000") == DEAD);
    const problem plain_integer = {.integer = true, PLAIN};
    CHECK(judge(number, &plain_integer, "-0") == MEMBER && judge(number, &plain_integer, "1.") == DEAD);
    CHECK(judge(number, &plain_integer, "1e") == DEAD && judge(number, &plain_integer, "123456789012345678901234567890") == MEMBER);
    gm_number_destroy(number);
}

static void a_constant_has_all_its_spellings_and_no_other(void)
{
    gm_number *number = new_store(3);
    const problem one = {.has_values = true, .values = {"1"}, .value_count = 1, JSON};
    static const char *const ones[] = {"1", "1.0", "1.000", "10e-1", "0.1e1", "0.1E+1", "1e0", "1e-000", "0.001e3", "1000e-3"};
    for (size_t i = 0; i < GM_COUNT_OF(ones); i++)
        CHECK(judge(number, &one, ones[i]) == MEMBER);
    CHECK(judge(number, &one, "1e1") == DEAD && judge(number, &one, "11") == DEAD && judge(number, &one, "-1") == DEAD);
    CHECK(judge(number, &one, "0.01e1") == DEAD && judge(number, &one, "1e0000") == DEAD && judge(number, &one, "-") == DEAD);
    const problem hundred = {.has_values = true, .values = {"100"}, .value_count = 1, JSON};
    CHECK(judge(number, &hundred, "1E+2") == MEMBER && judge(number, &hundred, "1E+02") == MEMBER);

    const problem many_zeros = {.has_values = true, .values = {"5.6"}, .value_count = 1, JSON};
    char text[2048];
    memset(text, '0', sizeof text);
    memcpy(text, "56", 2);
    text[1000] = '\0'; /* 5.6 = 56(998 zeros)e-999 */
    CHECK(judge(number, &many_zeros, text) == ALIVE);
    text[1000] = '0';
    memcpy(text + 1000, "e-999", 6);
    CHECK(judge(number, &many_zeros, text) == MEMBER);
    memset(text + 1000, '0', 6);
    text[1001] = '\0';
    CHECK(judge(number, &many_zeros, text) == DEAD);
    text[1001] = '0';
    text[1202] = '\0';
    CHECK(judge(number, &many_zeros, text) == DEAD);

    const problem great = {.has_values = true, .values = {"1e400"}, .value_count = 1, PLAIN};
    memset(text, '0', sizeof text);
    text[0] = '1';
    text[401] = '\0';
    CHECK(judge(number, &great, text) == MEMBER);
    text[400] = '\0';
    CHECK(judge(number, &great, text) == ALIVE);
    CHECK(judge(number, &great, "1e") == DEAD && judge(number, &great, "10.") == DEAD);
    const problem great_json = {.has_values = true, .values = {"1e400"}, .value_count = 1, JSON};
    CHECK(judge(number, &great_json, "1e400") == MEMBER && judge(number, &great_json, "0.001e403") == MEMBER);
    CHECK(judge(number, &great_json, "1e40") == ALIVE && judge(number, &great_json, "1e401") == DEAD);
    const problem zero = {.has_values = true, .values = {"-0.0e9999999999999999999999"}, .value_count = 1, JSON};
    CHECK(judge(number, &zero, "0") == MEMBER && judge(number, &zero, "-0.00e+99") == MEMBER && judge(number, &zero, "1") == DEAD);
    gm_number_destroy(number);
}

static void bounds_go_far_beyond_doubles(void)
{
    gm_number *number = new_store(3);
    const problem p = {.minimum = "9223372036854775808", .integer = true, PLAIN};
    CHECK(judge(number, &p, "9223372036854775807") == ALIVE && judge(number, &p, "9223372036854775808") == MEMBER);
    CHECK(judge(number, &p, "92233720368547758070") == MEMBER && judge(number, &p, "1") == ALIVE);
    CHECK(judge(number, &p, "0") == DEAD && judge(number, &p, "-") == DEAD);
    const problem q = {.maximum = "18446744073709551615", .minimum = "-1e308", JSON};
    CHECK(judge(number, &q, "18446744073709551615") == MEMBER && judge(number, &q, "18446744073709551616") == ALIVE);
    CHECK(judge(number, &q, "18446744073709551616e-1") == MEMBER && judge(number, &q, "18446744073709551616e0") == DEAD);
    CHECK(judge(number, &q, "18446744073709551616e-0") == ALIVE && judge(number, &q, "18446744073709551616e-000") == DEAD);
    CHECK(judge(number, &q, "18446744073709551616e1") == DEAD && judge(number, &q, "-1e308") == MEMBER);
    CHECK(judge(number, &q, "-1.0000000000000000000000001e308") == DEAD && judge(number, &q, "-9e999") == DEAD);
    const problem r = {.minimum = "1e308", .exclusive_minimum = true, JSON};
    CHECK(judge(number, &r, "1e308") == DEAD && judge(number, &r, "1.0000000000000000001e308") == MEMBER);
    CHECK(judge(number, &r, "1e309") == MEMBER && judge(number, &r, "1e30") == ALIVE);
    const problem s = {.minimum = "9007199254740993", .maximum = "9007199254740993", PLAIN};
    CHECK(judge(number, &s, "9007199254740993") == MEMBER && judge(number, &s, "9007199254740992") == DEAD);
    CHECK(judge(number, &s, "9007199254740993.0") == MEMBER && judge(number, &s, "9007199254740993.01") == DEAD);
    gm_number_destroy(number);
}

static void multiples_are_exact(void)
{
    gm_number *number = new_store(3);
    const problem cents = {.multiples = {"0.01"}, .multiple_count = 1, PLAIN};
    CHECK(judge(number, &cents, "19.99") == MEMBER && judge(number, &cents, "19.990") == MEMBER);
    CHECK(judge(number, &cents, "19.991") == DEAD && judge(number, &cents, "1000000000000000000.01") == MEMBER);
    CHECK(judge(number, &cents, "1000000000000000000") == MEMBER);
    const problem json_cents = {.multiples = {"0.01"}, .multiple_count = 1, JSON};
    CHECK(judge(number, &json_cents, "1e18") == MEMBER && judge(number, &json_cents, "19.99") == MEMBER);
    CHECK(judge(number, &json_cents, "19.991") == ALIVE && judge(number, &json_cents, "19.991e1") == MEMBER);
    CHECK(judge(number, &json_cents, "1e-2") == MEMBER && judge(number, &json_cents, "1e-3") == DEAD);
    CHECK(judge(number, &json_cents, "10e-3") == MEMBER);
    const problem small = {.multiples = {"1e-8"}, .multiple_count = 1, JSON};
    CHECK(judge(number, &small, "12391239123") == MEMBER && judge(number, &small, "1e-8") == MEMBER);
    CHECK(judge(number, &small, "1.5e-8") == DEAD && judge(number, &small, "0.00000001") == MEMBER);
    const problem odd = {.multiples = {"0.123456789"}, .multiple_count = 1, JSON};
    CHECK(judge(number, &odd, "1e308") == DEAD); /* no multiple, and more exponent digits do not help */
    CHECK(judge(number, &odd, "1e30") == DEAD && judge(number, &odd, "123456789e300") == MEMBER);
    const problem odd_integer = {.multiples = {"0.123456789"}, .multiple_count = 1, .integer = true, JSON};
    CHECK(judge(number, &odd_integer, "1e308") == DEAD && judge(number, &odd_integer, "123456789") == MEMBER);
    const problem both = {.multiples = {"6", "4", "0.3"}, .multiple_count = 3, PLAIN};
    CHECK(judge(number, &both, "12") == MEMBER && judge(number, &both, "6") == ALIVE && judge(number, &both, "60") == MEMBER);
    CHECK(judge(number, &both, "6.") == DEAD && judge(number, &both, "-24.00") == MEMBER);
    const problem half = {.multiples = {"0.5"}, .multiple_count = 1, .integer = true, PLAIN};
    CHECK(judge(number, &half, "7") == MEMBER && judge(number, &half, "7.") == DEAD);
    const problem large = {.multiples = {"9223372036854775807"}, .multiple_count = 1, .integer = true, PLAIN};
    CHECK(judge(number, &large, "9223372036854775807") == MEMBER && judge(number, &large, "18446744073709551614") == MEMBER);
    CHECK(judge(number, &large, "18446744073709551615") == ALIVE);
    const problem bounded = {.multiples = {"9223372036854775807"}, .multiple_count = 1, .minimum = "1", .maximum = "2e19", PLAIN};
    CHECK(judge(number, &bounded, "18446744073709551614") == MEMBER && judge(number, &bounded, "18446744073709551615") == DEAD);
    CHECK(judge(number, &bounded, "2") == DEAD && judge(number, &bounded, "9") == ALIVE && judge(number, &bounded, "93") == DEAD);
    const problem huge = {.multiples = {"1e300"}, .multiple_count = 1, JSON};
    CHECK(judge(number, &huge, "1e300") == MEMBER && judge(number, &huge, "1e299") == DEAD && judge(number, &huge, "10e299") == MEMBER);
    gm_number_destroy(number);
}

static void what_is_no_multiple_is_exact(void)
{
    gm_number *number = new_store(3);
    const problem no_integer = {.not_multiples = {"1"}, .not_multiple_count = 1, JSON};
    static const char *const integers[] = {"0", "-0.0", "3", "3.0", "1e2", "12.50e1", "0.0e-3", "500e-2", "-7"};
    for (size_t i = 0; i < GM_COUNT_OF(integers); i++)
        CHECK(judge(number, &no_integer, integers[i]) != MEMBER);
    CHECK(judge(number, &no_integer, "0") == ALIVE && judge(number, &no_integer, "3.0") == ALIVE);
    CHECK(judge(number, &no_integer, "1e2") == DEAD && judge(number, &no_integer, "0.0e") == DEAD);
    CHECK(judge(number, &no_integer, "500e-2") == ALIVE && judge(number, &no_integer, "500e-3") == MEMBER);
    CHECK(judge(number, &no_integer, "3.5") == MEMBER && judge(number, &no_integer, "3.5e1") == DEAD);
    CHECK(judge(number, &no_integer, "1e-1") == MEMBER && judge(number, &no_integer, "1e+") == DEAD);
    CHECK(judge(number, &no_integer, "1.25e1") == MEMBER && judge(number, &no_integer, "1.25e2") == DEAD);
    const problem plain = {.not_multiples = {"1"}, .not_multiple_count = 1, PLAIN};
    CHECK(judge(number, &plain, "3") == ALIVE && judge(number, &plain, "3.") == ALIVE && judge(number, &plain, "3.0") == ALIVE);
    CHECK(judge(number, &plain, "3.01") == MEMBER && judge(number, &plain, "3e") == DEAD);
    const problem odd = {.integer = true, .not_multiples = {"2"}, .not_multiple_count = 1, PLAIN};
    CHECK(judge(number, &odd, "2") == ALIVE && judge(number, &odd, "21") == MEMBER && judge(number, &odd, "0") == DEAD);
    const problem tens = {.multiples = {"99"}, .multiple_count = 1, .not_multiples = {"990"}, .not_multiple_count = 1, PLAIN};
    CHECK(judge(number, &tens, "99") == MEMBER && judge(number, &tens, "990") == ALIVE && judge(number, &tens, "9900") == ALIVE);
    CHECK(judge(number, &tens, "9909") == ALIVE && judge(number, &tens, "0.") == DEAD);
    const problem sieve = {.integer = true, .not_multiples = {"2", "3", "5", "7"}, .not_multiple_count = 4,
                           .minimum = "2", .maximum = "12", PLAIN};
    CHECK(judge(number, &sieve, "11") == MEMBER && judge(number, &sieve, "1") == ALIVE && judge(number, &sieve, "2") == DEAD);
    CHECK(judge(number, &sieve, "10") == DEAD && judge(number, &sieve, "-") == DEAD);
    const problem marked = {.marked = true, .integer = true, JSON};
    CHECK(judge(number, &marked, "3") == ALIVE && judge(number, &marked, "3.0") == MEMBER && judge(number, &marked, "3e0") == MEMBER);
    gm_number_destroy(number);
}

static void emptiness_is_decided_exactly(void)
{
    gm_number *number = new_store(3);
    CHECK(empty(number, &(problem){.integer = true, .minimum = "0", .maximum = "1", .exclusive_minimum = true, .exclusive_maximum = true}));
    CHECK(!empty(number, &(problem){.integer = true, .minimum = "0", .maximum = "1", .exclusive_minimum = true}));
    CHECK(empty(number, &(problem){.multiples = {"7"}, .multiple_count = 1, .minimum = "1", .maximum = "6"}));
    CHECK(!empty(number, &(problem){.multiples = {"7"}, .multiple_count = 1, .minimum = "1", .maximum = "7"}));
    CHECK(empty(number, &(problem){.multiples = {"7"}, .multiple_count = 1, .minimum = "1", .maximum = "7", .excluded = {"70e-1"}, .excluded_count = 1}));
    CHECK(empty(number, &(problem){.minimum = "5", .maximum = "4"}));
    CHECK(empty(number, &(problem){.minimum = "5", .maximum = "5", .exclusive_maximum = true}));
    CHECK(empty(number, &(problem){.minimum = "5", .maximum = "5", .exclusive_minimum = true}));
    CHECK(empty(number, &(problem){.minimum = "-5", .maximum = "-5", .exclusive_minimum = true}));
    CHECK(empty(number, &(problem){.minimum = "-5", .maximum = "-5", .exclusive_maximum = true}));
    CHECK(empty(number, &(problem){.minimum = "0", .maximum = "0", .exclusive_maximum = true}));
    CHECK(empty(number, &(problem){.minimum = "5", .maximum = "5.0", .excluded = {"0.5e1"}, .excluded_count = 1}));
    CHECK(!empty(number, &(problem){.minimum = "5", .maximum = "5.0"}));
    CHECK(empty(number, &(problem){.has_values = true}));
    CHECK(empty(number, &(problem){.has_values = true, .values = {"1.5", "2.5"}, .value_count = 2, .integer = true}));
    CHECK(!empty(number, &(problem){.has_values = true, .values = {"1.5", "20e-1"}, .value_count = 2, .integer = true}));
    CHECK(empty(number, &(problem){.has_values = true, .values = {"1", "2"}, .value_count = 2, .excluded = {"1.0", "2.0"}, .excluded_count = 2}));
    CHECK(!empty(number, &(problem){.minimum = "-0.0", .maximum = "0"}));
    CHECK(empty(number, &(problem){.minimum = "-0.0", .maximum = "0", .excluded = {"0e5"}, .excluded_count = 1}));
    CHECK(empty(number, &(problem){.minimum = "1e-400", .maximum = "2e-400", .integer = true}));
    CHECK(empty(number, &(problem){.multiples = {"7"}, .multiple_count = 1, .minimum = "-13", .maximum = "-8"}));
    CHECK(empty(number, &(problem){.multiples = {"2"}, .multiple_count = 1, .not_multiples = {"1"}, .not_multiple_count = 1}));
    CHECK(empty(number, &(problem){.integer = true, .not_multiples = {"0.5", "3"}, .not_multiple_count = 2}));
    CHECK(empty(number, &(problem){.integer = true, .not_multiples = {"2", "3"}, .not_multiple_count = 2, .minimum = "2", .maximum = "4"}));
    CHECK(!empty(number, &(problem){.integer = true, .not_multiples = {"2", "3"}, .not_multiple_count = 2, .minimum = "2", .maximum = "5"}));
    CHECK(empty(number, &(problem){.integer = true, .not_multiples = {"2", "3"}, .not_multiple_count = 2, .minimum = "2", .maximum = "5",
                                   .excluded = {"5.0"}, .excluded_count = 1}));
    CHECK(empty(number, &(problem){.minimum = "3", .maximum = "3", .not_multiples = {"1"}, .not_multiple_count = 1}));
    CHECK(!empty(number, &(problem){.minimum = "3", .maximum = "3.000001", .not_multiples = {"1"}, .not_multiple_count = 1}));
    CHECK(empty(number, &(problem){.has_values = true, .values = {"1", "20e-1"}, .value_count = 2, .not_multiples = {"1"}, .not_multiple_count = 1}));
    CHECK(empty(number, &(problem){.minimum = "-0.0", .maximum = "0", .not_multiples = {"7"}, .not_multiple_count = 1}));
    CHECK(empty(number, &(problem){.integer = true, .plain_integer = true, .marked = true}));
    gm_number_destroy(number);
}

static void what_is_too_large_is_refused_by_keyword(void)
{
    gm_number *number = new_store(3);
    CHECK(refusal(number, &(problem){.multiples = {"9223372036854775808"}, .multiple_count = 1}, "multipleOf") == GM_LIMIT);
    CHECK(refusal(number, &(problem){.multiples = {"3037000507", "3037000493"}, .multiple_count = 2}, "multipleOf") == GM_LIMIT);
    CHECK(refusal(number, &(problem){.multiples = {"3037000500", "3037000500.0"}, .multiple_count = 2}, "multipleOf") == GM_OK);
    CHECK(refusal(number, &(problem){.has_values = true, .values = {"1e5000"}, .value_count = 1, PLAIN}, "const") == GM_LIMIT);
    CHECK(refusal(number, &(problem){.has_values = true, .values = {"1", "1e-5000"}, .value_count = 2, PLAIN}, "enum") == GM_LIMIT);
    CHECK(refusal(number, &(problem){.has_values = true, .values = {"1e5000"}, .value_count = 1, JSON}, "const") == GM_OK);
    CHECK(refusal(number, &(problem){.minimum = "1e5000", PLAIN}, "minimum") == GM_LIMIT);
    CHECK(refusal(number, &(problem){.maximum = "-1e5000", .exclusive_maximum = true, PLAIN}, "exclusiveMaximum") == GM_LIMIT);
    CHECK(refusal(number, &(problem){.maximum = "1e5000", PLAIN}, "maximum") == GM_OK);
    CHECK(refusal(number, &(problem){.minimum = "0", .exclusive_minimum = true, .maximum = "1e-5000", PLAIN}, "maximum") == GM_LIMIT);
    CHECK(refusal(number, &(problem){.multiples = {"1e5000"}, .multiple_count = 1, PLAIN}, "multipleOf") == GM_LIMIT);
    CHECK(refusal(number, &(problem){.multiples = {"0"}, .multiple_count = 1}, "multipleOf") == GM_INVALID_ARGUMENT);
    CHECK(refusal(number, &(problem){.multiples = {"-2"}, .multiple_count = 1}, "multipleOf") == GM_INVALID_ARGUMENT);
    CHECK(refusal(number, &(problem){.not_multiples = {"3037000507", "3037000493", "7"}, .not_multiple_count = 3}, "multipleOf") == GM_LIMIT);
    CHECK(refusal(number, &(problem){.integer = true, .not_multiples = {"0"}, .not_multiple_count = 1}, "multipleOf") == GM_INVALID_ARGUMENT);
    CHECK(refusal(number, &(problem){.not_multiples = {"1", "1e-5000"}, .not_multiple_count = 2}, "multipleOf") == GM_OK);
    CHECK(refusal(number, &(problem){.not_multiples = {"7"}, .multiples = {"3e-5001"}, .multiple_count = 1, .not_multiple_count = 1}, "multipleOf") == GM_LIMIT);
    CHECK(refusal(number, &(problem){.minimum = "01"}, "minimum") == GM_INVALID_ARGUMENT);
    CHECK(refusal(number, &(problem){.maximum = "1e99999999999999999999", PLAIN}, "maximum") == GM_LIMIT);
    CHECK(refusal(number, &(problem){.maximum = "1e1000000", .multiples = {"7"}, .multiple_count = 1, PLAIN}, "maximum") == GM_LIMIT);
    gm_number_destroy(number);
    const gm_number_limits too_long = {.max_exponent_digits = 16, .max_modulus = 100};
    number = NULL;
    CHECK(gm_number_create(NULL, &too_long, &number, NULL) == GM_INVALID_ARGUMENT && number == NULL);
    const gm_number_limits small = {.max_exponent_digits = 1, .max_modulus = 100};
    CHECK(gm_number_create(NULL, &small, &number, NULL) == GM_OK);
    CHECK(refusal(number, &(problem){.multiples = {"101"}, .multiple_count = 1}, "multipleOf") == GM_LIMIT);
    CHECK(refusal(number, &(problem){.multiples = {"1000"}, .multiple_count = 1}, "multipleOf") == GM_OK);
    gm_number_destroy(number);
}

static void equal_constraints_are_one_language(void)
{
    gm_number *number = new_store(3);
    gm_number_language a = 0, b = 1, c = 2;
    bool is_empty = true;
    CHECK(define(number, &(problem){.minimum = "0", .maximum = "150", .integer = true, PLAIN}, &a, &is_empty, NULL) == GM_OK && !is_empty);
    CHECK(define(number, &(problem){.minimum = "-0.0", .maximum = "1.5e2", .integer = true, PLAIN}, &b, &is_empty, NULL) == GM_OK);
    CHECK(define(number, &(problem){.minimum = "-1", .exclusive_minimum = true, .maximum = "150.7", .multiples = {"1"}, .multiple_count = 1, .integer = true, PLAIN}, &c, &is_empty, NULL) == GM_OK);
    CHECK(a == b && a == c);
    CHECK(define(number, &(problem){.integer = true, .not_multiples = {"2", "3", "12"}, .not_multiple_count = 3, PLAIN}, &b, &is_empty, NULL) == GM_OK);
    CHECK(define(number, &(problem){.integer = true, .not_multiples = {"1.5", "0.4"}, .not_multiple_count = 2, PLAIN}, &c, &is_empty, NULL) == GM_OK);
    CHECK(b == c);
    const size_t before = gm_number_memory(number);
    for (int i = 0; i < 100; i++)
        CHECK(define(number, &(problem){.minimum = "0", .maximum = "150", .integer = true, PLAIN}, &b, &is_empty, NULL) == GM_OK && b == a);
    CHECK(gm_number_memory(number) == before);
    gm_number_destroy(number);
}

static size_t states_of(gm_number *number, const problem *p, bool *complete)
{
    gm_number_language language = 0;
    bool is_empty = true;
    CHECK(define(number, p, &language, &is_empty, NULL) == GM_OK && !is_empty);
    exploration x;
    explore(&x, number, gm_number_start(number, language));
    const size_t count = (size_t)x.count;
    *complete = x.complete;
    explored(&x);
    return count;
}

static void common_languages_have_few_states(void)
{
    static const struct {
        problem problem;
        size_t most;
    } cases[] = {
        {{.minimum = "0", PLAIN}, 9},
        {{.minimum = "0", JSON}, 18},
        {{.integer = true, PLAIN}, 4},
        {{.integer = true, .minimum = "0", .maximum = "150", PLAIN}, 14},
        {{.integer = true, .minimum = "-2147483648", .maximum = "2147483647", PLAIN}, 64},
        {{.minimum = "-90", .maximum = "90", PLAIN}, 20},
        {{.multiples = {"0.01"}, .multiple_count = 1, PLAIN}, 12},
        {{.multiples = {"5"}, .multiple_count = 1, .integer = true, PLAIN}, 8},
        {{.multiples = {"1000"}, .multiple_count = 1, .integer = true, PLAIN}, 14},
        {{.multiples = {"0.5"}, .multiple_count = 1, PLAIN}, 12},
        {{.not_multiples = {"1"}, .not_multiple_count = 1, PLAIN}, 9},
        {{.integer = true, .not_multiples = {"5"}, .not_multiple_count = 1, PLAIN}, 9},
    };
    gm_number *number = new_store(3);
    for (size_t i = 0; i < GM_COUNT_OF(cases); i++) {
        bool complete = false;
        const size_t count = states_of(number, &cases[i].problem, &complete);
        if (count > cases[i].most) {
            fprintf(stderr, "%zu states, expected at most %zu\n", count, cases[i].most);
            print_problem(&cases[i].problem, 3);
        }
        CHECK(complete && count <= cases[i].most);
    }
    gm_number_destroy(number);
}

static void thousands_of_values_work(void)
{
    enum { COUNT = 3000 };
    static char texts[COUNT][32];
    gm_bytes *values = malloc(COUNT * sizeof *values);
    for (int i = 0; i < COUNT; i++) {
        snprintf(texts[i], sizeof texts[i], i % 3 == 0 ? "%d" : i % 3 == 1 ? "%d.5" : "-%de-3", i * 7);
        values[i] = gm_bytes_of(texts[i]);
    }
    gm_number *number = new_store(2);
    for (int mode = 0; mode < 4; mode++) {
        const gm_number_constraints c = {.values = values, .value_count = COUNT, .has_values = true, .plain = mode & 1};
        const gm_number_constraints not_c = {.excluded = values, .excluded_count = COUNT, .plain = mode & 1, .integer = mode & 2};
        gm_number_language language = 0;
        bool is_empty = true;
        CHECK(gm_number_define(number, mode & 2 ? &not_c : &c, &language, &is_empty, NULL) == GM_OK && !is_empty);
        for (int i = 0; i < COUNT; i += 13) {
            char text[32];
            memcpy(text, texts[i], sizeof text);
            if (i % 3 == 2)
                snprintf(text, sizeof text, "-%d.%03d", i * 7 / 1000, i * 7 % 1000);
            gm_number_state state = gm_number_start(number, language);
            for (const char *at = text; *at != '\0' && state != GM_NUMBER_DEAD; at++)
                state = gm_number_row_of(number, state)->to[gm_number_class((uint8_t)*at)];
            const bool member = state != GM_NUMBER_DEAD && gm_number_row_of(number, state)->accepts;
            CHECK(member == !(mode & 2));
        }
    }
    gm_number_destroy(number);
    free(values);
}

/* ---- failing allocations, threads ---- */

static bool run_text(gm_number *number, gm_number_state state, const char *text, bool *accepts)
{
    for (;; text++) {
        const gm_number_row *row = gm_number_row_of(number, state);
        if (row == NULL)
            return false;
        *accepts = row->accepts;
        if (*text == '\0')
            return true;
        state = row->to[gm_number_class((uint8_t)*text)];
        CHECK(state != GM_NUMBER_DEAD);
    }
}

static void every_allocation_may_fail(void)
{
    static const problem problems[] = {
        {.minimum = "1", .maximum = "123456", .multiples = {"0.07"}, .multiple_count = 1, .excluded = {"7", "7000", "14"}, .excluded_count = 3, JSON},
        {.has_values = true, .values = {"7", "-1.5", "70", "-0.007"}, .value_count = 4, JSON},
        {.minimum = "1", .multiples = {"0.07"}, .multiple_count = 1, .not_multiples = {"4", "0.21"}, .not_multiple_count = 2, JSON},
    };
    for (size_t which = 0; which < GM_COUNT_OF(problems); which++) {
        bool succeeded = false;
        for (long budget = 0; budget < 400 && !succeeded; budget++) {
            failing_allocator state = {.budget = budget};
            const gm_allocator allocator = failing_allocator_of(&state);
            const gm_number_limits limits = {.max_exponent_digits = 3, .max_modulus = INT64_MAX};
            gm_number *number = NULL;
            gm_error error = {0};
            gm_number_language language = 99;
            bool is_empty = true, accepts = false;
            if (gm_number_create(&allocator, &limits, &number, &error) != GM_OK) {
                CHECK(number == NULL && error.status == GM_OUT_OF_MEMORY && state.live == 0);
                continue;
            }
            gm_status status = define(number, &problems[which], &language, &is_empty, &error);
            if (status != GM_OK) {
                CHECK(status == GM_OUT_OF_MEMORY && language == 99);
                state.budget = -1; /* the next call may succeed */
                CHECK(define(number, &problems[which], &language, &is_empty, &error) == GM_OK && !is_empty);
                state.budget = 0;
            }
            succeeded = status == GM_OK && run_text(number, gm_number_start(number, language), "0.70e2", &accepts);
            state.budget = -1;
            CHECK(run_text(number, gm_number_start(number, language), "0.0070e4", &accepts) && accepts);
            gm_number_destroy(number);
            CHECK(state.live == 0);
        }
        CHECK(succeeded);
    }
}

typedef struct worker {
    gm_number *number;
    uint32_t seed;
    uint64_t digest;
} worker;

static void *work(void *context)
{
    worker *w = context;
    static const problem problems[] = {
        {.minimum = "-12.5", .maximum = "999", .multiples = {"0.7"}, .multiple_count = 1, JSON},
        {.integer = true, .minimum = "0", .maximum = "150", PLAIN},
        {.has_values = true, .values = {"1", "12", "-3.5"}, .value_count = 3, JSON},
        {.minimum = "0", PLAIN},
    };
    uint32_t seed = 1; /* the same walks on every thread */
    for (int i = 0; i < 3000; i++) {
        gm_number_language language = 0;
        bool is_empty = true;
        define(w->number, &problems[(i + w->seed) % GM_COUNT_OF(problems)], &language, &is_empty, NULL);
        define(w->number, &problems[i % GM_COUNT_OF(problems)], &language, &is_empty, NULL);
        gm_number_state state = gm_number_start(w->number, language);
        for (int step = 0; step < 12; step++) {
            const gm_number_row *row = gm_number_row_of(w->number, state);
            int c = (int)(seed >> 16) % GM_NUMBER_CLASSES;
            seed = seed * 1664525u + 1013904223u;
            for (int k = 0; k < GM_NUMBER_CLASSES && row->to[c] == GM_NUMBER_DEAD; k++)
                c = (c + 1) % GM_NUMBER_CLASSES;
            w->digest = w->digest * 31 + (uint64_t)c * 2 + row->accepts;
            if (row->to[c] == GM_NUMBER_DEAD)
                break;
            state = row->to[c];
        }
    }
    return NULL;
}

static void threads_see_what_one_thread_sees(void)
{
    enum { THREADS = 4 };
    gm_number *alone = new_store(3), *shared = new_store(3);
    worker reference = {.number = alone};
    work(&reference);
    worker workers[THREADS];
    pthread_t threads[THREADS];
    for (uint32_t i = 0; i < THREADS; i++) {
        workers[i] = (worker){.number = shared, .seed = i};
        pthread_create(&threads[i], NULL, work, &workers[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        CHECK(workers[i].digest == reference.digest);
    }
    gm_number_destroy(alone);
    gm_number_destroy(shared);
}

int main(void)
{
    RUN(unconstrained_numbers_follow_the_json_grammar);
    RUN(a_prefix_is_alive_only_if_it_can_become_an_allowed_number);
    RUN(a_constant_has_all_its_spellings_and_no_other);
    RUN(bounds_go_far_beyond_doubles);
    RUN(multiples_are_exact);
    RUN(what_is_no_multiple_is_exact);
    RUN(emptiness_is_decided_exactly);
    RUN(what_is_too_large_is_refused_by_keyword);
    RUN(equal_constraints_are_one_language);
    RUN(common_languages_have_few_states);
    RUN(thousands_of_values_work);
    RUN(every_allocation_may_fail);
    RUN(threads_see_what_one_thread_sees);
    return REPORT("test_number_cases");
}
