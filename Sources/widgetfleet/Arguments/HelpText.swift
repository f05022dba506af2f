/// The text of --help, made from the table of commands.
enum HelpText {
  static func text(of command: Command?) -> String { command.map(text) ?? overview }

  private static var overview: String {
    let width = Command.all.map(\.name.count).max() ?? 0
    let commands = Command.all.map { "  " + padded($0.name, to: width + 2) + $0.summary + "\n" }.joined()
    return """
      widgetfleet simulates fleets of phones with WidgetKit widgets and the load they put on a backend.

      Usage: widgetfleet COMMAND [OPTIONS] ...

      Commands:
      \(commands)
      Options of every command:
      \(lines(of: Option.everywhere))
      See: widgetfleet COMMAND --help

      """
  }

  private static func text(_ command: Command) -> String {
    """
    widgetfleet \(command.name): \(command.summary)

    Usage: widgetfleet \(command.name) [OPTIONS] \(command.operands)      ('-' reads standard input)

    Options:
    \(lines(of: command.options))
    Example:
      \(command.example)

    Exit status: 0 done, 1 a goal failed, 2 wrong usage or scenario, 3 a bug, 4 cannot read or write,
                 130 and 143 stopped by a signal

    """
  }

  private static func lines(of options: [Option]) -> String {
    let width = options.map { usage($0).count }.max() ?? 0
    return options.map { "  " + padded(usage($0), to: width + 2) + $0.help + "\n" }.joined()
  }

  private static func usage(_ option: Option) -> String {
    let letter = option.letter.map { "-\($0), " } ?? "    "
    return switch option.value {
    case .none: letter + option.spelling
    case .text(let name): letter + option.spelling + " " + name
    case .choice(let choices): letter + option.spelling + " " + choices.joined(separator: "|")
    }
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(width - text.count, 1))
  }
}
