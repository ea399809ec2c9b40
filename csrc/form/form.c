/* form/form.c - see form.h. */
#include "form/form.h"
#include "form/satisfy.h"

gm_status gm_form_compile(gm_arena *keep, gm_arena *scratch, gm_schema *schema, gm_node root, gm_form_stores stores,
                          const gm_schema_options *options, const gm_limits *limits, const gm_form **form,
                          gm_error *error)
{
    gm_forming forming = {.keep = keep,
                          .scratch = scratch,
                          .schema = schema,
                          .stores = stores,
                          .options = options,
                          .limits = limits,
                          .error = error,
                          .tracks_evaluation =
                              options->strict || options->resolver != NULL || gm_schema_has_unevaluated(schema),
                          .blame = root};
    gm_form *result = gm_arena_take_zeroed(keep, sizeof *result);
    size_t count = 0;
    gm_status status = result != NULL ? gm_forming_init(&forming) : gm_no_memory(error);
    if (status == GM_OK)
        status = gm_formula_of_node(&forming, root, &result->root);
    if (status == GM_OK)
        status = gm_form_decide(&forming, result->root, &result->profiles, &count);
    if (status == GM_OK) {
        result->property_order = options->property_order;
        result->formula_count = (uint32_t)count;
        result->work = forming.work;
        result->node_count = (uint32_t)forming.lowered.count;
        result->thread_count = forming.thread_count;
        *form = result;
    }
    gm_forming_destroy(&forming);
    return status;
}
