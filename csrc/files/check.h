/*
 * files/check.h - whether a text is one JSON value: RFC 8259 with UTF-8 and whole surrogate pairs.
 *
 * No recursion and no allocation: open containers are bits of a word, so nesting ends at 64, which
 * is several times what tokenizer files need.
 */
#ifndef GM_FILES_CHECK_H
#define GM_FILES_CHECK_H

#include "files/table.h"

gm_status gm_file_check_json(gm_file_span text, gm_error *error);

#endif
