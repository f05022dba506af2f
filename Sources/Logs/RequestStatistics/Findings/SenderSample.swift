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

/// What a sampled sender's requests look like, to tell phones from what is none.
package struct SenderHabits: Sendable, BitwiseCopyable {
  package let sender: UInt64
  package let requests: Int
  /// Groups of requests that follow each other within two seconds.
  package let wakes: Int
  /// Days since 1970 of the first and of the last request.
  package let firstDay: Int64
  package let lastDay: Int64
  /// Whole hours of UTC in which it was ever seen.
  package let hours: Int
  /// Half the width of the middle two thirds of its gaps between wakes, over their median; 1 where there are few.
  package let spread: Double
  /// Different kinds, or else paths, that it asks for.
  package let kinds: Int

  /// How close requests lie that belong to one wake, in milliseconds: the valley of the gaps between 2 s and 4 min.
  package static let wakeMilliseconds: Int64 = 2_000
  private static let leastGaps = 50

  /// - Parameter own: one sender's requests in order of time; at least one.
  init(_ own: ArraySlice<SampledRequest>) {
    var gaps: [Int64] = []
    var (wakes, hours) = (1, UInt32(0))
    var kinds: Set<UInt16> = []
    var last = own[own.startIndex].time
    for request in own {
      if request.time - last > Self.wakeMilliseconds {
        gaps.append(request.time - last)
        wakes += 1
      }
      last = request.time
      hours |= 1 << UInt32(request.time / 3_600_000 % 24)
      if kinds.count < 64 { kinds.insert(request.kind == .none ? request.path.number : request.kind.number) }
    }
    sender = own[own.startIndex].sender
    requests = own.count
    self.wakes = wakes
    firstDay = own[own.startIndex].time / 86_400_000
    lastDay = last / 86_400_000
    self.hours = hours.nonzeroBitCount
    self.kinds = kinds.count
    gaps.sort()
    if gaps.count >= Self.leastGaps, gaps[gaps.count / 2] > 0 {
      let width = Double(gaps[gaps.count * 5 / 6] - gaps[gaps.count / 6])
      spread = width / 2 / Double(gaps[gaps.count / 2])
    } else {
      spread = 1
    }
  }

  package var days: Int { Int(lastDay - firstDay) + 1 }
  package var wakesPerDay: Double { Double(wakes) / Double(days) }

  /// What it is taken for.
  package var verdict: Verdict {
    // The system starts a widget every five minutes at most: 288 times a day.
    let most = 288.0 * Double(max(kinds, 1))
    if spread < Self.machineSpread { return .machine }
    if wakesPerDay > most { return hours == 24 && spread < Self.steadySpread ? .machine : .shared }
    return .phone
  }

  /// No phone keeps its gaps within 1 % of each other.
  private static let machineSpread = 0.01
  /// What asks at any hour with gaps as even as this is a program.
  private static let steadySpread = 0.2

  package enum Verdict: Sendable {
    case phone
    /// A program that polls: as regular as a clock.
    case machine
    /// More than one phone can send: an id that several share, such as zeros or one token.
    case shared
  }
}

/// The wakes of sampled phones: requests of one sender that follow each other within two seconds are one run of a
/// widget's provider.
///
/// Phones lie in order of their hashes, the wakes of each in order of time. The hours in which the log is silent about
/// everybody are `holes`: nothing is known of them, a gap that touches one is censored.
package struct WakeHistory: Sendable {
  /// One phone.
  package struct Phone: Sendable {
    package let sender: UInt64
    /// Its wakes among all.
    package let wakes: Range<Int>

    /// One of 128 groups that a phone belongs to by its hash, for the jackknife.
    package var group: Int { Int(sender & 127) }
  }

  /// One run that found a network and needed it.
  package struct Wake: Sendable, BitwiseCopyable {
    /// Milliseconds since 1970 at which its first request arrived.
    package var time: Int64
    /// Milliseconds from the first to the last of its requests.
    package var length: Int32
    /// How many requests it sent.
    package var requests: UInt16
    /// The worst status of its requests: the highest; 0: unknown.
    package var status: UInt16
    /// The widget kind or endpoint that it asked for; `none`: several at once.
    package var kind: NameIndex
    package var system: UInt8

    package init(
      time: Int64, length: Int32 = 0, requests: UInt16 = 1, status: UInt16 = 200, kind: NameIndex = .none,
      system: UInt8 = 0
    ) {
      (self.time, self.length, self.requests, self.status) = (time, length, requests, status)
      (self.kind, self.system) = (kind, system)
    }
  }

  package var phones: [Phone] = []
  package var wakes: [Wake] = []
  /// From the first line of the log to after the last, in milliseconds since 1970.
  package var span: Range<Int64>
  /// In order, within the span, apart from each other.
  package var holes: [Range<Int64>]
  /// The share of all phones that these are, by their hashes.
  package var share: Double

  package init(span: Range<Int64>, holes: [Range<Int64>] = [], share: Double = 1) {
    (self.span, self.holes, self.share) = (span, holes, share)
  }

  /// Adds a phone after all others.
  ///
  /// - Parameters:
  ///   - sender: a hash above those before it.
  ///   - own: its wakes in order of time.
  package mutating func append(_ sender: UInt64, _ own: some Sequence<Wake>) {
    let first = wakes.count
    wakes.append(contentsOf: own)
    phones.append(Phone(sender: sender, wakes: first..<wakes.count))
  }
}
