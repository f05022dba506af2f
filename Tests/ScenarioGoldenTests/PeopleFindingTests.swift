import FleetEngine
import Scenario
import Testing

/// The findings in the comments of scenarios with people, from bounds for each phone and from comparing the same people
/// under different settings.
@Suite struct PeopleFindingTests {
  /// Cards that do not change in the app are never reloaded and send no requests.
  @Test func walletCards() throws {
    let trial = try Trial("wallet-cards", devices: 80)
    let group = trial.result.replications[0].groups[0]
    #expect(trial.requests == 0)
    #expect(group.runs.reduce(0, +) == group.runs[Int(Cause.foreground.rawValue)])
    #expect(abs(trial.runsPerDay() - 0.2) < 0.15)
    let still = try Trial("wallet-cards", devices: 80, "app.reloads=none")
    #expect(still.runsPerDay() == 0)
    #expect(still.viewsPerDay > 20)
  }

  /// On page 4 the load is one charged refresh per view, whatever the schedule; on page 1 the schedule decides.
  @Test func rarePage() throws {
    let rare = try Trial("rare-page", devices: 12)
    #expect(abs(rare.chargedPerDay - rare.viewsPerDay) < 0.2 * rare.viewsPerDay)
    let slower = try Trial("rare-page", devices: 12, "kinds.status.reload.after=30min")
    #expect(abs(slower.chargedPerDay - rare.chargedPerDay) < 0.1 * rare.chargedPerDay)
    let front = try Trial("rare-page", devices: 12, "fleet.cohorts.everyone.widgets=[{kind: status, page: 1}]")
    #expect(front.chargedPerDay > 5 * rare.chargedPerDay)
  }

  /// No phone is unlocked between 01:00 and 06:00 in Berlin: there is silence at 03:00 and a herd at 06:00, but neither
  /// without the rule.
  @Test func morningUnlock() throws {
    let held = try Trial("morning-unlock", devices: 250)
    let free = try Trial("morning-unlock", devices: 250, "os.idle=none")
    #expect(held.arrivalsPerMinute(120..<180) < 0.1 * held.arrivalsPerMinute(0..<1_440))
    #expect(held.arrivalsPerMinute(300..<305) > 2 * held.arrivalsPerMinute(0..<1_440))
    #expect(abs(free.arrivalsPerMinute(120..<180) / free.arrivalsPerMinute(0..<1_440) - 1) < 0.1)
    #expect(free.arrivalsPerMinute(300..<305) < 1.3 * free.arrivalsPerMinute(0..<1_440))
    #expect(free.requests > held.requests)
  }

