/* api/compile.c - see compile.h. */
#include "api/compile.h"

gm_status gm_compiling_run(gm_compiling *compiling, gm_arena *keep, gm_bytes text, gm_form_stores stores,
                           const gm_schema_options *options, const gm_limits *limits, const gm_form **form,
                           gm_error *error)
{
    gm_node root;
    compiling->schema = NULL;
    gm_arena_init(&compiling->scratch, &keep->allocator);
    compiling->scratch.budget = (size_t)limits->max_compile_memory;
    GM_TRY(
        gm_schema_open(&compiling->scratch, text.data, text.length, options, limits, &compiling->schema, &root, error));
    const gm_status status =
        gm_form_compile(keep, &compiling->scratch, compiling->schema, root, stores, options, limits, form, error);
    if (status == GM_OUT_OF_MEMORY && compiling->scratch.is_spent)
        return gm_fail(error, GM_LIMIT, "", "", "compiling needs more than max_compile_memory (%llu) bytes",
                       (unsigned long long)limits->max_compile_memory);
    return status;
}

void gm_compiling_finish(gm_compiling *compiling)
{
    if (compiling->schema != NULL)
        gm_schema_close(compiling->schema);
    gm_arena_destroy(&compiling->scratch);
}
