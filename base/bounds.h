/* SPDX-License-Identifier: MIT */
/* bounds.h - every size, depth, count and time that a peer controls, in one place. */
#pragma once

#define KIB 1024UL
#define MIB (1024UL * KIB)

/* Messages from clients. */
#define MSG_FRAMES_MAX     1024UL       /* parts of one multipart message, identities included */
#define MSG_IDENTITIES_MAX 16UL         /* routing hops in front of the delimiter */
#define MSG_HEADER_MAX     (64UL * KIB) /* header, and parent header */
#define MSG_PARENT_MAX     (3 * MSG_HEADER_MAX) /* a header after its repair, see codec_parent */
#define MSG_JSON_MAX       (32UL * MIB) /* the four JSON frames together; HMAC and check of it ~0.2 s */
#define MSG_BUFFERS_MAX    (256UL * MIB) /* binary buffers of one message */
#define MSG_FRAME_MAX      (512UL * MIB) /* one ZeroMQ frame; above it libzmq cuts the connection */
#define MSG_FIELD_MAX      1024UL        /* msg_id, session, msg_type as text */
#define JSON_DEPTH_MAX     256UL         /* nesting of any JSON we read */
#define REPLAY_REMEMBERED  65536UL /* signatures the replay guard keeps, as jupyter_client does */

/* Frames between broker and worker. */
#define FRAME_CONTENT_MAX      (128UL * MIB) /* JSON content of one frame */
#define FRAME_BUFFERS_MAX      (256UL * MIB) /* its binary buffers together */
#define FRAME_BUFFER_COUNT_MAX 1024UL
#define PRELOAD_MAX            64UL         /* modules of one --preload list */
#define MODULE_NAME_MAX        255UL        /* one of them, dots included */
#define START_OPTIONS_MAX      (4UL * MIB)  /* environment and options of a new context */
#define ZYGOTE_FRAME_MAX       (64UL * KIB) /* one datagram between broker and zygote */

/* What a context may pile up. */
#define CONTEXT_QUEUE_MAX   10000UL       /* requests waiting for one context */
#define CONTEXT_QUEUE_BYTES (256UL * MIB) /* their content together */
#define CONTEXTS_MAX        4096UL
#define DOORS_MAX           32 /* ways into one broker */
#define COMMS_MAX           100000UL
#define CONTEXT_ID_MAX      128UL
#define CONTEXT_MEMORY_MIN  (1UL * MIB)  /* smallest limit a context may be given */
#define CONTEXT_BACKLOG_MAX (64UL * MIB) /* bytes towards a worker that does not read */

/* Output on its way to clients. */
#define STREAM_CHUNK_MAX     (256UL * KIB) /* text of one stream message */
#define POSTMORTEM_BYTES_MAX (256UL * KIB) /* left in the pipes of a dead context */
#define IOPUB_EARLY_MAX      MIB           /* kept for a first subscriber */
#define IOPUB_BACKLOG_MAX    (64UL * MIB)  /* above it contexts are paused */

/* Pixels that become a PNG; a screen of 8K has 33 million. */
#define IMAGE_SIDE_MAX   65536UL
#define IMAGE_PIXELS_MAX 40000000UL
#define IMAGE_PNG_MAX    (FRAME_CONTENT_MAX / 4 * 3) /* as base64 it is all of a frame */

/* What a result says of the types that it had to leave out. */
#define BUNDLE_NOTES_MAX     8UL   /* lines; further types are counted */
#define BUNDLE_NOTE_NAME_MAX 100UL /* bytes of a type's name in them */
#define BUNDLE_NOTES_BYTES   2048UL

/* What completion offers; more than a person reads. */
#define COMPLETE_MATCHES_MAX 5000UL
#define COMPLETE_BYTES_MAX   (1UL * MIB) /* of the reply */

/* The side thread, and the history it keeps. */
#define OFFLOAD_QUEUE_MAX   16384UL       /* tasks waiting for it */
#define HISTORY_PENDING_MAX (32UL * MIB)  /* text on its way to the file */
#define HISTORY_SOURCE_MAX  (1UL * MIB)   /* a longer cell is not remembered: half of one is none */
#define HISTORY_OUTPUT_MAX  (64UL * KIB)  /* text of a result; cut there */
#define HISTORY_ENTRIES_MAX 100000UL      /* in the file; the oldest go first */
#define HISTORY_FILE_MAX    (256UL * MIB) /* the same as bytes */
#define HISTORY_MEMORY_MAX  (32UL * MIB)  /* and without a file */
#define HISTORY_ROWS_MAX    10000UL       /* of one answer; the newest are given */
#define HISTORY_REPLY_MAX   (16UL * MIB)  /* the same as bytes */
#define HISTORY_PATTERN_MAX 1024UL        /* of a search */

