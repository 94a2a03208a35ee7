/* SPDX-License-Identifier: MIT */
/*
 * window_pack.h - an output of bale pack as items of a window, a file each.
 *
 * Invariants:
 * 1. A file that is as it was in the last pack is the item that it was, in its
 *    place; a changed one and a new one stand behind all others. So what a
 *    provider has cached of the context in front of them stays valid.
 */
#ifndef CLI_WINDOW_PACK_H
#define CLI_WINDOW_PACK_H

#include <stdio.h>

#include "window/window.h"

/*
 * shape:  the window has the files of this pack, and of earlier ones nothing;
 *         prints a line of JSON: how many are as they were (kept), changed, new
 *         and removed, the tokens of all of them, and of those in front that
 *         are the same items in the same order as before (prefix_tokens)
 * units:  item: its content is the pack; the priority and the pin are for what
 *         is new
 * errors: as window_add(), and -EBADMSG: no output of bale pack; a sentence in
 *         *error, and the window is not to be kept
 */
int
window_pack_add(struct window *window, const struct window_item *item,
		FILE *out, struct window_error *error);

#endif
