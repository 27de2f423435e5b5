/* SPDX-License-Identifier: MIT */
#include "kernel/core/comms.h"

#include "base/bounds.h"
#include "base/jscan.h"
#include "base/jwrite.h"
#include "base/map.h"
#include "base/mem.h"

struct comm {
    char *target; /* raw JSON string */
    char *context_id;
};

struct comms {
    struct map *by_id; /* decoded id -> struct comm */
};

static void comm_free(void *value)
{
    struct comm *comm = value;
    free(comm->target);
    free(comm->context_id);
    free(comm);
}

struct comms *comms_new(void)
{
    struct comms *c = xcalloc(1, sizeof *c);
    c->by_id = map_new(comm_free);
    return c;
}

void comms_free(struct comms *c)
{
    if (c == NULL) {
        return;
    }
    map_free(c->by_id);
    free(c);
}

/* Decodes an id into `out`; false when it cannot be one. */
static bool read_id(struct slice raw, struct buf *out)
{
    return jscan_string(raw, out) == 0 && out->len > 0 && strlen(buf_text(out)) == out->len;
}

int comms_open(struct comms *c, struct slice comm_id, struct slice target, const char *context_id,
               struct err *e)
{
    _cleanup_(drop_buf) struct buf id = BUF_INIT(MSG_FIELD_MAX);
    if (!read_id(comm_id, &id)) {
        return err_set(e, ERR_INPUT, "comm_id must be a text of 1 to %lu bytes", MSG_FIELD_MAX);
    }
    if (target.len > MSG_FIELD_MAX) {
        return err_set(e, ERR_LIMIT, "target_name of %zu bytes, limit %lu", target.len,
                       MSG_FIELD_MAX);
    }
    if (map_len(c->by_id) >= COMMS_MAX) {
        return err_set(e, ERR_LIMIT, "%lu comms are open already", COMMS_MAX);
    }
    struct comm *comm = xcalloc(1, sizeof *comm);
    comm->target = target.len > 0 ? xstrndup(target.data, target.len) : xstrdup("\"\"");
    comm->context_id = xstrdup(context_id);
    map_put(c->by_id, buf_text(&id), comm);
    return 0;
}

void comms_close(struct comms *c, struct slice comm_id)
{
    _cleanup_(drop_buf) struct buf id = BUF_INIT(MSG_FIELD_MAX);
    struct comm *comm = read_id(comm_id, &id) ? map_remove(c->by_id, buf_text(&id)) : NULL;
    if (comm != NULL) {
        comm_free(comm);
    }
}

const char *comms_context(const struct comms *c, struct slice comm_id)
{
    _cleanup_(drop_buf) struct buf id = BUF_INIT(MSG_FIELD_MAX);
    const struct comm *comm = read_id(comm_id, &id) ? map_get(c->by_id, buf_text(&id)) : NULL;
    return comm ? comm->context_id : NULL;
}

bool comms_pop(struct comms *c, const char *context_id, struct buf *out)
{
    size_t cursor = 0;
    const char *key = NULL;
    void *value = NULL;
    while (map_next(c->by_id, &cursor, &key, &value)) {
        const struct comm *comm = value;
        if (strcmp(comm->context_id, context_id) == 0) {
            buf_clear(out);
            buf_add_text(out, key);
            comm_free(map_remove(c->by_id, buf_text(out)));
            return true;
        }
    }
    return false;
}

void comms_drop_context(struct comms *c, const char *context_id)
{
    _cleanup_(drop_buf) struct buf id = BUF_INIT(MSG_FIELD_MAX);
    while (comms_pop(c, context_id, &id)) {
    }
}

void comms_write_info(const struct comms *c, struct slice target, struct buf *out)
{
    size_t cursor = 0;
    const char *key = NULL;
    void *value = NULL;
    _cleanup_(drop_buf) struct buf wanted = BUF_INIT(MSG_FIELD_MAX);
    bool filter = jscan_kind(target) == JSCAN_STRING && jscan_string(target, &wanted) == 0;

    jwrite_object(out);
    jwrite_member_text(out, "status", "ok");
    jwrite_key(out, "comms");
    jwrite_object(out);
    while (map_next(c->by_id, &cursor, &key, &value)) {
        const struct comm *comm = value;
        if (filter && !jscan_string_is(slice_of(comm->target), buf_text(&wanted))) {
            continue;
        }
        jwrite_text(out, key); /* the client's own text, which may need escapes */
        buf_add_text(out, ": ");
        jwrite_object(out);
        jwrite_member_raw(out, "target_name", slice_of(comm->target));
        jwrite_object_end(out);
    }
    jwrite_object_end(out);
    jwrite_object_end(out);
}
