/* SPDX-License-Identifier: MIT */
/*
 * cpu.h - which loops the processor can run.
 */
#ifndef TOKENIZER_CPU_H
#define TOKENIZER_CPU_H

/* The fastest loops that it has. */
enum cpu_level { CPU_PORTABLE, CPU_AVX2, CPU_AVX512 };

/*
 * The processor is asked each time: the answer lies in memory, and there is
 * nothing to set up.
 */
static inline enum cpu_level
cpu_level(void)
{
	if (__builtin_cpu_supports("avx512vbmi2") &&
	    __builtin_cpu_supports("avx512vbmi") &&
	    __builtin_cpu_supports("avx512bw"))
		return CPU_AVX512;
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"))
		return CPU_AVX2;
	return CPU_PORTABLE;
}

#endif
