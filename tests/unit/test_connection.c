/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "base/bounds.h"
#include "base/jscan.h"
#include "kernel/protocol/connection.h"
#include "tests/unit/unit.h"

#define PORTS "\"shell_port\":1,\"control_port\":2,\"stdin_port\":3,\"iopub_port\":4,\"hb_port\":5"

/* The pair that the manual page of zmq_curve has as its example. */
#define PUBLIC_KEY "Yne@$w-vo<fVvi]a<NY6T1ed:M$fCG*[IaLV{hID"
#define SECRET_KEY "D:)Q[IlAW!ahhC2ac:9*A}h:p?([4%wOTJ%JR%cs"
#define CURVE      "\"curve_publickey\":\"" PUBLIC_KEY "\",\"curve_secretkey\":\"" SECRET_KEY "\""

#define REGISTRATION                                                                               \
    "\"registration_ip\":\"10.0.0.1\",\"registration_port\":7,\"kernel_id\":\"k-1\""

static void parse(const char *text, struct connection *out)
{
    struct err e = ERR_NONE;
    assert_ok(connection_parse(slice_of(text), out, &e));
}

static void test_connection_parse_file_of_jupyter_client_is_read(void **state)
{
    (void)state;
    _cleanup_(drop_connection) struct connection c;

    parse("{\n  \"shell_port\": 52001,\n  \"iopub_port\": 52002,\n  \"stdin_port\": 52003,\n"
          "  \"control_port\": 52004,\n  \"hb_port\": 52005,\n  \"ip\": \"127.0.0.1\",\n"
          "  \"key\": \"a0436f6c-1916498b8eb9e81ab9368e84\",\n  \"transport\": \"tcp\",\n"
          "  \"signature_scheme\": \"hmac-sha256\",\n  \"kernel_name\": \"pandia-python\",\n"
          "  \"jupyter_session\": \"/home/me/a.ipynb\"\n}\n",
          &c);

    assert_int_equal(c.transport, TRANSPORT_TCP);
    assert_string_equal(c.ip, "127.0.0.1");
    assert_string_equal(c.key, "a0436f6c-1916498b8eb9e81ab9368e84");
    assert_string_equal(c.kernel_name, "pandia-python");
    assert_int_equal(c.ports[CHANNEL_SHELL], 52001);
    assert_int_equal(c.ports[CHANNEL_IOPUB], 52002);
    assert_int_equal(c.ports[CHANNEL_STDIN], 52003);
    assert_int_equal(c.ports[CHANNEL_CONTROL], 52004);
    assert_int_equal(c.ports[CHANNEL_HEARTBEAT], 52005);
}

static void test_connection_parse_only_ports_gives_local_unsigned_tcp(void **state)
{
    (void)state;
    _cleanup_(drop_connection) struct connection c;

    parse("{" PORTS ",\"key\":null}", &c);

    assert_int_equal(c.transport, TRANSPORT_TCP);
    assert_string_equal(c.ip, "127.0.0.1");
    assert_string_equal(c.key, "");
    assert_string_equal(c.kernel_name, "");
}

static void test_connection_parse_empty_scheme_needs_an_empty_key(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    _cleanup_(drop_connection) struct connection c;

    parse("{" PORTS ",\"key\":\"\",\"signature_scheme\":\"\"}", &c);
    assert_err(
        connection_parse(SLICE_LIT("{" PORTS ",\"key\":\"k\",\"signature_scheme\":\"\"}"), &c, &e),
        ERR_INPUT);
}

