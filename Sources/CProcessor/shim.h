// What a processor can do and Swift cannot say.
#ifndef WIDGETFLEET_PROCESSOR_H
#define WIDGETFLEET_PROCESSOR_H

#include <stdbool.h>
#include <stdint.h>

// Bytes that a processor moves between memory and itself at once.
enum { WF_CACHE_LINE = 64 };

// Asks for the cache line of an address ahead of its use. No address is wrong.
static inline void wf_prefetch(const void *address) { __builtin_prefetch(address, 1, 3); }

// A number between -2^62 and 2^62 without its fraction; Swift's own conversion looks at every number before.
static inline int64_t wf_whole_part(double number) { return (int64_t)number; }

#if defined(__x86_64__)

// Whether vectors of four products of 32 bits are multiplied at once.
static inline bool wf_has_wide_products(void) { return __builtin_cpu_supports("avx2"); }

typedef uint64_t wf_lanes __attribute__((vector_size(32), aligned(8)));

// Philox4x32-10 of eight counters: see Philox.makeEight. Only where there are wide products. steps: eight words each that
// are added to word1, word2 and word3; firsts and seconds: eight words each, the blocks' first and second halves.
__attribute__((target("avx2"))) static inline void wf_eight_blocks(
    uint32_t word0, uint32_t word1, uint32_t word2, uint32_t word3, const uint64_t *steps, uint64_t key,
    uint64_t *firsts, uint64_t *seconds) {
  const uint64_t lower = 0xFFFFFFFF;
  for (uint32_t from = 0; from < 8; from += 4) {
    wf_lanes a = {word0, word0, word0, word0};
    // What overflows into a lane's upper half never comes back from there.
    wf_lanes b = (uint64_t)word1 + *(const wf_lanes *)(steps + from);
    wf_lanes c = (uint64_t)word2 + *(const wf_lanes *)(steps + 8 + from);
    wf_lanes d = (uint64_t)word3 + *(const wf_lanes *)(steps + 16 + from);
    uint32_t key0 = (uint32_t)key, key1 = (uint32_t)(key >> 32);
#pragma clang loop unroll(full)
    for (int round = 0; round < 10; round++) {
      wf_lanes left = (a & lower) * 0xD2511F53ull, right = (c & lower) * 0xCD9E8D57ull;
      a = (right >> 32) ^ b ^ (uint64_t)key0;
      b = right;
      c = (left >> 32) ^ d ^ (uint64_t)key1;
      d = left;
      key0 += 0x9E3779B9;
      key1 += 0xBB67AE85;
    }
    *(wf_lanes *)(firsts + from) = (a & lower) | (b << 32);
    *(wf_lanes *)(seconds + from) = (c & lower) | (d << 32);
  }
}

#else

static inline bool wf_has_wide_products(void) { return false; }

static inline void wf_eight_blocks(
    uint32_t word0, uint32_t word1, uint32_t word2, uint32_t word3, const uint64_t *steps, uint64_t key,
    uint64_t *firsts, uint64_t *seconds) {
  (void)word0, (void)word1, (void)word2, (void)word3, (void)steps, (void)key, (void)firsts, (void)seconds;
}

#endif

#endif
