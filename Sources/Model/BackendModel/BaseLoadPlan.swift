package import Scenario
public import SimulationKernel

/// The base load of an endpoint as a piecewise linear rate; it is the traffic of other clients of a shared API
/// (MODEL.md 6.2).
public struct BaseLoadPlan: BitwiseCopyable, Sendable {
  /// A time span during which the rate of the base load changes linearly, given by its initial rate and its slope.
  public struct Piece: BitwiseCopyable, Hashable, Sendable {
    public var from: Instant
    public var rate: RequestRate
    /// The slope of the rate, in requests per second per second.
    public var growth: Double
    /// The local date whose factor multiplies the rate.
    package var date = LocalDay(number: 0)

    public init(from: Instant, rate: RequestRate, growth: Double = 0) {
      self.from = from
      self.rate = rate
      self.growth = growth
    }

    /// Returns the number of requests between two instants.
    fileprivate func requests(from start: Instant, to end: Instant) -> Double {
      let middle = ((start - from).seconds + (end - from).seconds) / 2
      return RequestRate(perSecond: max(rate.perSecond + growth * middle, 0)).requests(in: end - start)
    }
  }

  /// The pieces in chronological order; there is at least one, and the first and last pieces extend indefinitely.
  public let pieces: PreparedList<Piece>
  /// The distribution from which the factor of each local date is drawn.
  private let dayFactor: NumberSampler

  public init(pieces: PreparedList<Piece>, dayFactor: NumberSampler = .constant(1)) {
    precondition(!pieces.isEmpty, "a load has a rate")
    self.pieces = pieces
    self.dayFactor = dayFactor
  }

  /// Returns the factor by which the rate of each piece is multiplied in the current replication.
  ///
  /// - Parameter draw: a function that returns the uniform draw for a date.
  package func factors(_ draw: (LocalDay) -> UInt64) -> [Double] {
    pieces.indices.map { dayFactor.number(at: draw(pieces[$0].date)) }
  }

  /// Returns the number of requests between two instants, summed over the pieces in chronological order.
  ///
  /// - Parameter factors: the factor of each piece.
  package func requests(from: Instant, to: Instant, factors: [Double]) -> Double {
    var index = max(pieces.prefixLength { $0.from <= from } - 1, 0)
    var now = from
    var sum = 0.0
    while now < to {
      let end = index + 1 < pieces.count ? min(pieces[index + 1].from, to) : to
      sum += pieces[index].requests(from: now, to: end) * factors[index]
      now = end
      index += 1
    }
    return sum
  }
}

extension BaseLoadPlan {
  /// Creates a plan from a daily mean rate, which is distributed over the local hours in proportion to their weights.
  ///
  /// - Parameter dayFactor: the distribution of the factor of each local date.
  package init(
    mean: RequestRate, hours: HourWeights, dayFactor: NumberSampler = .constant(1), wall: WallClock,
    during time: Range<Instant>, storage: SamplerStorage
  ) {
    var pieces: [Piece] = []
    for line in hours.lines(from: time.lowerBound, to: time.upperBound, of: wall) {
      var piece = Piece(
        from: time.lowerBound + line.from, rate: RequestRate(perSecond: mean.perSecond * line.first),
        growth: mean.perSecond * (line.last - line.first) / line.length.seconds)
      if !dayFactor.isConstant { piece.date = wall.reading(at: piece.from).day }
      if let last = pieces.last, last.isConstant, piece.isConstant, last.rate == piece.rate, last.date == piece.date {
        continue
      }
      pieces.append(piece)
    }
    self.init(pieces: storage.keep(pieces), dayFactor: dayFactor)
  }
}

extension BaseLoadPlan.Piece {
  fileprivate var isConstant: Bool { growth == 0 }
}
