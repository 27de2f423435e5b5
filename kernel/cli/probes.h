/* SPDX-License-Identifier: MIT */
/* probes.h - what the system under us can do, tried out and not looked up in a version. */
#pragma once

struct report;

/* Adds a finding for each feature of the Linux kernel that the broker builds on. */
void probe_system(struct report *r);

/* Adds what the settings say about user namespaces. */
void probe_namespaces(struct report *r);
