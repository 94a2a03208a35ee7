/* SPDX-License-Identifier: MIT */
/*
 * chat_hooks.h - telling the user's commands what happens, as JSON on stdin.
 *
 * Does: PreCompact in front, SessionStart with source compact behind.
 * Does not: let a hook decide anything: one that fails or hangs is a warning.
 */
#ifndef WINDOW_CHAT_HOOKS_H
#define WINDOW_CHAT_HOOKS_H

#include "window/chat.h"

/* The hook that goes before a compaction. */
void
hook_before(const struct chat *chat, const struct chat_budget *budget);

#endif
