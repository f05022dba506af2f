import Scenario
import Testing

@testable import ScenarioFiles

/// Numbers without a unit: 0 is the same in every unit, and shares without % get numbers that add up.
@Suite struct BareNumberTests {
  /// One metric for each unit.
  @Test(arguments: [
    "overload_seconds == 0", "failures == 0", "stale_views <= 0", "peak_rps <= 0", "bytes_down == 0",
    "energy_per_day <= 0", "battery_percent_per_day <= 0", "runs_per_day > 0", "budget_exhausted_hour >= 0",
    "peak_to_mean > 0", "lateness >= 0",
  ]) func zeroNeedsNoUnitInAGoal(assertion: String) throws {
    let file = Fixable(text: Samples.minimal + "goals: [{id: a, assert: \"\(assertion)\"}]\n")
    let scenario = try #require(file.outcome.scenario, "\(file.outcome.diagnostics.humanText)")
    #expect(scenario.goals[0].limit == .value(0))
  }

  /// Keys of each type, with their values in the resolved scenario.
  @Test(arguments: [
    ("clock.warmup", "0s"), ("kinds.weather.jitter", "0s"), ("os.start_delay.policy", "0s"),
    ("os.min_spacing", "0s"), ("kinds.weather.requests", nil),
  ]) func zeroNeedsNoUnitInAKey(path: String, canonical: String?) {
    let file = Fixable(text: Samples.minimal, settings: ["\(path)=0"])
    // Only values that are not quantities are refused.
    #expect((file.outcome.scenario != nil) == (canonical != nil), "\(file.outcome.diagnostics.humanText)")
    guard let canonical else { return }
    let same = Fixable(text: Samples.minimal, settings: ["\(path)=\(canonical)"])
    #expect(file.outcome.scenario?.resolvedText == same.outcome.scenario?.resolvedText)
  }

  /// For each possible meaning of a number without %, the shares add up with the suggested text.
  @Test(arguments: [
    ("{Europe/Berlin: 1}", ["100%"]), ("{Europe/Berlin: 100}", ["100%"]), ("{Europe/Berlin: 0.5}", ["100%"]),
    ("{Europe/Berlin: 1, Europe/Paris: 1}", ["50%", "50%"]), ("{Europe/Berlin: 60, Europe/Paris: 40}", ["60%", "40%"]),
    ("{Europe/Berlin: 0.6, Europe/Paris: 0.4}", ["60%", "40%"]), ("{Europe/Berlin: 60%, Europe/Paris: 40}", ["40%"]),
    ("{Europe/Berlin: 60%, Europe/Paris: 0.4}", ["40%"]), ("{Europe/Berlin: 1, Europe/Paris: 0}", ["100%"]),
    ("{Europe/Berlin: 1, Europe/Paris: 1, Asia/Tokyo: 1}", ["33.333333333%", "33.333333333%", "33.333333333%"]),
  ]) func suggestedSharesAddUp(zones: String, meant: [String]) throws {
    var file = Fixable(text: Samples.minimal.replacing("{Europe/Berlin: 100%}", with: zones))
    try #require(file.text.contains(zones))
    let found = file.outcome.diagnostics
    #expect(found.allSatisfy { $0.code == .unitMissing }, "\(found.humanText)")
    #expect(found.map { $0.advice?.repairs } == meant.map { [.replace($0)] }, "\(found.humanText)")
    // The order is from the end, so that positions stay valid.
    for diagnostic in found.sorted(by: { ($0.column ?? 0) > ($1.column ?? 0) }) {
      let repair = try #require(diagnostic.advice?.repairs.first)
      file = try #require(file.repaired(diagnostic, by: repair).first)
    }
    #expect(file.outcome.diagnostics.isEmpty, "\(file.outcome.diagnostics.humanText)")
  }

  /// Shares cannot add up next to more than 100 %, or next to an unreadable share.
  @Test(arguments: ["{Europe/Berlin: 100%, Europe/Paris: 1}", "{Europe/Berlin: x%, Europe/Paris: 1}"])
  func ambiguousShareGetsAPercentSign(zones: String) {
    let file = Fixable(text: Samples.minimal.replacing("{Europe/Berlin: 100%}", with: zones))
    let repairs = file.outcome.diagnostics.flatMap { $0.advice?.repairs ?? [] }
    #expect(repairs.contains(.replace("1%")), "\(file.outcome.diagnostics.humanText)")
  }
}
