import DeviceModel
import Scenario
import SimulationKernel
import Testing

@testable import FleetEngine

/// Calendars of 2027 with handmade zones; hours in tests are in UTC, counted from the start.
struct HandCalendar {
  let storage = SamplerStorage()
  let calendar: FleetEngine.Calendar

  /// Creates a calendar.
  ///
  /// - Parameters:
  /// - startDay: days from 1970-01-01; the clock lasts 48 h from that day's midnight UTC, without a warm-up.
  /// - offset: the hours ahead of UTC before the only change, `change` hours after the start, to `later`.
  init(startDay: Int64, offset: Int64, change: Int64, later: Int64) {
    let segments = [
      ZoneTable.Segment(from: .longAgo, offset: .hours(offset)),
      ZoneTable.Segment(from: .start + .hours(change), offset: .hours(later)),
    ]
    let wall = WallClock(segments: storage.keep(segments), startUnixMilliseconds: startDay * 86_400_000)
    let clock = Clock(
      startUnixMilliseconds: startDay * 86_400_000, warmup: .zero, duration: .days(2), step: .second)
    calendar = FleetEngine.Calendar(wall: wall, clock: clock)
  }

  /// Saturday 2027-03-27, Berlin: 02:00 becomes 03:00 on Sunday at 01:00 UTC.
  static let berlinSpring = HandCalendar(startDay: 20_904, offset: 1, change: 25, later: 2)
  /// Saturday 2027-10-30, Berlin: 03:00 becomes 02:00 on Sunday at 01:00 UTC.
  static let berlinAutumn = HandCalendar(startDay: 21_121, offset: 2, change: 25, later: 1)
  /// Saturday 2027-03-13, New York: 02:00 becomes 03:00 on Sunday at 07:00 UTC.
  static let newYorkSpring = HandCalendar(startDay: 20_890, offset: -5, change: 31, later: -4)
  /// Saturday 2027-11-06, New York: 02:00 becomes 01:00 on Sunday at 06:00 UTC.
  static let newYorkAutumn = HandCalendar(startDay: 21_128, offset: -4, change: 30, later: -5)

  /// Returns the hours after the start, within the clock's two days.
  static func hours(_ instants: [Instant]) -> [Double] {
    instants.map { ($0 - .start).seconds / 3_600 }.filter { $0 >= 0 && $0 < 48 }
  }

  func time(_ hour: Int64, _ minute: Int64 = 0) -> TimeOfDay {
    TimeOfDay(sinceMidnight: .minutes(hour * 60 + minute))
  }

  /// Returns the spells in the clock's two days, rejoined where a clock change splits them.
  func spells(_ from: TimeOfDay, _ to: TimeOfDay, _ days: Set<Weekday> = Set(Weekday.allCases)) -> [[Double]] {
    var joined: [[Double]] = []
    for spell in calendar.spells(from: from, to: to, on: days) {
      let (begins, ends) = ((spell.from - .start).seconds / 3_600, (spell.to - .start).seconds / 3_600)
      if let last = joined.last, last[1] == begins {
        joined[joined.count - 1][1] = ends
      } else {
        joined.append([begins, ends])
      }
    }
    return joined.filter { $0[1] > 0 && $0[0] < 48 }
  }
}

@Suite struct CalendarTests {
  /// Every hour is an hour of UTC, and the second pass of a repeated hour is not a new one.
  @Test func hourlyMultiples() {
    let all = (0..<48).map { Double($0) }
    #expect(HandCalendar.hours(HandCalendar.berlinSpring.calendar.multiples(of: .hour)) == all)
    #expect(HandCalendar.hours(HandCalendar.newYorkSpring.calendar.multiples(of: .hour)) == all)
    let berlin = HandCalendar.hours(HandCalendar.berlinAutumn.calendar.multiples(of: .hour))
    #expect(berlin == all.filter { $0 != 25 })
    let newYork = HandCalendar.hours(HandCalendar.newYorkAutumn.calendar.multiples(of: .hour))
    #expect(newYork == all.filter { $0 != 30 })
  }

  /// The multiples are 00:00, 07:00, 14:00, 21:00, and midnight again.
  @Test func multiplesThatDoNotDivideADay() {
    let spring = HandCalendar.hours(HandCalendar.berlinSpring.calendar.multiples(of: .hours(7)))
    #expect(spring == [6, 13, 20, 23, 29, 36, 43, 46])
    let autumn = HandCalendar.hours(HandCalendar.newYorkAutumn.calendar.multiples(of: .hours(7)))
    #expect(autumn == [1, 4, 11, 18, 25, 28, 36, 43])
  }

