public import SimulationKernel

/// One outage of an endpoint, from a step's beginning up to another's (MODEL.md 6.3).
public struct OutageSpell: BitwiseCopyable, Hashable, Sendable {
  public var from: Instant
  /// Not included.
  public var to: Instant
  /// Share of the requests that are answered at once with an error.
  public var errors: Share
  /// Meanwhile; nil: unchanged.
  public var capacity: RequestRate?

  public init(from: Instant, to: Instant, errors: Share, capacity: RequestRate?) {
    self.from = from
    self.to = to
    self.errors = errors
    self.capacity = capacity
  }

  /// An outage that lasts a span from the step that contains its start; a step that it covers in part counts whole.
  public init(at start: Instant, lasting span: TimeAmount, errors: Share, capacity: RequestRate?, grid: StepGrid) {
    let first = (start - grid.beginning).milliseconds.floorDivided(by: grid.length.milliseconds)
    let steps = -(-span.milliseconds).floorDivided(by: grid.length.milliseconds)
    let from = grid.beginning + grid.length * first
    self.init(from: from, to: from + grid.length * steps, errors: errors, capacity: capacity)
  }
}

/// The outages of an endpoint, known in advance.
public struct OutagePlan: BitwiseCopyable, Sendable {
  /// Ascending and apart.
  public let spells: PreparedList<OutageSpell>

  /// Where outages overlap, the largest share of errors holds and the smallest capacity.
  public init(_ outages: [OutageSpell], storage: SamplerStorage) {
    let outages = outages.filter { $0.from < $0.to }
    let ends = Set(outages.flatMap { [$0.from, $0.to] }).sorted()
    let spells = zip(ends, ends.dropFirst()).compactMap { Self.spell(from: $0, to: $1, of: outages) }
    self.spells = storage.keep(spells)
  }

  /// What the outages that cover a span, no end of which lies inside it, come to; nil when none does.
  private static func spell(from: Instant, to: Instant, of outages: [OutageSpell]) -> OutageSpell? {
    let covering = outages.filter { $0.from <= from && to <= $0.to }
    guard let errors = covering.map(\.errors).max() else { return nil }
    return OutageSpell(from: from, to: to, errors: errors, capacity: covering.compactMap(\.capacity).min())
  }

  /// The outage at an instant; O(log outages).
  public func spell(at instant: Instant) -> OutageSpell? {
    let begun = spells.prefixLength { $0.from <= instant }
    guard begun > 0, instant < spells[begun - 1].to else { return nil }
    return spells[begun - 1]
  }

  /// Whether one of them comes with a capacity.
  var hasCapacity: Bool { spells.indices.contains { spells[$0].capacity != nil } }
}
