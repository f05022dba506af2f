internal import CMicrohttpd
internal import Platform
import SimulationKernel

/// An HTTP server for a page on this machine.
///
/// It listens only on the loopback address. It answers a request only if the path begins with its token, the Host is
/// this machine, and no other origin's page sent it. Requests with a body are refused.
package final class HTTPServer: Sendable {
  /// The reason why a server cannot start: the value of errno.
  package struct Refusal: Error {
    package let errno: Int32
  }

  /// The maximum number of simultaneous connections, each of which has its own thread.
  private static let maxConnections: UInt32 = 256
  /// The number of seconds after which an idle connection is closed.
  private static let patience: UInt32 = 15
  /// The maximum number of bytes for the head of a request.
  private static let headBytes = 32_768
  /// The number of bytes that are sent at once.
  private static let block = 65_536

  /// The secret part of all addresses, in hexadecimal.
  package let token: String
  private let answer: @Sendable (HTTPRequest) -> HTTPAnswer
  private let daemon = Locked<Daemon?>(nil)

  private struct Daemon: @unchecked Sendable {
    var handle: OpaquePointer
    var port: UInt16
  }

  /// - Parameter answer: a function that answers a request; several threads may call it at the same time.
  package init(token: String, _ answer: @escaping @Sendable (HTTPRequest) -> HTTPAnswer) {
    (self.token, self.answer) = (token, answer)
  }

  /// Starts listening; returns the port.
  ///
  /// - Parameter port: the port, or 0 for any free one.
  package func start(port: UInt16) throws(Refusal) -> UInt16 {
    let limits = wf_server_limits(connections: Self.maxConnections, seconds: Self.patience, bytes: Self.headBytes)
    let context = Unmanaged.passUnretained(self).toOpaque()
    guard let handle = wf_start_server(port, limits, Self.handle, Self.forget, context) else {
      throw Refusal(errno: errno)
    }
    let daemon = Daemon(handle: handle, port: wf_server_port(handle))
    self.daemon.withLock { $0 = daemon }
    return daemon.port
  }

  /// Stops listening, and waits until all answers have ended.
  package func stop() {
    let daemon = self.daemon.withLock { daemon in
      defer { daemon = nil }
      return daemon
    }
    if let daemon { MHD_stop_daemon(daemon.handle) }
  }

  /// Called with the head of a request, and then again, with or without parts of its body.
  private static let handle: MHD_AccessHandlerCallback = { context, connection, url, method, _, _, size, state in
    guard let context, let connection, let url, let method, let size, let state else { return .NO }
    let server = Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
    let exchange = Exchange(connection)
    // The first call has only the head. All answers except refusals wait for the second call.
    if state.pointee == nil {
      let refusal = server.refusal(of: exchange, url: String(cString: url), method: String(cString: method))
      state.pointee = context
      return refusal.map(exchange.send) ?? .YES
    }
    guard size.pointee == 0 else { return .NO }
    let request = HTTPRequest(
      isPost: String(cString: method) == "POST", path: String(String(cString: url).dropFirst(server.token.count + 2)),
      query: exchange.query)
    return exchange.send(server.answer(request))
  }

  private static let forget: MHD_RequestCompletedCallback = { _, _, state, _ in state?.pointee = nil }

  /// Returns the refusal of a request that does not come from this server's page; `nil` if the request is allowed.
  private func refusal(of exchange: Exchange, url: String, method: String) -> HTTPAnswer? {
    guard let port = daemon.withLock({ $0?.port }) else { return .refused(.forbidden, "not ready") }
    let hosts = ["127.0.0.1:\(port)", "localhost:\(port)"]
    guard let host = exchange.header("Host"), hosts.contains(host) else {
      return .refused(.forbidden, "the Host header does not name this machine")
    }
    if let origin = exchange.header("Origin"), origin != "http://" + host {
      return .refused(.forbidden, "the request comes from another page")
    }
    if let site = exchange.header("Sec-Fetch-Site"), !["same-origin", "none"].contains(site) {
      return .refused(.forbidden, "the request comes from another site")
    }
    guard url.hasPrefix("/" + token + "/") else { return .refused(.forbidden, "the address has no valid token") }
    guard ["GET", "POST"].contains(method) else { return .refused(.badRequest, "only GET and POST are supported") }
    let length = exchange.header("Content-Length") ?? "0"
    guard length == "0", exchange.header("Transfer-Encoding") == nil else {
      return .refused(.tooLarge, "requests must not have a body")
    }
    return nil
  }

  /// A request and its answer on a connection.
  private struct Exchange {
    private let connection: OpaquePointer

    init(_ connection: OpaquePointer) { self.connection = connection }

    func header(_ name: String) -> String? {
      MHD_lookup_connection_value(connection, .HEADER_KIND, name).map { String(cString: $0) }
    }

    var query: [(name: String, value: String)] {
      var pairs: [(name: String, value: String)] = []
      withUnsafeMutablePointer(to: &pairs) { pairs in
        _ = MHD_get_connection_values(
          connection, .GET_ARGUMENT_KIND,
          { pairs, _, name, value in
            guard let name, let value else { return .YES }
            pairs?.assumingMemoryBound(to: [(name: String, value: String)].self).pointee
              .append((String(cString: name), String(cString: value)))
            return .YES
          }, pairs)
      }
      return pairs
    }

    func send(_ answer: HTTPAnswer) -> MHD_Result {
      switch answer {
      case .page(let bytes): send(bytes, 200, "text/html; charset=utf-8")
      case .text(let text): send(Array(text.utf8), 200, "text/plain; charset=utf-8")
      case .refused(let status, let text): send(Array((text + "\n").utf8), status.rawValue, "text/plain; charset=utf-8")
      case .events(let next): send(next)
      }
    }

    private func send(_ bytes: [UInt8], _ status: UInt32, _ type: String) -> MHD_Result {
      var bytes = bytes
      return queue(
        MHD_create_response_from_buffer(bytes.count, &bytes, .RESPMEM_MUST_COPY), status: status, type: type)
    }

    private func send(_ next: @escaping @Sendable () -> [UInt8]?) -> MHD_Result {
      let stream = Unmanaged.passRetained(EventStream(next)).toOpaque()
      let response = MHD_create_response_from_callback(
        UInt64.max, HTTPServer.block,
        { stream, _, buffer, count in
          guard let stream, let buffer else { return -1 }
          let room = UnsafeMutableRawBufferPointer(start: buffer, count: count)
          return Unmanaged<EventStream>.fromOpaque(stream).takeUnretainedValue().read(into: room)
        }, stream, { stream in stream.map { Unmanaged<EventStream>.fromOpaque($0).release() } })
      return queue(response, status: 200, type: "text/event-stream; charset=utf-8")
    }

    private func queue(_ response: OpaquePointer?, status: UInt32, type: String) -> MHD_Result {
      guard let response else { return .NO }
      defer { MHD_destroy_response(response) }
      let headers = [
        ("Content-Type", type), ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"), ("X-Frame-Options", "DENY"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
      ]
      for (name, value) in headers { _ = MHD_add_response_header(response, name, value) }
      return MHD_queue_response(connection, status, response)
    }
  }
}

/// The bytes of server-sent events that have not been sent yet. A stream is used only by its connection's thread.
private final class EventStream {
  private let next: @Sendable () -> [UInt8]?
  private var rest: ArraySlice<UInt8> = []

  init(_ next: @escaping @Sendable () -> [UInt8]?) { self.next = next }

  /// Copies bytes; returns their number, or -1 at the end.
  func read(into room: UnsafeMutableRawBufferPointer) -> Int {
    if rest.isEmpty {
      guard let bytes = next() else { return -1 }
      rest = bytes[...]
    }
    let part = rest.prefix(room.count)
    room.copyBytes(from: part)
    rest = rest.dropFirst(part.count)
    return part.count
  }
}
