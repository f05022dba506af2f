package import Scenario

/// One problem of a scenario, with its place.
package struct Diagnostic: Hashable, Sendable {
  package enum Severity: String, Sendable {
    case error, warning
  }

  package var code: Code
  package var severity: Severity
  /// The file's name, or `--set argument`.
  package var file: String
  /// Counted from 1; nil: the problem is the whole file's.
  package var line: Int?
  /// In Unicode scalars, counted from 1.
  package var column: Int?
  /// In Unicode scalars; at least 1.
  package var length: Int
  /// Safe to show on a terminal, like `note` and `advice`.
  package var sentence: String
  /// Stands beside the caret.
  package var note: String
  package var advice: Help?
  /// The line around the place.
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

  /// The advice as one line.
  package var help: String? { advice?.text }

  /// For people, in the form of a compiler's message.
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

  /// file:line:column, as far as known.
  package var place: String {
    let name = file.printable
    guard let line, let column else { return name }
    return "\(name):\(line):\(column)"
  }

  /// One JSON object; keys in a fixed order, unknown ones null.
  package var json: String {
    let fields: [(String, String)] = [
      ("code", JSONText.quote(code.rawValue)), ("severity", JSONText.quote(severity.rawValue)),
      ("message", JSONText.quote(sentence)), ("file", JSONText.quote(file)),
      ("line", line.map(String.init) ?? "null"), ("column", column.map(String.init) ?? "null"),
      ("length", String(length)), ("note", JSONText.quote(note)), ("help", help.map(JSONText.quote) ?? "null"),
    ]
    return "{" + fields.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ") + "}"
  }

  /// A workflow command that GitHub shows beside the line.
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

extension [Diagnostic] {
  /// All of them, a blank line between each two.
  package var humanText: String { map(\.humanText).joined(separator: "\n") }

  /// A JSON list, one object a line.
  package var json: String {
    isEmpty ? "[]\n" : "[\n  " + map(\.json).joined(separator: ",\n  ") + "\n]\n"
  }

  /// One workflow command a line.
  package var gitHubAnnotations: String { map { $0.gitHubAnnotation + "\n" }.joined() }
}

extension String {
  /// Without blanks at the end.
  fileprivate var trimmingEnd: String {
    var text = Substring(self)
    while text.last == " " { text.removeLast() }
    return String(text)
  }

  /// The text without anything that a terminal would obey, and at most `longest` characters of it.
  func printable(longest: Int) -> String {
    let kept = unicodeScalars.prefix(longest).map { $0.isHidden ? "\\u{\(String($0.value, radix: 16))}" : String($0) }
    return kept.joined() + (unicodeScalars.count > longest ? "..." : "")
  }

  /// The text without anything that a terminal would obey.
  var printable: String { printable(longest: 400) }

  /// As a message quotes what the user wrote.
  var quoted: String { "'\(printable(longest: 60))'" }
}

/// The problems of one run, with the texts that they point into.
struct ProblemList {
  /// After so many the reading stops.
  static let most = 100

  /// The file first, then the `--set` arguments and files that it names.
  private(set) var sources: [SourceText]
  private var cursors = [SourceCursor()]
  private var found: [(span: Span?, diagnostic: Diagnostic)] = []

  /// Where files come from that the file names.
  let files: NamedFiles

  init(file: SourceText, files: NamedFiles = .none) {
    sources = [file]
    self.files = files
  }

  /// With the same texts and nothing found.
  var emptied: ProblemList {
    var list = self
    list.found = []
    return list
  }

  /// Adds what another list with the same texts has found.
  mutating func take(_ other: ProblemList) { found += other.found }

  var isEmpty: Bool { found.isEmpty }
  var count: Int { found.count }
  /// Whether looking for more is of no use.
  var isFull: Bool { found.count >= ProblemList.most }

  /// Whether something is wrong with the value at a place already.
  func complain(of span: Span) -> Bool { found.contains { $0.span == span } }

  /// Adds a text and gives its number.
  mutating func add(source: SourceText) -> Int {
    sources.append(source)
    cursors.append(SourceCursor())
    return sources.count - 1
  }

  /// Adds the argument of an option and gives its number.
  mutating func add(argument option: String, _ text: String) -> Int {
    add(source: SourceText(name: option + " argument", bytes: Array(text.utf8)))
  }

  /// Adds a problem; nil: of the whole file.
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

  /// Adds what is wrong with a value, after a name of what it belongs to.
  mutating func add(_ problem: ValueProblem, of name: String, at span: Span) {
    add(problem.code, at: span, "\(name) \(problem.sentence)", note: problem.note, help: problem.help)
  }

  /// Adds what is wrong with an assertion.
  ///
  /// - Parameter place: of a range of its characters.
  mutating func add(_ error: AssertionProblem, at place: (Range<Int>) -> Span) {
    let problem = error.problem
    add(problem.code, at: place(error.range), problem.sentence, note: problem.note, help: problem.help)
  }

  /// Refuses shares that do not add up; the tolerance is that of binary fractions only.
  mutating func checkTotal(_ total: Double, at span: Span, of what: String) {
    guard abs(total - 1) > 1e-9 else { return }
    let percent = PlainNumbers.text(shifting: (total * 1e9).rounded() / 1e9, by: 2)
    add(
      .sharesDoNotAddUp, at: span, "the shares of \(what) add up to \(percent) %, not 100 %", note: "\(percent) %",
      help: total < 1 ? "raise one of them" : "lower one of them")
  }

  /// Those of no place first, then those of what was typed or named, then those of the file, which may follow from them;
  /// each in the order of the text.
  var diagnostics: [Diagnostic] {
    let sorted = found.enumerated().sorted { order($0) < order($1) }.map(\.element.diagnostic)
    return isFull ? sorted + [summary] : sorted
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
      sentence: "reading stopped after \(ProblemList.most) problems", note: "", help: "fix these and try again",
      excerpt: nil)
  }

  private mutating func excerpt(_ span: Span) -> Excerpt {
    let source = sources[span.source]
    cursors[span.source].move(line: span.line, column: span.column, in: source.bytes)
    let (before, after) = source.surroundings(of: cursors[span.source], reach: Excerpt.reach)
    return Excerpt(before: before, after: after, length: span.length)
  }
}

/// A line of the source as a terminal may show it: nothing raw, at most about 100 columns around the caret.
package struct Excerpt: Hashable, Sendable {
  package var text: String
  /// Columns of the terminal before the caret.
  package var caretColumn: Int
  /// Columns of the terminal under the place; at least 1.
  package var caretWidth: Int

  private static let widest = 100
  private static let lead = 40
  /// Bytes of a line to look at on both sides of the place.
  static let reach = 600

  /// - Parameter length: of the place, in Unicode scalars of `after`.
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

  /// As many characters as stand beside three dots in `width` columns.
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
  /// As in U+202E.
  var codePointName: String {
    let digits = String(value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
