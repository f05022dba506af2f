package import SimulationKernel

extension SpanHistogram {
  package mutating func record(_ span: TimeAmount) {
    counts[Self.bin(of: span)] += 1
    sumMilliseconds += Int128(span.milliseconds)
  }
}
