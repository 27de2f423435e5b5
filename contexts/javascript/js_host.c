/* SPDX-License-Identifier: MIT */
/* js_host.c - the program pandia-javascript; under the name pandia-typescript it speaks that. */
#include <stdio.h>

#include "contexts/javascript/js.h"
#include "contexts/javascript/js_interrupt.h"
#include "contexts/worker/fork_server.h"

enum { EXIT_USAGE = 2 };

static enum js_language language_of(const char *program)
{
    const char *slash = strrchr(program, '/');
    const char *name = slash ? slash + 1 : program;
    return strcmp(name, "pandia-typescript") == 0 ? JS_LANGUAGE_TYPESCRIPT : JS_LANGUAGE_JAVASCRIPT;
}

int main(int argc, char **argv)
{
    _cleanup_(drop_js) struct js js = {0};
    struct err e = ERR_NONE;
    enum js_language language = language_of(argc > 0 ? argv[0] : "");
    if (argc != 1) {
        (void)fprintf(stderr, "usage: pandia-javascript; started by pandia, not by hand\n");
        return EXIT_USAGE;
    }
    fork_server_prepare();
    js_interrupt_install();
    if (js_set_up(&js, language, &e) < 0) {
        (void)fprintf(stderr, "pandia-javascript: %s\n", e.text);
        return 1;
    }
    return fork_server_run(js_engine_table(language), &js);
}
