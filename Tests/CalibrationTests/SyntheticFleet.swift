import RequestStatistics
import SimulationKernel

/// Draws from a fixed key, the same in every test run.
struct Draws {
  private var counter: UInt32 = 0
  private let key: UInt64
  private let stream: UInt32

  init(key: UInt64, stream: Int = 0) {
    self.key = key
    self.stream = UInt32(stream)
  }

  /// Returns a uniform value strictly between 0 and 1.
  mutating func uniform() -> Double {
    counter += 1
    let block = Philox.block(counter: Philox.Block(counter, stream, 0, 0), key: key)
    return (Double(block.first >> 11) + 0.5) * 0x1p-53
  }

  mutating func exponential(mean: Double) -> Double { -SteadyMath.log(uniform()) * mean }

  mutating func isTrue(_ probability: Double) -> Bool { uniform() < probability }

  /// Returns the sum of twelve uniforms, which is close to normal up to three deviations.
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

/// Wakes of phones with one widget each, following sections 2 to 5 of the model: renewals by `after`, start delays,
/// sessions, free runs, offline spells, waits of idle phones. Durations are in seconds.
struct SyntheticFleet {
  var phones = 600
  var days = 7
  var interval = 1_800.0
  /// The seconds between marks of the local clock that start runs; `nil` if runs follow the last one by the interval.
  var marks: Double?
  var window = 900.0
  var inUseWindow = 60.0
  var jitter = 0.0
  /// The time from a request's arrival to the end of its run.
  var runTime = 0.4...0.4
  /// The proportion of due runs that find the phone in use.
  var inUse = 0.1
  /// The number of free runs per day.
  var freeRuns = 8.0
  /// The spread of free runs between people: the standard deviation of the logarithm.
  var personSigma = 0.0
  /// The spread between a person's days: the integer shape of a gamma distribution; `nil` for none.
  var dayShape: Int?
  /// The proportion of runs without a network; they retry at the next date.
  var offline = 0.03
  /// The period in which requests fail and are retried, in seconds from the start.
  var outage: Range<Double>?
  /// The waits before the retries of a run.
  var backoffs: [Double] = []
  /// The interval after a failed run.
  var onError = 600.0
  /// The relative number of unlocks by local hour.
  var hours = Array(repeating: 1.0, count: 24)
  /// The hours ahead of UTC, by phone.
  var zone: @Sendable (Int) -> Int = { _ in 0 }
  /// Whether phones wait at night, like idle phones.
  var waitsAtNight = false
  var wholeSeconds = false
  var widgets = 1
  var system: UInt8 = 18

  /// 2027-01-18T00:00:00Z, a Monday.
  static let start: Int64 = 1_800_230_400_000

  var span: Range<Int64> { Self.start..<Self.start + Int64(days) * 86_400_000 }

  func history(key: UInt64) -> WakeHistory { Self.history(of: [self], key: key) }

  /// Returns the phones of several fleets, one fleet after the other, over the days of the first.
  static func history(of fleets: [SyntheticFleet], key: UInt64) -> WakeHistory {
    var history = WakeHistory(span: fleets[0].span)
    var first = 0
    for fleet in fleets {
      for phone in first..<first + fleet.phones { history.append(sender(phone), fleet.wakes(of: phone, key: key)) }
      first += fleet.phones
    }
    return history
  }

  /// Returns ascending hashes whose lowest bits cycle.
  private static func sender(_ phone: Int) -> UInt64 { UInt64(phone + 1) << 32 | UInt64(phone * 37 % 128) }

  private func wakes(of phone: Int, key: UInt64) -> [WakeHistory.Wake] {
    var wakes: [WakeHistory.Wake] = []
    for widget in 0..<widgets {
      var life = SyntheticPhone(fleet: self, phone: phone, draws: Draws(key: key, stream: phone * 16 + widget))
      wakes += life.wakes()
    }
    wakes.sort { $0.time < $1.time }
    return wakes.reduce(into: []) { merged, wake in
      if let last = merged.last, widgets > 1, wake.time - last.time < 2_000 { return }
      merged.append(wake)
    }
  }
}

/// One widget of a fleet, simulated from before the log starts.
private struct SyntheticPhone {
  let fleet: SyntheticFleet
  let phone: Int
  var draws: Draws
  private var person = 1.0
  private var factors: [Double] = []

  init(fleet: SyntheticFleet, phone: Int, draws: Draws) {
    (self.fleet, self.phone, self.draws) = (fleet, phone, draws)
  }

  private func local(_ time: Double) -> Double { time + Double(fleet.zone(phone)) * 3_600 }

