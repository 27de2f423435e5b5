/* SPDX-License-Identifier: MIT */
/* reserve.h - memory kept back for the moment when user code has used up all there is: telling so
 * takes memory too. It is address space only; nothing of it is touched. */
#pragma once

struct reserve {
    void *block; /* NULL while it is spent */
};

/* Takes it back when there is clearly more left than it needs; otherwise the next cell has it. */
void reserve_keep(struct reserve *r);

/* Gives it to whoever allocates next. */
void reserve_spend(struct reserve *r);
