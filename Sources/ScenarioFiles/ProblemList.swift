import Scenario

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
