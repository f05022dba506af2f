package import RequestStatistics

/// The runs of testers' widgets, each with what came before it.
package struct TelemetryRuns: Sendable {
  /// One run.
  struct Run {
    var record: TelemetryRecord
    /// The widget's run before it; nil: it is not known.
    var previous: TelemetryRecord?
    /// Whether somebody used the phone: the app was in front or the phone unlocked; nil: it cannot tell.
    var isInUse: Bool?

    /// Milliseconds from the end of the run before.
    var sinceEnd: Int64? { previous?.end.map { record.at - $0 } }

    /// Milliseconds from the instant at which it was due and allowed to the beginning, where nothing but its date
    /// explains it.
    ///
    /// - Parameter spacing: the least milliseconds after the end of the run before.
    func delay(spacing: Int64) -> Int64? {
      guard record.cause == .scheduled, let due = record.due else { return nil }
      guard let end = previous?.end else { return nil }
      return record.at - max(due, end + spacing)
    }
  }

  /// In order of phones and time.
  let runs: [Run]

  /// - Parameter records: in order of phones, of each in order of time.
  package init(_ records: [TelemetryRecord]) {
    // A phone that was never seen locked has no passcode, and says nothing of it.
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

  /// Phones that had a run.
  package var phones: Int { Set(runs.map(\.record.phone)).count }

  /// The wakes of each widget as those of a phone of its own, so that what is computed of logs is computed of these too.
  ///
  /// - Parameters:
  ///   - kinds: names of the kinds that are meant, by their places.
  ///   - name: how wakes name a kind.
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

  /// A status that counts as a failure of the server.
  private static let failed: UInt16 = 503
}
