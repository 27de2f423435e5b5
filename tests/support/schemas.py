# SPDX-License-Identifier: MIT
"""What the kernel may send: one JSON schema per message type, after the Jupyter messaging protocol.
Our own messages hold nothing beyond it, so unknown members are refused, and a type without a
schema must never arrive."""
import functools

import jsonschema

TEXT = {"type": "string"}
FLAG = {"type": "boolean"}
COUNT = {"type": "integer", "minimum": 0}
AMOUNT = {"type": "number", "minimum": 0}
OBJECT = {"type": "object"}
LINES = {"type": "array", "items": TEXT}


def message(required=None, **optional):
    """An object with exactly these members."""
    members = {**(required or {}), **optional}
    return {"type": "object", "properties": members, "required": list(required or {}),
            "additionalProperties": False}


def row(*columns):
    """An array with exactly these items."""
    return {"type": "array", "prefixItems": list(columns), "minItems": len(columns),
            "maxItems": len(columns)}


# A MIME type is text, except where it is JSON by name.
BUNDLE = {
    "type": "object",
    "patternProperties": {
        r"^application/(.+[+.])?json$": {},
        r"^(?!application/(.+[+.])?json$)[\w\-+.]+/[\w\-+.]+$": TEXT,
    },
    "additionalProperties": False,
}
RICH_BUNDLE = {**BUNDLE, "required": ["text/plain"]}  # people must always have something to read
TRANSIENT = {**message(display_id=TEXT), "additionalProperties": True}  # the protocol leaves it open
ERROR = {"ename": {**TEXT, "minLength": 1}, "evalue": TEXT, "traceback": LINES}


def reply(**ok):
    """A reply: its members when all is well, or the reason why not."""
    return {"oneOf": [message({"status": {"const": "ok"}, **ok}),
                      message({"status": {"const": "error"}, **ERROR})]}


USER_EXPRESSION = reply(data=RICH_BUNDLE, metadata=OBJECT)
USER_EXPRESSIONS = {"type": "object", "additionalProperties": USER_EXPRESSION}
PAYLOAD = {"type": "array", "items": {"type": "object", "required": ["source"]}}

DATE = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$"}
CONTEXT = message(
    {"id": {"type": "string", "pattern": r"^[A-Za-z0-9._-]{1,128}$"}, "language": TEXT, "cwd": TEXT,
     "state": {"enum": ["stopped", "starting", "idle", "busy", "dying"]}, "pid": COUNT,
     "execution_count": COUNT, "created": DATE, "last_used": DATE})
HOST_MEMORY = {"type": "object", "additionalProperties": AMOUNT,
               "required": ["total", "available", "percent", "used", "free"]}

LANGUAGE_INFO = message(
    {"name": TEXT, "version": TEXT, "mimetype": TEXT,
     "file_extension": {"type": "string", "pattern": r"^\."}},
    pygments_lexer=TEXT, nbconvert_exporter=TEXT,
    codemirror_mode={"oneOf": [TEXT, OBJECT]})

