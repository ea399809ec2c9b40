/*
 * test_decimal.c - exact decimals against 64-bit integers, and long ones against their own laws.
 */
#include "base/decimal.h"
#include "check.h"

static uint32_t random_state = 99;

static uint32_t random_below(uint32_t bound)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)(random_state >> 4) * bound) >> 28);
}

static gm_decimal parsed(const char *text)
{
    gm_decimal d = {0};
    CHECK(gm_decimal_parse(gm_bytes_of(text), &d) == GM_OK);
    return d;
}

/* ---- reading ---- */

static bool is_json_number(const char *at)
{
    at += *at == '-';
    if (*at == '0')
        at++;
    else if (*at >= '1' && *at <= '9')
        at += strspn(at, "0123456789");
    else
        return false;
    if (*at == '.') {
        const size_t digits = strspn(at + 1, "0123456789");
        if (digits == 0)
            return false;
        at += digits + 1;
    }
    if (*at == 'e' || *at == 'E') {
        at++;
        at += *at == '+' || *at == '-';
        const size_t digits = strspn(at, "0123456789");
        if (digits == 0)
            return false;
        at += digits;
    }
    return *at == '\0';
}

static void just_json_numbers_are_read(void)
{
    static const char alphabet[] = "012-+.eE";
    enum { LETTERS = sizeof alphabet - 1, LONGEST = 5 };
    for (int length = 0, texts = 1; length <= LONGEST; length++, texts *= LETTERS)
        for (int n = 0; n < texts; n++) {
            char text[LONGEST + 1] = {0};
            for (int i = 0, rest = n; i < length; i++, rest /= LETTERS)
                text[i] = alphabet[rest % LETTERS];
            gm_decimal d;
            CHECK((gm_decimal_parse((gm_bytes){text, (size_t)length}, &d) == GM_OK) == is_json_number(text));
        }
}

static void equal_values_have_one_form(void)
{
    static const char *const ones[] = {"1", "1.0", "10e-1", "0.1e1", "0.001E+3", "100000e-5", "1e0", "1.000e-000"};
    const gm_decimal one = parsed("1");
    for (size_t i = 0; i < GM_COUNT_OF(ones); i++) {
        const gm_decimal d = parsed(ones[i]);
        CHECK(d.count == 1 && d.point == 1 && !d.negative && gm_decimal_digit(&d, 0) == 1);
        CHECK(gm_decimal_compare(&d, &one) == 0 && gm_decimal_is_integer(&d));
    }
    static const char *const zeros[] = {"0", "-0", "-0.0", "0e99999999999999999999999", "0.000E-5"};
    for (size_t i = 0; i < GM_COUNT_OF(zeros); i++) {
        const gm_decimal d = parsed(zeros[i]);
        CHECK(gm_decimal_is_zero(&d) && d.point == 0 && !d.negative && gm_decimal_is_integer(&d));
    }
    const gm_decimal d = parsed("-12.0340e1");
    CHECK(d.negative && d.count == 5 && d.point == 3);
    for (size_t i = 0; i < 5; i++)
        CHECK(gm_decimal_digit(&d, i) == (unsigned)("12034"[i] - '0'));
    CHECK(gm_decimal_digit(&d, 5) == 0 && !gm_decimal_is_integer(&d));
}

static void exponents_are_bounded(void)
{
    gm_decimal d = {.count = 7};
    CHECK(gm_decimal_parse(GM_BYTES("1e1000000001"), &d) == GM_LIMIT && d.count == 7);
    CHECK(gm_decimal_parse(GM_BYTES("1e-99999999999999999999999999"), &d) == GM_LIMIT);
    CHECK(gm_decimal_parse(GM_BYTES("1e1000000000"), &d) == GM_OK && d.point == 1000000001);
    CHECK(gm_decimal_parse(GM_BYTES("1e-0000000000000000000001"), &d) == GM_OK && d.point == 0);
}

/* ---- arithmetic on short numbers: units of 10^-4 ---- */

static gm_decimal of_units(int64_t units, char text[32])
{
    const uint64_t magnitude = units < 0 ? 0 - (uint64_t)units : (uint64_t)units;
    snprintf(text, 32, "%s%llu.%04llu", units < 0 ? "-" : "", (unsigned long long)(magnitude / 10000),
             (unsigned long long)(magnitude % 10000));
    return parsed(text);
}

static int64_t random_units(void)
{
    const int64_t sizes[] = {10, 10000, 1000000, 1000000000000};
    const int64_t size = sizes[random_below(4)];
    const int64_t units = ((int64_t)random_below(1u << 28) << 20 | random_below(1u << 20)) % size;
    return random_below(2) != 0 ? units : -units;
}

