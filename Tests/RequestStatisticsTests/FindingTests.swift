import SimulationKernel
import Testing

@testable import RequestStatistics

/// Each defect is found, counted and, if possible, removed.
struct FindingTests {
  private static let minute: Int64 = 60_000
  private static let day: Int64 = 86_400_000

  private func picture(_ requests: [LoggedRequest]) -> LogSummary {
    var census = LogCensus(within: LogCensus.Budgets())
    for request in requests { census.add(request) }
    let names = LogNames()
    // Servers 1 to 3.
    for name in ["a", "b", "c"] { _ = names.nodes.index(of: Array(name.utf8)) }
    return LogSummary(census, names)
  }

  /// Returns one request per minute from one of 100 phones over three days, with distinct lines.
  private func steady(every seconds: Int64 = 60) -> [LoggedRequest] {
    stride(from: 0, to: 3 * Self.day / 1_000, by: Int(seconds)).map { second in
      var request = LoggedRequest(at: second * 1_000)
      let draw = Philox.block(counter: Philox.Block(UInt32(second), 1, 0, 0), key: 3)
      request.sender = StableHash.of([UInt8(draw.word0 % 100)])
      request.line = draw.second
      request.requestClass = .widget
      return request
    }
  }

  @Test func copiesAreCountedAndDropped() {
    let requests = steady()
    let copies = requests.prefix(500)
    let picture = picture(requests + copies)
    #expect(picture.duplicates.copies == 500)
    #expect(picture.minutes(of: .widget) == self.picture(requests).minutes(of: .widget))
  }

  /// Two widgets of a phone that run together write equal lines next to each other; a shipper repeats lines later.
  @Test func equalLinesNextToEachOtherAreTwoWidgets() {
    let requests = steady()
    let twins = requests.enumerated().flatMap { $0.offset % 8 == 0 ? [$0.element, $0.element] : [$0.element] }
    let both = picture(twins)
    #expect(both.duplicates.copies == 0)
    #expect(both.duplicates.repeated == Int64(twins.count - requests.count))
    let shipped = picture(twins + twins.prefix(160))
    #expect(shipped.duplicates.copies == 160)
    #expect(shipped.duplicates.repeated == Int64(twins.count - requests.count))
  }

  /// A run with six equal requests writes six equal lines, which is not a defect.
  @Test func identicalRequestsOfARunAreNotCopies() {
    let requests = steady()
    let picture = picture(requests.flatMap { Array(repeating: $0, count: 6) })
    #expect(picture.duplicates.copies == 0)
    #expect(picture.duplicates.repeated == Int64(5 * requests.count))
    #expect(picture.minutes(of: .widget).reduce(0, +) == Int64(6 * requests.count))
  }

  @Test func aLostHourIsAHole() {
    let hour = Self.day + 9 * 60 * Self.minute..<Self.day + 10 * 60 * Self.minute
    let picture = picture(steady().filter { !hour.contains($0.time) })
    #expect(picture.holes == [hour])
  }

  @Test func quietNightsAndSharedMarksAreNotHoles() {
    let nights = steady().filter { $0.time % Self.day > 6 * 60 * Self.minute }
    #expect(picture(nights).holes.isEmpty)
    let marks = steady(every: 1).filter { $0.time % (60 * Self.minute) < 15 * Self.minute }
    #expect(picture(marks).holes.isEmpty)
    #expect(picture(marks.filter { $0.time < Self.day }).holes.isEmpty)
  }

  @Test func aServerThatIsSilentIsLost() {
    let silence = Self.day..<Self.day + 120 * Self.minute
    let requests = steady(every: 10).enumerated().map { index, request in
      var request = request
      request.node = NameIndex(UInt16(index % 3 + 1))
      return request
    }
    let picture = picture(requests.filter { $0.node != NameIndex(2) || !silence.contains($0.time) })
    #expect(picture.lostNodes.map(\.node) == [NameIndex(2)])
    #expect(picture.lostNodes.map(\.span) == [silence])
    #expect(self.picture(requests).lostNodes.isEmpty)
  }

