import FleetEngine
import FleetReports
import PageServer
import Scenario
import ScenarioFiles
import SimulationKernel
import Studies

/// The pages and answers of `serve` for one scenario file.
final class LiveSession: Sendable {
  private let settings: Settings
  private let console: Console
  private let path: String
  /// The bytes of the scenario file when the command started.
  private let text: [UInt8]
  private let scenario: Scenario
  /// The files that the scenario names. Settings from the page cannot name others.
  private let files: NamedFiles
  private let state = Locked(State())

  private struct State {
    /// The answers in progress, by browser tab.
    var answers: [String: LiveAnswer] = [:]
    var runs = LiveRuns()
    var isStopped = false
  }

  /// The maximum number of browser tabs whose answers are simulated at the same time.
  private static let maxTabs = 4
  /// The maximum number of settings in a request, and of pinned settings.
  private static let maxSettings = 50
  private static let maxPins = 4

  init(_ settings: Settings, _ console: Console) throws(Failure) {
    (self.settings, self.console, path) = (settings, console, settings.operands[0])
    guard path != "-" else { throw .usage("serve needs a file, not standard input", command: "serve") }
    let source = try ScenarioSource(path: path, assignments: settings.assignments, warnsOfLoad: false)
    if !source.warnings.isEmpty { console.note(source.warnings.humanText) }
    (scenario, text) = (source.scenario, try InputFile.read(path))
    let named = Locked<[String: Result<[UInt8], NamedFiles.Refusal>]>([:])
    let reader = InputFile.named(besides: path)
    _ = ScenarioReader.read(
      text: text, fileName: path, settings: settings.assignments.map(\.argument),
      files: NamedFiles(providers: ProgramProviders.table) { file in
        let content = reader.content(file)
        named.withLock { $0[file] = content }
        return content
      })
    let known = named.withLock { $0 }
    files = NamedFiles(providers: ProgramProviders.table) { file in
      known[file] ?? .failure(NamedFiles.Refusal(reason: "the page can use only the profile that the file names"))
    }
  }

  /// Answers a request; several threads may call it at the same time.
  func answer(_ request: HTTPRequest) -> HTTPAnswer {
    switch (request.path, request.isPost) {
    case ("", false): .page(page)
    case ("answer", false): stream(request)
    case ("lever", false): lever(request)
    case ("compare", false):
      compared(with: [""] + request.all("pin")) { .page(comparisonPage(of: $0, version: Version.current)) }
    case ("pins", false): compared(with: [""] + request.all("pin")) { .text(livePins(of: $0)) }
    case ("save", true): save(request)
    default: .refused(.notFound, "there is no such page")
    }
  }

  /// Cancels all answers.
  func stop() {
    state.withLock { state in
      state.isStopped = true
      for answer in state.answers.values { answer.cancel() }
    }
  }

  private var page: [UInt8] {
    let levers = Lever.all(in: scenario).map(\.json)
    let data = JSONValue.object([
      ("levers", .array(levers)), ("paths", .array(Lever.paths(in: scenario).map { .string($0) })),
      ("file", .string(SavedScenario.suggestion(besides: path))),
    ])
    return LivePage(scenario, version: Version.current, data: data).bytes
  }

  private func lever(_ request: HTTPRequest) -> HTTPAnswer {
    guard let path = request.last("path"), let lever = Lever.named(path, in: scenario) else {
      return .refused(.notFound, "the scenario has no such key, or the key does not have a single value")
    }
    return .text(String(decoding: lever.json.bytes(lines: 0), as: UTF8.self))
  }

  /// Returns the scenario with settings from the page, or the problems with them.
  func scenario(with texts: [String]) -> Result<Scenario, LiveProblem> {
    guard texts.count <= Self.maxSettings else { return .failure(LiveProblem(text: "too many settings")) }
    let added = texts.map { Assignment(text: $0, origin: Option.set.spelling) }
    let outcome = ScenarioReader.read(
      text: text, fileName: InputFile.shownName(path), settings: (settings.assignments + added).map(\.argument),
      files: files)
    return outcome.scenario.map { .success($0) } ?? .failure(LiveProblem(text: outcome.diagnostics.humanText))
  }

  /// Returns the stream of waves for a setting, and cancels the tab's earlier answer.
  private func stream(_ request: HTTPRequest) -> HTTPAnswer {
    guard let tab = request.last("tab"), tab.utf8.count <= 40 else { return .refused(.badRequest, "no tab") }
    let answer = LiveAnswer(self, request.all("set"), before: request.last("before").map(lines), settings, console)
    let isBusy = state.withLock { state in
      state.answers = state.answers.filter { !$0.value.isOver }
      state.answers[tab]?.cancel()
      guard !state.isStopped, state.answers[tab] != nil || state.answers.count < Self.maxTabs else { return true }
      state.answers[tab] = answer
      return false
    }
    guard !isBusy else { return .refused(.conflict, "too many tabs are simulating at the same time: close one") }
    let stream = LiveStream(answer)
    return .events { stream.next() }
  }

  /// Compares settings with the first one, and returns the comparisons.
  private func compared(with texts: [String], _ draw: ([RunComparison]) -> HTTPAnswer) -> HTTPAnswer {
    let wanted = texts.prefix(Self.maxPins + 1).map(lines)
    let runs: [ComparedRun]
    do throws(LiveProblem) { runs = try LiveComparison(self, settings, console).runs(of: wanted) } catch {
      return .refused(.badRequest, error.text)
    }
    let obstacles = runs.dropFirst().flatMap { $0.obstacles(to: runs[0]) }.uniqued
    guard obstacles.isEmpty else {
      return .refused(.conflict, "cannot be compared pair by pair: it has " + obstacles.joined(separator: "; "))
    }
    return draw(
      runs.dropFirst().map { run in
        RunComparison(
          runs[0], run, differences: run.scenario.differences(from: runs[0].scenario), conditions: [],
          minimum: RunComparison.standardMin)
      })
  }

  private func save(_ request: HTTPRequest) -> HTTPAnswer {
    let texts = request.all("set")
    if case .failure(let problem) = scenario(with: texts) { return .refused(.badRequest, problem.text) }
    guard let edited = SettingText.text(of: text, with: texts.map { SetArgument($0) }) else {
      return .refused(.conflict, "the file cannot be changed in place; copy the settings as --set instead")
    }
    do throws(LiveProblem) {
      return .text("Saved as " + (try SavedScenario.write(edited, named: request.last("name") ?? "", besides: path)))
    } catch { return .refused(.conflict, error.text) }
  }

  /// Returns the settings in a text with one setting per line.
  private func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }

  /// Calls a function with the stored runs.
  func withRuns<Value: Sendable>(_ body: @Sendable (inout LiveRuns) -> Value) -> Value {
    state.withLock { body(&$0.runs) }
  }
}

/// A problem that the page shows.
struct LiveProblem: Error {
  var text: String
}

extension Lever {
  fileprivate var json: JSONValue {
    .object([
      ("path", .string(path)), ("help", .string(help)), ("values", .array(values.map { .string($0) })),
      ("own", .integer(Int128(own))),
    ])
  }
}
