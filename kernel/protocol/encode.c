/* SPDX-License-Identifier: MIT */
/* encode.c - the half of codec.h that makes messages to send. */
#include <assert.h>

#include "base/bounds.h"
#include "base/clock.h"
#include "base/jscan.h"
#include "base/text.h"
#include "kernel/protocol/codec.h"

/* Writes into the fixed array of a header, which is large enough for the longest one. */
struct writer {
    char *at;
    const char *end;
};

static void put(struct writer *w, struct slice s)
{
    assert(s.len <= (size_t)(w->end - w->at));
    memcpy(w->at, s.data, s.len);
    w->at += s.len;
}

static void put_number(struct writer *w, uint64_t value)
{
    char digits[20]; /* 2^64 has that many */
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    put(w, (struct slice){digits + at, sizeof digits - at});
}

/* A user name goes out without escapes: what would need one becomes an underscore. */
static void put_plain(struct writer *w, const char *text)
{
    char *start = w->at;
    put(w, slice_of(text));
    for (char *at = start; at < w->at; at++) {
        if (*at < ' ' || *at > '~' || *at == '"' || *at == '\\') {
            *at = '_';
        }
    }
}

/* The message id is the session's with a count, as jupyter_client makes them: the session is
 * random and one per process, so it is unique, and cheaper than a UUID per message. */
static struct slice write_header(struct codec *c, enum msg_type type, struct encoded *out)
{
    char date[CLOCK_ISO_SIZE];
    clock_iso_utc(date);

    struct writer w = {out->header, out->header + sizeof out->header};
    put(&w, SLICE_LIT("{\"msg_id\":\""));
    put(&w, slice_of(c->session));
    put(&w, SLICE_LIT("_"));
    put_number(&w, ++c->sent);
    put(&w, SLICE_LIT("\",\"session\":\""));
    put(&w, slice_of(c->session));
    put(&w, SLICE_LIT("\",\"username\":\""));
    put_plain(&w, c->username);
    put(&w, SLICE_LIT("\",\"date\":\""));
    put(&w, slice_of(date));
    put(&w, SLICE_LIT("\",\"msg_type\":\""));
    put(&w, slice_of(msg_type_name(type)));
    put(&w, SLICE_LIT("\",\"version\":\"" PROTOCOL_VERSION "\"}"));
    return (struct slice){out->header, (size_t)(w.at - out->header)};
}

static struct slice object_or_empty(struct slice json)
{
    return json.len > 0 ? json : SLICE_LIT("{}");
}

void codec_encode(struct codec *c, const struct outgoing *msg, struct encoded *out)
{
    assert(msg->type > MSG_UNKNOWN && msg->type < MSG_TYPES);

    out->frames[ENCODED_DELIMITER] = SLICE_LIT(CODEC_DELIMITER);
    out->frames[ENCODED_HEADER] = write_header(c, msg->type, out);
    out->frames[ENCODED_PARENT] = object_or_empty(msg->parent);
    out->frames[ENCODED_METADATA] = object_or_empty(msg->metadata);
    out->frames[ENCODED_CONTENT] = object_or_empty(msg->content);
    signer_sign(c->signer, &out->frames[ENCODED_HEADER], out->signature);
    out->frames[ENCODED_SIGNATURE] = slice_of(out->signature);
}

/* Appends the members of the object `header` that are strict JSON: NaN, which Python clients can
 * write into a header, would make every answer unreadable in a browser. */
static void add_strict_members(struct buf *out, struct slice header)
{
    struct jscan_iter it;
    struct slice key;
    struct slice value;
    const char *separator = "";
    (void)buf_add_byte(out, '{');
    jscan_iter_init(&it, header);
    while (jscan_next(&it, &key, &value)) {
        if (jscan_check(value, JSCAN_STRICT, JSON_DEPTH_MAX, NULL) == 0) {
            (void)buf_add_text(out, separator);
            (void)buf_add_slice(out, key);
            (void)buf_add_byte(out, ':');
            (void)buf_add_slice(out, value);
            separator = ",";
        }
    }
    (void)buf_add_byte(out, '}');
}

int codec_parent(const struct message *msg, struct buf *out, struct err *e)
{
    if (jscan_check(msg->header, JSCAN_STRICT, JSON_DEPTH_MAX, NULL) == 0) {
        (void)buf_add_slice(out, msg->header);
        return buf_check(out, e);
    }
    /* U+FFFD has three bytes: no repair makes it longer than that. */
    _cleanup_(drop_buf) struct buf repaired = BUF_INIT(MSG_PARENT_MAX);
    (void)text_add_utf8(&repaired, msg->header);
    if (jscan_check(buf_slice(&repaired), JSCAN_STRICT, JSON_DEPTH_MAX, NULL) == 0) {
        (void)buf_add_slice(out, buf_slice(&repaired));
    } else {
        add_strict_members(out, buf_slice(&repaired));
    }
    return buf_check(out, e); /* asked once for all additions above */
}
