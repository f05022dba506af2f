/// All counts that one thread collects from the requests of a log or of a simulation. The counts of several threads can
/// be merged in any order.
///
/// Memory usage is limited for logs of any size. The census contains loads per minute for days with lines, sums per
/// name, and samples that are selected by hash.
package struct LogCensus: RequestSink, Sendable {
  package private(set) var lines: Int64 = 0
  /// The earliest timestamp, in milliseconds since 1970.
  package private(set) var first = Int64.max
  package private(set) var last = Int64.min
  package private(set) var digits = ClockDigits()
  package internal(set) var loads = LoadTable(series: LoadSeries.count, millisecondsPerBin: 60_000)
  package private(set) var nodeLoads = LoadTable(series: Self.maxNodes, millisecondsPerBin: 300_000)
  package private(set) var paths = NameCounts()
  package private(set) var agents = NameCounts()
  package private(set) var kinds = NameCounts()
  package private(set) var nodes = NameCounts()
  /// The number of lines by class and outcome.
  package private(set) var series = [Int64](repeating: 0, count: LoadSeries.count)
  package private(set) var statuses = [Int64](repeating: 0, count: 1_024)
  package private(set) var cacheResults = [Int64](repeating: 0, count: CacheResult.allCases.count)
  package private(set) var systems = [Int64](repeating: 0, count: 64)
  /// The number of lines that identify their sender.
  package private(set) var signed: Int64 = 0
  /// The number of lines by 16 bits of the sender's hash, used to detect a sender with too many lines.
  package private(set) var senderWeights = [Int64](repeating: 0, count: 65_536)
  private var senders: HashSample<SampledRequest>
  private var copies: HashSample<LineCopy>
  private var twins = TwinTable()
  package let budgets: Budgets

  /// The sample budgets that are shared by all threads.
  package struct Budgets: Sendable {
    package let senders: SampleBudget
    package let copies: SampleBudget

    /// - Parameters:
    ///   - senders: the maximum number of stored requests from sampled senders, at 24 bytes each.
    ///   - copies: the maximum number of lines that are compared to find duplicates, at 24 bytes each.
    package init(senders: Int = 4 << 20, copies: Int = 1 << 20) {
      self.senders = SampleBudget(capacity: senders)
      self.copies = SampleBudget(capacity: copies)
    }
  }

  /// The maximum number of servers whose loads are stored separately. In logs with more servers, lost servers are not
  /// detected.
  package static let maxNodes = 64

  package init(within budgets: Budgets) {
    self.budgets = budgets
    senders = HashSample(within: budgets.senders) { $0.sender }
    copies = HashSample(within: budgets.copies) { $0.hash }
  }

  @inline(__always)
  package mutating func add(_ request: LoggedRequest) {
    lines += 1
    first = min(first, request.time)
    last = max(last, request.time)
    digits.add(request.time, duration: request.duration)
    let place = LoadSeries(request).index
    series[place] += 1
    loads.add(place, at: request.time)
    if request.node.number < Self.maxNodes { nodeLoads.add(Int(request.node.number), at: request.time) }
    paths.add(request.path, request)
    agents.add(request.agent, request)
    kinds.add(request.kind, request)
    nodes.add(request.node, request)
    statuses[Int(min(request.status, 1_023))] += 1
    cacheResults[Int(request.cache.rawValue)] += 1
    systems[Int(min(request.system, 63))] += 1
    paths.addDuration(request.path, request)
    if request.sender != 0 {
      signed += 1
      senderWeights[Int(request.sender & 0xFFFF)] += 1
      senders.add(SampledRequest(request), hash: request.sender)
    }
    copies.add(LineCopy(request, isTwin: twins.contains(request)), hash: request.line)
  }

  package mutating func merge(_ other: consuming Self) {
    lines += other.lines
    first = min(first, other.first)
    last = max(last, other.last)
    digits.merge(other.digits)
    loads.merge(other.loads)
    nodeLoads.merge(other.nodeLoads)
    paths.merge(other.paths)
    agents.merge(other.agents)
    kinds.merge(other.kinds)
    nodes.merge(other.nodes)
    Self.add(other.series, to: &series)
    Self.add(other.statuses, to: &statuses)
    Self.add(other.cacheResults, to: &cacheResults)
    Self.add(other.systems, to: &systems)
    Self.add(other.senderWeights, to: &senderWeights)
    signed += other.signed
    senders.merge(other.senders)
    copies.merge(other.copies)
  }

  /// Returns the number of lines in a class, with any outcome.
  package func lines(of requestClass: RequestClass) -> Int64 {
    LoadSeries.of(requestClass).reduce(0) { $0 + series[$1] }
  }

  /// Returns the share of all lines that belong to a class.
  package func share(of requestClass: RequestClass) -> Double { Double(lines(of: requestClass)) / Double(lines) }

  /// Returns the share of lines in a class with a server error.
  package func failedShare(of requestClass: RequestClass) -> Double {
    Double(series[LoadSeries(requestClass, .failed).index]) / Double(lines(of: requestClass))
  }

  /// Returns the share of all lines with a given CDN result.
  package func share(of result: CacheResult) -> Double {
    Double(cacheResults[Int(result.rawValue)]) / Double(lines)
  }

  /// The share of all lines that have an ID; 0 if there are no lines.
  package var signedShare: Double { Double(signed) / Double(max(lines, 1)) }

  /// The iOS versions, each with its share of the lines that contain a version.
  package var systemShares: [(version: Int, share: Double)] {
    let known = systems.enumerated().filter { $0.offset > 0 && $0.element > 0 }
    let all = Double(known.reduce(0) { $0 + $1.element })
    return known.map { ($0.offset, Double($0.element) / all) }
  }

  /// The UTC midnight before the first line, in milliseconds since 1970; `nil` if there are no lines.
  package var firstDay: Int64? { lines > 0 ? first / 86_400_000 * 86_400_000 : nil }

  private static func add(_ others: [Int64], to own: inout [Int64]) {
    for place in own.indices { own[place] += others[place] }
  }

  /// Returns the requests of sampled senders sorted by sender and time, and lines sorted by hash, once everything has
  /// been merged.
  package mutating func takeSamples() -> (senders: [SampledRequest], copies: [LineCopy]) {
    var requests = senders.finish()
    var lines = copies.finish()
    senders = HashSample(within: budgets.senders) { $0.sender }
    copies = HashSample(within: budgets.copies) { $0.hash }
    requests.sort(by: SampledRequest.precedes)
    lines.sort(by: LineCopy.precedes)
    return (requests, lines)
  }
}

