/*
 * cli/documents.h - documents that a schema may refer to, found by URI: the resolver of the command
 * line.
 *
 * A set is read from files of JSON lines with `uri` and `text`. A view answers for a set, either for
 * all of it or for the URIs of one list alone. A trailing empty fragment ("#") is no part of a URI.
 */
#ifndef GM_CLI_DOCUMENTS_H
#define GM_CLI_DOCUMENTS_H

#include "gmask/gmask.h"

typedef struct gm_cli_document {
    char *uri;
    char *text;
    size_t text_length;
} gm_cli_document;

typedef struct gm_cli_documents {
    gm_cli_document *items; /* in order of URI */
    size_t count;
} gm_cli_documents;

/* Adds the documents of a file; of two with one URI the first stays. False after saying why not. */
bool gm_cli_documents_read(gm_cli_documents *documents, const char *path);
void gm_cli_documents_free(gm_cli_documents *documents);

struct json_object;

typedef struct gm_cli_view {
    const gm_cli_documents *documents;
    struct json_object *listed; /* an array of URIs, or NULL for all; borrowed */
} gm_cli_view;

/* A gm_resolver whose context is a gm_cli_view. */
bool gm_cli_resolve(void *view, const char *uri, size_t uri_length, const char **text, size_t *length);

#endif
