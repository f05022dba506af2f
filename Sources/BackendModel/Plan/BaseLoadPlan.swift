package import Scenario
public import SimulationKernel

/// The other traffic of a shared API, prepared (MODEL.md 6.2): a rate that is linear between instants.
public struct BaseLoadPlan: BitwiseCopyable, Sendable {
  /// A rate at an instant and its growth until the next piece.
  public struct Piece: BitwiseCopyable, Hashable, Sendable {
    public var from: Instant
    public var rate: RequestRate
    /// In requests per second and second.
    public var growth: Double

    public init(from: Instant, rate: RequestRate, growth: Double = 0) {
      self.from = from
      self.rate = rate
      self.growth = growth
    }

    /// Requests from an instant up to another.
    fileprivate func requests(from start: Instant, to end: Instant) -> Double {
      let middle = ((start - from).seconds + (end - from).seconds) / 2
      return RequestRate(perSecond: max(rate.perSecond + growth * middle, 0)).requests(in: end - start)
    }
  }

  /// Ascending; never empty; the first holds since ever, the last for ever.
  public let pieces: PreparedList<Piece>

  public init(pieces: PreparedList<Piece>) {
    precondition(!pieces.isEmpty, "a load has a rate")
    self.pieces = pieces
  }

  /// Requests from an instant up to another; pieces are added in the order of time.
  public func requests(from: Instant, to: Instant) -> Double {
    var index = max(pieces.prefixLength { $0.from <= from } - 1, 0)
    var now = from
    var sum = 0.0
    while now < to {
      let end = index + 1 < pieces.count ? min(pieces[index + 1].from, to) : to
      sum += pieces[index].requests(from: now, to: end)
      now = end
      index += 1
    }
    return sum
  }
}

extension BaseLoadPlan {
  /// A mean rate over a day of 24 hours, spread by the weights of the hours that a clock shows.
  package init(
    mean: RequestRate, hours: HourWeights, wall: WallClock, from beginning: Instant, to end: Instant,
    storage: SamplerStorage
  ) {
    var pieces: [Piece] = []
    for line in hours.lines(from: beginning, to: end, of: wall) {
      let rate = RequestRate(perSecond: mean.perSecond * line.first)
      let growth = mean.perSecond * (line.last - line.first) / line.length.seconds
      if let last = pieces.last, last.growth == 0, growth == 0, last.rate == rate { continue }
      pieces.append(Piece(from: beginning + line.from, rate: rate, growth: growth))
    }
    self.init(pieces: storage.keep(pieces))
  }
}
