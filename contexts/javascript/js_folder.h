/* SPDX-License-Identifier: MIT */
/* js_folder.h - what completion has to know of the file system: which names a folder has. */
#pragma once

#include "contexts/javascript/js_realm.h"

/* Adds listFolder, isFolder, isRoot and home to what modules of the realm see. */
int js_folder_install(struct js_realm *r);
