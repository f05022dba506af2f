import FleetEngine
import Scenario
import Testing

/// The findings in the comments of Ivi's scenarios: bounds for each phone, and the same people with different code.
@Suite struct IviTests {
  private static let requestsPerMiss: Int64 = 7

  /// Nothing empties the cache: the misses of two cold spells are 6 h apart, so a day has at most 5 spells. In each, a
  /// widget of the phone misses at most once, however often people tap.
  @Test(arguments: ["ivi-continue-watching", "ivi-recommendations"]) func cacheBoundsEachPhone(name: String) throws {
    let devices = try Trial(name, devices: 60, "app.reloads=none").devices
    for row in 0..<devices.rowCount {
      #expect(devices[row, .requests] <= 5 * devices[row, .instances] * Self.requestsPerMiss)
    }
    let taps = (0..<devices.rowCount).reduce(0) { $0 + devices[$1, runs: .tap] }
    #expect(taps > 40 * Int64(devices.rowCount))
  }

  /// Without a cache every run sends all its requests; those of a run near the start or end of the day may arrive
  /// outside it.
  @Test func withoutCacheEveryRunSendsRequests() throws {
    let trial = try Trial("ivi-no-cache", devices: 60)
    let runs = trial.result.replications[0].groups[0].runs.reduce(0, +)
    #expect(abs(trial.requests - Self.requestsPerMiss * runs) <= Self.requestsPerMiss)
  }

  /// Comparing the same people with and without a cache: most of the earlier load came from taps, which now cost the
  /// servers nothing.
  @Test func cacheSavesAtLeastTheTapRequests() throws {
    let cached = try Trial("ivi-continue-watching", devices: 60)
    let plain = try Trial("ivi-no-cache", devices: 60)
    #expect(cached.runsPerDay(.tap) == plain.runsPerDay(.tap))
    #expect(plain.requests > 7 * cached.requests)
    #expect(plain.requests(because: .tap) * 100 > 80 * plain.requests)
    #expect(cached.requests(because: .tap) * 100 < 30 * cached.requests)
  }

  /// With a cache, taps cost almost nothing: without them the load is the same to within 20 %.
  @Test func tapsWithCacheOnlyShiftTheSchedule() throws {
    let tapped = try Trial("ivi-continue-watching", devices: 60)
    let untapped = try Trial("ivi-continue-watching", devices: 60, "kinds.continue-watching.taps=none")
    #expect(abs(tapped.requests - untapped.requests) * 5 < untapped.requests)
    #expect(tapped.runsPerDay(.policy) < 0.7 * untapped.runsPerDay(.policy))
  }

  /// With a cache that nothing empties and that never expires, each phone and kind misses exactly once.
  @Test func permanentCacheMissesOnce() throws {
    let trial = try Trial(
      "ivi-as-printed", devices: 12, "clock.warmup=0s", "clock.duration=4d", "app.reloads=none",
      "kinds.recommendations.cache.single_flight=true")
    let devices = trial.devices
    for row in 0..<devices.rowCount { #expect(devices[row, .requests] == Self.requestsPerMiss) }
    #expect(trial.result.replications[0].runCount > 12 * 4)
  }

  /// There are as many refreshes as with 6 hours but hardly any requests, and most views show old data.
  @Test func longCacheMakesMostViewsStale() throws {
    let printed = try Trial("ivi-as-printed", devices: 15, "clock.warmup=8d")
    let meant = try Trial("ivi-recommendations", devices: 15, "clock.warmup=8d")
    #expect(printed.requests * 10 < meant.requests)
    #expect(abs(printed.runsPerDay() - meant.runsPerDay()) < 0.1 * meant.runsPerDay())
    #expect(printed.staleShare > 0.8)
    #expect(meant.staleShare < 0.01)
  }
}
