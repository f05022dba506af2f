import FleetReports

/// `widgetfleet explain`: what a name of the program means, or what makes a figure of a report.
struct ExplainCommand {
  let settings: Settings
  let console: Console

  func run() throws(Failure) -> ExitCode {
    let name = settings.operands[0]
    var asksForFigure = settings.operands.count > 1
    if !asksForFigure, Topics.named(name).isEmpty { asksForFigure = try ResultsFolder.ifFolder(name) != nil }
    if asksForFigure {
      try settings.lab.refuse()
      return try ExplainFigure(settings: settings, console: console).run()
    }
    let topics = Topics.named(name)
    guard !topics.isEmpty else {
      throw .usage(
        "nothing matches '\(name.printable)'", command: "explain",
        hint: Suggestion.hint(name, among: Topics.names)
          ?? "it explains codes such as WF102, metrics, columns, causes, reasons and scenario keys")
    }
    let plan = name.lowercased() == Topics.lab ? settings.lab.plan : nil
    if plan == nil { try settings.lab.refuse() }
    switch settings.format {
    case .human, .markdown, .github:
      try console.output(topics.map(\.text).joined(separator: "\n"))
      if let plan { try console.output([UInt8(ascii: "\n")] + labTable(of: plan)) }
    case .json:
      let documents = topics.map(\.document) + (plan.map { [labJSON(of: $0)] } ?? [])
      try console.output(JSONValue.array(documents).bytes(lines: plan == nil ? 2 : 4))
    }
    return .success
  }
}
