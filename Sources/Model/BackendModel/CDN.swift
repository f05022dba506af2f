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

/// The keys that a CDN holds, as a fluid of popularity classes (MODEL.md 6.6).
package struct FreshKeys: Sendable {
  private let isCollapsing: Bool
  private var classes: [KeyClassState]
  /// What becomes of the present step's requests before the origin.
  private(set) var shares = EdgeShares()

  package init(_ plan: CDNPlan, grid: StepGrid) {
    isCollapsing = plan.isCollapsing
    let steps = KeySteps(plan, grid: grid)
    classes = plan.classes.indices.map { KeyClassState(plan.classes[$0], steps) }
    shares = total
  }

  /// Returns the origin requests that the present step's requests make.
  package mutating func misses(of arrivals: Int64) -> Double {
    var misses = 0.0
    for index in classes.indices { misses += classes[index].misses(of: arrivals, isCollapsing: isCollapsing) }
    return misses
  }

  /// Ends the present step.
  ///
  /// - Parameter answered: the share of its origin requests that are answered.
  package mutating func close(_ arrivals: Int64, answered: Share) {
    for index in classes.indices { classes[index].close(arrivals, answered: answered, isCollapsing: isCollapsing) }
    shares = total
  }

  private var total: EdgeShares {
    var sum = EdgeShares()
    for index in classes.indices { classes[index].add(to: &sum) }
    return sum
  }

  /// 1 - (1 - p)^n: the share of keys that at least one of n requests touches, if each touches a key with p.
  ///
  /// By squaring, from the highest bit of n down, on w = 1 - (1 - p)^m: doubling m makes w (2 - w), one more makes
  /// w + p (1 - w). Small shares keep their precision, as they would not in 1 - p; the same bits on every machine.
  static func share(touchedBy count: Int64, each p: Double) -> Double {
    guard count > 0 else { return 0 }
    var share = 0.0
    for bit in (0..<(Int64.bitWidth - count.leadingZeroBitCount)).reversed() {
      share = share * (2 - share)
      if count >> Int64(bit) & 1 == 1 { share += p * (1 - share) }
    }
    return min(share, 1)
  }
}

/// Shares of all requests, by what the CDN does with them; the rest are hits.
struct EdgeShares: Equatable {
  /// Ask the origin: their key is open.
  var misses = 0.0
  /// Ask the origin, and have a copy to fall back on.
  var missesWithCopy = 0.0
  /// Meet an error that the CDN remembers, without a copy.
  var errors = 0.0
  /// Meet such an error, and get a copy in its place.
  var copies = 0.0

  /// The share of all requests that get a copy, where this share of the origin requests fails.
  func staleAnswers(failing: Double) -> Double { copies + missesWithCopy * failing }
}

/// The keys of one popularity class as a fluid: fresh, remembering an error, or open, and how many of those that are
/// not fresh have a copy (MODEL.md 6.6).
///
/// States are kept in units of 2^-24 of a key, so that what expires is exactly what was fetched.
struct KeyClassState {
  /// Keys of the class, in units.
  private let all: Int64
  /// Share of all requests that ask for one of its keys, and for a given key.
  private let share: Double
  private let touch: Double
  /// By step: units fetched that are still fresh.
  private var fetched: StepRing<Int64>
  private var fresh: Int64 = 0
  /// By step: units whose fetch failed and that remember it.
  private var failed: StepRing<Int64>
  private var erring: Int64 = 0
  private var copies: KeyCopies
  /// Open keys that the present step's requests ask for.
  private var touched = 0.0

  private static let unitsPerKey: Int64 = 1 << 24

  init(_ plan: KeyClass, _ steps: KeySteps) {
    all = plan.keys * Self.unitsPerKey
    share = plan.share
    touch = plan.share / Double(plan.keys)
    fetched = StepRing(repeating: 0, count: steps.fresh)
    failed = StepRing(repeating: 0, count: steps.errors)
    copies = KeyCopies(steps: steps.copies)
  }

