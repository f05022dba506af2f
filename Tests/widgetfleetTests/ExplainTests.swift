import Calibration
import FleetReports
import Foundation
import Scenario
import ScenarioFiles
import Testing

@testable import WidgetFleetCommand

/// The explanation of every name in the program.
struct ExplainTests {
  /// A word from a page in the plural, and a word from a metric's name that no key has.
  @Test(arguments: [
    ("stacks", "fleet.cohorts.*.widgets.*.stack"), ("replications", "run.replications"),
    ("overload", "overload_seconds"),
    ("battery", "battery_percent_per_day"), ("at-end", "kinds.*.entries"), ("freshness", "data_age"),
    ("headroom", "goals.*.assert"), ("utilization", "server_peak_rps"), ("inconclusive", "cannot-tell"),
    ("not beaten", "not-beaten"), ("staleness", "kinds.*.stale_after"), ("DOES NOT HOLD", "holds"),
  ])
  func wordsRelatedToNamesAreFound(word: String, name: String) {
    #expect(Topics.named(word).contains { $0.name == name })
  }

  @Test func everyAliasNamesWhatExists() {
    for (word, names) in Topics.aliases {
      #expect(Set(names).isSubset(of: Topics.named(word).map(\.name)), "\(word)")
    }
  }

  /// The words before each figure in a run's table, for a plain fleet and for one with limits, a CDN, an outage and a
  /// push. The text below a failing row is an endpoint's own name.
  @Test func everyTableRowIsExplained() throws {
    let child = try Child()
    defer { child.remove() }
    let storm = URL(fileURLWithPath: #filePath).appending(path: "../../../Scenarios/bench-storm.yaml").standardized.path
    let few = ["--set", "run.simulate=500", "--set", "clock.warmup=0s"]
    for (scenario, options, minimum) in [("small.yaml", [], 12), (storm, few, 35)] {
      let run = try child.run(["run", scenario, "--no-bracket", "--no-trials"] + options)
      let rows = run.output.split(separator: "\n").drop { $0.split(separator: " ").first != "value" }.dropFirst()
        .prefix { $0.dropFirst(4).contains("  ") && !$0.hasPrefix("*") }
        .filter { !$0.hasPrefix("    ") }
        .compactMap { $0.drop { $0 == " " }.split(separator: "  ", maxSplits: 1).first.map(String.init) }
      #expect(rows.count >= minimum, "\(rows) \(run.error)")
      for row in rows { #expect(!Topics.named(row).isEmpty, "\(row)") }
    }
    #expect(Topics.named("recovery after api-down").map(\.name) == ["recovery_time"])
    #expect(Topics.named("api, above its capacity").map(\.name) == ["overload_seconds"])
    #expect(Topics.named("Data age at view").map(\.name) == ["data_age"])
    #expect(Topics.named("peak load, 1s").map(\.name) == ["server_peak_rps", "peak_rps"])
    #expect(Topics.named("stale views").map(\.name) == ["stale_views"])
  }

  @Test func everyVocabularyNameIsExplained() {
    let names =
      Code.allCases.map(\.rawValue) + Metric.allCases.map(\.rawValue) + Cause.allCases.map(\.name)
      + WaitReason.allCases.map(\.name) + FailureReason.allCases.map(\.name) + EnergyComponent.allCases.map(\.name)
      + Statistic.allCases.map(\.rawValue) + KeyTable.standard.entries.map(\.path)
    for name in names {
      let topics = Topics.named(name)
      #expect(!topics.isEmpty, "\(name)")
      #expect(topics.contains { $0.name == name && $0.meaning.count >= 4 }, "\(name)")
    }
    for metric in Metric.allCases.map(\.explanation) {
      #expect(metric.meaning.hasSuffix(".") && metric.advice.count > 20, "\(metric)")
    }
    #expect(Set(Metric.allCases.map(\.explanation.meaning)).count == Metric.allCases.count)
    #expect(Set(Cause.allCases.map(\.explanation)).count == Cause.allCases.count)
  }

  /// The columns of a run's files are exactly those that are explained, file by file; one exists only with growth.
  @Test func everyResultColumnIsExplained() throws {
    let child = try Child()
    defer { child.remove() }
    let all = ["--save-conditions", "--timestamps", "--no-bracket", "--set", "fleet.growth_per_day=1%"]
    #expect(try child.run(["run", "small.yaml"] + all).status == 0)
    let files = child.names(in: "Reports/small").filter { $0.hasSuffix(".csv") }
    #expect(files.count == 11)
    let ofStudies = Set(
      SweepFile.allCases.map(\.name) + ["runs.csv of tune"]
        + [
          "parameters.csv", "fit.csv", "correlation.csv", "statistics.csv", "quality.csv", "load.csv of calibrate",
          "backtest.csv",
          "forecast.csv",
        ])
    #expect(Set(files) == Set(ColumnMeaning.all.map(\.file)).subtracting(ofStudies))
    for file in files {
      let header = child.read("Reports/small/\(file)").prefix { $0 != "\n" }.split(separator: ",").map(String.init)
      #expect(ColumnMeaning.all.filter { $0.file == file }.map(\.column) == header, "\(file)")
      for column in header {
        #expect(Topics.named(column).contains { $0.category == "column of \(file)" }, "\(file): \(column)")
      }
    }
  }

  @Test func pathsWithNamesAndAmbiguousNamesAreExplained() {
    #expect(Topics.named("kinds.weather.jitter.up_to").map(\.name) == ["kinds.*.jitter.up_to"])
    #expect(Topics.named("fleet.cohorts.0.person.hours").map(\.name) == ["fleet.cohorts.*.person.hours"])
    #expect(Topics.named("wf102").map(\.name) == ["WF102"])
    #expect(Topics.named("offline").count == 2)
    #expect(Topics.named("nonsense").isEmpty && Topics.named("").isEmpty && Topics.named("*").isEmpty)
  }

  /// A mapping shows the keys below it with their defaults, and a line that is valid in a scenario.
  @Test func mappingListsItsKeys() throws {
    let idle = try #require(Topics.named("os.idle").first)
    #expect(idle.children.map(\.name) == ["after", "give_up"])
    #expect(idle.children.map(\.standard) == ["2h", "4h"])
    #expect(idle.example == "idle: {after: 2h, give_up: 4h}")
    let cohorts = try #require(Topics.named("fleet.cohorts").first)
    #expect(cohorts.children.first?.name == "*.name" && cohorts.children.first?.standard == "required")
    #expect(Topics.named("kinds.weather.cache").first?.children.map(\.name) == ["ttl", "scope", "single_flight"])
    #expect(Topics.named("clock.step").first?.children.isEmpty == true)
    let entries = KeyTable.standard.entries + KeyTable.standard.planEntries
    for entry in entries where !KeyTable.standard.children(of: entry.path).isEmpty {
      #expect(KeyExamples.value(at: entry.path) != nil, "\(entry.path)")
    }
  }

  /// Keys of plans are found by their last name and by parts of their path, without the names that users choose.
  @Test(arguments: ["lead", "capacity.lead", "plan.capacity.lead", "plan.capacity.*.lead"])
  func keysOfPlansAreFound(name: String) {
    #expect(Topics.named(name).map(\.name).contains("plan.capacity.*.lead"))
  }

  /// The words of the issue's planner: keys, quantities and the file itself.
  @Test(arguments: [
    "active", "target", "prices", "unit-hours", "growth", "plan", "keep", "rollout", "up_to", "headroom",
  ])
  func wordsOfPlansAreExplained(name: String) { #expect(!Topics.named(name).isEmpty) }

  /// A plan with the example of each key is valid.
  @Test func everyExampleOfAPlanIsValid() throws {
    for key in [
      "growth", "growth.bass", "rollout", "rollout.stages", "calendar", "calendar.campaigns", "capacity", "prices",
    ] {
      let value = try #require(KeyExamples.value(at: "plan." + key))
      let steps = key.split(separator: ".")
      let line = steps.count == 1 ? "\(key): \(value)" : "\(steps[0]): {\(steps[1]): \(value)}"
      let text =
        "schema: widgetfleet/plan/v1\nname: a\nfrom: {old: a.yaml, new: b.yaml}\nstart: \"2027-01-01\"\n\(line)\n"
      let read = PlanReader.read(text: Array(text.utf8), fileName: "plan")
      #expect(read.plan != nil, "\(read.diagnostics.humanText)")
    }
  }

  /// Each example is valid where it belongs, in a scenario of a kind `weather` with requests to `api`.
  @Test func everyExampleIsValid() throws {
    let base = """
      schema: widgetfleet/v1
      name: base
      clock: {start: 2027-01-18T00:00:00Z}
      app: {reloads: [{when: open, kinds: all}]}
      kinds:
        weather:
          reload: {after: [1h, {at: "15:30"}]}
          requests: [{endpoint: api}]
          taps: {per_day: 1, requests: [{endpoint: api}]}
      radios: {lab-lte: \(KeyExamples.value(at: "radios.*") ?? "")}
      fleet:
        devices: 10
        cohorts: [{name: all, zones: {UTC: 100%}, widgets: [{kind: weather}]}]
      backend: {endpoints: {api: {}}}

      """
    // Keys that replace another, or that belong to another command.
    let apart = [
      "phases", "stack", "when.*.reload.after.", "on_error.after.", "measured", "events", "goals", "profile.os",
      "sweep", "tune", "calibrate",
    ]
    var count = 0
    for entry in KeyTable.standard.entries {
      guard let value = KeyExamples.value(at: entry.path) else { continue }
      guard !apart.contains(where: { entry.path.contains($0) }) else { continue }
      let path = entry.path.replacing("kinds.*", with: "kinds.weather").replacing("endpoints.*", with: "endpoints.api")
        .replacing("radios.*", with: "radios.lab-lte").replacing("phones.*", with: "phones.lab-phone")
        .replacing("when.*", with: "when.0").replacing("*", with: "0")
      let when =
        entry.path.contains("when.") ? ["kinds.weather.when=[\(KeyExamples.value(at: "kinds.*.when.*") ?? "")]"] : []
      let limit = entry.path.hasSuffix("autoscale") ? ["backend.endpoints.api.capacity=5k/s"] : []
      let settings = when + limit + ["\(path)=\(value)"]
      let read = ScenarioReader.read(
        text: Array(base.utf8), fileName: "base", settings: settings.map { SetArgument($0) })
      #expect(read.scenario != nil, "\(settings): \(read.diagnostics.humanText)")
      count += 1
    }
    #expect(count > 45)
    for (path, item) in [
      ("events", KeyExamples.value(at: "events.*")), ("goals", KeyExamples.value(at: "goals.*")),
      ("kinds.weather", "{phases: [\(KeyExamples.value(at: "kinds.*.phases.*") ?? "")], requests: [{endpoint: api}]}"),
      ("os.profile", KeyExamples.value(at: "os.profile")), ("sweep", KeyExamples.value(at: "sweep")),
      ("tune", KeyExamples.value(at: "tune")), ("calibrate", KeyExamples.value(at: "calibrate")),
    ] {
      let value = try #require(item)
      let isList = path == "events" || path == "goals"
      let read = ScenarioReader.read(
        text: Array(base.utf8), fileName: "base", settings: [SetArgument("\(path)=" + (isList ? "[\(value)]" : value))],
        checksStudies: true)
      #expect(read.scenario != nil, "\(path)=\(value): \(read.diagnostics.humanText)")
    }
  }

  /// Parts of paths, and the words on pages: headings, entries of the table of contents, glossary terms.
  @Test func pathPartsAndPageWordsAreExplained() {
    #expect(Topics.named("single_flight").map(\.name) == ["kinds.*.cache.single_flight"])
    #expect(Topics.named("cache.ttl").map(\.name) == ["kinds.*.cache.ttl"])
    #expect(Topics.named("flight").map(\.name) == ["kinds.*.cache.single_flight"])
    #expect(Topics.named("weather.jitter.up_to").first?.name == "kinds.*.jitter.up_to")
    #expect(Topics.named("Do devices fire together?").map(\.name) == ["together"])
    #expect(Topics.named("data age").contains { $0.category == "page section" })
    #expect(Topics.named("Base load").contains { $0.name == "base-load" })
    #expect(Topics.named("xyzzy").isEmpty && Topics.named("tim").isEmpty)
  }

  /// Every heading of a run's page with all sections is explained.
  @Test func everyPageHeadingIsExplained() throws {
    let child = try Child()
    defer { child.remove() }
    let extra = """
      goals: [{id: many, assert: requests >= 1}]
      events: [{name: down, at: 2027-01-18T00:30:00Z, outage: {endpoint: api, for: 5min}}]
      """
    try child.write(Child.scenario(extra: extra), to: "page.yaml")
    #expect(try child.run(["run", "page.yaml", "-q"]).status == 0)
    let page = child.read("Reports/small/report.html")
    let headings = page.components(separatedBy: "<h2 ").dropFirst().compactMap { part -> String? in
      part.split(separator: ">", maxSplits: 1).last.map { String($0.prefix { $0 != "<" }) }
    }
    #expect(headings.count > 10)
    // The verdict is an answer, not a question.
    for heading in headings where !heading.isEmpty {
      #expect(Topics.named(heading).contains { $0.title == heading }, "\(heading)")
    }
  }

  @Test func everyTextFitsInto80Columns() {
    for topic in Topics.all {
      #expect(topic.text.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(topic.text)")
    }
  }

  @Test func unknownNamesAndJSON() throws {
    let child = try Child()
    defer { child.remove() }
    let unknown = try child.run(["explain", "latenes"])
    #expect(unknown.status == 2 && unknown.output.isEmpty)
    #expect(unknown.error.contains("did you mean 'lateness'?"))
    #expect(try child.run(["explain", "WF999"]).status == 2)
    let json = try child.run(["explain", "peak_rps", "--format", "json"])
    let list = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]]
    #expect(list?.first?["category"] as? String == "metric")
    #expect(json.status == 0 && json.error.isEmpty)
  }
}