static void test_connection_parse_bad_fields_are_named_with_a_remedy(void **state)
{
    (void)state;

    static const struct {
        const char *text;
        const char *says[3]; /* field, what is wrong, remedy */
    } rows[] = {
        {"{" PORTS ",\"signature_scheme\":\"hmac-md5\"}",
         {"signature_scheme", "\"hmac-md5\"", "use \"hmac-sha256\""}},
        {"{" PORTS ",\"signature_scheme\":5}", {"signature_scheme", "a number", "a string"}},
        {"{" PORTS ",\"transport\":\"udp\"}", {"transport", "\"udp\"", "use \"tcp\" or \"ipc\""}},
        {"{" PORTS ",\"transport\":[]}", {"transport", "a list", "a string"}},
        {"{" PORTS ",\"ip\":7}", {"\"ip\"", "a number", "a string"}},
        {"{" PORTS ",\"ip\":\"a b\"}", {"\"ip\"", "not an address", "127.0.0.1"}},
        {"{" PORTS ",\"ip\":\"a\\u0000b\"}", {"\"ip\"", "NUL", "remove"}},
        {"{" PORTS ",\"key\":\"\\ud800\"}", {"\"key\"", "surrogate", "remove"}},
        {"{" PORTS ",\"transport\":\"ipc\"}", {"\"ip\"", "missing", "path"}},
        {"{" PORTS ",\"key\":true}", {"\"key\"", "true", "a string"}},
        {"{" PORTS ",\"kernel_name\":{}}", {"kernel_name", "an object", "a string"}},
        {"{" PORTS ",\"hb_port\":\"5\"}", {"hb_port", "a string", "0 to 65535"}},
        {"{" PORTS ",\"hb_port\":65536}", {"hb_port", "65536", "0 to 65535"}},
        {"{" PORTS ",\"hb_port\":-1}", {"hb_port", "-1", "0 to 65535"}},
        {"{" PORTS ",\"hb_port\":1.5}", {"hb_port", "not a whole", "0 to 65535"}},
        {"{" PORTS ",\"hb_port\":null}", {"hb_port", "null", "0 to 65535"}},
        {"{" PORTS ",\"hb_port\":1}", {"shell_port", "hb_port", "its own port"}},
        {"{\"shell_port\":1}", {"control_port", "missing", "0 to 65535"}},
        {"{" PORTS ",\"curve_publickey\":\"" PUBLIC_KEY "\"}",
         {"\"curve_secretkey\" is missing", "beside \"curve_publickey\"", "both"}},
        {"{" PORTS ",\"curve_secretkey\":\"" SECRET_KEY "\"}",
         {"\"curve_publickey\" is missing", "beside \"curve_secretkey\"", "both"}},
        {"{" PORTS "," CURVE ",\"curve_publickey\":\"\"}",
         {"curve_publickey", "no CURVE key", "40 characters in Z85"}},
        {"{" PORTS "," CURVE ",\"curve_secretkey\":7}",
         {"curve_secretkey", "no CURVE key", "40 characters in Z85"}},
        {"{" PORTS "," CURVE ",\"curve_secretkey\":\"" SECRET_KEY "0\"}",
         {"curve_secretkey", "no CURVE key", "zmq_curve_keypair"}},
        {"{" PORTS "," CURVE ",\"curve_publickey\":\"012345678901234567890123456789012345678\"}",
         {"curve_publickey", "no CURVE key", "40 characters in Z85"}},
        {"{" PORTS "," CURVE ",\"curve_publickey\":\"0123456789012345678901234567890123456 89\"}",
         {"curve_publickey", "no CURVE key", "40 characters in Z85"}},
        {"{" PORTS "," CURVE ",\"curve_publickey\":\"01234567890123456789012345678901234#####\"}",
         {"curve_publickey", "no CURVE key", "40 characters in Z85"}},
        {"{" REGISTRATION ",\"registration_port\":0}",
         {"registration_port", "no port", "from 1 to 65535"}},
        {"{" REGISTRATION ",\"registration_port\":\"65536\"}",
         {"registration_port", "no port", "from 1 to 65535"}},
        {"{" REGISTRATION ",\"registration_port\":\"\"}",
         {"registration_port", "no port", "from 1 to 65535"}},
        {"{" REGISTRATION ",\"registration_port\":[7]}",
         {"registration_port", "no port", "from 1 to 65535"}},
        {"{" REGISTRATION ",\"registration_ip\":\"a/b\"}",
         {"registration_ip", "not an address", "127.0.0.1"}},
        {"{" REGISTRATION ",\"kernel_id\":null}", {"kernel_id", "missing", "launcher"}},
        {"{" REGISTRATION ",\"transport\":\"ipc\",\"ip\":\"/a\",\"registration_ip\":null}",
         {"registration_ip", "missing", "path"}},
        {"{" REGISTRATION ",\"registration_port\":null}", {"shell_port", "missing", "0 to 65535"}},
        {"[]", {"a list", "must be", "object"}},
        {"", {"not JSON", "", "anew"}},
        {"{\"shell_port\":1", {"not JSON", "", "anew"}},
        {"{\"ip\":\"\xff\"}", {"not JSON", "", "anew"}},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct err e = ERR_NONE;
        struct connection c;
        assert_err(connection_parse(slice_of(rows[i].text), &c, &e), ERR_INPUT);
        for (size_t j = 0; j < ARRAY_LEN(rows[i].says); j++) {
            if (strstr(e.text, rows[i].says[j]) == NULL) {
                fail_msg("\"%s\" does not say '%s'", e.text, rows[i].says[j]);
            }
        }
    }
}

