import Testing

@testable import Studies

/// The first half of the measured days against the second.
struct DriftTests {
  @Test func whatCannotBeToldIsNotSaid() {
    #expect(Drift(halves: [(100, 200)]) == .oneReplication)
    #expect(Drift(halves: [(0, 0), (0, 0)]) == .noLoad)
  }

  /// Changes of 18, 20 and 22 %: mean 20, standard error 2 / sqrt 3; t of 99 % with 2 degrees of freedom is 9.925.
  @Test func changesBeyondChanceAreTold() throws {
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

  /// Certain but of no consequence; or of consequence but not certain.
  @Test(arguments: [[102, 102.1, 101.9], [80, 120, 140]] as [[Double]])
  func othersAreBounded(second: [Double]) {
    let drift = Drift(halves: second.map { (100, $0) })
    guard case .within(let most) = drift else {
      Issue.record("\(drift)")
      return
    }
    let mean = second.reduce(0, +) / 300 - 1
    let deviation = (second.reduce(0) { $0 + ($1 / 100 - 1 - mean) * ($1 / 100 - 1 - mean) } / 2).squareRoot()
    #expect(abs(most - (abs(mean) + 9.924_843 * deviation / 3.0.squareRoot())) < 1e-6)
  }
}
