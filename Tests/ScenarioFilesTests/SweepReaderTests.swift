import Scenario
import SimulationKernel
import Testing

@testable import ScenarioFiles

/// What sweeps vary, from the command line and from the file.
struct SweepReaderTests {
  private func read(
    _ vary: [String] = [], file: String = "", set: [String] = [], method: SweepMethod? = nil, points: Int? = nil
  ) -> SweepReader.Outcome {
    // Points along the diagonal, from one end to the other.
    SweepReader.read(
      text: Array((Samples.minimal + file).utf8), fileName: "a.yaml", settings: set.map { SetArgument($0) },
      options: SweepOptions(vary: vary, method: method, points: points)
    ) { method, points, axes, _ in
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

  @Test func valuesAreThoseOfTheKey() {
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

  /// Of two and three values six settings, the last key fastest.
  @Test func gridTakesEveryValueWithEveryOther() {
    let outcome = read(["fleet.devices=1k,2k", "run.seed=[1, 2, 3]"])
    #expect(outcome.method == .grid)
    #expect(
      texts(outcome) == [
        ["1k", "1"], ["1k", "2"], ["1k", "3"], ["2k", "1"], ["2k", "2"], ["2k", "3"],
      ])
    #expect(outcome.settings.map(\.scenario.run.seed) == [1, 2, 3, 1, 2, 3])
    #expect(outcome.settings.map(\.scenario.fleet.devices) == [1_000, 1_000, 1_000, 2_000, 2_000, 2_000])
  }

  @Test func zipTakesThemTogether() {
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

  @Test func theFileSaysWhatIsVaried() {
    let outcome = read(file: Self.section)
    #expect(outcome.diagnostics.isEmpty, "\(outcome.diagnostics.humanText)")
    #expect(outcome.method == .zip)
    #expect(texts(outcome) == [["0s", "1"], ["5min", "2"]])
    #expect(outcome.settings[1].scenario.kinds[0].jitter?.upTo == .minutes(5))
    // The command line is asked first; --set holds in every setting.
    let other = read(["run.seed=5,6"], file: Self.section, set: ["fleet.devices=3k"], method: .grid)
    #expect(texts(other) == [["5"], ["6"]])
    #expect(other.settings.allSatisfy { $0.scenario.fleet.devices == 3_000 })
  }

  /// `run` does not look at it.
  @Test func runIgnoresIt() throws {
    let scenario = try #require(Samples.read(Samples.minimal + Self.section).scenario)
    #expect(scenario == Samples.read(Samples.minimal).scenario)
  }

  @Test(arguments: [
    (["kinds.weather.jiter.up_to=1s,2s"], Code.settingPath, "--vary names nothing"),
    (["kinds.weather.reload.after=1h,often"], .unreadable, "often"),
    (["fleet.devices=5,2min"], .unitUnknown, "unit 'min'"),
    (["fleet.devices="], .missingValue, "--vary has"), (["fleet.devices"], .settingSyntax, "--vary takes PATH"),
    (["=1,2"], .settingSyntax, "no path"), (["sweep.method=grid,zip"], .settingPath, "nothing that can be varied"),
    (["run.seed=1,2", "run.seed=3"], .duplicateName, "is varied twice"), ([], .missingKey, "there is nothing to vary"),
    (["run.seed=1,,2"], .syntax, "not YAML"), (["name=a,A"], .badName, "A"),
  ])
  func mistakes(_ vary: [String], _ code: Code, _ says: String) {
    let outcome = read(vary)
    #expect(outcome.settings.isEmpty && outcome.base == nil)
    #expect(outcome.diagnostics.first?.code == code, "\(outcome.diagnostics.humanText)")
    #expect(outcome.diagnostics.humanText.contains(says), "\(outcome.diagnostics.humanText)")
  }

  @Test func mistakesInTheFileHaveTheirPlace() {
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
