import DeviceModel
import Scenario
import SimulationKernel

/// Spreads a day's rate over the hours of a zone's dates, those with a change of the clock included (MODEL.md 2.1, 2.2).
struct HourProfileBuilder {
  let wall: WallClock
  let weights: [Double]
  let storage: SamplerStorage

  init(wall: WallClock, weights: HourWeights, storage: SamplerStorage) {
    self.wall = wall
    let sum = weights.weights.reduce(0, +)
    self.weights = weights.weights.map { $0 / sum }
    self.storage = storage
  }

  /// The profile of every date of a calendar.
  func profile(days: ClosedRange<Int64>) -> HourProfile {
    let exceptions = days.map { LocalDay(number: $0) }.filter { !isRegular($0) }
      .map { HourProfile.Exception(date: $0, day: day(pieces(of: $0))) }
    let regular = weights.indices.map { hour in
      HourPiece(from: .hours(Int64(hour)), length: .hour, hour: hour)
    }
    return HourProfile(regular: day(regular), exceptions: storage.keep(exceptions))
  }

  /// A stretch of real time in one local hour.
  private struct HourPiece {
    /// After the date's beginning.
    var from: TimeAmount
    var length: TimeAmount
    var hour: Int
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

  /// The stretches of a date on which the clock changes, in the order of real time.
  private func pieces(of date: LocalDay) -> [HourPiece] {
    let from = beginning(of: date)
    let to = beginning(of: LocalDay(number: date.number + 1))
    var pieces: [HourPiece] = []
    var now = from
    while now < to {
      let sinceMidnight = wall.reading(at: now).sinceMidnight.milliseconds
      let hour = sinceMidnight / TimeAmount.hour.milliseconds
      let nextHour = now + .milliseconds((hour + 1) * TimeAmount.hour.milliseconds - sinceMidnight)
      let change = (0..<wall.segments.count).map { wall.segments[$0].from }.first { $0 > now } ?? .never
      let end = min(nextHour, change, to)
      pieces.append(HourPiece(from: now - from, length: end - now, hour: Int(hour)))
      now = end
    }
    return pieces
  }

  private func day(_ pieces: [HourPiece]) -> HourProfile.Day {
    var passed = 0.0
    let hour = Double(TimeAmount.hour.milliseconds)
    let prepared = pieces.map { piece in
      let weight = weights[piece.hour]
      defer { passed += weight * (Double(piece.length.milliseconds) / hour) }
      return HourProfile.Piece(
        from: piece.from, passed: passed, millisecondsPerDayRate: weight > 0 ? hour / weight : 0)
    }
    return HourProfile.Day(pieces: storage.keep(prepared), total: passed)
  }
}
