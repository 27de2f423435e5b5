/* SPDX-License-Identifier: MIT */
/* interrupt.c - the ladder: SIGINT to the group, repeated while the job goes on, SIGKILL at last.
 * Repeats are needed because some calls eat a signal (os.system) and some loops swallow the
 * exception. */
#include <signal.h>

#include "base/log.h"
#include "contexts/pool/context_impl.h"

static void step(struct context *c)
{
    pid_t pid = c->life->pid;
    int64_t elapsed_ms = (int64_t)c->current->interrupts * INTERRUPT_REPEAT_MS;
    bool timed_out = c->current->timed_out;
    if (elapsed_ms >= (timed_out ? TIMEOUT_KILL_MS : INTERRUPT_KILL_MS)) {
        log_warn("pool", "interrupts ignored, killing", "ctx=%s pid=%d", c->id, (int)pid);
        life_kill(c->life, timed_out ? VERDICT_TIMEOUT : VERDICT_UNINTERRUPTIBLE);
        return;
    }
    c->current->interrupts++;
    (void)kill(-pid, SIGINT); /* the group is alive as long as its leader is not reaped */
    loop_timer_set(c->interrupt_timer, INTERRUPT_REPEAT_MS);
}

static void on_repeat(void *arg)
{
    struct context *c = arg;
    if (context_state(c) == CTX_BUSY && c->current != NULL) {
        step(c);
    }
}

void context_interrupt(struct context *c)
{
    if (context_state(c) == CTX_BUSY && c->current != NULL) {
        if (c->interrupt_timer == NULL) {
            c->interrupt_timer = loop_add_timer(c->loop, on_repeat, c);
        }
        if (c->current->interrupts == 0) {
            step(c);
        } else {
            (void)kill(-c->life->pid, SIGINT); /* asked again: do not wait for the next rung */
        }
    } else if (context_state(c) != CTX_IDLE) {
        context_abort_queue(c);
    }
}
