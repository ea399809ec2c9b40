/*
 * schema/uri.h - private to schema/: references and their resolution, as RFC 3986 section 5 says.
 *
 * URIs are compared byte for byte once dot segments are gone; a base may itself be relative, for
 * documents that nobody named. Nothing is looked up here.
 */
#ifndef GM_SCHEMA_URI_H
#define GM_SCHEMA_URI_H

#include "base/arena.h"

/* The part before the first '#'. */
gm_bytes gm_uri_without_fragment(gm_bytes uri);
/* The part after the first '#', or nothing. */
gm_bytes gm_uri_fragment(gm_bytes uri);
/* `reference` seen from `base`, without fragment, NUL-terminated in the arena; false when there is
 * no memory. */
bool gm_uri_resolve(gm_arena *arena, gm_bytes base, gm_bytes reference, gm_bytes *uri);
/* Writes `text` with each %XX replaced by its byte (a '%' without two digits stays); at most
 * text.length bytes. Returns how many. */
size_t gm_uri_percent_decode(gm_bytes text, char *out);

#endif
