import SimulationKernel

/// The silent pushes that a phone has delivered to its app, as far as their limit asks (MODEL.md 4.2).
struct PushLog: BitwiseCopyable {
  /// A place among the last deliveries.
  struct Place: PlanIndex {
    let place: Int

    init(_ place: Int) { self.place = place }
  }

  /// The last ones, in a ring as long as the limit.
  fileprivate let places: Column<Place, Instant>
  /// So far.
  fileprivate let count: Cell<UInt32>

  init(places: Column<Place, Instant>, count: Cell<UInt32>) {
    self.places = places
    self.count = count
  }

  /// No push so far.
  func begin() { count.initialize(to: 0) }

  /// Whether fewer than `limit` were delivered in the last `window`; then this one counts among them.
  func admit(at now: Instant, limit: Int, window: TimeAmount) -> Bool {
    guard limit > 0 else { return false }
    let delivered = Int(count.value)
    // The ring's next place is the oldest of the last `limit` deliveries.
    let place = Place(delivered % limit)
    if delivered >= limit, places[place] + window > now { return false }
    places[place] = now
    count.value &+= 1
    return true
  }
}