  /// Two of three servers write their lines for half a day, and no line names its server. 1 600 lines an hour compared
  /// with 2 400 on the two other days are nine standard errors.
  @Test func unnamedLostServerIsDetected() {
    let silence = Self.day + 4 * 60 * Self.minute..<Self.day + 16 * 60 * Self.minute
    // A morning and an evening, the same every day.
    let requests = steady(every: 1).filter { request in
      let draw = Philox.block(counter: Philox.Block(UInt32(request.time / 1_000), 7, 0, 0), key: 5).word0 % 3
      return draw > 0 || request.time % Self.day > 8 * 60 * Self.minute
    }
    #expect(picture(requests).shifts.isEmpty)
    let kept = requests.filter { request in
      let draw = Philox.block(counter: Philox.Block(UInt32(request.time / 1_000), 8, 0, 0), key: 5).word0 % 3
      return draw > 0 || !silence.contains(request.time)
    }
    let shifts = picture(kept).shifts
    #expect(shifts.map(\.servers) == [LogSummary.LevelShift.Servers(left: 2, all: 3)])
    // 3 600 and 2 400 lines an hour: an edge is located to the minutes in which their difference exceeds chance.
    #expect(abs((shifts.first?.span.lowerBound ?? 0) - silence.lowerBound) <= 15 * Self.minute)
    #expect(abs((shifts.first?.span.upperBound ?? 0) - silence.upperBound) <= 15 * Self.minute)
    // Only widget lines are fewer, so no server is missing.
    let others = steady(every: 1).map { request in
      var request = request
      (request.requestClass, request.line) = (.bot, request.line ^ 1 << 60)
      return request
    }
    #expect(picture(kept + others).shifts.isEmpty)
  }

  /// Findings have a fixed order, whichever server's line comes first.
  @Test func findingOrderDoesNotDependOnThreads() {
    func found(_ names: [String]) -> [String?] {
      let log = LogNames()
      let places = names.map { log.nodes.index(of: Array($0.utf8)) }
      let place = Dictionary(uniqueKeysWithValues: zip(names, places))
      var census = LogCensus(within: LogCensus.Budgets())
      for (index, request) in steady(every: 10).enumerated() {
        var request = request
        let name = ["a", "b", "c"][index % 3]
        request.node = place[name] ?? .none
        let isLost = request.time >= Self.day && request.time < Self.day + 120 * Self.minute
        if name == "c" || !isLost { census.add(request) }
      }
      return LogSummary(census, log).lostNodes.map { log.nodes[$0.node] }
    }
    #expect(found(["a", "b", "c"]) == ["a", "b"])
    #expect(found(["c", "b", "a"]) == ["a", "b"])
  }

  /// One server's clock is a minute ahead, which is found in runs with requests at two servers, and corrected.
  @Test func skewedClockIsDetected() {
    let requests = steady(every: 30).flatMap { request -> [LoggedRequest] in
      var (one, other) = (request, request)
      (one.node, other.node) = (NameIndex(1), NameIndex(2))
      other.time += 400
      other.line ^= 1
      return [one, other]
    }
    #expect(picture(requests).skew.isEmpty)
    let skewed = requests.map { request in
      var request = request
      if request.node == NameIndex(2) { request.time += 60_000 }
      return request
    }
    let found = picture(skewed).skew
    // The server with fewer lines is taken to be wrong; if tied, the one with the later name. The error is within the
    // width of a wake.
    #expect(found.keys.map(\.number) == [2])
    #expect(abs((found[NameIndex(2)] ?? 0) - 60_400) <= 1_600)
  }

