/// The shells that `completions` supports.
enum Shell: String, CaseIterable, Sendable {
  case bash, zsh, fish

  /// The complete script, generated from the table of commands.
  var script: String {
    switch self {
    case .bash: BashCompletions.script
    case .zsh: ZshCompletions.script
    case .fish: FishCompletions.script
    }
  }
}

extension Command {
  /// The words suggested for the operand; empty if there is no operand, or if it is a file or folder.
  var offeredWords: [String] {
    switch operand {
    case .word(let words): words
    case .topic: Topics.names
    case .scenarioFiles, .folder, .results, .logs, .nothing: []
    }
  }

  var takesFiles: Bool {
    switch operand {
    case .scenarioFiles, .folder, .results, .logs: true
    case .word, .topic, .nothing: false
    }
  }
}

extension Option {
  /// All spellings of the option on the command line.
  var spellings: [String] { [spelling] + (letter.map { ["-\($0)"] } ?? []) }

  var takesFile: Bool {
    if case .file = value { return true }
    return false
  }

  var takesValue: Bool { valueText != nil }

  /// Whether the value of the option starts with the path of a key.
  var takesPath: Bool { valueText?.hasPrefix("PATH") ?? false }
}
