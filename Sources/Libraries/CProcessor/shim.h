// Processor features that Swift cannot express.
#ifndef WIDGETFLEET_PROCESSOR_H
#define WIDGETFLEET_PROCESSOR_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

// The number of bytes that a processor moves between memory and cache at once.
enum { WF_CACHE_LINE = 64 };

// Returns zeroed memory, to be freed by the caller; large blocks get pages only when they are first written. Ends the
// program if there is no memory, as Swift's own allocation does.
static inline void *_Nonnull wf_zeroed(size_t count, size_t size) {
  void *memory = calloc(count, size);
  if (!memory) abort();
  return memory;
}

// Prefetches the cache line of an address. Any address is valid.
static inline void wf_prefetch(const void *address) { __builtin_prefetch(address, 1, 3); }

// Returns the integer part of a number between -2^62 and 2^62; Swift's own conversion checks the range first.
static inline int64_t wf_whole_part(double number) { return (int64_t)number; }

// WIDGETFLEET_PLAIN selects the code path of arm64, to be tested on x86-64 (`make sameness`).
#if defined(__x86_64__) && !defined(WIDGETFLEET_PLAIN)

// Whether the processor has integer vectors of 256 bits, and of 512.
static inline bool wf_has_wide_vectors(void) { return __builtin_cpu_supports("avx2"); }
static inline bool wf_has_widest_vectors(void) { return __builtin_cpu_supports("avx512dq"); }

typedef uint64_t wf_lanes __attribute__((vector_size(32), aligned(8)));
typedef int64_t wf_signed_lanes __attribute__((vector_size(32), aligned(8)));
typedef double wf_numbers __attribute__((vector_size(32), aligned(8)));

// The words of four counters, each in the lower half of its lane.
typedef struct { wf_lanes a, b, c, d; } wf_four_counters;

__attribute__((target("avx2"), always_inline)) static inline wf_four_counters wf_philox_round(
    wf_four_counters of, wf_lanes key0, wf_lanes key1) {
  const uint64_t lower = 0xFFFFFFFF;
  wf_lanes left = (of.a & lower) * 0xD2511F53, right = (of.c & lower) * 0xCD9E8D57;
  // The upper halves of b and d are never shifted down.
  return (wf_four_counters){(right >> 32) ^ of.b ^ key0, right, (left >> 32) ^ of.d ^ key1, left};
}

// Computes Philox4x32-10 of eight counters (see Philox.makeEight); needs wide vectors.
// steps: eight words each that are added to word1, word2 and word3; firsts and seconds: eight words each, the blocks'
// first and second halves. All eight go through a round together, which then needs its keys once.
__attribute__((target("avx2"))) static inline void wf_eight_blocks(
    uint32_t word0, uint32_t word1, uint32_t word2, uint32_t word3, const uint64_t *steps, uint64_t key,
    uint64_t *firsts, uint64_t *seconds) {
  const uint64_t lower = 0xFFFFFFFF;
  const wf_lanes *added = (const wf_lanes *)steps;
  wf_lanes word = word0 + (wf_lanes){0}, key0 = (key & lower) + (wf_lanes){0}, key1 = (key >> 32) + (wf_lanes){0};
  wf_four_counters p = {word, word1 + added[0], word2 + added[2], word3 + added[4]};
  wf_four_counters q = {word, word1 + added[1], word2 + added[3], word3 + added[5]};
#pragma clang loop unroll(full)
  for (int round = 0; round < 10; round++) {
    p = wf_philox_round(p, key0, key1);
    q = wf_philox_round(q, key0, key1);
    key0 += 0x9E3779B9;
    key1 += 0xBB67AE85;
  }
  wf_lanes *first = (wf_lanes *)firsts, *second = (wf_lanes *)seconds;
  first[0] = (p.a & lower) | (p.b << 32);
  first[1] = (q.a & lower) | (q.b << 32);
  second[0] = (p.c & lower) | (p.d << 32);
  second[1] = (q.c & lower) | (q.d << 32);
}

