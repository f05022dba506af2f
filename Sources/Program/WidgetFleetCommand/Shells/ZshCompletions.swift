import FleetReports

/// The completion script for zsh.
enum ZshCompletions {
  static var script: String {
    """
    #compdef widgetfleet
    # zsh completions of widgetfleet \(Version.current): source <(widgetfleet completions zsh), after compinit
    # Keys of the scenario on the command line; without one, only keys that need no names.
    _widgetfleet_paths() {
      local candidate file=
      for candidate in "${(@Q)words[2,-1]}"; do if [[ -f $candidate ]]; then file=$candidate; break; fi; done
      compadd -S = -q -- ${(f)"$(${~program} completions zsh --paths "$file" 2>/dev/null)"}
    }
    _widgetfleet() {
      local context state state_descr line program=$words[1]
      typeset -A opt_args
      local -a commands=(
    \(Command.all.map { "    " + "\($0.name):\($0.summary)".shellQuoted + "\n" }.joined())  )
      _arguments -C \\
    \(specifications(Option.everywhere))    '1:command:->command' \\
        '*::argument:->argument' && return
      if [[ $state == command ]]; then
        _describe command commands
        return
      fi
      case $line[1] in
    \(Command.all.map(branch).joined())  esac
    }
    if [[ $funcstack[1] == _widgetfleet ]]; then _widgetfleet "$@"; else compdef _widgetfleet widgetfleet; fi

    """
  }

  private static func branch(_ command: Command) -> String {
    let operand =
      command.takesFiles
      ? "'*:scenario file:_files'"
      : command.offeredWords.isEmpty
        ? "" : "'1:\(command.name):(" + command.offeredWords.joined(separator: " ") + ")'"
    let lines = specifications(command.options) + (operand.isEmpty ? "" : "    \(operand) \\\n")
    return "    \(command.name))\n      _arguments -s \\\n" + lines.indentedFurther + "        && return\n      ;;\n"
  }

  /// Returns one line per spelling of each option; every line ends with a backslash.
  private static func specifications(_ options: [Option]) -> String {
    options.flatMap { option in
      option.spellings.map { spelling in "    \(specification(option, spelling)) \\\n" }
    }.joined()
  }

  private static func specification(_ option: Option, _ spelling: String) -> String {
    let help = option.help.map { "[]:\\".contains($0) ? "\\\($0)" : String($0) }.joined()
    let sign = option.takesValue && spelling.hasPrefix("--") ? "=" : ""
    let value =
      !option.takesValue
      ? ""
      : option.takesFile
        ? ":file:_files"
        : option.takesPath
          ? ":key:_widgetfleet_paths"
          : option.choices.isEmpty
            ? ":\(option.valueText ?? ""): " : ":\(option.name):(" + option.choices.joined(separator: " ") + ")"
    return ((option.isRepeatable ? "*" : "") + spelling + sign + "[" + help + "]" + value).shellQuoted
  }
}

extension String {
  /// The text with each line indented by four additional spaces.
  fileprivate var indentedFurther: String {
    split(separator: "\n").map { "    " + $0 + "\n" }.joined()
  }
}
