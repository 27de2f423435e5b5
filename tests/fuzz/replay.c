/* SPDX-License-Identifier: MIT */
/* replay.c - main of a fuzz target outside libFuzzer: runs it on every file that is named, and on
 * every file of the folders that are named. No file at all is a failure: a test that tests
 * nothing must not pass. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/bounds.h"
#include "base/fd.h"
#include "base/mem.h"
#include "tests/fuzz/fuzz.h"

static int run_file(const char *path, struct err *e)
{
    _cleanup_(drop_buf) struct buf content = BUF_INIT(64 * MIB);
    if (fd_read_file(path, &content, e) < 0) {
        return -1;
    }
    /* A copy of the exact size, so that the sanitizer sees a read of one byte too many. */
    _cleanup_(drop_free) uint8_t *exact = xmalloc(content.len);
    if (content.len > 0) {
        memcpy(exact, content.data, content.len);
    }
    (void)LLVMFuzzerTestOneInput(exact, content.len); /* always 0 */
    return 1;
}

static int run_folder(const char *path, struct err *e)
{
    struct dirent **entries = NULL;
    int count = scandir(path, &entries, NULL, alphasort);
    if (count < 0) {
        return err_sys(e, "%s", path);
    }
    int files = 0;
    for (int i = 0; i < count; i++) {
        if (files >= 0 && entries[i]->d_name[0] != '.') {
            _cleanup_(drop_free) char *file = xasprintf("%s/%s", path, entries[i]->d_name);
            int ran = run_file(file, e);
            files = ran < 0 ? ran : files + ran;
        }
        free(entries[i]);
    }
    free(entries);
    return files;
}

int main(int argc, char **argv)
{
    int files = 0;
    for (int i = 1; i < argc; i++) {
        struct err e = ERR_NONE;
        struct stat st;
        bool folder = stat(argv[i], &st) == 0 && S_ISDIR(st.st_mode);
        int ran = folder ? run_folder(argv[i], &e) : run_file(argv[i], &e);
        if (ran < 0) {
            (void)fprintf(stderr, "%s\n", e.text);
            return EXIT_FAILURE;
        }
        files += ran;
    }
    (void)printf("%d inputs\n", files);
    return files > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
