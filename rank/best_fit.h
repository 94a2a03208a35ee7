/* SPDX-License-Identifier: MIT */
/*
 * best_fit.h - the set of chunks that fills a room best.
 *
 * A chunk costs what the others of its section that are chosen with it leave
 * it to pay: the first one pays for the header, one that lies beside another
 * needs no mark for what is left out between them.
 *
 * Does: finds the set, by sums.
 * Does not: know chunks, only what they cost.
 * Invariants:
 * 1. What the chosen ones cost together is never more than the room.
 * 2. No set costs more and fits.
 */
#ifndef RANK_BEST_FIT_H
#define RANK_BEST_FIT_H

#include "base/base.h"

#define RANK_BEST_FIT_MAX 1024   /* items looked at */
#define RANK_BEST_FIT_ROOM 16384 /* tokens to be filled, at most */
#define RANK_BEST_FIT_WORDS      /* of 64 bits, to work in */ \
	((RANK_BEST_FIT_MAX + 1) * 3 * (RANK_BEST_FIT_ROOM / 64 + 1))

/*
 * What an item costs, in tokens, at least 1 each: what is chosen of the items
 * before it that are of the same section says which.
 */
struct rank_item {
	uint32_t section; /* items of one lie side by side */
	uint32_t first;   /* if none is chosen */
	uint32_t apart;   /* if one is, but not the one just before it */
	uint32_t beside;  /* if that one is */
};

struct rank_room {
	uint32_t tokens; /* at most RANK_BEST_FIT_ROOM */
	uint32_t enough; /* of them: no need to look for more */
};

/*
 * shape:  chooses items whose costs add to `enough`, or more, within the room,
 *         out of the fewest of the front that have such a set; if there is
 *         none, to the most there is; returns that sum. chosen: what each is
 *         chosen for; 0: it is not
 * units:  nr at most RANK_BEST_FIT_MAX
 * owner:  chosen has room for nr; words is of RANK_BEST_FIT_WORDS, of which it
 *         touches what nr and room ask for
 * source: subset sums, one item at a time, a bit each, once for each way in
 *         which the section before may stand: time is nr times a 64th of the
 *         room
 */
uint64_t
rank_best_fit(const struct rank_item *items, uint32_t nr,
	      const struct rank_room *room, uint64_t *words, uint32_t *chosen);

#endif
