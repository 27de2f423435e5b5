/* SPDX-License-Identifier: MIT */
#include "base/thread.h"

#include <errno.h>
#include <signal.h>

int thread_start(const struct thread_options *options, pthread_t *out, struct err *e)
{
    pthread_attr_t attr;
    pthread_t thread;
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, options->stack_bytes);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* it inherits the mask it is born under */
    int failed = pthread_create(&thread, &attr, options->run, options->arg);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attr);
    if (failed != 0) {
        errno = failed;
        return err_sys(e, "pthread_create");
    }
    (void)pthread_setname_np(thread, options->name); /* only a help for people */
    *out = thread;
    return 0;
}
