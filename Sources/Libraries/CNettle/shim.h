#include <nettle/sha2.h>
#include <nettle/version.h>

/// The digest of what a context took, 32 bytes; the context begins anew. Nettle 4 asks for no length any more.
static inline void wf_sha256_digest(struct sha256_ctx *context, uint8_t *digest) {
#if NETTLE_VERSION_MAJOR >= 4
  nettle_sha256_digest(context, digest);
#else
  nettle_sha256_digest(context, SHA256_DIGEST_SIZE, digest);
#endif
}
