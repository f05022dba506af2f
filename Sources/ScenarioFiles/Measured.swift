import Scenario
import SimulationKernel

/// A quantity that distributions are made of.
protocol Measured: Hashable, Sendable {
  /// In its smallest unit.
  var measure: Double { get }
}

extension TimeAmount: Measured {
  var measure: Double { Double(milliseconds) }
}

extension RunMillionths: Measured {
  var measure: Double { Double(count) }
}

extension Double: Measured {
  var measure: Double { self }
}