  /// Returns the origin requests that the requests of a step, for all classes together, make here.
  mutating func misses(of arrivals: Int64, isCollapsing: Bool) -> Double {
    let open = Self.keys(all - fresh - erring)
    touched = open * FreshKeys.share(touchedBy: arrivals, each: touch)
    return isCollapsing ? touched : Double(arrivals) * (share * (open / Self.keys(all)))
  }

  /// Ends the step whose misses were counted; this share of them is answered.
  mutating func close(_ arrivals: Int64, answered: Share, isCollapsing: Bool) {
    let found =
      isCollapsing
      ? touched * answered.fraction
      : Self.keys(all - fresh - erring) * FreshKeys.share(touchedBy: arrivals, each: touch * answered.fraction)
    keep(found: found, failed: touched - found)
  }

  private mutating func keep(found: Double, failed lost: Double) {
    let stale = all - fresh
    let found = Self.units(found, atMost: stale - erring)
    let lost = failed.isEmpty ? 0 : Self.units(lost, atMost: stale - erring - found)
    let expired = fetched.turn(found)
    copies.turn(expired, fetched: found, of: stale)
    fresh += found - expired
    erring += lost - failed.turn(lost)
  }

  /// Adds what the class does to the present step's requests.
  func add(to shares: inout EdgeShares) {
    // A share of all is exact, so that those of all classes add up to 1.
    let open = share * (Double(all - fresh - erring) / Double(all))
    let erring = share * (Double(erring) / Double(all))
    let withCopy = copies.share(of: all - fresh)
    shares.misses += open
    shares.missesWithCopy += open * withCopy
    shares.errors += erring * (1 - withCopy)
    shares.copies += erring * withCopy
  }

  private static func keys(_ units: Int64) -> Double { Double(units) / Double(unitsPerKey) }

  private static func units(_ keys: Double, atMost most: Int64) -> Int64 {
    min(Int64(max(keys, 0) * Double(unitsPerKey) + 0.5), most)
  }
}

/// Units of keys that are not fresh and whose last answer is still young enough to stand in for a failure.
///
/// A fetch takes keys of every age alike. What entered is therefore kept as a multiple of `left`, which falls with each
/// fetch, and no step has to go through all ages.
struct KeyCopies {
  private var entered: StepRing<Double>
  /// Sum of `entered`.
  private var sum = 0.0
  /// The part of what entered with a `left` of 1 that was not fetched since.
  private var left = 1.0

  /// - Parameter steps: how long a copy lasts after its ttl.
  init(steps: Int) { entered = StepRing(repeating: 0, count: steps) }

  /// Closes a step in which `fetched` of the units that were not fresh were fetched, and after which others expired.
  mutating func turn(_ expired: Int64, fetched: Int64, of stale: Int64) {
    guard !entered.isEmpty else { return }
    if fetched > 0 { left *= Double(stale - fetched) / Double(stale) }
    if left < 0x1p-400 { rescale() }
    let new = Double(expired) / left
    sum += new - entered.turn(new)
    // What sums and differences leave over is gone after every round.
    if entered.isAtStart { sum = entered.values.reduce(0, +) }
  }

  private mutating func rescale() {
    for index in entered.values.indices { entered.values[index] *= left }
    sum = entered.values.reduce(0, +)
    left = 1
  }

  /// Share that has a copy, among so many units that are not fresh.
  func share(of stale: Int64) -> Double {
    stale > 0 ? min(max(sum * left / Double(stale), 0), 1) : 0
  }
}

/// A value for each of the last steps, round and round.
struct StepRing<Value: Sendable>: Sendable {
  fileprivate(set) var values: [Value]
  private var place = 0

  init(repeating value: Value, count: Int) { values = Array(repeating: value, count: count) }

  var isEmpty: Bool { values.isEmpty }
  /// Whether the next value takes the first place.
  var isAtStart: Bool { place == 0 }

  /// Puts in the value of a step and returns the one that is as many steps older as there are places.
  mutating func turn(_ value: Value) -> Value {
    guard !values.isEmpty else { return value }
    let old = values[place]
    values[place] = value
    place = place + 1 < values.count ? place + 1 : 0
    return old
  }
}
