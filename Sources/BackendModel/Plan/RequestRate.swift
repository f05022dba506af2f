public import SimulationKernel

/// Requests per second.
public struct RequestRate: BitwiseCopyable, Hashable, Comparable, Sendable {
  /// Not negative; infinite for what has no limit.
  public var perSecond: Double

  public init(perSecond: Double) {
    precondition(perSecond >= 0, "a rate is not negative")
    self.perSecond = perSecond
  }

  public static let zero = RequestRate(perSecond: 0)
  public static let unlimited = RequestRate(perSecond: .infinity)

  /// Requests at this rate over a span: one product, then one quotient, each rounded to nearest.
  public func requests(in span: TimeAmount) -> Double { perSecond * Double(span.milliseconds) / 1_000 }

  public static func < (left: RequestRate, right: RequestRate) -> Bool { left.perSecond < right.perSecond }
}