static void test_connection_parse_hostile_value_is_shown_on_one_short_line(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    struct connection c;
    _cleanup_(drop_buf) struct buf text = BUF_INIT(KIB * 4);
    assert_int_equal(buf_add_text(&text, "{\"transport\":\"a\\nb"), 0);
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(buf_add_text(&text, "\xc3\xa9"), 0);
    }
    assert_int_equal(buf_add_text(&text, "\"}"), 0);

    assert_err(connection_parse(buf_slice(&text), &c, &e), ERR_INPUT);

    assert_null(strchr(e.text, '\n'));
    assert_non_null(strstr(e.text, "use \"tcp\" or \"ipc\""));
}

/* Parses a file whose `field` is `len` times x. */
static int parse_long(const char *before, const char *field, size_t len, struct err *e)
{
    _cleanup_(drop_connection) struct connection c = {.transport = TRANSPORT_TCP};
    _cleanup_(drop_buf) struct buf text = BUF_INIT(CONNECTION_FILE_MAX);
    assert_int_equal(buf_addf(&text, "{" PORTS "%s,\"%s\":\"", before, field), 0);
    for (size_t i = 0; i < len; i++) {
        assert_int_equal(buf_add_byte(&text, 'x'), 0);
    }
    assert_int_equal(buf_add_text(&text, "\"}"), 0);
    return connection_parse(buf_slice(&text), &c, e);
}

static void test_connection_parse_long_texts_are_refused(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    struct connection c;

    assert_ok(parse_long("", "key", sizeof c.key - 1, &e));
    assert_err(parse_long("", "key", sizeof c.key, &e), ERR_INPUT);
    assert_non_null(strstr(e.text, "\"key\""));
    assert_null(strstr(e.text, "xxx")); /* a key is never shown */
    assert_ok(parse_long("", "kernel_name", sizeof c.kernel_name - 1, &e));
    assert_err(parse_long("", "kernel_name", sizeof c.kernel_name, &e), ERR_INPUT);
    assert_ok(parse_long(",\"transport\":\"ipc\"", "ip", 101, &e));
    assert_err(parse_long(",\"transport\":\"ipc\"", "ip", 102, &e), ERR_INPUT);
    assert_non_null(strstr(e.text, "shorter folder"));
}

static void test_connection_parse_oversize_file_is_refused(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    struct connection c;
    static char spaces[CONNECTION_FILE_MAX + 1];
    memset(spaces, ' ', sizeof spaces);

    assert_err(connection_parse((struct slice){spaces, sizeof spaces}, &c, &e), ERR_INPUT);
}

static void test_connection_parse_failure_leaves_out_untouched(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    struct connection c;
    struct connection before;
    memset(&c, 0x5a, sizeof c);
    memset(&before, 0x5a, sizeof before);

    assert_err(connection_parse(SLICE_LIT("{" PORTS ",\"key\":\"k\",\"kernel_name\":1}"), &c, &e),
               ERR_INPUT);

    assert_memory_equal(&c, &before, sizeof c);
}

static void test_connection_write_comes_back_equal(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    _cleanup_(drop_buf) struct buf text = BUF_INIT(KIB * 4);
    _cleanup_(drop_connection) struct connection a;
    _cleanup_(drop_connection) struct connection b;
    parse("{" PORTS ",\"transport\":\"ipc\",\"ip\":\"/tmp/a \\\"b\\\"\",\"key\":\"k\\u00e9\","
          "\"kernel_name\":\"n\"}",
          &a);
    a.ports[CHANNEL_SHELL] = 65535;

    assert_ok(connection_write(&a, &text, &e));

    assert_ok(jscan_check(buf_slice(&text), JSCAN_STRICT, 1, &e));
    assert_true(jscan_string_is(jscan_get(buf_slice(&text), "signature_scheme"), "hmac-sha256"));
    parse(buf_text(&text), &b);
    assert_int_equal(b.transport, TRANSPORT_IPC);
    assert_string_equal(b.ip, "/tmp/a \"b\"");
    assert_string_equal(b.key, "k\xc3\xa9");
    assert_string_equal(b.kernel_name, "n");
    assert_memory_equal(b.ports, a.ports, sizeof a.ports);
}

static void test_connection_parse_curve_keys_encrypt(void **state)
{
    (void)state;
    _cleanup_(drop_connection) struct connection c;

    parse("{" PORTS "," CURVE "}", &c);
    assert_true(connection_is_encrypted(&c));
    assert_string_equal(c.curve_publickey, PUBLIC_KEY);
    assert_string_equal(c.curve_secretkey, SECRET_KEY);

    parse("{" PORTS ",\"curve_publickey\":null}", &c);
    assert_false(connection_is_encrypted(&c));
}

