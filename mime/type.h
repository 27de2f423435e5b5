/* SPDX-License-Identifier: MIT */
/* type.h - the MIME types we know: name, how the value is written, and which is richer. */
#pragma once

#include <stdbool.h>

#include "base/buf.h"

/* How a value of the type stands in a bundle. */
enum mime_form { MIME_TEXT, MIME_BINARY, MIME_JSON };

/* constant, name, form, Python's method for it */
#define MIME_TYPE_MAP(X)                                                                           \
    X(PLAIN, "text/plain", TEXT, NULL)                                                             \
    X(HTML, "text/html", TEXT, "_repr_html_")                                                      \
    X(MARKDOWN, "text/markdown", TEXT, "_repr_markdown_")                                          \
    X(SVG, "image/svg+xml", TEXT, "_repr_svg_")                                                    \
    X(PNG, "image/png", BINARY, "_repr_png_")                                                      \
    X(PDF, "application/pdf", BINARY, "_repr_pdf_")                                                \
    X(JPEG, "image/jpeg", BINARY, "_repr_jpeg_")                                                   \
    X(LATEX, "text/latex", TEXT, "_repr_latex_")                                                   \
    X(JSON, "application/json", JSON, "_repr_json_")                                               \
    X(JAVASCRIPT, "application/javascript", TEXT, "_repr_javascript_")

enum mime_type {

#define X(upper, name, form, method) MIME_TYPE_##upper,
    MIME_TYPE_MAP(X)
#undef X
        MIME_TYPES
};

struct mime_info {
    const char *name;
    enum mime_form form;
    const char *method; /* Python's _repr_*_ for it, NULL for text/plain */
};

/* Lends the row of a known type. */
const struct mime_info *mime_type_info(enum mime_type type);

/* Form of any type by its name: known ones from the table, `+json` is JSON, `text/...` and
 * `+xml` text, `image/...`, `audio/...`, `video/...` binary, the rest text. */
enum mime_form mime_form_of(struct slice name);

/* True for `type/subtype` as clients accept it: letters, digits, `-`, `+`, `.`, `_`. */
bool mime_name_is_valid(struct slice name);
