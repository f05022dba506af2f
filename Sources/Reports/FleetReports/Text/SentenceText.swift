import Scenario

extension Sequence where Element: Equatable {
  /// Each element where it comes first.
  var withoutRepetitions: [Element] { reduce(into: []) { seen, one in if !seen.contains(one) { seen.append(one) } } }
}

extension String {
  /// In single quotes of a shell: nothing in it is expanded.
  package var shellQuoted: String { "'" + replacing("'", with: "'\\''") + "'" }
}

extension [String] {
  /// `a`, `a and b`, `a, b and c`.
  var asList: String { count < 2 ? joined() : dropLast().joined(separator: ", ") + " and " + (last ?? "") }
}

extension String {
  /// With a capital letter, as a sentence begins, whatever name or number it begins with.
  var asSentence: String { prefix(1).uppercased() + dropFirst() }
}

/// A name with its middle left out where it takes more columns than there are.
func shortened(_ name: String, to columns: Int) -> String {
  let columns = max(columns, 8)
  guard name.displayWidth > columns else { return name }
  let half = (columns - 1) / 2
  return String(fitting(name, columns - 1 - half)) + "…" + String(fitting(name.reversed(), half).reversed())
}

/// As many characters as stand in `width` columns.
func fitting(_ text: some Sequence<Character>, _ width: Int) -> [Character] {
  var used = 0
  return Array(
    text.prefix { character in
      used += character.displayWidth
      return used <= width
    })
}
