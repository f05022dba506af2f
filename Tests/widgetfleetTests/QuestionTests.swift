import Foundation
import Scenario
import ScenarioFiles
import SimulationKernel
import Testing

@testable import widgetfleet

/// `init` with a question: the scenario that it writes means what was asked.
struct QuestionTests {
  private static let command = Command.all.first { $0.action == .initialise }

  private static func text(_ values: [Question.Part: String]) throws -> String {
    var given = ArgumentValues()
    for (part, value) in values { given.values[part.option.name] = [value] }
    return try Question(given, try #require(command)).scenarioText()
  }

  /// One value of each part but `at`, none of them a default.
  private static let values: [Question.Part: String] = [
    .name: "tiles", .devices: "3M", .zones: "Europe/Berlin=60%,America/New_York=40%", .after: "45min",
    .jitter: "7min", .cache: "20min", .widgets: "2", .capacity: "2500/s", .staleAfter: "4h",
  ]

  /// What the scenario must have for each part of the question.
  private static func isMeant(_ part: Question.Part, _ scenario: Scenario, isAsked: Bool) -> Bool {
    let kind = scenario.kinds[0]
    let cohort = scenario.fleet.cohorts[0]
    switch part {
    case .name: return !isAsked || scenario.name == "tiles"
    case .devices: return !isAsked || scenario.fleet.devices == 3_000_000
    case .zones:
      let zones = cohort.zones.map(\.value)
      return isAsked
        ? zones == ["Europe/Berlin", "America/New_York"] && cohort.zones.map(\.weight) == [0.6, 0.4]
        : zones == ["Europe/Berlin"]
    case .after: return !isAsked || kind.phases[0].reload == .after(.constant(.minutes(45)))
    case .at:
      return !isAsked || kind.phases[0].reload.sharedClock == .minutes(9 * 60 + 30)
    case .jitter: return kind.jitter?.upTo == (isAsked ? .minutes(7) : nil)
    case .cache: return kind.cache.map(\.ttl) == (isAsked ? .some(.minutes(20)) : nil)
    case .widgets: return cohort.widgets.count == (isAsked ? 2 : 1)
    case .capacity:
      let isLimited = scenario.endpoints[0].capacity == 2_500 && scenario.goals.count == 2
      return isAsked ? isLimited : scenario.endpoints[0].capacity == nil && scenario.goals.isEmpty
    case .staleAfter: return kind.staleAfter == (isAsked ? .minutes(240) : nil)
    }
  }

  /// Every set of options, with no policy, an interval or a clock time.
  @Test func everyCombinationMeansWhatWasAsked() throws {
    let free = Question.Part.allCases.filter { $0 != .after && $0 != .at }
    for number in 1..<(3 << free.count) {
      var asked: [Question.Part: String] = [:]
      for (bit, part) in free.enumerated() where number >> bit & 1 == 1 { asked[part] = Self.values[part] }
      let policy = number >> free.count
      if policy == 1 { asked[.after] = Self.values[.after] }
      if policy == 2 { asked[.at] = "09:30" }
      let text = try Self.text(asked)
      let read = ScenarioReader.read(text: Array(text.utf8), fileName: "asked.yaml")
      let scenario = try #require(read.scenario, "\(asked): \(read.diagnostics)")
      for part in Question.Part.allCases {
        #expect(Self.isMeant(part, scenario, isAsked: asked[part] != nil), "\(part) of \(asked)")
      }
      // All phones are simulated: of 3 million that takes long. Else only dates by the clock are odd, which nothing
      // spreads or which the capacity is too small for.
      #expect(scenario.run.simulate.count == nil)
      let odd = read.warnings.filter { $0.code != .longWork || asked[.devices] == nil }
      let isHerd = policy == 2 && (asked[.jitter] == nil || asked[.capacity] != nil)
      #expect(odd.isEmpty || isHerd, "\(asked): \(odd)")
      #expect(text.split(separator: "\n").allSatisfy { $0.count <= 120 }, "\(text)")
    }
  }

  /// Each line with a number says what it means, and whether it was asked for.
  @Test func commentsSayWhatWasAsked() throws {
    let text = try Self.text([.devices: "3M", .after: "30min"])
    let lines = text.split(separator: "\n").map(String.init)
    let line = { (key: String) in lines.first { $0.hasPrefix(key) } ?? "" }
    #expect(text.hasPrefix("# Written by: widgetfleet init --devices 3M --after 30min\n"))
    #expect(line("  devices: 3M").contains("# asked: "))
    #expect(lines.contains { $0.contains("reload: {after: 30min}") })
    #expect(line("      zones: {Europe/Berlin: 100%}").contains("# replace: "))
    #expect(line("name: my-widget").contains("# replace: "))
    #expect(line("    # jitter: ").contains("not asked"))
  }

  /// What is written as a comment to be taken up is right once it is: here the events.
  @Test func whatIsCommentedOutIsValid() throws {
    let text = try Self.text([:]).split(separator: "\n", omittingEmptySubsequences: false).map { line in
      ["# events:", "#   - {name: push"].contains { line.hasPrefix($0) } ? String(line.dropFirst(2)) : String(line)
    }.joined(separator: "\n")
    let read = ScenarioReader.read(text: Array(text.utf8), fileName: "asked.yaml")
    let scenario = try #require(read.scenario, "\(read.diagnostics)")
    guard case .push(let push)? = scenario.events.first?.action else { return #expect(Bool(false), "\(text)") }
    #expect(push.over == .minutes(5))
  }

  /// What is wrong is said at its option, by the reader of files, and nothing is written.
  @Test(arguments: [
    (["--devices", "3X"], "--devices argument"), (["--after", "30mn"], "--after argument"),
    (["--at", "25:00"], "--at argument"), (["--zones", "Europe/Berln"], "--zones argument"),
    (["--zones", "Europe/Berlin=60%"], "--zones argument"), (["--capacity", "2500"], "--capacity argument"),
    (["--cache", "soon"], "--cache argument"), (["--jitter", "-5min"], "--jitter argument"),
    (["--name", "My Fleet"], "--name argument"), (["--stale-after", "3"], "--stale-after argument"),
    (["--widgets", "0"], "--widgets is a whole number"), (["--after", "1h", "--at", "09:30"], "give --after or --at"),
    (["--devices", "1k", "--after", "1h}, x: {"], "--after"), (["weather", "--devices", "3M"], "without --devices"),
    (["--name", "a\nb"], "nobody sees"),
  ])
  func mistakes(_ options: [String], _ says: String) throws {
    let child = try Child()
    defer { child.remove() }
    let outcome = try child.run(["init"] + options + ["-o", "new.yaml"])
    #expect(outcome.status == 2 && outcome.output.isEmpty)
    #expect(outcome.error.contains(says), "\(outcome.error)")
    #expect(!child.names().contains("new.yaml"))
  }

  /// A planner's question, from the command to a run; and a file that is there stays as it is.
  @Test func fromTheQuestionToARun() throws {
    let child = try Child()
    defer { child.remove() }
    let question = [
      "init", "--devices", "3M", "--after", "30min", "--zones", "Europe/Berlin=60%,America/New_York=40%",
      "--capacity", "2500/s",
    ]
    let printed = try child.run(question)
    #expect(printed.status == 0 && printed.error.isEmpty)
    let written = try child.run(question + ["-o", "asked.yaml"])
    #expect(written.status == 0 && written.output.isEmpty && written.error.contains("asked.yaml"))
    #expect(child.read("asked.yaml") == printed.output)
    let checked = try child.run(["validate", "asked.yaml"])
    // Half a million of 3 million phones are simulated; that all of them take long is all there is to say of these.
    #expect(checked.status == 0 && !checked.error.contains("warning["), "\(checked.error)")
    let whole = try child.run(["validate", "asked.yaml", "--set", "run.simulate=all"])
    #expect(whole.status == 0 && whole.error.components(separatedBy: "warning[").count == 2, "\(whole.error)")
    #expect(whole.error.contains("WF415"))
    let small = ["fleet.devices=50", "clock.warmup=0s", "clock.step=5s"].flatMap { ["--set", $0] }
    #expect(try child.run(["run", "asked.yaml", "--no-bracket"] + small).status == 0)
    let again = try child.run(["init", "weather", "-o", "asked.yaml"])
    #expect(again.status == 4 && again.error.contains("exists already"))
    #expect(child.read("asked.yaml") == printed.output)
    #expect(try child.run(["init", "weather", "-o", "weather.yaml"]).status == 0)
    #expect(child.read("weather.yaml") == Starter.weather.text)
  }
}

extension ReloadPolicy {
  /// The clock time of a policy that has one, since midnight.
  fileprivate var sharedClock: TimeAmount? {
    if case .afterClock(let time, _, _) = self { time.sinceMidnight } else { nil }
  }
}
