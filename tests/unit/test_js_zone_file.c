/* SPDX-License-Identifier: MIT */
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/fd.h"
#include "contexts/javascript/node/js_zone_file.h"
#include "tests/unit/unit.h"

#define ZONES "/usr/share/zoneinfo/"

static void add_32(struct buf *file, uint32_t value)
{
    value = htobe32(value);
    buf_add(file, &value, sizeof value);
}

static void add_header(struct buf *file, uint32_t times, uint32_t types, uint32_t letters)
{
    static const char reserved[15];
    buf_add_text(file, "TZif2");
    buf_add(file, reserved, sizeof reserved);
    for (int i = 0; i < 3; i++) {
        add_32(file, 0);
    }
    add_32(file, times);
    add_32(file, types);
    add_32(file, letters);
}

static void add_type(struct buf *file, int32_t offset_s, uint8_t letter)
{
    add_32(file, (uint32_t)offset_s);
    buf_add_byte(file, '\0');
    buf_add_byte(file, (char)letter);
}

/* Until 1000 it is LMT, until 2000 AAA, then what the footer says, or BBB. */
static void make_file(struct buf *file, const char *footer)
{
    static const int64_t times[] = {1000, 2000};
    add_header(file, 0, 1, 4);
    add_type(file, 0, 0);
    buf_add(file, "OLD", 4);
    add_header(file, 2, 3, 12);
    for (size_t i = 0; i < ARRAY_LEN(times); i++) {
        uint64_t value = htobe64((uint64_t)times[i]);
        buf_add(file, &value, sizeof value);
    }
    buf_add(file, "\1\2", 2);
    add_type(file, 61, 0);
    add_type(file, 3600, 4);
    add_type(file, -7200, 8);
    buf_add(file, "LMT\0AAA\0BBB", 12);
    buf_addf(file, "\n%s\n", footer);
}

static void assert_at(const struct buf *file, int64_t when, int32_t offset_s,
                      const char *abbreviation)
{
    struct zone_moment found = {0};

    assert_true(zone_file_at(buf_slice(file), when, &found));
    assert_int_equal(found.offset_s, offset_s);
    assert_string_equal(found.abbreviation, abbreviation);
}

static void test_file_table_and_footer_are_followed(void **state)
{
    _cleanup_(drop_buf) struct buf file = BUF_INIT(4096);
    (void)state;
    make_file(&file, "CCC-9");

    assert_at(&file, -8640000000000, 61, "LMT");
    assert_at(&file, 999, 61, "LMT");
    assert_at(&file, 1000, 3600, "AAA");
    assert_at(&file, 1999, 3600, "AAA");
    assert_at(&file, 2000, 9 * 3600, "CCC");
    assert_at(&file, 8640000000000, 9 * 3600, "CCC");
}

static void test_file_without_a_good_footer_keeps_its_last_type(void **state)
{
    static const char *const footers[] = {"", "nonsense"};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(footers); i++) {
        _cleanup_(drop_buf) struct buf file = BUF_INIT(4096);
        make_file(&file, footers[i]);

        assert_at(&file, 5000, -7200, "BBB");
    }
}

/* Each prefix lies in memory of its own size, so that a sanitizer sees a read beyond it. */
static void test_file_cut_anywhere_is_survived(void **state)
{
    _cleanup_(drop_buf) struct buf file = BUF_INIT(4096);
    (void)state;
    make_file(&file, "CCC-9");

    for (size_t len = 0; len < file.len; len++) {
        _cleanup_(drop_free) char *copy = malloc(len + (len == 0));
        assert_non_null(copy);
        memcpy(copy, file.data, len);
        struct zone_moment found = {.offset_s = 7};
        bool is_read = zone_file_at((struct slice){.data = copy, .len = len}, 1500, &found);
        assert_int_equal(found.offset_s, is_read ? 3600 : 7);
    }
}

static void test_file_with_any_byte_changed_is_survived(void **state)
{
    static const unsigned char bytes[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
    _cleanup_(drop_buf) struct buf file = BUF_INIT(4096);
    (void)state;
    make_file(&file, "CCC-9");

    for (size_t at = 0; at < file.len; at++) {
        for (size_t i = 0; i < ARRAY_LEN(bytes); i++) {
            char before = file.data[at];
            struct zone_moment found;
            file.data[at] = (char)bytes[i];
            if (zone_file_at(buf_slice(&file), 1500, &found)) {
                assert_true(strlen(found.abbreviation) < ZONE_ABBREVIATION_MAX);
            }
            file.data[at] = before;
        }
    }
}

static void test_file_of_another_kind_is_refused(void **state)
{
    static const char *const texts[] = {"", "TZif", "# leapseconds\n",
                                        "TZifTZifTZifTZifTZifTZifTZif"};
    struct zone_moment found;
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        assert_false(zone_file_at(slice_of(texts[i]), 0, &found));
    }
}

static void compare_with_library(const char *zone, const struct buf *file)
{
    for (int64_t when = -5000000000; when < 9000000000; when += 86400LL * 37 + 4321) {
        time_t moment = (time_t)when;
        struct tm parts;
        struct zone_moment found = {0};
        assert_non_null(localtime_r(&moment, &parts));
        if (!zone_file_at(buf_slice(file), when, &found) || found.offset_s != parts.tm_gmtoff ||
            strcmp(found.abbreviation, parts.tm_zone) != 0) {
            fail_msg("%s at %lld: %d %s, not %ld %s", zone, (long long)when, found.offset_s,
                     found.abbreviation, parts.tm_gmtoff, parts.tm_zone);
        }
    }
}

/* The C library, which reads the same files, is the yardstick. */
static void test_files_of_the_system_say_what_the_library_says(void **state)
{
    static const char *const zones[] = {
        "America/New_York",  "Europe/Berlin",       "Europe/Dublin",  "Asia/Kathmandu",
        "Asia/Tehran",       "Australia/Sydney",    "America/Nuuk",   "America/Sao_Paulo",
        "Africa/Casablanca", "Africa/Monrovia",     "Etc/GMT+5",      "Pacific/Apia",
        "Asia/Gaza",         "Antarctica/Troll",    "Asia/Pyongyang", "UTC",
        "Africa/Cairo",      "Australia/Lord_Howe", "Asia/Jerusalem", "America/Scoresbysund",
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(zones); i++) {
        char path[128];
        struct err e = ERR_NONE;
        _cleanup_(drop_buf) struct buf file = BUF_INIT(65536);
        (void)snprintf(path, sizeof path, ZONES "%s", zones[i]);
        if (access(path, R_OK) < 0) {
            continue; /* data of another year, or a machine without any */
        }
        assert_ok(fd_read_file(path, &file, &e));
        assert_int_equal(setenv("TZ", zones[i], 1), 0);
        tzset();

        compare_with_library(zones[i], &file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_file_table_and_footer_are_followed),
        cmocka_unit_test(test_file_without_a_good_footer_keeps_its_last_type),
        cmocka_unit_test(test_file_cut_anywhere_is_survived),
        cmocka_unit_test(test_file_with_any_byte_changed_is_survived),
        cmocka_unit_test(test_file_of_another_kind_is_refused),
        cmocka_unit_test(test_files_of_the_system_say_what_the_library_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
