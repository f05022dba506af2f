import Scenario
import SimulationKernel
import Testing

@testable import Studies

/// The first half of the measured days compared with the second.
struct DriftTests {
  @Test func unknownDriftIsNotReported() {
    #expect(Drift(halves: [(100, 200)]) == .oneReplication)
    #expect(Drift(halves: [(0, 0), (0, 0)]) == .noLoad)
  }

  /// Changes of 18, 20 and 22 %: mean 20, standard error 2 / sqrt 3; the 99 % t with 2 degrees of freedom is 9.925.
  @Test func driftBeyondChanceIsReported() throws {
    let drift = Drift(halves: [(100, 118), (100, 120), (100, 122)])
    guard case .drifts(let change) = drift else {
      Issue.record("\(drift)")
      return
    }
    #expect(abs(change - 0.2) < 1e-9)
    guard case .drifts(let fall) = Drift(halves: [(100, 82), (100, 80), (100, 78)]) else {
      Issue.record("a fall is none")
      return
    }
    #expect(abs(fall + 0.2) < 1e-9)
  }

  /// Certain but insignificant, or significant but uncertain.
  @Test(arguments: [[102, 102.1, 101.9], [80, 120, 140]] as [[Double]])
  func otherDriftsAreBounded(second: [Double]) {
    let drift = Drift(halves: second.map { (100, $0) })
    guard case .within(let maximum) = drift else {
      Issue.record("\(drift)")
      return
    }
    let mean = second.reduce(0, +) / 300 - 1
    let deviation = (second.reduce(0) { $0 + ($1 / 100 - 1 - mean) * ($1 / 100 - 1 - mean) } / 2).squareRoot()
    #expect(abs(maximum - (abs(mean) + 9.924_843 * deviation / 3.0.squareRoot())) < 1e-6)
  }
}

/// The days in each half of the comparison.
struct MeasuredHalvesTests {
  /// The first two of 5 days and 7 h are compared with the fourth and fifth.
  @Test func halvesExcludeTheMiddleAndTheRest() {
    let halves = MeasuredHalves(of: .days(5) + .hours(7))
    #expect(halves.days == 2)
    let of: [(hours: Int64, half: Int?)] = [
      (-1, nil), (0, 0), (47, 0), (48, nil), (71, nil), (72, 1), (119, 1), (120, nil), (126, nil),
    ]
    for (hours, half) in of { #expect(halves.half(at: .start + .hours(hours)) == half, "\(hours) h") }
    let steps = halves.steps(of: .hours(1))
    #expect(steps.first == 0..<48 && steps.second == 72..<120)
  }

  @Test func singleDayHasNoHalves() {
    let halves = MeasuredHalves(of: .hours(47))
    #expect(halves.days == 0 && halves.half(at: .start) == nil)
  }
}

/// The rate at which budgets run out.
struct BudgetDriftTests {
  /// - Parameter changes: the change in each replication.
  private func drift(_ changes: [Double?], often: Double = 1) -> Double? {
    let more = SummaryRow(.budgetExhaustedDrift, Labels(), .mean, replications: changes.map { $0.map(Quantity.real) })
    let all = SummaryRow(.budgetExhaustedPerDay, Labels(), .mean, replications: changes.map { _ in .real(often) })
    return Drift.ofBudgets(Summary(rows: [more, all]))
  }

  /// The 99 % t with 2 degrees of freedom is 9.925: 0.2 +- 0.115 is beyond chance, 0.2 +- 0.23 is not.
  @Test func budgetDriftBeyondChanceIsReported() throws {
    #expect(abs(try #require(drift([0.18, 0.2, 0.22])) - 0.2) < 1e-9)
    #expect(abs(try #require(drift([-0.18, -0.2, -0.22])) + 0.2) < 1e-9)
    #expect(drift([0.16, 0.2, 0.24]) == nil)
  }

  /// A change of 5 % of the rate decides nothing; with one replication, or less than two days, nothing is known.
  @Test func insignificantBudgetDriftIsNotReported() {
    #expect(drift([0.18, 0.2, 0.22], often: 5) == nil)
    #expect(drift([0.2]) == nil)
    #expect(drift([nil, nil, nil]) == nil)
    #expect(drift([0, 0, 0], often: 0) == nil)
  }
}
