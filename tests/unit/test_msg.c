/* SPDX-License-Identifier: MIT */
#include "base/bounds.h"
#include "base/jscan.h"
#include "contexts/wire/msg.h"
#include "tests/unit/unit.h"

static void test_wire_type_name_and_route_follow_the_table(void **state)
{
    (void)state;

    assert_string_equal(wire_type_name(WIRE_HELLO), "hello");
    assert_string_equal(wire_type_name(WIRE_UPDATE_DISPLAY_DATA), "update_display_data");
    assert_string_equal(wire_type_name(WIRE_DONE), "done");
    assert_string_equal(wire_type_name((enum wire_type)WIRE_TYPES), "unknown");
    assert_int_equal(wire_type_route(WIRE_FORK), BROKER_TO_ZYGOTE);
    assert_int_equal(wire_type_route(WIRE_EXITED), ZYGOTE_TO_BROKER);
    assert_int_equal(wire_type_route(WIRE_EXECUTE), BROKER_TO_WORKER);
    assert_int_equal(wire_type_route(WIRE_STREAM), WORKER_TO_BROKER);
    assert_int_equal(WIRE_PRELOAD + 1, WIRE_TYPES);
}

static const struct wire_hello example = {.version = WIRE_VERSION,
                                          .language = "python",
                                          .language_version = "3.11.2",
                                          .interpreter = "/opt/gr\xc3\xbc\xc3\x9f \"e\"/python",
                                          .host = "embedded"};

static void test_wire_hello_comes_back_the_same(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(ZYGOTE_FRAME_MAX);
    struct wire_hello seen = {0};

    assert_int_equal(wire_hello_add(&out, &example), 0);
    assert_ok(wire_hello_read(buf_slice(&out), &seen, &e));

    assert_int_equal(seen.version, WIRE_VERSION);
    assert_string_equal(seen.language, example.language);
    assert_string_equal(seen.language_version, example.language_version);
    assert_string_equal(seen.interpreter, example.interpreter);
    assert_string_equal(seen.host, example.host);
}

static void test_wire_hello_longest_texts_come_back(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(ZYGOTE_FRAME_MAX);
    struct wire_hello sent = example;
    struct wire_hello seen = {0};
    memset(sent.interpreter, 'p', sizeof sent.interpreter - 1);

    assert_int_equal(wire_hello_add(&out, &sent), 0);
    assert_ok(wire_hello_read(buf_slice(&out), &seen, &e));

    assert_string_equal(seen.interpreter, sent.interpreter);
}

#define HELLO(version, language)                                                                   \
    "{\"version\": " version ", \"language\": " language                                           \
    ", \"language_version\": \"3\", \"interpreter\": \"\", \"host\": \"exec\"}"

static void test_wire_hello_read_malformed_is_proto_error(void **state)
{
    (void)state;
    const char *const bad[] = {
        "",
        "[]",
        "{}",
        "{\"version\": 1}",
        HELLO("\"1\"", "\"x\""),
        HELLO("-1", "\"x\""),
        HELLO("99999999999", "\"x\""),
        HELLO("1.0", "\"x\""),
        HELLO("1", "null"),
        HELLO("1", "\"a language with a name of more than 31 bytes\""),
        HELLO("1", "\"a\\u0000b\""),
        HELLO("1", "\"x\"") "x",
    };
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct err e = ERR_NONE;
        struct wire_hello seen = {.version = 77};
        assert_err(wire_hello_read(slice_of(bad[i]), &seen, &e), ERR_PROTO);
        assert_int_equal(seen.version, 77);
        assert_int_equal(strncmp(e.text, "hello: ", 7), 0);
    }
    struct err e = ERR_NONE;
    struct wire_hello seen;
    assert_ok(wire_hello_read(SLICE_LIT(HELLO("1", "\"x\"")), &seen, &e));
}

