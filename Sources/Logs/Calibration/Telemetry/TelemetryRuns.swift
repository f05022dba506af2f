package import RequestStatistics

/// The runs of testers' widgets, each with information from the preceding records.
package struct TelemetryRuns: Sendable {
  /// One run with information from the preceding records.
  struct Run {
    var record: TelemetryRecord
    /// The widget's previous run; `nil` if unknown.
    var previous: TelemetryRecord?
    /// Whether the phone was in use, which means that the app was in the foreground or the phone was unlocked; `nil` if
    /// unknown.
    var isInUse: Bool?

    /// The time from the end of the previous run to the start of this run, in milliseconds.
    var sinceEnd: Int64? { previous?.end.map { record.at - $0 } }

    /// Returns the delay, in milliseconds, from the instant at which a scheduled run was both due and permitted until
    /// its start; `nil` if unknown.
    ///
    /// - Parameter spacing: the minimum time after the end of the previous run, in milliseconds.
    func delay(spacing: Int64) -> Int64? {
      guard record.cause == .scheduled, let due = record.due else { return nil }
      guard let end = previous?.end else { return nil }
      return record.at - max(due, end + spacing)
    }
  }

  /// The runs sorted by phone, then by time.
  let runs: [Run]

  /// - Parameter records: records sorted by phone, then by time.
  package init(_ records: [TelemetryRecord]) {
    // A phone that was never seen locked is assumed to have no passcode, so its lock state provides no information.
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

  /// The number of phones with at least one run.
  package var phones: Int { Set(runs.map(\.record.phone)).count }

  /// Returns the wakes of each widget as if it were a separate phone, so that the estimators for logs can be used.
  ///
  /// - Parameters:
  ///   - kinds: the indices of the kinds to include.
  ///   - names: the names of the kinds.
  ///   - name: a function that returns the name index that represents a kind in the history.
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

  /// The HTTP status of a failed run.
  private static let failed: UInt16 = 503
}
