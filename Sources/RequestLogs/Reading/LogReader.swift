package import RequestStatistics
import SimulationKernel

/// Reads logs with some threads: each takes a file of its own while there are any, and then helps others with theirs.
package struct LogReader: Sendable {
  private let options: LogOptions
  private let table: FieldTable

  /// - Throws: what is wrong with the options.
  package init(_ options: LogOptions) throws(LogOptionProblem) {
    for map in options.maps where map.role == .id && map.field.isAddress && !options.allowsAddresses {
      throw .addressAsID("\(map.field)")
    }
    if let pattern = options.pattern { _ = try LogPattern(pattern) }
    self.options = options
    table = FieldTable(options)
  }

  /// - Parameters:
  ///   - names: gains what the lines name.
  ///   - make: a sink for a thread.
  package func read<Sink: RequestSink & Sendable>(
    _ inputs: [LogInput], names: LogNames, progress: LogProgress = LogProgress(),
    sinks make: @escaping @Sendable () -> Sink
  ) -> LogReading<Sink> {
    let originals = Duplicates(inputs, options.pseudonyms.hash).originals
    let (options, table) = (self.options, self.table)
    let files = inputs.map { input in
      let node =
        input.folder.isEmpty ? NameIndex.none : names.nodes.index(of: NameCleaner.printable(Array(input.folder.utf8)))
      return LogFile(input, options, table, progress, node: node)
    }
    let work = FileTurns(files.indices.filter { originals[$0] == nil }.map { files[$0] })
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

/// Which thread reads which file.
final class FileTurns: Sendable {
  private struct State {
    /// Files that nobody has begun.
    var waiting: ArraySlice<LogFile>
    /// Files that threads read.
    var begun: [LogFile] = []
  }

  private let state: Guarded<State>

  init(_ files: [LogFile]) { state = Guarded(State(waiting: files[...])) }

  /// Fills a block: from the file that the block had before, a new one, or one that others read.
  ///
  /// - Returns: the file; nil: all are read.
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
