/*
 * analyze.h - included before every source when the static analyzer runs: what a failing call answers.
 *
 * The analyzer sees one file at a time and takes gm_no_memory and the like for functions that may
 * answer GM_OK, after which nothing that it believes is true.
 */
#include "base/base.h"

#define gm_no_memory(error) ((void)gm_no_memory(error), GM_OUT_OF_MEMORY)
#define gm_fail(error, status, ...) ((void)gm_fail(error, status, __VA_ARGS__), status)
#define gm_fail_at(error, status, ...) ((void)gm_fail_at(error, status, __VA_ARGS__), status)
