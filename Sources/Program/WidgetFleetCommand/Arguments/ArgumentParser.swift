import Scenario

/// A parsed command line.
enum ParsedArguments {
  case version
  /// A request for help with a command, or with the whole program if the command is `nil`.
  case help(Command?)
  case command(Command, ArgumentValues)
}

/// The argument values given to a command.
struct ArgumentValues {
  var operands: [String] = []
  /// The values by option name, in the order in which they were given.
  var values: [String: [String]] = [:]

  func last(_ option: Option) -> String? { values[option.name]?.last }
  func all(_ option: Option) -> [String] { values[option.name] ?? [] }
  func has(_ option: Option) -> Bool { values[option.name] != nil }
}

/// A command-line parser based on the table of commands. Options may appear anywhere, but their names cannot be
/// abbreviated.
struct ArgumentParser {
  private var rest: ArraySlice<String>
  private var command: Command?
  private var values = ArgumentValues()
  private var onlyOperands = false

  /// Parses a command line.
  ///
  /// - Parameter arguments: the arguments without the program name.
  static func parse(_ arguments: [String]) throws(Failure) -> ParsedArguments {
    var parser = ArgumentParser(rest: arguments[...])
    while let argument = parser.rest.popFirst() { try parser.take(argument) }
    return try parser.result()
  }

  /// Returns the settings of a command that can run on several ranks; `nil` for any other command.
  static func settings(_ arguments: [String], _ ranks: Ranks) throws(Failure) -> Settings? {
    guard case .command(let command, let values) = try parse(Array(arguments.dropFirst())) else { return nil }
    return try Settings(values, of: command, environment: Environment(), ranks: ranks)
  }

  private init(rest: ArraySlice<String>) { self.rest = rest }

  private mutating func take(_ argument: String) throws(Failure) {
    if onlyOperands || argument == "-" || !argument.hasPrefix("-") { return try takeOperand(argument) }
    if argument == "--" {
      onlyOperands = true
      return
    }
    let (name, attached) = Self.split(argument)
    let option = try option(name)
    switch option.value {
    case .none:
      if attached != nil { throw usage("\(option.spelling) takes no value") }
      values.values[option.name, default: []].append("")
    case .text, .file, .choice:
      if let attached { try store(attached, option) } else { try store(nextValue(of: option), option) }
    }
  }

  private mutating func takeOperand(_ argument: String) throws(Failure) {
    guard command == nil else { return values.operands.append(argument) }
    if argument == "help" {
      values.values[Option.help.name] = [""]
      return
    }
    if let known = Command.all.first(where: { $0.name == argument }) {
      command = known
      return
    }
    if let advice = Removed.advice(argument) { throw .usage("'\(argument)' was removed", hint: advice) }
    throw .usage(
      "unknown command '\(argument.printable)'", hint: Suggestion.hint(argument, among: Command.all.map(\.name)))
  }

  /// Splits an argument of the form `--name=value` or `-nvalue` into its name and value.
  private static func split(_ argument: String) -> (name: String, value: String?) {
    if argument.hasPrefix("--") {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(parts[0]), parts.count > 1 ? String(parts[1]) : nil)
    }
    let attached = argument.dropFirst(2)
    return (String(argument.prefix(2)), attached.isEmpty ? nil : String(attached))
  }

  private func option(_ name: String) throws(Failure) -> Option {
    let options = command?.options ?? Command.all.flatMap(\.ownOptions) + Option.everywhere
    if let option = options.first(where: { $0.spelling == name || $0.letter.map { "-\($0)" } == name }) {
      return option
    }
    if let command, let advice = Removed.advice(command.name, name) {
      throw usage("\(name) was removed", hint: advice)
    }
    throw usage("unknown option '\(name.printable)'", hint: Suggestion.option(name, among: options.map(\.spelling)))
  }

  private mutating func nextValue(of option: Option) throws(Failure) -> String {
    guard let value = rest.popFirst() else { throw usage("\(option.spelling) needs a value") }
    return value
  }

  private mutating func store(_ value: String, _ option: Option) throws(Failure) {
    if command != nil { try checkChoice(value, option) }
    if values.values[option.name] != nil, !option.isRepeatable { throw usage("\(option.spelling) was given twice") }
    values.values[option.name, default: []].append(value)
  }

  private func checkChoice(_ value: String, _ option: Option) throws(Failure) {
    guard !option.choices.isEmpty, !option.choices.contains(value) else { return }
    if let command, let advice = Removed.advice(command.name, option.spelling, value) {
      throw usage("\(option.spelling) \(value) was removed", hint: advice)
    }
    throw usage(
      "\(option.spelling) must be one of \(option.choices.joined(separator: ", ")), not '\(value.printable)'",
      hint: Suggestion.hint(value, among: option.choices))
  }

  private func result() throws(Failure) -> ParsedArguments {
    if values.has(.help) { return .help(command) }
    if values.has(.version) { return .version }
    guard let command else {
      // Without any arguments, help is shown. With options only, the missing command is an error.
      if values.values.isEmpty { return .help(nil) }
      throw .usage("no command given", hint: "try: widgetfleet run Scenarios/game-status.yaml")
    }
    try check(command)
    return .command(command, values)
  }

  /// Checks that options given before the command belong to it, and that the number of operands is correct.
  private func check(_ command: Command) throws(Failure) {
    for name in values.values.keys.sorted() where !command.options.contains(where: { $0.name == name }) {
      throw usage("'\(command.name)' has no option --\(name)")
    }
    for option in command.options { for value in values.all(option) { try checkChoice(value, option) } }
    if values.operands.count < command.operandCount.lowerBound {
      throw usage("\(command.requiredOperands(besides: values.operands.count)) is missing")
    }
    if values.operands.count > command.operandCount.upperBound {
      throw usage("unexpected argument '\(values.operands[command.operandCount.upperBound].printable)'")
    }
    for word in values.operands where !command.words.isEmpty && !command.words.contains(word) {
      throw usage(
        "'\(command.name)' takes one of \(command.words.joined(separator: ", ")), not '\(word.printable)'",
        hint: Suggestion.hint(word, among: command.words))
    }
  }

  private func usage(_ sentence: String, hint: String? = nil) -> Failure {
    .usage(sentence, command: command?.name, hint: hint)
  }
}
