/* SPDX-License-Identifier: MIT */
#include "contexts/worker/pace.h"

#include <sys/timerfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"

enum { FIRST_US = 2000, LATER_US = 40000, HINT_US = 10000 };

void pace_init(struct pace *p)
{
    *p = (struct pace){.timer_fd = -1};
}

void pace_make_timer(struct pace *p)
{
    p->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
}

void pace_close(struct pace *p)
{
    drop_fd(&p->timer_fd);
    p->timer_fd = -1;
    p->due_us = 0;
}

void pace_begin(struct pace *p)
{
    p->fresh = true;
    p->sent_us = 0;
}

static void set_timer(struct pace *p, int64_t at_us, int64_t delay_us)
{
    enum { US_PER_S = 1000000, NS_PER_US = 1000 };

    if (p->timer_fd < 0 || (p->timer_us != 0 && p->timer_us <= at_us)) {
        return;
    }
    struct itimerspec when = {.it_value = {.tv_sec = delay_us / US_PER_S,
                                           .tv_nsec = (delay_us % US_PER_S) * NS_PER_US + 1}};
    if (timerfd_settime(p->timer_fd, 0, &when, NULL) == 0) {
        p->timer_us = at_us;
    }
}

void pace_wait(struct pace *p)
{
    if (p->due_us == 0) {
        int64_t delay_us = p->fresh ? FIRST_US : LATER_US;
        p->fresh = false;
        p->due_us = clock_us() + delay_us;
        set_timer(p, p->due_us, delay_us);
    }
}

void pace_sent(struct pace *p)
{
    if (p->due_us != 0) {
        p->sent_us = clock_us();
        p->due_us = 0;
    }
}

bool pace_hint(struct pace *p)
{
    if (p->due_us == 0) {
        return false;
    }
    int64_t now_us = clock_us();
    int64_t soon_us = p->sent_us + HINT_US;
    if (now_us >= soon_us) {
        return true;
    }
    if (soon_us < p->due_us) {
        p->due_us = soon_us;
        set_timer(p, soon_us, soon_us - now_us);
    }
    return false;
}

bool pace_tick(struct pace *p)
{
    uint64_t expirations = 0;
    if (p->timer_fd >= 0 && read(p->timer_fd, &expirations, sizeof expirations) > 0) {
        p->timer_us = 0;
    }
    if (p->due_us == 0) {
        return false;
    }
    int64_t left_us = p->due_us - clock_us();
    if (left_us > 0) {
        set_timer(p, p->due_us, left_us);
    }
    return left_us <= 0;
}
