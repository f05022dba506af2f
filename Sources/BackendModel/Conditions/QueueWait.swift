public import SimulationKernel

/// The wait in the queue of the requests of a step (MODEL.md 6.2): uniform between that of the first and that of the last.
public struct QueueWait: BitwiseCopyable, Hashable, Sendable {
  /// Whole milliseconds, rounded half up; not below zero.
  public let first: TimeAmount
  /// Below zero where the queue is empty before the step ends: from then on no request waits.
  public let last: TimeAmount

  /// - Precondition: `first` is not below zero.
  public init(first: TimeAmount, last: TimeAmount) {
    precondition(first >= .zero, "no request waits less than nothing")
    self.first = first
    self.last = first == .zero && last < .zero ? .zero : last
  }

  /// One wait for all requests of the step.
  public init(_ wait: TimeAmount) { self.init(first: wait, last: wait) }

  public static let none = QueueWait(.zero)

  /// The wait where nothing is served, longer than any timeout; also that of any queue as long as this, 2 230 years.
  @inlinable public static var endless: TimeAmount { TimeAmount(milliseconds: 1 << 46) }

  /// The waits of a step's requests at a capacity.
  init(behind passage: FluidQueue.Passage, at capacity: RequestRate) {
    func wait(behind backlog: Double) -> TimeAmount {
      guard capacity > .zero else { return Self.endless }
      let milliseconds = backlog * 1_000 / capacity.perSecond
      let longest = Double(Self.endless.milliseconds)
      return .milliseconds(Int64((min(max(milliseconds, -longest), longest) + 0.5).rounded(.down)))
    }
    guard capacity < .unlimited else {
      self = .none
      return
    }
    self.init(first: wait(behind: passage.before), last: wait(behind: passage.before + passage.growth))
  }

  /// Whether all requests of the step wait alike, so that no place needs to be drawn.
  @inlinable public var isSettled: Bool { first == last }

  /// The wait at a place among the requests of the step, from 0 to 1.
  @inlinable func at(_ place: Double) -> TimeAmount {
    let wait = Double(first.milliseconds) + Double((last - first).milliseconds) * place
    return .milliseconds(wait > 0 ? Int64(wait + 0.5) : 0)
  }

  /// The share of the requests of the step that wait less than this, from 0 to 1.
  func share(below limit: TimeAmount) -> Double {
    let (low, high) = (min(first, last), max(first, last))
    if high < limit { return 1 }
    guard low < limit else { return 0 }
    return Double((limit - low).milliseconds) / Double((high - low).milliseconds)
  }
}
