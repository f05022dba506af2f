package import RequestStatistics

/// The runs of testers' widgets, each with the records before it.
package struct TelemetryRuns: Sendable {
  /// One run.
  struct Run {
    var record: TelemetryRecord
    /// The widget's previous run; `nil` where it is unknown.
    var previous: TelemetryRecord?
    /// Whether the phone was in use: the app was in front or the phone unlocked; `nil` where it is unknown.
    var isInUse: Bool?

    /// The milliseconds from the end of the previous run.
    var sinceEnd: Int64? { previous?.end.map { record.at - $0 } }

    /// Returns the milliseconds from the instant at which it was due and allowed to its start, where only its date
    /// explains it.
    ///
    /// - Parameter spacing: the min milliseconds after the end of the previous run.
    func delay(spacing: Int64) -> Int64? {
      guard record.cause == .scheduled, let due = record.due else { return nil }
      guard let end = previous?.end else { return nil }
      return record.at - max(due, end + spacing)
    }
  }

  /// The runs in order of phones and time.
  let runs: [Run]

  /// - Parameter records: in order of phones, and of time for each phone.
  package init(_ records: [TelemetryRecord]) {
    // A phone that was never seen locked has no passcode, so its lock state carries no information.
    let telling = Set(records.filter { $0.isLocked == true }.map(\.phone))
    var last: [UInt64: TelemetryRecord] = [:]
    var front: (phone: UInt64, isFront: Bool) = (0, false)
    var runs: [Run] = []
    for record in records {
      if front.phone != record.phone { front = (record.phone, false) }
      switch record.event {
      case .foreground: front.isFront = true
      case .background: front.isFront = false
      case .call, .tap, .push: break
      case .run:
        let before = last.updateValue(record, forKey: record.widget)
        let isNext = before.map { ($0.sequence + 1) & 0xFFFF == record.sequence } ?? false
        let isUnlocked = telling.contains(record.phone) ? record.isLocked.map { !$0 } : nil
        runs.append(
          Run(record: record, previous: isNext ? before : nil, isInUse: front.isFront ? true : isUnlocked))
      }
    }
    self.runs = runs
  }

  /// The number of phones with a run.
  package var phones: Int { Set(runs.map(\.record.phone)).count }

  /// Returns the wakes of each widget as those of a separate phone, so that the estimates of logs apply.
  ///
  /// - Parameters:
  ///   - kinds: indices of the kinds that count.
  ///   - names: of the kinds.
  ///   - name: returns the name of a kind in wakes.
  func history(of kinds: Set<Int>, among names: [String], name: (Int) -> NameIndex) -> WakeHistory? {
    let own = runs.compactMap { run in
      names.firstIndex(of: run.record.kind).flatMap { kinds.contains($0) ? (kind: $0, record: run.record) : nil }
    }
    guard let first = own.map(\.record.at).min(), let last = own.map(\.record.at).max() else { return nil }
    var history = WakeHistory(span: first..<last + 1)
    let widgets = Dictionary(grouping: own) { $0.record.widget }
    for widget in widgets.keys.sorted() {
      history.append(
        widget,
        (widgets[widget] ?? []).map { run in
          WakeHistory.Wake(
            time: run.record.at, status: run.record.outcome == .error ? Self.failed : 200, kind: name(run.kind))
        })
    }
    return history
  }

  /// The status of a failed run.
  private static let failed: UInt16 = 503
}
