/* SPDX-License-Identifier: MIT */
/*
 * step.pml - the step protocol of stages/worker.c, for Spin.
 *
 *   source --in--> WORKER ==out0, out1==> sink
 *
 * The worker takes entries from `in`, one or two of them a step, gives as many
 * to out0 and one to out1, and keeps a state. Each statement here is one store
 * or load of shared memory there. Everyone may be killed between any two of
 * them, KILLS times in all; a replacement comes only when the dead one is
 * gone (the supervisor has waited for it). What is private to a process is
 * lost with it.
 *
 * Source and sink are killed, too: they keep what they know in the rings
 * alone, by position, as a worker without outputs or inputs of its own would.
 *
 * Asserted: each output is taken once, in order, with the state it has to
 * have; no input is given up before its outputs are safe; a position is
 * never overwritten while somebody may read it; no entry is read that is not
 * whole; a step is not made of two incarnations. At the end all is there.
 *
 * Mutants, each of which has to fail: -DNO_POSITIONS (a replacement pushes
 * again without looking at positions), -DNO_REPLAY, -DPOP_FIRST (inputs are
 * given up before the commit), -DCOMMIT_FIRST (the commit word before the
 * block), -DONE_BLOCK (the same block each time), -DTAIL_FIRST (the tail
 * before the slot), -DNO_PROOF (a replacement for a worker that only seemed
 * to be dead).
 */
#ifndef N
#define N 3 /* entries that go through */
#endif
#ifndef KILLS
#define KILLS 2
#endif
#define ENTRIES 2 /* of each ring: full and empty all the time */
#define NONE 255  /* a slot that is being written */

typedef Ring {
	byte head;
	byte tail;
	byte slot[ENTRIES]
};
typedef Step {
	byte number;
	byte in_head;
	byte out_tail[2];
	byte emit0[2];
	byte emit0_nr;
	byte emit1;
	byte state
};

Ring in, out[2];
Step steps[2];
byte committed = 0; /* steps; the last is steps[committed & 1] */
byte effects[2];    /* of the sink, ring by ring: what has taken effect */
byte kills = 0;
bool dead[3]; /* killed, not yet waited for */
bool over = false;

#define WORKER 0
#define SOURCE 1
#define SINK 2
#define DIES(who) dead[who]

/* What input i makes of the state: anything that shows order and number. */
#define NEXT(s, i) ((s * 3 + i + 1) % 251)

/* One entry at position pos, or nothing if it is there already. */
inline push_at(ring, pos, value)
{
#ifndef NO_POSITIONS
	if
	:: pos == ring.tail ->
#endif
		assert(ring.tail - ring.head < ENTRIES);
#ifdef TAIL_FIRST
		ring.slot[ring.tail % ENTRIES] = NONE;
		ring.tail = ring.tail + 1;
		ring.slot[(ring.tail - 1) % ENTRIES] = value
#else
		ring.slot[ring.tail % ENTRIES] = NONE; /* half of it */
		ring.slot[ring.tail % ENTRIES] = value;
		ring.tail = ring.tail + 1
#endif
#ifndef NO_POSITIONS
	:: else -> assert(pos < ring.tail) /* no gap */
	fi
#endif
}

/* Step 4: what `committed` names; all of it, part of it may be done. */
inline publish(b)
{
	i = 0;
	do
	:: i < steps[b].emit0_nr ->
		push_at(out[0], (steps[b].out_tail[0] - steps[b].emit0_nr + i),
			steps[b].emit0[i]);
		i++
	:: else -> break
	od;
	if
	:: steps[b].number > 0 ->
		push_at(out[1], (steps[b].out_tail[1] - 1), steps[b].emit1)
	:: else
	fi;
#ifndef POP_FIRST
	/* no input goes before its outputs are safe */
	assert(in.head == steps[b].in_head ||
	       (out[0].tail >= steps[b].out_tail[0] &&
		out[1].tail >= steps[b].out_tail[1]));
	in.head = steps[b].in_head;
#endif
	i = 0
}