SCHEMAS = {
    # Replies.
    "kernel_info_reply": reply(
        protocol_version={"type": "string", "pattern": r"^5\.\d+(\.\d+)?$"},
        implementation=TEXT, implementation_version=TEXT, language_info=LANGUAGE_INFO,
        banner=TEXT, help_links={"type": "array", "items": message({"text": TEXT, "url": TEXT})},
        supported_features=LINES, debugger=FLAG),
    "execute_reply": {"oneOf": [
        message({"status": {"const": "ok"}, "execution_count": COUNT, "payload": PAYLOAD,
                 "user_expressions": USER_EXPRESSIONS}),
        message({"status": {"const": "error"}, **ERROR, "execution_count": COUNT},
                payload=PAYLOAD, user_expressions={"const": {}}),
        message({"status": {"const": "aborted"}})]},
    "is_complete_reply": {"oneOf": [
        message({"status": {"enum": ["complete", "invalid", "unknown"]}}),
        message({"status": {"const": "incomplete"}},
                indent={"type": "string", "pattern": r"^\s*$"}),
        message({"status": {"const": "error"}, **ERROR})]},
    "complete_reply": reply(matches=LINES, cursor_start=COUNT, cursor_end=COUNT, metadata=OBJECT),
    "inspect_reply": reply(found=FLAG, data=BUNDLE, metadata=OBJECT),
    "history_reply": reply(history={"type": "array", "items": row(
        COUNT, COUNT, {"oneOf": [TEXT, row(TEXT, {"oneOf": [TEXT, {"type": "null"}]})]})}),
    "comm_info_reply": reply(comms={"type": "object",
                                    "additionalProperties": message({"target_name": TEXT})}),
    "connect_reply": reply(shell_port=COUNT, iopub_port=COUNT, stdin_port=COUNT, hb_port=COUNT,
                           control_port=COUNT),
    "interrupt_reply": reply(),
    "shutdown_reply": reply(restart=FLAG),
    "usage_reply": {"oneOf": [
        message({"hostname": TEXT, "pid": COUNT, "cpu_count": COUNT, "kernel_cpu": AMOUNT,
                 "kernel_memory": COUNT},
                host_cpu_percent=AMOUNT, host_virtual_memory=HOST_MEMORY),
        message({"status": {"const": "error"}, **ERROR})]},
    # Replies of our own, to requests of our own.
    "create_context_reply": reply(context=CONTEXT),
    "list_context_reply": reply(contexts={"type": "array", "items": CONTEXT}),
    "restart_context_reply": reply(context=CONTEXT),
    "delete_context_reply": reply(),
    "cancel_reply": reply(cancelled=FLAG),
    # For all clients.
    "iopub_welcome": message({"subscription": TEXT}),
    "status": message({"execution_state": {"enum": ["starting", "restarting", "busy", "idle"]}}),
    "execute_input": message({"code": TEXT, "execution_count": COUNT}),
    "stream": message({"name": {"enum": ["stdout", "stderr"]},
                       "text": {"type": "string", "minLength": 1}}),
    # Finished bundles of user code are sent as they are.
    "display_data": message({"data": BUNDLE, "metadata": OBJECT, "transient": TRANSIENT}),
    "update_display_data": message({"data": BUNDLE, "metadata": OBJECT,
                                    "transient": {**TRANSIENT, "required": ["display_id"]}}),
    "execute_result": message({"execution_count": COUNT, "data": RICH_BUNDLE, "metadata": OBJECT},
                              transient=TRANSIENT),
    "clear_output": message({"wait": FLAG}),
    "error": message(ERROR),
    "comm_open": message({"comm_id": TEXT, "target_name": TEXT, "data": {}}, target_module={}),
    "comm_msg": message({"comm_id": TEXT, "data": {}}),
    "comm_close": message({"comm_id": TEXT, "data": {}}),
    # For the client that runs the cell.
    "input_request": message({"prompt": TEXT, "password": FLAG}),
}

HEADER = message(
    {"msg_id": {**TEXT, "minLength": 1}, "session": {**TEXT, "minLength": 1}, "username": TEXT,
     "date": DATE,
     "msg_type": {"enum": list(SCHEMAS)}, "version": {"type": "string", "pattern": r"^5\.[2-9]$"}})

METADATA = message(started=TEXT, context_id=TEXT)


@functools.cache
def _validator(name):
    schema = {"header": HEADER, "metadata": METADATA}.get(name) or SCHEMAS[name]
    return jsonschema.Draft202012Validator(schema)


def check(name, value):
    """Fails unless `value` is what `name` (a message type, "header", "metadata") must be."""
    problem = jsonschema.exceptions.best_match(_validator(name).iter_errors(value))
    if problem is not None:
        raise AssertionError(f"{name} breaks its schema at {problem.json_path}: {problem.message}"
                             f"\nin {str(value)[:2000]}")
