/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <string.h>

#include "base/fd.h"
#include "base/log.h"
#include "tests/unit/unit.h"

struct fixture {
    int read_fd;
    int write_fd;
    char line[4096];
};

static int set_up(void **state)
{
    static struct fixture f;
    struct err e = ERR_NONE;
    int ends[2];
    if (fd_pipe(ends, &e) < 0 || fd_set_nonblocking(ends[0], &e) < 0) {
        return -1;
    }
    f = (struct fixture){.read_fd = ends[0], .write_fd = ends[1]};
    log_set_fd(f.write_fd);
    log_set_level(LOG_LEVEL_INFO);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    log_set_fd(STDERR_FILENO);
    close(f->read_fd);
    close(f->write_fd);
    return 0;
}

/* What was logged since the last call, "" for nothing. */
static const char *logged(struct fixture *f)
{
    ssize_t n = read(f->read_fd, f->line, sizeof f->line - 1);
    f->line[n > 0 ? n : 0] = '\0';
    return f->line;
}

/* The line after its time stamp. */
static const char *body(struct fixture *f)
{
    const char *line = logged(f);
    assert_int_equal(strncmp(line, "ts=", 3), 0);
    return strchr(line, ' ') + 1;
}

static void test_log_line_is_logfmt(void **state)
{
    struct fixture *f = *state;

    log_info("pool", "context ready", "ctx=%d name=\"%s\"", 7, "a b");

    assert_string_equal(body(f), "lvl=info mod=pool msg=\"context ready\" ctx=7 name=\"a b\"\n");
}

static void test_log_line_without_fields_has_no_trailing_space(void **state)
{
    struct fixture *f = *state;

    log_error("pool", "gone", "%s", "");

    assert_string_equal(body(f), "lvl=error mod=pool msg=\"gone\"\n");
}

static void test_log_line_below_the_level_is_silent(void **state)
{
    struct fixture *f = *state;

    log_debug("pool", "noise", "x=%d", 1);
    assert_string_equal(logged(f), "");

    log_set_level(LOG_LEVEL_DEBUG);
    log_debug("pool", "noise", "x=%d", 1);
    assert_string_equal(body(f), "lvl=debug mod=pool msg=\"noise\" x=1\n");
}

static void test_log_line_hostile_value_stays_one_value(void **state)
{
    struct fixture *f = *state;

    log_warn("zmq", "bad", "a=\"%s\" b=\"%s\"", "x\" lvl=error \"", "\n\x1b[31m\x7f?\"");

    assert_string_equal(body(f), "lvl=warn mod=zmq msg=\"bad\" a=\"x' lvl=error '\" b=\"?"
                                 "?[31m?"
                                 "?'\"\n");
}

static void test_log_line_long_value_is_cut_to_one_line(void **state)
{
    struct fixture *f = *state;

    log_warn("zmq", "bad", "a=%05000d", 1);

    const char *line = logged(f);
    size_t len = strlen(line);
    assert_in_range(len, 500, 1024);
    assert_ptr_equal(strchr(line, '\n'), line + len - 1);
}

static void test_log_level_parse_knows_the_four(void **state)
{
    (void)state;
    enum log_level level = LOG_LEVEL_ERROR;

    assert_int_equal(log_level_parse("debug", &level), 0);
    assert_int_equal(level, LOG_LEVEL_DEBUG);
    assert_int_equal(log_level_parse("error", &level), 0);
    assert_int_equal(level, LOG_LEVEL_ERROR);
    assert_int_equal(log_level_parse("verbose", &level), -1);
    assert_int_equal(log_level_parse("", &level), -1);
}

int main(void)
{
#define LOGGED(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        LOGGED(test_log_line_is_logfmt),
        LOGGED(test_log_line_without_fields_has_no_trailing_space),
        LOGGED(test_log_line_below_the_level_is_silent),
        LOGGED(test_log_line_hostile_value_stays_one_value),
        LOGGED(test_log_line_long_value_is_cut_to_one_line),
        LOGGED(test_log_level_parse_knows_the_four),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
