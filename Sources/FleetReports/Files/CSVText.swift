/// Text in CSV files that spreadsheets must not take for a formula.
enum CSVText {
  private static let starts: Set<Character> = ["=", "+", "-", "@", "\t", "\r", "\n", "\r\n", "＝", "＋", "－", "＠"]

  /// Led by an apostrophe where a spreadsheet would calculate; apostrophes before such a text get one more.
  static func guarded(_ text: String) -> String { isFormula(text) ? "'" + text : text }

  /// A text as a field of RFC 4180: guarded, and quoted where needed.
  static func field(_ text: String) -> [UInt8] {
    let safe = Array(guarded(text).utf8)
    let special: Set<UInt8> = [UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r")]
    guard safe.contains(where: special.contains) || safe.first == 0x20 || safe.last == 0x20 else { return safe }
    let quote = UInt8(ascii: "\"")
    return [quote] + safe.flatMap { $0 == quote ? [quote, quote] : [$0] } + [quote]
  }

  private static func isFormula(_ text: String) -> Bool { text.first { $0 != "'" }.map(starts.contains) ?? false }
}
