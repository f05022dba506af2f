import FleetReports

/// The completion script for fish.
enum FishCompletions {
  static var script: String {
    "# fish completions of widgetfleet \(Version.current): widgetfleet completions fish | source\n"
      + "complete -c widgetfleet -f\n" + paths
      + Option.everywhere.map { line($0, condition: "not __fish_seen_subcommand_from \(names)") }.joined()
      + Command.all.map { command in
        "complete -c widgetfleet -n \("not __fish_seen_subcommand_from \(names)".shellQuoted) "
          + "-a \(command.name) -d \(command.summary.fishQuoted)\n"
      }.joined()
      + Command.all.map(lines).joined()
  }

  /// A function that lists the keys of the scenario on the command line. Without a scenario, it lists all keys whose
  /// paths contain no names.
  private static let paths = """
    function __widgetfleet_paths
      set -l words (commandline -opc)
      set -l file ''
      for word in $words[2..-1]
        if test -f $word
          set file $word
          break
        end
      end
      for path in ($words[1] completions fish --paths "$file" 2>/dev/null)
        echo $path=
      end
    end

    """

  private static var names: String { Command.all.map(\.name).joined(separator: " ") }

  private static func lines(of command: Command) -> String {
    let condition = "__fish_seen_subcommand_from \(command.name)"
    let head = "complete -c widgetfleet -n \(condition.shellQuoted) "
    let operand =
      command.takesFiles
      ? head + "-F\n"
      : command.offeredWords.isEmpty
        ? "" : head + "-a \(command.offeredWords.joined(separator: " ").fishQuoted)\n"
    return operand + command.options.map { line($0, condition: condition) }.joined()
  }

  private static func line(_ option: Option, condition: String) -> String {
    let letter = option.letter.map { " -s \($0)" } ?? ""
    let value =
      !option.takesValue
      ? ""
      : option.takesFile
        ? " -r -F"
        : option.takesPath
          ? " -x -a '(__widgetfleet_paths)'"
          : option.choices.isEmpty ? " -x" : " -x -a \(option.choices.joined(separator: " ").fishQuoted)"
    return "complete -c widgetfleet -n \(condition.shellQuoted) -l \(option.name)\(letter)\(value) "
      + "-d \(option.help.fishQuoted)\n"
  }
}

extension String {
  /// The text in single quotes for fish, which supports only two escape sequences in such strings.
  fileprivate var fishQuoted: String {
    "'" + replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
