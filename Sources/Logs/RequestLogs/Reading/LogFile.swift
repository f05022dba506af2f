import RequestStatistics
import SimulationKernel

/// A file read by several threads, one of which reads the next block while the others parse their blocks.
///
/// `@unchecked` is safe because mutable state is used only by the thread that holds the lock. After all threads have
/// finished, it is used only by the reporter.
final class LogFile: @unchecked Sendable {
  private let input: LogInput
  private let options: LogOptions
  private let table: FieldTable
  private let progress: LogProgress
  /// The server to which the file's folder belongs.
  private let node: NameIndex
  private let turn = Locked(())

  // The properties below may be used only by the thread that holds the lock.
  private var source: BlockSource?
  private var window: InputWindow?
  private var plan: LinePlan?
  private var isOpened = false
  private var isOver = false
  private var rows: [CountRow] = []
  private var report: LogFileReport

  init(_ input: LogInput, _ options: LogOptions, _ table: FieldTable, _ progress: LogProgress, node: NameIndex) {
    (self.input, self.options, self.table, self.progress, self.node) = (input, options, table, progress, node)
    report = LogFileReport(input.path)
  }

  /// Fills a block with the next lines.
  ///
  /// - Returns: `false` at the end of the file.
  func next(_ block: LineBlock) -> Bool {
    turn.withLock { _ in
      guard !isOver else { return false }
      if !isOpened { return open(block) }
      guard !progress.isCancelled.load(ordering: .relaxed), let source, source.next(block) else {
        isOver = true
        return false
      }
      lay(block)
      return true
    }
  }

  func add(_ tally: LineReader.Tally) {
    turn.withLock { _ in
      report.add(tally)
      guard rows.count + tally.counts.count <= options.limits.countRows else {
        (report.problem, isOver) = (.tooManyRows, true)
        return
      }
      rows += tally.counts
    }
  }

  /// Returns the report after all threads have finished.
  func finish(duplicateOf other: String?) -> LogFileReport {
    turn.withLock { _ in
      report.duplicateOf = other
      if let source {
        report.stream = source.facts
        report.textBytes = source.textBytes
        report.problem = report.problem ?? source.problem
        report.add(source.allTooLong, .tooLong)
        report.add(source.tornLines, .tornEnd)
      }
      report.bytes = window?.total ?? 0
      if let plan, case .counts(let format) = plan.lines {
        report.counts = format.columns.map { column in
          CountSeries(
            column: format.names[column], rows: rows.filter { $0.column == Int32(column) },
            stamp: options.stamp ?? .begin)
        }
      }
      (source, window, rows) = (nil, nil, [])
      return report
    }
  }

  // MARK: With the lock

  private func open(_ block: LineBlock) -> Bool {
    isOpened = true
    do throws(LogProblem) {
      let window = try InputWindow(input, progress)
      self.window = window
      let stream = try Compressed.open(window, options.limits)
      return try begin(stream, block)
    } catch {
      (report.problem, isOver) = (error, true)
      return false
    }
  }

  /// Detects the format of the file from its first bytes, which also form the start of the first block.
  private func begin(_ stream: any ByteStream, _ block: LineBlock) throws(LogProblem) -> Bool {
    let sample = SampledStream(stream)
    let text = try sample.look(atMost: Detection.sampleBytes)
    guard !text.isEmpty else {
      isOver = true
      report.stream = stream.facts
      return false
    }
    let (finding, envelope) = try text.withText { text throws(LogProblem) in try find(text) }
    let sampled: any ByteStream = envelope.map { EnvelopeStream(sample, $0) } ?? sample
    report.startsRequests = finding.startsRequests
    report.lacksOffset = finding.lacksOffset
    report.advice = finding.advice
    report.candidates = finding.candidates
    plan = finding.plan
    report.format = finding.plan.format
    report.reason = finding.plan.name
    if !finding.plan.isDocument { report.reason += ": \(finding.understood) of the first \(finding.lines) lines" }
    let lines: any ByteStream =
      finding.plan.isDocument
      ? DocumentStream(sampled, isTelemetry: finding.plan.isTelemetry, longest: options.limits.line) : sampled
    let source = BlockSource(lines, options.limits)
    self.source = source
    guard source.next(block) else {
      isOver = true
      return false
    }
    lay(block)
    return true
  }

  /// Detects the format of the lines. If they contain no requests, but wrap other lines, the format of the wrapped
  /// lines is detected.
  private func find(_ text: Text) throws(LogProblem) -> (Detection.Finding, Envelope?) {
    let detection = Detection(options, table)
    let lines = Detection.lines(text)
    let envelope = Envelope.find(lines)
    do throws(LogProblem) {
      let finding = try detection.find(text)
      guard let envelope, finding.advice != nil || envelope.form == .words else { return (finding, nil) }
      let inner = lines.reduce(into: [UInt8]()) { $0 += (envelope.content(of: $1) ?? []) + [0x0A] }
      guard let wrapped = try? inner.withText({ text throws(LogProblem) in try detection.find(text) }) else {
        return (finding, nil)
      }
      return (wrapped, envelope)
    } catch {
      guard let envelope else { throw error }
      let inner = lines.reduce(into: [UInt8]()) { $0 += (envelope.content(of: $1) ?? []) + [0x0A] }
      return (try inner.withText { text throws(LogProblem) in try detection.find(text) }, envelope)
    }
  }

  /// Sets the plan for a block, and searches the block for a header line that changes the plan for the next block.
  private func lay(_ block: LineBlock) {
    block.plan = plan
    block.node = node
    guard let present = plan, present.format == .cloudfront else { return }
    var place = 0
    while let found = block.text.from(place).place(of: "#Fields:").map({ $0 + place }) {
      let end = block.text.place(of: 0x0A, from: found) ?? block.count
      let isLine = found == 0 || block.text[found - 1] == 0x0A
      if isLine, let next = plan?.following(block.text.slice(found, end).trimmedEnd, table) { plan = next }
      place = end
    }
  }
}

/// A stream whose first bytes can be examined before it is read.
final class SampledStream: ByteStream {
  private let stream: any ByteStream
  private var held: [UInt8] = []
  private var given = 0
  private var failure: LogProblem?

  init(_ stream: any ByteStream) { self.stream = stream }

  var facts: StreamFacts { stream.facts }

  /// Returns the first bytes without a UTF-8 byte order mark.
  ///
  /// - Throws: the reason why the first bytes cannot be read.
  func look(atMost count: Int) throws(LogProblem) -> [UInt8] {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 64)
    defer { buffer.deallocate() }
    var filled = 0
    do throws(LogProblem) {
      while filled < count {
        let got = try stream.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
        filled += got
        if got == 0 { break }
      }
    } catch {
      guard filled > 0 else { throw error }
      failure = error
    }
    held = Array(buffer[..<filled])
    if held.starts(with: [0xEF, 0xBB, 0xBF]) { held.removeFirst(3) }
    return held
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(LogProblem) -> Int {
    let count = min(buffer.count, held.count - given)
    guard count > 0 else {
      if let failure { throw failure }
      return try stream.read(into: buffer)
    }
    held.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[given..<given + count])) }
    given += count
    if given == held.count { (held, given) = ([], 0) }
    return count
  }
}
