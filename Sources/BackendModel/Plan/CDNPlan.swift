public import SimulationKernel

/// A cache in front of an endpoint (MODEL.md 6.6).
public struct CDNPlan: BitwiseCopyable, Sendable {
  /// Different answers; at most 2^38 in all.
  public var classes: PreparedList<KeyClass>
  /// How long an answer stays fresh after the step in which it was fetched.
  public var ttl: TimeAmount
  /// One origin request for all misses of a key in a step.
  public var isCollapsing: Bool
  /// How long after its ttl an answer may stand in for a fetch that fails; zero: never.
  public var staleIfError: TimeAmount
  /// How long a key whose fetch failed is not fetched again; zero: the next step asks again.
  public var errorTTL: TimeAmount

  public init(
    classes: PreparedList<KeyClass>, ttl: TimeAmount, isCollapsing: Bool, staleIfError: TimeAmount = .zero,
    errorTTL: TimeAmount = .zero
  ) {
    precondition(ttl > .zero && staleIfError >= .zero && errorTTL >= .zero, "a cache keeps its keys")
    self.classes = classes
    self.ttl = ttl
    self.isCollapsing = isCollapsing
    self.staleIfError = staleIfError
    self.errorTTL = errorTTL
  }

  /// Bytes that its state takes in a world of so many steps.
  public func bytes(on grid: StepGrid) -> Int {
    let steps = KeySteps(self, grid: grid)
    return classes.count * (steps.fresh + steps.copies + steps.errors) * MemoryLayout<Int64>.stride
  }
}

/// Keys that are asked for equally often.
public struct KeyClass: BitwiseCopyable, Hashable, Sendable {
  /// At most 2^38.
  public var keys: Int64
  /// Share of all requests that ask for one of its keys.
  public var share: Double

  public init(keys: Int64, share: Double) {
    precondition(keys >= 1 && keys <= 1 << 38 && share >= 0 && share <= 1, "a class has keys, and a share of requests")
    self.keys = keys
    self.share = share
  }
}

/// The spans of a CDN in steps: what a step leaves behind holds for so many steps from the next one on.
struct KeySteps {
  /// Steps for which what was fetched stays fresh.
  let fresh: Int
  /// Steps afterwards for which its copy lasts.
  let copies: Int
  /// Steps for which a fetch that failed is remembered.
  let errors: Int

  /// A step counts if it begins before the span has passed since the end of the step that fetched or failed.
  init(_ plan: CDNPlan, grid: StepGrid) {
    func steps(_ span: TimeAmount) -> Int {
      min(Int(-(-span.milliseconds).floorDivided(by: grid.length.milliseconds)), max(grid.count, 1))
    }
    fresh = steps(plan.ttl)
    copies = steps(plan.ttl + plan.staleIfError) - fresh
    errors = steps(plan.errorTTL)
  }
}
