/// The difference of two texts as `patch` and `git apply` read it.
package enum UnifiedDiff {
  /// Lines around a change.
  private static let context = 3

  private struct Line {
    var sign: Character
    var bytes: ArraySlice<UInt8>
  }

  /// - Parameter name: of the file, for both sides; `patch -p0` looks for it.
  /// - Returns: nothing when the texts are the same.
  package static func text(from old: [UInt8], to new: [UInt8], name: String) -> [UInt8] {
    let lines = lines(lines(of: old), lines(of: new))
    guard lines.contains(where: { $0.sign != " " }) else { return [] }
    // A name with blanks ends at a tab.
    let shown = name + (name.contains(" ") ? "\t" : "")
    var text = Array("--- \(shown)\n+++ \(shown)\n".utf8)
    for hunk in hunks(lines) { text += bytes(of: hunk, in: lines) }
    return text
  }

  /// With their ends.
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

  /// All lines of both, those that are gone before those that came.
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

  /// Ranges of lines with their surroundings, those that touch as one.
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
