/* SPDX-License-Identifier: MIT */
/* message.h - one decoded, verified message. Immutable; all slices lie in the frames it was
 * decoded from, which must outlive it. Every JSON frame is an object that jscan_check accepted. */
#pragma once

#include <stddef.h>

#include "base/bounds.h"
#include "base/buf.h"
#include "kernel/protocol/types.h"

struct message {
    const struct slice *identities; /* routing frames in front of the delimiter */
    size_t identity_count;
    struct slice header; /* the JSON frames as they came */
    struct slice parent; /* here and below: {} when the frame was empty or null */
    struct slice metadata;
    struct slice content;
    const struct slice *buffers;
    size_t buffer_count;

    enum msg_type type;     /* MSG_UNKNOWN: type_name says what it was */
    struct slice type_name; /* raw JSON strings of the header, with quotes */
    struct slice msg_id;
    struct slice session; /* empty when the header has none, or one that is no string */
};
