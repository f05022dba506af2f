internal import CYAML

/// An event reported by the libyaml parser.
struct YAMLEvent {
  enum Kind {
    case documentStart(hasTagDirectives: Bool)
    case documentEnd
    case alias
    case scalar(String, isPlain: Bool)
    case listStart
    case listEnd
    case mappingStart
    case mappingEnd
    case streamEnd
    case other
  }

  /// A position in the text, with line and column numbers starting at 1.
  struct Mark {
    var line: Int
    var column: Int
  }

  var kind: Kind
  var hasAnchor: Bool
  var hasTag: Bool
  var start: Mark
  var end: Mark
}

/// A search for text that directly follows a question mark.
///
/// Inside brackets, such a question mark is part of the text in YAML 1.2, but not in libyaml, which therefore reads a
/// different string (yaml-test-suite 652Z, HM87).
struct QuestionMarks {
  private let bytes: [UInt8]
  private var index = 0
  private var mark = YAMLEvent.Mark(line: 1, column: 1)

  init(in bytes: [UInt8]) { self.bytes = bytes }

  /// Whether a question mark directly precedes a position in the text.
  ///
  /// - Parameter start: the start position of an event; successive calls must have ascending positions.
  mutating func stands(before start: YAMLEvent.Mark) -> Bool {
    while index < bytes.count, (mark.line, mark.column) < (start.line, start.column) { advance() }
    guard index > 0, index < bytes.count, (mark.line, mark.column) == (start.line, start.column) else { return false }
    return bytes[index - 1] == 0x3F && !Self.noText.contains(bytes[index])
  }

  /// Moves to the next character of the text.
  private mutating func advance() {
    let isEnd = bytes[index] == 0x0A
    mark = YAMLEvent.Mark(line: mark.line + (isEnd ? 1 : 0), column: isEnd ? 1 : mark.column + 1)
    repeat { index += 1 } while index < bytes.count && bytes[index] & 0xC0 == 0x80
  }

  /// The characters that cannot start a text: blanks, line endings and separators within brackets.
  private static let noText = Set(" \t\n\r,[]{}".utf8)
}

/// The reason why libyaml stopped reading.
struct YAMLFailure {
  var problem: String
  var context: String
  /// The line on which the problem began; `nil` if libyaml did not report it.
  var contextLine: Int?
  var mark: YAMLEvent.Mark
}

enum YAMLEvents {
  /// Passes each event in the UTF-8 text `bytes` to `visit` until that function returns `false`.
  ///
  /// - Returns: the reason why libyaml stopped reading; `nil` if it reached the end of the text.
  static func visit(_ bytes: [UInt8], _ visit: (YAMLEvent) -> Bool) -> YAMLFailure? {
    let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    defer { parser.deallocate() }
    guard yaml_parser_initialize(parser) == 1 else { return outOfMemory }
    defer { yaml_parser_delete(parser) }
    return whole(bytes).withUnsafeBufferPointer { buffer in
      yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
      yaml_parser_set_input_string(parser, buffer.baseAddress, buffer.count)
      return drain(parser, visit)
    }
  }

  /// Returns the bytes with an additional line ending if the last line consists of blanks.
  ///
  /// Otherwise, libyaml would omit the last line of a string with preserved line breaks (yaml-test-suite L24T, JEF9).
  private static func whole(_ bytes: [UInt8]) -> [UInt8] {
    let last = bytes.reversed().prefix { $0 != 0x0A }
    return last.isEmpty || last.contains { $0 != 0x20 } ? bytes : bytes + [0x0A]
  }

  private static let outOfMemory = YAMLFailure(
    problem: "out of memory", context: "", contextLine: nil, mark: YAMLEvent.Mark(line: 1, column: 1))

  private static func drain(_ parser: UnsafeMutablePointer<yaml_parser_t>, _ visit: (YAMLEvent) -> Bool) -> YAMLFailure?
  {
    var raw = yaml_event_t()
    while true {
      guard yaml_parser_parse(parser, &raw) == 1 else { return failure(of: parser.pointee) }
      defer { yaml_event_delete(&raw) }
      let event = event(from: raw)
      let mayContinue = visit(event)
      if case .streamEnd = event.kind { return nil }
      if !mayContinue { return nil }
    }
  }

  private static func failure(of parser: yaml_parser_t) -> YAMLFailure {
    YAMLFailure(
      problem: parser.problem.map { String(cString: $0) } ?? "cannot be read",
      context: parser.context.map { String(cString: $0) } ?? "",
      contextLine: parser.context == nil ? nil : mark(parser.context_mark).line, mark: mark(parser.problem_mark))
  }

  private static func mark(_ mark: yaml_mark_t) -> YAMLEvent.Mark {
    YAMLEvent.Mark(line: Int(clamping: mark.line) + 1, column: Int(clamping: mark.column) + 1)
  }

  private static func event(from raw: yaml_event_t) -> YAMLEvent {
    var event = YAMLEvent(
      kind: .other, hasAnchor: false, hasTag: false, start: mark(raw.start_mark), end: mark(raw.end_mark))
    switch raw.type {
    case YAML_SCALAR_EVENT: fill(&event, scalar: raw)
    case YAML_SEQUENCE_START_EVENT:
      let start = raw.data.sequence_start
      (event.kind, event.hasAnchor, event.hasTag) = (.listStart, start.anchor != nil, start.tag != nil)
    case YAML_MAPPING_START_EVENT:
      let start = raw.data.mapping_start
      (event.kind, event.hasAnchor, event.hasTag) = (.mappingStart, start.anchor != nil, start.tag != nil)
    case YAML_SEQUENCE_END_EVENT: event.kind = .listEnd
    case YAML_MAPPING_END_EVENT: event.kind = .mappingEnd
    case YAML_ALIAS_EVENT: event.kind = .alias
    case YAML_DOCUMENT_START_EVENT:
      event.kind = .documentStart(hasTagDirectives: raw.data.document_start.tag_directives.start != nil)
    case YAML_DOCUMENT_END_EVENT: event.kind = .documentEnd
    case YAML_STREAM_END_EVENT: event.kind = .streamEnd
    default: break
    }
    return event
  }

  private static func fill(_ event: inout YAMLEvent, scalar raw: yaml_event_t) {
    let scalar = raw.data.scalar
    let text = String(
      decoding: UnsafeBufferPointer(start: scalar.value, count: Int(clamping: scalar.length)), as: UTF8.self)
    event.kind = .scalar(text, isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE)
    (event.hasAnchor, event.hasTag) = (scalar.anchor != nil, scalar.tag != nil)
  }
}
