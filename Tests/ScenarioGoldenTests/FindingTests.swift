import Foundation
import Testing

/// The finding in the comment of each scenario, from mathematics rather than an earlier run.
///
/// Tolerances are 4 standard errors. Budgets are off if they would blur the distribution.
@Suite struct FindingTests {
  /// after(P) with a start delay of U(0, W): a renewal process with mean P + W/2 + run time and variance W^2 / 12. Run
  /// time: round trip 30 ms, latency 70 ms (lognormal, p50 45 ms, p99 400 ms), processor 200 ms.
  @Test(arguments: [(15, 15, 63.99), (30, 15, 38.40), (15, 0, 95.97)])
  func gameStatus(period: Int, delay: Int, expected: Double) throws {
    let trial = try Trial(
      "game-status", devices: 200, "clock.warmup=1d", "os.budget.model=off",
      "kinds.game-status.reload.after=\(period)min", "os.start_delay.policy={uniform: 0s..\(delay)min}")
    let mean = Double(period) * 60 + Double(delay) * 30 + 0.3
    #expect(abs(86_400 / mean - expected) < 0.02)
    let variance = 86_400 * (Double(delay) * 60 * Double(delay) * 60 / 12) / (mean * mean * mean)
    // A day's count also depends on where in the cycle it starts: at most 1/4.
    #expect(abs(trial.runsPerDay() - 86_400 / mean) <= 4 * ((variance + 0.25) / 200).squareRoot())
  }

