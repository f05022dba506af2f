public import SimulationKernel

/// When a phone that nobody uses withholds runs (MODEL.md 4.5).
public struct Idle: BitwiseCopyable, Hashable, Sendable {
  public var after: TimeAmount
  public var giveUp: TimeAmount

  public init(after: TimeAmount, giveUp: TimeAmount) {
    self.after = after
    self.giveUp = giveUp
  }
}
