public import SimulationKernel

/// A cache in front of an endpoint (MODEL.md 6.6).
public struct CDNPlan: BitwiseCopyable, Sendable {
  /// The different answers, at most 2^38 in all.
  public var classes: PreparedList<KeyClass>
  /// The span for which an answer stays fresh after the step in which it was fetched.
  public var ttl: TimeAmount
  /// Whether all misses of a key in a step make one origin request.
  public var isCollapsing: Bool
  /// The span after its ttl in which an answer may replace a failed fetch; zero: none.
  public var staleIfError: TimeAmount
  /// The span after a failed fetch in which the key is not fetched again; zero: the next step fetches it.
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

  /// Returns the bytes of its state on a step grid.
  public func bytes(on grid: StepGrid) -> Int {
    let steps = KeySteps(self, grid: grid)
    return classes.count * (steps.fresh + steps.copies + steps.errors) * MemoryLayout<Int64>.stride
  }
}

/// Keys with equal request rates.
public struct KeyClass: BitwiseCopyable, Hashable, Sendable {
  /// The number of keys, at most 2^38.
  public var keys: Int64
  /// The share of all requests that are for one of its keys.
  public var share: Double

  public init(keys: Int64, share: Double) {
    precondition(keys >= 1 && keys <= 1 << 38 && share >= 0 && share <= 1, "a class has keys, and a share of requests")
    self.keys = keys
    self.share = share
  }
}

/// The spans of a CDN in steps, counted from the step after the fetch.
struct KeySteps {
  /// The number of steps for which a fetched answer stays fresh.
  let fresh: Int
  /// The number of steps afterwards for which its copy lasts.
  let copies: Int
  /// The number of steps for which a failed fetch is remembered.
  let errors: Int

  /// Counts the steps that start before the span has passed since the end of the step of the fetch.
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
  /// The shares of the present step's requests by their treatment before the origin.
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

  /// Returns 1 - (1 - p)^n: the share of keys that n requests touch at least once, if each touches a key with p.
  ///
  /// Squares w = 1 - (1 - p)^m from the highest bit of n down: doubling m makes w (2 - w), one more makes w + p (1 -
  /// w). Small shares keep their precision, as they would not in 1 - p. All machines give the same bits.
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

/// Shares of all requests by the CDN's treatment; the rest are hits.
struct EdgeShares: Equatable {
  /// Misses without a copy, which go to the origin: their key is open.
  var misses = 0.0
  /// Misses with a copy, which go to the origin and fall back on the copy.
  var missesWithCopy = 0.0
  /// Requests that get a remembered error, without a copy.
  var errors = 0.0
  /// Requests with a remembered error that get a copy instead.
  var copies = 0.0

  /// Returns the share of all requests that get a copy when this share of the origin requests fails.
  func staleAnswers(failing: Double) -> Double { copies + missesWithCopy * failing }
}

/// The keys of one popularity class as a fluid: fresh, remembering an error, or open (MODEL.md 6.6).
///
/// It also counts the keys that are not fresh but have a copy. Amounts are kept in units of 2^-24 of a key, so that
/// exactly the fetched units expire.
struct KeyClassState {
  /// The keys of the class, in units.
  private let all: Int64
  /// The share of all requests that are for one of its keys, and that for a given key.
  private let share: Double
  private let touch: Double
  /// The fetched units that are still fresh, by step.
  private var fetched: StepRing<Int64>
  private var fresh: Int64 = 0
  /// The units that remember a failed fetch, by step.
  private var failed: StepRing<Int64>
  private var erring: Int64 = 0
  private var copies: KeyCopies
  /// The open keys requested in the present step.
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

  /// Ends the step whose misses were counted; `answered` is the share of them that is answered.
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

  /// Adds the class's effect on the present step's requests.
  func add(to shares: inout EdgeShares) {
    // A share of `all` is exact, so that the shares of all classes add up to 1.
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

/// Units of keys that are not fresh but whose last answer can still replace a failure.
///
/// A fetch takes keys of every age alike. Entries are therefore kept as a multiple of `left`, which falls with each
/// fetch, so that no step has to visit all ages.
struct KeyCopies {
  private var entered: StepRing<Double>
  /// The sum of `entered`.
  private var sum = 0.0
  /// The part that has not been fetched since, of an entry made at a `left` of 1.
  private var left = 1.0

  /// Creates a ring of copies.
  ///
  /// - Parameter steps: the number of steps for which a copy lasts after its ttl.
  init(steps: Int) { entered = StepRing(repeating: 0, count: steps) }

  /// Closes a step with `fetched` of the `stale` units fetched, and `expired` units added afterwards.
  mutating func turn(_ expired: Int64, fetched: Int64, of stale: Int64) {
    guard !entered.isEmpty else { return }
    if fetched > 0 { left *= Double(stale - fetched) / Double(stale) }
    if left < 0x1p-400 { rescale() }
    let new = Double(expired) / left
    sum += new - entered.turn(new)
    // A new sum in every round removes the rounding errors of sums and differences.
    if entered.isAtStart { sum = entered.values.reduce(0, +) }
  }

  private mutating func rescale() {
    for index in entered.values.indices { entered.values[index] *= left }
    sum = entered.values.reduce(0, +)
    left = 1
  }

  /// Returns the share of the `stale` units that has a copy.
  func share(of stale: Int64) -> Double {
    stale > 0 ? min(max(sum * left / Double(stale), 0), 1) : 0
  }
}

/// A ring with a value for each of the last steps.
struct StepRing<Value: Sendable>: Sendable {
  fileprivate(set) var values: [Value]
  private var place = 0

  init(repeating value: Value, count: Int) { values = Array(repeating: value, count: count) }

  var isEmpty: Bool { values.isEmpty }
  /// Whether the next value goes to the first slot.
  var isAtStart: Bool { place == 0 }

  /// Stores the value of a step and returns the one that it replaces, `count` steps older.
  mutating func turn(_ value: Value) -> Value {
    guard !values.isEmpty else { return value }
    let old = values[place]
    values[place] = value
    place = place + 1 < values.count ? place + 1 : 0
    return old
  }
}
