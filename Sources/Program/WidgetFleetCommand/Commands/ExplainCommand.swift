import FleetReports
import Scenario

/// The `widgetfleet explain` command, which explains a name, or shows the components of a figure in a report.
struct ExplainCommand {
  let settings: Settings
  let console: Console

  func run() throws(Failure) -> ExitCode {
    let name = settings.operands[0]
    var asksForFigure = settings.operands.count > 1
    if !asksForFigure, Topics.named(name).isEmpty { asksForFigure = try ResultsFolder.ifFolder(name) != nil }
    if asksForFigure { return try ExplainFigure(settings: settings, console: console).run() }
    let topics = Topics.named(name)
    guard !topics.isEmpty else {
      if let advice = Removed.advice("explain", name.lowercased()) {
        throw .usage("'explain \(name)' was removed", command: "explain", hint: advice)
      }
      throw .usage(
        "nothing matches '\(name.printable)'", command: "explain",
        hint: Suggestion.hint(name, among: Topics.names)
          ?? "explain takes codes such as WF102, metrics, columns, causes, reasons and scenario keys")
    }
    switch settings.format {
    case .human, .markdown, .github: try console.output(topics.map(\.text).joined(separator: "\n"))
    case .json: try console.output(JSONValue.array(topics.map(\.document)).bytes(lines: 2))
    }
    return .success
  }
}
