/// What may be wrong with a log, by code.
package enum LogDefect: String, CaseIterable, Sendable {
  case copies = "WF611"
  case holes = "WF612"
  case clocks = "WF613"
  case machines = "WF614"
  case ids = "WF615"
  case runs = "WF616"
  case contradiction = "WF620"
  case misfit = "WF640"

  package var title: String {
    switch self {
    case .copies: "lines that stand in the log more than once"
    case .holes: "times of which the log says nothing"
    case .clocks: "clocks that are wrong"
    case .machines: "programs that ask like clocks"
    case .ids: "ids that are not a phone's"
    case .runs: "runs that cannot be told apart"
    case .contradiction: "the file contradicts the log"
    case .misfit: "the busiest hour is not what the scenario makes of it"
    }
  }

  package var help: String {
    switch self {
    case .copies:
      "A shipper that delivers at least once, or a file that was given twice. Copies are dropped; where a path is asked "
        + "for several times by design, equal lines stay."
    case .holes:
      "A lost hour, a server or a file that is missing: with odds below 1e-9 chance did not do it. A server that lines do "
        + "not name is seen by a level that falls and rises sharply. Gaps that touch a hole are censored, loads there are "
        + "left out. Give the missing files, or --days without them."
    case .clocks:
      "A server whose clock is off is seen in runs that two servers share, and its stamps are moved back. A minute or "
        + "second that is always the same means a wrong format, such as %m for %M: such a log is refused."
    case .machines:
      "Monitors, crawlers and tests ask at even intervals, by night too. They count as other load, not as phones."
    case .ids:
      "An id that several phones share (zeros, one token) is left out; ids that live a day make no gaps over midnight and "
        + "no count of phones beyond a day."
    case .runs:
      "Several kinds behind one path, or retries, make runs that cannot be told apart: let the widget send its kind "
        + "and read it with --map kind=query.w (Docs/CALIBRATION.md), or give each kind a path of its own."
    case .contradiction:
      "A key of the app's own code has a value that the log rules out: its 95 % interval lies elsewhere. The calibrated "
        + "file has the log's value; either the file is out of date or another version of the app is out there."
    case .misfit:
      "With everything that was found, the scenario's load in the busiest hour of the mean day is more than 10 % off, "
        + "beyond what chance makes. Something that the model has no key for, or that was not looked for, makes that hour. "
        + "Beyond 25 % calibrated.yaml is not written unless --force is given: nobody should plan by it."
    }
  }
}

/// Something that was found in a log, and what was done about it.
package enum LogFinding: Hashable, Sendable {
  /// Lines beyond the first of each, dropped.
  case copies(Int64)
  /// Equal lines that a run sends by design, kept.
  case repeated(Int64)
  /// Milliseconds since 1970, censored.
  case hole(Range<Int64>)
  /// A server's silence and its share of the lines, censored.
  case lostNode(LogPicture.LostNode)
  /// A share of all lines that is missing for a while, censored.
  case shift(LogPicture.LevelShift)
  /// Milliseconds by which a server is ahead, corrected.
  case skew(NameIndex, Int64)
  /// The only minute of the hour that occurs: refused.
  case stuckMinute(Int)
  /// The only second of the minute that occurs: refused.
  case stuckSecond(Int)
  /// Senders and their share of the lines, counted as other load.
  case machines(senders: Int, share: Double)
  /// Ids and their share of the lines, left out.
  case sharedIDs(senders: Int, share: Double)
  /// A phone has another id each day.
  case dailyIDs
  /// Stamps lie more than two years apart: loads and holes are not looked at.
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

  /// Whether nothing can be said of a log that has it.
  package var isFatal: Bool {
    switch self {
    case .stuckMinute, .stuckSecond, .tooLong: true
    default: false
    }
  }

  /// Whether it is only said, since nothing is wrong.
  package var isNote: Bool {
    if case .repeated = self { return true }
    return false
  }
}

extension LogPicture {
  /// Everything that was found, in the order of the codes.
  package var findings: [LogFinding] {
    var findings: [LogFinding] = []
    if duplicates.copies > 0 { findings.append(.copies(duplicates.copies)) }
    if duplicates.repeated > 0 { findings.append(.repeated(duplicates.repeated)) }
    findings += holes.map { .hole($0) } + lostNodes.map { .lostNode($0) } + shifts.map { .shift($0) }
    // By name: the places of names depend on which thread met them first.
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

  /// What is censored: holes, the silences of single servers and times with a share of the lines, in order and apart
  /// from each other.
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
