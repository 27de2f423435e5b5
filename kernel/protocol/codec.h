/* SPDX-License-Identifier: MIT */
/* codec.h - frames <-> messages: [identities...] <IDS|MSG> signature header parent metadata
 * content [buffers...]. Signatures are checked before any JSON is looked at. No sockets. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/id.h"
#include "kernel/protocol/message.h"
#include "kernel/protocol/sign.h"

#define CODEC_DELIMITER  "<IDS|MSG>"
#define PROTOCOL_VERSION "5.5"

struct codec {
    struct signer *signer; /* borrowed */
    char session[ID_SIZE]; /* one for all messages of the process: JupyterLab relies on it */
    char username[64];     /* "pandia"; whoever owns the codec may put another */
    uint64_t sent;         /* messages encoded so far; makes message ids unique */
};

/* Borrows `signer`; draws the session id. */
void codec_init(struct codec *c, struct signer *signer);

/* Takes a multipart message apart. Order of checks: counts and sizes, signature, replay, JSON.
 * ERR_PROTO, ERR_LIMIT or ERR_AUTH say why it must be dropped. On failure `*out` is untouched. */
MUST_CHECK int codec_decode(struct codec *c, const struct slice *frames, size_t count,
                            struct message *out, struct err *e);

/* A message to send. An empty parent, metadata or content stands for {}. Borrowed. */
struct outgoing {
    enum msg_type type;
    struct slice parent; /* header bytes of the request, as codec_parent gives them */
    struct slice metadata;
    struct slice content;
};

/* The frames after the identities; buffers follow them. */
enum {
    ENCODED_DELIMITER,
    ENCODED_SIGNATURE,
    ENCODED_HEADER,
    ENCODED_PARENT,
    ENCODED_METADATA,
    ENCODED_CONTENT,
    ENCODED_FRAMES
};

struct encoded {
    struct slice frames[ENCODED_FRAMES]; /* lends from `outgoing` and from the fields below */
    char signature[SIGN_HEX_SIZE];
    char header[512];
};

/* Builds header and signature. `out` must not move while its frames are in use. */
void codec_encode(struct codec *c, const struct outgoing *msg, struct encoded *out);

/* Appends to `out` the header of `msg` fit to go back as parent_header: the very bytes, or, when
 * they are not strict JSON in UTF-8, repaired ones (bad bytes become U+FFFD, members that hold
 * NaN or Infinity are left out). At most 3 * MSG_HEADER_MAX bytes. */
MUST_CHECK int codec_parent(const struct message *msg, struct buf *out, struct err *e);
