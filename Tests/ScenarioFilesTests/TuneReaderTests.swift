import Scenario
import Testing

@testable import ScenarioFiles

/// The `tune` section of a file, and the messages about mistakes in it.
struct TuneReaderTests {
  private static let goals = "goals: [{id: late, assert: 'lateness <= 9min'}, {id: few, assert: 'requests <= 1M'}]\n"

  private func read(_ tune: String, set: [String] = []) -> TuneReader.Outcome {
    TuneReader.read(
      text: Array((Samples.minimal + Self.goals + tune).utf8), fileName: "a.yaml", settings: set.map { SetArgument($0) }
    )
  }

  private static let section = """
    tune:
      minimize: "p95(lateness{kind=weather})"
      subject_to: [few]
      search:
        kinds.weather.jitter.up_to: 0s..30min
        kinds.weather.reload.after: [1h, 2h, {uniform: 1h..2h}]
        fleet.devices: 1k..1200

    """

  @Test func keysAndGoalsAreRead() throws {
    let outcome = read(Self.section)
    let found = outcome.plan
    let plan = try #require(found, "\(outcome.diagnostics.humanText)")
    #expect(plan.objective == .figure(FigureName(.lateness, .p95, Labels().with(\.kind, "weather"))))
    #expect(plan.goals.map(\.id) == ["few"])
    #expect(plan.keys.map(\.path) == ["kinds.weather.jitter.up_to", "kinds.weather.reload.after", "fleet.devices"])
    #expect(plan.keys.map(\.isOrdered) == [true, false, true])
    // 30 minutes in seconds, three words, 200 steps of one.
    #expect(plan.keys.map(\.levels) == [1_801, 3, 201])
    #expect(plan.values(at: [0, 0, 0]) == ["0s", "1h", "1k"])
    #expect(plan.values(at: [61, 2, 1]) == ["1min1s", "{uniform: 1h..2h}", "1001"])
    #expect(plan.values(at: [1_800, 1, 200]) == ["30min", "2h", "1200"])
    let scenario = try #require(plan.scenario(at: [61, 1, 1]).scenario)
    #expect(scenario.kinds[0].jitter?.upTo == .seconds(61))
    #expect(scenario.kinds[0].phases[0].reload == .after(.constant(.hours(2))))
    #expect(scenario.fleet.devices == 1_001)
  }

  /// A key inside a list has the value of its item, not the whole list.
  @Test func aKeyIsWrittenAsItIsInTheFile() throws {
    let outcome = read(
      "tune: {minimize: requests, search: {kinds.weather.reload.after.0: 10min..2h, fleet.devices: 1..9, "
        + "kinds.weather.jitter.up_to: 0s..9min}}\n",
      set: ["kinds.weather.reload.after=[40min, {at: \"09:30\", zone: local}]", "fleet.devices=8"])
    let plan = try #require(outcome.plan, "\(outcome.diagnostics.humanText)")
    #expect(plan.keys.map(plan.written) == ["40min", "8", nil])
  }

  /// Without subject_to, all goals must pass; `--set` is applied first.
  @Test func allGoalsHoldByDefault() throws {
    let outcome = read("tune: {minimize: requests, search: {fleet.devices: 1..9}}\n", set: ["run.seed=7"])
    let plan = try #require(outcome.plan, "\(outcome.diagnostics.humanText)")
    #expect(plan.goals.map(\.id) == ["late", "few"])
    #expect(plan.base.run.seed == 7)
    #expect(plan.keys[0].levels == 9)
    #expect(plan.values(at: [3]) == ["4"])
  }

  @Test(arguments: [
    ("5%..50%", "kinds.weather.crash", 4_501, ["5%", "5.01%", "50%"]),
    ("0.5..2", "app.opens_per_day", 1_501, ["0.5", "0.501", "2"]),
    ("1kB..2MB", "kinds.weather.requests.0.down", 1_999_001, ["1kB", "1001B", "2MB"]),
    ("10/day..20/day", "os.budget.capacity", 1_001, ["10/day", "10.01/day", "20/day"]),
    ("250ms..1s", "kinds.weather.cpu", 751, ["250ms", "251ms", "1s"]),
  ])
  func rangesHaveRoundSteps(_ range: String, _ path: String, _ levels: Int, _ texts: [String]) throws {
    let outcome = read(
      "tune: {minimize: requests, search: {\(path): \(range)}}\n",
      set: ["kinds.weather.requests=[{endpoint: a, down: 1kB}]"])
    let key = try #require(outcome.plan?.keys.first, "\(outcome.diagnostics.humanText)")
    if levels <= 100_000 {
      #expect(key.levels == levels)
      #expect([0, 1, levels - 1].map { key.text(at: $0) } == texts)
    } else {
      // There are too many to distinguish them all: a hundred thousand are enough.
      #expect((50_000...100_002).contains(key.levels))
      #expect(key.text(at: 0) == texts[0] && key.text(at: key.levels - 1) == texts[2])
    }
  }

