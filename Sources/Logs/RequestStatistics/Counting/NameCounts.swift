import SimulationKernel

/// The names that occur in the lines of a log (paths, User-Agents, kinds and servers), each stored once.
///
/// A log may contain any number of names. If there are more names than the table can hold, those with the highest
/// hashes are removed, about half at a time. Therefore, the stored names do not depend on the order of lines.
package final class NameTable: Sendable {
  /// The maximum number of stored names.
  package static let capacity = 4_096
  /// The maximum length of a name in bytes; longer ones are truncated.
  package static let longest = 200

  private let state = Locked(State())
  /// The separator between the words of a name; `nil` if names are single words.
  let separator: Character?
  /// Whether to show names that only a few senders use.
  let showsRare: Bool

  private struct State {
    /// The indices of names that were given on the command line or in the scenario.
    var given: Set<UInt16> = []
    var indices: [[UInt8]: UInt16] = [:]
    /// The names by index; `nil` if there is no name or the name has been removed. An index is never reused.
    var names: [[UInt8]?] = [nil]
    /// The minimum number of leading zeros in the hash of a stored name.
    var level = 0

    mutating func makeRoom() {
      level += 1
      for (name, index) in indices where NameTable.level(of: name) < level {
        indices[name] = nil
        names[Int(index)] = nil
      }
    }
  }

  package init(separatedBy separator: Character? = nil, showsRare: Bool = false) {
    (self.separator, self.showsRare) = (separator, showsRare)
  }

  /// Returns the index of a name given on the command line or in the scenario, which is always shown.
  package func index(ofGiven name: String) -> NameIndex {
    let index = index(of: name.utf8)
    state.withLock { _ = $0.given.insert(index.number) }
    return index
  }

  func isGiven(_ index: NameIndex) -> Bool { showsRare || state.withLock { $0.given.contains(index.number) } }

  /// Returns the index of a name, adding the name if there is space for it. Callers may store the index.
  package func index(of name: some Collection<UInt8>) -> NameIndex {
    let name = Array(name.prefix(Self.longest))
    let ownLevel = Self.level(of: name)
    return state.withLock { state in
      if let known = state.indices[name] { return NameIndex(known) }
      while ownLevel >= state.level, state.indices.count >= Self.capacity { state.makeRoom() }
      guard ownLevel >= state.level, let index = UInt16(exactly: state.names.count) else { return .none }
      state.names.append(name)
      state.indices[name] = index
      return NameIndex(index)
    }
  }

  /// Returns the name at an index; `nil` if there is no name or the name has been removed.
  package subscript(_ index: NameIndex) -> String? {
    state.withLock { state in
      guard Int(index.number) < state.names.count else { return nil }
      return state.names[Int(index.number)].map { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// The fraction of all names that are stored.
  package var share: Double { state.withLock { Double(sign: .plus, exponent: -$0.level, significand: 1) } }

  private static func level(of name: [UInt8]) -> Int { StableHash.of(name).leadingZeroBitCount }
}

/// The counts for each name in a table: a path, a User-Agent, a kind, or a server.
package struct NameCounts: Sendable {
  package struct Row: Sendable, BitwiseCopyable {
    package var lines: Int64 = 0
    /// The number of lines with a status of 400 or above.
    package var failures: Int64 = 0
    /// The number of lines that contain the response size.
    package var sized: Int64 = 0
    package var bytes: Int64 = 0
    /// The number of lines by class of sender.
    package var classes = InlineArray<7, Int64>(repeating: 0)

    package init() {}
  }

  /// The rows by name index; row 0 is for lines without a name.
  package private(set) var rows: [Row] = []
  /// The durations of successful responses by name index, if lines contain them; responses to bots are excluded.
  package private(set) var durations: [Int: DurationBins] = [:]
  /// The senders that share each name, by name index.
  private var crowds: [Crowd] = []

  package init() {}

  @inline(__always)
  mutating func add(_ index: NameIndex, _ request: LoggedRequest) {
    let place = Int(index.number)
    if place >= rows.count { grow(to: place + 1) }
    rows[place].add(request)
    crowds[place].add(request.source, at: request.time)
  }

  /// Counts the duration of a response, unless the request failed or came from a bot.
  @inline(__always)
  mutating func addDuration(_ index: NameIndex, _ request: LoggedRequest) {
    guard request.requestClass != .bot, request.duration >= 0, request.status < 400 else { return }
    durations[Int(index.number), default: DurationBins()].add(request.duration)
  }

  mutating func merge(_ other: Self) {
    grow(to: other.rows.count)
    for place in other.rows.indices {
      rows[place].merge(other.rows[place])
      crowds[place].merge(other.crowds[place])
    }
    durations.merge(other.durations) { $0.merged(with: $1) }
  }

  private mutating func grow(to count: Int) {
    let more = max(0, count - rows.count)
    rows.append(contentsOf: repeatElement(Row(), count: more))
    crowds.append(contentsOf: repeatElement(Crowd(), count: more))
  }

  /// The names in a table, ranked by number of lines.
  package struct Ranking: Sendable {
    /// The most common names in displayable form, in descending order of their number of lines.
    package let named: [(name: String, row: Row)]
    /// The number of names that are not in `named`.
    package let others: Int
    /// The number of lines without a stored name.
    package let unnamed: Int64
    /// The number of lines without a name in `named`.
    package let rest: Int64

    /// Returns a number of lines as a fraction of all lines in the table.
    package func share(_ lines: Int64) -> Double { Double(lines) / Double(named.reduce(rest) { $0 + $1.row.lines }) }
  }

  /// Returns the most common names in displayable form, with their counts.
  package func ranked(_ names: NameTable, maximum: Int = .max) -> Ranking {
    let shown = shown(names)
    var rowsByName: [String: Row] = [:]
    var unnamed: Int64 = 0
    for (place, row) in rows.enumerated() where row.lines > 0 {
      if let name = shown[place] { rowsByName[name, default: Row()].merge(row) } else { unnamed += row.lines }
    }
    let named = rowsByName.map { (name: $0.key, row: $0.value) }.sorted {
      ($1.row.lines, $0.name) < ($0.row.lines, $1.name)
    }
    return Ranking(
      named: Array(named.prefix(maximum)), others: max(0, named.count - maximum), unnamed: unnamed,
      rest: named.dropFirst(maximum).reduce(unnamed) { $0 + $1.row.lines })
  }

  /// Returns the displayable form of each stored name, by index.
  package func shown(_ names: NameTable) -> [Int: String] {
    let known = rows.indices.compactMap { place in
      names[NameIndex(UInt16(place))].map { (place: place, name: $0, isGiven: names.isGiven(NameIndex(UInt16(place)))) }
    }
    let own = known.filter { !$0.isGiven }.map { ($0.place, $0.name) }
    let given = known.filter(\.isGiven).map { ($0.place, $0.name) }
    let shown = ShownNames.of(Dictionary(uniqueKeysWithValues: own), separatedBy: names.separator, crowds)
    return shown.merging(given) { $1 }
  }
}

extension NameCounts.Row {
  @inline(__always)
  mutating func add(_ request: LoggedRequest) {
    lines += 1
    if request.status >= 400 { failures += 1 }
    if request.bytes >= 0 {
      sized += 1
      addBytes(request.bytes)
    }
    classes[Int(request.requestClass.rawValue)] += 1
  }

  /// Adds a number from an untrusted source to a sum, which is limited to the maximum integer.
  @inline(__always)
  private mutating func addBytes(_ more: Int64) {
    let (sum, isOver) = bytes.addingReportingOverflow(more)
    bytes = isOver ? .max : sum
  }

  /// The mean response size in bytes; `nil` if no line contains a response size.
  package var meanBytes: Double? { sized > 0 ? Double(bytes) / Double(sized) : nil }

  /// The class of sender with the most lines; if several classes tie, the first one.
  package var commonestClass: RequestClass {
    let place = classes.indices.max { classes[$0] < classes[$1] } ?? 0
    return RequestClass(rawValue: UInt8(place)) ?? .unknown
  }

  package mutating func merge(_ other: Self) {
    lines += other.lines
    failures += other.failures
    sized += other.sized
    addBytes(other.bytes)
    for place in classes.indices { classes[place] += other.classes[place] }
  }
}

/// A hash function without a key, whose results are the same in every process.
///
/// The hash is 64-bit FNV-1a, followed by mixing so that every bit of the result depends on every byte. Sources: the
/// FNV draft by Eastlake et al.; the finalizer of MurmurHash3.
package struct StableHash {
  private var state: UInt64 = 0xCBF2_9CE4_8422_2325

  package init() {}

  package mutating func add(_ byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }

  /// Adds the four bytes of a word to the hash, lowest byte first.
  package mutating func add(_ word: UInt32) {
    for place in 0..<4 { add(UInt8(truncatingIfNeeded: word >> (8 * place))) }
  }

  package var value: UInt64 {
    var hash = (state ^ state >> 33) &* 0xFF51_AFD7_ED55_8CCD
    hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
    return hash ^ hash >> 33
  }

  package static func of(_ bytes: [UInt8]) -> UInt64 {
    var hash = Self()
    for byte in bytes { hash.add(byte) }
    return hash.value
  }

  package static func of(_ words: (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32)) -> UInt64 {
    var hash = Self()
    hash.add(words.0)
    hash.add(words.1)
    hash.add(words.2)
    hash.add(words.3)
    hash.add(words.4)
    hash.add(words.5)
    return hash.value
  }

  package static func of(_ word: UInt32) -> UInt64 {
    var hash = Self()
    hash.add(word)
    return hash.value
  }
}
