import Testing

@testable import Calibration

/// A log's finding about a key, and its effect on the file's value.
struct KeyFindingTests {
  /// A file with twice the phones of a log without ids takes the log's number, which stays weakly identified.
  @Test func countedPhonesReplaceAnotherScale() {
    let finding = KeyFinding(KeyFinding.scalePath, written: "600", known: 600, .unknown(.noIDs), .count).counting(300)
    #expect(finding.estimate.verdict == .weakly && finding.found == "300")
    #expect(!finding.contradicts)
    let near = KeyFinding(KeyFinding.scalePath, written: "600", known: 600, .unknown(.noIDs), .count).counting(580)
    #expect(near.found == nil)
  }

  private func interval(_ value: Double, _ low: Double, _ high: Double, verdict: Estimate.Verdict = .identified)
    -> Estimate
  {
    Estimate(value, low: low, high: high, verdict: verdict, count: 100)
  }

  @Test func valueConsistentWithTheLogIsKept() {
    let finding = KeyFinding(
      "kinds.weather.reload.after", written: "30min", known: 1_800, interval(1_799.6, 1_798, 1_801), .span)
    #expect(!finding.contradicts && finding.found == nil)
  }

  /// A value that the interval excludes is replaced by the roundest value within it.
  @Test func excludedValueIsReplaced() {
    let finding = KeyFinding(
      "kinds.weather.reload.after", written: "1h", known: 3_600, interval(1_799.6, 1_798, 1_801), .span)
    #expect(finding.owner == .team && finding.contradicts)
    #expect(finding.found == "30min")
  }

  /// Tenths are written without rounding errors: 12 x 0.1 would be 1.2000000000000002.
  @Test func tenthsAreWrittenWithoutRoundingErrors() {
    for (value, text) in [(1.2, "1.2"), (0.3, "0.3"), (110, "110")] {
      #expect(KeyMeasure.number.text(value) == text)
    }
  }

  @Test func unidentifiedValueIsKept() {
    for verdict in [Estimate.Verdict.weakly, .notFromThisLog] {
      let finding = KeyFinding(
        "os.idle.give_up", written: "4h", known: 14_400, interval(7_200, 7_000, 7_400, verdict: verdict), .span)
      #expect(finding.found == nil)
    }
  }

  /// A capacity of 20/s is ruled out if 46/s were served; one of 60/s is not.
  @Test func oneSidedBoundCanContradictAValue() {
    let served = Estimate(nil, low: 46, verdict: .oneSided, count: 100, reason: .neverReached)
    func finding(_ known: Double) -> KeyFinding {
      KeyFinding("backend.endpoints.api.capacity", written: "\(known)/s", known: known, served, .rate)
    }
    #expect(finding(20).contradicts && !finding(60).contradicts)
    #expect(finding(20).found == nil)
  }

  @Test func differentPolicyContradictsAnyNumber() {
    let finding = KeyFinding(
      "kinds.weather.reload.after", written: "1h", known: 3_600, .unknown(.wallMarks), .span, isOtherPolicy: true)
    #expect(finding.contradicts && finding.found == nil)
  }

  /// Tenths of a percent add up to 100 %, with the largest remainders rounded up first.
  @Test func sharesAddUpToOneHundredPercent() {
    #expect(PercentShares.text([("a", 1), ("b", 1), ("c", 1)]) == "{a: 33.4%, b: 33.3%, c: 33.3%}")
    #expect(PercentShares.text([("a", 0.72), ("b", 0.28)]) == "{a: 72%, b: 28%}")
    #expect(PercentShares.percent(0.7214) == "72.1%")
  }

  @Test(arguments: [
    ("kinds.weather.reload.after", KeyOwner.team), ("kinds.weather.taps.per_day", .people), ("fleet.devices", .fleet),
    ("fleet.cohorts.all.zones.Europe/Berlin", .fleet), ("fleet.cohorts.all.person.unlocks_per_day", .people),
    ("os.start_delay.policy", .system), ("backend.endpoints.api.latency.p50", .backend), ("app.opens_per_day", .people),
  ])
  func keysHaveOwners(_ path: String, _ owner: KeyOwner) { #expect(KeyOwner(path: path) == owner) }

  /// Half of the file's hour, to within half a minute: 50 % less, from 50.8 % to 49.2 %.
  @Test func changesAreRelativeToTheFile() throws {
    func finding(_ known: Double?, _ estimate: Estimate) -> KeyFinding {
      KeyFinding("kinds.weather.reload.after", written: "1h", known: known, estimate, .span)
    }
    let change = try #require(finding(3_600, interval(1_800, 1_770, 1_830)).change)
    #expect(change.value == -0.5 && abs(change.low + 183.0 / 360) < 1e-12)
    #expect(abs(try #require(change.high) + 177.0 / 360) < 1e-12)
    #expect(finding(0, interval(1_800, 1_770, 1_830)).change == nil)
    #expect(finding(3_600, .unknown(.noEdge)).change == nil)
  }

  /// 2 above the simulated 8 is four standard errors of 0.5.
  @Test func distancesAreInStandardErrors() {
    func distance(_ error: Double?, from simulated: Double?) -> Double? {
      LogStatistic(kind: "", name: "n", part: "", value: 10, error: error).distance(from: simulated)
    }
    #expect(distance(0.5, from: 8) == 4 && distance(0.5, from: 12) == -4)
    #expect(distance(0, from: 8) == nil && distance(nil, from: 8) == nil && distance(0.5, from: nil) == nil)
  }
}
