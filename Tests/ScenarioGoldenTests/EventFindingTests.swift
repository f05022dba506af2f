import FleetEngine
import Foundation
import Scenario
import Testing

/// The findings in the comments of scenarios with events, from mathematics rather than an earlier run.
///
/// Tolerances are 4 standard errors. Budgets are off if they would blur the distribution.
@Suite struct EventFindingTests {
  /// The push at 18:00 in Berlin is at minute 1 020, the fight is over 2 h later, and two entries end 2 h after that.
  /// Each time, every phone sends once, with silence in between. The second herd is a trapezoid, U(0, 1 min) + U(0, 15
  /// min).
  @Test func dragon() throws {
    let devices = 800
    let trial = try Trial("dragon", devices: devices, "os.budget.model=off")
    #expect(trial.arrivals(minutes: 1_020..<1_022) == devices)
    #expect(trial.arrivals(minutes: 1_022..<1_140) == 0)
    #expect(trial.arrivals(minutes: 1_140..<1_157) == devices)
    for minute in 1_141..<1_155 {
      let count = trial.arrivals(minutes: minute..<minute + 1)
      #expect(isBinomial(count, trials: devices, share: 1 / 15), "minute \(minute)")
    }
    #expect(trial.arrivals(minutes: 1_260..<1_293) == devices)
    #expect(trial.arrivals(minutes: 1_157..<1_260) == 0)
    #expect(trial.arrivals(minutes: 1_293..<1_440) == 0)
  }

  /// The widget reloads at the end of five entries, eight hours after the first. It therefore gets the previous day's
  /// fight at 01:00 UTC, six hours late.
  @Test func dragonAtTheEnd() throws {
    let trial = try Trial("dragon", devices: 100, "os.budget.model=off", "kinds.dragon.phases.0.reload=at-end")
    #expect(trial.arrivals(minutes: 1_022..<1_440) == 0)
    #expect(trial.arrivals(minutes: 60..<77) == 100)
  }

  /// Pushes with at most n deliveries in any hour are like a telephone exchange with n lines and one-hour calls, whose
  /// proportion of lost calls is given by Erlang's formula.
  @Test(arguments: [(144, 3), (48, 3), (144, 2)]) func silentPush(perDay: Int, perHour: Int) throws {
    let devices = 150
    let trial = try Trial(
      "silent-push", devices: devices, "clock.warmup=1d", "os.budget.model=off", "os.min_spacing=0s",
      "os.start_delay.background=0s", "kinds.odds.reload=never", "os.silent_push.per_hour=\(perHour)",
      "events.0.push.per_device_per_day=\(perDay)")
    let expected = Double(perDay) * (1 - Self.lost(offered: Double(perDay) / 24, lines: perHour))
    // The deviation is less than Poisson's, because the limit smooths the pushes.
    #expect(abs(trial.runsPerDay(.background) - expected) <= 4 * (expected / Double(devices)).squareRoot())
  }

