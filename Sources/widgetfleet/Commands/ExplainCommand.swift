import FleetReports

/// `widgetfleet explain`: what a name of the program means.
struct ExplainCommand {
  let settings: Settings
  let console: Console

  func run() throws(Failure) -> ExitCode {
    let name = settings.operands[0]
    let topics = Topics.named(name)
    guard !topics.isEmpty else {
      throw .usage(
        "nothing is known of '\(name.printable)'", command: "explain",
        hint: Suggestion.hint(name, among: Topics.names)
          ?? "it explains codes such as WF102, metrics, columns, causes, reasons and scenario keys")
    }
    switch settings.format {
    case .human, .markdown, .github: try console.output(topics.map(\.text).joined(separator: "\n"))
    case .json: try console.output(JSONValue.array(topics.map(\.document)).bytes(lines: 2))
    }
    return .success
  }
}