static void short_numbers_agree_with_integers(void)
{
    gm_arena arena;
    const gm_allocator allocator = gm_allocator_or_default(NULL);
    gm_arena_init(&arena, &allocator);
    for (int i = 0; i < 20000; i++) {
        char text_a[32], text_b[32], text_c[32];
        const int64_t x = random_units(), y = random_below(20) == 0 ? -x : random_units();
        const gm_decimal a = of_units(x, text_a), b = of_units(y, text_b), c = of_units(x + y, text_c);
        CHECK(gm_decimal_compare(&a, &b) == (x < y ? -1 : x > y));
        gm_decimal sum;
        CHECK(gm_decimal_add(&arena, &a, &b, &sum) && gm_decimal_compare(&sum, &c) == 0);
        const gm_decimal minus = gm_decimal_negate(&a), zero = of_units(0, text_b);
        CHECK(gm_decimal_add(&arena, &a, &minus, &sum) && gm_decimal_compare(&sum, &zero) == 0);
        const int64_t ten[] = {10000, 1000, 100, 10, 1};
        const int scale = (int)random_below(5);
        const gm_decimal cut = gm_decimal_truncate(&a, scale), expected = of_units(x / ten[scale] * ten[scale], text_c);
        CHECK(gm_decimal_compare(&cut, &expected) == 0);
        const uint64_t modulus = 1 + random_below(1000), magnitude = (uint64_t)(x < 0 ? -x : x);
        CHECK(gm_decimal_residue(&a, scale, modulus) == magnitude / (uint64_t)ten[scale] % modulus);
        CHECK(gm_decimal_is_integer(&a) == (x % 10000 == 0));
    }
    gm_arena_destroy(&arena);
}

static void integers_become_decimals(void)
{
    char buffer[20];
    gm_decimal d = gm_decimal_of_u64(buffer, UINT64_MAX, 0), expected = parsed("18446744073709551615");
    CHECK(gm_decimal_compare(&d, &expected) == 0);
    d = gm_decimal_of_u64(buffer, 1200, -5);
    expected = parsed("0.012");
    CHECK(d.count == 2 && gm_decimal_compare(&d, &expected) == 0);
    d = gm_decimal_of_u64(buffer, 0, 3);
    CHECK(gm_decimal_is_zero(&d));
}

/* ---- long numbers ---- */

static void fill_random(char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        text[i] = (char)('0' + random_below(10));
    text[0] = (char)('1' + random_below(9));
    if (length > 2 && random_below(2) != 0)
        text[1 + random_below((uint32_t)length - 2)] = '.';
}

static void long_sums_can_be_taken_back(void)
{
    gm_arena arena;
    const gm_allocator allocator = gm_allocator_or_default(NULL);
    gm_arena_init(&arena, &allocator);
    for (int i = 0; i < 300; i++) {
        char text_a[512] = {0}, text_b[512] = {0};
        fill_random(text_a, 1 + random_below(400));
        fill_random(text_b, 1 + random_below(400));
        gm_decimal a = parsed(text_a), b = parsed(text_b), sum, back;
        const gm_decimal minus = gm_decimal_negate(&b);
        CHECK(gm_decimal_add(&arena, &a, &b, &sum) && gm_decimal_add(&arena, &sum, &minus, &back));
        CHECK(gm_decimal_compare(&back, &a) == 0);
        const uint64_t modulus = i % 2 != 0 ? INT64_MAX - random_below(1000) : 1 + random_below(1u << 28);
        const uint64_t x = gm_decimal_residue(&a, 400, modulus), y = gm_decimal_residue(&b, 400, modulus);
        CHECK(gm_decimal_residue(&sum, 400, modulus) == (x >= modulus - y ? x - (modulus - y) : x + y));
    }
    gm_arena_destroy(&arena);
}

static void a_sum_without_memory_fails(void)
{
    failing_allocator state = {.budget = 0};
    const gm_allocator allocator = failing_allocator_of(&state);
    gm_arena arena;
    gm_arena_init(&arena, &allocator);
    const gm_decimal a = parsed("1.5"), b = parsed("2");
    gm_decimal sum = {.count = 5};
    CHECK(!gm_decimal_add(&arena, &a, &b, &sum) && sum.count == 5 && state.live == 0);
    gm_arena_destroy(&arena);
}

int main(void)
{
    RUN(just_json_numbers_are_read);
    RUN(equal_values_have_one_form);
    RUN(exponents_are_bounded);
    RUN(short_numbers_agree_with_integers);
    RUN(integers_become_decimals);
    RUN(long_sums_can_be_taken_back);
    RUN(a_sum_without_memory_fails);
    return REPORT("test_decimal");
}
