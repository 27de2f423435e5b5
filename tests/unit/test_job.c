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

    assert_slice_equal(job->request.content, "{\"code\": \"1\"}");
    job_end(job, &(struct job_result){.end = JOB_ABORTED});
    job_free(job);
}

static void test_job_new_copies_every_slice(void **state)
{
    (void)state;
    struct seen seen = {0};
    char env[] = "{\"A\": \"1\"}";
    char header[] = "{\"msg_id\": \"m\"}";
    char first[] = "first";
    char second[] = "";
    struct slice buffers[] = {slice_of(first), slice_of(second)};
    struct job_request request = {.type = WIRE_COMM,
                                  .content = SLICE_LIT("{}"),
                                  .env = slice_of(env),
                                  .header = slice_of(header),
                                  .buffers = buffers,
                                  .buffer_count = ARRAY_LEN(buffers)};

    struct job *job = job_new(&request, &sink, &seen);
    env[0] = header[0] = first[0] = 'X';
    buffers[1] = SLICE_LIT("other");

    assert_slice_equal(job->request.content, "{}");
    assert_slice_equal(job->request.env, "{\"A\": \"1\"}");
    assert_slice_equal(job->request.header, "{\"msg_id\": \"m\"}");
    assert_slice_equal(job->request.buffers[0], "first");
    assert_int_equal(job->request.buffers[1].len, 0);
    assert_int_equal(job->bytes, 2 + 5);
    job_end(job, &(struct job_result){.end = JOB_ABORTED});
    job_free(job);
}

static void test_job_content_can_be_changed_before_it_is_submitted(void **state)
{
    (void)state;
    struct seen seen = {0};
    struct slice buffer = SLICE_LIT("b");
    struct job_request request = {
        .content = SLICE_LIT("{\"code\": \"1\"}"), .buffers = &buffer, .buffer_count = 1};
    struct job *job = job_new(&request, &sink, &seen);

    job_content(job)[10] = '2';

    assert_slice_equal(job->request.content, "{\"code\": \"2\"}");
    assert_slice_equal(job->request.buffers[0], "b");
    job_end(job, &(struct job_result){.end = JOB_ABORTED});
    job_free(job);
}

static void test_job_end_twice_calls_once(void **state)
{
    (void)state;
    struct seen seen = {0};
    struct job_request request = {.is_turn = true};
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

    assert_null(job->copy);
    assert_int_equal(job->request.content.len, 0);
    assert_int_equal(job->request.buffer_count, 0);
    assert_int_equal(seen.released, 0);
    job_end(job, &(struct job_result){.end = JOB_REPLIED});
    job_free(job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_job_new_copies_the_content),
        cmocka_unit_test(test_job_new_copies_every_slice),
        cmocka_unit_test(test_job_content_can_be_changed_before_it_is_submitted),
        cmocka_unit_test(test_job_end_twice_calls_once),
        cmocka_unit_test(test_job_drop_content_keeps_the_job),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
