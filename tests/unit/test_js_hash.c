/* SPDX-License-Identifier: MIT */
#include "contexts/javascript/node/js_hash.h"
#include "tests/unit/unit.h"

/* Digests of "abc" as RFC 1321 and FIPS 180 print them. */
static const struct {
    enum hash_kind kind;
    const char *digest;
} examples[] = {
    {HASH_MD5, "900150983cd24fb0d6963f7d28e17f72"},
    {HASH_SHA1, "a9993e364706816aba3e25717850c26c9cd0d89d"},
    {HASH_SHA224, "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"},
    {HASH_SHA256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {HASH_SHA384, "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed"
                  "8086072ba1e7cc2358baeca134c825a7"},
    {HASH_SHA512, "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                  "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"},
};

static void to_hex(struct hash *h, char *out)
{
    uint8_t digest[HASH_DIGEST_MAX];
    size_t len = hash_end(h, digest);
    for (size_t i = 0; i < len; i++) {
        (void)snprintf(out + 2 * i, 3, "%02x", digest[i]);
    }
}

static void test_hash_of_the_standards_example(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(examples); i++) {
        char hex[2 * HASH_DIGEST_MAX + 1];
        struct hash h;
        hash_init(&h, examples[i].kind);
        hash_add(&h, "a", 1);
        hash_add(&h, "bc", 2);

        to_hex(&h, hex);

        assert_string_equal(hex, examples[i].digest);
    }
}

/* Lengths around the end of a block, where the padding needs one more. */
static void test_hash_is_the_same_in_one_piece_and_in_many(void **state)
{
    char text[300];
    (void)state;
    memset(text, 'x', sizeof text);
    for (size_t len = 0; len < sizeof text; len++) {
        char whole[2 * HASH_DIGEST_MAX + 1];
        char pieces[2 * HASH_DIGEST_MAX + 1];
        enum hash_kind kind = (enum hash_kind)(len % ARRAY_LEN(examples));
        struct hash h;
        hash_init(&h, kind);
        hash_add(&h, text, len);
        to_hex(&h, whole);
        hash_init(&h, kind);
        for (size_t i = 0; i < len; i++) {
            hash_add(&h, text + i, 1);
        }

        to_hex(&h, pieces);

        assert_string_equal(whole, pieces);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hash_of_the_standards_example),
        cmocka_unit_test(test_hash_is_the_same_in_one_piece_and_in_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
