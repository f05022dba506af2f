/// The requests of sampled senders, and who of them is a phone.
package struct SenderSample: Sendable {
  /// In order of sender and time.
  package private(set) var requests: [SampledRequest]
  /// The share of all senders that was kept.
  package let share: Double
  package private(set) var habits: [SenderHabits] = []

  /// - Parameter requests: in order of sender and time.
  init(_ requests: [SampledRequest], share: Double) {
    self.requests = requests
    self.share = share
    habits = Self.senders(of: requests).map { SenderHabits(requests[$0]) }
  }

  /// Ranges of requests of one sender each.
  package static func senders(of requests: [SampledRequest]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var first = 0
    while first < requests.count {
      var end = first + 1
      while end < requests.count, requests[end].sender == requests[first].sender { end += 1 }
      ranges.append(first..<end)
      first = end
    }
    return ranges
  }

  /// What a sender is taken for. Where more than half of all are as regular as clocks, the fleet is.
  package func verdict(of sender: SenderHabits) -> SenderHabits.Verdict {
    let verdict = sender.verdict
    return verdict == .machine && mostAreRegular ? .phone : verdict
  }

  private var mostAreRegular: Bool { 2 * habits.count { $0.verdict == .machine } > habits.count }

  /// Senders of a kind, and how many of the sampled requests are theirs.
  package func count(_ verdict: SenderHabits.Verdict) -> (senders: Int, requests: Int) {
    let mostAreRegular = mostAreRegular
    return habits.reduce(into: (0, 0)) { sum, sender in
      let own = sender.verdict == .machine && mostAreRegular ? SenderHabits.Verdict.phone : sender.verdict
      if own == verdict {
        sum.0 += 1
        sum.1 += sender.requests
      }
    }
  }

  /// How long ids live.
  package var lifetime: Lifetime {
    guard let first = habits.map(\.firstDay).min(), let last = habits.map(\.lastDay).max() else { return .unknown }
    // Of ids that are first seen before the last two days, those that come back on another day.
    let early = habits.filter { $0.firstDay <= last - 2 }
    guard last - first >= 2, early.count >= Self.leastSenders else { return .unknown }
    let lasting = early.count { $0.days > 1 }
    return Double(lasting) < Self.leastLasting * Double(early.count) ? .oneDay : .long
  }

  private static let leastSenders = 20
  private static let leastLasting = 0.05

  package enum Lifetime: Sendable {
    /// The log is too short to say, or there are too few.
    case unknown
    /// Next to none is seen on a second day: a phone gets a new one each day.
    case oneDay
    case long
  }

  /// Moves the stamps of servers whose clocks are wrong.
  mutating func correct(_ offsets: [NameIndex: Int64]) {
    guard !offsets.isEmpty else { return }
    requests = requests.map { request in offsets[request.node].map { request.moved(by: -$0) } ?? request }
    requests.sort(by: SampledRequest.precedes)
    habits = Self.senders(of: requests).map { SenderHabits(requests[$0]) }
  }
}

extension SenderSample {
  /// The wakes of phones, for requests that belong to something.
  ///
  /// - Parameters:
  ///   - holes: milliseconds since 1970 of which nothing is known.
  ///   - kind: what a request belongs to; nil: to nothing that is looked at.
  package func history(
    span: Range<Int64>, holes: [Range<Int64>], of kind: (SampledRequest) -> NameIndex?
  ) -> WakeHistory {
    var history = WakeHistory(span: span, holes: holes, share: share)
    let mostAreRegular = mostAreRegular
    for (own, sender) in zip(Self.senders(of: requests), habits) {
      let verdict = sender.verdict
      guard verdict == .phone || verdict == .machine && mostAreRegular else { continue }
      let wakes = Self.wakes(requests[own], of: kind)
      if !wakes.isEmpty { history.append(sender.sender, wakes) }
    }
    return history
  }

  /// Requests that follow each other within two seconds are one wake; the same line twice counts once.
  private static func wakes(
    _ own: ArraySlice<SampledRequest>, of kind: (SampledRequest) -> NameIndex?
  ) -> [WakeHistory.Wake] {
    var wakes: [WakeHistory.Wake] = []
    var last: SampledRequest?
    for request in own {
      guard let kind = kind(request), request != last else { continue }
      if let before = last, request.time - before.time <= SenderHabits.wakeMilliseconds, !wakes.isEmpty {
        wakes[wakes.count - 1].add(request, of: kind)
      } else {
        wakes.append(WakeHistory.Wake(request, of: kind))
      }
      last = request
    }
    return wakes
  }
}

extension WakeHistory.Wake {
  fileprivate init(_ request: SampledRequest, of kind: NameIndex) {
    self.init(time: request.time, status: request.status, kind: kind, system: request.system)
  }

  fileprivate mutating func add(_ request: SampledRequest, of kind: NameIndex) {
    length = Int32(clamping: request.time - time)
    requests &+= 1
    status = max(status, request.status)
    if kind != self.kind { self.kind = .none }
  }
}
