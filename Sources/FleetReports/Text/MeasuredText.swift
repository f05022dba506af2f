import Scenario
import SimulationKernel

/// What a profile has measured, in words.
enum MeasuredText {
  /// Its constants that hold: those that no key under `os` gives.
  static func inForce(_ scenario: Scenario) -> [MeasuredConstant] {
    (scenario.profile?.constants ?? []).filter { !scenario.givenConstants.contains($0.constant) }
  }

  /// `profile ios-lab: os.min_spacing 5 min (lab, n = 610, 5 phones)`; empty without a profile that holds.
  static func sentence(_ scenario: Scenario) -> String {
    let measured = inForce(scenario)
    guard let profile = scenario.profile, !measured.isEmpty else { return "" }
    let parts = measured.map { constant in
      "os.\(constant.constant.rawValue) \(value(constant.constant, profile.values)) (\(basis(constant)))"
    }
    return "measured by the profile \(profile.name): " + parts.joined(separator: "; ")
  }

  /// `lab, n = 610, 5 phones`.
  static func basis(_ constant: MeasuredConstant) -> String {
    let number = "n = " + NumberText.whole(Double(constant.observations))
    let phones = constant.phones.map { $0 == 1 ? "1 phone" : NumberText.whole(Double($0)) + " phones" }
    return [constant.method.rawValue, number, phones].compactMap { $0 }.joined(separator: ", ")
  }

  /// A constant as a system has it.
  static func value(_ constant: BracketConstant, _ system: OperatingSystem) -> String {
    switch system.value(of: constant) {
    case let span as TimeAmount: TimeText.span(span)
    case let spans as Distribution<TimeAmount>: Assumption.text(spans)
    case let share as Share: NumberText.percent(share.fraction)
    case let number as Double: NumberText.text(number)
    case let count as Int: NumberText.whole(Double(count))
    default: Assumption.text(system.budget.capacity, cap: system.budget.cap)
    }
  }
}
