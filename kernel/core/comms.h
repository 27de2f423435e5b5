/* SPDX-License-Identifier: MIT */
/* comms.h - which comm lives in which context. Comm ids are unique in the whole broker, so a
 * message finds its context without being told. */
#pragma once

#include "base/buf.h"

struct comms;

struct comms *comms_new(void);
void comms_free(struct comms *c);

/* Notes that `comm_id` of `target` lives in the context `context_id`. All are raw JSON strings but
 * the last. ERR_LIMIT: too many. */
MUST_CHECK int comms_open(struct comms *c, struct slice comm_id, struct slice target,
                          const char *context_id, struct err *e);
void comms_close(struct comms *c, struct slice comm_id);

/* Lends the id of the context; NULL when no such comm is open. */
const char *comms_context(const struct comms *c, struct slice comm_id);

/* Forgets one comm of a context and writes its id, decoded, to `out`; false when there is none. */
bool comms_pop(struct comms *c, const char *context_id, struct buf *out);

/* The process behind a context is gone, and its comms with it. */
void comms_drop_context(struct comms *c, const char *context_id);

/* Appends the content of comm_info_reply. `target` (raw JSON string, may be empty) filters. */
void comms_write_info(const struct comms *c, struct slice target, struct buf *out);
