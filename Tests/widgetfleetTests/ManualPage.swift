@testable import WidgetFleetCommand

/// The manual page in mdoc, generated from the table of commands.
enum ManualPage {
  static var text: String {
    let commands = Command.all.map(section).joined()
    return head + commands + commonOptions + environment + files + exitStatus + examples
  }

  private static let head = """
    .\\" Made by 'make manual' from the table of commands: do not edit.
    .Dd \(Version.date)
    .Dt WIDGETFLEET 1
    .Os
    .Sh NAME
    .Nm widgetfleet
    .Nd simulate fleets of phone widgets and the load they make
    .Sh SYNOPSIS
    .Nm
    .Ar command
    .Op Ar options
    .Op Ar operands
    .Sh DESCRIPTION
    .Nm
    simulates fleets of phones with WidgetKit widgets: users who look and tap,
    reload policies, the system's budget and lateness, time zones.
    It shows how often widgets refresh, how old the displayed data is, and how
    many requests per second reach the backend.
    .Pp
    Options may appear anywhere and take their value as
    .Fl -opt Ar value
    or
    .Fl -opt Ns = Ns Ar value .
    The result goes to standard output, everything else to standard error.
    .Sh COMMANDS

    """

  private static func section(of command: Command) -> String {
    ".Ss \(command.name)\n.Nm\n.Cm \(command.name)\n.Op Ar options\n"
      + (command.operands.isEmpty ? "" : operands(of: command)) + ".Pp\n" + sentence(command.summary)
      + list(of: command.ownOptions)
  }

  private static func operands(of command: Command) -> String {
    let name = command.words.isEmpty ? command.operands.lowercased() : command.words.joined(separator: " | ")
    return (command.operandCount.lowerBound == 0 ? ".Op Ar " : ".Ar ") + escaped(name) + "\n"
  }

  private static func list(of options: [Option]) -> String {
    guard !options.isEmpty else { return "" }
    let items = options.map { option in
      let letter = option.letter.map { "Fl \($0) , " } ?? ""
      let value = option.valueText.map { " Ar " + escaped($0) } ?? ""
      return ".It \(letter)Fl -\(escaped(option.name))\(value)\n" + sentence(option.help)
    }
    return ".Bl -tag -width Ds\n" + items.joined() + ".El\n"
  }

  private static var commonOptions: String {
    ".Sh OPTIONS\nAll commands accept these:\n" + list(of: Option.everywhere)
  }

  private static let environment = """
    .Sh ENVIRONMENT
    A flag and
    .Fl -set
    override these, and these override the scenario.
    .Bl -tag -width WIDGETFLEET_COLOR
    .It Ev WIDGETFLEET_JOBS
    Threads, as
    .Fl -jobs .
    .It Ev WIDGETFLEET_SEED
    Seed, as
    .Fl -seed .
    .It Ev WIDGETFLEET_OUT
    Results folder, as
    .Fl -out .
    .It Ev WIDGETFLEET_COLOR
    Colours, as
    .Fl -color .
    .It Ev NO_COLOR
    No colours when set to anything, unless a flag or
    .Ev WIDGETFLEET_COLOR
    requests them.
    .It Ev CI
    No progress bar.
    .El

    """

  private static var files: String {
    let items = ManualPage.resultFiles.map { ".It Pa \($0.name)\n" + sentence($0.holds) }
    return ".Sh FILES\n.Bl -tag -width distribution.csv\n"
      + ".It Pa Reports/<scenario name>/\nThe results of a run; replaced as a whole when a run is complete.\n"
      + items.joined() + ".El\n"
  }

  /// The files in a results folder, with their contents.
  static let resultFiles: [(name: String, holds: String)] = [
    ("report.html", "the report: one file, no network"),
    ("summary.csv", "every figure with its labels and unit"),
    ("summary.json", "the same with the values of every replication, and the goals"),
    ("goals.csv", "every goal with its verdict, value, limit and bracket"),
    ("load.csv", "per step and endpoint: requests, those behind a CDN, failures, backlog, capacity"),
    ("causes.csv", "per minute, endpoint, cohort and cause: requests, failures, bytes"),
    (
      "devices.csv",
      "per device and kind: refreshes by cause, requests, waits, energy; with run.device_rows, a sample of the devices"
    ),
    ("distribution.csv", "histograms"),
    ("hours.csv", "by kind and hour of the local day: refreshes, stale views, data age, budget balances"),
    ("asked.csv", "by kind: refreshes requested, lost by reason, and run"),
    ("echo.csv", "per minute and endpoint with an outage: requests with the same draws but no outage"),
    ("trials.csv", "effects of the changes advised by the report's findings, on the same draws"),
    ("run.bin", "the results, the only file read by report, compare, explain and export"),
    ("conditions.csv", "with --save-conditions: backend conditions step by step"),
    ("manifest.json", "version, seed, the resolved scenario and its hash"),
  ]

  private static var exitStatus: String {
    ".Sh EXIT STATUS\n.Bl -tag -width 130\n"
      + ExitCode.allCases.map { ".It \($0.rawValue)\n" + sentence($0.meaning) }.joined() + ".El\n"
  }

  private static var examples: String {
    ".Sh EXAMPLES\n" + Command.all.map { ".Dl \(escaped($0.example))\n" }.joined()
  }

  /// Returns text as a line with one sentence.
  private static func sentence(_ text: String) -> String {
    let first = text.first.map { String($0).uppercased() } ?? ""
    let whole = first + text.dropFirst()
    return whole.wrapped(width: 78).map { escaped($0) + "\n" }.joined().dropLast()
      + (whole.hasSuffix(".") ? "\n" : ".\n")
  }

  /// Returns text escaped so that roff shows it unchanged.
  private static func escaped(_ text: String) -> String {
    let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    return (plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&" : "") + plain
  }
}