  private func weight(_ time: Double) -> Double {
    // Linear from the middle of one hour to the middle of the next (MODEL.md 2.2), in hours since the first.
    let middle = local(time) / 3_600 - 0.5
    let hour = middle.rounded(.down)
    let (left, right) = (fleet.hours[(Int(hour) % 24 + 24) % 24], fleet.hours[((Int(hour) + 1) % 24 + 24) % 24])
    return (left + (right - left) * (middle - hour)) * 24 / fleet.hours.reduce(0, +)
  }

  /// Returns whether phones wait, which they do in whole hours with little use.
  private func isNight(_ time: Double) -> Bool {
    let hour = Int((local(time) / 3_600).rounded(.down)) % 24
    return fleet.hours[(hour + 24) % 24] * 24 / fleet.hours.reduce(0, +) < 0.3
  }

  /// Returns the factor of a day, starting with the day before the log.
  private func dayFactor(_ time: Double) -> Double {
    factors.isEmpty ? 1 : factors[min(max(Int(time / 86_400) + 2, 0), factors.count - 1)]
  }

  mutating func wakes() -> [WakeHistory.Wake] {
    person = draws.lognormal(median: 1, sigma: fleet.personSigma)
    if let shape = fleet.dayShape {
      for _ in 0..<fleet.days + 4 {
        var sum = 0.0
        for _ in 0..<shape { sum += draws.exponential(mean: 1 / Double(shape)) }
        factors.append(sum)
      }
    }
    let end = Double(fleet.days) * 86_400
    var wakes: [WakeHistory.Wake] = []
    // The simulation starts before the log, so that its phase is random.
    var time = -draws.uniform() * (fleet.interval + fleet.window) - 86_400
    var hasFailed = false
    while time < end {
      time = next(after: time, hasFailed: hasFailed)
      hasFailed = fleet.outage?.contains(time) ?? false
      guard !draws.isTrue(fleet.offline), time >= 0, time < end else { continue }
      wakes.append(wake(time, status: hasFailed ? 503 : 200))
      guard hasFailed else { continue }
      for wait in fleet.backoffs {
        time += wait
        wakes.append(wake(time, status: fleet.outage?.contains(time) ?? false ? 503 : 200))
      }
    }
    return wakes
  }

  private func wake(_ time: Double, status: UInt16) -> WakeHistory.Wake {
    let stamp = SyntheticFleet.start + Int64((time * 1_000).rounded(.down))
    return WakeHistory.Wake(
      time: fleet.wholeSeconds ? stamp / 1_000 * 1_000 : stamp, status: status, system: fleet.system)
  }

  private mutating func next(after time: Double, hasFailed: Bool) -> Double {
    let run = draws.uniform() * (fleet.runTime.upperBound - fleet.runTime.lowerBound) + fleet.runTime.lowerBound
    let end = time + run
    var due = end + (hasFailed ? fleet.onError : fleet.interval)
    if let marks = fleet.marks {
      due += ((local(end) / marks).rounded(.down) + 1) * marks - local(end) - fleet.interval
    }
    due += fleet.jitter * draws.uniform()
    let isInUse = draws.isTrue(fleet.inUse * weight(due))
    var next = due + draws.uniform() * (isInUse ? fleet.inUseWindow : fleet.window)
    if fleet.waitsAtNight, !isInUse, isNight(next) { next = waited(from: next, due: due) }
    return min(next, free(after: time, until: next))
  }

  /// Returns the first free run, by thinning.
  private mutating func free(after time: Double, until end: Double) -> Double {
    guard fleet.freeRuns > 0 else { return end }
    let maximum = (fleet.hours.max() ?? 1) * 24 / fleet.hours.reduce(0, +) * (factors.max() ?? 1)
    var free = time
    repeat {
      free += draws.exponential(mean: 86_400 / fleet.freeRuns / maximum / person)
    } while free < end && !draws.isTrue(weight(free) * dayFactor(free) / maximum)
    return free
  }

  /// Returns the due date plus four hours and a delay, or the phone's next use if that comes first.
  private mutating func waited(from planned: Double, due: Double) -> Double {
    var time = planned
    let last = due + 14_400 + draws.uniform() * fleet.window
    while time < last, isNight(time) { time += draws.exponential(mean: 600) }
    return min(time, last)
  }
}

enum SyntheticDay {
  /// Unlocks by hour: few at night, most in the evening.
  static let hours: [Double] = [
    2, 1, 0.6, 0.5, 0.5, 1, 3, 5, 6, 6, 5.5, 5.5, 6, 6, 5.5, 5.5, 6, 6.5, 7, 7, 7, 6.5, 5, 3.5,
  ]
}

extension WakeHistory {
  /// The number of wakes in each minute of the log.
  var minuteCounts: [Double] {
    let minutes = Int((span.upperBound - span.lowerBound) / 60_000)
    return wakes.reduce(into: Array(repeating: 0, count: minutes)) {
      $0[Int(($1.time - span.lowerBound) / 60_000)] += 1
    }
  }
}
