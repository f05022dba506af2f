/// A writer that appends a phone's events to its ring.
struct Recorder: Sendable {
  let file: RingFile
  var clocks = Clocks()
  var phone: @Sendable () -> PhoneState = { PhoneState() }

  /// The time for which a mark can explain a run, in milliseconds.
  static let markLasts: Int64 = 60_000

  /// The widget that a run belongs to.
  struct Widget: Hashable, Sendable {
    var kind: String
    var family: String
    var configuration: String
  }

  /// Records the start of a run.
  ///
  /// - Parameter due: the due date in milliseconds since 1970; `nil` for the date requested by the widget's last
  ///   timeline.
  func begin(_ widget: Widget, due: Int64?) throws(ProbeProblem) -> ProbeRecord {
    var record = mark(.run)
    return try file.locked { (session) throws(ProbeProblem) -> ProbeRecord in
      let content = try session.content()
      record.kind = try Self.kind(widget.kind, session, content)
      let parts = [widget.kind, widget.family, widget.configuration]
      // The value 0 is reserved for "no widget".
      record.instance = max(UInt32(SteadyHash.of(parts, salt: content.salt) & 0xFF_FFFF), 1)
      let before = Before(record, content)
      record.number = before.number &+ 1
      record.sequence = (before.run?.sequence ?? 0) &+ 1
      record.lateness = (due ?? before.run?.nextDue).flatMap { Int32(exactly: record.wall - $0) }
      record.cause = before.cause ?? (record.lateness ?? -1 >= 0 ? .scheduled : .other)
      try session.put(record)
      return record
    }
  }

  /// The data recorded at the end of a run.
  struct Ending {
    var outcome: ProbeRecord.Outcome
    /// The date requested by the timeline, and the time of its data, in milliseconds since 1970.
    var next: Int64?
    var dataTime: Int64?
  }

  /// Records the end of a run in the record of its start; does nothing if that record has been overwritten.
  func end(_ begun: ProbeRecord, _ ending: Ending) throws(ProbeProblem) {
    let now = clocks.wall()
    let length = UInt32(truncatingIfNeeded: clocks.continuous()) &- begun.continuous
    try file.locked { (session) throws(ProbeProblem) in
      guard var record = try session.record(begun.number), record.instance == begun.instance,
        record.sequence == begun.sequence, record.event == .run
      else { return }
      record.length = UInt16(min(length, 65_534))
      record.outcome = ending.outcome
      record.next = ending.next.flatMap { UInt32(exactly: max($0 - record.wall, 0)) }.flatMap { $0 == .max ? nil : $0 }
      record.dataAge = ending.dataTime.map { UInt16(min(max((now - max($0, 0) + 30_000) / 60_000, 0), 65_534)) }
      try session.put(record)
    }
  }

  /// Records a call, tap, push or app state change.
  ///
  /// - Parameter kind: the kind affected; `nil` for all kinds.
  func note(
    _ event: ProbeRecord.Event, kind: String? = nil, reason: ProbeRecord.CallReason = .unspecified
  ) throws(ProbeProblem) {
    var record = mark(event)
    record.reason = reason
    try file.locked { (session) throws(ProbeProblem) in
      let content = try session.content()
      if let kind { record.kind = try Self.kind(kind, session, content) }
      record.number = Before(record, content).number &+ 1
      try session.put(record)
    }
  }

  /// Returns the content of the ring.
  func content() throws(ProbeProblem) -> RingContent {
    try file.locked { (session) throws(ProbeProblem) in try session.content() }
  }

  private func mark(_ event: ProbeRecord.Event) -> ProbeRecord {
    var record = ProbeRecord(wall: clocks.wall())
    record.continuous = UInt32(truncatingIfNeeded: clocks.continuous())
    record.boot = clocks.boot
    record.event = event
    record.phone = phone()
    return record
  }

  private static func kind(
    _ name: String, _ session: RingFile.Session, _ content: RingContent
  ) throws(ProbeProblem) -> UInt8 {
    guard let place = content.place(ofKind: name) else { return ProbeRecord.noKind }
    if let new = place.new { try session.put(new.bytes[...], at: new.offset) }
    return place.index
  }
}

/// The state of the ring before a record.
private struct Before {
  /// The number of the newest record; 0 for an empty ring.
  var number: UInt32 = 0
  /// The widget's last run.
  var run: ProbeRecord?
  /// The most recent mark that explains a run.
  var cause: ProbeRecord.Cause?

  init(_ record: ProbeRecord, _ content: RingContent) {
    for old in content.newestFirst {
      number = max(number, old.number)
      guard record.event == .run else { return }
      let age = record.wall - old.wall
      if cause == nil, 0...Recorder.markLasts ~= age, old.concerns(record) { cause = old.event.cause }
      if old.event == .run, old.instance == record.instance {
        run = run ?? old
      }
      if run != nil, cause != nil || age > Recorder.markLasts { return }
    }
  }
}

extension ProbeRecord {
  /// Returns whether a mark applies to a run's kind.
  fileprivate func concerns(_ run: ProbeRecord) -> Bool { kind == Self.noKind || kind == run.kind }
}

extension ProbeRecord.Event {
  /// The cause that the mark implies for a later run.
  fileprivate var cause: ProbeRecord.Cause? {
    switch self {
    case .call: .call
    case .tap: .tap
    case .push: .push
    case .run, .foreground, .background: nil
    }
  }
}
