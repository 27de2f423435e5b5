/* SPDX-License-Identifier: MIT */
#include "kernel/protocol/types.h"

struct type_row {
    struct slice name;
    unsigned flags; /* ON_... bits on which a client may send it, EXACT */
    enum msg_type reply;
};

static const struct type_row type_rows[MSG_TYPES] = {
    [MSG_UNKNOWN] = {SLICE_ROW("unknown"), ON_NONE, MSG_UNKNOWN},

#define X(upper, lower, reply, on) [MSG_##upper] = {SLICE_ROW(#lower), on, MSG_##reply},
    MSG_REQUEST_MAP(X)
#undef X
#define X(upper, lower) [MSG_##upper] = {SLICE_ROW(#lower), ON_NONE, MSG_UNKNOWN},
        MSG_SENT_MAP(X)
#undef X
};

const char *channel_name(enum channel channel)
{
    static const char *const names[CHANNELS] = {
        [CHANNEL_SHELL] = "shell", [CHANNEL_CONTROL] = "control",     [CHANNEL_STDIN] = "stdin",
        [CHANNEL_IOPUB] = "iopub", [CHANNEL_HEARTBEAT] = "heartbeat",
    };
    return names[channel];
}

enum msg_type msg_type_parse(struct slice name)
{
    for (int type = MSG_UNKNOWN + 1; type < MSG_TYPES; type++) {
        if (slice_eq(name, type_rows[type].name)) {
            return (enum msg_type)type;
        }
    }
    return MSG_UNKNOWN;
}

const char *msg_type_name(enum msg_type type)
{
    return type_rows[type].name.data;
}

bool msg_type_allowed(enum msg_type type, enum channel channel)
{
    static const unsigned bits[CHANNELS] = {
        [CHANNEL_SHELL] = ON_SHELL,
        [CHANNEL_CONTROL] = ON_CONTROL,
        [CHANNEL_STDIN] = ON_STDIN,
    };
    return (type_rows[type].flags & bits[channel]) != 0;
}

bool msg_type_is_exact(enum msg_type type)
{
    return (type_rows[type].flags & EXACT) != 0;
}

enum msg_type msg_reply_type(enum msg_type request)
{
    return type_rows[request].reply;
}