/// The series to which a line belongs, determined by the class of its sender and its outcome.
package struct LoadSeries: Hashable, Sendable {
  package var requestClass: RequestClass
  package var outcome: Outcome

  package enum Outcome: Int, CaseIterable, Sendable {
    /// A success: a status below 400, or no status.
    case answered
    /// A client error: 4xx except 429 and 499.
    case refused
    /// A server error: 5xx or 429, or 499 if the client cancelled the request.
    case failed
  }

  package static let count = RequestClass.allCases.count * Outcome.allCases.count

  package init(_ requestClass: RequestClass, _ outcome: Outcome) {
    (self.requestClass, self.outcome) = (requestClass, outcome)
  }

  @inline(__always)
  init(_ request: LoggedRequest) { self.init(request.requestClass, Outcome(status: request.status)) }

  package var index: Int { Int(requestClass.rawValue) * Outcome.allCases.count + outcome.rawValue }

  /// Returns all series for a class.
  package static func of(_ requestClass: RequestClass) -> [Int] {
    Outcome.allCases.map { LoadSeries(requestClass, $0).index }
  }
}

extension LoadSeries.Outcome {
  @inline(__always)
  package init(status: UInt16) {
    self = status < 400 ? .answered : status >= 500 || status == 429 || status == 499 ? .failed : .refused
  }
}

/// The data of a line that is used to find duplicate lines.
package struct LineCopy: Hashable, Sendable, BitwiseCopyable {
  package let hash: UInt64
  package let time: Int64
  package let path: NameIndex
  /// The series to which the line belongs.
  package let series: UInt8
  /// Whether an equal line shortly precedes this one in the file.
  package let isTwin: Bool

  init(_ request: LoggedRequest, isTwin: Bool) {
    (hash, time, path) = (request.line, request.time, request.path)
    series = UInt8(LoadSeries(request).index)
    self.isTwin = isTwin
  }

  static func precedes(_ one: Self, _ other: Self) -> Bool {
    if one.hash != other.hash { return one.hash < other.hash }
    if one.time != other.time { return one.time < other.time }
    if one.isTwin != other.isTwin { return other.isTwin }
    return (one.path.number, one.series) < (other.path.number, other.series)
  }
}

/// The most recent lines of a file; an equal line among them is another request from the same phone.
///
/// Two widgets of a phone that run together write equal lines next to each other. A log shipper repeats lines later.
private struct TwinTable: Sendable {
  /// The hashes of recent lines, mixed with the number of jumps in time before them.
  private var recent = [UInt64](repeating: 0, count: Self.size)
  private var jumps: UInt64 = 0
  private var last: Int64 = 0

  private static let size = 1_024
  /// The difference between the times of consecutive lines, in milliseconds, that counts as a jump.
  private static let jump: Int64 = 2_000

  /// Returns whether an equal line precedes a request's line without a jump in time, and stores the line.
  @inline(__always)
  mutating func contains(_ request: LoggedRequest) -> Bool {
    if (request.time - last).magnitude > Self.jump { jumps &+= 1 }
    last = request.time
    let place = Int(truncatingIfNeeded: request.line) & (Self.size - 1)
    let mixed = request.line ^ (jumps &* 0x9E37_79B9_7F4A_7C15)
    defer { recent[place] = mixed }
    return recent[place] == mixed && !request.isNumbered
  }
}
