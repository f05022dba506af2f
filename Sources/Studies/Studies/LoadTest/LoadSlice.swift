package import Scenario
package import SimulationKernel

/// A slice of the measured period of one replication, divided into load-test steps.
package struct LoadSlice: Hashable, Sendable {
  package var clock: Clock
  /// The time range, whose bounds are time steps of the clock.
  package var part: Range<Instant>
  /// The length of a load-test step, which is a multiple of the clock's step.
  package var step: TimeAmount

  package init(_ clock: Clock, part: Range<Instant>, step: TimeAmount) {
    (self.clock, self.part, self.step) = (clock, part, step)
  }

  package var length: TimeAmount { part.upperBound - part.lowerBound }

  /// The number of load-test steps. The last one may be shorter than the others.
  package var count: Int { Int((length.milliseconds + step.milliseconds - 1) / step.milliseconds) }

  package func length(ofStep index: Int) -> TimeAmount {
    .milliseconds(min(step.milliseconds, length.milliseconds - Int64(index) * step.milliseconds))
  }

  package func start(ofStep index: Int) -> Instant { part.lowerBound + step * Int64(index) }

  package func end(ofStep index: Int) -> Instant { start(ofStep: index) + length(ofStep: index) }

  /// Returns the clock's time steps within one load-test step.
  package func range(ofStep index: Int) -> Range<Int> {
    timeStep(start(ofStep: index))..<timeStep(end(ofStep: index))
  }

  private func timeStep(_ instant: Instant) -> Int {
    Int(instant.millisecondsSinceStart / clock.step.milliseconds)
  }

  /// Returns one minute. If this would result in more than 1 440 steps, returns a longer span of whole time steps
  /// instead.
  package static func usualStep(_ clock: Clock, part: Range<Instant>) -> TimeAmount {
    let length = part.upperBound - part.lowerBound
    let spans: [TimeAmount] = [.minute, .minutes(5), .minutes(15), .hour, .hours(6)]
    let span = spans.first { $0 * 1_440 >= length } ?? .day
    let steps = (span.milliseconds + clock.step.milliseconds - 1) / clock.step.milliseconds
    return clock.step * max(steps, 1)
  }
}

/// A positive decimal number, stored as a fraction.
package struct LoadFactor: Hashable, Sendable {
  package var numerator: Int128
  package var denominator: Int128

  package static let one = LoadFactor(1, over: 1)

  package init(_ numerator: Int128, over denominator: Int128) {
    (self.numerator, self.denominator) = (numerator, denominator)
  }

  /// Parses a factor from 0.000001 to 1000 with up to six decimals; `nil` for any other string.
  package init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let digits = { (part: Substring) in !part.isEmpty && part.utf8.allSatisfy { (48...57).contains($0) } }
    guard (1...2).contains(parts.count), parts.allSatisfy(digits), parts[0].count <= 4 else { return nil }
    let decimals = parts.count == 2 ? parts[1] : ""
    guard decimals.count <= 6, let numerator = Int128(parts[0] + decimals) else { return nil }
    let denominator = decimals.reduce(Int128(1)) { power, _ in power * 10 }
    guard numerator > 0, numerator <= 1_000 * denominator else { return nil }
    self.init(numerator, over: denominator)
  }
}
