/* SPDX-License-Identifier: MIT */
/* js_bare.c - what the engine and the system take by themselves, as yardsticks: a bare JS_Eval of
 * `1+1`, and a bare fork of a process that has loaded all that the zygote has. Answers each line
 * of its input with a number of microseconds:
 *   eval COUNT   CPU time of one JS_Eval, of COUNT in a row
 *   fork         from fork() to the first byte of the child */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

#include "contexts/javascript/js.h"
#include "contexts/javascript/js_value.h"

static double now_us(clockid_t clock)
{
    struct timespec t;
    (void)clock_gettime(clock, &t); /* cannot fail with these clocks */
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static double eval_us(JSContext *ctx, long count)
{
    static const char code[] = "1+1";
    double start = now_us(CLOCK_PROCESS_CPUTIME_ID);
    for (long i = 0; i < count; i++) {
        JS_FreeValue(ctx, JS_Eval(ctx, code, sizeof code - 1, "bare", JS_EVAL_TYPE_GLOBAL));
    }
    return (now_us(CLOCK_PROCESS_CPUTIME_ID) - start) / (double)count;
}

static double fork_us(void)
{
    int ends[2];
    char byte = 0;
    if (pipe(ends) < 0) {
        abort();
    }
    double start = now_us(CLOCK_MONOTONIC);
    pid_t pid = fork();
    if (pid == 0) {
        _exit(write(ends[1], "x", 1) == 1 ? 0 : 1);
    }
    if (pid < 0 || read(ends[0], &byte, 1) != 1) {
        abort();
    }
    double elapsed = now_us(CLOCK_MONOTONIC) - start;
    (void)waitpid(pid, NULL, 0); /* it has ended by itself */
    (void)close(ends[0]);
    (void)close(ends[1]);
    return elapsed;
}

static void load_parsers(struct js *js)
{
    while (js_engine_table(js->language)->preload_step(js)) {
    }
}

int main(void)
{
    static struct js js;
    struct err e = ERR_NONE;
    char line[64];
    JSRuntime *rt = JS_NewRuntime();
    JSContext *ctx = rt ? JS_NewContext(rt) : NULL;
    if (ctx == NULL || js_set_up(&js, JS_LANGUAGE_TYPESCRIPT, &e) < 0) {
        (void)fprintf(stderr, "js_bare: %s\n", e.text);
        return 1;
    }
    load_parsers(&js);
    while (fgets(line, sizeof line, stdin) != NULL) {
        bool is_eval = strncmp(line, "eval ", 5) == 0;
        (void)printf("%.3f\n", is_eval ? eval_us(ctx, strtol(line + 5, NULL, 10)) : fork_us());
        (void)fflush(stdout); /* nothing can be done about a reader that is gone */
    }
    JS_FreeContext(ctx);
    JS_FreeRuntime(rt);
    js_done(&js);
    return 0;
}