// Computes the spans at eight uniforms with the same sums and products as QuantileTable.span, in the same order; needs
// wide vectors. cells: the four numbers of each cell.
__attribute__((target("avx2"))) static inline void wf_eight_spans(
    const double *cells, const uint64_t *uniforms, int64_t *spans) {
#pragma clang fp contract(off)  // each product rounded, as in Swift
  enum { octaves = 40, cells_per_octave = 32, exponent_bias = 1023 };
  const wf_numbers none = {0}, two52 = none + 0x1p52, longest = none + 0x1p46;
  const wf_lanes bits52 = (wf_lanes)two52;  // or'ed to a whole number below 2^52: the sum of both as a double
  const wf_numbers *cell_at = (const wf_numbers *)cells;
  for (int from = 0; from < 8; from += 4) {
    wf_signed_lanes u = *(const wf_signed_lanes *)(uniforms + from), upper = u < 0;
    wf_signed_lanes distance = __builtin_elementwise_max(u ^ upper, (wf_signed_lanes){0} + (1 << 23));
    // The position of the leading bit is the exponent of a double.
    wf_lanes exponent = (wf_lanes)((wf_numbers)((wf_lanes)distance >> 23 | bits52) - two52) >> 52;
    wf_lanes zeros = octaves + exponent_bias - exponent, fraction = (wf_lanes)distance << zeros;
    wf_lanes cell = ((wf_lanes)upper & octaves * cells_per_octave) + (zeros - 1) * cells_per_octave
        + (fraction >> 58 & (cells_per_octave - 1));
    wf_numbers t = ((wf_numbers)((fraction >> 26 & 0xFFFFFFFF) | bits52) - two52) * 0x1p-32;

    wf_numbers p = cell_at[cell[0]], q = cell_at[cell[1]], r = cell_at[cell[2]], s = cell_at[cell[3]];
    wf_numbers pq02 = __builtin_shufflevector(p, q, 0, 4, 2, 6), pq13 = __builtin_shufflevector(p, q, 1, 5, 3, 7);
    wf_numbers rs02 = __builtin_shufflevector(r, s, 0, 4, 2, 6), rs13 = __builtin_shufflevector(r, s, 1, 5, 3, 7);
    wf_numbers c0 = __builtin_shufflevector(pq02, rs02, 0, 1, 4, 5);
    wf_numbers c1 = __builtin_shufflevector(pq13, rs13, 0, 1, 4, 5);
    wf_numbers c2 = __builtin_shufflevector(pq02, rs02, 2, 3, 6, 7);
    wf_numbers c3 = __builtin_shufflevector(pq13, rs13, 2, 3, 6, 7);

    wf_numbers value = __builtin_elementwise_min(c0 + t * (c1 + t * (c2 + t * c3)), longest) + 0.5;
    wf_numbers whole = __builtin_elementwise_floor(__builtin_elementwise_max(value, none));
    *(wf_lanes *)(spans + from) = (wf_lanes)(whole + two52) ^ bits52;
  }
}

// Vectors of 512 bits, which need the widest vectors.

typedef uint64_t wf_eight_lanes __attribute__((vector_size(64), aligned(8)));
typedef int64_t wf_eight_signed_lanes __attribute__((vector_size(64), aligned(8)));
typedef double wf_eight_numbers __attribute__((vector_size(64), aligned(8)));

// The blocks of eight counters, as pairs of words.
typedef struct { wf_eight_lanes firsts, seconds; } wf_eight_pairs;

__attribute__((target("avx512dq"), always_inline)) static inline wf_eight_pairs wf_eight_philox(
    wf_eight_lanes a, wf_eight_lanes b, wf_eight_lanes c, wf_eight_lanes d, uint64_t key) {
  const uint64_t lower = 0xFFFFFFFF;
  wf_eight_lanes none = {0}, key0 = none + (key & lower), key1 = none + (key >> 32);
#pragma clang loop unroll(full)
  for (int round = 0; round < 10; round++) {
    wf_eight_lanes left = (a & lower) * 0xD2511F53, right = (c & lower) * 0xCD9E8D57;
    // The upper halves of b and d are never shifted down.
    a = (right >> 32) ^ b ^ key0;
    c = (left >> 32) ^ d ^ key1;
    b = right;
    d = left;
    key0 += 0x9E3779B9;
    key1 += 0xBB67AE85;
  }
  return (wf_eight_pairs){(a & lower) | (b << 32), (c & lower) | (d << 32)};
}

// Returns the numbers of two cells side by side.
__attribute__((target("avx512dq"), always_inline)) static inline wf_eight_numbers wf_two_cells(
    const double *cells, uint64_t left, uint64_t right) {
  return __builtin_shufflevector(
      *(const wf_numbers *)(cells + left), *(const wf_numbers *)(cells + right), 0, 1, 2, 3, 4, 5, 6, 7);
}

