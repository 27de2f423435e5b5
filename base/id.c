/* SPDX-License-Identifier: MIT */
#include "base/id.h"

#include <stdlib.h>
#include <sys/random.h>

void id_new(char out[ID_SIZE])
{
    static const char digits[] = "0123456789abcdef";
    static const char shape[ID_SIZE] = "xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx";
    unsigned char random[ID_SIZE];

    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random) {
        abort(); /* cannot happen below 256 bytes once the pool is initialised */
    }
    for (int i = 0; i < ID_SIZE; i++) {
        if (shape[i] == 'x') {
            out[i] = digits[random[i] & 15];
        } else if (shape[i] == 'y') {
            out[i] = digits[8 | (random[i] & 3)];
        } else {
            out[i] = shape[i];
        }
    }
}
