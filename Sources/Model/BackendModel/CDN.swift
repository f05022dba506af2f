public import SimulationKernel

/// A cache in front of an endpoint (MODEL.md 6.6).
public struct CDNPlan: BitwiseCopyable, Sendable {
  /// The popularity classes of the distinct answers; there are at most 2^38 answers in total.
  public var classes: PreparedList<KeyClass>
  /// The time for which an answer stays fresh, measured from the end of the step in which it was fetched.
  public var ttl: TimeAmount
  /// Whether all misses of a key in the same step cause only one request to the origin.
  public var isCollapsing: Bool
  /// The time after the ttl during which a stale answer may replace a failed fetch; zero if stale answers are not used.
  public var staleIfError: TimeAmount
  /// The time after a failed fetch during which the key is not fetched again; zero if the next step may fetch it.
  public var errorTTL: TimeAmount

  public init(
    classes: PreparedList<KeyClass>, ttl: TimeAmount, isCollapsing: Bool, staleIfError: TimeAmount = .zero,
    errorTTL: TimeAmount = .zero
  ) {
    precondition(ttl > .zero && staleIfError >= .zero && errorTTL >= .zero, "a CDN needs a ttl and no negative times")
    self.classes = classes
    self.ttl = ttl
    self.isCollapsing = isCollapsing
    self.staleIfError = staleIfError
    self.errorTTL = errorTTL
  }

  /// Returns the size of the CDN's state on a step grid, in bytes.
  public func bytes(on grid: StepGrid) -> Int {
    let steps = KeySteps(self, grid: grid)
    return classes.count * (steps.fresh + steps.copies + steps.errors) * MemoryLayout<Int64>.stride
  }
}

/// A class of keys that are all requested at the same rate.
public struct KeyClass: BitwiseCopyable, Hashable, Sendable {
  /// The number of keys, at most 2^38.
  public var keys: Int64
  /// The share of all requests that go to keys of this class.
  public var share: Double

  public init(keys: Int64, share: Double) {
    precondition(keys >= 1 && keys <= 1 << 38 && share >= 0 && share <= 1, "a class has keys, and a share of requests")
    self.keys = keys
    self.share = share
  }
}

/// The time spans of a CDN as numbers of steps, counted from the step after the fetch.
struct KeySteps {
  /// The number of steps for which a fetched answer stays fresh.
  let fresh: Int
  /// The number of steps for which a copy of the answer is kept after the answer is no longer fresh.
  let copies: Int
  /// The number of steps for which a failed fetch is remembered.
  let errors: Int

  /// Creates the step counts. Each time span begins at the end of the fetch step and includes every step that starts
  /// within it.
  init(_ plan: CDNPlan, grid: StepGrid) {
    func steps(_ span: TimeAmount) -> Int {
      min(Int(-(-span.milliseconds).floorDivided(by: grid.length.milliseconds)), max(grid.count, 1))
    }
    fresh = steps(plan.ttl)
    copies = steps(plan.ttl + plan.staleIfError) - fresh
    errors = steps(plan.errorTTL)
  }
}

