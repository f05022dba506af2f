import FleetEngine
import Foundation
import Scenario
import SimulationKernel
import Studies
import Testing

/// What becomes of requested refreshes in every shipped scenario, simulated on a small scale (MODEL.md 8.3).
struct FollowedTests {
  private static var names: [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: Trial.scenarioFolder.path)) ?? []
    return files.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
  }

  @Test(arguments: names)
  func requestedRefreshesAreRunsPlusLosses(_ name: String) throws {
    let result = try Trial(name, devices: 24, "run.replications=1").result
    #expect(Self.names.count > 40)
    for group in result.replications[0].groups {
      let followed = group.followed
      let place = "\(name), kind \(group.kind), cohort \(group.cohort)"
      #expect(followed.milliseconds == group.milliseconds, "\(place): all are followed")
      // This is exact to the last millisecond.
      #expect(followed.sumOfParts == Int128(followed.milliseconds), "\(place)")
      #expect(followed.policyRuns == group.runs[Int(Cause.policy.rawValue)], "\(place)")
      #expect(followed.otherRuns == group.runs.reduce(0, +) - followed.policyRuns, "\(place)")
      #expect(AskedPart.allCases.allSatisfy { $0 == .edges || followed[$0] >= 0 }, "\(place)")
      #expect(Int128(followed[.startDelay]) <= Int128(followed.milliseconds), "\(place)")
      // The part of a refresh at either end of the clock is less than its interval, the longest of which is from
      // Friday's date to Monday's.
      let longest = result.scenario.clock.duration + .days(3)
      #expect(abs(followed[.edges]) <= group.instances * longest.milliseconds, "\(place)")
      // Waits differ from those that end within the clock only by what started or ended outside it.
      for reason in WaitReason.allCases {
        let ended = group.waits[Int(reason.rawValue)].totalMilliseconds
        let part = Int128(followed[AskedPart(reason)])
        let outside = Int128(group.instances) * 7 * 86_400_000
        #expect(abs(part - ended) <= outside, "\(place), \(reason.name)")
      }
    }
    for asked in StoredRun(of: result).asked where asked[.asks] != nil {
      let sum = AskedRow.losses.reduce(asked[.policy] ?? 0) { $0 + (asked[$1] ?? 0) }
      #expect(abs(sum - (asked[.asks] ?? 0)) < 1e-7 * max(sum, 1), "\(name)")
    }
  }

  /// after(15 min), start delay U(0, 15 min), nothing withheld (MODEL.md 9): 96 are requested; the delay costs half a
  /// cycle of 22.5 min and its run.
  @Test func analyticCase() throws {
    let result = try Trial(
      "bench-renewal", devices: 40, "kinds.feed.reload.after=15min", "os.budget.model=off", "clock.duration=10d",
      "os.start_delay.policy={uniform: 0s..15min}"
    ).result
    let asked = try #require(StoredRun(of: result).asked.first)
    let days = asked.seconds / 86_400
    #expect(abs((asked[.asks] ?? 0) - 96) < 1e-6)
    let running = asked[.part(.running)] ?? 0
    // The mean of n uniform delays has standard error 15 min / sqrt(12 n), here with n = 64 a day.
    let error = 15 / (12 * 64 * days).squareRoot() / 15 * 64
    let delay = asked[.part(.startDelay)] ?? 0
    #expect(abs(delay - (96 - running) / 3) < 4.5 * error + 0.05)
    #expect(abs((asked[.policy] ?? 0) - (96 - running) * 2 / 3) < 4.5 * error + 0.05)
  }
}
