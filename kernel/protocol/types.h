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

enum { ON_NONE = 0, ON_SHELL = 1, ON_CONTROL = 2, ON_STDIN = 4, EXACT = 8 };

/* What a client may send: constant, name, its reply (UNKNOWN: it has none), the channels on which
 * it may come; EXACT: a field that is not in its schema is an error, because a mistyped wish must
 * not be dropped in silence. One row is all there is to write here for a new request: its fields
 * (schema.c) and its handler (kernel/zmq/requests.c) are named after it, so that a missing one does
 * not compile. */
#define MSG_REQUEST_MAP(X)                                                                         \
    X(KERNEL_INFO_REQUEST, kernel_info_request, KERNEL_INFO_REPLY, ON_SHELL | ON_CONTROL)          \
    X(EXECUTE_REQUEST, execute_request, EXECUTE_REPLY, ON_SHELL | ON_CONTROL)                      \
    X(COMPLETE_REQUEST, complete_request, COMPLETE_REPLY, ON_SHELL)                                \
    X(INSPECT_REQUEST, inspect_request, INSPECT_REPLY, ON_SHELL)                                   \
    X(IS_COMPLETE_REQUEST, is_complete_request, IS_COMPLETE_REPLY, ON_SHELL)                       \
    X(HISTORY_REQUEST, history_request, HISTORY_REPLY, ON_SHELL)                                   \
    X(COMM_INFO_REQUEST, comm_info_request, COMM_INFO_REPLY, ON_SHELL | ON_CONTROL)                \
    X(CONNECT_REQUEST, connect_request, CONNECT_REPLY, ON_SHELL | ON_CONTROL)                      \
    X(COMM_OPEN, comm_open, UNKNOWN, ON_SHELL)                                                     \
    X(COMM_MSG, comm_msg, UNKNOWN, ON_SHELL)                                                       \
    X(COMM_CLOSE, comm_close, UNKNOWN, ON_SHELL)                                                   \
    X(INTERRUPT_REQUEST, interrupt_request, INTERRUPT_REPLY, ON_CONTROL)                           \
    X(SHUTDOWN_REQUEST, shutdown_request, SHUTDOWN_REPLY, ON_SHELL | ON_CONTROL)                   \
    X(USAGE_REQUEST, usage_request, USAGE_REPLY, ON_CONTROL)                                       \
    X(CREATE_CONTEXT_REQUEST, create_context_request, CREATE_CONTEXT_REPLY, ON_CONTROL)            \
    X(LIST_CONTEXT_REQUEST, list_context_request, LIST_CONTEXT_REPLY, ON_CONTROL | EXACT)          \
    X(DELETE_CONTEXT_REQUEST, delete_context_request, DELETE_CONTEXT_REPLY, ON_CONTROL | EXACT)    \
    X(RESTART_CONTEXT_REQUEST, restart_context_request, RESTART_CONTEXT_REPLY, ON_CONTROL | EXACT) \
    X(CANCEL_REQUEST, cancel_request, CANCEL_REPLY, ON_CONTROL | EXACT)                            \
    X(INPUT_REPLY, input_reply, UNKNOWN, ON_STDIN)

/* What only the kernel sends: constant, name. */
#define MSG_SENT_MAP(X)                                                                            \
    X(KERNEL_INFO_REPLY, kernel_info_reply)                                                        \
    X(EXECUTE_REPLY, execute_reply)                                                                \
    X(COMPLETE_REPLY, complete_reply)                                                              \
    X(INSPECT_REPLY, inspect_reply)                                                                \
    X(IS_COMPLETE_REPLY, is_complete_reply)                                                        \
    X(HISTORY_REPLY, history_reply)                                                                \
    X(COMM_INFO_REPLY, comm_info_reply)                                                            \
    X(CONNECT_REPLY, connect_reply)                                                                \
    X(INTERRUPT_REPLY, interrupt_reply)                                                            \
    X(SHUTDOWN_REPLY, shutdown_reply)                                                              \
    X(USAGE_REPLY, usage_reply)                                                                    \
    X(CREATE_CONTEXT_REPLY, create_context_reply)                                                  \
    X(LIST_CONTEXT_REPLY, list_context_reply)                                                      \
    X(DELETE_CONTEXT_REPLY, delete_context_reply)                                                  \
    X(RESTART_CONTEXT_REPLY, restart_context_reply)                                                \
    X(CANCEL_REPLY, cancel_reply)                                                                  \
    X(INPUT_REQUEST, input_request)                                                                \
    X(STATUS, status)                                                                              \
    X(EXECUTE_INPUT, execute_input)                                                                \
    X(STREAM, stream)                                                                              \
    X(DISPLAY_DATA, display_data)                                                                  \
    X(UPDATE_DISPLAY_DATA, update_display_data)                                                    \
    X(CLEAR_OUTPUT, clear_output)                                                                  \
    X(EXECUTE_RESULT, execute_result)                                                              \
    X(ERROR, error)                                                                                \
    X(IOPUB_WELCOME, iopub_welcome)

enum msg_type {
    MSG_UNKNOWN = 0,

#define X(upper, ...) MSG_##upper,
    MSG_REQUEST_MAP(X) MSG_SENT_MAP(X)
#undef X
        MSG_TYPES
};

/* MSG_UNKNOWN for a name that is not in the table. */
enum msg_type msg_type_parse(struct slice name);
const char *msg_type_name(enum msg_type type);

/* May a client send `type` on `channel`? */
bool msg_type_allowed(enum msg_type type, enum channel channel);

/* Is a field that is not in its schema an error? */
bool msg_type_is_exact(enum msg_type type);

/* The type of the reply to a request; MSG_UNKNOWN for messages that have none (comms). */
enum msg_type msg_reply_type(enum msg_type request);
