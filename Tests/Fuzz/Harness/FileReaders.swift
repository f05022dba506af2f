import Foundation
import RequestLogs
import RequestStatistics
import Scenario
import Studies
import StudyStore

/// Readers that need a file: the store of a study, and request logs.
struct FileReaders {
  /// The path of the file, in memory if the machine has such a location; each process has its own.
  let path: String

  init(of harness: Harness) throws {
    let memory = "/dev/shm"
    let folder = FileManager.default.isWritableFile(atPath: memory) ? memory : NSTemporaryDirectory()
    path = folder + "/widgetfuzz-\(harness.rawValue)-\(getpid())"
  }

  private func write(_ bytes: [UInt8]) -> String? {
    FileManager.default.createFile(atPath: path, contents: Data(bytes)) ? nil : "cannot write \(path)"
  }

  func store(_ bytes: [UInt8]) -> String? {
    if let problem = write(bytes) { return problem }
    defer { unlink(path) }
    do {
      let store = try RunStore(reading: path)
      guard try store.isBegun() else { return nil }
      _ = try store.difference(from: Samples.identity)
      _ = try store.part()
      try? store.check(Samples.identity, [Self.axis], [[SweepValue("0s", amount: 0)]]) { false }
      for run in try store.finished().sorted(by: { $0.setting < $1.setting }).prefix(4) {
        _ = try store.reader().summary(of: run)
      }
    } catch { return "\(error)".isEmpty ? "an error that says nothing" : nil }
    return nil
  }

  private static let axis = SweepAxis(path: "b.c", scale: .numeric(low: 0, high: 60), unit: "s")

  func storeSeed() throws -> [UInt8] {
    defer { unlink(path) }
    unlink(path)
    let row = SummaryRow(.runs, Labels(), Metric.runs.statistics[0], replications: [.whole(3)], bounds: [])
    do {
      let store = try RunStore(at: path)
      try store.begin(Samples.identity, [Self.axis], [[SweepValue("0s", amount: 0)]])
      try store.add(
        Summary(rows: [row]), of: StoredRunKey(setting: 0, replication: 0), seed: 1, version: "1", scenarioHash: "22")
    }
    return Array(try Data(contentsOf: URL(filePath: path)))
  }

  private struct Counter: RequestSink, Sendable {
    var count = 0
    mutating func add(_ request: borrowing LoggedRequest) { count += 1 }
  }

  func log(_ bytes: [UInt8]) -> String? {
    if let problem = write(bytes) { return problem }
    defer { unlink(path) }
    var options = LogOptions()
    options.limits.expandedBytes = 1 << 22
    guard let pseudonyms = Pseudonyms(key: Array("0123456789abcdef".utf8)) else { return "no key" }
    options.pseudonyms = pseudonyms
    do {
      try options.map("kind=query.w")
      let reading = try LogReader(options).read(LogInput.find([path]).inputs, names: LogNames()) { Counter() }
      guard let file = reading.files.first else { return "a file without a report" }
      if file.problem == nil, file.lines != file.parsed + file.rejected { return "a line that is nowhere counted" }
      let isOfCounts = !file.counts.isEmpty
      if !isOfCounts, reading.sinks[0].count != file.parsed { return "a request that is nowhere counted" }
    } catch { return "\(error)" }
    return nil
  }

  static func telemetry(_ bytes: [UInt8]) -> String? {
    let lines = TelemetryLines(bytes)
    return lines.rejected > lines.lines ? "more lines are rejected than there are" : nil
  }
}
