import Calibration
import FleetReports
import Scenario
import ScenarioFiles
import SimulationKernel

/// The scenario that `init --from-log` calibrates. Comments state which values are guesses, and on what they are based.
struct LogScenarioText {
  let outline: LogOutline
  let settings: Settings
  let span: Range<Int64>
  let lines: Int64
  let hasIDs: Bool
  /// The shares of phones by zone; empty if the user gave the zones, or for UTC.
  private var zones: [(name: String, share: Double)] = []
  /// The number of widgets per phone, by kind.
  var widgets: [Int]
  /// The paths of keys whose values come from the log.
  var known: Set<String> = []

  init(outline: LogOutline, settings: Settings, span: Range<Int64>, lines: Int64, hasIDs: Bool) {
    (self.outline, self.settings, self.span, self.lines, self.hasIDs) = (outline, settings, span, lines, hasIDs)
    widgets = outline.kinds.map { _ in 1 }
  }

  /// Zones with different clocks, by their names in scenario files.
  static let worldZones = [
    "Pacific/Honolulu", "America/Los_Angeles", "America/Denver", "America/Chicago", "America/New_York",
    "America/Sao_Paulo", "Europe/London", "Europe/Berlin", "Europe/Helsinki", "Europe/Istanbul", "Asia/Dubai",
    "Asia/Karachi", "Asia/Kolkata", "Asia/Bangkok", "Asia/Shanghai", "Asia/Tokyo", "Australia/Sydney",
    "Pacific/Auckland",
  ]
  /// The smallest share for which a zone is listed, because a smaller share may be due to chance.
  private static let rarestZone = 0.05
  /// The number of requests per phone per day at which the search for the number of phones starts.
  private static let usualRequests = 30.0

  /// Uses the zones that have enough phones.
  mutating func setZones(_ all: [(name: String, share: Double)]) {
    zones = all.filter { $0.share >= Self.rarestZone }
  }

  /// Uses the zone in which the quietest hours fall at night.
  mutating func setZone(among clocks: [ZoneClock]) {
    guard let quiet = outline.quietHour else { return }
    let start = span.lowerBound
    let distance = { (clock: ZoneClock) -> Double in
      let local = quiet + Double(clock.offset(start)) / 3_600_000
      return (local - Self.middleOfNight).remainder(dividingBy: 24).magnitude
    }
    if let nearest = clocks.min(by: { distance($0) < distance($1) }) { zones = [(nearest.name, 1)] }
  }

  /// The local hour around which phones send the fewest requests.
  private static let middleOfNight = 4.0

  var text: String { (header + [""] + kinds + [""] + fleet + [""] + backend + rules).joined(separator: "\n") + "\n" }

  private var header: [String] {
    let asked = settings.logs.paths.map { (Option.fromLog, $0) } + settings.logs.reading
    let options = asked.map { "\($0.spelling) \($1.printable.shellQuoted)" }.joined(separator: " ")
    let date = { (time: Int64) in LocalDay(number: time.floorDivided(by: 86_400_000)).text }
    let end = span.upperBound - 1
    return ("Written by: widgetfleet init " + options).wrapped(width: 116).map { "# " + $0 } + [
      "# From \(lines) requests, \(date(span.lowerBound)) to \(date(end)). 'guess': not from the log; put your own value there.",
      "# Other comments are findings in the log. Next: 'widgetfleet run FILE', 'widgetfleet calibrate FILE --log LOG'.",
      "schema: widgetfleet/v1",
      "name: \(settings.question.values[.name] ?? "from-log")",
      "clock: {start: \(date(end + 86_400_000))T00:00:00Z, duration: 7d}  # the week after the log",
    ]
  }

  private var kinds: [String] {
    let rare = outline.rarePaths
    let isMasked = outline.endpoints.contains { $0.path.contains("{text}") }
    let notes = [
      rare > 0 ? "guess: the \(rare) rarest widget paths are other traffic" : nil,
      isMasked ? "guess: paths with {text} are one path; --show-rare shows words of fewer than 20 senders" : nil,
    ].compactMap { $0 }
    return ["kinds:" + (notes.isEmpty ? "" : "  # " + notes.joined(separator: "; "))]
      + outline.kinds.flatMap { kind in
        let paths = kind.requests.map { outline.endpoints[$0.endpoint].path }.joined(separator: ", ")
        let requests = kind.requests.map { request in
          let size = outline.endpoints[request.endpoint].meanBytes.map { "\(max(Int($0.rounded()), 1))B" } ?? "8kB"
          return "{endpoint: \(outline.endpoints[request.endpoint].name)"
            + (request.count > 1 ? ", count: \(request.count)" : "") + ", down: \(size)}"
        }.joined(separator: ", ")
        let isSized = kind.requests.allSatisfy { outline.endpoints[$0.endpoint].meanBytes != nil }
        let reload = "    reload: {after: 1h}"
        return [
          "  \(kind.name):  # \(percent(kind.lineShare)) of the widgets' requests" + (lines > 0 ? ": \(paths)" : ""),
          known.contains("kinds.\(kind.name).reload.after")
            ? reload : reload + "  # guess: the log does not show the interval",
          "    requests: [\(requests)]  # "
            + (isSized ? "mean sizes of answers" : "guess: sizes, because the log has none")
            + (hasIDs || kind.requests.count == 1 ? "" : "; guess: one run sends them, as their numbers are equal"),
        ]
      }
  }

