internal import Platform

/// The pattern of an nginx `log_format` or Apache `LogFormat`, which consists of variables separated by literals.
struct LogPattern: Equatable {
  struct Piece: Equatable {
    /// The literal text before the variable.
    var literal: [UInt8]
    /// The name of the variable in nginx.
    var name: String
  }

  var pieces: [Piece] = []
  /// The literal text after the last variable.
  var ending: [UInt8] = []

  /// The combined log format, which is the default of nginx. In Apache's notation, it is
  /// `%h %l %u %t \"%r\" %>s %b \"%{Referer}i\" \"%{User-agent}i\"`.
  static let combined = #"\#(common) "$http_referer" "$http_user_agent""#
  static let common = #"$remote_addr $ident $remote_user [$time_local] "$request" $status $body_bytes_sent"#
  static let combinedWithHost = "$server_name " + combined
  static let commonWithHost = "$server_name " + common

  /// The default formats of Envoy and of Istio; Istio's format adds details of the response.
  static let envoy =
    #"[$start_time] "$request" $status $flags $received $bytes_sent $duration_ms $upstream_ms "$forwarded" "#
    + #""$http_user_agent" "$request_id" "$authority" "$upstream""#
  static let istio =
    #"[$start_time] "$request" $status $flags $details $termination "$failure" $received $bytes_sent $duration_ms "#
    + #"$upstream_ms "$forwarded" "$http_user_agent" "$request_id" "$authority" "$upstream""#
  /// The HTTP log format of HAProxy. Its date is that of the request's first byte, and the last of its times is the
  /// total duration of the request.
  static let haproxy =
    "$haproxy_client:$haproxy_port [$accept_date] $frontend $backend $tr/$tw/$tc/$tq/$haproxy_total $status $bytes_sent "
    + #"$captured "$request""#
  static let haproxyInSyslog = "$syslog]: " + haproxy

  /// - Parameter text: nginx variables, or Apache directives if there is no nginx variable. A complete nginx directive
  ///   with its name and quotes is also accepted.
  init(_ text: String) throws(LogOptionProblem) {
    let text = Self.unquoted(text)
    if text.contains("$") { takeVariables(Array(text.utf8)) } else { takeDirectives(Array(text.utf8)) }
    guard !pieces.isEmpty else { throw .emptyPattern }
    for (before, piece) in zip(pieces, pieces.dropFirst()) where piece.literal.isEmpty {
      throw .noLiteralBetween(before.name, piece.name)
    }
  }

  /// Returns the pattern without a surrounding `log_format name escape=json '...' '...';` directive.
  private static func unquoted(_ text: String) -> String {
    let trimmed = text.trimmingSpaces
    guard trimmed.hasPrefix("log_format"), trimmed.contains("'") else { return text }
    let parts = trimmed.split(separator: "'", omittingEmptySubsequences: false)
    return parts.indices.filter { $0 % 2 == 1 }.map { String(parts[$0]) }.joined()
  }

  private mutating func takeVariables(_ text: [UInt8]) {
    var place = 0
    while place < text.count {
      if text[place] == UInt8(ascii: "\\"), place + 1 < text.count, text[place + 1] == UInt8(ascii: "t") {
        ending.append(0x09)
        place += 2
        continue
      }
      guard text[place] == UInt8(ascii: "$") else {
        ending.append(text[place])
        place += 1
        continue
      }
      let isBraced = place + 1 < text.count && text[place + 1] == UInt8(ascii: "{")
      let name = text[(place + (isBraced ? 2 : 1))...].prefix {
        Letters.isLetter($0) || Letters.isDigit($0) || $0 == UInt8(ascii: "_")
      }
      take(String(decoding: name, as: UTF8.self))
      place = name.endIndex + (isBraced ? 1 : 0)
    }
  }

  private mutating func take(_ name: String) {
    pieces.append(Piece(literal: ending, name: name))
    ending = []
  }

  private mutating func takeDirectives(_ text: [UInt8]) {
    var place = 0
    while place < text.count {
      if text[place] == UInt8(ascii: "\\"), place + 1 < text.count {
        ending.append(text[place + 1] == UInt8(ascii: "t") ? 0x09 : text[place + 1])
        place += 2
      } else if text[place] == UInt8(ascii: "%"), place + 1 < text.count {
        place = takeDirective(text, place + 1)
      } else {
        ending.append(text[place])
        place += 1
      }
    }
  }

  /// - Returns: the position after the directive.
  private mutating func takeDirective(_ text: [UInt8], _ start: Int) -> Int {
    var place = start
    // Modifiers are skipped. They select requests by status, or choose between the original and the final request.
    while place < text.count, "<>!,".utf8.contains(text[place]) || Letters.isDigit(text[place]) { place += 1 }
    var argument = ""
    if place < text.count, text[place] == UInt8(ascii: "{"), let end = text[place...].firstIndex(of: UInt8(ascii: "}"))
    {
      argument = String(decoding: text[(place + 1)..<end], as: UTF8.self)
      place = end + 1
    }
    guard place < text.count else { return place }
    let letter = text[place]
    if letter == UInt8(ascii: "%") {
      ending.append(letter)
    } else if letter == UInt8(ascii: "t"), argument.isEmpty {
      ending.append(UInt8(ascii: "["))
      take("start_time")
      ending.append(UInt8(ascii: "]"))
    } else {
      take(Self.variable(letter, argument))
    }
    return place + 1
  }

