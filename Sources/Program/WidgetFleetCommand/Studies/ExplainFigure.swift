import FleetEngine
import FleetReports
import Scenario
import ScenarioFiles
import Studies

/// The `widgetfleet explain DIR FIGURE` command, which shows the components of a figure in a report and the settings
/// that reduce it.
struct ExplainFigure: StudyCommand {
  let settings: Settings
  let console: Console

  func run() throws(Failure) -> ExitCode {
    let name = try name()
    let content = try ResultsFolder(settings.operands[0]).results().content
    if FigureQuestion(rawValue: name) == nil, let assumed = AssumedReport(name, in: content) {
      try console.output(settings.format == .json ? assumed.document : assumed.text)
      return .success
    }
    let question = try question(name, in: content)
    let scenario = content.run.scenario
    guard let subject = FigureSubject(question, of: content.run, content.summary) else {
      try console.output(
        settings.format == .json
          ? nothingToExplainJSON(question, in: scenario) : nothingToExplainText(question, in: scenario))
      return .success
    }
    let isDocument = settings.format == .json
    // The opening is printed first because the trials may take several minutes.
    if !isDocument { try console.output(explanationOpening(of: subject, content)) }
    let explained = try explained(subject, content)
    try console.output(isDocument ? explanationJSON(of: explained) : explanationLevers(of: explained))
    return .success
  }

  private func name() throws(Failure) -> String {
    guard settings.operands.count > 1 else {
      throw .usage(
        "'\(settings.operands[0].printable)' is a folder: name the figure to explain, one of "
          + Self.names.joined(separator: ", "), command: "explain",
        hint: "write widgetfleet explain \(settings.operands[0].printable) peak")
    }
    return settings.operands[1]
  }

  private static let names = FigureQuestion.allCases.map(\.rawValue)

  private func question(_ name: String, in content: ReportContent) throws(Failure) -> FigureQuestion {
    guard let question = FigureQuestion(rawValue: name) else {
      throw .usage(
        "the figures of a folder are \(Self.names.joined(separator: ", ")), not '\(name.printable)'",
        command: "explain", hint: Suggestion.hint(name, among: Self.names + AssumedReport.names(in: content)))
    }
    return question
  }

  /// Tries settings that may reduce the figure, and a run without the fixed rules of the operating system, and then
  /// evaluates the best settings.
  private func explained(_ subject: FigureSubject, _ content: ReportContent) throws(Failure) -> ExplainedFigure {
    let levers = FigureLevers(for: subject)
    var scenario = subject.scenario
    scenario.run.replications = 1
    let (simulation, engine) = try prepared(scenario, others: true)
    let changed = { (changes: [String]) in Self.scenario(content.provenance.resolvedScenario, with: changes) }
    let tries = levers.settings.compactMap { changes in changed(changes).map { (changes, $0) } }
    let rules = levers.rules.compactMap { name, changes in changed(changes).map { (name, changes, $0) } }
    let judging = min(FigureExplanation.maximum, tries.count) * BracketRuns.presets(of: scenario).count
    let runs = tries.count + rules.count + judging
    try simulation.printTime(runs: runs, like: engine, settings)
    return try simulate(devices: engine.devicesTotal * runs) { control, watch throws(Failure) -> ExplainedFigure in
      let variants = simulation.variants(of: engine, control) {
        watch.expect(more: engine.devicesTotal, in: RunStage.offered)
      }
      let trial = { (changed: Scenario, changes: [String]) throws(Failure) in
        try simulation.finished { () throws(StudyError) in
          try subject.trial(of: changed, settings: changes, variants)
        }
      }
      var (tried, without): ([FigureTrial], [(name: String, outcome: TrialOutcome)]) = ([], [])
      for (changes, scenario) in tries { tried.append(try trial(scenario, changes)) }
      for (name, changes, scenario) in rules { without.append((name, try trial(scenario, changes).outcome)) }
      let explanation = FigureExplanation(subject, tried: tried, rules: without)
      let screen = { (scenario: Scenario) in
        Screen(of: scenario, by: variants, devices: engine.devicesSimulated)
      }
      let effects = try simulation.finished { () throws(StudyError) in
        try screen(scenario).effects(on: [subject.screened].compactMap { $0 }, of: subject.figures)
      }
      var judged: [ReportContent] = []
      for lever in explanation.levers {
        let judgement = try simulation.finished { () throws(StudyError) -> GoalEvaluation? in
          guard let summary = try variants.completed(lever.summary, of: lever.scenario) else { return nil }
          let runs = BracketRuns(of: lever.scenario, by: variants, offered: true)
          guard let bracket = try runs.bracket() else { return nil }
          return try GoalEvaluation(lever.scenario, summary, bracket, screen(lever.scenario))
        }
        judged.append(content.changed(lever, judgement.summary, judgement.goals))
      }
      var explained = ExplainedFigure(explanation: explanation, content: content, judged: judged)
      explained.effects = subject.screened.flatMap { effects[$0] } ?? []
      return explained
    }
  }

  /// Returns the scenario in the folder with some settings changed; `nil` if the settings are invalid for the scenario.
  private static func scenario(_ text: String, with settings: [String]) -> Scenario? {
    ScenarioReader.read(
      text: Array(text.utf8), fileName: "resolved", settings: settings.map { SetArgument($0) },
      files: .only(ProgramProviders.table)
    ).scenario
  }
}
