#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdint.h>

/// The limits of a server.
struct wf_server_limits {
  unsigned connections, seconds;
  size_t bytes;
};

/// Starts a server on the loopback address alone, with one thread for each connection; returns NULL and sets errno if
/// the port cannot be used. Port 0 selects a free one.
static inline struct MHD_Daemon *wf_start_server(
  uint16_t port, struct wf_server_limits limits, MHD_AccessHandlerCallback answer,
  MHD_RequestCompletedCallback completed, void *context) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return MHD_start_daemon(
    MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL, port, NULL, NULL, answer, context,
    MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address, MHD_OPTION_CONNECTION_LIMIT, limits.connections,
    MHD_OPTION_CONNECTION_TIMEOUT, limits.seconds, MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits.bytes,
    MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_NOTIFY_COMPLETED, completed, context, MHD_OPTION_END);
}

/// Returns the port that a server listens on; 0 if it is unknown.
static inline uint16_t wf_server_port(struct MHD_Daemon *server) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(server, MHD_DAEMON_INFO_BIND_PORT);
  return info == NULL ? 0 : info->port;
}
