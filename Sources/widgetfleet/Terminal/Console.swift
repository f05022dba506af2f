import Platform
import Scenario

/// stdout for the result, stderr for everything else.
///
/// Unchecked: settings are adopted before the first thread begins, and each text is written by one call.
final class Console: @unchecked Sendable {
  private var color = Settings.Color.auto
  private var isASCII = false
  private var hasDocument = false
  private(set) var isQuiet = false
  private(set) var isVerbose = false

  /// What holds until the arguments are read, and for a message that they cannot be.
  init(arguments: [String] = [], environment: Environment = Environment()) {
    if environment.refusesColor || environment.isDumbTerminal { color = .never }
    isASCII = arguments.contains(Option.ascii.spelling)
  }

  func adopt(_ settings: Settings) {
    color = settings.color
    isASCII = settings.isASCII
    hasDocument = settings.format == .json
    isQuiet = settings.isQuiet
    isVerbose = settings.isVerbose
  }

  /// Writes a part of the result.
  func output(_ text: String) throws(Failure) { try output(Array(text.utf8)) }

  /// Writes a part of the result.
  func output(_ bytes: [UInt8]) throws(Failure) {
    let status = Descriptor(number: STDOUT_FILENO).write(isASCII ? Array(plain(bytes).utf8) : bytes)
    if status == EPIPE { throw .brokenPipe }
    if status == EINTR { try Interruption.check() }
    if status != 0 { throw .cannotWrite(path: "standard output", errno: status) }
  }

  /// Says something on stderr that --quiet silences.
  func note(_ text: String) { if !isQuiet { error(text) } }

  /// Says something on stderr that only --verbose wants.
  func detail(_ text: String) { if isVerbose { error(text) } }

  /// Says something on stderr; nobody is left to tell when that fails.
  func error(_ text: String) {
    guard !text.isEmpty else { return }
    let shown = isASCII ? text.asciiColumns : text
    _ = Descriptor(number: STDERR_FILENO).write(Array(colored(shown).utf8))
  }

  /// A document keeps what it says, by escapes; a text keeps its columns.
  private func plain(_ bytes: [UInt8]) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    return hasDocument ? text.asciiDocument : text.asciiColumns
  }

  /// The word `error` or `warning` at the start of a line in colour.
  private func colored(_ text: String) -> String {
    guard color == .always || color == .auto && isatty(STDERR_FILENO) == 1 else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      for (word, code) in [("error", "31"), ("warning", "33")] where line.hasPrefix(word) {
        let head = line.prefix { $0 != ":" }
        return "\u{1B}[1;\(code)m\(head)\u{1B}[0m\(line.dropFirst(head.count))"
      }
      return String(line)
    }.joined(separator: "\n")
  }
}
