/// A trajectory of conditions as CSV: a row for each spell of equal conditions, endpoint by endpoint.
///
/// Shares are written with as many digits as give back the same number. In a name everything but letters, digits,
/// `-`, `_` and `.` is written as in a URL, byte by byte. Without endpoints there is nothing to read back.
package struct ConditionsText {
  static let header =
    "endpoint,step_ms,from_ms,to_ms,miss_share,outage_share,limited_share,refused_share,wait_ms,last_wait_ms,"
    + "copy_share,cached_error_share"
  /// What stands for a wait without end.
  static let endless = "timeout"

  /// The text; its lines end with LF.
  package static func encode(_ trajectory: ConditionsTrajectory) -> [UInt8] {
    var text = header + "\n"
    let grid = trajectory.grid
    for (endpoint, name) in trajectory.endpoints.enumerated() {
      let spells = trajectory.spells(of: endpoint)
      for (index, spell) in spells.enumerated() {
        let next = index + 1 < spells.count ? spells[index + 1].firstStep : grid.count
        let from = grid.beginning(of: spell.firstStep).millisecondsSinceStart
        let to = grid.beginning(of: next).millisecondsSinceStart
        text += "\(encoded(name)),\(grid.length.milliseconds),\(from),\(to),\(encoded(spell.conditions))\n"
      }
    }
    return Array(text.utf8)
  }

  private static func encoded(_ conditions: Conditions) -> String {
    let shares = [conditions.misses, conditions.outage, conditions.limited, conditions.refused]
    let waits = [conditions.wait.first, conditions.wait.last].map {
      $0 == QueueWait.endless ? endless : String($0.milliseconds)
    }
    let edge = [conditions.copies, conditions.errors]
    return (shares.map(\.fraction.description) + waits + edge.map(\.fraction.description)).joined(separator: ",")
  }

  static func encoded(_ name: String) -> String {
    name.utf8.reduce(into: "") { text, byte in
      let character = Character(UnicodeScalar(byte))
      if character.isASCII, character.isLetter || character.isNumber || "-_.".contains(character) {
        text.append(character)
      } else {
        text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
  }

  /// The name that was encoded; nil where no name gives this text.
  static func decoded(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else { return nil }
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    guard let name = String(validating: bytes, as: UTF8.self), encoded(name) == text else { return nil }
    return name
  }

  /// The trajectory that a text tells.
  package static func decode(_ bytes: [UInt8]) throws(ConditionsTextError) -> ConditionsTrajectory {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ConditionsTextError(line: 1, problem: .notText)
    }
    // Scalars, since CR LF is one character.
    var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { Substring($0) }
    if lines.last == "" { lines.removeLast() }
    guard lines.first == Substring(header) else { throw ConditionsTextError(line: 1, problem: .header(header)) }
    var reader = ConditionsReader()
    for (index, line) in lines.enumerated().dropFirst() {
      do throws(ConditionsTextError.Problem) { try reader.read(line) } catch {
        throw ConditionsTextError(line: index + 1, problem: error)
      }
    }
    do throws(ConditionsTextError.Problem) { return try reader.trajectory() } catch {
      throw ConditionsTextError(line: lines.count, problem: error)
    }
  }
}