#define CONTROL_REPLY_MAX (4UL * MIB) /* the list of all contexts, all comms, usage */

/* What usage is read from. */
#define USAGE_PROCESSES_MAX 4096UL      /* of the kernel; further ones are not counted */
#define USAGE_FILE_MAX      (1UL * MIB) /* one file of /proc; the lists of children are the largest */

/* Answers to fetch(). */
#define FETCH_HEAD_MAX   (1UL * MIB) /* status line and headers */
#define FETCH_CONNECT_MS 30000       /* until a server has taken the connection */

/* What completion in JavaScript reads of a folder. */
#define JS_FOLDER_NAMES_MAX 20000UL

/* Files. */
#define JS_FILE_MAX         (2048UL * MIB) /* what JavaScript reads or converts in one go */
#define JS_TYPESCRIPT_MAX   (1UL * MIB)    /* a file whose types are taken off */
#define CONNECTION_FILE_MAX (64UL * KIB)
#define CONFIG_FILE_MAX     (1UL * MIB)

/* Times, in milliseconds. */
#define BIND_RETRY_MS         1000  /* a port may still be held by the kernel we replace */
#define REGISTRATION_MS       5000  /* from telling the launcher our ports to its acknowledgement */
#define STDIN_CONNECT_MS      5000  /* a client whose cell asks for input may connect stdin late */
#define STDIN_RETRY_MS        20    /* how often it is tried meanwhile */
#define ZYGOTE_START_MS       30000 /* from exec to its hello */
#define PRELOAD_MS            60000 /* one module of the preload list; then it is left out */
#define PRELOAD_THREADS_MS    500   /* threads that a module started may still be ending */
#define CONTEXT_START_MS      30000 /* from fork to ready */
#define DEATH_STATUS_MS       2000  /* from the pidfd to the reaper's report */
#define SHUTDOWN_DRAIN_MS     200   /* running cells may end by themselves */
#define SHUTDOWN_INTERRUPT_MS 300   /* then they are interrupted */
#define SHUTDOWN_KILL_MS      500   /* then killed; all of it stays under jupyter_client's 2.5 s */
#define HISTORY_BUSY_MS       5000  /* a file locked for longer by somebody else is given up */
#define HISTORY_QUERY_MS      2000  /* then a search gives what it has found so far */
#define CELL_GAP_MS           100   /* from one cell of a "run all" to the next, at the client */
#define INTERRUPT_REPEAT_MS   1000
#define TIMEOUT_KILL_MS       2000 /* code past its time that ignores interrupts dies after this */
#define TIMEOUT_MAX_MS        604800000L /* a week: the longest timeout a client may ask for */
#define INTERRUPT_KILL_MS     5000       /* uninterruptible code dies after this, and says so */
#define HISTORY_FLUSH_MS      800  /* for a slow disk; the end of the kernel stays under 2 s */
#define ZYGOTE_RETRY_MAX      3    /* starts in a row that fail before requests are refused */
#define IOPUB_EARLY_MS        5000 /* so long a first subscriber gets what was published before it */
#define IOPUB_STALL_MS        5000 /* then a subscriber that does not read loses messages, others not */
#define IOPUB_RETRY_MS        2 /* how often a refused message is tried again */

/* How much one turn of the loop gives to one source, so that none starves the rest. */
#define TURN_MESSAGES      64          /* messages read from one client socket */
#define TURN_BYTES         (1UL * MIB) /* bytes read from one context */
#define RECENT_JOBS        32     /* finished executions that late output can still belong to */
#define ZYGOTE_PRINTED_MAX 2048   /* end of what a zygote printed, for the error message */
#define SHELL_SNDHWM       200000 /* replies waiting for one client before libzmq drops */
#define IOPUB_SNDHWM       1000   /* messages waiting for one subscriber; 64 KiB each in a flood */