  /// A change of location takes effect at a view: there are at most as many such runs as views, and ten times the
  /// changes do not cause ten times the runs.
  @Test func location() throws {
    let few = try Trial("location", devices: 40)
    let many = try Trial("location", devices: 40, "kinds.nearby.location_changes_per_day=60")
    let none = try Trial("location", devices: 40, "kinds.nearby.location_changes_per_day=0")
    for row in 0..<many.devices.rowCount { #expect(many.devices[row, runs: .location] <= many.devices[row, .views]) }
    #expect(none.runsPerDay(.location) == 0)
    #expect(few.runsPerDay(.location) < 6)
    #expect(many.runsPerDay(.location) < 8 * few.runsPerDay(.location))
    #expect(many.runsPerDay(.policy) < few.runsPerDay(.policy))
  }

  /// With sessions only at noon, a protected widget reloads only at noon: no scheduled run starts while locked.
  @Test func bankProtected() throws {
    let noon = "fleet.cohorts.clients.person.hours=[0,0,0,0,0,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,0,0,0]"
    let settings = [noon, "fleet.cohorts.clients.person.unlocks_per_day=5", "fleet.cohorts.clients.person.session=60s"]
    let locked = try Trial("bank-protected", devices: 60, settings: settings)
    // 12:00 in Berlin is 11:00 UTC; a session after the last unlock before 13:00 may have to wait for the previous one
    // to end.
    #expect(locked.arrivals(minutes: 660..<730) == Int(locked.requests))
    #expect(locked.requests > 60)
    let open = try Trial("bank-protected", devices: 60, settings: settings + ["kinds.balance.protected=false"])
    #expect(open.arrivals(minutes: 0..<660) > 60)
  }

  /// The charged runs of 4 days are at most the initial balance (below C), 4 C, and a charger's credit of 2. An app
  /// that calls every minute uses nearly all of them.
  @Test func reloadStorm() throws {
    let trial = try Trial(
      "reload-storm", devices: 4, "clock.warmup=0s", "clock.duration=4d", "os.budget.capacity=10/day")
    let devices = trial.devices
    for row in 0..<devices.rowCount {
      #expect(devices[row, .charged] <= devices[row, .instances] * (10 + 4 * 10 + 2))
      #expect(devices[row, .charged] >= devices[row, .instances] * 3 * 10)
    }
    // Calls made a minute ago are due sooner than the widget's own 4 hours.
    #expect(trial.runsPerDay(.policy) < 0.01)
    #expect(trial.runsPerDay(.background) > 9)
  }

  /// Every run is a request; with a one-hour cache, a day has at most 25 cold spells, with each widget once per spell.
  @Test func f1NoCache() throws {
    let plain = try Trial("f1-no-cache", devices: 30, "clock.warmup=1d")
    let runs = plain.result.replications[0].groups[0].runs.reduce(0, +)
    #expect(abs(plain.requests - runs) <= 1)
    #expect(plain.requests > 100 * 30)
    let cached = try Trial("f1-no-cache", devices: 30, "clock.warmup=1d", "kinds.races.cache.ttl=1h")
    for row in 0..<cached.devices.rowCount {
      #expect(cached.devices[row, .requests] <= 25 * cached.devices[row, .instances])
    }
    #expect(plain.requests > 4 * cached.requests)
  }

  /// In the long run there are at most C charged runs a day, and nearly that many, because the widget never has enough.
  @Test func glucose() throws {
    let trial = try Trial(
      "glucose-5min", devices: 5, "clock.warmup=0s", "clock.duration=12d", "os.budget.capacity=50/day")
    let devices = trial.devices
    for row in 0..<devices.rowCount { #expect(devices[row, .charged] <= 50 + 12 * 50 + 2) }
    #expect(trial.chargedPerDay > 0.95 * 50)
    let off = try Trial("glucose-5min", devices: 5, "clock.warmup=1d", "os.budget.model=off")
    #expect(off.chargedPerDay > 100)
    #expect(off.staleShare < trial.staleShare)
  }

  /// Nothing comes before the kick-off at 17:00 UTC; if the budget is the limit, two widgets get twice as many runs as
  /// one.
  @Test func sportsMatch() throws {
    let both = try Trial("sports-match", devices: 40, "clock.warmup=3d", "os.budget.capacity=4/day")
    let one = try Trial(
      "sports-match", devices: 40, "clock.warmup=3d", "os.budget.capacity=4/day",
      "fleet.cohorts.fans.widgets=[{kind: team}]")
    #expect(both.arrivals(minutes: 0..<17 * 60) == 0)
    #expect(both.arrivals(minutes: 17 * 60..<20 * 60) * 10 > 9 * Int(both.requests))
    #expect(one.result.replications[0].groups[0].waits[Int(WaitReason.budget.rawValue)].count > 0)
    #expect(abs(both.chargedPerDay - one.chargedPerDay) < 0.05 * one.chargedPerDay)
  }

  /// The misses of one cache are 30 min apart, and in each cold spell both weather widgets of a phone miss at most
  /// once.
  @Test func benchCity() throws {
    let trial = try Trial("bench-city", devices: 40)
    let devices = trial.devices
    for row in 0..<devices.rowCount where devices[row, .kind] == 0 {
      #expect(devices[row, .instances] == 2)
      #expect(devices[row, .requests] <= 2 * 49)
    }
  }
}
