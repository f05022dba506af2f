/// Changes values in the text of a YAML file and nothing else: comments, order and blanks stay.
struct TextEditor {
  private let bytes: [UInt8]
  private let extents: TextExtents
  private var edits: [Edit] = []
  /// The end of a line as the file has it.
  private let lineEnd: String

  private struct Edit {
    var range: Range<Int>
    var text: String
  }

  /// The text that reads as `wanted` instead of `written`; nil when a place cannot be found.
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
    // From the end on, so that places before stay right; what is inserted at one place keeps its order.
    for (_, edit) in edits.enumerated().sorted(by: {
      ($0.element.range.lowerBound, $0.offset) > ($1.element.range.lowerBound, $1.offset)
    }) {
      text.replaceSubrange(edit.range, with: Array(edit.text.utf8))
    }
    return text
  }

  /// - Parameter key: of the mapping that holds the value.
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
    // A value in a block of its own moves up behind its key, and comments between the two go with it.
    guard let key, let name = extents.extent(ofKey: key),
      let colon = bytes[name.range.upperBound...].firstIndex(of: UInt8(ascii: ":"))
    else { return false }
    edits.append(Edit(range: colon + 1..<extent.range.upperBound, text: " " + new.writtenText))
    return true
  }

  /// Adds keys behind the last one of a mapping.
  private mutating func insert(_ added: [Node.Pair], into old: Node, _ pairs: [Node.Pair]) -> Bool {
    guard let extent = extents.extent(of: old) else { return false }
    let texts = added.map { "\($0.key.writtenKey): \($0.value.writtenText)" }
    guard extent.isBlock else {
      // Before the closing bracket, behind what stands before it.
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
  /// On one line, as YAML that reads as this node.
  fileprivate var writtenText: String {
    oneLine {
      $1 ? $0 : JSONText.quote($0)
    } key: {
      $0.writtenKey
    }
  }
}

extension String {
  /// As a key: in quotes unless it is a word.
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
