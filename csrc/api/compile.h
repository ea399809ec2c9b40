/*
 * api/compile.h - the road from a schema's text to a form, for grammars and for reports.
 */
#ifndef GM_API_COMPILE_H
#define GM_API_COMPILE_H

#include "api/objects.h"

typedef struct gm_compiling {
    gm_arena scratch;
    gm_schema *schema; /* NULL if the text is no schema */
} gm_compiling;

/* Compiles into `keep`. `compiling` is to be finished in every case; until then its graph can be asked. */
gm_status gm_compiling_run(gm_compiling *compiling, gm_arena *keep, gm_bytes text, gm_form_stores stores,
                           const gm_schema_options *options, const gm_limits *limits, const gm_form **form,
                           gm_error *error);
void gm_compiling_finish(gm_compiling *compiling);

#endif
