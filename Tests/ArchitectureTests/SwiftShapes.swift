import Foundation

/// The types and functions of Swift code in the formatter's layout.
struct SwiftShapes {
  struct Function: Equatable {
    var name: String
    var line: Int
    /// The parameter names used inside the body.
    var parameters: [Substring]
    var body: String

    /// Whether it is an initializer that stores its arguments: it sets at least as many properties as it has
    /// parameters.
    var isMemberwise: Bool {
      name == "init" && body.matches(of: #/\n *(?:self\.)?\w+ = /#).count >= parameters.count
    }
  }

  /// The number of lines of each top-level type and its extensions, by name.
  private(set) var typeLines: [String: Int] = [:]
  private(set) var functions: [Function] = []

  init(_ lines: [Substring]) {
    var index = 0
    while index < lines.count {
      let length = takeType(lines, at: index)
      index += max(length, 1)
    }
    for index in lines.indices { takeFunction(lines, at: index) }
  }

  /// - Returns: the number of lines of the type that starts here; 0 if none does.
  private mutating func takeType(_ lines: [Substring], at start: Int) -> Int {
    guard lines[start].first.map({ $0.isLetter || $0 == "@" }) ?? false else { return 0 }
    let head = /(?:@\w+(?:\([^)]*\))? |\w+ )*?(?:struct|class|enum|extension|protocol|actor) ([\w.]+)/
    guard let match = lines[start].prefixMatch(of: head) else { return 0 }
    let isOneLine = lines[start].hasSuffix("}")
    let end = isOneLine ? start : lines[start...].firstIndex(of: "}") ?? start
    typeLines[String(match.output.1), default: 0] += end - start + 1
    return end - start + 1
  }

  private mutating func takeFunction(_ lines: [Substring], at start: Int) {
    guard ["func ", "init", "subscript"].contains(where: { lines[start].range(of: $0) != nil }) else { return }
    let head = /( *)(?:@?\w+(?:\([\w\s:]*\))? )*(?:func (\S+?) ?|(init|subscript)\??)(?:<.*?>)?\(/
    guard let match = lines[start].prefixMatch(of: head) else { return }
    let text =
      lines[start].dropFirst(match.output.0.count) + "\n" + lines[(start + 1)...].prefix(20).joined(separator: "\n")
    guard let list = Self.upToClosing(text) else { return }
    let end = lines[start...].dropFirst().firstIndex { $0 == match.output.1 + "}" } ?? start
    functions.append(
      Function(
        name: String(match.output.2 ?? match.output.3 ?? ""), line: start + 1, parameters: Self.parameters(list),
        body: lines[start...end].joined(separator: "\n")))
  }

  /// Returns the text up to the parenthesis that closes the one just before it.
  private static func upToClosing(_ text: Substring) -> Substring? {
    var depth = 1
    for index in text.indices {
      if "([{".contains(text[index]) { depth += 1 }
      if ")]}".contains(text[index]) { depth -= 1 }
      if depth == 0 { return text[..<index] }
    }
    return nil
  }

  /// Returns the inner names in a parameter list.
  private static func parameters(_ list: Substring) -> [Substring] {
    var (depth, parts, last) = (0, [""], Character(" "))
    for character in list {
      if "([{<".contains(character) { depth += 1 }
      if ")]}>".contains(character), last != "-" { depth -= 1 }
      if character == ",", depth == 0 { parts.append("") } else { parts[parts.count - 1].append(character) }
      last = character
    }
    return parts.compactMap { part in
      part.split(separator: ":", maxSplits: 1).first?.split { $0.isWhitespace }.last.map { Substring($0) }
    }
  }
}