static void test_connection_parse_bad_curve_key_is_never_shown(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    struct connection c;

    assert_err(
        connection_parse(SLICE_LIT("{" PORTS "," CURVE ",\"curve_secretkey\":\"hidden\"}"), &c, &e),
        ERR_INPUT);

    assert_null(strstr(e.text, "hidden"));
}

static void test_connection_parse_registration_stands_for_ports(void **state)
{
    (void)state;
    static const int zeros[CHANNELS];
    _cleanup_(drop_connection) struct connection c;

    parse("{" REGISTRATION ",\"key\":\"k\"}", &c);
    assert_int_equal(c.registration_port, 7);
    assert_string_equal(c.registration_ip, "10.0.0.1");
    assert_string_equal(c.kernel_id, "k-1");
    assert_string_equal(c.ip, "127.0.0.1");
    assert_memory_equal(c.ports, zeros, sizeof zeros);

    parse("{" REGISTRATION "," PORTS ",\"registration_port\":\"8\",\"registration_ip\":null}", &c);
    assert_int_equal(c.registration_port, 8);
    assert_string_equal(c.registration_ip, "127.0.0.1");
    assert_memory_equal(c.ports, zeros, sizeof zeros);

    parse("{" PORTS ",\"kernel_id\":\"k-1\"}", &c);
    assert_int_equal(c.registration_port, 0);
}

static void test_connection_write_optional_fields_come_back(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    _cleanup_(drop_buf) struct buf text = BUF_INIT(KIB * 4);
    _cleanup_(drop_connection) struct connection a;
    _cleanup_(drop_connection) struct connection b;
    parse("{" REGISTRATION "," CURVE "}", &a);
    a.ports[CHANNEL_STDIN] = 52003;

    assert_ok(connection_write(&a, &text, &e));

    int64_t port = 0;
    assert_true(jscan_int(jscan_get(buf_slice(&text), "stdin_port"), &port));
    assert_int_equal(port, 52003);
    parse(buf_text(&text), &b);
    assert_string_equal(b.curve_publickey, PUBLIC_KEY);
    assert_string_equal(b.curve_secretkey, SECRET_KEY);
    assert_string_equal(b.registration_ip, "10.0.0.1");
    assert_int_equal(b.registration_port, 7);
    assert_string_equal(b.kernel_id, "k-1");
}

static void test_connection_write_plain_file_has_no_optional_fields(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    _cleanup_(drop_buf) struct buf text = BUF_INIT(KIB * 4);
    struct connection c;
    parse("{" PORTS "}", &c);

    assert_ok(connection_write(&c, &text, &e));

    assert_null(strstr(buf_text(&text), "curve"));
    assert_null(strstr(buf_text(&text), "registration"));
    assert_null(strstr(buf_text(&text), "kernel_id"));
}

static void test_connection_write_small_ceiling_is_limit(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    _cleanup_(drop_buf) struct buf text = BUF_INIT(32);
    struct connection c;
    parse("{" PORTS "}", &c);

    assert_err(connection_write(&c, &text, &e), ERR_LIMIT);
}

static void test_connection_done_wipes_the_keys(void **state)
{
    (void)state;
    static const char zeros[sizeof((struct connection *)0)->key];
    struct connection c;
    parse("{" PORTS "," CURVE ",\"key\":\"secret\"}", &c);

    connection_done(&c);

    assert_memory_equal(c.key, zeros, sizeof c.key);
    assert_memory_equal(c.curve_secretkey, zeros, sizeof c.curve_secretkey);
    connection_done(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_connection_parse_file_of_jupyter_client_is_read),
        cmocka_unit_test(test_connection_parse_only_ports_gives_local_unsigned_tcp),
        cmocka_unit_test(test_connection_parse_empty_scheme_needs_an_empty_key),
        cmocka_unit_test(test_connection_parse_bad_fields_are_named_with_a_remedy),
        cmocka_unit_test(test_connection_parse_hostile_value_is_shown_on_one_short_line),
        cmocka_unit_test(test_connection_parse_long_texts_are_refused),
        cmocka_unit_test(test_connection_parse_oversize_file_is_refused),
        cmocka_unit_test(test_connection_parse_failure_leaves_out_untouched),
        cmocka_unit_test(test_connection_write_comes_back_equal),
        cmocka_unit_test(test_connection_parse_curve_keys_encrypt),
        cmocka_unit_test(test_connection_parse_bad_curve_key_is_never_shown),
        cmocka_unit_test(test_connection_parse_registration_stands_for_ports),
        cmocka_unit_test(test_connection_write_optional_fields_come_back),
        cmocka_unit_test(test_connection_write_plain_file_has_no_optional_fields),
        cmocka_unit_test(test_connection_write_small_ceiling_is_limit),
        cmocka_unit_test(test_connection_done_wipes_the_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
