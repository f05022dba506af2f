import Scenario
import SchemaCheck
import Testing

@testable import ScenarioFiles

/// The types of values in sweeps, fits and settings.
@Suite struct VariedValueTests {
  private func axis(_ vary: String) -> SweepAxis? {
    SweepReader.read(
      text: Array(Samples.minimal.utf8), fileName: "a.yaml", settings: [], options: SweepOptions(vary: [vary])
    ) { _, _ in nil }.axes.first
  }

  /// A list of amounts is an axis in their unit, from the min to the max, without duplicates, in any order.
  @Test(arguments: [
    ("kinds.weather.reload.after=1h,30min,2h", [1_800.0, 3_600, 7_200], "s"),
    ("fleet.devices=2k,1k", [1_000, 2_000], ""), ("os.silent_push.delivered=50%,5%,25%", [0.05, 0.25, 0.5], "share"),
  ])
  func listsOfAmountsAreNumeric(_ vary: String, _ amounts: [Double], _ unit: String) {
    let axis = axis(vary)
    #expect(axis?.scale == .numeric(low: amounts[0], high: amounts[amounts.count - 1]))
    #expect(axis?.values.map(\.amount) == amounts && axis?.unit == unit)
  }

  /// Words have no amounts, and neither does a list with a distribution or a single value.
  @Test(arguments: [
    "os.preset=prompt,lazy", "kinds.weather.reload.after=1h,2h,{uniform: 1h..3h}",
    "kinds.weather.reload.after=1h,60min", "fleet.devices=2k",
  ])
  func otherListsAreNotNumeric(_ vary: String) { #expect(axis(vary)?.scale == .categorical) }

  /// A fit by simulation takes values between the bounds, logarithmically if they are far apart.
  ///
  /// Halfway from 1k to 1M is 31 623, from 0.5 to 1.5 it is 1. Values beyond the bounds are clamped.
  @Test(
    arguments: [
      ("os.budget.carry_over=0.5..1.5", [-1: 0.5, 0: 0.5, 0.25: 0.75, 0.5: 1, 1: 1.5, 2: 1.5]),
      ("fleet.devices=1k..1M", [-0.1: 1_000, 0: 1_000, 0.5: 31_623, 1: 1_000_000, 1.5: 1_000_000]),
    ] as [(String, [Double: Double])])
  func fitsUseValuesBetweenTheBounds(_ fit: String, _ values: [Double: Double]) throws {
    let outcome = CalibrationReader.read(
      text: Array(Samples.minimal.utf8), fileName: "a.yaml", settings: [], fits: [SetArgument(fit)])
    let range = try #require(outcome.plan?.ranges.first, "\(outcome.diagnostics.humanText)")
    for (fraction, value) in values {
      let setting = range.setting(at: fraction)
      let written = try #require(setting.value.text.flatMap(Double.init))
      // The number of phones is whole.
      #expect(value == 31_623 ? abs(written - value) <= 1 : written == value, "\(fraction)")
      #expect(setting.steps.map(\.text).joined(separator: ".") == range.path)
    }
  }

  /// A list item is identified by number or name; for an unknown item, the message lists the known ones.
  @Test(arguments: [
    ("events.0.zone=UTC", "the list is empty"), ("events.first.zone=UTC", "the list is empty"),
    ("fleet.cohorts.1.share=50%", "use an index from 0 to 0, or a name: all"),
    ("fleet.cohorts.nobody.share=50%", "use an index from 0 to 0, or a name: all"),
    ("fleet.cohorts.al.share=50%", "all"),
  ])
  func unknownListItemsAreReported(_ setting: String, _ help: String) {
    let outcome = Samples.read(Samples.minimal, set: setting)
    #expect(outcome.diagnostics.map(\.code) == [.settingPath], "\(outcome.diagnostics.humanText)")
    #expect(outcome.diagnostics.first?.help?.contains(help) == true, "\(outcome.diagnostics.humanText)")
  }

  /// Lists of days and kinds have at least one item, both in the editors' schema and in the reader.
  @Test(arguments: [
    ("app.reloads.*.kinds", #"["weather"]"#), ("events.*.push.kinds", #"["weather"]"#),
    ("kinds.*.reload.after.days", #"["mon", "wed-fri"]"#),
  ])
  func listsOfDaysAndKindsAreNotEmpty(_ path: String, _ list: String) throws {
    let entry = try #require(KeyTable.standard[path])
    let check = try SchemaCheck(ScenarioSchema().value(of: entry).json())
    #expect(try check.accepts(list))
    #expect(try !check.accepts("[]"))
  }

  @Test func emptyListsAreRefused() {
    let days = Samples.minimal.replacing("after: 15min", with: "after: {at: [\"08:00\"], days: []}")
    #expect(Samples.read(days).scenario == nil)
    #expect(Samples.read(Samples.minimal + "app: {reloads: [{when: open, kinds: []}]}\n").scenario == nil)
  }
}
