/* SPDX-License-Identifier: MIT */
/* types.h - the message types of the Jupyter protocol, and the channels a request may come on. */
#pragma once

#include <stdbool.h>

#include "base/buf.h"

enum channel {
    CHANNEL_SHELL,
    CHANNEL_CONTROL,
    CHANNEL_STDIN,
    CHANNEL_IOPUB,
    CHANNEL_HEARTBEAT,
    CHANNELS
};

const char *channel_name(enum channel channel);

enum { ON_NONE = 0, ON_SHELL = 1, ON_CONTROL = 2, ON_STDIN = 4 };

/* constant, name, channels on which a client may send it (0: only the kernel sends it) */
#define MSG_TYPE_MAP(X)                                                                            \
    X(KERNEL_INFO_REQUEST, kernel_info_request, ON_SHELL | ON_CONTROL)                             \
    X(EXECUTE_REQUEST, execute_request, ON_SHELL | ON_CONTROL)                                     \
    X(COMPLETE_REQUEST, complete_request, ON_SHELL)                                                \
    X(INSPECT_REQUEST, inspect_request, ON_SHELL)                                                  \
    X(IS_COMPLETE_REQUEST, is_complete_request, ON_SHELL)                                          \
    X(HISTORY_REQUEST, history_request, ON_SHELL)                                                  \
    X(COMM_INFO_REQUEST, comm_info_request, ON_SHELL | ON_CONTROL)                                 \
    X(CONNECT_REQUEST, connect_request, ON_SHELL | ON_CONTROL)                                     \
    X(COMM_OPEN, comm_open, ON_SHELL)                                                              \
    X(COMM_MSG, comm_msg, ON_SHELL)                                                                \
    X(COMM_CLOSE, comm_close, ON_SHELL)                                                            \
    X(INTERRUPT_REQUEST, interrupt_request, ON_CONTROL)                                            \
    X(SHUTDOWN_REQUEST, shutdown_request, ON_SHELL | ON_CONTROL)                                   \
    X(USAGE_REQUEST, usage_request, ON_CONTROL)                                                    \
    X(CREATE_CONTEXT_REQUEST, create_context_request, ON_CONTROL)                                  \
    X(LIST_CONTEXT_REQUEST, list_context_request, ON_CONTROL)                                      \
    X(DELETE_CONTEXT_REQUEST, delete_context_request, ON_CONTROL)                                  \
    X(RESTART_CONTEXT_REQUEST, restart_context_request, ON_CONTROL)                                \
    X(CANCEL_REQUEST, cancel_request, ON_CONTROL)                                                  \
    X(INPUT_REPLY, input_reply, ON_STDIN)                                                          \
    X(KERNEL_INFO_REPLY, kernel_info_reply, ON_NONE)                                               \
    X(EXECUTE_REPLY, execute_reply, ON_NONE)                                                       \
    X(COMPLETE_REPLY, complete_reply, ON_NONE)                                                     \
    X(INSPECT_REPLY, inspect_reply, ON_NONE)                                                       \
    X(IS_COMPLETE_REPLY, is_complete_reply, ON_NONE)                                               \
    X(HISTORY_REPLY, history_reply, ON_NONE)                                                       \
    X(COMM_INFO_REPLY, comm_info_reply, ON_NONE)                                                   \
    X(CONNECT_REPLY, connect_reply, ON_NONE)                                                       \
    X(INTERRUPT_REPLY, interrupt_reply, ON_NONE)                                                   \
    X(SHUTDOWN_REPLY, shutdown_reply, ON_NONE)                                                     \
    X(USAGE_REPLY, usage_reply, ON_NONE)                                                           \
    X(CREATE_CONTEXT_REPLY, create_context_reply, ON_NONE)                                         \
    X(LIST_CONTEXT_REPLY, list_context_reply, ON_NONE)                                             \
    X(DELETE_CONTEXT_REPLY, delete_context_reply, ON_NONE)                                         \
    X(RESTART_CONTEXT_REPLY, restart_context_reply, ON_NONE)                                       \
    X(CANCEL_REPLY, cancel_reply, ON_NONE)                                                         \
    X(INPUT_REQUEST, input_request, ON_NONE)                                                       \
    X(STATUS, status, ON_NONE)                                                                     \
    X(EXECUTE_INPUT, execute_input, ON_NONE)                                                       \
    X(STREAM, stream, ON_NONE)                                                                     \
    X(DISPLAY_DATA, display_data, ON_NONE)                                                         \
    X(UPDATE_DISPLAY_DATA, update_display_data, ON_NONE)                                           \
    X(CLEAR_OUTPUT, clear_output, ON_NONE)                                                         \
    X(EXECUTE_RESULT, execute_result, ON_NONE)                                                     \
    X(ERROR, error, ON_NONE)                                                                       \
    X(IOPUB_WELCOME, iopub_welcome, ON_NONE)

enum msg_type {
    MSG_UNKNOWN = 0,

#define X(upper, lower, channels) MSG_##upper,
    MSG_TYPE_MAP(X)
#undef X
        MSG_TYPES
};

/* MSG_UNKNOWN for a name that is not in the table. */
enum msg_type msg_type_parse(struct slice name);
const char *msg_type_name(enum msg_type type);

/* May a client send `type` on `channel`? */
bool msg_type_allowed(enum msg_type type, enum channel channel);
