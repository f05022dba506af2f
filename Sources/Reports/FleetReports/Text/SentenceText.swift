import Scenario

extension Sequence where Element: Equatable {
  /// Each element at its first place.
  var withoutRepetitions: [Element] { reduce(into: []) { seen, one in if !seen.contains(one) { seen.append(one) } } }
}

extension String {
  /// The text in single quotes of a shell, where nothing is expanded.
  package var shellQuoted: String { "'" + replacing("'", with: "'\\''") + "'" }
}

extension [String] {
  /// The list `a`, `a and b`, `a, b and c`.
  var asList: String { count < 2 ? joined() : dropLast().joined(separator: ", ") + " and " + (last ?? "") }
}

extension String {
  /// The text with a capital letter, as a sentence starts, even with a name or number.
  var asSentence: String { prefix(1).uppercased() + dropFirst() }
}

/// Returns a name without its middle if it needs more columns than there are.
func shortened(_ name: String, to columns: Int) -> String {
  let columns = max(columns, 8)
  guard name.displayWidth > columns else { return name }
  let half = (columns - 1) / 2
  return String(fitting(name, columns - 1 - half)) + "…" + String(fitting(name.reversed(), half).reversed())
}

/// Returns as many characters as fit into `width` columns.
func fitting(_ text: some Sequence<Character>, _ width: Int) -> [Character] {
  var used = 0
  return Array(
    text.prefix { character in
      used += character.displayWidth
      return used <= width
    })
}