  private var fleet: [String] {
    let days = max(Double(span.upperBound - span.lowerBound) / 86_400_000, 1 / 24)
    let devices = max(1, Int(Double(lines) / days / Self.usualRequests))
    let widgets = outline.kinds.indices.flatMap { place -> [String] in
      let kind = outline.kinds[place]
      let share = kind.phoneShare < 0.995 ? ", share: \(percent(kind.phoneShare))" : ""
      return Array(repeating: "        - {kind: \(kind.name)\(share)}", count: self.widgets[place])
    }
    return [
      "fleet:"
    ] + (hasIDs ? [] : ["  # guess: the number of phones that send this many requests at the intervals above"]) + [
      "  devices: \(devices)", "  cohorts:", "    - name: everybody",
      "      # guess: \(zoneReason)", "      zones: \(zoneText)",
      hasIDs
        ? "      widgets:  # shares: phones with requests of the kind; guess: widgets per phone"
        : "      widgets:  # guess: shares from the numbers of requests, one widget of a kind per phone",
    ] + widgets
  }

  private var zoneReason: String {
    if settings.question.values[.zones] != nil { return "the zones that you gave" }
    if zones.isEmpty { return "UTC, because the log shows no night; --zones sets the zones" }
    return hasIDs
      ? "zones that fit the hours in which phones are in use; --zones sets others"
      : "the zone in which the quietest hours fall at night; --zones sets others"
  }

  private var zoneText: String {
    if let given = settings.question.values[.zones] { return Question.mapping(given) }
    return zones.isEmpty ? "{UTC: 100%}" : PercentShares.text(zones)
  }

  private var backend: [String] {
    let other =
      outline.otherRate > 0
      ? [
        "    \(otherName):  # requests with other paths",
        "      base_load: {rate: \(KeyMeasure.rate.text(outline.otherRate)), hours: flat}  # guess: same at all hours",
      ] : []
    return ["backend:", "  endpoints:"]
      + outline.endpoints.map { endpoint in
        let isKnown = known.contains("backend.endpoints.\(endpoint.name).latency.p50")
        return "    \(endpoint.name): {latency: {p50: 50ms, p99: 500ms}}"
          + (isKnown ? "" : "  # guess: the log has too few durations")
      } + other
  }

  private var otherName: String { outline.endpoints.contains { $0.name == "other-traffic" } ? "rest" : "other-traffic" }

  /// The `calibrate` section, which makes `calibrate FILE --log LOG` read the log in the same way.
  private var rules: [String] {
    let keys: [(Option, String)] = [(.logsAs, "format"), (.pattern, "log_format"), (.id, "id"), (.widget, "widget")]
    let given = settings.logs.reading
    var entries = keys.compactMap { option, key in
      given.last { $0.option.name == option.name }.map { "    \(key): \(quoted($0.value))" }
    }
    let maps = pairs(.map)
    if !maps.isEmpty {
      entries.append("    map: {" + maps.map { "\($0): \(quoted($1))" }.joined(separator: ", ") + "}")
    }
    let own = pairs(.endpoint)
    let paths = outline.endpoints.compactMap { endpoint -> (String, String)? in
      guard endpoint.path.hasPrefix("/") else { return own.first { $0.0 == endpoint.path } }
      return (endpoint.name, Self.expression(endpoint.path))
    }
    // Expressions with placeholders come last, because the first matching one applies.
    let ordered = paths.filter { !$0.1.contains("+") } + paths.filter { $0.1.contains("+") }
    if !ordered.isEmpty { entries += ["    endpoints:"] + ordered.map { "      \($0): \(quoted($1))" } }
    return entries.isEmpty ? [] : ["", "calibrate:  # how to read the log", "  log:"] + entries
  }

  private func pairs(_ option: Option) -> [(String, String)] {
    settings.logs.reading.filter { $0.option.name == option.name }.map { _, value in
      let parts = value.split(separator: "=", maxSplits: 1).map(String.init)
      return (parts[0], parts.count > 1 ? parts[1] : "")
    }
  }

  /// Returns a regular expression for the displayable form of a path.
  private static func expression(_ path: String) -> String {
    let words = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { word -> String in
      let isPlain = word.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value < 0x7F && $0 != "%" }
      switch word {
      case "{number}": return "[0-9]+"
      case "...": return ".+"
      case _ where word.contains("{") || !isPlain: return "[^/]+"
      default: return word.map { $0.isLetter || $0.isNumber || "-_~".contains($0) ? String($0) : "[\($0)]" }.joined()
      }
    }
    return "^/" + words.joined(separator: "/") + "$"
  }

  private func percent(_ share: Double) -> String {
    let tenths = max(1, Int((share * 1_000).rounded()))
    return "\(tenths / 10)" + (tenths % 10 == 0 ? "" : ".\(tenths % 10)") + "%"
  }

  private func quoted(_ text: String) -> String {
    "\"" + text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "\""
  }
}