static void test_wire_hello_add_at_the_ceiling_adds_nothing(void **state)
{
    (void)state;
    _cleanup_(drop_buf) struct buf whole = BUF_INIT(ZYGOTE_FRAME_MAX);
    assert_int_equal(wire_hello_add(&whole, &example), 0);
    for (size_t limit = 0; limit < whole.len; limit++) {
        _cleanup_(drop_buf) struct buf out = BUF_INIT(limit);
        assert_int_equal(wire_hello_add(&out, &example), -1);
        assert_int_equal(out.len, 0);
    }
}

static void test_wire_preload_comes_back_the_same(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(ZYGOTE_FRAME_MAX);
    struct wire_preload sent = {.stage = PRELOAD_FAILED, .text = "ImportError: \"no\""};
    struct wire_preload seen = {0};
    memset(sent.module, 'm', sizeof sent.module - 1);
    assert_int_equal(sizeof sent.module, MODULE_NAME_MAX + 1);

    assert_int_equal(wire_preload_add(&out, &sent), 0);
    assert_ok(wire_preload_read(buf_slice(&out), &seen, &e));

    assert_int_equal(seen.stage, PRELOAD_FAILED);
    assert_string_equal(seen.module, sent.module);
    assert_string_equal(seen.text, sent.text);
}

static void test_wire_preload_read_unknown_stage_is_proto_error(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    struct wire_preload seen = {.stage = 7};

    assert_int_equal(wire_preload_read(SLICE_LIT("{\"stage\": 3, \"module\": \"m\", "
                                                 "\"text\": \"\"}"),
                                       &seen, &e),
                     -1);

    assert_int_equal(e.code, ERR_PROTO);
    assert_int_equal(seen.stage, 7);
}

static void test_wire_exited_comes_back_the_same(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(ZYGOTE_FRAME_MAX);
    struct wire_exited sent = {
        .pid = 4194304, .status = 0x8b, .cpu_us = INT64_MAX, .max_rss_kib = 123456789012};
    struct wire_exited seen = {0};

    assert_int_equal(wire_exited_add(&out, &sent), 0);
    assert_ok(wire_exited_read(buf_slice(&out), &seen, &e));

    assert_int_equal(seen.pid, sent.pid);
    assert_int_equal(seen.status, sent.status);
    assert_true(seen.cpu_us == sent.cpu_us);
    assert_true(seen.max_rss_kib == sent.max_rss_kib);
}

/* A pid of 0 or below would mean a process group to kill(2). */
static void test_wire_pids_that_are_none_are_proto_errors(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    struct wire_exited exited;
    int pid = 5;

    assert_err(wire_forked_read(SLICE_LIT("{\"pid\": 0}"), &pid, &e), ERR_PROTO);
    assert_err(wire_forked_read(SLICE_LIT("{\"pid\": -1}"), &pid, &e), ERR_PROTO);
    assert_err(wire_forked_read(SLICE_LIT("{\"pid\": 4294967297}"), &pid, &e), ERR_PROTO);
    assert_err(wire_forked_read(SLICE_LIT("{}"), &pid, &e), ERR_PROTO);
    assert_int_equal(pid, 5);
    assert_err(wire_exited_read(SLICE_LIT("{\"pid\": -1, \"status\": 0, \"cpu_us\": 0, "
                                          "\"max_rss_kib\": 0}"),
                                &exited, &e),
               ERR_PROTO);
}

static void test_wire_fork_comes_back_the_same(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(ZYGOTE_FRAME_MAX);
    struct wire_fork sent = {.policy = "open",
                             .descriptor_count = 3,
                             .descriptors = {FORK_FD_WILL, FORK_FD_WIRE, FORK_FD_ERR_W}};
    struct wire_fork seen = {0};

    assert_int_equal(wire_fork_add(&out, &sent), 0);
    assert_string_equal(buf_text(&out), "{\"policy\": \"open\", "
                                        "\"descriptors\": [\"will\", \"wire\", \"stderr_write\"]}");
    assert_ok(wire_fork_read(buf_slice(&out), &seen, &e));

    assert_string_equal(seen.policy, "open");
    assert_int_equal(seen.descriptor_count, 3);
    assert_memory_equal(seen.descriptors, sent.descriptors, 3 * sizeof *sent.descriptors);
}

