import FleetReports
import Platform
import Scenario
import Studies

/// The output of the program: results are written to stdout, and everything else to stderr.
///
/// `@unchecked` is safe because settings are adopted before the first thread starts, and each text is written in one
/// call.
final class Console: @unchecked Sendable {
  private var color = Settings.Color.auto
  private var isASCII = false
  private var hasDocument = false
  private(set) var isQuiet = false
  private(set) var isVerbose = false
  /// Whether an MPI launcher connects the ranks to the terminal, so that a rank cannot detect whether its output goes
  /// to a terminal.
  private let isLaunched = Launch(Environment.value).family != .unrelated

  /// Creates a console for use before the arguments have been parsed, including messages about invalid arguments.
  init(arguments: [String] = [], environment: Environment = Environment()) {
    if environment.refusesColor || environment.isDumbTerminal { color = .never }
    isASCII = arguments.contains(Option.ascii.spelling)
  }

  func adopt(_ settings: Settings) {
    color = settings.color
    isASCII = settings.isASCII
    hasDocument = settings.format == .json
    TerminalWidth.adopt(
      isTerminal(STDOUT_FILENO) ? TerminalSize.columns(of: STDOUT_FILENO) ?? TerminalWidth.usual : nil)
    isQuiet = settings.isQuiet
    isVerbose = settings.isVerbose
  }

  /// Writes text to stdout.
  func output(_ text: String) throws(Failure) { try output(Array(text.utf8)) }

  /// Writes bytes to stdout.
  func output(_ bytes: [UInt8]) throws(Failure) {
    let status = Descriptor(number: STDOUT_FILENO).write(isASCII ? Array(plain(bytes).utf8) : bytes)
    if status == EPIPE { throw .brokenPipe }
    if status == EINTR { try Interruption.check() }
    if status != 0 { throw .cannotWrite(path: "standard output", errno: status) }
  }

  /// Writes a result, colouring the verdicts if colours are enabled.
  func output(verdicts bytes: [UInt8]) throws(Failure) {
    guard shows(STDOUT_FILENO) else { return try output(bytes) }
    try output(Self.colored(String(decoding: bytes, as: UTF8.self), Self.verdictColors))
  }

  /// Writes text to stderr, unless --quiet is given.
  func note(_ text: String) { if !isQuiet { error(text) } }

  /// Writes text to stderr if --verbose is given.
  func detail(_ text: String) { if isVerbose { error(text) } }

  /// Writes text to stderr. Errors are ignored because they cannot be reported anywhere else.
  func error(_ text: String) {
    guard !text.isEmpty else { return }
    let shown = isASCII ? text.asciiColumns : text
    let text = shows(STDERR_FILENO) ? Self.colored(shown, Self.problemColors) : shown
    _ = Descriptor(number: STDERR_FILENO).write(Array(text.utf8))
  }

  /// Returns whether output to a file descriptor is coloured.
  private func shows(_ descriptor: CInt) -> Bool { color == .always || color == .auto && isTerminal(descriptor) }

  private func isTerminal(_ descriptor: CInt) -> Bool { !isLaunched && isatty(descriptor) == 1 }

  /// Returns the text in ASCII. In documents, other characters are escaped; in any other text, they are replaced so
  /// that columns stay aligned.
  private func plain(_ bytes: [UInt8]) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    return hasDocument ? text.asciiDocument : text.asciiColumns
  }

  private static let problemColors = [(word: "error", code: "31"), (word: "warning", code: "33")]
  /// The colours of verdicts on runs and goals.
  private static let verdictColors =
    RunVerdict.Word.allCases.map { ($0.rawValue, color(of: $0)) }
    + [("fail", "31"), ("warn", "33"), ("inconclusive", "33"), ("pass", "32")]

  private static func color(of word: RunVerdict.Word) -> String {
    switch word {
    case .fails: "31"
    case .depends, .unknown: "33"
    case .holds: "32"
    case .unlimited: "36"
    }
  }

  /// Returns the text with certain words coloured if they are at the start of a line.
  static func colored(_ text: String, _ colors: [(word: String, code: String)]) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      guard
        let (word, code) = colors.first(where: { line.hasPrefix($0.word) && endsWord(line.dropFirst($0.word.count)) })
      else { return String(line) }
      return "\u{1B}[1;\(code)m\(word)\u{1B}[0m\(line.dropFirst(word.count))"
    }.joined(separator: "\n")
  }

  /// Returns whether a word ends at the start of the remaining line.
  private static func endsWord(_ rest: Substring) -> Bool { rest.first.map { ": [".contains($0) } ?? true }
}
