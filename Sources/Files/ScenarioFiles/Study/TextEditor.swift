/// An editor for YAML files that changes only values, and preserves comments, order and spacing.
struct TextEditor {
  private let bytes: [UInt8]
  private let extents: TextExtents
  private var edits: [Edit] = []
  /// The line ending of the file.
  private let lineEnd: String

  private struct Edit {
    var range: Range<Int>
    var text: String
  }

  /// Returns the text edited so that it is read as `wanted` instead of `written`; `nil` if a position is not found.
  static func text(_ bytes: [UInt8], _ written: Node, changedTo wanted: Node) -> [UInt8]? {
    guard let extents = TextExtents(of: bytes) else { return nil }
    var editor = TextEditor(bytes: bytes, extents: extents)
    guard editor.change(written, to: wanted) else { return nil }
    return editor.result
  }

  private init(bytes: [UInt8], extents: TextExtents) {
    self.bytes = bytes
    self.extents = extents
    lineEnd = bytes.firstIndex(of: 0x0A).map { $0 > 0 && bytes[$0 - 1] == 0x0D } == true ? "\r\n" : "\n"
  }

  private var result: [UInt8] {
    var text = bytes
    // Edits are applied from the end of the text so that earlier positions remain valid. Insertions at the same
    // position keep their order.
    for (_, edit) in edits.enumerated().sorted(by: {
      ($0.element.range.lowerBound, $0.offset) > ($1.element.range.lowerBound, $1.offset)
    }) {
      text.replaceSubrange(edit.range, with: Array(edit.text.utf8))
    }
    return text
  }

  /// Changes a value in the text.
  ///
  /// - Parameter key: the key of the value if the value belongs to a mapping.
  private mutating func change(_ old: Node, to new: Node, of key: Node.Pair? = nil) -> Bool {
    if old.means(new) { return true }
    switch (old.content, new.content) {
    case (.mapping(let pairs), .mapping(let wanted)) where pairs.allSatisfy { new[$0.key] != nil }:
      for pair in pairs {
        guard let value = new[pair.key], change(pair.value, to: value, of: pair) else { return false }
      }
      let added = wanted.filter { old[$0.key] == nil }
      return added.isEmpty || insert(added, into: old, pairs)
    case (.list(let items), .list(let wanted)) where items.count == wanted.count:
      for (item, value) in zip(items, wanted) { guard change(item, to: value) else { return false } }
      return true
    default: return replace(old, with: new, of: key)
    }
  }

  private mutating func replace(_ old: Node, with new: Node, of key: Node.Pair?) -> Bool {
    guard let extent = extents.extent(of: old) else { return false }
    guard extent.isBlock else {
      edits.append(Edit(range: extent.range, text: new.writtenText))
      return true
    }
    // The new value is placed on the line of its key. It replaces the old block and any comments between the key and
    // the block.
    guard let key, let name = extents.extent(ofKey: key),
      let colon = bytes[name.range.upperBound...].firstIndex(of: UInt8(ascii: ":"))
    else { return false }
    edits.append(Edit(range: colon + 1..<extent.range.upperBound, text: " " + new.writtenText))
    return true
  }

  /// Inserts new keys into a mapping, after its last key.
  private mutating func insert(_ added: [Node.Pair], into old: Node, _ pairs: [Node.Pair]) -> Bool {
    guard let extent = extents.extent(of: old) else { return false }
    let texts = added.map { "\($0.key.writtenKey): \($0.value.writtenText)" }
    guard extent.isBlock else {
      // New keys are inserted before the closing bracket and any spaces that precede it.
      var place = extent.range.upperBound - 1
      while place > 0, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place - 1]) { place -= 1 }
      let isOpen = bytes[place - 1] == UInt8(ascii: "{") || bytes[place - 1] == UInt8(ascii: ",")
      edits.append(
        Edit(range: place..<place, text: (isOpen ? "" : ", ") + texts.joined(separator: ", ")))
      return true
    }
    guard let first = pairs.first else { return false }
    let indent = String(repeating: " ", count: first.keySpan.column - 1)
    var place = extent.range.upperBound
    while place < bytes.count, bytes[place] != 0x0A { place += 1 }
    let hasEnd = place < bytes.count
    if hasEnd { place += 1 }
    let lines = texts.map { indent + $0 }
    let block = hasEnd ? lines.map { $0 + lineEnd }.joined() : lines.map { lineEnd + $0 }.joined()
    edits.append(Edit(range: place..<place, text: block))
    return true
  }
}

