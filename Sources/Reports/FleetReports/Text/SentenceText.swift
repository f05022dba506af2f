import Scenario

extension Sequence where Element: Equatable {
  /// The elements without duplicates, in order of first occurrence.
  var withoutRepetitions: [Element] { reduce(into: []) { seen, one in if !seen.contains(one) { seen.append(one) } } }
}

extension String {
  /// The text in single quotes, which prevent a shell from expanding it.
  package var shellQuoted: String { "'" + replacing("'", with: "'\\''") + "'" }
}

extension [String] {
  /// The elements as a list, such as `a`, `a and b` or `a, b and c`.
  var asList: String { count < 2 ? joined() : dropLast().joined(separator: ", ") + " and " + (last ?? "") }
}

extension String {
  /// The text with an initial capital for the start of a sentence, even if it starts with a name or number.
  var asSentence: String { prefix(1).uppercased() + dropFirst() }
}

/// Returns a name, with its middle omitted if the name does not fit into the given number of columns.
func shortened(_ name: String, to columns: Int) -> String {
  let columns = max(columns, 8)
  guard name.displayWidth > columns else { return name }
  let half = (columns - 1) / 2
  return String(fitting(name, columns - 1 - half)) + "…" + String(fitting(name.reversed(), half).reversed())
}

/// Returns as many of the first characters as fit into `width` columns.
func fitting(_ text: some Sequence<Character>, _ width: Int) -> [Character] {
  var used = 0
  return Array(
    text.prefix { character in
      used += character.displayWidth
      return used <= width
    })
}

extension Kind {
  /// The age above which data of this kind is considered stale, such as `1 h (2 min in match)`; `nil` if there is no
  /// limit.
  var staleLimit: String? {
    let inWindows = windows.compactMap { window in
      window.staleAfter.map { "\(TimeText.span($0)) in \(window.name ?? "a window")" }
    }.uniqued.joined(separator: ", ")
    guard let staleAfter else { return inWindows.isEmpty ? nil : inWindows }
    return TimeText.span(staleAfter) + (inWindows.isEmpty ? "" : " (\(inWindows))")
  }
}
