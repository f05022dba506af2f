import Foundation
import Testing

/// Scenarios calibrated against logs of their own, and against logs whose gaps have other reasons than the interval.
struct OwnLogTests {
  private static func scenario(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).appending(path: "../../../Scenarios/\(name).yaml").standardized.path
  }

  /// A budget, a spacing, phones with several widgets and a rare page all move the log's statistics away from the
  /// file's values, which are right.
  @Test(arguments: ["yandex-weather", "glucose-5min", "rare-page", "battery-wifi"])
  func theOwnLogContradictsNothing(_ name: String) throws {
    let child = try Child()
    defer { child.remove() }
    let path = Self.scenario(name)
    let sets = ["--set", "fleet.devices=300", "--set", "clock.duration=4d", "--set", "run.simulate=all"]
    let run = ["run", path, "--no-bracket", "--no-trials", "--only", "manifest.json", "--requests", "log", "-q"]
    let made = try child.run(run + sets + ["--seed", "11", "-o", "truth"])
    #expect(made.status == 0 || made.status == 1, "\(made.error)")
    let outcome = try child.run(["calibrate", path, "--log", "log", "--id", "id", "-o", "found"] + sets)
    #expect(!outcome.output.contains("WF620"), "\(outcome.output)")
    let rows = child.read("found/parameters.csv").split(separator: "\n").filter { $0.contains(",identified,") }
    #expect(!rows.isEmpty && rows.allSatisfy { $0.hasSuffix(",") }, "\(rows)")
  }

  /// Logs whose gaps have a reason that the file lacks: a cache, jitter, a budget.
  @Test(arguments: [
    ("cache: {ttl: 6h}", ""), ("jitter: {up_to: 2min}", ""), ("", "os: {budget: {capacity: 8/day..14/day}}"),
  ])
  func anotherReasonForGapsIsNoContradiction(_ ofKind: String, _ ofSystem: String) throws {
    let child = try Child()
    defer { child.remove() }
    let file = CalibrateTests.truth.replacing("after: 30min", with: "after: 1h")
    try child.write(file, to: "file.yaml")
    let kind = ofKind.isEmpty ? "" : "    \(ofKind)\n"
    let truth = file.replacing("    reload:", with: kind + "    reload:").replacing(
      "backend:\n", with: ofSystem + "\nbackend:\n")
    try child.write(truth, to: "truth.yaml")
    let run = [
      "run", "truth.yaml", "--no-bracket", "--no-trials", "--only", "manifest.json", "--requests", "log", "-q",
    ]
    let made = try child.run(run + ["-o", "truth"])
    #expect(made.status == 0, "\(made.error)")
    let outcome = try child.run([
      "calibrate", "file.yaml", "--log", "log", "--id", "id", "--no-simulation", "-o", "found",
    ])
    #expect(!outcome.output.contains("WF620"), "\(outcome.output)")
    let row = try #require(
      child.read("found/parameters.csv").split(separator: "\n").first { $0.hasPrefix("kinds.weather.reload.after") })
    #expect(!row.contains(",identified,"), "\(row)")
  }

  /// Options that match nothing are refused, because the command would silently do something else.
  @Test(arguments: [["--id", "query.instal"], ["--id", "id", "--widget", "ua ~ ^NoSuch"]])
  func optionsThatMatchNothingAreRefused(_ options: [String]) throws {
    let child = try CalibrateTests.child("jsonl", phones: 40)
    defer { child.remove() }
    let outcome = try child.run(["calibrate", "guess.yaml", "--log", "log", "--no-simulation"] + options)
    #expect(outcome.status == 2 && outcome.error.contains("no line"), "\(outcome.error)")
  }

  /// The number of phones is the log's, even if ids last only a day and the file has a larger fleet.
  @Test func aFleetThatIsTooLargeBecomesTheLogs() throws {
    let child = try CalibrateTests.child("jsonl", phones: 300)
    defer { child.remove() }
    let file = CalibrateTests.truth.replacing("devices: 300", with: "devices: 1M")
    try child.write(file, to: "million.yaml")
    let outcome = try child.run(["calibrate", "million.yaml", "--log", "log", "--id", "id", "-o", "found"])
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(child.read("found/calibrated.yaml").contains("devices: 300  # "))
  }

  /// Without ids, phones with two widgets each are still counted as phones, whatever the file's number.
  @Test func countsAloneGiveThePhones() throws {
    let child = try Child()
    defer { child.remove() }
    let truth = CalibrateTests.truth.replacing("[{kind: weather}]", with: "[{kind: weather}, {kind: weather}]")
      .replacing("duration: 6d", with: "duration: 4d")
    try child.write(truth, to: "truth.yaml")
    try child.write(truth.replacing("devices: 300", with: "devices: 1M"), to: "million.yaml")
    let made = try child.run([
      "run", "truth.yaml", "--no-bracket", "--no-trials", "--only", "manifest.json", "--requests", "log",
      "--requests-as", "nginx", "-q", "-o", "truth",
    ])
    #expect(made.status == 0, "\(made.error)")
    let outcome = try child.run(["calibrate", "million.yaml", "--log", "log"])
    #expect(outcome.status == 0, "\(outcome.output)")
    let devices = try #require(CalibrateTests.parameters(child, "truth-calibrate")["fleet.devices"])
    // 300 and 1 000 phones with lognormal unlocks of sigma 0.8 differ by a few percent.
    #expect(devices.verdict == "weakly" && abs((devices.value ?? 0) / 300 - 1) < 0.08, "\(devices)")
  }

  /// A release reaches 60 phones one day after the other: from 30 to 45 minutes on days 2 to 6.
  @Test func aReleaseOnItsWayIsNamed() throws {
    let child = try Child()
    defer { child.remove() }
    var lines: [(time: Double, text: String)] = []
    var state: UInt64 = 1
    for phone in 0..<60 {
      var time = Double(phone * 31)
      while time < 6 * 86_400 {
        // Knuth's linear congruential generator.
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let step = Double(state >> 33) / 0x1p31 * 900
        let interval = time < 86_400 * (1.5 + Double(phone % 5)) ? 1_800.0 : 2_700
        let stamp = Date(timeIntervalSince1970: 1_800_230_400 + time).ISO8601Format()
        let text = "{\"arrival\":\"\(stamp)\",\"id\":\"phone\(phone)\",\"path\":\"/forecast\",\"status\":200,"
        lines.append((time, text + "\"user_agent\":\"WeatherWidget/2\"}\n"))
        time += interval + step
      }
    }
    try child.write(lines.sorted { $0.time < $1.time }.map(\.text).joined(), to: "log")
    try child.write(CalibrateTests.truth, to: "truth.yaml")
    let outcome = try child.run(["calibrate", "truth.yaml", "--log", "log", "--id", "id", "--no-simulation"])
    #expect(outcome.output.contains("WF617 kind 'weather' follows several intervals: 30 min on"), "\(outcome.output)")
    #expect(outcome.output.contains("45 min on 0 % of the phones on 2027-01-18"))
    // Neither a file with the old interval nor one with the new interval is contradicted.
    #expect(!outcome.output.contains("WF620"), "\(outcome.output)")
    try child.write(CalibrateTests.truth.replacing("after: 30min", with: "after: 45min"), to: "next.yaml")
    let next = try child.run(["calibrate", "next.yaml", "--log", "log", "--id", "id", "--no-simulation", "-o", "next"])
    #expect(!next.output.contains("WF620"), "\(next.output)")
  }

  /// The week after six days of a constant policy has as many requests a day as these.
  @Test func nextWeekIsForecast() throws {
    let child = try CalibrateTests.child("jsonl", phones: 40)
    defer { child.remove() }
    let command = ["calibrate", "truth.yaml", "--log", "log", "--id", "id", "-o", "found"]
    let outcome = try child.run(command + ["--forecast", "7d"])
    let sentence = try #require(outcome.output.firstRange(of: "From 2027-01-24 to 2027-01-30, the widgets"))
    let rest = outcome.output[sentence.upperBound...]
    let number = rest.firstRange(of: "requests per day").map { rest[..<$0.lowerBound].filter(\.isNumber) }
    let forecast = try #require(number.flatMap { Double(String($0)) }, "\(outcome.output)")
    let measured = Double(child.read("log").split(separator: "\n").count) / 6
    // 40 phones with 25 to 45 runs a day differ by a few percent from week to week.
    #expect(abs(forecast / measured - 1) < 0.1, "\(forecast) for \(measured)")
    for wrong in [["--forecast", "7"], ["--forecast", "60d"], ["--forecast", "7d", "--no-simulation"]] {
      #expect(try child.run(command + wrong).status == 2)
    }
  }

  /// A base load without a capacity, as calibrate writes it, leaves requests and their peak in the verdict.
  @Test func aBaseLoadNeedsNoCapacity() throws {
    let child = try Child()
    defer { child.remove() }
    let file = CalibrateTests.truth.replacing(
      "latency: {p50: 60ms, p99: 500ms}", with: "base_load: {rate: 100/s, hours: flat}")
    try child.write(file.replacing("duration: 6d", with: "duration: 1d"), to: "base.yaml")
    let outcome = try child.run(["run", "base.yaml", "--no-bracket", "--no-trials", "-q", "-o", "out"])
    let peak = try #require(outcome.output.firstRange(of: "your servers peak at "), "\(outcome.output)")
    // 300 phones add less than ten requests per second to a hundred.
    let rate = try #require(Double(outcome.output[peak.upperBound...].prefix(3)))
    #expect((100..<110).contains(rate))
  }

  /// A change after the end of the log would show in no forecast.
  @Test func aChangeAfterTheLogIsRefused() throws {
    let child = try CalibrateTests.child("jsonl", phones: 40)
    defer { child.remove() }
    let outcome = try child.run([
      "backtest", "truth.yaml", "--log", "log", "--id", "id", "--train", "1-4", "--change",
      "2027-03-01: kinds.weather.reload.after=1h",
    ])
    #expect(outcome.status == 2 && outcome.error.contains("after the last day"), "\(outcome.error)")
  }
}
