package import Scenario

/// A problem found in a scenario, with its position.
package struct Diagnostic: Hashable, Sendable {
  package enum Severity: String, Sendable {
    case error, warning
  }

  package var code: Code
  package var severity: Severity
  /// The name of the file, or `--set argument`.
  package var file: String
  /// The line number, starting at 1; `nil` if the problem concerns the whole file.
  package var line: Int?
  /// The column number in Unicode scalars, starting at 1.
  package var column: Int?
  /// The length of the marked text in Unicode scalars; at least 1.
  package var length: Int
  /// A sentence that describes the problem. The properties `sentence`, `note` and `advice` are safe to print on a
  /// terminal.
  package var sentence: String
  /// The short note displayed next to the caret.
  package var note: String
  package var advice: Help?
  /// An excerpt of the line that contains the problem.
  package var excerpt: Excerpt?

  package init(
    code: Code, severity: Severity = .error, file: String, line: Int?, column: Int?, length: Int, sentence: String,
    note: String, help: Help?, excerpt: Excerpt?
  ) {
    self.code = code
    self.severity = severity
    self.file = file
    self.line = line
    self.column = column
    self.length = length
    self.sentence = sentence
    self.note = note
    advice = help
    self.excerpt = excerpt
  }

  /// The advice as a single line.
  package var help: String? { advice?.text }

  /// The human-readable message, in the style of compiler messages.
  package var humanText: String {
    let heading = "\(severity.rawValue)[\(code.rawValue)]: \(sentence)"
    let gutter = String(repeating: " ", count: String(line ?? 1).count)
    var lines = [heading, "\(gutter)--> \(place)"]
    if let excerpt, let line {
      let caret = String(repeating: " ", count: excerpt.caretColumn) + String(repeating: "^", count: excerpt.caretWidth)
      lines += ["\(gutter) |", "\(line) | \(excerpt.text)".trimmingEnd, "\(gutter) | \(caret) \(note)".trimmingEnd]
    }
    if let help { lines.append("\(gutter) = help: \(help)") }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The position in the form file:line:column, omitting unknown components.
  package var place: String {
    let name = file.printable
    guard let line, let column else { return name }
    return "\(name):\(line):\(column)"
  }

  /// The diagnostic as a JSON object with a fixed key order, in which unknown values are `null`.
  package var json: String {
    let fields: [(String, String)] = [
      ("code", JSONText.quote(code.rawValue)), ("severity", JSONText.quote(severity.rawValue)),
      ("message", JSONText.quote(sentence)), ("file", JSONText.quote(file)),
      ("line", line.map(String.init) ?? "null"), ("column", column.map(String.init) ?? "null"),
      ("length", String(length)), ("note", JSONText.quote(note)), ("help", help.map(JSONText.quote) ?? "null"),
    ]
    return "{" + fields.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ") + "}"
  }

  /// The workflow command with which GitHub displays the problem next to its line.
  package var gitHubAnnotation: String {
    var properties = "file=\(Diagnostic.escape(file.printable, inProperty: true))"
    if let line, let column { properties += ",line=\(line),col=\(column),endColumn=\(column + length)" }
    let message = sentence + (help.map { " (help: \($0))" } ?? "")
    return "::\(severity.rawValue) \(properties),title=\(code.rawValue)::"
      + Diagnostic.escape(message, inProperty: false)
  }

  private static func escape(_ text: String, inProperty: Bool) -> String {
    text.map { character in
      switch character {
      case "%": "%25"
      case "\r": "%0D"
      case "\n": "%0A"
      case ":" where inProperty: "%3A"
      case "," where inProperty: "%2C"
      default: String(character)
      }
    }.joined()
  }
}

extension Diagnostic {
  fileprivate var isOfSchema: Bool { code == .unknownSchema || sentence == Self.withoutSchema }
  private static let withoutSchema = "the scenario lacks the key 'schema'"
  /// The codes whose sentences do not quote the file, used for files without the key `schema`.
  private static let neutral: Set<Code> = [
    .tooLarge, .encoding, .controlCharacter, .syntax, .anchor, .tag, .secondDocument, .empty, .complexKey, .tooDeep,
    .missingKey, .wrongShape, .unknownSchema,
  ]

  /// A diagnostic that quotes no text from the file, and contains only the position and kind of the problem.
  fileprivate var withoutContent: Diagnostic {
    var bare = self
    (bare.excerpt, bare.note, bare.length) = (nil, "", 1)
    if !Self.neutral.contains(code) {
      (bare.code, bare.sentence, bare.advice) = (
        .missingKey, Self.withoutSchema, "it starts with schema: widgetfleet/v1"
      )
    }
    return bare
  }
}

