/* form/form.c - see form.h. */
#include "form/form.h"
#include "form/satisfy.h"

/* One pass. What it finds out may ask for another: with separate ways, complements multiply less but hold
 * more; what is evaluated is followed only where some keyword asks. */
static gm_status compile(gm_forming *forming, gm_node root, const gm_form **form)
{
    gm_form *result = gm_arena_take_zeroed(forming->keep, sizeof *result);
    size_t count = 0;
    gm_status status = result != NULL ? gm_forming_init(forming) : gm_no_memory(forming->error);
    if (status == GM_OK)
        status = gm_formula_of_node(forming, root, &result->root);
    if (status == GM_OK)
        status = gm_form_decide(forming, &result->root, &result->profiles, &count);
    if (status == GM_OK) {
        result->property_order = forming->options->property_order;
        result->formula_count = (uint32_t)count;
        result->work = forming->work;
        result->node_count = (uint32_t)forming->lowered.count;
        result->thread_count = forming->thread_count;
        *form = result;
    }
    gm_forming_destroy(forming);
    return status;
}

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
                          .blame = root,
                          .beside = GM_EXPRESSION_TRUE,
                          .negating = GM_KW_COUNT,
                          .tracks_evaluation = options->strict || gm_schema_has_unevaluated(schema)};
    for (;;) {
        gm_forming pass = forming;
        const gm_arena_mark mark = gm_arena_save(keep);
        const gm_status status = compile(&pass, root, form);
        forming.work = pass.work;
        forming.is_again = true;
        if (!forming.tracks_evaluation && gm_schema_has_unevaluated(schema)) /* a document that came in now asks */
            forming.tracks_evaluation = true;
        else if (status == GM_LIMIT && pass.has_too_many && !forming.separates_ways)
            forming.separates_ways = true;
        else
            return status;
        gm_arena_rewind(keep, mark);
    }
}