extension Node {
  /// The node as YAML on a single line.
  fileprivate var writtenText: String {
    oneLine {
      $1 ? $0 : JSONText.quote($0)
    } key: {
      $0.writtenKey
    }
  }
}

extension String {
  /// The string as a key, quoted unless it is a simple word.
  fileprivate var writtenKey: String {
    let isWord =
      !isEmpty
      && unicodeScalars.allSatisfy { scalar in
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar) || scalar == "_"
          || scalar == "-"
      }
    return isWord && first != "-" ? self : JSONText.quote(self)
  }
}

/// The byte ranges of all values in the text of a YAML file.
struct TextExtents {
  struct Extent {
    /// The byte range of the value, excluding trailing comments and spaces.
    var range: Range<Int>
    /// Whether the value is a mapping or a list in block style, that is, without brackets.
    var isBlock: Bool
  }

  /// The start position that identifies a value. A block starts at the same position as its first key.
  private struct Place: Hashable {
    var line: Int
    var column: Int
    var isScalar: Bool

    init(line: Int, column: Int, isScalar: Bool) { (self.line, self.column, self.isScalar) = (line, column, isScalar) }

    init(_ mark: YAMLEvent.Mark, isScalar: Bool) { self.init(line: mark.line, column: mark.column, isScalar: isScalar) }
  }

  private struct Open {
    var start: YAMLEvent.Mark
    /// The end of the content that has been read so far.
    var end: YAMLEvent.Mark
  }

  private var extents: [Place: Extent] = [:]

  /// Finds the ranges of all values; `nil` if the file is not valid YAML.
  init?(of bytes: [UInt8]) {
    var open: [Open] = []
    var found: [(Place, YAMLEvent.Mark, YAMLEvent.Mark, isBlock: Bool)] = []
    func close(_ end: YAMLEvent.Mark) { if !open.isEmpty { open[open.count - 1].end = end } }
    let source = SourceText(name: "", bytes: bytes)
    let failure = YAMLEvents.visit(bytes) { event in
      switch event.kind {
      case .scalar:
        found.append((Place(event.start, isScalar: true), event.start, event.end, isBlock: false))
        close(event.end)
      case .listStart, .mappingStart: open.append(Open(start: event.start, end: event.end))
      case .listEnd, .mappingEnd:
        guard let last = open.popLast() else { return false }
        // The end position of a block follows any comments after the block.
        let isBlock = !source.isBracket(at: last.start)
        let end = isBlock ? last.end : event.end
        found.append((Place(last.start, isScalar: false), last.start, end, isBlock))
        close(end)
      default: break
      }
      return true
    }
    guard failure == nil else { return nil }
    // Positions are in text order, so that the cursor passes through the text only once.
    let starts = source.bytes(at: found.map(\.1))
    let ends = source.bytes(at: found.map(\.2))
    for (index, value) in found.enumerated() where starts[index] <= ends[index] {
      extents[value.0] = Extent(range: starts[index]..<ends[index], isBlock: value.isBlock)
    }
  }

  func extent(ofKey pair: Node.Pair) -> Extent? {
    extents[Place(line: pair.keySpan.line, column: pair.keySpan.column, isScalar: true)]
  }

  func extent(of node: Node) -> Extent? {
    extents[Place(line: node.span.line, column: node.span.column, isScalar: node.text != nil)]
  }
}

extension SourceText {
  fileprivate func isBracket(at mark: YAMLEvent.Mark) -> Bool {
    var cursor = SourceCursor()
    cursor.move(line: mark.line, column: mark.column, in: bytes)
    return cursor.byte < bytes.count && (bytes[cursor.byte] == 0x7B || bytes[cursor.byte] == 0x5B)
  }

