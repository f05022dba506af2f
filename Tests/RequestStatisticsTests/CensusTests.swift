import SimulationKernel
import Testing

@testable import RequestStatistics

/// Counts that depend neither on the order of lines nor on which thread counts.
struct CensusTests {
  /// Returns `count` requests from `senders` phones over several days, from a fixed stream.
  static func requests(_ count: Int, senders: Int, days: Int64 = 3) -> [LoggedRequest] {
    (0..<count).map { index in
      let draw = Philox.block(counter: Philox.Block(UInt32(index), 0, 0, 0), key: 7)
      var request = LoggedRequest(at: Int64(draw.first % UInt64(days * 86_400_000)))
      let sender = draw.word2 % UInt32(senders)
      request.sender = StableHash.of([UInt8(sender & 255), UInt8(sender >> 8)])
      request.line = draw.second
      request.status = draw.word3 % 10 == 0 ? 503 : 200
      request.requestClass = draw.word3 % 3 == 0 ? .app : .widget
      request.path = NameIndex(UInt16(draw.word3 % 5))
      return request
    }
  }

  private func census(_ requests: [LoggedRequest], threads: Int, capacity: Int) -> LogSummary {
    let budgets = LogCensus.Budgets(senders: capacity, copies: capacity)
    var censuses = (0..<threads).map { _ in LogCensus(within: budgets) }
    for (index, request) in requests.enumerated() { censuses[index % threads].add(request) }
    var sum = LogCensus(within: budgets)
    for census in censuses { sum.merge(census) }
    return LogSummary(sum, LogNames())
  }

  @Test(arguments: [1_000_000, 20_000, 3_000])
  func countsDoNotDependOnOrderOrThreads(_ capacity: Int) {
    let requests = Self.requests(60_000, senders: 2_000)
    let one = census(requests, threads: 1, capacity: capacity)
    let other = census(requests.reversed(), threads: 3, capacity: capacity)
    #expect(one.senders.requests == other.senders.requests)
    #expect(one.senders.share == other.senders.share)
    #expect(one.minutes(of: .widget) == other.minutes(of: .widget))
    #expect(one.census.lines == 60_000 && one.census.lines == other.census.lines)
    #expect(one.senders.requests.count <= capacity)
  }

  /// Senders are kept completely or not at all, and their number is estimated: for 2 000 senders, each kept with
  /// probability p, the standard error is sqrt((1 - p) / (2 000 p)).
  @Test func sampleKeepsWholeSenders() {
    let requests = Self.requests(60_000, senders: 2_000)
    let all = census(requests, threads: 1, capacity: 1_000_000)
    let some = census(requests, threads: 1, capacity: 20_000)
    let full = Dictionary(uniqueKeysWithValues: all.senders.habits.map { ($0.sender, $0.requests) })
    #expect(full.count == 2_000)
    #expect(some.senders.habits.allSatisfy { full[$0.sender] == $0.requests })
    let share = some.senders.share
    #expect(share < 1)
    let error = ((1 - share) / (2_000 * share)).squareRoot()
    #expect(abs(some.distinctSenders / 2_000 - 1) < 4 * error)
  }

  @Test func loadsCountEveryLine() {
    let requests = Self.requests(10_000, senders: 100)
    let picture = census(requests, threads: 2, capacity: 1_000_000)
    let widget = requests.count { $0.requestClass == .widget }
    #expect(picture.minutes(of: .widget).reduce(0, +) == Int64(widget))
    #expect(picture.minutes(of: .app).reduce(0, +) == Int64(10_000 - widget))
  }

  /// Six of eight lines come from widgets, three of which fail at the server; four have an ID, two iOS 17, six iOS 18.
  @Test func sharesAreRelativeToLines() {
    var census = LogCensus(within: LogCensus.Budgets())
    for index in 0..<8 {
      var request = LoggedRequest(at: 86_400_000 + Int64(index) * 30_000)
      request.requestClass = index < 6 ? .widget : .app
      request.status = index % 2 == 0 ? 503 : 200
      request.sender = index < 4 ? UInt64(index + 1) : 0
      request.system = index < 2 ? 17 : 18
      (request.cache, request.line) = (index < 2 ? .hit : .miss, UInt64(index))
      census.add(request)
    }
    #expect(census.lines(of: .widget) == 6 && census.share(of: .widget) == 0.75)
    #expect(census.failedShare(of: .widget) == 0.5 && census.signedShare == 0.5)
    #expect(census.share(of: CacheResult.hit) == 0.25)
    #expect(census.systemShares.map(\.version) == [17, 18] && census.systemShares.map(\.share) == [0.25, 0.75])
    #expect(census.firstDay == 86_400_000 && LogCensus(within: LogCensus.Budgets()).firstDay == nil)
    // Two lines per minute over four minutes.
    let picture = LogSummary(census, LogNames())
    #expect(picture.days == 1 / 360.0 && picture.meanRate == 1 / 30.0)
    #expect(picture.busiestMinute?.lines == 2 && picture.busiestMinute?.start == 86_400_000)
  }

  @Test func stepsSumTheirBins() {
    #expect((Int64(301)..<599).wholeSteps(of: 300) == 300..<600 && (Int64(300)..<600).wholeSteps(of: 300) == 300..<600)
    var loads = LoadTable(series: 2, millisecondsPerBin: 60_000)
    for minute in 0..<10 { for _ in 0...minute { loads.add(minute % 2, at: Int64(minute) * 60_000) } }
    // 1 + 2 + ... + 5 and 6 + ... + 10; for the first series, 1 + 3 + 5 and 7 + 9.
    #expect(loads.counts(in: 0..<600_000, per: 300_000, of: [0, 1]) == [15, 40])
    #expect(loads.counts(in: 0..<600_000, per: 300_000, of: [0]) == [9, 16])
  }

  /// A whole hour, to within three seconds.
  @Test(arguments: [(3_600_000, true), (-7_202_900, true), (3_603_100, false), (0, false), (1_800_000, false)])
  func wholeHourOffsetIsAWrongZone(_ milliseconds: Int64, _ isZone: Bool) {
    #expect(ClockSkew.isWrongZone(milliseconds) == isZone)
  }

  /// Two phones in a sample of a quarter of all stand for eight.
  @Test func sampledPhonesStandForAll() {
    var history = WakeHistory(span: 0..<1, share: 0.25)
    for sender in 1...2 { history.append(UInt64(sender), []) }
    #expect(history.estimatedPhones == 8)
  }
}
