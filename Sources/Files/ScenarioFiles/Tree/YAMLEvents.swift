internal import CYAMLEvents

/// An event that a parser reports.
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

/// The reason why a parser stopped reading.
struct YAMLFailure {
  var problem: String
  var context: String
  /// The line on which the problem began; `nil` if the parser does not report this line.
  var contextLine: Int?
  var mark: YAMLEvent.Mark
}

enum YAMLEvents {
  /// Passes each event in the UTF-8 text `bytes` to `visit` until that function returns `false`.
  ///
  /// Programs that are not linked with libyaml read only values in brackets and quotes (`FlowEvents`).
  ///
  /// - Returns: the reason why the parser stopped reading; `nil` if it reached the end of the text.
  static func visit(_ bytes: [UInt8], _ visit: (YAMLEvent) -> Bool) -> YAMLFailure? {
    guard let read = wf_yaml_registered() else { return FlowEvents.visit(bytes, visit) }
    var failure = wf_yaml_failure()
    let isRead = withoutActuallyEscaping(visit) { visit in
      withUnsafePointer(to: visit) { visit in
        whole(bytes).withUnsafeBufferPointer { buffer in
          read(
            buffer.baseAddress, buffer.count, UnsafeMutableRawPointer(mutating: visit),
            { context, event in
              guard let visit = context?.assumingMemoryBound(to: ((YAMLEvent) -> Bool).self), let event else {
                return false
              }
              return visit.pointee(YAMLEvent(event.pointee))
            }, &failure)
        }
      }
    }
    return isRead ? nil : YAMLFailure(failure)
  }

  /// Returns the bytes with an additional line ending if the last line consists of blanks.
  ///
  /// Otherwise, libyaml would omit the last line of a string with preserved line breaks (yaml-test-suite L24T, JEF9).
  private static func whole(_ bytes: [UInt8]) -> [UInt8] {
    let last = bytes.reversed().prefix { $0 != 0x0A }
    return last.isEmpty || last.contains { $0 != 0x20 } ? bytes : bytes + [0x0A]
  }
}

extension YAMLEvent.Mark {
  /// Creates a mark from a line and a column that are counted from 0.
  fileprivate init(_ line: Int, _ column: Int) { self.init(line: line + 1, column: column + 1) }
}

extension YAMLFailure {
  fileprivate init(_ raw: wf_yaml_failure) {
    problem = raw.problem.map { String(cString: $0) } ?? "cannot be read"
    context = raw.context.map { String(cString: $0) } ?? ""
    contextLine = raw.context == nil ? nil : Int(clamping: raw.context_line) + 1
    mark = YAMLEvent.Mark(Int(clamping: raw.line), Int(clamping: raw.column))
  }
}

extension YAMLEvent {
  fileprivate init(_ raw: wf_yaml_event) {
    kind = Kind(raw)
    (hasAnchor, hasTag) = (raw.has_anchor, raw.has_tag)
    start = Mark(Int(clamping: raw.line), Int(clamping: raw.column))
    end = Mark(Int(clamping: raw.end_line), Int(clamping: raw.end_column))
  }
}

extension YAMLEvent.Kind {
  fileprivate init(_ raw: wf_yaml_event) {
    switch Int(raw.kind) {
    case wf_yaml_document_start: self = .documentStart(hasTagDirectives: raw.has_tag_directives)
    case wf_yaml_document_end: self = .documentEnd
    case wf_yaml_alias: self = .alias
    case wf_yaml_scalar:
      let text = String(decoding: UnsafeBufferPointer(start: raw.text, count: Int(clamping: raw.length)), as: UTF8.self)
      self = .scalar(text, isPlain: raw.is_plain)
    case wf_yaml_list_start: self = .listStart
    case wf_yaml_list_end: self = .listEnd
    case wf_yaml_mapping_start: self = .mappingStart
    case wf_yaml_mapping_end: self = .mappingEnd
    case wf_yaml_stream_end: self = .streamEnd
    default: self = .other
    }
  }
}
