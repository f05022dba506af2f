import Foundation
import RequestStatistics

@testable import RequestLogs

/// A sink that collects all requests.
struct Collector: RequestSink, Sendable {
  var requests: [LoggedRequest] = []
  mutating func add(_ request: borrowing LoggedRequest) { requests.append(copy request) }
}

/// Files in a separate folder, and the result of reading them.
struct Reader {
  let names = LogNames()
  var options = LogOptions()

  init() {
    // Any constant key will do.
    if let key = Pseudonyms(key: Array("0123456789abcdef".utf8)) { options.pseudonyms = key }
  }

  struct Read {
    /// The requests by time, then by the hash of their line.
    var requests: [LoggedRequest]
    var files: [LogFileReport]
    var report: LogFileReport { files[0] }
  }

  func read(_ text: String) throws -> Read { try read([("a.log", Data(text.utf8))]) }

  func read(_ files: [(name: String, bytes: Data)], given: [String]? = nil) throws -> Read {
    let folder = FileManager.default.temporaryDirectory.appending(path: "widgetfleet-logs-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, bytes) in files {
      let path = folder.appending(path: name)
      try FileManager.default.createDirectory(at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
      try bytes.write(to: path)
    }
    let paths = (given ?? files.map(\.name)).map { folder.appending(path: $0).path }
    let reading = try LogReader(options).read(LogInput.find(paths).inputs, names: names, sinks: { Collector() })
    let requests = reading.sinks.flatMap(\.requests).sorted { ($0.time, $0.line) < ($1.time, $1.line) }
    return Read(requests: requests, files: reading.files)
  }

  func path(_ request: LoggedRequest) -> String? { names.paths[request.path] }
  func agent(_ request: LoggedRequest) -> String? { names.agents[request.agent] }
}

/// Returns an instant in milliseconds since 1970, computed by Foundation.
func milliseconds(_ text: String) -> Int64? {
  let formatter = ISO8601DateFormatter()
  formatter.formatOptions = [.withInternetDateTime]
  return formatter.date(from: text).map { Int64($0.timeIntervalSince1970 * 1_000) }
}
