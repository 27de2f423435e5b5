/* SPDX-License-Identifier: MIT */
/* fuzz_frame.c - bytes from a worker gone wrong: the first byte says how the rest is cut into
 * pieces, the rest is the stream. Whatever comes out as a frame is read to its last byte, must
 * encode to the bytes it came from, and its content goes through the readers of msg.h. */
#include <assert.h>
#include <stdint.h>

#include "base/bounds.h"
#include "contexts/wire/frame.h"
#include "tests/fuzz/fuzz.h"

static unsigned sum_of(struct slice s)
{
    unsigned sum = 0;
    for (size_t i = 0; i < s.len; i++) {
        sum += (unsigned char)s.data[i];
    }
    return sum;
}

static void read_content(struct slice content)
{
    struct err e = ERR_NONE;
    struct wire_hello hello;
    struct wire_preload preload;
    struct wire_exited exited;
    struct wire_fork fork;
    struct wire_failed failed;
    struct wire_execute_options options;
    int pid = 0;
    if (wire_hello_read(content, &hello, &e) == 0) {
        assert(memchr(hello.interpreter, '\0', sizeof hello.interpreter) != NULL);
    }
    if (wire_preload_read(content, &preload, &e) == 0) {
        assert(preload.stage >= PRELOAD_BEGINS && preload.stage <= PRELOAD_FAILED);
    }
    if (wire_exited_read(content, &exited, &e) == 0) {
        assert(exited.pid > 0);
    }
    if (wire_forked_read(content, &pid, &e) == 0) {
        assert(pid > 0);
    }
    if (wire_fork_read(content, &fork, &e) == 0) {
        assert(fork.descriptor_count <= FD_PASS_MAX);
    }
    if (wire_failed_read(content, &failed, &e) == 0) {
        assert(memchr(failed.error, '\0', sizeof failed.error) != NULL);
    }
    if (wire_execute_options_read(content, &options, &e) == 0) {
        assert(options.execution_count >= 0 && options.env.len <= content.len);
    }
}

/* `end` is where the frame ends in the stream. */
static void use(const struct wire_frame *frame, struct slice stream, size_t *end)
{
    struct err e = ERR_NONE;
    volatile unsigned touched = sum_of(frame->content);
    for (size_t i = 0; i < frame->buffer_count; i++) {
        touched += sum_of(frame->buffers[i]);
    }
    (void)touched;
    _cleanup_(drop_buf) struct buf again = BUF_INIT(stream.len);
    int encoded = wire_encode(&again, frame, &e);
    assert(encoded == 0);
    assert(*end + again.len <= stream.len);
    assert(memcmp(stream.data + *end, again.data, again.len) == 0);
    *end += again.len;
    read_content(frame->content);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    size_t step = data[0] == 0 ? size : data[0];
    struct slice stream = {.data = (const char *)data + 1, .len = size - 1};
    struct wire_reader reader;
    struct err e = ERR_NONE;
    size_t taken = 0;
    int next = 0;
    wire_reader_init(&reader);
    for (size_t at = 0; at < stream.len && next >= 0; at += step) {
        size_t left = stream.len - at;
        struct slice piece = {.data = stream.data + at, .len = left < step ? left : step};
        if (wire_reader_feed(&reader, piece, &e) < 0) {
            break;
        }
        struct wire_frame frame;
        while ((next = wire_reader_next(&reader, &frame, &e)) == 1) {
            use(&frame, stream, &taken);
        }
        assert(reader.in.cap <= 4 * stream.len + 64 * KIB);
    }
    wire_reader_done(&reader);
    return 0;
}
