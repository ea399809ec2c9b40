/*
 * files/load.h - from bytes to a token table: which reader, and nothing of the engine.
 */
#ifndef GM_FILES_LOAD_H
#define GM_FILES_LOAD_H

#include "files/readers.h"

/* Fills an initialised table from the bytes of a file of any kind. `specials` (size 0: none) is
 * JSON text, for rank files alone. */
gm_status gm_file_load(gm_file_span file, gm_file_span specials, gm_file_table *table, gm_error *error);

#endif
