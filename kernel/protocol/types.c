/* SPDX-License-Identifier: MIT */
#include "kernel/protocol/types.h"

struct type_row {
    struct slice name;
    unsigned channels; /* ON_... bits */
};

static const struct type_row type_rows[MSG_TYPES] = {
    [MSG_UNKNOWN] = {{"unknown", sizeof "unknown" - 1}, ON_NONE},

#define X(upper, lower, on) [MSG_##upper] = {{#lower, sizeof #lower - 1}, on},
    MSG_TYPE_MAP(X)
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
    return (type_rows[type].channels & bits[channel]) != 0;
}