proctype Worker()
{
	byte i, b, nr, first, second, state, mine;

start:
	{
		/* attach: the last step is published again */
		mine = committed;
		b = mine & 1;
#ifndef COMMIT_FIRST
		assert(steps[b].number == mine); /* whole, always */
#endif
		state = steps[b].state;
#ifndef NO_REPLAY
		publish(b);
#endif
end_work:
		do
		:: in.tail - in.head >= 1 && ENTRIES - (out[0].tail -
		   out[0].head) >= 2 && out[1].tail - out[1].head < ENTRIES ->
			/* the lease: looked at, not popped */
			first = in.slot[in.head % ENTRIES];
			assert(first != NONE);
			nr = 1;
			if
			:: in.tail - in.head >= 2 ->
				second = in.slot[(in.head + 1) % ENTRIES];
				assert(second != NONE);
				nr = 2
			:: true /* or it takes one at a time */
			fi;
			state = NEXT(state, first);
			if
			:: nr == 2 -> state = NEXT(state, second)
			:: else
			fi;
#ifdef POP_FIRST
			in.head = in.head + nr;
#endif
#ifdef COMMIT_FIRST
			committed = mine + 1;
#endif
#ifdef ONE_BLOCK
			b = mine & 1;
#else
			b = (mine + 1) & 1;
#endif
			/* the block that is not in use; field by field */
			steps[b].number = mine + 1;
#ifdef POP_FIRST
			steps[b].in_head = in.head;
#else
			steps[b].in_head = in.head + nr;
#endif
			steps[b].out_tail[0] = out[0].tail + nr;
			steps[b].out_tail[1] = out[1].tail + 1;
			steps[b].emit0_nr = nr;
			steps[b].emit0[0] = first;
			steps[b].emit0[1] = second;
			steps[b].emit1 = state;
			steps[b].state = state;
			/* the step happens here */
			committed = mine + 1;
			mine++;
			publish(b);
			d_step { first = 0; second = 0; nr = 0 }
		od
	} unless { DIES(WORKER) };
	/* waited for, and what it knew is gone: only now is there another */
	d_step {
		dead[WORKER] = false;
		i = 0; b = 0; nr = 0; first = 0; second = 0; state = 0; mine = 0
	};
	goto start
}

#ifdef NO_PROOF
/* Somebody has taken a slow worker for dead: now there are two. */
proctype Hasty()
{
	kills < KILLS;
	kills++;
	run Worker()
}
#endif

/* Gives 0, 1, ... N-1; which is next, it reads off the ring. */
proctype Source()
{
	byte value;

start:
	{
end_source:
		do
		:: in.tail < N && in.tail - in.head < ENTRIES ->
			value = in.tail;
			in.slot[value % ENTRIES] = NONE;
			in.slot[value % ENTRIES] = value;
			in.tail = value + 1;
			value = 0
		:: in.tail == N -> break
		od
	} unless { DIES(SOURCE) };
	if
	:: dead[SOURCE] ->
		d_step { dead[SOURCE] = false; value = 0 };
		goto start
	:: else
	fi
}

byte sum[N + 1]; /* the state after each input, worked out beforehand */

/*
 * Takes effect and pops in one: what a step of the next worker does by its
 * own commit word. Between looking and taking it may die.
 */
proctype Sink()
{
	byte value;

start:
	{
end_sink:
		do
		:: out[0].head != out[0].tail ->
			value = out[0].slot[out[0].head % ENTRIES];
			d_step {
				assert(value == effects[0]); /* once, in order */
				effects[0]++;
				out[0].head++;
				value = 0
			}
		:: out[1].head != out[1].tail ->
			value = out[1].slot[out[1].head % ENTRIES];
			d_step {
				/* the state after one or two inputs more */
				assert(value != NONE);
				assert((effects[1] + 1 <= N &&
					value == sum[effects[1] + 1]) ||
				       (effects[1] + 2 <= N &&
					value == sum[effects[1] + 2]));
				if
				:: effects[1] + 1 <= N &&
				   value == sum[effects[1] + 1] ->
					effects[1] = effects[1] + 1
				:: else -> effects[1] = effects[1] + 2
				fi;
				out[1].head++;
				value = 0
			}
		:: effects[0] == N && effects[1] == N && in.head == N -> break
		od
	} unless { DIES(SINK) };
	if
	:: dead[SINK] ->
		d_step { dead[SINK] = false; value = 0 };
		goto start
	:: else -> over = true
	fi
}

proctype Killer()
{
end_killer:
	do
	:: d_step { kills < KILLS && !dead[WORKER] -> kills++;
		    dead[WORKER] = true }
	:: d_step { kills < KILLS && !dead[SOURCE] && in.tail < N -> kills++;
		    dead[SOURCE] = true }
	:: d_step { kills < KILLS && !dead[SINK] && !over -> kills++;
		    dead[SINK] = true }
	:: kills == KILLS -> break
	od
}

init {
	byte i = 0;

	d_step {
		do
		:: i < N -> sum[i + 1] = NEXT(sum[i], i); i++
		:: else -> break
		od
	};
	atomic {
		run Worker();
		run Source();
		run Sink();
		run Killer();
#ifdef NO_PROOF
		run Hasty()
#endif
	}
}

/*
 * Nothing is lost: whatever dies, in the end all inputs have had all their
 * outputs. (Not to be had where the killer may go on for ever: KILLS.)
 */
ltl all_arrives { <> (effects[0] == N && effects[1] == N && in.head == N) }
