/* SPDX-License-Identifier: MIT */
/* png_bare.c - our PNG encoder without a language around it: `png_bare WIDTH HEIGHT COUNT` reads
 * RGBA pixels from its input, encodes them COUNT times and prints the CPU milliseconds of the
 * fastest, and the bytes of the PNG. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/bounds.h"
#include "mime/png.h"

static double now_ms(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); /* cannot fail with this clock */
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Exactly `len` bytes of the input. */
static int read_all(struct buf *out, size_t len)
{
    char *room = buf_reserve(out, len);
    size_t got = room != NULL ? fread(room, 1, len, stdin) : 0;
    if (got < len) {
        return -1;
    }
    buf_commit(out, len);
    return 0;
}

/* Into a buffer that starts empty each time, as that of a result does. */
static int encode_ms(const struct pixels *px, double *ms, size_t *bytes, struct err *e)
{
    _cleanup_(drop_buf) struct buf png = BUF_INIT(IMAGE_PNG_MAX);
    double start = now_ms();
    if (pixels_to_png(px, &png, e) < 0) {
        return -1;
    }
    double elapsed = now_ms() - start;
    *ms = elapsed < *ms ? elapsed : *ms;
    *bytes = png.len;
    return 0;
}

int main(int argc, char **argv)
{
    size_t numbers[3] = {0};
    for (int i = 1; i < argc && i <= 3; i++) {
        numbers[i - 1] = strtoul(argv[i], NULL, 10);
    }
    struct err e = ERR_NONE;
    struct pixels px = {
        .width = numbers[0], .height = numbers[1], .stride = numbers[0] * 4, .form = PIXEL_RGBA};
    _cleanup_(drop_buf) struct buf raw = BUF_INIT(4 * IMAGE_PIXELS_MAX);
    if (read_all(&raw, px.stride * px.height) < 0) {
        (void)fprintf(stderr, "png_bare: too few pixels\n");
        return EXIT_FAILURE;
    }
    px.data = (const unsigned char *)buf_text(&raw);
    px.len = raw.len;
    double best = 1e9;
    size_t bytes = 0;
    for (size_t i = 0; i < numbers[2]; i++) {
        if (encode_ms(&px, &best, &bytes, &e) < 0) {
            (void)fprintf(stderr, "png_bare: %s\n", e.text);
            return EXIT_FAILURE;
        }
    }
    (void)printf("%.3f %zu\n", best, bytes);
    return EXIT_SUCCESS;
}
