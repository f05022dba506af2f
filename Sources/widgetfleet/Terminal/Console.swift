import Glibc

/// stdout for the result, stderr for everything else.
final class Console {
  private var color = Settings.Color.auto
  private(set) var isQuiet = false
  private(set) var isVerbose = false

  func adopt(_ settings: Settings) {
    color = settings.color
    isQuiet = settings.isQuiet
    isVerbose = settings.isVerbose
  }

  /// Writes a part of the result.
  func output(_ text: String) throws(Failure) { try output(Array(text.utf8)) }

  /// Writes a part of the result.
  func output(_ bytes: [UInt8]) throws(Failure) {
    let status = Descriptor(number: STDOUT_FILENO).write(bytes)
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
    _ = Descriptor(number: STDERR_FILENO).write(Array(colored(text).utf8))
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
