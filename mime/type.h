/* SPDX-License-Identifier: MIT */
/* type.h - the MIME types we know: name, how the value is written, and what languages call it.
 * Whatever a language offers by type is made from this table. */
#pragma once

#include <stdbool.h>

#include "base/buf.h"

/* How a value of the type stands in a bundle. */
enum mime_form { MIME_TEXT, MIME_BINARY, MIME_JSON };

/* constant, name, form, label, Python's method. The rows with a method come first, in the order in
 * which IPython asks for them; of Vega and Vega-Lite it is the version that JupyterLab 4 draws. */
#define MIME_TYPE_MAP(X)                                                                           \
    X(PLAIN, "text/plain", TEXT, "text", NULL)                                                     \
    X(HTML, "text/html", TEXT, "html", "_repr_html_")                                              \
    X(MARKDOWN, "text/markdown", TEXT, "markdown", "_repr_markdown_")                              \
    X(SVG, "image/svg+xml", TEXT, "svg", "_repr_svg_")                                             \
    X(PNG, "image/png", BINARY, "png", "_repr_png_")                                               \
    X(PDF, "application/pdf", BINARY, "pdf", "_repr_pdf_")                                         \
    X(JPEG, "image/jpeg", BINARY, "jpeg", "_repr_jpeg_")                                           \
    X(LATEX, "text/latex", TEXT, "latex", "_repr_latex_")                                          \
    X(JSON, "application/json", JSON, "json", "_repr_json_")                                       \
    X(JAVASCRIPT, "application/javascript", TEXT, "javascript", "_repr_javascript_")               \
    X(GIF, "image/gif", BINARY, "gif", NULL)                                                       \
    X(WEBP, "image/webp", BINARY, "webp", NULL)                                                    \
    X(VEGA, "application/vnd.vega.v5+json", JSON, "vega", NULL)                                    \
    X(VEGA_LITE, "application/vnd.vegalite.v5+json", JSON, "vegaLite", NULL)                       \
    X(PLOTLY, "application/vnd.plotly.v1+json", JSON, "plotly", NULL)                              \
    X(GEOJSON, "application/geo+json", JSON, "geojson", NULL)                                      \
    X(CHART, "application/vnd.pandia.chart+json", JSON, NULL, NULL)                                \
    X(DATA, "application/vnd.pandia.data+json", JSON, NULL, NULL)

enum mime_type {

#define X(upper, name, form, label, method) MIME_TYPE_##upper,
    MIME_TYPE_MAP(X)
#undef X
        MIME_TYPES
};

struct mime_info {
    const char *name;
    enum mime_form form;
    const char *label;  /* how languages call it, as in display.label(); NULL: only we make it */
    const char *method; /* Python's _repr_*_ for it, NULL when it has none */
};

/* Lends the row of a known type. */
const struct mime_info *mime_type_info(enum mime_type type);

/* Lends the row of the type of that name; NULL when it is not in the table. */
const struct mime_info *mime_type_find(struct slice name);

/* Form of any type by its name: known ones from the table, `+json` is JSON, `text/...` and
 * `+xml` text, `image/...`, `audio/...`, `video/...` binary, the rest text. */
enum mime_form mime_form_of(struct slice name);

/* True for `type/subtype` as clients accept it: letters, digits, `-`, `+`, `.`, `_`. */
bool mime_name_is_valid(struct slice name);