  /// The charged runs of 8 days are at most the initial balance (below C), 8 C, and a charger's credit of 2.
  @Test func gameStatusBudget() throws {
    let trial = try Trial("game-status", devices: 50, "clock.warmup=0s", "clock.duration=8d")
    let devices = trial.result.replications[0].devices
    for row in 0..<devices.rowCount { #expect(devices[row, .charged] <= 50 + 8 * 50 + 2) }
  }

  /// A cycle reaches its end if there is no refresh for 3 h: for refreshes at rate r, exp(-3 h r). A refresh that comes
  /// while the reload at the end is late joins it, which counts as the timeline's.
  @Test func characterHealth() throws {
    let devices = 1_000.0
    let trial = try Trial("character-health", devices: Int(devices))
    let rate = 4.0
    let ends = exp(-rate * 3 / 24)
    let joins = 1 - (1 - exp(-rate / 96)) / (rate / 96)
    #expect(abs(trial.runsPerDay(.policy) - rate * ends) <= 4 * (rate / devices).squareRoot())
    #expect(abs(trial.runsPerDay(.background) - rate * (1 - ends * joins)) <= 4 * (rate / devices).squareRoot())
  }

  /// Without refreshes, there is the placement, the end of four hourly entries, and nothing more.
  @Test func characterHealthFreezes() throws {
    let trial = try Trial("character-health", devices: 100, "clock.warmup=0s", "clock.duration=3d", "app.reloads=none")
    #expect(trial.result.replications[0].runCount == 200)
    #expect(trial.arrivals(minutes: 0..<1) == 100)
    #expect(trial.arrivals(minutes: 180..<196) == 100)
  }

  /// U(0, 1 min) under prompt, U(0, 15 min) under lazy: every phone sends in the first minutes of each hour.
  @Test(arguments: [("prompt", 1), ("lazy", 15)]) func weatherHourly(preset: String, minutes: Int) throws {
    let devices = 1_000
    // There is no spacing, or a widget placed a few minutes before the start would be late for its first hour.
    let trial = try Trial(
      "weather-hourly", devices: devices, "os.preset=\(preset)", "os.budget.model=off", "os.min_spacing=0s")
    // The last request may arrive half a round trip after the last minute.
    #expect(trial.arrivals(minutesOfEachHour: 0..<minutes + 1) == 24 * devices)
    #expect(trial.arrivals(minutesOfEachHour: minutes + 1..<60) == 0)
    let first = trial.arrivals(minutesOfEachHour: 0..<1)
    #expect(minutes == 1 ? first > 24 * devices - 50 : isBinomial(first, trials: 24 * devices, share: 1 / 15))
    // 1.8 million devices: 30 000 or 2 000 requests/s in that minute, one above and one below the comment's 5 000.
    let perSecond = Double(first) / 24 / Double(devices) * 1_800_000 / 60
    #expect((perSecond > 5_000) == (preset == "prompt"))
  }

  /// The trapezoid of U(0, W) + U(0, 10 min), whose plateau is 1 / max(W, 10 min).
  @Test(arguments: [("prompt", 1..<10, 10.0), ("lazy", 10..<15, 15.0)])
  func weatherJitter(preset: String, plateau: Range<Int>, width: Double) throws {
    let devices = 1_000
    let trial = try Trial(
      "weather-jitter", devices: devices, "os.preset=\(preset)", "os.budget.model=off", "os.min_spacing=0s")
    #expect(trial.arrivals(minutesOfEachHour: 0..<26) == 24 * devices)
    for minute in plateau {
      let count = trial.arrivals(minutesOfEachHour: minute..<minute + 1)
      #expect(isBinomial(count, trials: 24 * devices, share: 1 / width), "minute \(minute)")
    }
  }

  /// Silence until Monday 14:30 UTC, 64 h 30 min after the start; then a plateau of N / 900 per second.
  @Test func stocksOpen() throws {
    let devices = 3_000
    let trial = try Trial("stocks-open", devices: devices)
    let opening = 64 * 60 + 30
    #expect(trial.arrivals(minutes: 0..<opening) == 0)
    // In the sixteenth minute, second reloads join the last of the first ones.
    #expect((devices - 5...devices).contains(trial.arrivals(minutes: opening..<opening + 15)))
    for minute in opening..<opening + 15 {
      let count = trial.arrivals(minutes: minute..<minute + 1)
      #expect(isBinomial(count, trials: devices, share: 1 / 15), "minute \(minute - opening)")
    }
  }

  /// In Berlin, the cohort's first zone, midnight is at 23:00 UTC, 11 h after the start: two requests each.
  @Test func wikipediaMidnight() throws {
    let trial = try Trial("wikipedia-midnight", devices: 2_000, "os.budget.model=off")
    #expect(trial.arrivals(minutes: 660..<676) == 2 * trial.devices(inZone: 0))
    #expect(trial.arrivals(minutes: 676..<720) == 0)
    #expect(trial.arrivals(minutes: 0..<24 * 60) == 2 * 2_000)
  }

  /// With the fix, the load is level at N / 3600 per second from the 16th minute to the 60th.
  @Test func wikipediaMidnightJitter() throws {
    let trial = try Trial("wikipedia-midnight-jitter", devices: 2_000, "os.budget.model=off")
    let berlin = trial.devices(inZone: 0)
    for minute in stride(from: 675, to: 720, by: 15) {
      let runs = trial.arrivals(minutes: minute..<minute + 15) / 2
      #expect(isBinomial(runs, trials: berlin, share: 1.0 / 4), "minute \(minute)")
    }
  }

  /// One placement and a renewal process of max(5 min, Exp(25 min)) + 0.447 s, counted over a day: 1 + t/m + (v - m^2)
  /// / 2m^2 runs, with variance t v / m^3.
  @Test func benchRenewal() throws {
    let trial = try Trial("bench-renewal", devices: 300, "os.budget.model=off")
    let beyond = exp(-0.2)
    let mean = 5 + 25 * beyond + 0.447 / 60
    let variance = 1_250 * beyond - 625 * beyond * beyond
    let expected = 1 + 1_440 / mean + (variance - mean * mean) / (2 * mean * mean)
    let error = (1_440 * variance / (mean * mean * mean) / 600).squareRoot()
    #expect(abs(trial.runsPerDay() - expected) <= 4 * error)
  }
}

extension Trial {
  /// Returns the number of devices in a zone of the only cohort, by the zone's position in the file.
  fileprivate func devices(inZone zone: Int64) -> Int {
    let devices = result.replications[0].devices
    return (0..<devices.rowCount).reduce(0) { $0 + (devices[$1, .zone] == zone ? 1 : 0) }
  }
}
