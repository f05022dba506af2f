import Scenario

extension String {
  /// The text without anything that a terminal would obey, and at most `longest` characters of it.
  func printable(longest: Int) -> String {
    let kept = unicodeScalars.prefix(longest).map { $0.isHidden ? "\\u{\(String($0.value, radix: 16))}" : String($0) }
    return kept.joined() + (unicodeScalars.count > longest ? "..." : "")
  }

  /// The text without anything that a terminal would obey.
  var printable: String { printable(longest: 400) }

  /// As a message quotes what the user wrote.
  var quoted: String { "'\(printable(longest: 60))'" }
}

extension Unicode.Scalar {
  /// As in U+202E.
  var codePointName: String {
    let digits = String(value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
