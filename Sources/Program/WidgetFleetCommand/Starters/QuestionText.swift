import FleetReports

/// The scenario written by `init`. A comment next to each number states whether it was given by the user or is a
/// default.
struct QuestionText {
  let question: Question

  /// The column at which comments after keys start, unless the line is too long.
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
      "# 'asked': a number that you gave. 'replace': a guess; put your own number there.",
      "# Anything left out has a default: 'widgetfleet run FILE --dry-run' shows all of them, 'widgetfleet explain KEY'",
      "# explains a key. Next: 'widgetfleet validate FILE', 'widgetfleet run FILE'.",
    ]
  }

  private var lines: [(code: String, comment: String)] {
    beginning + kind + fleet + backend + events
  }

  private var beginning: [(String, String)] {
    [
      ("schema: widgetfleet/v1", ""),
      ("name: \(value(.name))", mark(.name) + "names the folder under Reports/"),
      ("clock: {start: 2027-01-18T00:00:00Z}", "replace: one day from this time, after a day of warm-up"),
      ("# run: {simulate: 100k}", "not asked: all phones are simulated, or a sample if that would take long"),
      ("", ""),
    ]
  }

  private var kind: [(String, String)] {
    [
      ("kinds:", ""), ("  widget:", "the kind of your widget; any name will do"), reload,
      optional(
        .jitter, "    jitter: {up_to: \(value(.jitter))}", "a random delay by which the app spreads its refreshes"),
      ("    on_error: {after: 15min}", "replace: when a failed refresh is retried"),
      (
        "    requests: [{endpoint: api, up: 1kB, down: \(value(.size))}]",
        mark(.size) + "the response to one request; further requests need one line each"
      ),
      optional(
        .cache, "    cache: {ttl: \(value(.cache))}", "how long refreshes reuse the last answer and send nothing"),
      optional(.staleAfter, "    stale_after: \(value(.staleAfter))", "views of older data count as stale"), ("", ""),
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
      mark(.after) + "until the timeline requests its next refresh; the system starts it"
    )
  }

  private var fleet: [(String, String)] {
    [
      ("fleet:", ""),
      (
        "  devices: \(value(.devices))",
        mark(.devices) + "phones with the widget; they create the load"
      ),
      ("  cohorts:", "groups of phones that differ; their shares add up to 100 %"), ("    - name: everybody", ""),
      (
        "      zones: \(Question.mapping(value(.zones)))",
        mark(.zones) + "where the phones are; local time determines when users look"
      ),
      ("      # person: {peak: \"20:00\"}", "not asked: when users look most often; 18:00 by default"),
      (
        "      widgets:",
        mark(.widgets)
          + (question.widgets == 1 ? "one on each phone" : "\(question.widgets) on each phone, on the first page")
      ),
    ] + Array(repeating: ("        - {kind: widget, family: small}", ""), count: question.widgets) + [
      optional(
        .secondWidget, "        - {kind: widget, family: small, share: \(value(.secondWidget))}",
        "one more on this share of phones"),
      optional(
        .lockScreen, "        - {kind: widget, place: lock-screen, share: \(value(.lockScreen))}",
        "on the lock screen of this share of phones"), ("", ""),
    ]
  }

  private var backend: [(String, String)] {
    let hasCapacity = question.values[.capacity] != nil
    let peak = question.values[.busiest].map { ", peak: \"\($0)\"" } ?? ""
    let queue = question.values[.queue] ?? question.usualQueue
    return [
      ("backend:", ""), ("  endpoints:", ""), ("    api:", ""),
      ("      latency: {p50: 50ms, p99: 500ms}", "replace: how long answers take"),
      optional(
        .capacity, "      capacity: \(value(.capacity))",
        hasCapacity
          ? "what the servers can take; further requests wait"
          : "what the servers can take; without it, nothing queues"),
    ]
      + (queue.map { queue in
        [
          (
            "      queue: \(queue)",
            mark(.queue) + "requests that may wait" + (question.values[.queue] == nil ? ", here for 15 s" : "")
              + "; any more are refused"
          )
        ]
      } ?? []) + [
        optional(
          .baseLoad, "      base_load: {rate: \(value(.baseLoad))\(peak), zone: \(question.zone)}",
          "other traffic on the servers, daily mean" + (peak.isEmpty ? "; peak is its busiest time" : "")
        )
      ] + (hasCapacity ? goals : [])
  }

  private var goals: [(String, String)] {
    [
      ("", ""), ("goals:", "what must hold; 'widgetfleet capacity FILE' finds how many phones that allows"),
      (
        "  - {id: served, assert: \"share(failures{endpoint=api}) <= 0.1%\"}",
        "replace: the share of requests that may fail"
      ),
      (
        "  - {id: peak, assert: \"server_peak_rps{endpoint=api, window=10s} <= 80% of capacity\"}",
        "replace: how much of the capacity may be used; the verdict also compares the peak with all of it"
      ),
    ]
  }

  private var events: [(String, String)] {
    let clears = question.values[.cache] == nil ? "" : ", clears_cache: true"
    let asked = question.values[.push] != nil
    let lines = [
      (
        "events:",
        (asked ? "asked: " : "not asked: ")
          + "reaches many phones at once; replace: 'over', the time over which it is sent"
      ),
      (
        "  - {name: push, at: \"\(value(.push))\", zone: \(question.zone),", ""
      ), ("     push: {type: silent, over: 5min, kinds: all\(clears)}}", ""),
    ]
    return [("", "")] + lines.map { asked ? $0 : ("# " + $0.0, $0.1) }
  }

  /// Returns a line for a value. If the value was not given, the line is commented out.
  private func optional(_ part: Question.Part, _ code: String, _ comment: String) -> (String, String) {
    guard question.values[part] == nil else { return (code, "asked: " + comment) }
    let indent = code.prefix { $0 == " " }
    return (indent + "# " + code.dropFirst(indent.count), "not asked: " + comment)
  }

  private func value(_ part: Question.Part) -> String { question.values[part] ?? part.sample }

  private func mark(_ part: Question.Part) -> String { question.values[part] == nil ? "replace: " : "asked: " }

  /// Returns a line followed by its comment. If the two do not fit on one line, the comment is placed above.
  private static func line(_ code: String, _ comment: String) -> String {
    guard !comment.isEmpty else { return code }
    let blanks = String(repeating: " ", count: max(1, commentColumn - code.count))
    let line = code + blanks + "# " + comment
    if code.count < commentColumn, line.count <= width { return line }
    return code.prefix { $0 == " " } + "# " + comment + "\n" + code
  }

  /// Returns a value as a shell word, quoted if necessary.
  private static func word(_ value: String) -> String {
    value.allSatisfy { $0.isLetter || $0.isNumber || "/=%,.:_-".contains($0) } ? value : value.shellQuoted
  }
}
