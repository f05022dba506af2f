package import Scenario
import SimulationKernel
package import Studies

/// A load test for any tool: the plan, and the remarks in its file.
package struct LoadTest: Sendable {
  package var plan: LoadPlan
  package var scenario: Scenario
  package var provenance: Provenance
  /// A note that the load comes from a sample; empty if all phones were simulated.
  let sampleNote: String
  /// The URL for the requests, without a trailing slash.
  package var base: String
  /// Whether rates change linearly between steps instead of jumping.
  package var isRamped: Bool

  package init(_ plan: LoadPlan, of report: ReportContent, base: String, isRamped: Bool) {
    self.plan = plan
    scenario = report.run.scenario
    provenance = report.provenance
    sampleNote = Self.sampleNote(report.run)
    self.base = base
    self.isRamped = isRamped
  }

  /// Returns the file for a tool; empty for a target that is not a load test.
  package func bytes(for tool: ExportTarget) -> [UInt8] {
    switch tool {
    case .k6: k6Script(of: self)
    case .locust: locustFile(of: self)
    case .openMetrics, .grafana: []
    }
  }

  /// Returns the rate over time; if `joined`, equal neighbours become one piece.
  func pieces(_ target: LoadPlan.Target, joined: Bool) -> [LoadPiece] {
    let pieces = isRamped ? plan.ramps(target) : plan.levels(target)
    guard joined else { return pieces }
    return pieces.reduce(into: []) { joined, piece in
      if let last = joined.last, last.from == last.to, piece.from == last.to, piece.to == last.to {
        joined[joined.count - 1].length += piece.length
        joined[joined.count - 1].requests += piece.requests
      } else {
        joined.append(piece)
      }
    }
  }

  /// Returns the path of an endpoint relative to the base URL.
  func path(_ target: LoadPlan.Target) -> String {
    "/" + String(decoding: PercentEncoding.encoded(target.name), as: UTF8.self)
  }

  /// Returns the remarks for the head of the file, without comment marks.
  ///
  /// - Parameter arrivals: how requests are distributed within a step.
  func remarks(arrivals: String) -> [String] {
    let (slice, clock) = (plan.slice, scenario.clock)
    let steps = "\(slice.count) step\(slice.count == 1 ? "" : "s") of \(QuantityText.duration(slice.step))"
    let head = [
      "The load of \(Self.plain(scenario.name)) as a load test: \(plan.total) requests in "
        + "\(QuantityText.duration(slice.length)).",
      "From \(UTCTime(slice.part.lowerBound, of: clock).full) to \(UTCTime(slice.part.upperBound, of: clock).full), "
        + "\(steps), first replication, factor \(factorText).",
      isRamped
        ? "Rates rise and fall evenly from step to step; the total is kept, that of one step is not." : arrivals,
    ]
    let targets = plan.targets.map { target in
      "  \(Self.plain(target.name)): \(shown(target.total)) requests of the fleet, "
        + "\(target.counts.reduce(0, +)) sent here: \(meaning(target))"
    }
    return head + (sampleNote.isEmpty ? [] : [sampleNote]) + ["Endpoints:"] + targets + other + [
      "Each request is a GET of the base and the endpoint's name: put in your own paths, headers and bodies.",
      "Send it to nothing but servers that are yours.",
      "Made by widgetfleet \(provenance.version) of scenario \(provenance.scenarioHash.prefix(12)), "
        + "seed \(scenario.run.seed).",
    ]
  }

  private var factorText: String {
    let value = Double(plan.factor.numerator) / Double(plan.factor.denominator)
    return value == value.rounded() ? String(Int(value)) : value.description
  }

  private func shown(_ total: Quantity) -> String {
    if case .whole(let count) = total { return count.description }
    return NumberText.trimmed(NumberText.fixed(total.approximate, decimals: 3))
  }

  private func meaning(_ target: LoadPlan.Target) -> String {
    let endpoint = scenario.endpoints[target.endpoint]
    switch target.place {
    case .only: return "what phones send, retries included"
    case .phones:
      return endpoint.cdn == nil
        ? "what phones send, retries included, base_load not" : "what phones send to the CDN, retries included"
    case .servers:
      let passed = [
        endpoint.cdn == nil ? nil : "the CDN's misses", endpoint.rateLimit == nil ? nil : "what the limit lets through",
      ].compactMap { $0 }.joined(separator: ", ")
      let base = endpoint.baseLoad == nil ? "" : ", base_load included"
      return "what reaches the servers" + (passed.isEmpty ? "" : ": " + passed) + base
    }
  }

  /// A note about load from other clients; empty if there is none.
  private var other: [String] {
    guard scenario.endpoints.indices.contains(where: scenario.hasServerLoad) else { return [] }
    return plan.targets.contains { $0.place == .servers }
      ? ["--at phones makes it what the phones send."]
      : ["--at servers makes it what reaches the servers, past CDN and limits and with base_load."]
  }

  /// Returns a warning that the load is scaled; empty if all phones were simulated.
  static func sampleNote(_ run: StoredRun) -> String {
    guard Scale(of: run).isSample else { return "" }
    return "\(run.devicesSimulated) of \(run.scenario.fleet.devices) devices were simulated: their load is scaled to "
      + "the fleet with its noise, so short steps show peaks that the fleet would not have."
  }

  /// Returns a name without line breaks.
  static func plain(_ name: String) -> String {
    String(String.UnicodeScalarView(name.unicodeScalars.map { $0.isHidden ? "\u{FFFD}" : $0 }))
  }

  /// Returns text as a literal that is valid in JavaScript, Python and JSON.
  static func literal(_ text: String) -> String {
    String(decoding: JSONValue.string(text).bytes().dropLast(), as: UTF8.self)
  }

  /// Returns fields in lines of about 100 columns.
  static func lines(_ fields: [String], indent: String) -> String {
    var (text, line) = ("", indent)
    for field in fields {
      if line.count + field.count > 100, line != indent {
        text += line.dropLast() + "\n"
        line = indent
      }
      line += field + ", "
    }
    return text + line.dropLast() + "\n"
  }

  /// Returns a number that all tools can read.
  static func number(_ value: Double) -> String {
    var text = TextBuffer()
    text.append(value)
    return String(decoding: text.bytes, as: UTF8.self)
  }
}
