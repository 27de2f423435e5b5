/* SPDX-License-Identifier: MIT */
/* fuzz_codec.c - multipart messages from outside. The input is a row of frames, each a length of
 * two bytes (little endian) and its bytes; a length beyond the end takes what is left.
 *
 * They are decoded as they are by a codec without a key and by one with a key, and once more by
 * the latter with a good signature put in, so that the JSON stage is reached behind it too. */
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/bounds.h"
#include "base/jscan.h"
#include "base/mem.h"
#include "kernel/protocol/codec.h"
#include "tests/fuzz/fuzz.h"

enum { FRAMES_MAX = 64 };

struct row {
    struct slice frames[FRAMES_MAX];
    size_t count;
};

/* Every frame gets memory of its own: a read beyond its end must not find the next one. */
static void row_split(struct row *row, const uint8_t *data, size_t size)
{
    row->count = 0;
    while (size >= 2 && row->count < FRAMES_MAX) {
        size_t len = data[0] | (size_t)data[1] << 8;
        data += 2;
        size -= 2;
        if (len > size) {
            len = size;
        }
        char *copy = xmalloc(len);
        if (len > 0) {
            memcpy(copy, data, len);
        }
        row->frames[row->count++] = (struct slice){copy, len};
        data += len;
        size -= len;
    }
}

static void row_done(struct row *row)
{
    for (size_t i = 0; i < row->count; i++) {
        free((void *)(uintptr_t)row->frames[i].data); /* ours: row_split made it */
    }
}

/* One pair of codecs for all inputs: libFuzzer never says when it ends. */
struct codecs {
    struct codec open;
    struct codec keyed;
};

static struct codecs *codecs(void)
{
    static struct codecs both;
    if (both.open.signer == NULL) {
        struct signer *open = NULL;
        struct signer *keyed = NULL;
        int failed = signer_new(SLICE_NONE, &open, NULL);
        assert(!failed);
        failed = signer_new(SLICE_LIT("a key"), &keyed, NULL);
        assert(!failed);
        codec_init(&both.open, open);
        codec_init(&both.keyed, keyed);
    }
    return &both;
}

static void check_object(struct slice json)
{
    assert(jscan_check(json, JSCAN_LENIENT, JSON_DEPTH_MAX, NULL) == 0);
    assert(jscan_kind(json) == JSCAN_OBJECT);
}

/* What every accepted message promises. */
static void check_message(struct codec *c, const struct message *m)
{
    check_object(m->header);
    check_object(m->parent);
    check_object(m->metadata);
    check_object(m->content);
    assert(jscan_kind(m->msg_id) == JSCAN_STRING && m->msg_id.len <= MSG_FIELD_MAX + 2);
    assert(jscan_kind(m->type_name) == JSCAN_STRING && m->type_name.len <= MSG_FIELD_MAX + 2);
    bool known = m->type != MSG_UNKNOWN;
    assert(!known || jscan_string_is(m->type_name, msg_type_name(m->type)));

    /* Its header goes back as strict JSON, in a message that can be read again. */
    _cleanup_(drop_buf) struct buf parent = BUF_INIT(3 * MSG_HEADER_MAX);
    int failed = codec_parent(m, &parent, NULL);
    assert(!failed);
    assert(jscan_check(buf_slice(&parent), JSCAN_STRICT, JSON_DEPTH_MAX, NULL) == 0);
    if (parent.len <= MSG_HEADER_MAX) {
        struct encoded out;
        struct message again;
        codec_encode(c, &(struct outgoing){MSG_STATUS, buf_slice(&parent), m->metadata, m->content},
                     &out);
        failed = codec_decode(c, out.frames, ENCODED_FRAMES, &again, NULL);
        assert(!failed);
        assert(slice_eq(again.parent, buf_slice(&parent)));
        assert(slice_eq(again.content, m->content));
    }
}

static void decode(struct codec *c, const struct row *row)
{
    struct err e = ERR_NONE;
    struct message m;
    if (codec_decode(c, row->frames, row->count, &m, &e) == 0) {
        check_message(c, &m);
        return;
    }
    assert(e.code == ERR_PROTO || e.code == ERR_LIMIT || e.code == ERR_AUTH);
    assert(e.text[0] != '\0');
}

/* Replaces the frame behind the delimiter by the right signature. */
static void decode_signed(struct codec *c, const struct row *row)
{
    size_t at = 0;
    while (at < row->count && !slice_is(row->frames[at], CODEC_DELIMITER)) {
        at++;
    }
    if (row->count - at < ENCODED_FRAMES) {
        return;
    }
    char hex[SIGN_HEX_SIZE];
    struct row copy = *row;
    signer_sign(c->signer, &copy.frames[at + ENCODED_HEADER], hex);
    copy.frames[at + ENCODED_SIGNATURE] = slice_of(hex);
    decode(c, &copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct codecs *both = codecs();
    struct row row;
    row_split(&row, data, size);
    decode(&both->open, &row);
    decode(&both->keyed, &row);
    decode_signed(&both->keyed, &row);
    row_done(&row);
    return 0;
}
