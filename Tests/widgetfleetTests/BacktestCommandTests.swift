import Foundation
import Testing

/// The `backtest` command as a process, on nine-day logs of a few phones, written by `run --requests`.
struct BacktestCommandTests {
  private static let phones = 60
  private static let truth = CalibrateTests.truth.replacing("duration: 6d", with: "duration: 9d")
    .replacing("devices: 300", with: "devices: \(phones)")

  /// Returns a child with two logs of the truth: `log`, and `changed`, with the same phones but an hour instead of half
  /// an hour from the eighth day on.
  private static func child() throws -> Child {
    let child = try Child()
    try child.write(truth, to: "truth.yaml")
    try child.write(truth.replacing("after: 30min", with: "after: 1h"), to: "other.yaml")
    for (name, log) in [("truth", "log"), ("other", "other")] {
      let run = try child.run([
        "run", "\(name).yaml", "--no-bracket", "--no-trials", "--only", "summary.csv", "--requests", log,
        "--requests-as", "nginx", "-q",
      ])
      #expect(run.status == 0, "\(run.error)")
    }
    let isLate = { (line: Substring) in ["25/Jan", "26/Jan", "27/Jan"].contains { line.contains("[" + $0) } }
    let before = child.read("log").split(separator: "\n").filter { !isLate($0) }
    let after = child.read("other").split(separator: "\n").filter(isLate)
    try child.write((before + after).joined(separator: "\n") + "\n", to: "changed")
    return child
  }

  private static func backtest(_ child: Child, _ log: String, _ more: [String] = []) throws -> [String: Any] {
    let outcome = try child.run(
      ["backtest", "truth.yaml", "--log", log, "--id", "query.install", "--format", "json", "-q"] + more)
    #expect(outcome.status == 0, "\(outcome.error)")
    return try #require(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
  }

  /// Checks that two correct Poisson forecasts differ by the floor over 576 steps. With independent steps the tolerance
  /// would be 76 % / sqrt(576) of it. A step's phones return seven times a day, so three standard errors are 3 x 3 % x
  /// sqrt(7).
  private static func expectNearTheFloor(_ scores: [String: Any]) throws {
    let error = try #require(scores["wape_5min"] as? Double)
    let floor = try #require(scores["floor_5min"] as? Double)
    #expect(abs(error / floor - 1) < 3 * 0.76 / 576.0.squareRoot() * 7.0.squareRoot(), "\(error), \(floor)")
  }

  /// The folder has a row for each day, each column is explained, and the error is due to chance alone.
  @Test func similarDaysAreForecastWithinChance() throws {
    let child = try Self.child()
    defer { child.remove() }
    let found = try Self.backtest(child, "log", ["--train", "1-7"])
    try Self.expectNearTheFloor(try #require(found["all"] as? [String: Any]))
    let folder = "Reports/truth-backtest"
    #expect(
      child.names(in: folder).sorted()
        == ["backtest.csv", "calibrated.yaml", "forecast.csv", "manifest.json", "report.html"])
    let rows = child.read("\(folder)/backtest.csv").split(separator: "\n")
    #expect(rows.dropFirst().map { $0.prefix(12) } == ["8,2027-01-25", "9,2027-01-26"])
    for file in ["backtest.csv", "forecast.csv"] {
      let header = child.read("\(folder)/\(file)").prefix { $0 != "\n" }.split(separator: ",")
      for column in header { #expect(try child.run(["explain", String(column)]).status == 0, "\(column)") }
    }
    #expect(child.read("\(folder)/forecast.csv").split(separator: "\n").count == 1 + 2 * 288)
    #expect(child.read("\(folder)/report.html").contains("it predicts days 8 to 9 to that accuracy"))
  }

  /// With the change, the forecast's error is due to chance; without it, the forecast is up to twice the load, and no
  /// naive forecast does better.
  @Test func datedChangeMakesTheForecastRight() throws {
    let child = try Self.child()
    defer { child.remove() }
    let told = try Self.backtest(
      child, "changed", ["--train", "1-7", "--change", "2027-01-25: kinds.weather.reload.after=1h"])
    let scores = try #require(told["all"] as? [String: Any])
    try Self.expectNearTheFloor(scores)
    let naive = try #require(scores["naive"] as? [String: [String: Any]])
    for forecast in ["yesterday", "last_week", "mean_day"] {
      #expect(try #require(naive[forecast]?["skill"] as? Double) > 0.3, "\(forecast)")
    }
    let untold = try Self.backtest(child, "changed", ["--train", "1-7"])
    let total = try #require((untold["all"] as? [String: Any])?["total_error"] as? Double)
    #expect(total > 0.3)
  }

  @Test func invalidBacktestDaysAreRefused() throws {
    let child = try Self.child()
    defer { child.remove() }
    let base = ["backtest", "truth.yaml", "--id", "query.install"]
    let rows: [([String], String)] = [
      (["--train", "1-7"], "--log is missing"), (["--log", "log"], "--train is missing"),
      (["--log", "log", "--train", "7-1"], "--train must be a range"),
      (["--log", "log", "--train", "1-"], "--train must be a range"),
      (["--log", "log", "--train", "1-7", "--test", "x"], "--test must be a range"),
      (["--log", "log", "--train", "1-7", "--test", "7-9"], "--test must start after"),
      (["--log", "log", "--train", "1-12"], "none of which is left"),
      (["--log", "log", "--train", "1-7", "--change", "soon: a=b"], "--change takes DATE"),
      (["--log", "log", "--train", "1-7", "--change", "2027-01-25: kinds.rain.reload.after=1h"], "rain"),
    ]
    for (arguments, says) in rows {
      let outcome = try child.run(base + arguments)
      #expect(outcome.status == 2 && outcome.error.contains(says), "\(arguments): \(outcome.error)")
    }
    #expect(!child.names(in: "Reports").contains("truth-backtest"))
  }
}
