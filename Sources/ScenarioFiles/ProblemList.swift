/// The problems of one run, with the texts that they point into.
struct ProblemList {
  /// More are counted, not shown.
  static let most = 100

  /// The file first, then the `--set` arguments.
  var sources: [SourceText]
  private var found: [(span: Span?, diagnostic: Diagnostic)] = []
  private(set) var hidden = 0

  init(file: SourceText) { sources = [file] }

  var isEmpty: Bool { found.isEmpty }

  /// Adds a problem; nil: of the whole file.
  mutating func add(_ code: Code, at span: Span?, _ sentence: String, note: String = "", help: String? = nil) {
    guard found.count < ProblemList.most else {
      hidden += 1
      return
    }
    found.append((span, diagnostic(code, at: span, sentence, note: note, help: help)))
  }

  /// In the order of the text; those of the whole file first.
  var diagnostics: [Diagnostic] {
    var sorted = found.enumerated().sorted { order($0) < order($1) }.map(\.element.diagnostic)
    if hidden > 0 { sorted.append(summary) }
    return sorted
  }

  private func order(_ entry: (offset: Int, element: (span: Span?, diagnostic: Diagnostic))) -> (Int, Int, Int, Int) {
    let span = entry.element.span
    return (span?.source ?? 0, span?.line ?? 0, span?.column ?? 0, entry.offset)
  }

  private var summary: Diagnostic {
    Diagnostic(
      code: .tooLarge, file: sources[0].name, line: nil, column: nil, length: 1,
      sentence: "\(hidden) more problems are not shown", note: "", help: "mend the first ones and try again",
      excerpt: nil)
  }

  private func diagnostic(_ code: Code, at span: Span?, _ sentence: String, note: String, help: String?) -> Diagnostic {
    let source = sources[span?.source ?? 0]
    return Diagnostic(
      code: code, file: source.name, line: span?.line, column: span?.column, length: span?.length ?? 1,
      sentence: sentence, note: note, help: help,
      excerpt: span.map { Excerpt(line: source.line($0.line), column: $0.column, length: $0.length) })
  }
}