  @Test func multiplesOfADay() {
    let midnights = HandCalendar.hours(HandCalendar.berlinAutumn.calendar.multiples(of: .day))
    #expect(midnights == [22, 47])
  }

  /// The time 02:30 does not exist on the Sunday in spring, and occurs twice on the one in autumn.
  @Test func clockTimes() {
    func hours(_ calendar: HandCalendar, _ days: Set<Weekday> = Set(Weekday.allCases)) -> [Double] {
      HandCalendar.hours(calendar.calendar.instants(at: calendar.time(2, 30), on: days))
    }
    #expect(hours(.berlinSpring) == [1.5, 25.5])
    #expect(hours(.berlinAutumn) == [0.5, 24.5])
    #expect(hours(.newYorkSpring) == [7.5, 31.5])
    #expect(hours(.newYorkAutumn) == [6.5, 31.5])
    #expect(hours(.berlinSpring, [.sunday]) == [25.5])
    #expect(hours(.berlinSpring, [.monday, .tuesday, .wednesday, .thursday, .friday]).isEmpty)
  }

  /// Lists extend two local days beyond the clock, so that a Monday's date can be reached from a Sunday.
  @Test func dateListsExtendBeyondTheClock() {
    let calendar = HandCalendar.berlinSpring
    let all = calendar.calendar.instants(at: calendar.time(9, 30), on: [.monday])
    #expect(all == [Instant.start + .minutes(55 * 60 + 30)])
  }

  @Test func windowsOfOneDay() {
    let calendar = HandCalendar.newYorkSpring
    #expect(calendar.spells(calendar.time(9), calendar.time(17)) == [[14, 22], [37, 45]])
    #expect(calendar.spells(calendar.time(9), calendar.time(17), [.saturday]) == [[14, 22]])
  }

  /// The day is that of `from`; if `to` is at or before `from`, it is on the next date.
  @Test func windowsOverMidnight() {
    let calendar = HandCalendar.berlinSpring
    #expect(calendar.spells(calendar.time(22), calendar.time(4), [.saturday]) == [[21, 26]])
    #expect(calendar.spells(calendar.time(22), calendar.time(4), [.friday]) == [[-3, 3]])
    #expect(calendar.spells(calendar.time(18), calendar.time(18), [.saturday]) == [[17, 40]])
  }

  /// A window applies while the clock shows its times: never in a skipped hour, twice in a repeated one.
  @Test func windowsFollowClockChanges() {
    let spring = HandCalendar.berlinSpring
    #expect(spring.spells(spring.time(2), spring.time(2, 30), [.sunday]).isEmpty)
    #expect(spring.spells(spring.time(1, 30), spring.time(3, 30), [.sunday]) == [[24.5, 25.5]])
    let autumn = HandCalendar.berlinAutumn
    #expect(autumn.spells(autumn.time(2), autumn.time(2, 30), [.sunday]) == [[24, 24.5], [25, 25.5]])
    #expect(autumn.spells(autumn.time(2, 30), autumn.time(4), [.sunday]) == [[24.5, 25], [25.5, 27]])
  }

  /// Spells are ascending and disjoint, as searching them requires.
  @Test(arguments: [(0, 0), (0, 24), (22, 4), (4, 22), (2, 3), (18, 18)] as [(Int64, Int64)])
  func spellsAreInOrder(from: Int64, to: Int64) {
    for calendar in [HandCalendar.berlinSpring, .berlinAutumn, .newYorkSpring, .newYorkAutumn] {
      let spells = calendar.calendar.spells(from: calendar.time(from), to: calendar.time(to), on: Set(Weekday.allCases))
      for (spell, next) in zip(spells, spells.dropFirst()) { #expect(spell.to <= next.from) }
      #expect(spells.allSatisfy { $0.from < $0.to })
    }
  }
}

@Suite struct ViewsCapacityTests {
  @Test(
    arguments: [
      (0, 70, 1), (0.5, 70, 1), (12.5, 70, 12.5), (30, 70, 30), (70, 70, 55.284822), (1e9, 70, 70), (25, 20, 20),
      (100, 20, 20), (100, 30, 30),
    ] as [(Double, Double, Double)])
  func capacity(views: Double, cap: Double, expected: Double) {
    let found = ViewsLaw.roundedCapacity(views: views, cap: cap)
    #expect(abs(Double(found.count) / 1e6 - expected) < 1.1e-6)
  }
}
