/// Histograms per kind and day that do not identify phones.
public struct ProbeSummary: Codable, Hashable, Sendable {
  /// The histograms of one kind on one day.
  public struct Entry: Codable, Hashable, Sendable {
    /// The UTC day, counted from 1970-01-01.
    public let day: Int
    public let kind: String
    /// The number of phones with a run, and of widgets with a run.
    public private(set) var phones = 1
    public private(set) var widgets = 0
    /// The number of runs by `ProbeRecord.Cause` and by `ProbeRecord.Outcome`, in declaration order.
    public private(set) var causes = Array(repeating: 0, count: ProbeRecord.Cause.allCases.count)
    public private(set) var outcomes = Array(repeating: 0, count: ProbeRecord.Outcome.allCases.count)
    /// The lateness of scheduled runs: those while the phone was known to be unlocked, then all others.
    public private(set) var lateUnlocked = LogHistogram()
    public private(set) var late = LogHistogram()
    /// The time from one run of a widget to the next.
    public private(set) var gaps = LogHistogram()
    /// The age of the data at the end of runs.
    public private(set) var ages = LogHistogram()

    fileprivate init(day: Int, kind: String) { (self.day, self.kind) = (day, kind) }

    fileprivate mutating func add(_ run: ProbeRecord, after previous: ProbeRecord?) {
      causes[Int(run.cause.rawValue)] += 1
      outcomes[Int(run.outcome.rawValue)] += 1
      if run.cause == .scheduled, let lateness = run.lateness {
        let seconds = Double(lateness) / 1_000
        if run.phone.isLocked == false { lateUnlocked.add(seconds) } else { late.add(seconds) }
      }
      if let previous, previous.sequence &+ 1 == run.sequence {
        gaps.add(Double(run.wall - previous.wall) / 1_000)
      }
      if let age = run.dataAge { ages.add(Double(age) * 60) }
    }

    fileprivate mutating func countWidgets(_ number: Int) { widgets = number }

    fileprivate mutating func merge(_ other: Entry) {
      phones += other.phones
      widgets += other.widgets
      causes = zip(causes, other.causes).map { $0 + $1 }
      outcomes = zip(outcomes, other.outcomes).map { $0 + $1 }
      lateUnlocked.merge(other.lateUnlocked)
      late.merge(other.late)
      gaps.merge(other.gaps)
      ages.merge(other.ages)
    }
  }

  /// The entries sorted by day, then by kind.
  public private(set) var entries: [Entry] = []

  public init() {}

  /// Creates the summary.
  ///
  /// - Parameter days: UTC days, counted from 1970-01-01.
  init(_ content: RingContent, days: Range<Int>) {
    let kinds = content.kinds
    var found: [Key: Entry] = [:]
    var widgets: [Key: Set<UInt32>] = [:]
    var last: [UInt32: ProbeRecord] = [:]
    for run in content.records where run.event == .run {
      let previous = last.updateValue(run, forKey: run.instance)
      let day = Self.day(of: run.wall)
      guard days.contains(day) else { continue }
      let name = Int(run.kind) < kinds.count ? kinds[Int(run.kind)] ?? "other" : "other"
      let key = Key(day: day, kind: name)
      found[key, default: Entry(day: day, kind: name)].add(run, after: previous)
      widgets[key, default: []].insert(run.instance)
    }
    for (key, own) in widgets { found[key]?.countWidgets(own.count) }
    entries = Self.ordered(found)
  }

  /// Adds the summary of another phone, or of other days of this one.
  public mutating func merge(_ other: ProbeSummary) {
    var found = Dictionary(entries.map { (Key($0), $0) }) { first, _ in first }
    for entry in other.entries where found[Key(entry)]?.merge(entry) == nil { found[Key(entry)] = entry }
    entries = Self.ordered(found)
  }

  /// Returns the day for a time in milliseconds since 1970.
  static func day(of time: Int64) -> Int { Int(time / 86_400_000) }

  private static func ordered(_ found: [Key: Entry]) -> [Entry] {
    found.values.sorted { ($0.day, $0.kind) < ($1.day, $1.kind) }
  }

  private struct Key: Hashable {
    var day: Int
    var kind: String

    init(day: Int, kind: String) { (self.day, self.kind) = (day, kind) }
    init(_ entry: Entry) { self.init(day: entry.day, kind: entry.kind) }
  }
}

/// Counts of time spans in bins that grow by a factor of the square root of two.
///
/// Bin 0 contains negative spans, bin 1 those from 0 to 1 s, bin b from 2 on those from 2^((b - 2) / 2) to 2^((b - 1) /
/// 2) s, and bin 41 all spans from 2^19.5 s (8.6 days) on. Its JSON form is a list of pairs of bin and count, without
/// empty bins.
public struct LogHistogram: Codable, Hashable, Sendable {
  public static let binCount = 42
  public private(set) var counts = Array(repeating: 0, count: LogHistogram.binCount)

  public init() {}

  public init(from decoder: any Decoder) throws {
    for pair in try [[Int]](from: decoder) {
      guard pair.count == 2, counts.indices.contains(pair[0]), pair[1] >= 0 else {
        throw DecodingError.dataCorrupted(
          DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "not a bin and its count"))
      }
      counts[pair[0]] = pair[1]
    }
  }

  public func encode(to encoder: any Encoder) throws {
    try counts.indices.filter { counts[$0] > 0 }.map { [$0, counts[$0]] }.encode(to: encoder)
  }

  /// Counts a time span.
  ///
  /// - Parameter seconds: the span in seconds.
  public mutating func add(_ seconds: Double) { counts[Self.bin(of: seconds)] += 1 }

  public mutating func merge(_ other: LogHistogram) { counts = zip(counts, other.counts).map { $0 + $1 } }

  /// Returns the bin for a span in seconds.
  public static func bin(of seconds: Double) -> Int {
    if seconds < 0 { return 0 }
    var bin = 1
    while bin + 1 < binCount, seconds >= lowerEdge(ofBin: bin + 1) { bin += 1 }
    return bin
  }

  /// Returns the lower edge of a bin in seconds, for bins from 1 on.
  public static func lowerEdge(ofBin bin: Int) -> Double {
    guard bin > 1 else { return 0 }
    let octave = Double(1 << ((bin - 2) / 2))
    return bin % 2 == 0 ? octave : octave * 2.0.squareRoot()
  }
}
