import DeviceModel
import Scenario
import SimulationKernel

/// Spreads a day's rate over the hours of a zone's dates, those with a change of the clock included (MODEL.md 2.1, 2.2).
struct HourProfileBuilder {
  let wall: WallClock
  let weights: HourWeights
  let storage: SamplerStorage

  /// The profile of every date of a calendar.
  func profile(days: ClosedRange<Int64>) -> HourProfile {
    let exceptions = days.map { LocalDay(number: $0) }.filter { !isRegular($0) }.map { date in
      let next = LocalDay(number: date.number + 1)
      return HourProfile.Exception(
        date: date, day: day(weights.lines(from: beginning(of: date), to: beginning(of: next), of: wall)))
    }
    return HourProfile(regular: day(weights.lines), exceptions: storage.keep(exceptions))
  }

  private func beginning(of date: LocalDay) -> Instant { wall.instant(of: LocalTime(day: date, .zero)) }

  private func isRegular(_ date: LocalDay) -> Bool {
    let from = beginning(of: date)
    let to = beginning(of: LocalDay(number: date.number + 1))
    let isWhole = wall.reading(at: from) == LocalTime(day: date, .zero)
    return isWhole && to - from == .day
      && !(0..<wall.segments.count).contains { index in
        wall.segments[index].from > from && wall.segments[index].from < to
      }
  }

  private func day(_ lines: [HourWeights.Line]) -> HourProfile.Day {
    var passed = 0.0
    let pieces = lines.map { line in
      let share = (line.first + line.last) / 2 * (Double(line.length.milliseconds) / Self.day)
      defer { passed += share }
      // So that a line that rises from next to nothing has a finite bend.
      let first = max(line.first, line.last * 1e-12)
      guard first > 0 else { return HourProfile.Piece(from: line.from, passed: passed, millisecondsPerDayRate: 0) }
      let last = line.last / first
      return HourProfile.Piece(
        from: line.from, passed: passed, millisecondsPerDayRate: Self.day / first,
        bend: (last * last - 1) / share)
    }
    return HourProfile.Day(pieces: storage.keep(pieces), total: passed)
  }

  private static let day = Double(TimeAmount.day.milliseconds)
}
