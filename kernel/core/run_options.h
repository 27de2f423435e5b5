/* SPDX-License-Identifier: MIT */
/* run_options.h - what a request may ask for one run, in its metadata: timeout_ms,
 * queue_timeout_ms, env, output_bytes. */
#pragma once

#include "contexts/pool/job.h"

/* Reads the options of `metadata` (a checked JSON object) into `request`, which borrows from it.
 * ERR_INPUT names the field, what it is and what it must be. */
MUST_CHECK int run_options_read(struct slice metadata, struct job_request *request, struct err *e);

/* Checks that `env` is a JSON object of texts (or null, to unset) with names a system can hold. */
MUST_CHECK int run_options_check_env(struct slice env, struct err *e);