extension [Diagnostic] {
  /// The human-readable messages, separated by blank lines.
  package var humanText: String { map(\.humanText).joined(separator: "\n") }

  /// The diagnostics as a JSON array, with one object per line.
  package var json: String {
    isEmpty ? "[]\n" : "[\n  " + map(\.json).joined(separator: ",\n  ") + "\n]\n"
  }

  /// The GitHub workflow commands, one per line.
  package var gitHubAnnotations: String { map { $0.gitHubAnnotation + "\n" }.joined() }
}

extension String {
  /// The string without trailing spaces.
  fileprivate var trimmingEnd: String {
    var text = Substring(self)
    while text.last == " " { text.removeLast() }
    return String(text)
  }

  /// Returns the first `longest` characters of the string, without terminal control characters.
  func printable(longest: Int) -> String {
    let kept = unicodeScalars.prefix(longest).map { $0.isHidden ? "\\u{\(String($0.value, radix: 16))}" : String($0) }
    return kept.joined() + (unicodeScalars.count > longest ? "..." : "")
  }

  /// The string without terminal control characters.
  var printable: String { printable(longest: 400) }

  /// The string in quotes, as messages quote user input.
  var quoted: String { "'\(printable(longest: 60))'" }
}

/// The problems found while reading a scenario, with the source texts that their positions refer to.
struct ProblemList {
  /// The maximum number of problems, at which reading stops.
  static let maximum = 100

  /// The source texts: the file, followed by the `--set` arguments and by the files named in the scenario.
  private(set) var sources: [SourceText]
  private var cursors = [SourceCursor()]
  private var found: [(span: Span?, diagnostic: Diagnostic)] = []

  /// The reader for files named in the scenario.
  let files: NamedFiles

  init(file: SourceText, files: NamedFiles = .none) {
    sources = [file]
    self.files = files
  }

  /// A list with the same source texts and no problems.
  var emptied: ProblemList {
    var list = self
    list.found = []
    return list
  }

  /// Adds the problems of another list with the same source texts.
  mutating func take(_ other: ProblemList) { found += other.found }

  var isEmpty: Bool { found.isEmpty }
  var count: Int { found.count }
  /// Whether the list contains the maximum number of problems, so that no further problems need to be found.
  var isFull: Bool { found.count >= ProblemList.maximum }

  /// Whether a problem has already been found at a position.
  func complain(of span: Span) -> Bool { found.contains { $0.span == span } }

  /// Adds a source text and returns its number.
  mutating func add(source: SourceText) -> Int {
    sources.append(source)
    cursors.append(SourceCursor())
    return sources.count - 1
  }

  /// Adds the argument of an option as a source text, and returns its number.
  mutating func add(argument option: String, _ text: String) -> Int {
    add(source: SourceText(name: option + " argument", bytes: Array(text.utf8)))
  }

  /// Adds a problem. If the position is `nil`, the problem concerns the whole file.
  mutating func add(
    _ code: Code, severity: Diagnostic.Severity = .error, at span: Span?, _ sentence: String, note: String = "",
    help: Help? = nil
  ) {
    guard !isFull else { return }
    let source = span?.source ?? 0
    let diagnostic = Diagnostic(
      code: code, severity: severity, file: sources[source].name, line: span?.line, column: span?.column,
      length: span?.length ?? 1, sentence: sentence, note: note, help: help, excerpt: span.map { excerpt($0) })
    found.append((span, diagnostic))
  }

  /// Adds a problem with a value. The sentence starts with the name of the value's key.
  mutating func add(_ problem: ValueProblem, of name: String, at span: Span) {
    add(problem.code, at: span, "\(name) \(problem.sentence)", note: problem.note, help: problem.help)
  }

  /// Adds a problem in an assertion.
  ///
  /// - Parameter place: a function that returns the file position of a range of characters in the assertion.
  mutating func add(_ error: AssertionProblem, at place: (Range<Int>) -> Span) {
    let problem = error.problem
    add(problem.code, at: place(error.range), problem.sentence, note: problem.note, help: problem.help)
  }

  /// Rejects shares that do not add up to 100 %; the tolerance allows only for binary rounding errors.
  mutating func checkTotal(_ total: Double, at span: Span, of what: String) {
    guard abs(total - 1) > 1e-9 else { return }
    let percent = PlainNumbers.text(shifting: (total * 1e9).rounded() / 1e9, by: 2)
    add(
      .sharesDoNotAddUp, at: span, "the shares of \(what) add up to \(percent) %, not 100 %", note: "\(percent) %",
      help: total < 1 ? "raise one of them" : "lower one of them")
  }

