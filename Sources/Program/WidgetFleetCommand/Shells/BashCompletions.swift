import FleetReports

/// The completion script for bash.
enum BashCompletions {
  static var script: String {
    """
    # bash completions of widgetfleet \(Version.current): source <(widgetfleet completions bash)
    # Keys of the scenario on the command line; without one, only keys that need no names.
    _widgetfleet_paths() {
      local candidate file=
      for candidate in "${COMP_WORDS[@]:1}"; do if [[ -f $candidate ]]; then file=$candidate; break; fi; done
      "${COMP_WORDS[0]/#\\~/$HOME}" completions bash --paths "$file" 2>/dev/null
    }
    _widgetfleet() {
      local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command= index
      COMPREPLY=()
      # Readline splits --opt=value into three words.
      if [[ $word == = ]]; then word=; fi
      if [[ $previous == = ]]; then previous=${COMP_WORDS[COMP_CWORD - 2]}; fi
      for ((index = 1; index < COMP_CWORD; index++)); do
        case ${COMP_WORDS[index]} in
          \(Command.all.map(\.name).joined(separator: "|"))) command=${COMP_WORDS[index]}; break ;;
        esac
      done
      case $command:$previous in
    \(valueCases)  esac
      if [[ $word == -* ]]; then
        case $command in
    \(optionCases)      *) COMPREPLY=($(compgen -W \(spellings(Option.everywhere)) -- "$word")) ;;
        esac
        return
      fi
      case $command in
    \(operandCases)    *) COMPREPLY=($(compgen -W \(words(Command.all.map(\.name))) -- "$word")) ;;
      esac
    }
    complete -F _widgetfleet widgetfleet

    """
  }

  /// The option values for each command; allowed values differ between commands.
  private static var valueCases: String {
    Command.all.flatMap { command in
      command.options.filter(\.takesValue).map { option in
        let patterns = option.spellings.map { "\(command.name):\($0)" }.joined(separator: "|")
        return "    \(patterns)) \(reply(option)); return ;;\n"
      }
    }.joined()
  }

  private static func reply(_ option: Option) -> String {
    if option.takesFile { return "compopt -o filenames; COMPREPLY=($(compgen -f -- \"$word\"))" }
    if option.takesPath {
      return "compopt -o nospace; COMPREPLY=($(compgen -S = -W \"$(_widgetfleet_paths)\" -- \"$word\"))"
    }
    return "COMPREPLY=($(compgen -W \(words(option.choices)) -- \"$word\"))"
  }

  private static var optionCases: String {
    Command.all.map { command in
      "      \(command.name)) COMPREPLY=($(compgen -W \(spellings(command.options)) -- \"$word\")) ;;\n"
    }.joined()
  }

  private static var operandCases: String {
    Command.all.map { command in
      let reply =
        command.takesFiles
        ? "compopt -o filenames; COMPREPLY=($(compgen -f -- \"$word\"))"
        : "COMPREPLY=($(compgen -W \(words(command.offeredWords)) -- \"$word\"))"
      return "    \(command.name)) \(reply) ;;\n"
    }.joined()
  }

  private static func spellings(_ options: [Option]) -> String { words(options.flatMap(\.spellings)) }

  private static func words(_ words: [String]) -> String { words.joined(separator: " ").shellQuoted }
}
