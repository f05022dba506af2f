internal import Platform
package import RequestStatistics
import SimulationKernel

/// A multithreaded log reader. Each thread first reads files that no other thread has started, and then helps to read
/// the remaining files.
package struct LogReader: Sendable {
  private let options: LogOptions
  private let table: FieldTable

  /// - Throws: the reason why the options are invalid.
  package init(_ options: LogOptions) throws(LogOptionProblem) {
    for map in options.maps where map.role == .id && map.field.isAddress && !options.allowsAddresses {
      throw .addressAsID("\(map.field)")
    }
    if let pattern = options.pattern { _ = try LogPattern(pattern) }
    self.options = options
    table = FieldTable(options)
  }

  /// - Parameters:
  ///   - names: the tables that collect the names found in lines.
  ///   - make: a function that creates a sink for each thread.
  package func read<Sink: RequestSink & Sendable>(
    _ inputs: [LogInput], names: LogNames, progress: LogProgress = LogProgress(),
    sinks make: @escaping @Sendable () -> Sink
  ) -> LogReading<Sink> {
    let originals = Duplicates(inputs, options.pseudonyms.hash).originals
    let (options, table) = (self.options, self.table)
    let files = inputs.map { input in
      let folder = String(decoding: NameCleaner.printable(Array(input.folder.utf8)), as: UTF8.self)
      let node = folder.isEmpty ? NameIndex.none : names.nodes.index(ofGiven: folder)
      return LogFile(input, options, table, progress, node: node)
    }
    let work = FileQueue(files.indices.filter { originals[$0] == nil }.map { files[$0] })
    let sinks = Threads.run(options.threads) {
      var sink = make()
      let reader = LineReader(options, table, names)
      let block = LineBlock(longestLine: options.limits.line)
      while let file = work.next(block) {
        let tally = reader.read(block) { requests in
          for index in requests.indices { sink.add(requests[index]) }
        }
        file.add(tally)
      }
      return sink
    }
    let reports = files.indices.map { index in
      files[index].finish(duplicateOf: originals[index].map { inputs[$0].path })
    }
    return LogReading(sinks: sinks, files: reports, isCancelled: progress.isCancelled.load(ordering: .relaxed))
  }
}

/// A queue that distributes files among threads.
final class FileQueue: Sendable {
  private struct State {
    /// The files that no thread has started to read.
    var waiting: ArraySlice<LogFile>
    /// The files that threads are currently reading.
    var begun: [LogFile] = []
  }

  private let state: Locked<State>

  init(_ files: [LogFile]) { state = Locked(State(waiting: files[...])) }

  /// Fills a block from the same file as before, from a new file, or from a file that other threads are reading.
  ///
  /// - Returns: the file; `nil` when all files have been read.
  func next(_ block: LineBlock) -> LogFile? {
    while let file = block.file ?? choose() {
      block.file = file
      if file.next(block) { return file }
      block.file = nil
      state.withLock { $0.begun.removeAll { $0 === file } }
    }
    return nil
  }

  private func choose() -> LogFile? {
    state.withLock { state in
      if let first = state.waiting.popFirst() {
        state.begun.append(first)
        return first
      }
      return state.begun.first
    }
  }
}

/// A report on how a single file was read.
package struct LogFileReport: Sendable {
  package let path: String
  /// The detected format; `nil` if it is unknown.
  package internal(set) var format: LogFormat?
  /// The name of the format and the reason for choosing it, such as `nginx or Apache combined: 62 of 64 lines`.
  package internal(set) var reason = ""
  package internal(set) var stream = StreamFacts()
  /// The size of the file on disk in bytes.
  package internal(set) var bytes = 0
  /// The size of the file's text in bytes.
  package internal(set) var textBytes = 0
  /// The number of lines, excluding empty lines, comments and column names.
  package internal(set) var lines = 0
  /// The number of lines that were parsed as requests or counts.
  package internal(set) var parsed = 0
  package internal(set) var comments = 0
  private var rejections = [Int](repeating: 0, count: Rejection.allCases.count)
  /// The reason why the file could not be read completely; `nil` if it was read completely.
  package internal(set) var problem: LogProblem?
  /// The path of an earlier file with the same content; `nil` if there is none. A duplicate file is not read.
  package internal(set) var duplicateOf: String?
  /// The series found in a table of counts.
  package internal(set) var counts: [CountSeries] = []
  /// The fields whose values may identify senders; no field is used unless the user selects it.
  package internal(set) var candidates: [IdentityCandidate] = []
  /// Whether timestamps mark the start of requests; `nil` if unknown.
  package internal(set) var startsRequests: Bool?
  /// Whether timestamps lack an offset from UTC and were interpreted as UTC.
  package internal(set) var lacksOffset = false
  /// The options with which lines without a request could be read; empty if they are unknown, and `nil` if most lines
  /// have a request.
  package internal(set) var advice: String?

  init(_ path: String) { self.path = path }

  /// Returns the number of lines rejected for a reason.
  package func rejected(_ reason: Rejection) -> Int { rejections[reason.rawValue] }
  package var rejected: Int { rejections.reduce(0, +) }

  mutating func add(_ tally: LineReader.Tally) {
    lines += tally.lines
    parsed += tally.parsed
    comments += tally.comments
    for reason in Rejection.allCases { rejections[reason.rawValue] += tally.rejected[reason.rawValue] }
  }

  /// Counts lines that were rejected for a reason.
  mutating func add(_ count: Int, _ reason: Rejection) {
    lines += count
    rejections[reason.rawValue] += count
  }
}

/// The result of reading: one sink per thread and one report per file.
package struct LogReading<Sink: Sendable>: Sendable {
  package private(set) var sinks: [Sink]
  /// The reports in the order of the inputs.
  package let files: [LogFileReport]
  /// Whether reading was cancelled before the end.
  package let isCancelled: Bool

  /// Returns the sinks, which are large, and removes them from this value.
  package mutating func takeSinks() -> [Sink] {
    defer { sinks = [] }
    return sinks
  }
}

extension [LogFileReport] {
  package var lines: Int { reduce(0) { $0 + $1.lines } }
  package var parsed: Int { reduce(0) { $0 + $1.parsed } }
  package var bytes: Int { reduce(0) { $0 + $1.bytes } }
  package var textBytes: Int { reduce(0) { $0 + $1.textBytes } }
  package func rejected(_ reason: Rejection) -> Int { reduce(0) { $0 + $1.rejected(reason) } }
}

/// Functions that run the same work on several threads in parallel.
enum Threads {
  private final class Job<Value: Sendable>: Sendable {
    let work: @Sendable () -> Value
    let result = Locked<Value?>(nil)

    init(_ work: @escaping @Sendable () -> Value) { self.work = work }
  }

  /// - Parameter wanted: the number of threads to start; the system may provide fewer, but at least one.
  /// - Returns: the results of all threads.
  static func run<Value: Sendable>(_ wanted: Int, _ work: @escaping @Sendable () -> Value) -> [Value] {
    var jobs: [(thread: SystemThread, job: Job<Value>)] = []
    for _ in 1..<max(wanted, 1) {
      let job = Job(work)
      guard let thread = SystemThread.begin({ job.result.withLock { $0 = work() } }) else { break }
      jobs.append((thread, job))
    }
    let own = work()
    for job in jobs { job.thread.join() }
    return [own] + jobs.compactMap { $0.job.result.withLock { $0 } }
  }
}
