import Scenario

/// A builder that creates a file's tree from libyaml events. It enforces the limits and rejections described in
/// RELIABILITY.md.
struct TreeReader {
  static let maxEvents = 200_000
  static let maxDepth = 32
  static let longestScalar = 100_000

  /// A list or mapping that has not ended yet.
  private struct Frame {
    struct Key {
      var text: String
      var span: Span
      /// Whether the value is ignored, either because its key is repeated or because its key begins with x- and marks a
      /// note.
      var isIgnored: Bool
    }

    let isMapping: Bool
    let start: YAMLEvent
    var items: [Node] = []
    var pairs: [Node.Pair] = []
    var key: Key?
    /// The line number of each key that was read in the mapping.
    var seen: [String: Int] = [:]
  }

  private let source: Int
  private var questionMarks: QuestionMarks
  private var problems: ProblemList
  private var stack: [Frame] = []
  private var root: Node?
  private var eventCount = 0
  private var documentCount = 0
  private var isBroken = false

  private init(_ bytes: [UInt8], source: Int, problems: ProblemList) {
    self.source = source
    questionMarks = QuestionMarks(in: bytes)
    self.problems = problems
  }

  /// Reads one of the source texts in `problems`, and adds any problems; returns `nil` if there is no usable tree.
  static func read(source: Int, problems: inout ProblemList) -> Node? {
    read(problems.sources[source].bytes, source: source, problems: &problems)
  }

  /// Reads `bytes`, with positions that refer to the given source text.
  static func read(_ bytes: [UInt8], source: Int, problems: inout ProblemList) -> Node? {
    let text = problems.sources[source]
    if let refusal = TextCheck.refusal(of: text.bytes) {
      let place = refusal.offset.map { text.place(ofByte: $0, source: source) }
      problems.add(refusal.code, at: place, refusal.sentence, note: refusal.note, help: refusal.help)
      return nil
    }
    var reader = TreeReader(bytes, source: source, problems: problems)
    let failure = YAMLEvents.visit(bytes) { reader.take($0) }
    if let failure, !reader.isBroken { reader.refuse(failure) }
    problems = reader.problems
    return reader.isBroken || problems.isFull ? nil : reader.root
  }

  /// Handles a parser event, and returns whether to continue.
  private mutating func take(_ event: YAMLEvent) -> Bool {
    eventCount += 1
    if eventCount > TreeReader.maxEvents {
      stop(.tooLarge, at: span(event), "the file has more than 200 000 YAML events", help: "is this the right file?")
    }
    refuseMarks(of: event)
    if questionMarks.stands(before: event.start) {
      stop(
        .syntax, at: span(event), "a string in brackets begins with ?", note: "without quotes, ? marks a key",
        help: "quote it, including the ?")
    }
    switch event.kind {
    case .documentStart(let hasTagDirectives): startDocument(event, hasTagDirectives: hasTagDirectives)
    case .alias: add(Node(content: .refused, span: span(event)))
    case .scalar(let text, let isPlain): takeScalar(text, isPlain: isPlain, event)
    case .listStart: push(Frame(isMapping: false, start: event))
    case .mappingStart: push(Frame(isMapping: true, start: event))
    case .listEnd, .mappingEnd: pop(end: event)
    case .documentEnd, .streamEnd, .other: break
    }
    return !isBroken && !problems.isFull
  }

  private mutating func startDocument(_ event: YAMLEvent, hasTagDirectives: Bool) {
    documentCount += 1
    if hasTagDirectives { problems.add(.tag, at: span(event), "tags are not supported", note: "a %TAG line") }
    guard documentCount > 1 else { return }
    stop(
      .secondDocument, at: span(event), "the file contains more than one document", note: "the second starts here",
      help: "a file can contain only one scenario; split it here")
  }

  private mutating func refuseMarks(of event: YAMLEvent) {
    let help: Help = "spell the value out; a string that starts with & or * needs quotes"
    if case .alias = event.kind {
      problems.add(.anchor, at: span(event), "aliases are not supported", note: "an alias", help: help)
    } else if event.hasAnchor {
      problems.add(.anchor, at: span(event), "anchors are not supported", note: "an anchor", help: help)
    }
    if event.hasTag {
      problems.add(
        .tag, at: span(event), "tags are not supported", note: "a tag",
        help: "remove it: the key determines the type; a string that starts with ! needs quotes")
    }
  }

