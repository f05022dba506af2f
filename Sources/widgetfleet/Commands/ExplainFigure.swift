import FleetEngine
import FleetReports
import Scenario
import ScenarioFiles
import Studies

/// `widgetfleet explain DIR FIGURE`: what makes a figure of a report, and which settings lower it.
struct ExplainFigure {
  let settings: Settings
  let console: Console

  func run() throws(Failure) -> ExitCode {
    let question = try question()
    let content = try ResultsFolder(settings.operands[0]).content()
    let scenario = content.run.scenario
    guard let subject = FigureSubject(question, of: content.run, content.summary) else {
      try console.output(
        settings.format == .json
          ? nothingToExplainJSON(question, in: scenario) : nothingToExplainText(question, in: scenario))
      return .success
    }
    let explanation = try explanation(of: subject, content)
    try console.output(
      settings.format == .json ? explanationJSON(of: explanation) : explanationText(of: explanation))
    return .success
  }

  private func question() throws(Failure) -> FigureQuestion {
    let names = FigureQuestion.allCases.map(\.rawValue)
    guard settings.operands.count > 1 else {
      throw .usage(
        "'\(settings.operands[0].printable)' is a folder: name the figure to explain, one of "
          + names.joined(separator: ", "), command: "explain",
        hint: "write widgetfleet explain \(settings.operands[0].printable) peak")
    }
    let name = settings.operands[1]
    guard let question = FigureQuestion(rawValue: name) else {
      throw .usage(
        "of a folder the figures \(names.joined(separator: ", ")) are explained, not '\(name.printable)'",
        command: "explain", hint: Suggestion.hint(name, among: names))
    }
    return question
  }

  /// Tries what may lower it, and what happens without the rules that nobody can change.
  private func explanation(of subject: FigureSubject, _ content: ReportContent) throws(Failure) -> FigureExplanation {
    let levers = FigureLevers(for: subject)
    var scenario = subject.scenario
    scenario.run.replications = 1
    let simulation = Simulation(scenario, path: settings.operands[0], settings, console)
    let engine = try simulation.prepared(others: true)
    let control = settings.ranks.control()
    let variants = VariantRuns(of: engine, zones: simulation.zones, threads: simulation.threads, control: control)
    let changed = { (changes: [String]) in Self.scenario(content.provenance.resolvedScenario, with: changes) }
    let tries = levers.settings.compactMap { changes in changed(changes).map { (changes, $0) } }
    let rules = levers.rules.compactMap { name, changes in changed(changes).map { (name, changes, $0) } }
    try simulation.tellTime(runs: tries.count + rules.count, like: engine, settings)
    let total = engine.devicesLived * (tries.count + rules.count)
    let watch = Watch(control, Progress(settings, Environment(), total: total)) {}
    return try watch.during { () throws(Failure) -> FigureExplanation in
      var outcomes: [TrialOutcome] = []
      for (changes, scenario) in tries {
        outcomes.append(
          try simulation.finished { () throws(StudyError) in
            try subject.outcome(of: scenario, settings: changes, variants)
          })
      }
      var without: [(name: String, outcome: TrialOutcome)] = []
      for (name, changes, scenario) in rules {
        let outcome = try simulation.finished { () throws(StudyError) in
          try subject.outcome(of: scenario, settings: changes, variants)
        }
        without.append((name, outcome))
      }
      return FigureExplanation(subject, tried: outcomes, rules: without)
    }
  }

  /// The scenario of the folder with some settings; nil where they do not go with it.
  private static func scenario(_ text: String, with settings: [String]) -> Scenario? {
    ScenarioReader.read(text: Array(text.utf8), fileName: "resolved", settings: settings.map { SetArgument($0) })
      .scenario
  }
}
