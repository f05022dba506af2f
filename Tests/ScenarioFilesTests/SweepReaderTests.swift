import Scenario
import SimulationKernel
import Testing

@testable import ScenarioFiles

/// The keys and values of sweeps, from the command line and from files.
struct SweepReaderTests {
  private func read(
    _ vary: [String] = [], file: String = "", set: [String] = [], method: SweepMethod? = nil, points: Int? = nil
  ) -> SweepReader.Outcome {
    // The points lie along the diagonal, from one end to the other.
    SweepReader.read(
      text: Array((Samples.minimal + file).utf8), fileName: "a.yaml", settings: set.map { SetArgument($0) },
      options: SweepOptions(vary: vary, method: method, points: points)
    ) { points, axes in
      axes > 40
        ? nil : (0..<points).map { Array(repeating: Double($0) / Double(max(points - 1, 1)), count: axes) }
    }
  }

  private func texts(_ outcome: SweepReader.Outcome) -> [[String]] { outcome.settings.map { $0.values.map(\.text) } }

  private func spans(_ outcome: SweepReader.Outcome) -> [Distribution<TimeAmount>?] {
    outcome.settings.map { setting in
      if case .after(let span) = setting.scenario.kinds[0].phases[0].reload { return span }
      return nil
    }
  }

  @Test func sweepValuesHaveTheTypeOfTheKey() {
    let outcome = read(["kinds.weather.reload.after=1h,90min,{uniform: 1h..2h}"])
    #expect(outcome.diagnostics.isEmpty, "\(outcome.diagnostics.humanText)")
    #expect(
      spans(outcome) == [
        .constant(.hour), .constant(.minutes(90)), .uniform(from: .hour, to: .hour * 2),
      ])
    #expect(texts(outcome) == [["1h"], ["90min"], ["{uniform: 1h..2h}"]])
    #expect(outcome.axes.map(\.path) == ["kinds.weather.reload.after"])
    #expect(outcome.base?.kinds[0].phases[0].reload == .after(.constant(.minutes(15))))
  }

  /// Two and three values make six settings, with the last key varying fastest.
  @Test func gridCombinesAllValues() {
    let outcome = read(["fleet.devices=1k,2k", "run.seed=[1, 2, 3]"])
    #expect(outcome.method == .grid)
    #expect(
      texts(outcome) == [
        ["1k", "1"], ["1k", "2"], ["1k", "3"], ["2k", "1"], ["2k", "2"], ["2k", "3"],
      ])
    #expect(outcome.settings.map(\.scenario.run.seed) == [1, 2, 3, 1, 2, 3])
    #expect(outcome.settings.map(\.scenario.fleet.devices) == [1_000, 1_000, 1_000, 2_000, 2_000, 2_000])
  }

  @Test func zipPairsValues() {
    let outcome = read(["fleet.devices=1k,2k", "run.seed=8,9"], method: .zip)
    #expect(texts(outcome) == [["1k", "8"], ["2k", "9"]])
  }

  private static let section = """
    sweep:
      method: zip
      vary:
        kinds.weather.jitter.up_to: [0s, 5min]
        run.replications: [1, 2]

    """

  @Test func fileDefinesTheVariedKeys() {
    let outcome = read(file: Self.section)
    #expect(outcome.diagnostics.isEmpty, "\(outcome.diagnostics.humanText)")
    #expect(outcome.method == .zip)
    #expect(texts(outcome) == [["0s", "1"], ["5min", "2"]])
    #expect(outcome.settings[1].scenario.kinds[0].jitter?.upTo == .minutes(5))
    // The command line takes precedence; --set applies to every setting.
    let other = read(["run.seed=5,6"], file: Self.section, set: ["fleet.devices=3k"], method: .grid)
    #expect(texts(other) == [["5"], ["6"]])
    #expect(other.settings.allSatisfy { $0.scenario.fleet.devices == 3_000 })
  }

  /// The `run` command ignores the sweep.
  @Test func runIgnoresIt() throws {
    let scenario = try #require(Samples.read(Samples.minimal + Self.section).scenario)
    #expect(scenario == Samples.read(Samples.minimal).scenario)
  }

  @Test(arguments: [
    (["kinds.weather.jiter.up_to=1s,2s"], Code.settingPath, "--vary does not name a key"),
    (["kinds.weather.reload.after=1h,often"], .unreadable, "often"),
    (["fleet.devices=5,2min"], .unitUnknown, "unit 'min'"),
    (["fleet.devices="], .missingValue, "--vary has"), (["fleet.devices"], .settingSyntax, "--vary takes PATH"),
    (["=1,2"], .settingSyntax, "no path"), (["sweep.method=grid,zip"], .settingPath, "does not name a key to vary"),
    (["run.seed=1,2", "run.seed=3"], .duplicateName, "is varied twice"), ([], .missingKey, "there is nothing to vary"),
    (["run.seed=1,,2"], .syntax, "not YAML"), (["name=a,A"], .badName, "A"),
  ])
  func badInput(_ vary: [String], _ code: Code, _ says: String) {
    let outcome = read(vary)
    #expect(outcome.settings.isEmpty && outcome.base == nil)
    #expect(outcome.diagnostics.first?.code == code, "\(outcome.diagnostics.humanText)")
    #expect(outcome.diagnostics.humanText.contains(says), "\(outcome.diagnostics.humanText)")
  }

  // MARK: Ranges

  private func range(_ argument: String, points: Int = 3, set: [String] = []) -> SweepReader.Outcome {
    read([argument], set: set, method: .sobol, points: points)
  }

  /// The values are both bounds and the middle, in the key's type.
  @Test(arguments: [
    ("kinds.weather.jitter.up_to=0s..30min", ["0s", "15min", "30min"], 0, 1_800, "s"),
    ("kinds.weather.jitter.up_to=1s..1500ms", ["1s", "1s250ms", "1500ms"], 1, 1.5, "s"),
    ("kinds.weather.reload.after=1h..8h", ["1h", "4h30min", "8h"], 3_600, 28_800, "s"),
    ("run.seed=1..3", ["1", "2", "3"], 1, 3, ""), ("fleet.devices=1k..2k", ["1000", "1500", "2000"], 1_000, 2_000, ""),
    ("os.budget.carry_over=0.5..2", ["0.5", "1.25", "2"], 0.5, 2, ""),
    ("os.silent_push.delivered=0%..25%", ["0%", "12.5%", "25%"], 0, 0.25, "share"),
    ("backend.endpoints.api.capacity=10/s..1k/s", ["10/s", "505/s", "1k/s"], 10, 1_000, "/s"),
    ("kinds.weather.requests.0.down=1kB..3kB", ["1000B", "2000B", "3000B"], 1_000, 3_000, "B"),
    ("kinds.weather.reload.after.exponential=1h..3h", ["1h", "2h", "3h"], 3_600, 10_800, "s"),
    ("kinds.weather.reload.after=1h,{uniform: 1h..2h}", ["1h", "{uniform: 1h..2h}"], 0, 0, "-"),
  ])
  func rangesAreTyped(_ argument: String, _ texts: [String], _ low: Double, _ high: Double, _ unit: String) {
    let outcome = range(
      argument, points: texts.count,
      set: ["kinds.weather.reload={after: {exponential: 1h}}", "kinds.weather.requests=[{endpoint: api, up: 1kB}]"])
    #expect(outcome.diagnostics.isEmpty, "\(outcome.diagnostics.humanText)")
    #expect(self.texts(outcome) == texts.map { [$0] })
    guard unit != "-" else { return #expect(outcome.axes.first?.scale == .categorical) }
    let axis = outcome.axes.first
    #expect(axis?.scale == .numeric(low: low, high: high) && axis?.unit == unit)
    #expect(axis?.values.map(\.amount).first == low && axis?.values.last?.amount == high)
  }

  /// Ranges of a minute or more have whole seconds between their bounds, shorter ones whole milliseconds.
  ///
  /// Each value of a count is equally frequent.
  @Test func valuesInRangesAreWholeUnits() {
    let spans = range("kinds.weather.jitter.up_to=0s..1min", points: 777).settings.compactMap {
      $0.scenario.kinds[0].jitter?.upTo.milliseconds
    }
    #expect(spans.count == 777 && spans.allSatisfy { $0 % 1_000 == 0 } && Set(spans).count == 61)
    let short = range("kinds.weather.jitter.up_to=0s..59s", points: 777).settings.compactMap {
      $0.scenario.kinds[0].jitter?.upTo.milliseconds
    }
    #expect(Set(short).count == 777)
    let seeds = range("run.seed=5..8", points: 401).settings.map(\.scenario.run.seed)
    for seed in 5...8 as ClosedRange<UInt64> { #expect((100...101).contains(seeds.count { $0 == seed })) }
    // Other amounts have at least 1 000 steps, in short decimals.
    let shares = texts(range("os.silent_push.delivered=0%..100%", points: 501)).joined()
    #expect(Set(shares).count == 501 && shares.allSatisfy { $0.count <= 5 })
  }

  @Test func pointsChooseFromLists() {
    let outcome = read(
      ["fleet.devices=1k,2k", "kinds.weather.jitter.up_to=0s..10min"], method: .sobol, points: 4)
    #expect(texts(outcome) == [["1k", "0s"], ["1k", "3min20s"], ["2k", "6min40s"], ["2k", "10min"]])
    let words = read(["os.preset=prompt,lazy"], method: .sobol, points: 2)
    #expect(words.axes.map(\.scale) == [.categorical])
    #expect(words.axes.first?.values.map(\.text) == ["prompt", "lazy"])
  }

  @Test func fileMayContainRanges() {
    let section = "sweep: {method: sobol, points: 3, vary: {fleet.devices: 10..30, run.seed: [4]}}\n"
    #expect(texts(read(file: section)) == [["10", "4"], ["20", "4"], ["30", "4"]])
    #expect(read(file: section, points: 5).settings.count == 5)
    // The method from the command line does not use the file's points.
    #expect(texts(read(["run.seed=1,2"], file: section, method: .grid)) == [["1"], ["2"]])
  }

  /// A list containing a..b is a list of values if the key itself takes ranges; a single one is a range if the method
  /// uses points.
  @Test func rangeMayBeAListItem() {
    let key = "os.budget.capacity"
    #expect(texts(read(["\(key)=40/day..50/day,60/day..70/day"])) == [["40/day..50/day"], ["60/day..70/day"]])
    #expect(texts(read(["\(key)=40/day..50/day"])) == [["40/day..50/day"]])
    #expect(texts(range("\(key)=40/day..50/day", points: 2)) == [["40/day"], ["50/day"]])
  }

  @Test(
    arguments: [
      ("run.seed=1..5", nil, 4, Code.conflictingKeys, nil), ("run.seed=1..5", nil, nil, .wrongShape, 10),
      ("run.seed=1..5", .zip, nil, .wrongShape, 10), ("run.seed=1..5", .sobol, nil, .missingKey, nil),
      ("run.seed=5..5", .sobol, 4, .wrongOrder, 10), ("run.seed=6..5", .sobol, 4, .wrongOrder, 10),
      ("run.seed=1..x", .sobol, 4, .unreadable, 13), ("run.seed=1..5%", .sobol, 4, .unreadable, 13),
      ("run.seed=0.5..5", .sobol, 4, .notExact, 10), ("fleet.devices=1s..5", .sobol, 4, .unitUnknown, 15),
      ("kinds.weather.jitter.up_to=0s..5", .sobol, 4, .unitMissing, 32),
      ("kinds.weather.jitter.up_to=0s..5%", .sobol, 4, .unitUnknown, 32),
      ("os.silent_push.delivered=5..50%", .sobol, 4, .unitMissing, 26),
      ("os.preset=a..b", .sobol, 4, .wrongShape, 11), ("run.sede=1..5", .sobol, 4, .settingPath, 5),
      ("run.replications=0..5", .sobol, 4, .outOfRange, 18),
    ] as [(String, SweepMethod?, Int?, Code, Int?)])
  func invalidRangesAreRefused(_ vary: String, _ method: SweepMethod?, _ points: Int?, _ code: Code, _ column: Int?) {
    let outcome = read([vary], method: method, points: points)
    let first = outcome.diagnostics.first { $0.code == code }
    #expect(first != nil, "\(outcome.diagnostics.humanText)")
    if let column { #expect(first?.column == column, "\(outcome.diagnostics.humanText)") }
    #expect(outcome.settings.isEmpty)
  }

  @Test func pointsHaveLimits() {
    for (points, code) in [("0", Code.outOfRange), ("10001", .outOfRange), ("1.5", .notExact), ("many", .unreadable)] {
      let outcome = read(file: "sweep: {method: sobol, points: \(points), vary: {run.seed: 1..5}}\n")
      #expect(outcome.diagnostics.map(\.code) == [code], "\(points)")
    }
    let wrong = read(file: "sweep: {points: 4, vary: {run.seed: [1, 2]}}\n")
    #expect(wrong.diagnostics.map(\.code) == [.conflictingKeys])
    let none = read(file: "sweep: {method: sobol, vary: {run.seed: 1..5}}\n")
    #expect(none.diagnostics.map(\.code) == [.missingKey] && none.diagnostics.first?.column == 17)
  }

  /// `validate` and `run --dry-run` check the sweep too; `run` does not.
  @Test(
    arguments: [
      ("{vary: {run.seed: [1, 2]}}", nil), ("{vary: {run.sede: [1, 2]}}", Code.settingPath),
      ("{vary: {kinds.weather.reload.after: [1h, often]}}", .unreadable), ("{vary: {run.seed: 1..2}}", .wrongShape),
      ("{method: sobol, points: 4, vary: {run.seed: 1..2}}", nil),
      ("{method: sobol, points: 4, vary: {run.replications: 0..2}}", .outOfRange),
      ("{method: sobol, vary: {run.seed: 1..2}}", .missingKey), ("{vary: {}}", .missingKey),
      ("{method: zip, vary: {run.seed: [1, 2], fleet.devices: [1, 2, 3]}}", .wrongLength),
      ("{vary: {fleet.devices: [10, 1k], run.simulate: [5, 10]}}", nil),
      ("{method: zap, vary: {run.seed: [1]}}", .unknownWord),
    ] as [(String, Code?)])
  func sweepsAreChecked(_ section: String, _ code: Code?) {
    let bytes = Array((Samples.minimal + "sweep: \(section)\n").utf8)
    let checked = ScenarioReader.read(text: bytes, fileName: "a.yaml", checksStudies: true)
    #expect(checked.diagnostics.first?.code == code, "\(checked.diagnostics.humanText)")
    #expect((checked.scenario == nil) == (code != nil))
    if code != .unknownWord { #expect(ScenarioReader.read(text: bytes, fileName: "a.yaml").scenario != nil) }
  }

  @Test func sweepMistakesAreLocatedInTheFile() {
    let range = read(file: "sweep: {vary: {run.seed: 1..5}}\n")
    #expect(range.diagnostics.first?.code == .wrongShape)
    let path = read(file: "sweep: {vary: {run.sede: [1, 2]}}\n")
    #expect(path.diagnostics.first?.code == .settingPath)
    #expect(path.diagnostics.first?.file == "a.yaml")
    #expect(path.diagnostics.first?.column == 20)
    let lengths = read(["run.seed=1,2", "fleet.devices=1,2,3"], method: .zip)
    #expect(lengths.diagnostics.first?.code == .wrongLength)
    let many = read(
      ["run.seed=\((1...101).map(String.init).joined(separator: ","))"] + [
        "fleet.devices=\((1...100).map(String.init).joined(separator: ","))"
      ])
    #expect(many.diagnostics.first?.code == .tooBig)
  }
}
