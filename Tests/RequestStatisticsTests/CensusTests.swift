import SimulationKernel
import Testing

@testable import RequestStatistics

/// Counts that depend neither on the order of lines nor on the counting thread.
struct CensusTests {
  /// Returns `count` requests of `senders` phones over some days, from a fixed stream.
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

  private func census(_ requests: [LoggedRequest], threads: Int, capacity: Int) -> LogPicture {
    let budgets = LogCensus.Budgets(senders: capacity, copies: capacity)
    var censuses = (0..<threads).map { _ in LogCensus(within: budgets) }
    for (index, request) in requests.enumerated() { censuses[index % threads].add(request) }
    var sum = LogCensus(within: budgets)
    for census in censuses { sum.merge(census) }
    return LogPicture(sum, LogNames())
  }

  @Test(arguments: [1_000_000, 20_000, 3_000])
  func anyOrderAndAnyThreadsCountTheSame(_ capacity: Int) {
    let requests = Self.requests(60_000, senders: 2_000)
    let one = census(requests, threads: 1, capacity: capacity)
    let other = census(requests.reversed(), threads: 3, capacity: capacity)
    #expect(one.senders.requests == other.senders.requests)
    #expect(one.senders.share == other.senders.share)
    #expect(one.minutes(of: .widget) == other.minutes(of: .widget))
    #expect(one.census.lines == 60_000 && one.census.lines == other.census.lines)
    #expect(one.senders.requests.count <= capacity)
  }

  /// Senders are kept completely or not at all, and their number is estimated: 2 000 senders, of which each is kept
  /// with probability p, have the standard error sqrt((1 - p) / (2 000 p)).
  @Test func aSampleHasWholeSenders() {
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

  @Test func loadsHaveEveryLine() {
    let requests = Self.requests(10_000, senders: 100)
    let picture = census(requests, threads: 2, capacity: 1_000_000)
    let widget = requests.count { $0.requestClass == .widget }
    #expect(picture.minutes(of: .widget).reduce(0, +) == Int64(widget))
    #expect(picture.minutes(of: .app).reduce(0, +) == Int64(10_000 - widget))
  }
}
