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

  /// The title and help of a defect.
  package var meaning: Word { Catalogue.defects[rawValue] }
}

/// A finding about a log, and the way in which it is handled.
package enum LogFinding: Hashable, Sendable {
  /// Lines that repeat an earlier line; they are dropped.
  case copies(Int64)
  /// Identical lines that a run produces by design; all of them are kept.
  case repeated(Int64)
  /// A period without lines, in milliseconds since 1970; it is censored.
  case hole(Range<Int64>)
  /// A server that is silent for a period, with its share of all lines; this period is censored.
  case lostNode(LogSummary.LostNode)
  /// A period in which a fraction of all lines is missing; this period is censored.
  case shift(LogSummary.LevelShift)
  /// A server whose clock is ahead by a number of milliseconds; this offset is corrected.
  case skew(NameIndex, Int64)
  /// All timestamps have this minute of the hour; the log is rejected.
  case stuckMinute(Int)
  /// All timestamps have this second of the minute; the log is rejected.
  case stuckSecond(Int)
  /// Senders that are programs, with their number and their share of the lines; their requests count as other load.
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

  /// Whether the finding is only a note about something harmless.
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
    // Offsets are sorted by name, because name indices depend on the order of threads.
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
