// What a processor can do and Swift cannot say.

// Bytes that a processor moves between memory and itself at once.
enum { WF_CACHE_LINE = 64 };

// Asks for the cache line of an address ahead of its use. No address is wrong.
static inline void wf_prefetch(const void *address) { __builtin_prefetch(address, 1, 3); }
