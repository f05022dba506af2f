/// A summary of a log, consisting of its counts and its defects.
package struct LogSummary: Sendable {
  package let census: LogCensus
  package let names: LogNames
  /// The range of whole minutes from the first to the last line, in milliseconds since 1970; `nil` if there are no
  /// lines.
  package let span: Range<Int64>?
  package let duplicates: Duplicates
  package let senders: SenderSample
  /// The periods about which the log has no information, in milliseconds since 1970.
  package let holes: [Range<Int64>]
  /// The periods in which one server is silent while other servers are not.
  package let lostNodes: [LostNode]
  /// The periods in which a constant fraction of all lines is missing for a reason other than a silent server.
  package let shifts: [LevelShift]
  /// The number of milliseconds by which each server's clock is ahead. The sender samples have been corrected
  /// accordingly.
  package let skew: [NameIndex: Int64]
  /// Whether the log covers too many days to store loads per minute.
  package let isTooLong: Bool
  /// The fraction of all requests that the log contains, above 0 and at most 1; below 1 for a sample of traces.
  package let recorded: Double

  /// A period in which one server is silent.
  package struct LostNode: Hashable, Sendable {
    package let node: NameIndex
    package let span: Range<Int64>
    /// The server's share of all lines.
    package let share: Double
  }

  /// A period with fewer lines per minute than the time before and after it.
  package struct LevelShift: Hashable, Sendable {
    package let span: Range<Int64>
    /// The fraction of lines that are still present.
    package let level: Double
    /// The number of remaining servers and of all servers, such as 2 of 3; `nil` if it is ambiguous.
    package let servers: Servers?

    package struct Servers: Hashable, Sendable {
      package let left: Int
      package let all: Int
    }
  }

  private static let minute: Int64 = 60_000
  private static let day: Int64 = 86_400_000
  private static let nodeBin: Int64 = 300_000
  /// The maximum length of a log in minutes. It is two years, because a longer log is unlikely to come from a single
  /// fleet.
  private static let maxMinutes = 2 * 366 * 1_440

  /// - Parameters:
  ///   - census: the merged census of all threads.
  ///   - days: the days to include, where 1 is the day of the first line; `nil` for all. They apply to gaps and loads;
  ///     sums per name cover the whole log.
  ///   - recorded: the fraction of all requests that are in the log.
  package init(
    _ census: consuming LogCensus, _ names: LogNames, days: ClosedRange<Int>? = nil, recorded: Double = 1
  ) {
    var (requests, copies) = census.takeSamples()
    let span = Self.span(of: census, days: days)
    if days != nil { requests.removeAll { !(span?.contains($0.time) ?? false) } }
    self.names = names
    self.recorded = recorded
    duplicates = Duplicates(copies, share: census.budgets.copies.share)
    copies = []
    duplicates.drop(from: &census.loads)
    skew = ClockSkew.offsets(in: requests, names.nodes)
    var sample = SenderSample(requests, share: census.budgets.senders.share)
    requests = []
    sample.correct(skew)
    senders = sample
    let isTooLong = span.map { ($0.upperBound - $0.lowerBound) / Self.minute > Self.maxMinutes } ?? false
    self.isTooLong = isTooLong
    self.span = span
    if let span, !isTooLong {
      holes = Self.holes(in: census.loads, span)
      lostNodes = Self.lostNodes(in: census, span).sorted { one, other in
        (one.span.lowerBound, names.nodes[one.node] ?? "") < (other.span.lowerBound, names.nodes[other.node] ?? "")
      }
      shifts = lostNodes.isEmpty ? Self.shifts(in: census.loads, span, holes: holes) : []
    } else {
      (holes, lostNodes, shifts) = ([], [], [])
    }
    self.census = census
  }

  private static func span(of census: LogCensus, days: ClosedRange<Int>?) -> Range<Int64>? {
    guard let first = census.firstDay else { return nil }
    let all = (census.first..<census.last + 1).wholeSteps(of: minute)
    guard let days else { return all }
    let span = all.clamped(to: first + Int64(days.lowerBound - 1) * day..<first + Int64(days.upperBound) * day)
    return span.isEmpty ? nil : span
  }

  private static func holes(in loads: LoadTable, _ span: Range<Int64>) -> [Range<Int64>] {
    Silences.holes(in: loads.counts(in: span, of: 0..<LoadSeries.count)).map { run in
      span.lowerBound + Int64(run.lowerBound) * minute..<span.lowerBound + Int64(run.upperBound) * minute
    }
  }

  /// Returns the drops in the number of lines that affect all classes of requests.
  private static func shifts(in loads: LoadTable, _ span: Range<Int64>, holes: [Range<Int64>]) -> [LevelShift] {
    let counts = loads.counts(in: span, of: 0..<LoadSeries.count)
    let lost = holes.map { hole in
      Int((hole.lowerBound - span.lowerBound) / minute)..<Int((hole.upperBound - span.lowerBound) / minute)
    }
    return LevelShifts.shifts(in: counts, holes: lost).filter { shift in
      RequestClass.allCases.allSatisfy { requestClass in
        shift.isShared(by: loads.counts(in: span, of: LoadSeries.of(requestClass)), of: counts)
      }
    }.map { shift in
      LevelShift(
        span: span.lowerBound + Int64(shift.minutes.lowerBound) * minute..<span.lowerBound
          + Int64(shift.minutes.upperBound) * minute,
        level: shift.level, servers: shift.servers.map { LevelShift.Servers(left: $0.left, all: $0.all) })
    }
  }

  /// Returns servers that were silent for significantly longer than expected by chance.
  private static func lostNodes(in census: LogCensus, _ span: Range<Int64>) -> [LostNode] {
    let rows = census.nodes.rows
    let present = rows.indices.filter { rows[$0].lines > 0 }
    guard present.count > 1, present.count <= LogCensus.maxNodes, rows.count <= LogCensus.maxNodes else { return [] }
    let bins = span.wholeSteps(of: nodeBin)
    let all = census.nodeLoads.counts(in: bins, of: present)
    return present.flatMap { place in
      let share = Double(rows[place].lines) / Double(census.lines)
      let own = census.nodeLoads.counts(in: bins, of: [place])
      return Silences.lost(own, among: all).map { run in
        LostNode(
          node: NameIndex(UInt16(place)),
          span: bins.lowerBound + Int64(run.lowerBound) * nodeBin..<bins.lowerBound + Int64(run.upperBound) * nodeBin,
          share: share)
      }
    }
  }

  /// The length of the span in days; `nil` if there are no lines.
  package var days: Double? { span.map { Double($0.upperBound - $0.lowerBound) / Double(Self.day) } }

  /// The mean rate of all lines, per second; `nil` if there are no lines.
  package var meanRate: Double? {
    span.map { Double(census.lines) / (Double($0.upperBound - $0.lowerBound) / 1_000) }
  }

  /// The busiest minute, with its start in milliseconds since 1970 and its number of lines; `nil` if there are no lines
  /// or too many days.
  package var busiestMinute: (start: Int64, lines: Int64)? {
    guard let span, !isTooLong else { return nil }
    let counts = census.loads.counts(in: span, of: 0..<LoadSeries.count)
    guard let place = counts.indices.max(by: { counts[$0] < counts[$1] }) else { return nil }
    return (span.lowerBound + Int64(place) * Self.minute, counts[place])
  }

  /// Returns the number of lines of a class in each minute of the span, excluding copies.
  package func minutes(of requestClass: RequestClass) -> [Int64] {
    guard let span, !isTooLong else { return [] }
    return census.loads.counts(in: span, of: LoadSeries.of(requestClass))
  }

  /// Returns the name of a server; `nil` if the name may identify a person.
  package func shownNode(_ node: NameIndex) -> String? {
    let name = census.nodes.shown(names.nodes)[Int(node.number)]
    return name == "{text}" ? nil : name
  }

  /// Returns the share of all lines from senders with a given verdict, estimated from the sample.
  package func share(of verdict: SenderHabits.Verdict) -> Double {
    guard census.lines > 0 else { return 0 }
    return min(1, Double(senders.count(verdict).requests) / senders.share / Double(census.lines))
  }

  /// Whether nearly every line has a different ID, so that IDs identify requests instead of senders.
  package var idsNeverRepeat: Bool { census.signed >= 50 && distinctSenders > 0.9 * Double(census.signed) }

  /// The number of distinct senders, estimated from the sample.
  package var distinctSenders: Double { Double(senders.habits.count) / senders.share }
}

/// The names that occur in a log's requests.
package struct LogNames: Sendable {
  package let paths: NameTable
  package let agents: NameTable
  package let kinds: NameTable
  package let nodes: NameTable

  /// - Parameter showsRare: whether to show names that only a few senders share.
  package init(showsRare: Bool = false) {
    paths = NameTable(separatedBy: "/", showsRare: showsRare)
    agents = NameTable(separatedBy: " ", showsRare: showsRare)
    kinds = NameTable(showsRare: showsRare)
    nodes = NameTable(showsRare: showsRare)
  }
}