/// The keys in a CDN's cache, grouped into popularity classes and modelled as a fluid (MODEL.md 6.6).
package struct FreshKeys: Sendable {
  private let isCollapsing: Bool
  private var classes: [KeyClassState]
  /// The shares of the current step's requests, grouped by how the CDN handles them before they reach the origin.
  private(set) var shares = EdgeShares()

  package init(_ plan: CDNPlan, grid: StepGrid) {
    isCollapsing = plan.isCollapsing
    let steps = KeySteps(plan, grid: grid)
    classes = plan.classes.indices.map { KeyClassState(plan.classes[$0], steps) }
    shares = total
  }

  /// Returns the number of requests that the CDN sends to the origin in the current step.
  package mutating func misses(of arrivals: Int64) -> Double {
    var misses = 0.0
    for index in classes.indices { misses += classes[index].misses(of: arrivals, isCollapsing: isCollapsing) }
    return misses
  }

  /// Ends the current step and stores the keys that were fetched in it.
  ///
  /// - Parameter answered: the share of the requests to the origin that are answered.
  package mutating func close(_ arrivals: Int64, answered: Share) {
    for index in classes.indices { classes[index].close(arrivals, answered: answered, isCollapsing: isCollapsing) }
    shares = total
  }

  private var total: EdgeShares {
    var sum = EdgeShares()
    for index in classes.indices { classes[index].add(to: &sum) }
    return sum
  }

  /// Returns 1 - (1 - p)^n, the share of keys touched by n requests that each touch a given key with probability p.
  ///
  /// The loop computes w = 1 - (1 - p)^m and reads the bits of n from the highest to the lowest. Doubling m changes w
  /// to w (2 - w), and adding 1 to m changes w to w + p (1 - w). The method preserves the precision of small shares,
  /// which would be lost if 1 - p were computed. Results are bit-identical on all machines.
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

/// The shares of all requests, grouped by how the CDN handles them; the remaining requests are hits.
struct EdgeShares: Equatable {
  /// The share of requests that are misses: their keys are neither fresh nor have a remembered error.
  var misses = 0.0
  /// The share of requests that are misses but for whose keys the CDN has a stale copy.
  var missesWithCopy = 0.0
  /// The share of requests that receive a remembered error because the CDN has no stale copy.
  var errors = 0.0
  /// The share of requests that receive a stale copy instead of a remembered error.
  var copies = 0.0

  /// Returns the share of all requests that receive a stale copy if a share `failing` of the origin requests fails.
  func staleAnswers(failing: Double) -> Double { copies + missesWithCopy * failing }
}

/// The keys of a popularity class, modelled as a fluid: fresh, remembering an error, or open (MODEL.md 6.6).
///
/// The state also includes the stale keys that have a copy. Quantities are in units of 2^-24 of a key, so that exactly
/// as many units expire as were fetched.
struct KeyClassState {
  /// The number of keys in the class, in units of 2^-24 of a key.
  private let all: Int64
  /// The share of all requests that go to this class, divided equally among its keys.
  private let share: Double
  private let touch: Double
  /// The units that were fetched and are still fresh, grouped by the step of the fetch.
  private var fetched: StepRing<Int64>
  private var fresh: Int64 = 0
  /// The units that remember a failed fetch, grouped by the step of the fetch.
  private var failed: StepRing<Int64>
  private var erring: Int64 = 0
  private var copies: KeyCopies
  /// The number of open keys requested in the current step.
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

  /// Returns the number of origin requests for this class that result from the requests of a step, which include those
  /// for other classes.
  mutating func misses(of arrivals: Int64, isCollapsing: Bool) -> Double {
    let open = Self.keys(all - fresh - erring)
    touched = open * FreshKeys.share(touchedBy: arrivals, each: touch)
    return isCollapsing ? touched : Double(arrivals) * (share * (open / Self.keys(all)))
  }

  /// Ends the step that was last passed to `misses`; `answered` is the share of its misses that are answered.
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

  /// Adds this class's contribution to the shares of the current step's requests.
  func add(to shares: inout EdgeShares) {
    // The fractions of `all` are exact, so the shares of all classes add up to 1.
    let open = share * (Double(all - fresh - erring) / Double(all))
    let erring = share * (Double(erring) / Double(all))
    let withCopy = copies.share(of: all - fresh)
    shares.misses += open
    shares.missesWithCopy += open * withCopy
    shares.errors += erring * (1 - withCopy)
    shares.copies += erring * withCopy
  }

  private static func keys(_ units: Int64) -> Double { Double(units) / Double(unitsPerKey) }

  private static func units(_ keys: Double, atMost maximum: Int64) -> Int64 {
    min(Int64(max(keys, 0) * Double(unitsPerKey) + 0.5), maximum)
  }
}

/// The stale keys whose last response can still replace a failed fetch, in units of 2^-24 of a key.
///
/// A fetch reduces the keys of all ages by the same factor. To avoid updating all ages in every step, entries are
/// stored as multiples of `left`, which decreases with each fetch.
struct KeyCopies {
  private var entered: StepRing<Double>
  /// The sum of `entered`.
  private var sum = 0.0
  /// The fraction of an entry stored when `left` was 1 that remains after all fetches since then.
  private var left = 1.0

  /// Creates an empty ring of copies.
  ///
  /// - Parameter steps: the number of steps for which a copy is kept after the answer's ttl.
  init(steps: Int) { entered = StepRing(repeating: 0, count: steps) }

  /// Ends a step in which `fetched` of the `stale` units were fetched, and then adds the `expired` units as copies.
  mutating func turn(_ expired: Int64, fetched: Int64, of stale: Int64) {
    guard !entered.isEmpty else { return }
    if fetched > 0 { left *= Double(stale - fetched) / Double(stale) }
    if left < 0x1p-400 { rescale() }
    let new = Double(expired) / left
    sum += new - entered.turn(new)
    // Recomputing the sum once per round of the ring removes accumulated rounding errors.
    if entered.isAtStart { sum = entered.values.reduce(0, +) }
  }

  private mutating func rescale() {
    for index in entered.values.indices { entered.values[index] *= left }
    sum = entered.values.reduce(0, +)
    left = 1
  }

  /// Returns the share of the `stale` units that have a copy.
  func share(of stale: Int64) -> Double {
    stale > 0 ? min(max(sum * left / Double(stale), 0), 1) : 0
  }
}

/// A ring buffer that stores one value for each of the most recent steps.
struct StepRing<Value: Sendable>: Sendable {
  fileprivate(set) var values: [Value]
  private var place = 0

  init(repeating value: Value, count: Int) { values = Array(repeating: value, count: count) }

  var isEmpty: Bool { values.isEmpty }
  /// Whether the next value goes into the first slot.
  var isAtStart: Bool { place == 0 }

  /// Stores the value of a step and returns the value that it replaces, which is `count` steps older.
  mutating func turn(_ value: Value) -> Value {
    guard !values.isEmpty else { return value }
    let old = values[place]
    values[place] = value
    place = place + 1 < values.count ? place + 1 : 0
    return old
  }
}