  /// The budget allows the initial balance (below C), C a day, and a charger's credit of 2.
  @Test func silentPushBudget() throws {
    let devices = try Trial("silent-push", devices: 20, "clock.warmup=0s", "clock.duration=4d").devices
    for row in 0..<devices.rowCount { #expect(devices[row, .charged] <= 50 + 4 * 50 + 2) }
  }

  /// Every push reloads both widgets; with the filter, half of them do.
  @Test(arguments: [10, 60]) func healingPotion(perDay: Int) throws {
    let devices = 150
    let exact = ["os.budget.model=off", "os.min_spacing=0s", "os.start_delay.background=0s"]
    let all = try Trial(
      "healing-potion", devices: devices, settings: exact + ["events.0.push.per_device_per_day=\(perDay)"])
    let filtered = try Trial(
      "healing-potion-filtered", devices: devices,
      settings: exact + [0, 1].map { "events.\($0).push.per_device_per_day=\(perDay / 2)" })
    let expected = Double(perDay) * (1 - Self.lost(offered: Double(perDay) / 24, lines: 3))
    #expect(abs(all.runsPerDay() - expected) <= 4 * (expected / Double(devices)).squareRoot())
    #expect(abs(filtered.runsPerDay() - expected / 2) <= 4 * (expected / 2 / Double(devices)).squareRoot())
  }

  /// Each phone reloads once for the update and again 6 h later: the herd, an hour long, comes back, with silence in
  /// between.
  @Test func releaseDay() throws {
    let devices = 1_000
    let trial = try Trial(
      "release-day", devices: devices, "os.budget.model=off", "events.release.app_update.over=1h",
      "clock.duration=1d")
    #expect(trial.result.replications[0].groups[0].runs[Int(Cause.system.rawValue)] == Int64(devices))
    #expect(trial.arrivals(minutes: 422..<720) == 0)
    #expect(trial.arrivals(minutes: 720..<797) == devices)
    for minute in stride(from: 736, to: 780, by: 11) {
      let count = trial.arrivals(minutes: minute..<minute + 11)
      #expect(isBinomial(count, trials: devices, share: 11.0 / 60), "minute \(minute)")
    }
  }

  /// 10 % of the phones view all three kinds: 7 + 7 + 1 requests each, whatever they have placed.
  @Test func galleryCampaign() throws {
    let devices = 1_500
    let trial = try Trial("gallery-campaign", devices: devices)
    let requests = trial.requests(because: .gallery)
    #expect(requests % 15 == 0)
    #expect(isBinomial(Int(requests / 15), trials: devices, share: 0.1))
    let sample = try Trial("gallery-campaign", devices: devices, "events.campaign.gallery.network=0%")
    #expect(sample.requests(because: .gallery) == 0)
    #expect(sample.requests == trial.requests - requests)
  }

  /// The delay after the push is Exp(60 s); a phone that has not started after 120 s shows both goals at once. A
  /// request arrives after the promotion of 0.26 s and half the 60 ms round trip, counted from the start of its run.
  @Test func pushFanout() throws {
    let devices = 2_000
    let trial = try Trial("push-fanout", devices: devices, "os.budget.model=off")
    let first = trial.arrivals(minutes: 1_160..<1_161)
    #expect(isBinomial(first, trials: devices, share: 1 - exp(-(60 - 0.29) / 60)))
    let second = Int(trial.requests) - devices
    #expect(isBinomial(second, trials: devices, share: 1 - exp(-2)))
    // No phone starts again within 5 min.
    #expect(trial.arrivals(minutes: 1_160..<1_165) <= devices)
  }

  /// The 30 % with a parcel are woken once, poll from U(08:00, 09:00) to U(12:00, 18:00), and are put to sleep once.
  @Test func parcel() throws {
    let devices = 800
    let trial = try Trial("parcel", devices: devices, "os.budget.model=off")
    let rows = trial.devices
    let polled = (0..<rows.rowCount).filter { rows[$0, .requests] > 0 }
    #expect(isBinomial(polled.count, trials: devices, share: 0.3))
    // A renewal process of 15 min + U(0, 15 min) + 0.6 s over 6.5 h minus the half minute of the first delay.
    let (mean, variance) = (22.51, 225.0 / 12)
    let polls = 389.5 / mean + (variance - mean * mean) / (2 * mean * mean)
    let deviation = ((360 * 360 + 60 * 60) / 12 / mean / mean + 1).squareRoot()
    let found = Double(trial.requests) / Double(polled.count)
    #expect(abs(found - 2 - polls) <= 4 * deviation / Double(polled.count).squareRoot())
  }

  /// Every widget push is a run on new phones and none on old ones; silent pushes reach both.
  @Test(arguments: [("widget", 0), ("silent", 8)]) func mixedIOS(type: String, onOld: Int) throws {
    let devices = 300
    let push = type == "widget" ? "{type: widget" : "{type: silent, kinds: all"
    let trial = try Trial(
      "mixed-ios", devices: devices, "os={min_spacing: 0s, idle: none, budget: {model: off}}",
      "os.start_delay={widget_push: 0s, background: 0s}", "os.silent_push.per_hour=1000", "kinds.status.reload=never",
      "fleet.cohorts.new.person={unlocks_per_day: 0}", "fleet.cohorts.old.person={unlocks_per_day: 0}",
      "events.0.push=\(push), per_device_per_day: 8}")
    for group in trial.result.replications[0].groups {
      let expected = group.cohort == 0 ? 8.0 : Double(onOld)
      let found = Double(group.runs.reduce(0, +)) / Double(group.instances)
      #expect(abs(found - expected) <= 4 * (expected / Double(group.instances)).squareRoot(), "\(group.cohort)")
    }
  }

  /// Returns the proportion of calls that find all lines taken, by Erlang's B formula.
  private static func lost(offered load: Double, lines: Int) -> Double {
    (1...lines).reduce(1) { lost, line in load * lost / (Double(line) + load * lost) }
  }
}
