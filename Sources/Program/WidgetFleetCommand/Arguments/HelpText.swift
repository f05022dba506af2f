/// The text printed by `--help`, generated from the table of commands.
enum HelpText {
  static func text(of command: Command?) -> String { command.map(text) ?? overview }

  private static var overview: String {
    let commands = Command.all.map { ($0.name, $0.summary) }
    return """
      widgetfleet simulates fleets of phones with WidgetKit widgets
      and the load they put on a backend.

      Usage: widgetfleet COMMAND [OPTIONS] ...

      Commands:
      \(lines(commands))
      Options for every command:
      \(lines(of: Option.everywhere))
      Exit status:
      \(lines(ExitCode.allCases.map { (String($0.rawValue), $0.meaning) }))
      See: widgetfleet COMMAND --help

      """
  }

  private static func text(_ command: Command) -> String {
    """
    widgetfleet \(command.name): \(command.summary)

    Usage: \(usage(of: command))

    Options:
    \(lines(of: command.options))
    Example:
      \(command.example)

    Exit status:
    \(lines(ExitCode.allCases.map { (String($0.rawValue), $0.meaning) }))
    """
  }

  private static func usage(of command: Command) -> String {
    let usage = ["widgetfleet", command.name, "[OPTIONS]", command.operands].filter { !$0.isEmpty }
    let line = usage.joined(separator: " ")
    if case .scenarioFiles = command.operand { return line + "      ('-' reads standard input)" }
    return line
  }

  private static func lines(of options: [Option]) -> String { lines(options.map { (spelling($0), $0.help) }) }

  private static func spelling(_ option: Option) -> String {
    let letter = option.letter.map { "-\($0), " } ?? "    "
    return letter + option.spelling + (option.valueText.map { " " + $0 } ?? "")
  }

  /// Formats names and their descriptions in two columns. A long name is placed on a separate line above its
  /// description.
  private static func lines(_ rows: [(name: String, help: String)]) -> String {
    let widest = 28
    let width = min(widest, rows.map(\.name.count).max() ?? 0) + 2
    return rows.map { row in
      let help = row.help.wrapped(width: 78 - width)
      let isLong = row.name.count + 2 > width
      let first = "  " + row.name + (isLong ? "\n" : String(repeating: " ", count: width - row.name.count))
      let blanks = String(repeating: " ", count: width + 2)
      return first + (isLong ? blanks : "") + help.joined(separator: "\n" + blanks) + "\n"
    }.joined()
  }
}