  private mutating func takeScalar(_ text: String, isPlain: Bool, _ event: YAMLEvent) {
    guard text.utf8.count <= TreeReader.longestScalar else {
      return stop(
        .tooLarge, at: span(event).narrow, "a string has more than 100 000 bytes", help: "is this the right file?")
    }
    if let hidden = text.unicodeScalars.first(where: { $0.isHidden && $0 != "\n" && $0 != "\t" }) {
      problems.add(
        .controlCharacter, at: span(event), "the string contains the control character \(hidden.codePointName)",
        note: "written as an escape", help: "remove it")
    }
    add(Node(content: .scalar(text, isPlain: isPlain), span: span(event)))
  }

  private mutating func push(_ frame: Frame) {
    stack.append(frame)
    guard stack.count > TreeReader.maxDepth else { return }
    stop(
      .tooDeep, at: span(frame.start), "mappings and lists are nested more than 32 levels deep",
      note: "the 33rd opens here", help: "remove brackets or indentation")
  }

  private mutating func pop(end: YAMLEvent) {
    guard let frame = stack.popLast() else { return }
    let content = frame.isMapping ? Node.Content.mapping(frame.pairs) : .list(frame.items)
    add(Node(content: content, span: span(from: frame.start.start, to: end.end)))
  }

  /// Adds a completed node, which is the root, a key, or a child of the innermost open list or mapping.
  private mutating func add(_ node: Node) {
    let top = stack.count - 1
    guard top >= 0 else {
      root = root ?? node
      return
    }
    guard stack[top].isMapping else { return stack[top].items.append(node) }
    guard let key = stack[top].key else { return addKey(node) }
    stack[top].key = nil
    if !key.isIgnored { stack[top].pairs.append(Node.Pair(key: key.text, keySpan: key.span, value: node)) }
  }

  private mutating func addKey(_ node: Node) {
    let top = stack.count - 1
    guard let text = node.text else {
      problems.add(
        .complexKey, at: node.span, "a key must be a string", note: "\(node.shape) as a key",
        help: "a list or mapping cannot be a key")
      stack[top].key = Frame.Key(text: "", span: node.span, isIgnored: true)
      return
    }
    let first = stack[top].seen.updateValue(node.span.line, forKey: text)
    stack[top].key = Frame.Key(
      text: text, span: node.span, isIgnored: first != nil || text.utf8.starts(with: "x-".utf8))
    guard let first else { return }
    problems.add(
      .duplicateKey, at: node.span, "the key \(text.quoted) appears twice", note: "the first is on line \(first)",
      help: "remove one of them")
  }

  private mutating func stop(_ code: Code, at span: Span, _ sentence: String, note: String = "", help: Help) {
    isBroken = true
    problems.add(code, at: span, sentence, note: note, help: help)
  }

  private mutating func refuse(_ failure: YAMLFailure) {
    let end = problems.sources[source].end(source: source)
    let isPastEnd = (failure.mark.line, failure.mark.column) > (end.line, end.column)
    let place = isPastEnd ? end : Span(source: source, line: failure.mark.line, column: failure.mark.column, length: 1)
    let context = failure.context.isEmpty ? "" : " \(failure.context)"
    let note = failure.contextLine.map { $0 < place.line ? ", in text that starts on line \($0)" : "" } ?? ""
    stop(
      .syntax, at: place, "this is not YAML: \(failure.problem)\(context)", note: "reading stopped here" + note,
      help: SyntaxHints.hint(for: failure.problem))
  }

  private func span(_ event: YAMLEvent) -> Span { span(from: event.start, to: event.end) }

  /// Returns the span between two marks, limited to the first mark's line.
  private func span(from start: YAMLEvent.Mark, to end: YAMLEvent.Mark) -> Span {
    let length = end.line == start.line ? end.column - start.column : 1
    return Span(source: source, line: start.line, column: start.column, length: max(1, length))
  }
}

/// The usual causes of libyaml error messages.
enum SyntaxHints {
  static func hint(for problem: String) -> Help {
    hints.first { problem.contains($0.part) }?.hint ?? "check the brackets, quotes and indentation before this point"
  }

  private static let hints: [(part: String, hint: Help)] = [
    ("cannot start any token", "indent with spaces, not tabs; a string that starts with @, ` or % needs quotes"),
    ("mapping values are not allowed", "a string that contains ': ' needs quotes; check the indentation"),
    ("',' or '}'", "close the bracket { with }, and separate keys with commas"),
    ("',' or ']'", "close the bracket [ with ], and separate items with commas"),
    ("could not find expected ':'", "a key is followed by ': '; lines of one mapping must start in the same column"),
    ("did not find expected key", "lines of one mapping must start in the same column; check the brackets above"),
    ("unexpected end of stream", "a quote or a bracket is not closed"),
    ("escape", "in double quotes, a backslash starts an escape: double it, or use single quotes"),
    ("version", "the format is YAML 1.2; remove the %YAML line"),
  ]
}
