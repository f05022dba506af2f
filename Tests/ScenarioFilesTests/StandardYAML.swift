import Foundation
import Scenario

@testable import ScenarioFiles

/// The meaning of a YAML text according to the standard, in the notation of the yaml-test-suite.
///
/// It includes constructs that scenarios must not have.
struct StandardYAML {
  /// The events, without documents, styles and anchors; empty for an empty text.
  private(set) var events: [String] = []
  private(set) var reasons: Set<Code> = []

  /// Reads the events of a file.
  ///
  /// - Parameter text: the events, one per line.
  init(events text: String, of file: Data) {
    var documents = 0
    var keys = KeyPlaces()
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
      let name = parts[0]
      let rest = (parts.count > 1 ? parts[1] : "").replacing(#/^(\{\}|\[\])( |$)/#, with: "")
      if name == "+DOC" { documents += 1 }
      if keys.take(name) { reasons.insert(.complexKey) }
      if name == "=ALI" || rest.hasPrefix("&") { reasons.insert(.anchor) }
      if rest.contains(#/^(&\S+ )?</#) { reasons.insert(.tag) }
      if ["+MAP", "-MAP", "+SEQ", "-SEQ"].contains(name) { events.append(name) }
      if name == "=VAL" { events.append("=VAL " + Self.unescaped(Self.value(of: rest))) }
      if rest.contains("\\b") { reasons.insert(.controlCharacter) }
    }
    if documents > 1 { reasons.insert(.secondDocument) }
    if String(decoding: file, as: UTF8.self).contains("%TAG") { reasons.insert(.tag) }
  }

  /// A tracker of which events are keys: in a mapping, every second node.
  private struct KeyPlaces {
    private var open: [(isMapping: Bool, count: Int)] = []

    /// Handles an event.
    ///
    /// - Returns: whether the event starts a list or mapping that is a key, or refers to one that may be.
    mutating func take(_ name: String) -> Bool {
      if name.hasPrefix("-") {
        _ = open.popLast()
        return false
      }
      guard ["=VAL", "=ALI", "+MAP", "+SEQ"].contains(name) else { return false }
      let isKey = open.last.map { $0.isMapping && $0.count % 2 == 0 } ?? false
      if !open.isEmpty { open[open.count - 1].count += 1 }
      if name.hasPrefix("+") { open.append((name == "+MAP", 0)) }
      return isKey && name != "=VAL"
    }
  }

  /// Returns the text after an anchor, a tag and the style indicator.
  private static func value(of rest: String) -> String {
    var left = Substring(rest)
    while left.hasPrefix("&") || left.hasPrefix("<") {
      left = left.firstIndex(of: " ").map { left[left.index(after: $0)...] } ?? ""
    }
    return String(left.dropFirst())
  }

  private static func unescaped(_ text: String) -> String {
    text.replacing(#/\\(.)/#) { ["n": "\n", "t": "\t", "r": "\r", "b": "\u{8}"][$0.1] ?? String($0.1) }
  }
}

extension StandardYAML {
  /// Returns this reader's result for a text: its tree, or why there is none.
  static func reading(of file: Data) -> (tree: Node?, codes: Set<Code>) {
    var problems = ProblemList(file: SourceText(name: "example", bytes: TextCheck.withoutMark(Array(file))))
    let tree = TreeReader.read(source: 0, problems: &problems)
    let codes = Set(problems.diagnostics.map(\.code))
    return (codes.isEmpty ? tree : nil, codes)
  }

  /// Returns this reader's tree in the same notation.
  static func events(of node: Node) -> [String] {
    switch node.content {
    case .scalar(let text, isPlain: _): ["=VAL " + text]
    case .list(let items): ["+SEQ"] + items.flatMap(events) + ["-SEQ"]
    case .mapping(let pairs): ["+MAP"] + pairs.flatMap { ["=VAL " + $0.key] + events(of: $0.value) } + ["-MAP"]
    case .refused: ["=ALI"]
    }
  }
}

/// A program installed on the system.
enum Tool {
  /// Returns a program's output; `nil` if it fails.
  static func output(_ words: String...) throws -> String? {
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? String(decoding: data, as: UTF8.self) : nil
  }
}
