public import SimulationKernel

/// When a phone that nobody uses withholds runs (MODEL.md 4.5).
public struct Idle: BitwiseCopyable, Hashable, Sendable {
  public var after = TimeAmount.hours(2)
  public var giveUp = TimeAmount.hours(4)

  public init() {}

  public init(after: TimeAmount, giveUp: TimeAmount) {
    self.after = after
    self.giveUp = giveUp
  }
}

extension Idle: Keyed {}
