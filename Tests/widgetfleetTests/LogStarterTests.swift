import Foundation
import Testing

/// `init --from-log`: a scenario from the log of a known truth has its values, runs, and agrees with the log.
struct LogStarterTests {
  private static let run = [
    "run", "truth.yaml", "--no-bracket", "--no-trials", "--only", "manifest.json", "-q", "-o", "truth", "--requests",
    "log", "--requests-as",
  ]

  /// Returns a child with the log of a truth in a format.
  private static func child(_ truth: String, _ format: String) throws -> Child {
    let child = try Child()
    try child.write(truth, to: "truth.yaml")
    let made = try child.run(run + [format])
    #expect(made.status == 0, "\(made.error)")
    return child
  }

  /// Writes the scenario, checks that it is valid, runs and agrees with the log, and returns its text.
  private static func scenario(_ child: Child, _ options: [String], log: String = "log") throws -> String {
    let outcome = try child.run(["init", "--from-log", log, "-o", "first.yaml"] + options)
    #expect(outcome.status == 0, "\(outcome.error)")
    let text = child.read("first.yaml")
    #expect(try child.run(["validate", "first.yaml"]).status == 0, "\(text)")
    let run = try child.run(["run", "first.yaml", "--no-bracket", "--no-trials", "-q", "-o", "run"])
    #expect(run.status == 0, "\(run.error)")
    let calibrated = try child.run(["calibrate", "first.yaml", "--log", log, "-o", "calibrated"])
    #expect(!calibrated.output.contains("WF620"), "\(calibrated.output)")
    return text
  }

  /// Returns the number at the start of the rest of a line with a key.
  private static func number(_ text: String, after key: String) -> Double? {
    text.firstRange(of: key).flatMap { Double(text[$0.upperBound...].prefix { $0.isNumber || $0 == "." }) }
  }

  @Test(arguments: [("jsonl", "id"), ("nginx", "query.install")])
  func idsGiveIntervalPhonesAndZones(_ format: String, _ id: String) throws {
    let child = try Self.child(CalibrateTests.truth, format)
    defer { child.remove() }
    let text = try Self.scenario(child, ["--id", id])
    #expect(text.contains("    reload: {after: 30min}  # "), "\(text)")
    #expect(text.contains("  devices: 300  # 300, identified"), "\(text)")
    #expect(text.contains("clock: {start: 2027-01-24T00:00:00Z, duration: 7d}"), "\(text)")
    #expect(text.contains("down: 8000B}"), "\(text)")
    #expect(text.contains("    id: \"\(id)\"\n"), "\(text)")
    // Zones an hour apart cannot be told apart, so only the larger share on Europe's side is checked.
    let europe = ["London", "Berlin", "Helsinki"].compactMap { Self.number(text, after: "Europe/\($0): ") }
    #expect(europe.contains { abs($0 - 70) < 10 }, "\(text)")
  }