  /// Returns the nginx variable for an Apache directive.
  ///
  /// Source: Apache HTTP Server, mod_log_config.
  private static func variable(_ letter: UInt8, _ argument: String) -> String {
    switch Character(UnicodeScalar(letter)) {
    case "h", "a": "remote_addr"
    case "l": "ident"
    case "u": "remote_user"
    case "r": "request"
    case "s": "status"
    case "b", "B", "O": "body_bytes_sent"
    case "D": "duration_us"
    case "T": argument.isEmpty || argument == "s" ? "request_time" : "duration_" + argument
    case "U": "uri"
    case "q": "args"
    case "m": "request_method"
    case "v", "V": "server_name"
    case "L": "request_id"
    case "t": "start_time"
    case "i": "http_" + argument.lowercased().replacing("-", with: "_")
    case "C": "cookie_" + argument
    case "e" where argument == "UNIQUE_ID": "request_id"
    default: argument.isEmpty ? "apache_" + String(UnicodeScalar(letter)) : argument
    }
  }

  /// Whether a line that matches the pattern is a JSON object.
  var isJSON: Bool { pieces.first?.literal.first { !Letters.isSpace($0) } == UInt8(ascii: "{") }

  /// The keys of a JSON pattern, each with its variable.
  var keys: [(key: String, name: String)] {
    pieces.compactMap { piece in
      let parts = String(decoding: piece.literal, as: UTF8.self).split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count > 1, let quoted = parts.dropLast().last else { return nil }
      let words = quoted.split(separator: "\"", omittingEmptySubsequences: false)
      guard words.count >= 3 else { return nil }
      return (String(words[words.count - 2]), piece.name)
    }
  }
}

/// A parser for lines that match a `LogPattern`.
///
/// `@unchecked` is safe because the memory behind the pointers is written by `init` and does not change until `deinit`.
final class PatternLines: LineFormat, @unchecked Sendable {
  private struct Step: BitwiseCopyable {
    /// The literal that terminates the field, as an index into the bytes of all literals.
    var literal: Int
    var length: Int
    var isQuoted: Bool
    /// The first target of the field's value, as an index into the targets of all fields.
    var firstTarget: Int
    var endOfTargets: Int
  }

  private let steps: UnsafeMutableBufferPointer<Step>
  private let literals: UnsafeMutableBufferPointer<UInt8>
  private let targets: UnsafeMutableBufferPointer<FieldTarget>
  private let beginning: Int
  /// Whether a space and more fields may follow the last field of the pattern.
  private let allowsRest: Bool

  init(_ pattern: LogPattern, _ table: FieldTable, allowsRest: Bool) {
    var (bytes, steps, targets) = (pattern.pieces.first?.literal ?? [], [Step](), [FieldTarget]())
    beginning = bytes.count
    for (index, piece) in pattern.pieces.enumerated() {
      let isLast = index + 1 == pattern.pieces.count
      let literal = isLast ? pattern.ending : pattern.pieces[index + 1].literal
      let own = table.targets(of: piece.name)
      let isQuoted = piece.literal.last == UInt8(ascii: "\"") && literal.first == UInt8(ascii: "\"")
      steps.append(
        Step(
          literal: bytes.count, length: literal.count, isQuoted: isQuoted, firstTarget: targets.count,
          endOfTargets: targets.count + own.count))
      bytes += literal
      targets += own
    }
    self.steps = .allocate(copying: steps)
    literals = .allocate(copying: bytes)
    self.targets = .allocate(copying: targets)
    self.allowsRest = allowsRest
  }

  deinit {
    steps.deallocate()
    literals.deallocate()
    targets.deallocate()
  }

  @inline(__always) func fill(_ row: Row, _ line: Text) -> Rejection? {
    guard line.count >= beginning, hasLiteral(line, 0, beginning, at: 0) else { return .malformed }
    var place = beginning
    for index in 0..<steps.count {
      let step = steps[index]
      guard let end = end(of: step, line, from: place, isLast: index + 1 == steps.count) else { return .malformed }
      for target in step.firstTarget..<step.endOfTargets { row.set(targets[target], line.slice(place, end)) }
      place = end + step.length
    }
    guard place < line.count else { return nil }
    return allowsRest && line[place] == 0x20 ? nil : .malformed
  }

  @inline(__always) private func end(of step: Step, _ line: Text, from start: Int, isLast: Bool) -> Int? {
    guard step.length > 0 else {
      return isLast && allowsRest ? line.place(of: 0x20, from: start) ?? line.count : line.count
    }
    let first = literals[step.literal]
    var place = start
    while place <= line.count {
      guard let found = step.isQuoted ? Quotes.closing(line, from: place) : line.place(of: first, from: place)
      else { return nil }
      // In a list of values, each comma is followed by a space.
      let isInList = first == 0x20 && found > start && line[found - 1] == UInt8(ascii: ",")
      if !isInList, hasLiteral(line, step.literal, step.length, at: found) { return found }
      place = found + 1
    }
    return nil
  }

  @inline(__always) private func hasLiteral(_ line: Text, _ literal: Int, _ length: Int, at place: Int) -> Bool {
    guard place + length <= line.count else { return false }
    for index in 0..<length where literals[literal + index] != line[place + index] { return false }
    return true
  }
}

extension UnsafeMutableBufferPointer {
  static func allocate(copying elements: [Element]) -> Self {
    let buffer = Self.allocate(capacity: elements.count)
    _ = buffer.initialize(from: elements)
    return buffer
  }
}
