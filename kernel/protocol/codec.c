/* SPDX-License-Identifier: MIT */
/* codec.c - the way in; the way out is encode.c. */
#include "kernel/protocol/codec.h"

#include "base/bounds.h"
#include "base/jscan.h"

/* What follows the delimiter. */
enum { PART_SIGNATURE, PART_HEADER, PART_PARENT, PART_METADATA, PART_CONTENT, PARTS };

_Static_assert(PARTS - PART_HEADER == SIGN_FRAMES, "the JSON parts are what is signed");

static const char *const json_names[SIGN_FRAMES] = {"header", "parent header", "metadata",
                                                    "content"};

void codec_init(struct codec *c, struct signer *signer)
{
    *c = (struct codec){.signer = signer, .username = "pandia"};
    id_new(c->session);
}

static int find_delimiter(const struct slice *frames, size_t count, size_t *at, struct err *e)
{
    if (count > MSG_FRAMES_MAX) {
        return err_set(e, ERR_LIMIT, "message of %zu frames, limit %lu", count, MSG_FRAMES_MAX);
    }
    for (size_t i = 0; i < count && i <= MSG_IDENTITIES_MAX; i++) {
        if (slice_is(frames[i], CODEC_DELIMITER)) {
            *at = i;
            return 0;
        }
    }
    return err_set(e, ERR_PROTO, "no delimiter " CODEC_DELIMITER " behind at most %lu identities",
                   MSG_IDENTITIES_MAX);
}

/* `json` are the SIGN_FRAMES frames from the header on. */
static int check_json_sizes(const struct slice *json, struct err *e)
{
    for (size_t i = 0; i < 2; i++) {
        if (json[i].len > MSG_HEADER_MAX) {
            return err_set(e, ERR_LIMIT, "%s of %zu bytes, limit %lu", json_names[i], json[i].len,
                           MSG_HEADER_MAX);
        }
    }
    size_t left = MSG_JSON_MAX;
    for (size_t i = 0; i < SIGN_FRAMES; i++) {
        if (json[i].len > left) {
            return err_set(e, ERR_LIMIT, "JSON frames exceed %lu bytes", MSG_JSON_MAX);
        }
        left -= json[i].len;
    }
    return 0;
}

static int check_buffer_sizes(const struct slice *buffers, size_t count, struct err *e)
{
    size_t left = MSG_BUFFERS_MAX;
    for (size_t i = 0; i < count; i++) {
        if (buffers[i].len > left) {
            return err_set(e, ERR_LIMIT, "buffers exceed %lu bytes", MSG_BUFFERS_MAX);
        }
        left -= buffers[i].len;
    }
    return 0;
}

/* Each frame must be one JSON object. An empty or null frame other than the header becomes {}:
 * some clients write these for "none", and every kernel answers them. */
static int check_json(struct slice json[SIGN_FRAMES], struct err *e)
{
    for (size_t i = 0; i < SIGN_FRAMES; i++) {
        if (i > 0 && json[i].len == 0) {
            json[i] = SLICE_LIT("{}");
            continue;
        }
        if (jscan_check(json[i], JSCAN_LENIENT, JSON_DEPTH_MAX, e) < 0) {
            return err_wrap(e, "%s", json_names[i]);
        }
        enum jscan_kind kind = jscan_kind(json[i]);
        if (i > 0 && kind == JSCAN_NULL) {
            json[i] = SLICE_LIT("{}");
        } else if (kind != JSCAN_OBJECT) {
            return err_set(e, ERR_PROTO, "%s is not a JSON object", json_names[i]);
        }
    }
    return 0;
}

/* Lends the raw string `key` of the header; an empty slice when it is absent or something else. */
static int header_string(struct slice header, const char *key, struct slice *out, struct err *e)
{
    struct slice value = jscan_get(header, key);
    if (jscan_kind(value) != JSCAN_STRING) {
        *out = SLICE_NONE;
        return 0;
    }
    if (value.len > MSG_FIELD_MAX + 2) {
        return err_set(e, ERR_LIMIT, "header field \"%s\" of %zu bytes, limit %lu", key,
                       value.len - 2, MSG_FIELD_MAX);
    }
    *out = value;
    return 0;
}

static enum msg_type parse_type(struct slice raw)
{
    struct slice inner = {raw.data + 1, raw.len - 2};
    if (memchr(inner.data, '\\', inner.len) == NULL) {
        return msg_type_parse(inner);
    }
    _cleanup_(drop_buf) struct buf text = BUF_INIT(MSG_FIELD_MAX);
    if (jscan_string(raw, &text) < 0) {
        return MSG_UNKNOWN;
    }
    return msg_type_parse(buf_slice(&text));
}

static int read_header(struct message *m, struct err *e)
{
    if (header_string(m->header, "msg_id", &m->msg_id, e) < 0 ||
        header_string(m->header, "msg_type", &m->type_name, e) < 0 ||
        header_string(m->header, "session", &m->session, e) < 0) {
        return -1;
    }
    if (m->msg_id.len == 0 || m->type_name.len == 0) {
        return err_set(e, ERR_PROTO, "header lacks the string \"%s\"",
                       m->msg_id.len == 0 ? "msg_id" : "msg_type");
    }
    m->type = parse_type(m->type_name);
    return 0;
}

int codec_decode(struct codec *c, const struct slice *frames, size_t count, struct message *out,
                 struct err *e)
{
    size_t delimiter = 0;
    if (find_delimiter(frames, count, &delimiter, e) < 0) {
        return -1;
    }
    const struct slice *parts = frames + delimiter + 1;
    size_t part_count = count - delimiter - 1;
    if (part_count < PARTS) {
        return err_set(e, ERR_PROTO, "%zu frames after the delimiter, must be at least %d",
                       part_count, PARTS);
    }
    struct slice json[SIGN_FRAMES] = {parts[PART_HEADER], parts[PART_PARENT], parts[PART_METADATA],
                                      parts[PART_CONTENT]};
    if (check_json_sizes(json, e) < 0 ||
        check_buffer_sizes(parts + PARTS, part_count - PARTS, e) < 0 ||
        signer_verify(c->signer, json, parts[PART_SIGNATURE], e) < 0 || check_json(json, e) < 0) {
        return -1;
    }
    struct message m = {
        .identities = frames,
        .identity_count = delimiter,
        .header = json[0],
        .parent = json[1],
        .metadata = json[2],
        .content = json[3],
        .buffers = parts + PARTS,
        .buffer_count = part_count - PARTS,
    };
    if (read_header(&m, e) < 0) {
        return -1;
    }
    *out = m;
    return 0;
}