  @Test(arguments: [
    ("{minimize: requests, search: {kinds.weather.jiter.up_to: 0s..1s}}", Code.settingPath, "jiter"),
    ("{minimize: requests, search: {kinds.weather.reload.after: 1h..often}}", .unreadable, "often"),
    ("{minimize: requests, search: {fleet.devices: 5..2min}}", .unitUnknown, "unit 'min'"),
    ("{minimize: requests, search: {fleet.devices: 9..9}}", .wrongOrder, "is empty"),
    ("{minimize: requests, search: {fleet.devices: 9..5}}", .wrongOrder, "is empty"),
    ("{minimize: requests, search: {fleet.devices: 9}}", .unreadable, "is not a range"),
    ("{minimize: requests, search: {fleet.devices: [9]}}", .nothingThere, "nothing to choose from"),
    ("{minimize: requests, search: {fleet.devices: {a: 1}}}", .wrongShape, "takes a range or a list"),
    ("{minimize: requests, search: {fleet.devices: [1, many]}}", .unreadable, "many"),
    ("{minimize: requests, search: {run.seed: 1..2}}", .settingPath, "a key to tune"),
    (
      "{minimize: requests, search: {goals.late.severity: [error, warning]}}", .settingPath, "a key to tune"
    ),
    ("{minimize: requests, search: {run.simulate: 1..2k}}", .simulatesTooMany, "more than the fleet's"),
    ("{minimize: requests, search: {}}", .nothingThere, "'search' is empty"),
    ("{minimize: requests}", .missingKey, "lacks the key 'search'"),
    ("{search: {fleet.devices: 1..2}}", .missingKey, "lacks the key 'minimize'"),
    ("{minimize: request, search: {fleet.devices: 1..2}}", .unknownMetric, "did you mean 'requests'"),
    ("{minimize: requests <= 5, search: {fleet.devices: 1..2}}", .badAssertion, "nothing may follow the metric"),
    ("{minimize: 'peak_rps{endpoint=b}', search: {fleet.devices: 1..2}}", .unknownLabelValue, "no endpoint 'b'"),
    ("{minimize: requests, subject_to: [lat], search: {fleet.devices: 1..2}}", .unknownName, "did you mean 'late'"),
    ("{minimize: requests, subject_to: [few, few], search: {fleet.devices: 1..2}}", .duplicateName, "twice"),
  ])
  func badInput(_ tune: String, _ code: Code, _ says: String) throws {
    let outcome = read("tune: \(tune)\n")
    #expect(outcome.plan == nil)
    let first = try #require(outcome.diagnostics.first)
    #expect(first.code == code, "\(outcome.diagnostics.humanText)")
    #expect(outcome.diagnostics.humanText.contains(says), "\(outcome.diagnostics.humanText)")
    // The last problem is on the line of `tune`; `validate` reports the same.
    let text = Samples.minimal + Self.goals + "tune: \(tune)\n"
    #expect(first.line == text.split(separator: "\n", omittingEmptySubsequences: false).count - 1)
    let validated = ScenarioReader.read(text: Array(text.utf8), fileName: "a.yaml", checksStudies: true)
    #expect(validated.scenario == nil && validated.diagnostics == outcome.diagnostics)
  }

  // MARK: The command line

  private func tuned(_ minimize: String?, _ search: [String], tune: String = "") -> TuneReader.Outcome {
    TuneReader.read(
      text: Array((Samples.minimal + Self.goals + tune).utf8), fileName: "a.yaml", settings: [],
      options: TuneOptions(minimize: minimize, search: search))
  }

