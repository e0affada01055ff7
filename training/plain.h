// Replacements for what a GPU provides, so that a C++ compiler can build the kernel: one thread per block.
#pragma once
#define __device__
#define __global__
#define __shared__ static
#define WARP 1
static struct { int x; } blockIdx, threadIdx;
static const struct { int x; } blockDim = {1};
static void __syncthreads() {}
static int __popcll(unsigned long long word) { return __builtin_popcountll(word); }
template <class T, class U> static T atomicAdd(T* sum, U more) { T before = *sum; *sum += more; return before; }
static void atomicOr(unsigned long long* word, unsigned long long bits) { *word |= bits; }
static unsigned __ballot_sync(unsigned, bool set) { return set; }
