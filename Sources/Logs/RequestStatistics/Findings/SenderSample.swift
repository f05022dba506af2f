/// The requests of sampled senders, with a verdict on each sender.
package struct SenderSample: Sendable {
  /// The requests of the sampled senders, sorted by sender and time.
  package private(set) var requests: [SampledRequest]
  /// The fraction of all senders that the sample contains.
  package let share: Double
  package private(set) var habits: [SenderHabits] = []

  /// - Parameter requests: requests sorted by sender and time.
  init(_ requests: [SampledRequest], share: Double) {
    self.requests = requests
    self.share = share
    habits = Self.senders(of: requests).map { SenderHabits(requests[$0]) }
  }

  /// Returns the range of requests that belong to each sender.
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

  /// Returns the verdict on a sender. If more than half of all senders have very regular gaps, this is normal for the
  /// fleet, and such senders are treated as phones.
  package func verdict(of sender: SenderHabits) -> SenderHabits.Verdict {
    let verdict = sender.verdict
    return verdict == .machine && mostAreRegular ? .phone : verdict
  }

  private var mostAreRegular: Bool { 2 * habits.count { $0.verdict == .machine } > habits.count }

  /// Returns the number of senders with a verdict, and the number of their requests in the sample.
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

  /// The lifetime of sender IDs.
  package var lifetime: Lifetime {
    guard let first = habits.map(\.firstDay).min(), let last = habits.map(\.lastDay).max() else { return .unknown }
    // Among the IDs first seen before the last two days, those that were seen again on another day are counted.
    let early = habits.filter { $0.firstDay <= last - 2 }
    guard last - first >= 2, early.count >= Self.minSenders else { return .unknown }
    let lasting = early.count { $0.days > 1 }
    return Double(lasting) < Self.minLasting * Double(early.count) ? .oneDay : .long
  }

  private static let minSenders = 20
  private static let minLasting = 0.05

  package enum Lifetime: Sendable {
    /// The log is too short or has too few IDs to determine their lifetime.
    case unknown
    /// Almost no ID is seen on a second day, because phones get a new ID each day.
    case oneDay
    case long
  }

  /// Corrects the timestamps from servers whose clocks are wrong.
  mutating func correct(_ offsets: [NameIndex: Int64]) {
    guard !offsets.isEmpty else { return }
    requests = requests.map { request in offsets[request.node].map { request.moved(by: -$0) } ?? request }
    requests.sort(by: SampledRequest.precedes)
    habits = Self.senders(of: requests).map { SenderHabits(requests[$0]) }
  }

  /// Returns the wakes of phones, based on the requests for which `kind` returns a value.
  ///
  /// - Parameters:
  ///   - holes: periods without information, in milliseconds since 1970.
  ///   - kind: a function that returns the kind or endpoint of a request; `nil` to skip it.
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

  /// Returns a sender's wakes. Requests within two seconds of each other form one wake, and identical lines are counted
  /// once.
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

/// The statistics of a sampled sender that are used to distinguish phones from other senders.
package struct SenderHabits: Sendable, BitwiseCopyable {
  package let sender: UInt64
  package let requests: Int
  /// The number of wakes, which are groups of requests within two seconds of each other.
  package let wakes: Int
  /// The day of the first request, counted from 1970.
  package let firstDay: Int64
  package let lastDay: Int64
  /// The number of hours of the UTC day in which the sender has a request.
  package let hours: Int
  /// Half the width of the range that contains the middle two thirds of the gaps between wakes, divided by the median
  /// gap. It is 1 if there are few gaps.
  package let spread: Double
  /// The number of distinct kinds that are requested or, if the kinds are unknown, of distinct paths.
  package let kinds: Int

  /// The maximum gap in milliseconds between requests of one wake; few gaps lie between 2 s and 4 min.
  package static let wakeMilliseconds: Int64 = 2_000
  private static let minGaps = 50

  /// - Parameter own: the requests of one sender in chronological order; there must be at least one.
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
    if gaps.count >= Self.minGaps, gaps[gaps.count / 2] > 0 {
      let width = Double(gaps[gaps.count * 5 / 6] - gaps[gaps.count / 6])
      spread = width / 2 / Double(gaps[gaps.count / 2])
    } else {
      spread = 1
    }
  }

  package var days: Int { Int(lastDay - firstDay) + 1 }
  package var wakesPerDay: Double { Double(wakes) / Double(days) }

  /// The verdict on the sender.
  package var verdict: Verdict {
    // The system starts a widget at most once every five minutes, which corresponds to 288 times a day.
    let maximum = 288.0 * Double(max(kinds, 1))
    if spread < Self.machineSpread { return .machine }
    if wakesPerDay > maximum { return hours == 24 && spread < Self.steadySpread ? .machine : .shared }
    return .phone
  }

  /// The minimum relative spread of a phone's gaps between wakes; programs keep gaps constant to within 1 %.
  private static let machineSpread = 0.01
  /// The minimum relative spread of the gaps between wakes of a phone that is active around the clock.
  private static let steadySpread = 0.2

  package enum Verdict: Sendable {
    case phone
    /// A program that polls at very regular intervals.
    case machine
    /// A shared ID, such as all zeros or a common token, which sends more requests than a single phone can.
    case shared
  }
}

/// The wakes of sampled phones, in which requests from one sender within two seconds of each other count as one run of
/// a widget's provider.
///
/// Phones are sorted by hash, and the wakes of each by time. During `holes`, the whole log is silent. The log has no
/// information about these periods, so gaps that overlap them are censored.
package struct WakeHistory: Sendable {
  /// A phone with its wakes.
  package struct Phone: Sendable {
    package let sender: UInt64
    /// The range of the phone's wakes, as indices into all wakes.
    package let wakes: Range<Int>

    /// The phone's group for the jackknife, which is one of 128 groups formed by hash.
    package var group: Int { Int(sender & 127) }
  }

  /// A run for which a network connection was both required and available.
  package struct Wake: Sendable, BitwiseCopyable {
    /// The arrival of the first request in milliseconds since 1970.
    package var time: Int64
    /// The time from the first to the last request in milliseconds.
    package var length: Int32
    /// The number of requests that the run sent.
    package var requests: UInt16
    /// The highest HTTP status of the requests in the run, which is also the worst; 0 if unknown.
    package var status: UInt16
    /// The widget kind or endpoint of the requests; `none` if the requests have several.
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
  /// The span from the first to the last line of the log, in milliseconds since 1970.
  package var span: Range<Int64>
  /// The disjoint periods without lines within the span, in chronological order.
  package var holes: [Range<Int64>]
  /// The fraction of all phones that this sample contains, selected by hash.
  package var share: Double
  /// The total number of phones, estimated from this sample.
  package var estimatedPhones: Double { Double(phones.count) / share }

  package init(span: Range<Int64>, holes: [Range<Int64>] = [], share: Double = 1) {
    (self.span, self.holes, self.share) = (span, holes, share)
  }

  /// Appends a phone with its wakes.
  ///
  /// - Parameters:
  ///   - sender: a hash that is higher than those of all previous phones.
  ///   - own: the phone's wakes in chronological order.
  package mutating func append(_ sender: UInt64, _ own: some Sequence<Wake>) {
    let first = wakes.count
    wakes.append(contentsOf: own)
    phones.append(Phone(sender: sender, wakes: first..<wakes.count))
  }
}