  /// A file without `tune` can be tuned from the command line; lists use commas, with or without brackets.
  @Test func fileWithoutTuneCanBeTunedByOptions() throws {
    let outcome = tuned(
      "requests",
      ["kinds.weather.jitter.up_to=0s..30min", "os.preset=prompt,lazy", "kinds.weather.reload.after=[1h, 2h]"])
    let plan = try #require(outcome.plan, "\(outcome.diagnostics.humanText)")
    #expect(plan.objective == .figure(FigureName(.requests, .total)) && plan.objectiveText == "requests")
    #expect(plan.goals.map(\.id) == ["late", "few"])
    #expect(plan.keys.map(\.path) == ["kinds.weather.jitter.up_to", "os.preset", "kinds.weather.reload.after"])
    #expect(plan.keys.map(\.levels) == [1_801, 2, 2])
    #expect(plan.values(at: [60, 1, 1]) == ["1min", "lazy", "2h"])
    #expect(plan.keys[0].ticks.map(\.text) == ["0s", "7min30s", "15min", "22min30s", "30min"])
    #expect(plan.keys[1].ticks.map(\.text) == ["prompt", "lazy"])
  }

  /// Each option replaces its counterpart in the file; `subject_to` stays.
  @Test func tuneOptionsReplaceTheFile() throws {
    let searched = try #require(tuned(nil, ["fleet.devices=1..9"], tune: Self.section).plan)
    #expect(searched.keys.map(\.path) == ["fleet.devices"] && searched.goals.map(\.id) == ["few"])
    #expect(searched.objectiveText == "p95(lateness{kind=weather})")
    let other = try #require(tuned("widgets", [], tune: Self.section).plan)
    #expect(other.keys.count == 3 && other.objective == .figure(FigureName(.widgets, .total)))
  }

  /// A searched key can be minimized, both from the file and from the command line.
  @Test func searchedKeyCanBeMinimized() throws {
    let path = "kinds.weather.jitter.up_to"
    let file = read("tune: {minimize: \(path), search: {fleet.devices: 1..9, \(path): 0s..30min}}\n")
    #expect(try #require(file.plan, "\(file.diagnostics.humanText)").objective == .key(1))
    #expect(try #require(tuned(path, [path + "=0s..30min"]).plan).objective == .key(0))
  }

  @Test(
    arguments: [
      (nil, ["fleet.devices=1..9"], Code.missingKey, "there is nothing to minimize"),
      ("requests", [], .missingKey, "there is nothing to search"),
      ("requests", ["fleet.devices"], .settingSyntax, "--search takes PATH=A..B"),
      ("requests", ["fleet.devices="], .missingValue, "--search has no value"),
      ("requests", ["fleet.devices=1..9", "fleet.devices=1..8"], .duplicateName, "is searched twice"),
      ("requests", ["kinds.weather.jiter=1s..9s"], .settingPath, "--search does not name a key: 'jiter'"),
      ("requests", ["fleet.devices=1..often"], .unreadable, "often"),
      ("requests", ["run.seed=1..9"], .settingPath, "--search does not name a key to tune"),
      ("request", ["fleet.devices=1..9"], .unknownMetric, "did you mean 'requests'"),
      ("fleet.device", ["fleet.devices=1..9"], .unknownName, "did you mean 'fleet.devices'"),
      ("os.preset", ["os.preset=prompt,lazy"], .wrongShape, "a list, which has no smallest value"),
    ] as [(String?, [String], Code, String)])
  func badOptions(_ minimize: String?, _ search: [String], _ code: Code, _ says: String) {
    let outcome = tuned(minimize, search)
    #expect(outcome.plan == nil)
    #expect(outcome.diagnostics.first?.code == code, "\(outcome.diagnostics.humanText)")
    #expect(outcome.diagnostics.humanText.contains(says), "\(outcome.diagnostics.humanText)")
  }

  /// Without goals, the min value of a key is the low end of its range, which needs no search.
  @Test func minimizedKeyNeedsGoals() {
    let outcome = TuneReader.read(
      text: Array(Samples.minimal.utf8), fileName: "a.yaml", settings: [],
      options: TuneOptions(minimize: "fleet.devices", search: ["fleet.devices=1..9"]))
    #expect(outcome.plan == nil && outcome.diagnostics.humanText.contains("there are no goals"))
  }

  /// A file without `tune` is valid, but cannot be tuned.
  @Test func aFileWithoutTune() {
    let outcome = read("")
    #expect(outcome.diagnostics.map(\.code) == [.missingKey])
    #expect(outcome.diagnostics.humanText.contains("has no 'tune' section"))
  }

  /// The `run` command ignores the searched keys.
  @Test func runIgnoresIt() throws {
    let broken = "tune: {minimize: requests, search: {kinds.weather.jiter.up_to: 0s..1s}}\n"
    #expect(Samples.read(Samples.minimal + Self.goals + broken).scenario != nil)
  }
}
