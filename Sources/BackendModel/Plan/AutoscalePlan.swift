public import SimulationKernel

/// A capacity that follows the load (MODEL.md 6.5).
public struct AutoscalePlan: BitwiseCopyable, Hashable, Sendable {
  /// Load over capacity to aim at.
  public var target: Share
  /// Between changes.
  public var delay: TimeAmount
  /// Size of a change, of the capacity.
  public var step: Share
  public var least: RequestRate
  public var most: RequestRate

  public init(target: Share, delay: TimeAmount, step: Share, least: RequestRate, most: RequestRate) {
    self.target = target
    self.delay = delay
    self.step = step
    self.least = least
    self.most = most
  }

  /// The capacity after a window of this load over capacity; a bound never turns a change around.
  func capacity(after present: RequestRate, load: Double) -> RequestRate {
    if load > target.fraction {
      return max(present, min(RequestRate(perSecond: present.perSecond * (1 + step.fraction)), most))
    }
    if load < target.fraction * (1 - step.fraction) {
      return min(present, max(RequestRate(perSecond: present.perSecond * (1 - step.fraction)), least))
    }
    return present
  }
}
