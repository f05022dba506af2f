import Scenario
import Testing

@testable import FleetEngine

/// Pushes to some cohorts (MODEL.md 4.2 and 9) reach all their phones, or a proportion of these, and no others.
@Suite struct PushCohortTests {
  /// Returns two cohorts of unused phones, with 250 and 750 devices, whose widgets request nothing by themselves.
  private static func sample(_ push: String, timing: String = "at: 2027-01-18T10:00:00Z, ") -> FleetSample {
    var sample = FleetSample(devices: 1_000)
    sample.kinds = "{k: {reload: never, requests: [{endpoint: api}]}}"
    sample.cohorts =
      "["
      + [("readers", 25), ("others", 75)].map { name, share in
        "{name: \(name), share: \(share)%, zones: {UTC: 100%}, person: {unlocks_per_day: 0}, network: wifi, "
          + "power: mains, widgets: [{kind: k}]}"
      }.joined(separator: ", ") + "]"
    sample.events = "[{name: p, \(timing)push: {\(push)}}]"
    return sample
  }

  /// Returns the number of refreshes from pushes, for the readers and for the others.
  private static func runs(_ sample: FleetSample) throws -> [Int64] {
    let result = try sample.replication()
    return [0, 1].map { cohort in
      let causes = [Cause.background, .widgetPush]
      return result.groups.filter { $0.cohort == cohort }.reduce(0) { sum, group in
        sum + causes.reduce(0) { $0 + group.runs[Int($1.rawValue)] }
      }
    }
  }

  /// A whole audience reaches every phone of the cohort once, and no other phone.
  @Test(arguments: ["type: silent, kinds: all", "type: widget"]) func pushReachesTheWholeCohort(type: String) throws {
    #expect(try Self.runs(Self.sample("\(type), cohorts: [readers]")) == [250, 0])
    #expect(try Self.runs(Self.sample("\(type), cohorts: [others]")) == [0, 750])
    #expect(try Self.runs(Self.sample("\(type), cohorts: [others, readers]")) == [250, 750])
    #expect(try Self.runs(Self.sample(type)) == [250, 750])
  }

  /// The audience is a proportion of the cohort's phones: Binomial(750, 40 %), with deviation 13.4.
  ///
  /// Its members are the same as without the key.
  @Test func pushReachesAShareOfTheCohort() throws {
    let push = "type: silent, kinds: all, audience: 40%"
    let some = try Self.runs(Self.sample(push + ", cohorts: [others]"))
    #expect(some[0] == 0 && abs(Double(some[1]) - 300) < 4.5 * 13.5)
    #expect(try Self.runs(Self.sample(push))[1] == some[1])
  }

  /// A Poisson process runs on each phone of the cohort only: 250 x 6 pushes, at most three of them delivered per hour.
  @Test func perPhonePushesReachOnlyTheCohort() throws {
    let runs = try Self.runs(
      Self.sample("type: widget, per_device_per_day: 6, cohorts: [readers]", timing: ""))
    #expect(runs[1] == 0 && abs(Double(runs[0]) - 1_500) < 4.5 * 38.8)
  }

  /// Listing all cohorts changes no draw.
  @Test func namingAllCohortsChangesNoDraw() throws {
    let push = "type: silent, kinds: all, audience: 30%, over: 1h"
    let (named, plain) = (Self.sample(push + ", cohorts: [readers, others]"), Self.sample(push))
    #expect(try named.replication().requestsPerMinute == plain.replication().requestsPerMinute)
  }
}