__attribute__((target("avx512dq"), always_inline)) static inline wf_eight_lanes wf_eight_spans_at(
    const double *cells, wf_eight_lanes uniforms) {
#pragma clang fp contract(off)  // each product rounded, as in Swift
  enum { octaves = 40, cells_per_octave = 32, numbers_per_cell = 4, exponent_bias = 1023 };
  const wf_eight_numbers none = {0}, two52 = none + 0x1p52, longest = none + 0x1p46;
  const wf_eight_lanes bits52 = (wf_eight_lanes)two52;
  wf_eight_signed_lanes u = (wf_eight_signed_lanes)uniforms, upper = u >> 63;
  wf_eight_signed_lanes distance = __builtin_elementwise_max(u ^ upper, (wf_eight_signed_lanes){0} + (1 << 23));
  wf_eight_lanes exponent =
      (wf_eight_lanes)((wf_eight_numbers)((wf_eight_lanes)distance >> 23 | bits52) - two52) >> 52;
  wf_eight_lanes zeros = octaves + exponent_bias - exponent, fraction = (wf_eight_lanes)distance << zeros;
  wf_eight_lanes cell = ((wf_eight_lanes)upper & octaves * cells_per_octave) + (zeros - 1) * cells_per_octave
      + (fraction >> 58 & (cells_per_octave - 1));
  wf_eight_lanes at = cell * numbers_per_cell;
  wf_eight_numbers t = ((wf_eight_numbers)((fraction >> 26 & 0xFFFFFFFF) | bits52) - two52) * 0x1p-32;

  // Lanes 0 to 3 in the lower halves, 4 to 7 in the upper ones.
  wf_eight_numbers p = wf_two_cells(cells, at[0], at[4]), q = wf_two_cells(cells, at[1], at[5]);
  wf_eight_numbers r = wf_two_cells(cells, at[2], at[6]), s = wf_two_cells(cells, at[3], at[7]);
  wf_eight_numbers pq02 = __builtin_shufflevector(p, q, 0, 8, 2, 10, 4, 12, 6, 14);
  wf_eight_numbers pq13 = __builtin_shufflevector(p, q, 1, 9, 3, 11, 5, 13, 7, 15);
  wf_eight_numbers rs02 = __builtin_shufflevector(r, s, 0, 8, 2, 10, 4, 12, 6, 14);
  wf_eight_numbers rs13 = __builtin_shufflevector(r, s, 1, 9, 3, 11, 5, 13, 7, 15);
  wf_eight_numbers c0 = __builtin_shufflevector(pq02, rs02, 0, 1, 8, 9, 4, 5, 12, 13);
  wf_eight_numbers c1 = __builtin_shufflevector(pq13, rs13, 0, 1, 8, 9, 4, 5, 12, 13);
  wf_eight_numbers c2 = __builtin_shufflevector(pq02, rs02, 2, 3, 10, 11, 6, 7, 14, 15);
  wf_eight_numbers c3 = __builtin_shufflevector(pq13, rs13, 2, 3, 10, 11, 6, 7, 14, 15);

  wf_eight_numbers value = __builtin_elementwise_min(c0 + t * (c1 + t * (c2 + t * c3)), longest) + 0.5;
  wf_eight_numbers whole = __builtin_elementwise_floor(__builtin_elementwise_max(value, none));
  return (wf_eight_lanes)(whole + two52) ^ bits52;
}

// Computes the blocks of sixteen consecutive counters, and the spans of two tables at the blocks' halves. Each output
// has sixteen words: firsts, seconds, and the spans at each of these. Two batches of eight overlap, since the steps
// within each batch depend on each other.
__attribute__((target("avx512dq"))) static inline void wf_sixteen_draws(
    uint32_t word0, uint32_t word1, uint32_t word2, uint32_t word3, uint64_t key, const double *first_cells,
    const double *second_cells, uint64_t *draws) {
  const wf_eight_lanes none = {0}, sequence = {0, 1, 2, 3, 4, 5, 6, 7}, lanes = word3 + sequence;
  wf_eight_pairs lower = wf_eight_philox(none + word0, none + word1, none + word2, lanes, key);
  wf_eight_pairs upper = wf_eight_philox(none + word0, none + word1, none + word2, lanes + 8, key);
  wf_eight_lanes *to = (wf_eight_lanes *)draws;
  to[0] = lower.firsts;
  to[1] = upper.firsts;
  to[2] = lower.seconds;
  to[3] = upper.seconds;
  to[4] = wf_eight_spans_at(first_cells, lower.firsts);
  to[5] = wf_eight_spans_at(first_cells, upper.firsts);
  to[6] = wf_eight_spans_at(second_cells, lower.seconds);
  to[7] = wf_eight_spans_at(second_cells, upper.seconds);
}

#else

static inline bool wf_has_wide_vectors(void) { return false; }
static inline bool wf_has_widest_vectors(void) { return false; }

static inline void wf_eight_blocks(
    uint32_t word0, uint32_t word1, uint32_t word2, uint32_t word3, const uint64_t *steps, uint64_t key,
    uint64_t *firsts, uint64_t *seconds) {
  (void)word0, (void)word1, (void)word2, (void)word3, (void)steps, (void)key, (void)firsts, (void)seconds;
}

static inline void wf_eight_spans(const double *cells, const uint64_t *uniforms, int64_t *spans) {
  (void)cells, (void)uniforms, (void)spans;
}

static inline void wf_sixteen_draws(
    uint32_t word0, uint32_t word1, uint32_t word2, uint32_t word3, uint64_t key, const double *first_cells,
    const double *second_cells, uint64_t *draws) {
  (void)word0, (void)word1, (void)word2, (void)word3, (void)key, (void)first_cells, (void)second_cells, (void)draws;
}

#endif

#endif
