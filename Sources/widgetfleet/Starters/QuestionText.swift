import FleetReports

/// The scenario that answers a question of `init`, with a comment beside each number: whether it was asked for or stands
/// for what was not said.
struct QuestionText {
  let question: Question

  /// Keys begin their comments here, where the line is short enough.
  private static let commentColumn = 48
  private static let width = 120

  var text: String {
    (header + [""] + lines.map(Self.line)).joined(separator: "\n") + "\n"
  }

  private var header: [String] {
    let options = Question.Part.allCases.compactMap { part in
      question.values[part].map { "\(part.option.spelling) \(Self.word($0))" }
    }
    return ("Written by: widgetfleet init " + options.joined(separator: " ")).wrapped(width: 116).map { "# " + $0 } + [
      "# 'asked': a number of the question. 'replace': a guess in place of what was not said; put yours there.",
      "# Whatever is left out has a default: 'widgetfleet run FILE --dry-run' shows all of them, 'widgetfleet explain KEY'",
      "# says what a key means. Next: 'widgetfleet validate FILE', 'widgetfleet run FILE'.",
    ]
  }

  private var lines: [(code: String, comment: String)] {
    beginning + kind + fleet + backend + events
  }

  private var beginning: [(String, String)] {
    [
      ("schema: widgetfleet/v1", ""),
      ("name: \(value(.name))", mark(.name) + "names the folder under Reports/"),
      ("clock: {start: 2027-01-18T00:00:00Z}", "replace: one day from here, after a day of warm-up"),
      ("# run: {simulate: 100k}", "not asked: all phones are simulated; a sample where that takes long"),
      ("", ""),
    ]
  }

  private var kind: [(String, String)] {
    [
      ("kinds:", ""), ("  widget:", "the kind of your widget; any name will do"), reload, jitter,
      ("    on_error: {after: 15min}", "replace: when a refresh that failed is tried again"),
      (
        "    requests: [{endpoint: api, up: 1kB, down: 20kB}]",
        "replace: what one refresh sends and gets; several requests have a line each"
      ),
      cache, stale, ("", ""),
    ]
  }

  private var reload: (String, String) {
    if question.values[.at] != nil {
      return (
        "    reload: {after: {at: \"\(value(.at))\", zone: local}}",
        mark(.at) + "once a day, by each phone's own clock; the system starts it later"
      )
    }
    return (
      "    reload: {after: \(value(.after))}",
      mark(.after) + "until the timeline asks for its next refresh; the system starts it"
    )
  }

  private var jitter: (String, String) {
    question.values[.jitter] == nil
      ? ("    # jitter: {up_to: 10min}", "not asked: a random delay by which the app spreads its phones")
      : ("    jitter: {up_to: \(value(.jitter))}", "asked: a random delay by which the app spreads its phones")
  }

  private var cache: (String, String) {
    question.values[.cache] == nil
      ? ("    # cache: {ttl: 30min}", "not asked: for so long refreshes use the last answer and send nothing")
      : ("    cache: {ttl: \(value(.cache))}", "asked: for so long refreshes use the last answer and send nothing")
  }

  private var stale: (String, String) {
    question.values[.staleAfter] == nil
      ? ("    # stale_after: 3h", "not asked: views of older data count as stale")
      : ("    stale_after: \(value(.staleAfter))", "asked: views of older data count as stale")
  }

  private var fleet: [(String, String)] {
    [
      ("fleet:", ""),
      (
        "  devices: \(value(.devices))",
        mark(.devices) + "phones that have the widget; the load is theirs"
      ),
      ("  cohorts:", "groups of phones that differ; their shares add up to 100 %"), ("    - name: everybody", ""),
      (
        "      zones: \(Question.mapping(value(.zones)))",
        mark(.zones) + "where the phones are; local time decides when people look"
      ),
      (
        "      widgets:",
        (question.values[.widgets] == nil ? "replace: " : "asked: ")
          + (question.widgets == 1 ? "one on each phone" : "\(question.widgets) on each phone, on the first page")
      ),
    ] + Array(repeating: ("        - {kind: widget, family: small}", ""), count: question.widgets) + [("", "")]
  }

  private var backend: [(String, String)] {
    let latency = "latency: {p50: 50ms, p99: 500ms}"
    let endpoints = [("backend:", ""), ("  endpoints:", "")]
    guard question.values[.capacity] != nil else {
      return endpoints + [
        ("    api: {\(latency)}", "replace: how long answers take; without a capacity: no limit, nothing queues")
      ]
    }
    return endpoints + [
      (
        "    api: {capacity: \(value(.capacity)), \(latency)}",
        "asked: what the servers take; more wait, unless e.g. queue: 2k refuses them; replace: how long answers take"
      ), ("", ""),
      ("goals:", "what has to hold; 'widgetfleet capacity FILE' says how many phones that allows"),
      (
        "  - {id: served, assert: \"share(failures{endpoint=api}) <= 0.1%\"}",
        "replace: the share of requests that may fail"
      ),
      (
        "  - {id: peak, assert: \"server_peak_rps{endpoint=api, window=10s} <= \(value(.capacity))\"}",
        "the capacity again: change both; without this goal requests may wait, as far as the other goals allow"
      ),
    ]
  }

  private var events: [(String, String)] {
    [
      ("", ""),
      ("# events:", "not asked: what comes to many phones at once; without 'over' in one instant"),
      (
        "#   - {name: push, at: \"18:00\", zone: UTC, push: {type: silent, audience: 50%, over: 5min, kinds: all}}",
        ""
      ),
    ]
  }

  private func value(_ part: Question.Part) -> String { question.values[part] ?? part.sample }

  private func mark(_ part: Question.Part) -> String { question.values[part] == nil ? "replace: " : "asked: " }

  /// A line with its comment behind it, or above it where both are too long for one.
  private static func line(_ code: String, _ comment: String) -> String {
    guard !comment.isEmpty else { return code }
    let blanks = String(repeating: " ", count: max(1, commentColumn - code.count))
    let line = code + blanks + "# " + comment
    if code.count < commentColumn, line.count <= width { return line }
    return code.prefix { $0 == " " } + "# " + comment + "\n" + code
  }

  /// A value as a shell takes it.
  private static func word(_ value: String) -> String {
    value.allSatisfy { $0.isLetter || $0.isNumber || "/=%,.:_-".contains($0) } ? value : value.shellQuoted
  }
}