  /// No run has two requests: gaps of half an hour and up to 15 minutes more are a minute too long in one direction
  /// between servers, and too short in the other. 100 phones over three days have about 2 500 gaps each way, of which
  /// 2.8 per second start at the edge.
  @Test func skewedClockIsDetectedFromGaps() throws {
    func wakes(ahead: Int64) -> [LoggedRequest] {
      (0..<100).flatMap { phone -> [LoggedRequest] in
        var (time, wakes): (Int64, [LoggedRequest]) = (0, [])
        while time < 3 * Self.day {
          let draw = Philox.block(counter: Philox.Block(UInt32(wakes.count), UInt32(phone), 9, 0), key: 3)
          time += 1_800_000 + Int64(draw.word0 % 900_000)
          var wake = LoggedRequest(at: time)
          (wake.sender, wake.line) = (StableHash.of([UInt8(phone)]), draw.second)
          // The first server has more lines.
          wake.node = NameIndex(draw.word1 % 100 < 45 ? 2 : 1)
          if wake.node == NameIndex(2) { wake.time += ahead }
          wakes.append(wake)
        }
        return wakes
      }
    }
    #expect(picture(wakes(ahead: 0)).skew.isEmpty)
    let found = picture(wakes(ahead: -60_000)).skew
    #expect(Array(found.keys) == [NameIndex(2)])
    // An edge is late by 1 / 2.8 s each way and, except with probability 1e-6, by at most 5 s.
    #expect(abs((found[NameIndex(2)] ?? 0) + 60_000) < 2_500)
  }

  @Test func pollersAndSharedIDsAreNotPhones() {
    var poller = (0..<1_440).map { LoggedRequest(at: Int64($0) * 3 * Self.minute) }
    for index in poller.indices { (poller[index].sender, poller[index].line) = (1, UInt64(index) << 40 | 1 << 63) }
    let shared = steady(every: 20).map { request in
      var request = request
      let draw = Philox.block(counter: Philox.Block(UInt32(request.time / 1_000), 2, 0, 0), key: 3)
      request.time += Int64(draw.word0 % 20_000)
      request.sender = 2
      return request
    }
    let picture = picture(steady() + poller + shared)
    #expect(picture.senders.count(.machine).senders == 1)
    #expect(picture.senders.count(.shared).senders == 1)
    #expect(picture.senders.count(.phone).senders == 100)
  }

  @Test func dailyIDsAreDetected() {
    let requests = steady()
    #expect(picture(requests).senders.lifetime == .long)
    let daily = requests.map { request in
      var request = request
      request.sender = StableHash.of([
        UInt8(request.sender & 255), UInt8(request.sender >> 8 & 255), UInt8(request.time / Self.day),
      ])
      return request
    }
    #expect(picture(daily).senders.lifetime == .oneDay)
  }

  @Test func emptyAndSingleLineLogsAreAccepted() {
    #expect(picture([]).span == nil)
    let one = picture([LoggedRequest(at: 5_000)])
    #expect(one.span == 0..<60_000)
    #expect(one.holes.isEmpty && one.skew.isEmpty && one.duplicates.copies == 0)
  }

  /// The month is written instead of the minute: every stamp has 05.
  @Test func stuckMinuteIsDetected() {
    var digits = ClockDigits()
    for hour in 0..<200 { digits.add(Int64(hour) * 3_600_000 + 5 * Self.minute + Int64(hour % 60) * 1_000) }
    #expect(digits.stuckMinute == 5)
    var marks = ClockDigits()
    for hour in 0..<200 { marks.add(Int64(hour) * 3_600_000 + Int64(hour % 60) * 1_000) }
    #expect(marks.stuckMinute == nil && marks.stuckSecond == nil)
  }
}

/// The resolution of timestamps.
struct ResolutionTests {
  /// CloudFront writes the second of the end; subtracting the duration does not give it millisecond resolution.
  @Test func durationDoesNotRefineStampResolution() {
    var digits = ClockDigits()
    for second in 0..<200 { digits.add(Int64(second) * 1_000 - 719, duration: 719) }
    #expect(digits.resolution == 1_000)
    digits.add(5_123, duration: 60)
    #expect(digits.resolution == 1)
  }
}