  /// Returns the byte offsets of positions in the text.
  fileprivate func bytes(at marks: [YAMLEvent.Mark]) -> [Int] {
    var cursor = SourceCursor()
    var places = Array(repeating: 0, count: marks.count)
    let order = marks.indices.sorted { (marks[$0].line, marks[$0].column) < (marks[$1].line, marks[$1].column) }
    for index in order {
      cursor.move(line: marks[index].line, column: marks[index].column, in: bytes)
      places[index] = cursor.byte
    }
    return places
  }
}

/// The difference between two versions of a file, in the format used by `patch` and `git apply`.
package enum UnifiedDiff {
  /// The number of unchanged lines included on each side of a change.
  private static let context = 3

  private struct Line {
    var sign: Character
    var bytes: ArraySlice<UInt8>
  }

  /// Returns the difference between two versions of a file.
  ///
  /// - Parameter name: the file name, which is used for both versions and by `patch -p0`.
  /// - Returns: the difference; empty if the versions are equal.
  package static func text(from old: [UInt8], to new: [UInt8], name: String) -> [UInt8] {
    let lines = lines(lines(of: old), lines(of: new))
    guard lines.contains(where: { $0.sign != " " }) else { return [] }
    // If the name contains spaces, a tab marks its end.
    let shown = name + (name.contains(" ") ? "\t" : "")
    var text = Array("--- \(shown)\n+++ \(shown)\n".utf8)
    for hunk in hunks(lines) { text += bytes(of: hunk, in: lines) }
    return text
  }

  /// Returns the lines of a text, including their line endings.
  private static func lines(of text: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = 0
    while start < text.count {
      let end = text[start...].firstIndex(of: 0x0A).map { $0 + 1 } ?? text.count
      lines.append(text[start..<end])
      start = end
    }
    return lines
  }

  /// Returns the lines of both versions in order, with removed lines preceding added lines.
  private static func lines(_ old: [ArraySlice<UInt8>], _ new: [ArraySlice<UInt8>]) -> [Line] {
    var (gone, came): (Set<Int>, Set<Int>) = ([], [])
    for change in new.difference(from: old) {
      switch change {
      case .remove(let offset, _, _): gone.insert(offset)
      case .insert(let offset, _, _): came.insert(offset)
      }
    }
    var lines: [Line] = []
    var (left, right) = (0, 0)
    while left < old.count || right < new.count {
      if gone.contains(left), left < old.count {
        lines.append(Line(sign: "-", bytes: old[left]))
        left += 1
      } else if came.contains(right), right < new.count {
        lines.append(Line(sign: "+", bytes: new[right]))
        right += 1
      } else {
        lines.append(Line(sign: " ", bytes: new[right]))
        (left, right) = (left + 1, right + 1)
      }
    }
    return lines
  }

  /// Returns the line ranges of changes with context; ranges that touch are merged.
  private static func hunks(_ lines: [Line]) -> [Range<Int>] {
    var hunks: [Range<Int>] = []
    for index in lines.indices where lines[index].sign != " " {
      let range = max(0, index - context)..<min(lines.count, index + context + 1)
      if let last = hunks.last, last.upperBound >= range.lowerBound {
        hunks[hunks.count - 1] = last.lowerBound..<range.upperBound
      } else {
        hunks.append(range)
      }
    }
    return hunks
  }

  private static func bytes(of hunk: Range<Int>, in lines: [Line]) -> [UInt8] {
    let before = lines[..<hunk.lowerBound]
    func place(_ other: Character) -> String {
      let count = lines[hunk].count { $0.sign != other }
      let start = before.count { $0.sign != other } + (count == 0 ? 0 : 1)
      return count == 1 ? "\(start)" : "\(start),\(count)"
    }
    var text = Array("@@ -\(place("+")) +\(place("-")) @@\n".utf8)
    for line in lines[hunk] {
      text += Array(String(line.sign).utf8) + line.bytes
      if line.bytes.last != 0x0A { text += Array("\n\\ No newline at end of file\n".utf8) }
    }
    return text
  }
}
