/* api/limits.c - defaults of limits and options, in one place. */
#include "api/objects.h"

static const gm_limits defaults = {
    .struct_size = sizeof(gm_limits),
    .max_schema_bytes = 16u << 20,
    .max_nesting = 1000,
    .max_nodes = 1000000,
    .max_threads = 1024,
    .max_regex_positions = 50000,
    .max_lexical_states = 50000,
    .max_satisfiability_work = 5000000,
    .max_compile_work = 200000000,
    .max_compile_memory = 256u << 20,
    .max_grammar_memory = 64u << 20,
    .max_cache_memory = 256u << 20,
    .max_mask_memory = 64u << 20,
    .max_mask_work = 50000000,
    .max_exponent_digits = 3,
    .max_modulus = INT64_MAX,
    .max_matcher_memory = 256u << 20,
};

/* Copies as much as the caller's struct has; the rest of *to stays. */
static void copy_known(void *to, size_t size, const void *from)
{
    size_t given;
    memcpy(&given, from, sizeof given);
    memcpy(to, from, given < size ? given : size);
}

gm_limits gm_limits_or_default(const gm_limits *limits)
{
    gm_limits result = {0};
    if (limits != NULL)
        copy_known(&result, sizeof result, limits);
    uint64_t *fields = &result.max_schema_bytes;
    const uint64_t *standard = &defaults.max_schema_bytes;
    const size_t count = (sizeof(gm_limits) - offsetof(gm_limits, max_schema_bytes)) / sizeof(uint64_t);
    for (size_t i = 0; i < count; i++)
        if (fields[i] == 0)
            fields[i] = standard[i];
    if (result.max_threads > defaults.max_threads)
        result.max_threads = defaults.max_threads; /* room of an outcome */
    if (result.max_nesting > 10000)
        result.max_nesting = 10000; /* expressions are walked by recursion */
    result.struct_size = sizeof result;
    return result;
}

gm_text_limits gm_text_limits_of(const gm_limits *limits)
{
    return (gm_text_limits){.max_positions = limits->max_regex_positions,
                            .max_nesting = limits->max_nesting,
                            .max_states = limits->max_lexical_states};
}

gm_status gm_options_or_default(const gm_schema_options *options, gm_schema_options *out, gm_error *error)
{
    gm_schema_options result = {0};
    if (options != NULL)
        copy_known(&result, sizeof result, options);
    result.struct_size = sizeof result;
    if ((unsigned)result.property_order > GM_ORDER_ANY || (unsigned)result.whitespace > GM_WHITESPACE_INDENTED ||
        (unsigned)result.integers > GM_NUMBERS_JSON || (unsigned)result.numbers > GM_NUMBERS_JSON ||
        (unsigned)result.escapes > GM_ESCAPES_MINIMAL || (unsigned)result.formats > GM_FORMATS_SCHEMA ||
        (unsigned)result.unsupported > GM_UNSUPPORTED_IGNORE)
        return gm_fail(error, GM_INVALID_ARGUMENT, "", "", "an option has a value that no enumerator has");
    const unsigned draft = (unsigned)result.draft;
    if (draft != 0 && draft != 4 && (draft < 6 || draft > 9))
        return gm_fail(error, GM_INVALID_ARGUMENT, "", "draft", "no draft has the number %u", draft);
    *out = result;
    return GM_OK;
}
