import Scenario
import Testing

@testable import ScenarioFiles

/// The `calibrate` section of a scenario file: valid and refused values, and values written back into the text.
struct CalibrationReaderTests {
  /// A key of the table is fitted within its range, by keyword in the file and by its path alone on the command line.
  @Test(arguments: BuiltInRange.all.map(\.path)) func builtInFitRangesAreUsed(_ end: String) throws {
    let isPersons = ["unlocks", "day_v", "glances", "home"].contains { end.hasPrefix($0) }
    let path = (isPersons ? "fleet.cohorts.all.person." : "os.") + end
    let unlocks = "unlocks_per_day: {lognormal: {median: 60, sigma: 0.5}}"
    let written = text.replacing("- name: all", with: "- name: all\n      person: {\(unlocks)}")
    let outcome = CalibrationReader.read(
      text: Array(written.utf8), fileName: "s.yaml", settings: [], fits: [SetArgument(path)])
    let range = try #require(outcome.plan?.ranges.last, "\(outcome.diagnostics)")
    #expect(range.path == path && range.value(at: 0) < range.value(at: 1))
  }

  /// Rates per day have values per day, whatever the unit in the file.
  @Test func ratesAreRanges() throws {
    let written = text.replacing("calibrate:", with: "os: {budget: {capacity: 2/h}}\ncalibrate:")
    let outcome = CalibrationReader.read(
      text: Array(written.utf8), fileName: "s.yaml", settings: [],
      fits: [SetArgument("os.budget.capacity=30/day..3/h")])
    let range = try #require(outcome.plan?.ranges.last, "\(outcome.diagnostics.humanText)")
    #expect(range.own == 48 && range.value(at: 0) == 30 && range.value(at: 1) == 72)
  }

  @Test func otherKeysNeedARange() throws {
    let outcome = CalibrationReader.read(
      text: Array(text.utf8), fileName: "s.yaml", settings: [], fits: [SetArgument("fleet.devices")])
    #expect(outcome.plan == nil)
    #expect(outcome.diagnostics.humanText.contains("this key has no built-in range"))
  }

  /// Setting the median of a distribution that the file lacks would give a distribution without a sigma.
  @Test func rangeForPartOfADistributionIsRefused() {
    let path = "fleet.cohorts.all.person.unlocks_per_day.lognormal.median=20..300"
    let outcome = CalibrationReader.read(
      text: Array(text.utf8), fileName: "s.yaml", settings: [], fits: [SetArgument(path)])
    #expect(outcome.plan == nil && outcome.diagnostics.first?.file == "--fit argument")
  }

  private let text = """
    schema: widgetfleet/v1
    name: weather
    clock: {start: 2027-01-18T00:00:00Z}
    kinds:
      weather:
        reload: {after: 1h}  # as the app has it
        requests: [{endpoint: forecast, down: 8kB}]
    fleet:
      devices: 10k
      cohorts:
        - name: all
          zones: {Europe/Berlin: 100%}
          widgets: [{kind: weather}]
    calibrate:
      log: {format: nginx, id: query.install, endpoints: {forecast: "^/v2/forecast"}, map: {duration: request_time}}
      fit: {fleet.devices: 1k..1M, os.start_delay.policy: prior}
      check: [kinds.weather.reload.after]

    """

  private func read(_ text: String) -> CalibrationReader.Outcome {
    CalibrationReader.read(text: Array(text.utf8), fileName: "weather.yaml", settings: [])
  }

  @Test func everyKeyIsRead() throws {
    let plan = try #require(read(text).plan)
    #expect(plan.log.format == "nginx" && plan.log.id == "query.install")
    #expect(plan.log.endpoints == [CalibrationPlan.Named(name: "forecast", text: "^/v2/forecast")])
    #expect(plan.log.map == [CalibrationPlan.Named(name: "duration", text: "request_time")])
    #expect(plan.fit.map(\.path) == ["fleet.devices", "os.start_delay.policy"])
    #expect(plan.fit.map(\.prior) == ["1k..1M", "prior"])
    #expect(plan.check == ["kinds.weather.reload.after"])
  }

  @Test(arguments: [
    ("forecast: \"^", "forcast: \"^", "no kind uses the endpoint"),
    ("fleet.devices: 1k", "fleet.device: 1k", "calibrate.fit does not name a key"),
    ("[kinds.weather.reload.after]", "[kinds.wether.reload]", "calibrate.check does not name a key"),
    ("format: nginx", "format: nginks", "nginks"),
  ])
  func calibrationMistakesAreReported(_ right: String, _ wrong: String, _ sentence: String) {
    let outcome = read(text.replacing(right, with: wrong))
    #expect(outcome.plan == nil)
    #expect(outcome.diagnostics.humanText.contains(sentence))
    let other = ScenarioReader.read(
      text: Array(text.replacing(right, with: wrong).utf8), fileName: "", checksStudies: true)
    #expect(other.scenario == nil)
  }

  /// Values are written into the text with a comment each, new ones on their own lines; all other text stays.
  @Test func valuesAndCommentsAreWrittenIntoTheText() throws {
    let plan = try #require(read(text).plan)
    let changes = [
      CalibrationPlan.Change(path: "fleet.devices", value: "12400", comment: "12 400 (12 300 to 12 500), identified"),
      CalibrationPlan.Change(path: "kinds.weather.reload.after", value: "30min", comment: "30 min (29.9 to 30.1)"),
      CalibrationPlan.Change(path: "os.start_delay.policy", value: "{uniform: 0s..14min}", comment: "14 min"),
    ]
    let written = try #require(plan.text(of: Array(text.utf8), with: changes))
    let expected = text.replacing("devices: 10k", with: "devices: 12400  # 12 400 (12 300 to 12 500), identified")
      .replacing(
        "    reload: {after: 1h}  # as the app has it",
        with: "    # 30 min (29.9 to 30.1)\n    reload: {after: 30min}  # as the app has it")
    let added = "os: {start_delay: {policy: {uniform: 0s..14min}}}  # 14 min\n"
    #expect(String(decoding: written, as: UTF8.self) == expected + added)
    let again = try #require(read(String(decoding: written, as: UTF8.self)).plan)
    #expect(again.base.fleet.devices == 12_400)
  }

  /// A remark on an unchanged value changes only the comment.
  @Test func remarksChangeOnlyComments() throws {
    let plan = try #require(read(text).plan)
    let remark = CalibrationPlan.Change(path: "fleet.devices", value: nil, comment: "not from this log")
    let written = try #require(plan.text(of: Array(text.utf8), with: [remark]))
    #expect(
      String(decoding: written, as: UTF8.self)
        == text.replacing("devices: 10k", with: "devices: 10k  # not from this log"))
  }
}
