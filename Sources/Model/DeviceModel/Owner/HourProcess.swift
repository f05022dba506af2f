import Scenario
import SimulationKernel

/// A Poisson process whose intensity depends on the local hour (MODEL.md 2.2), generated one event at a time.
///
/// The process uses time rescaling: the steps in the elapsed fraction of the day's rate are exponentially distributed.
/// Events are counted per date, so that the date and the ordinal form the key of an event's draws.
struct HourProcess: BitwiseCopyable {
  /// The date of the last event, or a later date to which the process has already advanced.
  private(set) var date: LocalDay
  /// The number of events on the date so far, which is also the ordinal of the next event.
  private(set) var ordinal: UInt32 = 0
  /// The index of the piece of the date that contains the last event.
  private var piece: UInt32 = 0
  private var passed: Double

  /// The device-specific input to a process.
  struct Setting {
    let wall: WallClock
    let hours: HourProfile
    let stream: DeviceStream
    let unitGap: NumberSampler
    let end: Instant
  }

  /// Creates a process that starts at `beginning`.
  init(beginning: Instant, wall: WallClock, hours: HourProfile) {
    let local = wall.reading(at: beginning)
    date = local.day
    passed = hours.day(local.day).share(at: beginning - wall.instant(of: LocalTime(day: local.day, .zero)))
  }

  /// An event of the process, with an additional uniform draw.
  struct Event {
    var at: Instant
    /// The key for the event's draws, which combines its date and ordinal.
    var key: Int
    var uniform: UInt64
  }

  /// Returns the next event; `nil` if it is later than the end of the clock.
  ///
  /// - Parameters:
  ///   - rate: a function that returns the number of events on a regular day, by date.
  ///   - part: a number that distinguishes processes with the same purpose.
  ///   - ahead: draws generated in advance, together with their key.
  @inline(__always)
  mutating func next(
    _ purpose: Purpose, part: Int = 0, setting: Setting, ahead: (key: Int, draws: UniformPair)? = nil,
    rate: (LocalDay) -> Double
  ) -> Event? {
    while true {
      let day = setting.hours.day(date)
      let rateOfDay = rate(date)
      if rateOfDay > 0 {
        let key = Self.key(date, ordinal)
        let draws =
          if let ahead, ahead.key == key { ahead.draws } else {
            setting.stream.block(purpose, part: key, index: part).uniforms
          }
        let gap = setting.unitGap.number(at: draws.first) / rateOfDay
        if passed + gap < day.total {
          passed += gap
          ordinal += 1
          let dayStart = setting.wall.instant(of: LocalTime(day: date, .zero))
          return Event(at: dayStart + day.time(of: passed, from: &piece), key: key, uniform: draws.second)
        }
      }
      date = LocalDay(number: date.number + 1)
      ordinal = 0
      piece = 0
      passed = 0
      guard setting.wall.instant(of: LocalTime(day: date, .zero)) < setting.end else { return nil }
    }
  }

  /// Returns a 32-bit key for a date and an ordinal; it supports dates until 2149 and 65 536 events per day.
  private static func key(_ date: LocalDay, _ ordinal: UInt32) -> Int {
    Int(date.number & 0xFFFF) << 16 | Int(ordinal & 0xFFFF)
  }
}

/// Draws from Poisson distributions whose means become known only during the run.
enum PoissonDraw {
  /// Draws a count. Inversion is used for means below 16, and a rounded normal distribution for larger means.
  ///
  /// At a mean of 16, the error is smaller than the effect of a day's random mean on that day's count.
  static func count(mean: Double, _ draws: Philox.Block) -> Double {
    guard mean < 16 else {
      // The variance of the sum of four uniforms is 1/3.
      let words = [draws.word0, draws.word1, draws.word2, draws.word3]
      let sum = words.reduce(-2) { $0 + (Double($1) + 0.5) * 0x1p-32 }
      return max((mean + (3 * mean).squareRoot() * sum).rounded(), 0)
    }
    var rest = (Double(draws.first >> 11) + 0.5) * 0x1p-53
    var (count, probability) = (0.0, SteadyMath.exp(-mean))
    while rest > probability, count < 100 {
      rest -= probability
      count += 1
      probability *= mean / count
    }
    return count
  }
}