static void test_wire_fork_read_malformed_is_proto_error(void **state)
{
    (void)state;

    static const struct {
        const char *content;
        const char *part;
    } rows[] = {
        {"{\"descriptors\": []}", "'policy'"},
        {"{\"policy\": 1, \"descriptors\": []}", "'policy'"},
        {"{\"policy\": \"open\"}", "'descriptors'"},
        {"{\"policy\": \"open\", \"descriptors\": {}}", "'descriptors'"},
        {"{\"policy\": \"open\", \"descriptors\": [\"door\"]}", "\"door\""},
        {"{\"policy\": \"open\", \"descriptors\": [7]}", "7"},
        {"{\"policy\": \"open\", \"descriptors\": [\"will\", \"will\", \"will\", \"will\", "
         "\"will\", \"will\", \"will\", \"will\", \"will\"]}",
         "more than 8"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct err e = ERR_NONE;
        struct wire_fork seen = {.policy = "before"};
        assert_err(wire_fork_read(slice_of(rows[i].content), &seen, &e), ERR_PROTO);
        assert_non_null(strstr(e.text, rows[i].part));
        assert_string_equal(seen.policy, "before");
    }
}

static void test_wire_fork_place_sorts_by_name_or_fails(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    struct wire_fork fork = {.descriptor_count = FORK_FDS};
    int fds[FORK_FDS];
    int placed[FORK_FDS] = {0};
    for (int i = 0; i < FORK_FDS; i++) {
        fork.descriptors[i] = (enum wire_fork_fd)(FORK_FDS - 1 - i); /* backwards */
        fds[i] = 100 + i;
    }

    assert_ok(wire_fork_place(&fork, fds, FORK_FDS, placed, &e));
    assert_int_equal(placed[FORK_FD_WIRE], 100 + FORK_FDS - 1);
    assert_int_equal(placed[FORK_FD_WILL], 100);

    placed[0] = 5;
    assert_err(wire_fork_place(&fork, fds, FORK_FDS - 1, placed, &e), ERR_PROTO);
    fork.descriptors[0] = FORK_FD_WIRE;
    assert_err(wire_fork_place(&fork, fds, FORK_FDS, placed, &e), ERR_PROTO);
    assert_non_null(strstr(e.text, "'wire' is named twice"));
    fork.descriptors[0] = FORK_FD_WILL;
    fork.descriptor_count = FORK_FDS - 1;
    assert_err(wire_fork_place(&fork, fds, FORK_FDS - 1, placed, &e), ERR_PROTO);
    assert_non_null(strstr(e.text, "'wire' is missing"));
    assert_int_equal(placed[0], 5);
}

static void test_wire_failed_comes_back_the_same(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(ZYGOTE_FRAME_MAX);
    struct wire_failed sent = {.error = "no \"room\" left\n"};
    struct wire_failed seen = {0};

    assert_int_equal(wire_failed_add(&out, &sent), 0);
    assert_ok(wire_failed_read(buf_slice(&out), &seen, &e));

    assert_string_equal(seen.error, sent.error);
    assert_err(wire_failed_read(SLICE_LIT("{}"), &seen, &e), ERR_PROTO);
}

static void test_wire_forked_comes_back_the_same(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(ZYGOTE_FRAME_MAX);
    int pid = 0;

    assert_int_equal(wire_forked_add(&out, 31337), 0);
    assert_ok(wire_forked_read(buf_slice(&out), &pid, &e));

    assert_int_equal(pid, 31337);
}

static void test_wire_execute_options_come_back_the_same(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(ZYGOTE_FRAME_MAX);
    struct wire_execute_options options = {.execution_count = 9876543210,
                                           .env = SLICE_LIT("{\"A\": \"b c\"}"),
                                           .header = SLICE_LIT("{\"msg_id\": \"m\"}"),
                                           .runs_to_end = true};
    struct wire_execute_options read = {0};

    assert_int_equal(wire_execute_options_add(&out, &options), 0);
    assert_ok(wire_execute_options_read(buf_slice(&out), &read, &e));
    assert_true(read.execution_count == 9876543210);
    assert_slice_equal(read.env, "{\"A\": \"b c\"}");
    assert_slice_equal(read.header, "{\"msg_id\": \"m\"}");
    assert_true(read.runs_to_end);

    assert_err(wire_execute_options_read(SLICE_NONE, &read, &e), ERR_PROTO);
    assert_err(wire_execute_options_read(SLICE_LIT("{\"execution_count\": true}"), &read, &e),
               ERR_PROTO);
    assert_err(
        wire_execute_options_read(SLICE_LIT("{\"execution_count\": 1, \"env\": 3}"), &read, &e),
        ERR_PROTO);
    assert_err(
        wire_execute_options_read(SLICE_LIT("{\"execution_count\": 1, \"header\": 3}"), &read, &e),
        ERR_PROTO);
    assert_err(wire_execute_options_read(SLICE_LIT("{\"execution_count\": 1, \"runs_to_end\": 1}"),
                                         &read, &e),
               ERR_PROTO);
    assert_true(read.execution_count == 9876543210);
}

static void test_wire_execute_options_of_a_cell_say_no_more_than_they_must(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(KIB);
    struct wire_execute_options read = {.runs_to_end = true};

    assert_int_equal(
        wire_execute_options_add(&out, &(struct wire_execute_options){.execution_count = 3}), 0);

    assert_slice_equal(buf_slice(&out), "{\"execution_count\": 3}");
    assert_ok(wire_execute_options_read(buf_slice(&out), &read, &e));
    assert_false(read.runs_to_end);
}

static void test_wire_done_carries_codes_of_processes_only(void **state)
{
    static const char *const bad[] = {
        "", "{}", "{\"exit_code\": -1}", "{\"exit_code\": 256}", "{\"exit_code\": \"0\"}", "[0]"};
    (void)state;
    struct err e = ERR_NONE;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(KIB);
    struct wire_done read = {.exit_code = 7};
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        assert_err(wire_done_read(slice_of(bad[i]), &read, &e), ERR_PROTO);
        assert_int_equal(read.exit_code, 7);
    }

    assert_int_equal(wire_done_add(&out, &(struct wire_done){.exit_code = 255}), 0);

    assert_slice_equal(buf_slice(&out), "{\"exit_code\": 255}");
    assert_ok(wire_done_read(buf_slice(&out), &read, &e));
    assert_int_equal(read.exit_code, 255);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wire_type_name_and_route_follow_the_table),
        cmocka_unit_test(test_wire_hello_comes_back_the_same),
        cmocka_unit_test(test_wire_hello_longest_texts_come_back),
        cmocka_unit_test(test_wire_hello_read_malformed_is_proto_error),
        cmocka_unit_test(test_wire_hello_add_at_the_ceiling_adds_nothing),
        cmocka_unit_test(test_wire_preload_comes_back_the_same),
        cmocka_unit_test(test_wire_preload_read_unknown_stage_is_proto_error),
        cmocka_unit_test(test_wire_exited_comes_back_the_same),
        cmocka_unit_test(test_wire_pids_that_are_none_are_proto_errors),
        cmocka_unit_test(test_wire_fork_comes_back_the_same),
        cmocka_unit_test(test_wire_fork_read_malformed_is_proto_error),
        cmocka_unit_test(test_wire_fork_place_sorts_by_name_or_fails),
        cmocka_unit_test(test_wire_failed_comes_back_the_same),
        cmocka_unit_test(test_wire_forked_comes_back_the_same),
        cmocka_unit_test(test_wire_execute_options_come_back_the_same),
        cmocka_unit_test(test_wire_execute_options_of_a_cell_say_no_more_than_they_must),
        cmocka_unit_test(test_wire_done_carries_codes_of_processes_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
