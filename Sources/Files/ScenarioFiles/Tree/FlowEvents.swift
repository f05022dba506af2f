/// A parser for values in brackets and quotes, which are JSON with optional quotes: `{lognormal: {median: 60s}}`.
///
/// It reads the defaults of the key table and scenarios that are built in Swift, in programs that are not linked with
/// libyaml. For the same text, it reports the same events as libyaml.
struct FlowEvents {
  private let scalars: [Unicode.Scalar]
  private var index = 0
  private var mark = YAMLEvent.Mark(line: 1, column: 1)
  private var failure: YAMLFailure?
  private var isStopped = false
  private let visit: (YAMLEvent) -> Bool

  /// The maximum depth of brackets.
  private static let maxDepth = 100

  /// Passes each event to `visit`, until it returns false.
  ///
  /// - Returns: the reason why the parser stopped reading; `nil` if it reached the end of the text.
  static func visit(_ bytes: [UInt8], _ visit: (YAMLEvent) -> Bool) -> YAMLFailure? {
    withoutActuallyEscaping(visit) { visit in
      var parser = FlowEvents(scalars: Array(String(decoding: bytes, as: UTF8.self).unicodeScalars), visit: visit)
      parser.document()
      return parser.failure
    }
  }

  private init(scalars: [Unicode.Scalar], visit: @escaping (YAMLEvent) -> Bool) {
    (self.scalars, self.visit) = (scalars, visit)
  }

  private var isDone: Bool { isStopped || failure != nil }
  private var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }
  private var afterNext: Unicode.Scalar? { index + 1 < scalars.count ? scalars[index + 1] : nil }

  private mutating func document() {
    skipBlanks()
    send(.documentStart(hasTagDirectives: false), from: mark)
    if next != nil { value(depth: 0) }
    skipBlanks()
    if !isDone, next != nil { fail("did not find the end of the value") }
    send(.documentEnd, from: mark)
    send(.streamEnd, from: mark)
  }

  // MARK: Values

  private mutating func value(depth: Int) {
    guard !isDone else { return }
    let start = mark
    switch next {
    case "{": collection(depth, from: start, isMapping: true)
    case "[": collection(depth, from: start, isMapping: false)
    case "\"", "'": quoted(from: start)
    case let first? where Self.marks.contains(first): fail("only values in brackets or quotes can be read")
    default: plain(from: start, isInside: depth > 0)
    }
  }

  private mutating func collection(_ depth: Int, from start: YAMLEvent.Mark, isMapping: Bool) {
    guard depth < Self.maxDepth else { return fail("brackets are nested too deeply") }
    let end: Unicode.Scalar = isMapping ? "}" : "]"
    advance()
    send(isMapping ? .mappingStart : .listStart, from: start)
    skipBlanks()
    while !isDone, next != end {
      if isMapping { pair(depth + 1) } else { value(depth: depth + 1) }
      skipBlanks()
      if next == "," { advance() } else if !isDone, next != end { fail("did not find expected ',' or '\(end)'") }
      skipBlanks()
    }
    guard !isDone else { return }
    let last = mark
    advance()
    send(isMapping ? .mappingEnd : .listEnd, from: last)
  }

  private mutating func pair(_ depth: Int) {
    value(depth: depth)
    skipBlanks()
    guard !isDone, next == ":" else { return send(.scalar("", isPlain: true), from: mark) }
    advance()
    skipBlanks()
    if next == "," || next == "}" { send(.scalar("", isPlain: true), from: mark) } else { value(depth: depth) }
  }

  // MARK: Scalars

  /// Reads a plain scalar, which ends at a comment or the end of the text; inside brackets, also at a comma or bracket.
  private mutating func plain(from start: YAMLEvent.Mark, isInside: Bool) {
    var (text, end) = (String.UnicodeScalarView(), mark)
    var blanks = String.UnicodeScalarView()
    while let scalar = next {
      if isInside, ",[]{}".unicodeScalars.contains(scalar) { break }
      if scalar == ":", afterNext.map({ Self.isBlank($0) || isInside && ",[]{}".unicodeScalars.contains($0) }) ?? true {
        if isInside { break }
        return fail("mapping values are not allowed in this context")
      }
      if scalar == "#", !blanks.isEmpty { break }
      advance()
      if Self.isBlank(scalar) {
        blanks.append(scalar)
        continue
      }
      text.append(contentsOf: blanks.contains("\n") ? " ".unicodeScalars : blanks)
      blanks = String.UnicodeScalarView()
      text.append(scalar)
      end = mark
    }
    send(.scalar(String(text), isPlain: true), from: start, to: end)
  }

  private mutating func quoted(from start: YAMLEvent.Mark) {
    let quote = next
    advance()
    var text = String.UnicodeScalarView()
    while let scalar = next {
      advance()
      if scalar == quote {
        guard quote == "'", next == "'" else {
          return send(.scalar(String(text), isPlain: false), from: start)
        }
        advance()
        text.append("'")
      } else if scalar == "\\", quote == "\"" {
        guard let escaped = escaped() else { return fail("found an unknown escape character") }
        text.append(escaped)
      } else {
        text.append(scalar)
      }
    }
    fail("found unexpected end of stream")
  }

  /// Reads the escape after a backslash; returns `nil` if there is no such escape.
  ///
  /// Like libyaml, it rejects JSON's surrogate escapes.
  private mutating func escaped() -> Unicode.Scalar? {
    guard let letter = next else { return nil }
    advance()
    if let scalar = Self.escapes[letter] { return scalar }
    return letter == "u" ? hexadecimal().flatMap { Unicode.Scalar($0) } : nil
  }

  private mutating func hexadecimal() -> UInt32? {
    guard index + 4 <= scalars.count else { return nil }
    var digits = String.UnicodeScalarView()
    for _ in 0..<4 {
      digits.append(scalars[index])
      advance()
    }
    return UInt32(String(digits), radix: 16)
  }

  private static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
    "\"": "\"", "\\": "\\", "/": "/", "b": "\u{8}", "f": "\u{C}", "n": "\n", "r": "\r", "t": "\t",
  ]
  /// The characters with which a plain scalar cannot start.
  private static let marks = Set<Unicode.Scalar>("&*!|>%@`#,]}".unicodeScalars)

  // MARK: Characters

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { " \t\n\r".unicodeScalars.contains(scalar) }

  private mutating func skipBlanks() {
    while let scalar = next {
      if scalar == "#", index == 0 || Self.isBlank(scalars[index - 1]) {
        while let scalar = next, scalar != "\n" { advance() }
      } else if Self.isBlank(scalar) {
        advance()
      } else {
        return
      }
    }
  }

  private mutating func advance() {
    let isEnd = scalars[index] == "\n"
    mark = YAMLEvent.Mark(line: mark.line + (isEnd ? 1 : 0), column: isEnd ? 1 : mark.column + 1)
    index += 1
  }

  private mutating func send(_ kind: YAMLEvent.Kind, from start: YAMLEvent.Mark, to end: YAMLEvent.Mark? = nil) {
    guard !isDone else { return }
    isStopped = !visit(YAMLEvent(kind: kind, hasAnchor: false, hasTag: false, start: start, end: end ?? mark))
  }

  private mutating func fail(_ problem: String) {
    if failure == nil { failure = YAMLFailure(problem: problem, context: "", contextLine: nil, mark: mark) }
  }
}
