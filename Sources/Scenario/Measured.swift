package import SimulationKernel

/// A quantity that distributions are made of.
package protocol Measured: Hashable, Sendable {
  /// In its smallest unit.
  var measure: Double { get }
}

extension TimeAmount: Measured {
  package var measure: Double { Double(milliseconds) }
}

extension RunMillionths: Measured {
  package var measure: Double { Double(count) }
}

extension Double: Measured {
  package var measure: Double { self }
}
