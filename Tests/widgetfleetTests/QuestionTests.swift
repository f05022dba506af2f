import Foundation
import Scenario
import ScenarioFiles
import SimulationKernel
import Testing

@testable import WidgetFleetCommand

/// The `init` command with values: the scenario it writes has them.
struct QuestionTests {
  private static let command = Command.all.first { $0.action == .initialise }

  private static func text(_ values: [Question.Part: String]) throws -> String {
    var given = ArgumentValues()
    for (part, value) in values { given.values[part.option.name] = [value] }
    return try Question(given, try #require(command)).scenarioText()
  }

  /// A value for each part except `at`, none of them a default.
  private static let values: [Question.Part: String] = [
    .name: "tiles", .devices: "3M", .zones: "Europe/Berlin=40%,America/New_York=60%", .after: "45min",
    .jitter: "7min", .size: "35kB", .cache: "20min", .widgets: "2", .secondWidget: "25%", .lockScreen: "15%",
    .capacity: "8000/s", .queue: "12k", .baseLoad: "700/s", .busiest: "21:00", .push: "19:30", .staleAfter: "4h",
  ]

  /// Returns whether the scenario matches a part of the question.
  private static func isMeant(_ part: Question.Part, _ scenario: Scenario, isAsked: Bool) -> Bool {
    let kind = scenario.kinds[0]
    let cohort = scenario.fleet.cohorts[0]
    switch part {
    case .name: return !isAsked || scenario.name == "tiles"
    case .devices: return !isAsked || scenario.fleet.devices == 3_000_000
    case .zones:
      let zones = cohort.zones.map(\.value)
      return isAsked
        ? zones == ["Europe/Berlin", "America/New_York"] && cohort.zones.map(\.weight) == [0.4, 0.6]
        : zones == ["Europe/Berlin"]
    case .after: return !isAsked || kind.phases[0].reload == .after(.constant(.minutes(45)))
    case .at:
      return !isAsked || kind.phases[0].reload.sharedClock == .minutes(9 * 60 + 30)
    case .jitter: return kind.jitter?.upTo == (isAsked ? .minutes(7) : nil)
    case .size: return kind.requests[0].down.small == ByteCount(bytes: isAsked ? 35_000 : 20_000)
    case .cache: return kind.cache.map(\.ttl) == (isAsked ? .some(.minutes(20)) : nil)
    case .widgets: return cohort.widgets.count { $0.isOnEveryPhone } == (isAsked ? 2 : 1)
    case .secondWidget, .lockScreen: return isMeant(part, cohort, isAsked: isAsked)
    case .capacity, .queue, .baseLoad, .busiest: return isMeant(part, scenario.endpoints[0], scenario, isAsked: isAsked)
    case .push:
      let zone = cohort.zones.max { $0.weight < $1.weight }?.value ?? ""
      return scenario.events.map(\.timing)
        == (isAsked ? [.daily(TimeOfDay(sinceMidnight: .minutes(19 * 60 + 30)), .named(zone))] : [])
    case .staleAfter: return kind.staleAfter == (isAsked ? .minutes(240) : nil)
    }
  }

  private static func isMeant(_ part: Question.Part, _ cohort: Cohort, isAsked: Bool) -> Bool {
    let isLocked = part == .lockScreen
    let found = cohort.widgets.filter { !$0.isOnEveryPhone && ($0.place == .lockScreen) == isLocked }
    return found.map(\.share) == (isAsked ? [Share(fraction: isLocked ? 0.15 : 0.25)] : [])
  }

  private static func isMeant(
    _ part: Question.Part, _ endpoint: Endpoint, _ scenario: Scenario, isAsked: Bool
  ) -> Bool {
    switch part {
    case .capacity:
      let isLimited = endpoint.capacity == 8_000 && scenario.goals.count == 2
      return isAsked ? isLimited : endpoint.capacity == nil && scenario.goals.isEmpty
    // 15 s of 2 500/s, to two digits, unless another value was given.
    case .queue: return endpoint.queue == (isAsked ? 12_000 : endpoint.capacity == nil ? nil : 120_000)
    case .baseLoad: return endpoint.baseLoad?.rate == (isAsked ? 700 : nil)
    default:
      let peak = isAsked ? 21 : 18
      return endpoint.baseLoad.map { $0.hours.weights.max() == $0.hours.weights[peak] } ?? true
    }
  }

  /// Every pair of options, and every set that leaves out two, with no policy, an interval or a clock time.
  @Test func everyOptionPairGivesTheRequestedScenario() throws {
    let free = Question.Part.allCases.filter { $0 != .after && $0 != .at }
    let pairs = free.indices.flatMap { one in free.indices[one...].map { Set([free[one], free[$0]]) } }
    for chosen in [[]] + pairs + pairs.map({ Set(free).subtracting($0) }) {
      for policy in 0..<3 {
        let needed = chosen.union(chosen.compactMap(\.companion))
        var asked = Self.values.filter { needed.contains($0.key) }
        if policy == 1 { asked[.after] = Self.values[.after] }
        if policy == 2 { asked[.at] = "09:30" }
        if !asked.isEmpty { try Self.check(asked) }
      }
    }
  }

  private static func check(_ asked: [Question.Part: String]) throws {
    let text = try Self.text(asked)
    let read = ScenarioReader.read(text: Array(text.utf8), fileName: "asked.yaml")
    let scenario = try #require(read.scenario, "\(asked): \(read.diagnostics)")
    for part in Question.Part.allCases {
      #expect(Self.isMeant(part, scenario, isAsked: asked[part] != nil), "\(part) of \(asked)")
    }
    // All phones are simulated, and 3 million take long. Otherwise only dates that follow the clock cause warnings, if
    // there is no spread or too little capacity.
    #expect(scenario.run.simulate.count == nil)
    let odd = read.warnings.filter { $0.code != .longWork || asked[.devices] == nil }
    let isHerd = asked[.at] != nil && (asked[.jitter] == nil || asked[.capacity] != nil)
    #expect(odd.isEmpty || isHerd, "\(asked): \(odd)")
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 120 }, "\(text)")
  }

  /// A starter for a different number of phones: its limits grow with them, and everything else stays the same.
  @Test(arguments: Starter.allCases) func starterScalesToMorePhones(_ starter: Starter) throws {
    func text(_ values: [Question.Part: String]) throws -> String {
      var given = ArgumentValues()
      for (part, value) in values { given.values[part.option.name] = [value] }
      given.operands = [starter.rawValue]
      return try Question(given, try #require(Self.command)).text(of: starter)
    }
    let own = try #require(ScenarioReader.read(text: Array(starter.text.utf8), fileName: "own.yaml").scenario)
    let read = ScenarioReader.read(text: Array(try text([.devices: "2M", .name: "larger"]).utf8), fileName: "new.yaml")
    let scenario = try #require(read.scenario, "\(read.diagnostics)")
    #expect(read.warnings.isEmpty, "\(read.warnings)")
    #expect(scenario.fleet.devices == 2_000_000 && scenario.name == "larger")
    let factor = 2_000_000 / Double(own.fleet.devices)
    for (one, other) in zip(own.endpoints, scenario.endpoints) {
      #expect(other.capacity == one.capacity.map { $0 * factor })
      #expect(other.queue.map(Double.init) == one.queue.map { Double($0) * factor })
    }
    for (one, other) in zip(own.goals, scenario.goals) {
      guard case .value(let limit) = one.limit else { continue }
      #expect(other.figure == one.figure && other.severity == one.severity)
      #expect(other.limit == .value(one.figure.unit == .requestsPerSecond ? limit * factor : limit))
    }
    let lines = try text([.devices: "2M"]).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == starter.text.split(separator: "\n", omittingEmptySubsequences: false).count + 1)
    #expect(lines[0].hasPrefix("# Written by: widgetfleet init \(starter.rawValue) --devices 2M"))
    #expect(try text([:]) == starter.text)
  }

  /// Each line with a number has its meaning and whether it was given.
  @Test func commentsShowWhichValuesWereGiven() throws {
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

  /// A commented-out line is valid without its comment mark, here for events.
  @Test func commentedOutLinesAreValid() throws {
    let starts = [
      "# events:", "#   - {name: push", "#      push: ", "      # base_load", "      # person", "        # - {kind",
    ]
    let lines = try Self.text([:]).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let text = lines.map { line -> String in
      guard starts.contains(where: line.hasPrefix) else { return line }
      return line.replacing("# ", with: "", maxReplacements: 1)
    }.joined(separator: "\n")
    let read = ScenarioReader.read(text: Array(text.utf8), fileName: "asked.yaml")
    let scenario = try #require(read.scenario, "\(read.diagnostics)")
    let push = try #require(scenario.events.first?.push, "\(text)")
    #expect(push.over == .minutes(5) && scenario.endpoints[0].baseLoad?.rate == 100)
    #expect(scenario.fleet.cohorts[0].widgets.count == 3 && read.warnings.isEmpty, "\(read.warnings)")
    #expect(scenario.fleet.cohorts[0].person.hours.weights.max() == scenario.fleet.cohorts[0].person.hours.weights[20])
  }

  /// A wrong value is reported at its option by the file reader, and nothing is written.
  @Test(arguments: [
    (["--devices", "3X"], "--devices argument"), (["--after", "30mn"], "--after argument"),
    (["--at", "25:00"], "--at argument"), (["--zones", "Europe/Berln"], "--zones argument"),
    (["--zones", "Europe/Berlin=60%"], "--zones argument"), (["--capacity", "2500"], "--capacity argument"),
    (["--cache", "soon"], "--cache argument"), (["--jitter", "-5min"], "--jitter argument"),
    (["--name", "My Fleet"], "--name argument"), (["--stale-after", "3"], "--stale-after argument"),
    (["--widgets", "0"], "--widgets must be a whole"), (["--after", "1h", "--at", "09:30"], "give --after or --at"),
    (["--devices", "1k", "--after", "1h}, x: {"], "--after"), (["weather", "--after", "3h"], "not --after"),
    (["weather", "--devices", "3X"], "--devices argument"), (["--queue", "5k"], "--queue needs --capacity"),
    (["--busiest", "20:00"], "--busiest needs --base-load"), (["--size", "20"], "--size argument"),
    (["--base-load", "500"], "--base-load argument"), (["--second-widget", "3"], "--second-widget argument"),
    (["--lock-screen", "half"], "--lock-screen argument"), (["--push", "noon"], "--push argument"),
    (["--name", "a\nb"], "invisible characters"),
  ])
  func badInput(_ options: [String], _ says: String) throws {
    let child = try Child()
    defer { child.remove() }
    let outcome = try child.run(["init"] + options + ["-o", "new.yaml"])
    #expect(outcome.status == 2 && outcome.output.isEmpty)
    #expect(outcome.error.contains(says), "\(outcome.error)")
    #expect(!child.names().contains("new.yaml"))
  }

  /// A planner's question, from the command to a run; an existing file is not changed.
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
    // Half a million of 3 million phones are simulated; the only possible warning is that all of them take long.
    #expect(checked.status == 0 && !checked.error.contains("warning["), "\(checked.error)")
    let whole = try child.run(["validate", "asked.yaml", "--set", "run.simulate=all"])
    #expect(whole.status == 0 && whole.error.components(separatedBy: "warning[").count == 2, "\(whole.error)")
    #expect(whole.error.contains("WF415"))
    let small = ["fleet.devices=50", "clock.warmup=0s", "clock.step=5s"].flatMap { ["--set", $0] }
    #expect(try child.run(["run", "asked.yaml", "--no-bracket"] + small).status == 0)
    let again = try child.run(["init", "weather", "-o", "asked.yaml"])
    #expect(again.status == 4 && again.error.contains("it exists and may contain your work"))
    #expect(child.read("asked.yaml") == printed.output)
    #expect(try child.run(["init", "weather", "-o", "weather.yaml"]).status == 0)
    #expect(child.read("weather.yaml") == Starter.weather.text)
  }
}

extension ReloadPolicy {
  /// The clock time, since midnight, of a policy that has one.
  fileprivate var sharedClock: TimeAmount? {
    if case .afterClock(let time, _, _) = self { time.sinceMidnight } else { nil }
  }
}

extension Placement {
  fileprivate var isOnEveryPhone: Bool { share == .all && place != .lockScreen }
}
