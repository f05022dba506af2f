import SimulationKernel

/// What is counted of each name of a table: a path, a User-Agent, a kind, a server.
package struct NameCounts: Sendable {
  package struct Row: Sendable, BitwiseCopyable {
    package var lines: Int64 = 0
    /// Statuses of 400 and above.
    package var failures: Int64 = 0
    /// Lines that say how many bytes the answer had, and the sum.
    package var sized: Int64 = 0
    package var bytes: Int64 = 0
    /// Lines by the class of who asked.
    package var classes = InlineArray<7, Int64>(repeating: 0)

    package init() {}
  }

  /// By index of the name; 0: lines without one.
  package private(set) var rows: [Row] = []
  /// By index of the name: how long answers to widgets took, where lines have durations.
  package private(set) var durations: [Int: DurationBins] = [:]

  package init() {}

  @inline(__always)
  mutating func add(_ index: NameIndex, _ request: LoggedRequest) {
    let place = Int(index.number)
    if place >= rows.count { rows.append(contentsOf: repeatElement(Row(), count: place + 1 - rows.count)) }
    rows[place].add(request)
  }

  /// Counts how long an answer to a widget took.
  @inline(__always)
  mutating func addDuration(_ index: NameIndex, _ request: LoggedRequest) {
    guard request.requestClass != .bot, request.duration >= 0, request.status < 400 else { return }
    durations[Int(index.number), default: DurationBins()].add(request.duration)
  }

  mutating func merge(_ other: Self) {
    if other.rows.count > rows.count {
      rows.append(contentsOf: repeatElement(Row(), count: other.rows.count - rows.count))
    }
    for (place, row) in other.rows.enumerated() { rows[place].merge(row) }
    durations.merge(other.durations) { $0.merged(with: $1) }
  }

  /// Names that are still told apart with their rows, the commonest first; and one row for all others.
  package func ranked(_ names: NameTable) -> (named: [(name: String, row: Row)], others: Row) {
    var named: [(name: String, row: Row)] = []
    var others = Row()
    for (place, row) in rows.enumerated() where row.lines > 0 {
      if let name = names[NameIndex(UInt16(place))] {
        named.append((name, row))
      } else {
        others.merge(row)
      }
    }
    named.sort { ($1.row.lines, $0.name) < ($0.row.lines, $1.name) }
    return (named, others)
  }
}

extension NameCounts.Row {
  @inline(__always)
  mutating func add(_ request: LoggedRequest) {
    lines += 1
    if request.status >= 400 { failures += 1 }
    if request.bytes >= 0 {
      sized += 1
      bytes &+= request.bytes
    }
    classes[Int(request.requestClass.rawValue)] += 1
  }

  /// Who asks most; of equals the first.
  package var commonestClass: RequestClass {
    let place = classes.indices.max { classes[$0] < classes[$1] } ?? 0
    return RequestClass(rawValue: UInt8(place)) ?? .unknown
  }

  package mutating func merge(_ other: Self) {
    lines += other.lines
    failures += other.failures
    sized += other.sized
    bytes &+= other.bytes
    for place in classes.indices { classes[place] += other.classes[place] }
  }
}
