import SimulationKernel

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
