package import Words

/// A possible defect of a log, identified by its code.
package enum LogDefect: String, CaseIterable, Sendable {
  case copies = "WF611"
  case holes = "WF612"
  case clocks = "WF613"
  case machines = "WF614"
  case ids = "WF615"
  case runs = "WF616"
  case releases = "WF617"
  case contradiction = "WF620"
  case misfit = "WF640"

  /// The title and help text of the defect.
  package var meaning: Word { Catalogue.defects[rawValue] }
}

/// A finding about a log, which determines how the affected data is handled.
package enum LogFinding: Hashable, Sendable {
  /// The number of lines that repeat an earlier line; these lines are dropped.
  case copies(Int64)
  /// The number of identical lines that a run produces by design; all of them are kept.
  case repeated(Int64)
  /// A period without lines, in milliseconds since 1970; gaps that overlap it are censored.
  case hole(Range<Int64>)
  /// A server that is silent for a period, and its share of all lines; gaps that overlap the period are censored.
  case lostNode(LogSummary.LostNode)
  /// A period in which a fraction of all lines is missing; gaps that overlap it are censored.
  case shift(LogSummary.LevelShift)
  /// A server whose clock is ahead by a number of milliseconds; its timestamps are corrected.
  case skew(NameIndex, Int64)
  /// All timestamps have this minute of the hour; the log is rejected.
  case stuckMinute(Int)
  /// All timestamps have this second of the minute; the log is rejected.
  case stuckSecond(Int)
  /// Senders that are programs, with their number and their share of the lines. Their requests are counted as other
  /// load.
  case machines(senders: Int, share: Double)
  /// IDs that several senders share, with the number of these IDs and their share of the lines; they are excluded.
  case sharedIDs(senders: Int, share: Double)
  /// Phones get a new ID each day.
  case dailyIDs
  /// The timestamps are more than two years apart, so loads and holes are not analysed.
  case tooLong

  package var defect: LogDefect {
    switch self {
    case .copies, .repeated: .copies
    case .hole, .lostNode, .shift: .holes
    case .skew, .stuckMinute, .stuckSecond, .tooLong: .clocks
    case .machines: .machines
    case .sharedIDs, .dailyIDs: .ids
    }
  }

  /// Whether the finding makes the log unusable.
  package var isFatal: Bool {
    switch self {
    case .stuckMinute, .stuckSecond, .tooLong: true
    default: false
    }
  }

  /// Whether the finding is only a note about a harmless property of the log.
  package var isNote: Bool {
    if case .repeated = self { return true }
    return false
  }
}

extension LogSummary {
  /// All findings in the order of their codes.
  package var findings: [LogFinding] {
    var findings: [LogFinding] = []
    if duplicates.copies > 0 { findings.append(.copies(duplicates.copies)) }
    if duplicates.repeated > 0 { findings.append(.repeated(duplicates.repeated)) }
    findings += holes.map { .hole($0) } + lostNodes.map { .lostNode($0) } + shifts.map { .shift($0) }
    // Offsets are sorted by name, because name indices depend on the order in which threads run.
    findings += skew.sorted { (names.nodes[$0.key] ?? "") < (names.nodes[$1.key] ?? "") }.map {
      .skew($0.key, $0.value)
    }
    if let minute = census.digits.stuckMinute { findings.append(.stuckMinute(minute)) }
    if let second = census.digits.stuckSecond { findings.append(.stuckSecond(second)) }
    if isTooLong { findings.append(.tooLong) }
    let machines = senders.count(.machine).senders
    if machines > 0 { findings.append(.machines(senders: machines, share: share(of: .machine))) }
    let shared = senders.count(.shared).senders
    if shared > 0 { findings.append(.sharedIDs(senders: shared, share: share(of: .shared))) }
    if senders.lifetime == .oneDay { findings.append(.dailyIDs) }
    return findings
  }

  /// The censored periods, disjoint and in chronological order: holes, silences of single servers, and periods with
  /// missing lines.
  package var silences: [Range<Int64>] {
    let all = (holes + lostNodes.map(\.span) + shifts.map(\.span)).sorted {
      ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound)
    }
    return all.reduce(into: []) { merged, next in
      if let last = merged.last, next.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, next.upperBound)
      } else {
        merged.append(next)
      }
    }
  }
}
