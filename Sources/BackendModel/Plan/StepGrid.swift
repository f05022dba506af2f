public import SimulationKernel

/// The steps in which backend and devices take turns (MODEL.md 6.1).
public struct StepGrid: BitwiseCopyable, Sendable {
  /// Beginning of the world, before the warm-up, and of step 0.
  public let beginning: Instant
  public let length: TimeAmount
  public let count: Int
  @usableFromInline let divider: Divider

  public init(beginning: Instant, length: TimeAmount, count: Int) {
    precondition(length > .zero && count >= 0, "steps have a length and a number")
    self.beginning = beginning
    self.length = length
    self.count = count
    divider = Divider(by: length.milliseconds)
  }

  /// From the beginning of the first step to the end of the last.
  public var span: Range<Instant> { beginning..<beginning + length * Int64(count) }

  /// The steps from a beginning to an end; the last one may reach beyond it.
  public init(beginning: Instant, end: Instant, length: TimeAmount) {
    let steps = (end - beginning).milliseconds + length.milliseconds - 1
    self.init(beginning: beginning, length: length, count: Int(steps / length.milliseconds))
  }

  /// The step that contains an instant; what lies outside of all belongs to the first or the last.
  @inlinable public func step(containing instant: Instant) -> Int {
    let passed = instant - beginning
    if passed <= .zero { return 0 }
    return max(min(divider.quotient(passed.milliseconds), count &- 1), 0)
  }

  /// The first instant of a step.
  @inlinable public func beginning(of step: Int) -> Instant { beginning + length * Int64(step) }
}

extension StepGrid: Equatable {
  public static func == (left: StepGrid, right: StepGrid) -> Bool {
    left.beginning == right.beginning && left.length == right.length && left.count == right.count
  }
}
