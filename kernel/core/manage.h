/* SPDX-License-Identifier: MIT */
/* manage.h - what can be done with contexts beside running code in them, each with one meaning for
 * all doors. Each function takes the content of the request of that name (a JSON object whose types
 * the door has checked, but for create, which checks its own) and answers exactly once, perhaps
 * before it returns: `end` holds the content of the reply, as for a run. */
#pragma once

#include "kernel/core/request.h"

struct door;

typedef void (*answer_fn)(void *arg, const struct run_end *end);
typedef void (*manage_fn)(struct door *d, struct slice content, answer_fn answer, void *arg);

/* Answers an order that its door found to be wrong. */
void manage_refuse(const struct err *reason, answer_fn answer, void *arg);

/* {context_id?, language?, cwd?, env?, ...}: makes a context (options.c has the table) and answers
 * {context} when its process is ready. One that cannot start is gone again. */
void manage_create(struct door *d, struct slice content, answer_fn answer, void *arg);

/* Answers {contexts: [...]}. */
void manage_list(struct door *d, struct slice content, answer_fn answer, void *arg);

/* {context_id}: a fresh process. What runs ends as stopped, waiting executions as aborted. Answers
 * {context} when it is ready. */
void manage_restart(struct door *d, struct slice content, answer_fn answer, void *arg);

/* {context_id}: ends the context and all its requests. Answers when its process is gone. The
 * default context cannot be deleted. */
void manage_delete(struct door *d, struct slice content, answer_fn answer, void *arg);

/* {context_id?}: interrupts what runs there. Without an id it is the button of a notebook: whatever
 * its cells run, also in contexts that a first line made. Those of programs are left alone. */
void manage_interrupt(struct door *d, struct slice content, answer_fn answer, void *arg);

/* {target_name?}: answers {comms}. */
void manage_comm_info(struct door *d, struct slice content, answer_fn answer, void *arg);

/* Answers how much memory and time the kernel uses. */
void manage_usage(struct door *d, struct slice content, answer_fn answer, void *arg);
