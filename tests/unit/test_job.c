/* SPDX-License-Identifier: MIT */
#include "contexts/pool/job.h"
#include "tests/unit/unit.h"

struct seen {
    int ended;
    int released;
    enum job_end last;
};

static void on_started(void *arg, int64_t execution_count)
{
    (void)arg;
    (void)execution_count;
}

static void on_output(void *arg, enum wire_type type, struct slice content,
                      const struct slice *buffers, size_t count)
{
    (void)arg;
    (void)type;
    (void)content;
    (void)buffers;
    (void)count;
}

static void on_ended(void *arg, const struct job_result *result)
{
    struct seen *seen = arg;
    seen->ended++;
    seen->last = result->end;
}

static void on_release(void *arg)
{
    struct seen *seen = arg;
    seen->released++;
}

static const struct job_sink sink = {
    .started = on_started, .output = on_output, .ended = on_ended, .release = on_release};

static void test_job_new_copies_the_content(void **state)
{
    (void)state;
    struct seen seen = {0};
    char text[] = "{\"code\": \"1\"}";
    struct job_request request = {.type = WIRE_EXECUTE, .content = slice_of(text)};

    struct job *job = job_new(&request, &sink, &seen);
    text[0] = 'X';

    assert_string_equal(job->content, "{\"code\": \"1\"}");
    job_end(job, &(struct job_result){.end = JOB_ABORTED});
    job_free(job);
}

static void test_job_end_twice_tells_once(void **state)
{
    (void)state;
    struct seen seen = {0};
    struct job_request request = {.local = true};
    struct job *job = job_new(&request, &sink, &seen);

    job_end(job, &(struct job_result){.end = JOB_REPLIED});
    job_end(job, &(struct job_result){.end = JOB_DIED});

    assert_int_equal(seen.ended, 1);
    assert_int_equal(seen.last, JOB_REPLIED);
    job_free(job);
    assert_int_equal(seen.released, 1);
}

static void test_job_drop_content_keeps_the_job(void **state)
{
    (void)state;
    struct seen seen = {0};
    struct job_request request = {.content = SLICE_LIT("{}")};
    struct job *job = job_new(&request, &sink, &seen);

    job_drop_content(job);

    assert_null(job->content);
    assert_int_equal(job->content_len, 0);
    assert_int_equal(seen.released, 0);
    job_end(job, &(struct job_result){.end = JOB_REPLIED});
    job_free(job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_job_new_copies_the_content),
        cmocka_unit_test(test_job_end_twice_tells_once),
        cmocka_unit_test(test_job_drop_content_keeps_the_job),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
