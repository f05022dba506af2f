package import Scenario
public import SimulationKernel

/// The other traffic of a shared API, prepared (MODEL.md 6.2): a rate that changes at instants.
public struct BaseLoadPlan: BitwiseCopyable, Sendable {
  /// A rate and the instant from which it holds, until the next piece.
  public struct Piece: BitwiseCopyable, Hashable, Sendable {
    public var from: Instant
    public var rate: RequestRate

    public init(from: Instant, rate: RequestRate) {
      self.from = from
      self.rate = rate
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
      sum += pieces[index].rate.requests(in: end - now)
      now = end
      index += 1
    }
    return sum
  }
}

extension BaseLoadPlan {
  /// A mean rate over a day of 24 hours, spread by the weights of the hours that a clock shows.
  ///
  /// Exact where the clock changes: an hour that it skips is missing, one that it shows twice comes twice (2.1).
  package init(
    mean: RequestRate, hours: HourWeights, wall: WallClock, from beginning: Instant, to end: Instant,
    storage: SamplerStorage
  ) {
    let sum = hours.weights.reduce(0, +)
    let rates = hours.weights.map { RequestRate(perSecond: sum > 0 ? mean.perSecond * ($0 * 24 / sum) : 0) }
    var pieces: [Piece] = []
    var now = beginning
    repeat {
      let sinceMidnight = wall.reading(at: now).sinceMidnight.milliseconds
      let hour = sinceMidnight / TimeAmount.hour.milliseconds
      let rate = rates[Int(hour)]
      if pieces.last?.rate != rate { pieces.append(Piece(from: now, rate: rate)) }
      let nextHour = now + .milliseconds((hour + 1) * TimeAmount.hour.milliseconds - sinceMidnight)
      let change = wall.segments.indices.map { wall.segments[$0].from }.first { $0 > now } ?? .never
      now = min(nextHour, change)
    } while now < end
    self.init(pieces: storage.keep(pieces))
  }
}