  /// A shipped scenario, whose budget hides its interval.
  @Test func aShippedScenariosLogGivesItsValues() throws {
    let file = URL(fileURLWithPath: #filePath).appending(path: "../../../Scenarios/yandex-weather.yaml").standardized
    let child = try Child()
    defer { child.remove() }
    let sets = ["fleet.devices=300", "clock.duration=4d", "run.simulate=all"].flatMap { ["--set", $0] }
    let run = Self.run.map { $0 == "truth.yaml" ? file.path : $0 }
    #expect([0, 1].contains(try child.run(run + ["nginx"] + sets).status))
    let text = try Self.scenario(child, ["--id", "query.install"])
    #expect(text.contains("    reload: {after: 30min}"), "\(text)")
    #expect(text.contains("  devices: 300  #"), "\(text)")
  }

  /// Two paths that are always requested together belong to one kind, which 40 % of the phones have. Another app on the
  /// same path is base load, and a shop with other paths too.
  @Test func pathsGiveKindsAndOtherTraffic() throws {
    let truth = CalibrateTests.truth.replacing(
      "fleet:\n", with: "  news: {reload: {after: 1h}, requests: [{endpoint: headlines}, {endpoint: images}]}\nfleet:\n"
    ).replacing("[{kind: weather}]", with: "[{kind: weather}, {kind: news, share: 40%}]")
    let child = try Self.child(truth, "nginx")
    defer { child.remove() }
    var lines: [Substring] = []
    let own = child.read("log").split(separator: "\n")
    for (number, line) in own.enumerated() {
      lines.append(line)
      let stamp = line.split(separator: "[")[1].prefix { $0 != "]" }
      if number % 5 == 0 {
        lines.append("192.0.2.\(number % 99) - - [\(stamp)] \"GET /shop HTTP/1.1\" 200 9 \"-\" \"Safari\"")
      }
      if number % 10 == 0 {
        lines.append("192.0.2.\(number % 99) - - [\(stamp)] \"GET /forecast HTTP/1.1\" 200 9 \"-\" \"WeatherApp/3\"")
      }
    }
    try child.write(lines.joined(separator: "\n") + "\n", to: "mixed")
    let text = try Self.scenario(child, ["--id", "query.install"], log: "mixed")
    #expect(text.contains("  forecast:  # "), "\(text)")
    #expect(text.contains("  headlines:  # ") && text.contains("{endpoint: images, down: "), "\(text)")
    #expect(!text.contains("  images:  # "), "\(text)")
    // The binomial deviation of 300 phones is 2.8 %.
    let share = try #require(Self.number(text, after: "{kind: headlines, share: "))
    #expect(abs(share - 40) < 9)
    let rate = Double(own.count) / (6 * 86_400)
    let app = try #require(Self.number(text, after: "base_load: {rate: "))
    #expect(abs(app / (rate / 10) - 1) < 0.05)
    let shop = try #require(Self.number(text, after: "      base_load: {rate: "))
    #expect(abs(shop / (rate / 5) - 1) < 0.05)
  }

  /// Without ids the spectrum gives the interval, and the load the phones; guesses are marked.
  @Test func countsAloneGiveIntervalAndPhones() throws {
    let child = try Self.child(CalibrateTests.truth, "nginx")
    defer { child.remove() }
    let text = try Self.scenario(child, [])
    let interval = try #require(Self.number(text, after: "reload: {after: "))
    #expect(abs(interval - 30) <= 1, "\(text)")
    // 300 phones with lognormal unlocks of sigma 0.8 differ by a few percent.
    let devices = try #require(Self.number(text, after: "  devices: "))
    #expect(abs(devices / 300 - 1) < 0.1, "\(text)")
    #expect(text.contains("# guess: the number of phones") && text.contains("      # guess: "), "\(text)")
  }

  @Test func filesAreKeptAndWrongOptionsRefused() throws {
    let child = try CalibrateTests.child("nginx", phones: 40)
    defer { child.remove() }
    let kept = try child.run(["init", "--from-log", "log", "-o", "truth.yaml"])
    #expect(kept.status == 4 && kept.error.contains("was not replaced"), "\(kept.error)")
    #expect(child.read("truth.yaml").hasPrefix("schema: widgetfleet/v1\nname: truth\n"))
    let refusals: [(options: [String], part: String)] = [
      (["--id", "query.install"], "--id needs --from-log"),
      (["weather", "--from-log", "log"], "--from-log takes only --name and --zones, not 'weather'"),
      (["--from-log", "log", "--devices", "3M"], "not --devices"), (["--from-log", "-"], "cannot be standard input"),
      (["--from-log", "log", "--id", "query.instal"], "no line has the field 'query.instal'"),
      (["--from-log", "log", "--widget", "ua ~ ^NoSuch"], "no line matches"),
    ]
    for refusal in refusals {
      let outcome = try child.run(["init"] + refusal.options)
      #expect(outcome.status == 2 && outcome.error.contains(refusal.part), "\(outcome.error)")
      #expect(outcome.error.contains("= help: ") && outcome.output.isEmpty, "\(outcome.error)")
    }
  }
}