  /// The diagnostics, sorted by source: those without a position, those for arguments and named files, and those for
  /// the scenario file.
  ///
  /// The diagnostics for each source are in text order. The scenario file comes last because its problems may result
  /// from problems in the other sources.
  var diagnostics: [Diagnostic] {
    let sorted = found.enumerated().sorted { order($0) < order($1) }.map(\.element)
    let foreign = sorted.filter { !sources[$0.span?.source ?? 0].isQuotable }
    let shown = sorted.filter { sources[$0.span?.source ?? 0].isQuotable }.map(\.diagnostic)
    guard !foreign.isEmpty else { return isFull ? shown + [summary] : shown }
    // If the file is probably not a scenario, only one problem is reported, and the content of the file is not quoted.
    let first = foreign.first { $0.diagnostic.isOfSchema } ?? foreign[0]
    return shown + [first.diagnostic.withoutContent]
  }

  private func order(
    _ entry: (offset: Int, element: (span: Span?, diagnostic: Diagnostic))
  ) -> (Int, Int, Int, Int) {
    guard let span = entry.element.span else { return (-1, 0, 0, entry.offset) }
    return (span.source == 0 ? Int.max : span.source, span.line, span.column, entry.offset)
  }

  private var summary: Diagnostic {
    Diagnostic(
      code: .tooLarge, file: sources[0].name, line: nil, column: nil, length: 1,
      sentence: "reading stopped after \(ProblemList.maximum) problems", note: "", help: "fix these and try again",
      excerpt: nil)
  }

  private mutating func excerpt(_ span: Span) -> Excerpt {
    let source = sources[span.source]
    cursors[span.source].move(line: span.line, column: span.column, in: source.bytes)
    let (before, after) = source.surroundings(of: cursors[span.source], reach: Excerpt.reach)
    return Excerpt(before: before, after: after, length: span.length)
  }
}

/// A part of a source line that is safe to print on a terminal. It has at most about 100 columns around the caret.
package struct Excerpt: Hashable, Sendable {
  package var text: String
  /// The number of terminal columns before the caret.
  package var caretColumn: Int
  /// The number of terminal columns to underline; at least 1.
  package var caretWidth: Int

  private static let widest = 100
  private static let lead = 40
  /// The number of bytes read from the line on each side of the position.
  static let reach = 600

  /// Creates the excerpt around a position in a line.
  ///
  /// - Parameter length: the length of the marked text at the start of `after`, in Unicode scalars.
  init(before: [Unicode.Scalar], after: [Unicode.Scalar], length: Int) {
    let stop = min(max(length, 1), after.count)
    let start = Excerpt.shown(before[...])
    let marked = Excerpt.shown(after[..<stop])
    let rest = marked + Excerpt.shown(after[stop...])
    let isWide = start.displayWidth + rest.displayWidth > Excerpt.widest
    let head = isWide ? Excerpt.tail(of: start, width: Excerpt.lead) : start
    let tail = isWide ? Excerpt.head(of: rest, width: Excerpt.widest - head.displayWidth) : rest
    text = head + tail
    caretColumn = head.displayWidth
    caretWidth = max(1, min(marked.displayWidth, tail.displayWidth))
  }

  private static func shown(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var text = String.UnicodeScalarView()
    for scalar in scalars {
      if scalar == "\t" {
        text.append(contentsOf: "    ".unicodeScalars)
      } else {
        text.append(scalar.isHidden ? "\u{FFFD}" : scalar)
      }
    }
    return String(text)
  }

  private static func tail(of text: String, width: Int) -> String {
    guard text.displayWidth > width else { return text }
    return "..." + String(fitting(text.reversed(), width).reversed())
  }

  private static func head(of text: String, width: Int) -> String {
    guard text.displayWidth > width else { return text }
    return String(fitting(text, width)) + "..."
  }

  /// Returns as many characters as fit into `width` columns, including an ellipsis.
  private static func fitting(_ text: some Sequence<Character>, _ width: Int) -> [Character] {
    var kept: [Character] = []
    var used = 3
    for character in text {
      used += character.displayWidth
      if used > width { break }
      kept.append(character)
    }
    return kept
  }
}

extension Unicode.Scalar {
  /// The code point of the character, such as `U+202E`.
  var codePointName: String {
    let digits = String(value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
