import RequestStatistics
import SimulationKernel

/// Draws of a fixed key: equal in every run of the tests.
struct Draws {
  private var counter: UInt32 = 0
  private let key: UInt64
  private let stream: UInt32

  init(key: UInt64, stream: Int = 0) {
    self.key = key
    self.stream = UInt32(stream)
  }

  /// Uniform between 0 and 1, both excluded.
  mutating func uniform() -> Double {
    counter += 1
    let block = Philox.block(counter: Philox.Block(counter, stream, 0, 0), key: key)
    return (Double(block.first >> 11) + 0.5) * 0x1p-53
  }

  mutating func exponential(mean: Double) -> Double { -SteadyMath.log(uniform()) * mean }

  mutating func isTrue(_ probability: Double) -> Bool { uniform() < probability }

  /// Sum of twelve uniforms, good to three deviations.
  mutating func normal() -> Double { (0..<12).reduce(-6.0) { sum, _ in sum + uniform() } }

  mutating func poisson(_ mean: Double) -> Int {
    var (count, reached) = (0, exponential(mean: 1))
    while reached < mean {
      count += 1
      reached += exponential(mean: 1)
    }
    return count
  }

  mutating func lognormal(median: Double, sigma: Double) -> Double { median * SteadyMath.exp(sigma * normal()) }
}

/// Wakes of phones with one widget each, as sections 2 to 5 of the model have them: renewals by `after`, start delays,
/// sessions, free runs, offline spells, waits of idle phones. Spans in seconds.
struct SyntheticFleet {
  var phones = 600
  var days = 7
  var interval = 1_800.0
  var window = 900.0
  var inUseWindow = 60.0
  var jitter = 0.0
  /// From the arrival of a request to the end of the run.
  var runTime = 0.4...0.4
  /// The share of due runs that find the phone in use.
  var inUse = 0.1
  /// Free runs a day.
  var freeRuns = 8.0
  /// The share of runs that find no network; they try again at the next date.
  var offline = 0.03
  /// Unlocks by local hour.
  var hours = Array(repeating: 1.0, count: 24)
  /// Hours ahead of UTC, by phone.
  var zone: @Sendable (Int) -> Int = { _ in 0 }
  /// Whether nights are waited out, as idle phones do.
  var waitsAtNight = false
  var wholeSeconds = false

  /// 2027-01-18T00:00:00Z, a Monday.
  static let start: Int64 = 1_800_230_400_000

  var span: Range<Int64> { Self.start..<Self.start + Int64(days) * 86_400_000 }

  func history(key: UInt64) -> WakeHistory {
    var history = WakeHistory(span: span)
    for phone in 0..<phones { history.append(sender(phone), wakes(of: phone, key: key)) }
    return history
  }

  /// Hashes in order, whose lowest bits go round.
  private func sender(_ phone: Int) -> UInt64 { UInt64(phone) << 32 | UInt64(phone * 37 % 128) }

  private func hourWeight(_ phone: Int, _ time: Double) -> Double {
    let hour = Int((time / 3_600).rounded(.down)) + zone(phone)
    return hours[((hour % 24) + 24) % 24] * 24 / hours.reduce(0, +)
  }

  private func wakes(of phone: Int, key: UInt64) -> [WakeHistory.Wake] {
    var draws = Draws(key: key, stream: phone)
    let end = Double(days) * 86_400
    let mostWeight = hours.max() ?? 1
    var wakes: [WakeHistory.Wake] = []
    // Lived in before the log begins, so that its phase is any.
    var time = -draws.uniform() * (interval + window) - 86_400
    while time < end {
      var due = time + draws.uniform() * (runTime.upperBound - runTime.lowerBound) + runTime.lowerBound + interval
      due += jitter * draws.uniform()
      let share = inUse * hourWeight(phone, due)
      var next = due + draws.uniform() * (draws.isTrue(share) ? inUseWindow : window)
      if waitsAtNight, hourWeight(phone, next) < 0.3 { next = waited(phone, from: next, due: due, &draws) }
      // Free runs by thinning.
      var free = time
      repeat {
        free += draws.exponential(mean: 86_400 / freeRuns / (mostWeight * 24 / hours.reduce(0, +)))
      } while free < next
        && !draws.isTrue(hourWeight(phone, free) / (mostWeight * 24 / hours.reduce(0, +)))
      next = min(next, free)
      time = next
      guard !draws.isTrue(offline), time >= 0, time < end else { continue }
      let stamp = Self.start + Int64((time * 1_000).rounded(.down))
      wakes.append(WakeHistory.Wake(time: wholeSeconds ? stamp / 1_000 * 1_000 : stamp))
    }
    return wakes
  }

  /// Until four hours and a delay after it was due, or the phone is taken up, if that comes first.
  private func waited(_ phone: Int, from planned: Double, due: Double, _ draws: inout Draws) -> Double {
    var time = planned
    let last = due + 14_400 + draws.uniform() * window
    while time < last, hourWeight(phone, time) < 0.3 { time += draws.exponential(mean: 600) }
    return min(time, last)
  }
}

extension WakeHistory {
  /// By the hour of day in UTC.
  var hourCounts: [Int] {
    wakes.reduce(into: Array(repeating: 0, count: 24)) { $0[Int($1.time / 3_600_000 % 24)] += 1 }
  }
}

enum SyntheticDay {
  /// Unlocks by hour, as the scenario's defaults have them: few at night, most in the evening.
  static let hours: [Double] = [
    2, 1, 0.6, 0.5, 0.5, 1, 3, 5, 6, 6, 5.5, 5.5, 6, 6, 5.5, 5.5, 6, 6.5, 7, 7, 7, 6.5, 5, 3.5,
  ]
}
