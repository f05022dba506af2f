import Testing

/// The `calibrate --telemetry` command as a process, with and without a log.
struct TelemetryCommandTests {
  /// The records of three phones over a week, with a run every 30 minutes plus up to 15 minutes.
  private static let records: String = {
    var lines: [String] = []
    for phone in 0..<3 {
      var (at, due): (Int64, Int64?) = (1_800_000_000_000 + Int64(phone) * 600_000, nil)
      for number in 1...224 {
        let next = at + 1_800_000
        lines.append(
          #"{"at":\#(at),"cause":"\#(due == nil ? "other" : "scheduled")","#
            + (due.map { #""due":\#($0),"# } ?? "")
            + #""end":\#(at + 300),"event":"run","kind":"weather","locked":true,"next":\#(next),"number":\#(number),"#
            + #""outcome":"network","path":"wifi","phone":"phone\#(phone)secret","sequence":\#(number),"uptime":1,"#
            + #""version":1,"widget":"abc"}"#)
        due = next
        // Uniform delays, as multiples of the golden ratio.
        let turn = (Double(number + 300 * phone) * 0.618_034).truncatingRemainder(dividingBy: 1)
        at = next + Int64(turn * 900_000)
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }()

  @Test func telemetryAloneCalibratesAScenario() throws {
    let child = try Child()
    defer { child.remove() }
    try child.write(CalibrateTests.guess, to: "guess.yaml")
    try child.write(Self.records + "garbage\n", to: "probe.jsonl")
    let outcome = try child.run(["calibrate", "guess.yaml", "--telemetry", "probe.jsonl", "--set", "os.version=26.2"])
    #expect(outcome.status == 1, "\(outcome.error)")
    #expect(outcome.output.contains("WF620 kinds.weather.reload.after: the file has 1h, but the telemetry has"))
    #expect(outcome.error.contains("1 of 673 lines are not records"))
    let found = CalibrateTests.parameters(child, "guess-calibrate")
    #expect(found["kinds.weather.reload.after"]?.verdict == "identified")
    #expect(abs((found["os.start_delay.policy"]?.value ?? 0) - 900) < 20)
    #expect(found["fleet.devices"] == nil)
    #expect(child.read("Reports/guess-calibrate/calibrated.yaml").contains("reload: {after: 30min}  # "))
    let profile = child.read("Reports/guess-calibrate/profile.yaml")
    #expect(profile.contains("  start_delay.policy: {value: {uniform: 0s..") && profile.hasSuffix(", phones: 3}\n"))
    #expect(profile.contains("measured: {os: \"26.2\", by: "))
    let measured = ["run", "guess.yaml", "--dry-run", "--set", "os.profile=Reports/guess-calibrate/profile.yaml"]
    #expect(try child.run(measured).output.contains("method: telemetry"))
    for name in child.names(in: "Reports/guess-calibrate") {
      let text = child.read("Reports/guess-calibrate/\(name)")
      #expect(!text.contains("secret") && !text.isEmpty, "\(name)")
    }
  }

  /// Phones and zones come from the log, the code's dates from the telemetry.
  @Test func telemetryAndLogAreCombined() throws {
    let child = try CalibrateTests.child("nginx")
    defer { child.remove() }
    try child.write(Self.records, to: "probe.jsonl")
    let both = try child.run([
      "calibrate", "guess.yaml", "--log", "log", "--id", "query.install", "--telemetry", "probe.jsonl",
      "--no-simulation",
    ])
    #expect(both.status == 1, "\(both.error)")
    let rows = child.read("Reports/guess-calibrate/parameters.csv").split(separator: "\n")
    #expect(rows.contains { $0.hasPrefix("fleet.devices,fleet,log,") })
    #expect(rows.contains { $0.hasPrefix("kinds.weather.reload.after,yours,telemetry,") })
    #expect(Set(rows.map { $0.prefix { $0 != "," } }).count == rows.count)
    let statistics = child.read("Reports/guess-calibrate/statistics.csv")
    #expect(statistics.contains("weather,telemetry_widgets_per_phone,,1,0,"))
    #expect(child.read("Reports/guess-calibrate/report.html").contains("3 tester phones with 672 runs"))
  }

  @Test func telemetryWithoutRecordsIsRefused() throws {
    let child = try Child()
    defer { child.remove() }
    try child.write(CalibrateTests.guess, to: "guess.yaml")
    try child.write("{}\n", to: "probe.jsonl")
    let outcome = try child.run(["calibrate", "guess.yaml", "--telemetry", "probe.jsonl"])
    #expect(outcome.status == 2 && outcome.error.contains("contains no WidgetFleetProbe records"), "\(outcome.error)")
    #expect(try child.run(["calibrate", "guess.yaml", "--telemetry", "nowhere.jsonl"]).status == 4)
    #expect(try child.run(["calibrate", "guess.yaml"]).status == 2)
  }
}
