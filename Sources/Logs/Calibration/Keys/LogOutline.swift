package import RequestStatistics

/// The kinds of widgets that a log suggests: paths that phones request together in one run, or kinds that lines name.
package struct LogOutline: Sendable {
  /// A path with requests from widgets.
  package struct Endpoint: Sendable {
    package let name: String
    /// The path in displayable form, such as `/v2/places/{id}`, or the name given by the user if a rule assigns one.
    package let path: String
    /// The number of lines from widgets.
    package let lines: Int64
    package let meanBytes: Double?
  }

  package struct Kind: Sendable {
    package let name: String
    /// The endpoints, each with the number of requests that a run sends.
    package let requests: [(endpoint: Int, count: Int)]
    /// The share of the widgets' lines.
    package let lineShare: Double
    /// The share of phones with this kind or, without IDs, its number of runs relative to the most common kind.
    package let phoneShare: Double
  }

  package private(set) var endpoints: [Endpoint] = []
  package private(set) var kinds: [Kind] = []
  /// The number of paths of widgets that have too few lines for a kind.
  package private(set) var rarePaths = 0
  /// The rate of requests for all other paths, per second.
  package private(set) var otherRate = 0.0
  /// The middle of the six quietest hours of the UTC day, in hours; `nil` if all hours are about equally busy.
  package private(set) var quietHour: Double?

  private static let maxEndpoints = 8
  /// The smallest share of the widgets' lines for which a path gets an endpoint.
  private static let rarest = 0.01
  /// The smallest share of runs with one path that must also request the other for both to belong to one kind.
  private static let together = 0.9

  package init(_ picture: LogSummary) {
    let rows = picture.census.paths.rows
    let shown = picture.census.paths.shown(picture.names.paths)
    let knowsWidgets = rows.contains { $0.classes[Int(RequestClass.widget.rawValue)] > 0 }
    let classes: Set<RequestClass> = knowsWidgets ? [.widget] : [.app, .other, .unknown]
    var sums: [String: NameCounts.Row] = [:]
    for (place, path) in shown where rows[place].lines > 0 { sums[path, default: NameCounts.Row()].merge(rows[place]) }
    let widgets = sums.map { path, row in
      (path: path, row: row, lines: classes.reduce(0) { $0 + row.classes[Int($1.rawValue)] })
    }.filter { $0.lines > 0 }.sorted { ($1.lines, $0.path) < ($0.lines, $1.path) }
    let all = widgets.reduce(0) { $0 + $1.lines }
    let kept = widgets.prefix(Self.maxEndpoints).filter { Double($0.lines) >= Self.rarest * Double(all) }
    rarePaths = widgets.count - kept.count
    for path in kept {
      let name = Self.name(path.path, besides: endpoints.map(\.name), otherwise: "api")
      endpoints.append(Endpoint(name: name, path: path.path, lines: path.lines, meanBytes: path.row.meanBytes))
    }
    let places = shown.compactMapValues { path in kept.firstIndex { $0.path == path } }
    let named = picture.census.kinds.shown(picture.names.kinds).filter { $0.value != "{text}" }
    var runs = RunStreams(picture.senders, classes: classes, endpoints: places, kinds: named)
    runs.sort { named[$0.kind] ?? "" }
    kinds = runs.isEmpty ? kindsByPath(all) : kinds(runs, named)
    let seconds = picture.span.map { Double($0.upperBound - $0.lowerBound) / 1_000 } ?? 1
    let own = kept.reduce(0) { $0 + $1.row.lines }
    otherRate = Double(picture.census.lines - own) / seconds / picture.recorded
    quietHour = Self.quietHour(picture, classes)
  }

  private static func quietHour(_ picture: LogSummary, _ classes: Set<RequestClass>) -> Double? {
    guard let start = picture.span?.lowerBound, let days = picture.days, days >= 1 else { return nil }
    var hours = Array(repeating: 0.0, count: 24)
    for requestClass in classes {
      for (minute, count) in picture.minutes(of: requestClass).prefix(Int(days) * 1_440).enumerated() {
        hours[Int((start / 60_000 + Int64(minute)) / 60 % 24)] += Double(count)
      }
    }
    let sums = (0..<24).map { first in (0..<quietHours).reduce(0) { $0 + hours[(first + $1) % 24] } }
    guard let first = sums.indices.min(by: { sums[$0] < sums[$1] }) else { return nil }
    let mean = hours.reduce(0, +) * Double(quietHours) / 24
    return sums[first] < quiet * mean
      ? (Double(first) + Double(quietHours) / 2).truncatingRemainder(dividingBy: 24) : nil
  }

  private static let quietHours = 6
  /// The largest load of the quietest hours, relative to the mean, that is attributed to the night.
  private static let quiet = 0.95

  /// Creates the outline of a table of counts, which names no paths.
  private init() {
    endpoints = [Endpoint(name: "api", path: "api", lines: 0, meanBytes: nil)]
    kinds = [Kind(name: "widget", requests: [(0, 1)], lineShare: 1, phoneShare: 1)]
  }

  package static let ofCounts = LogOutline()

  /// Returns kinds that group paths with equal numbers of requests, because nothing else shows which of them belong to
  /// one run.
  private func kindsByPath(_ all: Int64) -> [Kind] {
    let maximum = Double(endpoints.first?.lines ?? 1)
    var groups: [[Int]] = []
    for (place, endpoint) in endpoints.enumerated() {
      let runs = Double(endpoints[groups.last?.first ?? place].lines)
      if let last = groups.indices.last, runs - Double(endpoint.lines) <= Self.unequal * runs {
        groups[last].append(place)
      } else {
        groups.append([place])
      }
    }
    return groups.map { group in
      let (own, first) = (group.map { endpoints[$0] }, endpoints[group[0]])
      return Kind(
        name: first.name, requests: group.map { ($0, 1) },
        lineShare: Double(own.reduce(0) { $0 + $1.lines }) / Double(max(all, 1)),
        phoneShare: Double(first.lines) / maximum)
    }
  }

  /// The largest relative difference between the numbers of requests that one kind sends to two paths.
  private static let unequal = 0.001

  private func kinds(_ runs: RunStreams, _ named: [Int: String]) -> [Kind] {
    var kinds: [Kind] = []
    for group in runs.groups(together: Self.together) {
      let own = group.map { runs.streams[$0] }
      let lines = own.reduce(0) { $0 + $1.requests }
      guard Double(lines) >= Self.rarest * Double(runs.requests), let first = own.first else { continue }
      let name = Self.name(
        named[first.kind] ?? endpoints[first.endpoint].name, besides: kinds.map(\.name), otherwise: "widget")
      kinds.append(
        Kind(
          name: name,
          requests: own.map { ($0.endpoint, max(1, Int((Double($0.requests) / Double($0.runs)).rounded()))) },
          lineShare: Double(lines) / Double(runs.requests),
          phoneShare: Double(own.map(\.phones).max() ?? 0) / Double(max(runs.phones, 1))))
    }
    return kinds.sorted { $0.lineShare > $1.lineShare }
  }

  /// Returns a name for a path or kind: its last word that is not a placeholder, with letters, digits and hyphens.
  private static func name(_ text: String, besides others: [String], otherwise usual: String) -> String {
    let words = text.split(separator: "/").map { word in
      String(word.prefix { $0 != "." }.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
    }
    let ends = zip(words, text.split(separator: "/")).filter { $0.0.first?.isLetter == true && !$0.1.contains("{") }
    let name = ends.last?.0 ?? usual
    guard others.contains(name) else { return name }
    return (2...).lazy.map { "\(name)-\($0)" }.first { !others.contains($0) } ?? name
  }
}

/// The requests of widgets by kind and endpoint, and how often two of them occur in one run.
private struct RunStreams {
  struct Stream {
    let kind: Int
    let endpoint: Int
    var requests = 0
    var runs = 0
    var phones = 0
  }

  private(set) var streams: [Stream] = []
  private(set) var phones = 0
  private var numbers: [[Int]: Int] = [:]
  /// The number of runs with requests from both streams.
  private var both: [[Int]: Int] = [:]

  private static let maxStreams = 24

  /// Sorts the streams by number of requests, largest first, so that their order does not depend on hashes.
  mutating func sort(by name: (Stream) -> String) {
    let order = streams.indices.sorted { one, other in
      let (left, right) = (streams[one], streams[other])
      return (right.requests, left.endpoint, name(left)) < (left.requests, right.endpoint, name(right))
    }
    let places = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($0.element, $0.offset) })
    both = Dictionary(
      uniqueKeysWithValues: both.map { pair, count in (pair.compactMap { places[$0] }.sorted(), count) })
    streams = order.map { streams[$0] }
  }

  var isEmpty: Bool { streams.isEmpty }
  var requests: Int { streams.reduce(0) { $0 + $1.requests } }

  init(_ senders: SenderSample, classes: Set<RequestClass>, endpoints: [Int: Int], kinds: [Int: String]) {
    for (own, habits) in zip(SenderSample.senders(of: senders.requests), senders.habits)
    where senders.verdict(of: habits) == .phone {
      var seen: Set<Int> = []
      var run: Set<Int> = []
      var last: Int64 = .min / 2
      for request in senders.requests[own] where classes.contains(request.requestClass) {
        let kind = kinds[Int(request.kind.number)] == nil ? 0 : Int(request.kind.number)
        guard let endpoint = endpoints[Int(request.path.number)], let stream = number(kind, endpoint) else { continue }
        if request.time - last > SenderHabits.wakeMilliseconds { end(&run) }
        last = request.time
        streams[stream].requests += 1
        run.insert(stream)
        seen.insert(stream)
      }
      end(&run)
      for stream in seen { streams[stream].phones += 1 }
      if !seen.isEmpty { phones += 1 }
    }
  }

  private mutating func number(_ kind: Int, _ endpoint: Int) -> Int? {
    if let known = numbers[[kind, endpoint]] { return known }
    guard streams.count < Self.maxStreams else { return nil }
    streams.append(Stream(kind: kind, endpoint: endpoint))
    numbers[[kind, endpoint]] = streams.count - 1
    return streams.count - 1
  }

  private mutating func end(_ run: inout Set<Int>) {
    for one in run {
      streams[one].runs += 1
      for other in run where other > one { both[[one, other], default: 0] += 1 }
    }
    run = []
  }

  /// Returns the streams of each kind.
  func groups(together share: Double) -> [[Int]] {
    var groups: [[Int]] = []
    for stream in streams.indices {
      let place = groups.firstIndex { group in group.allSatisfy { isTogether($0, stream, share) } }
      if let place { groups[place].append(stream) } else { groups.append([stream]) }
    }
    return groups
  }

  private func isTogether(_ one: Int, _ other: Int, _ share: Double) -> Bool {
    guard streams[one].kind == streams[other].kind else { return false }
    if streams[one].kind > 0 { return true }
    let common = both[[min(one, other), max(one, other)]] ?? 0
    return Double(common) >= share * Double(max(streams[one].runs, streams[other].runs))
  }
}
