extension Sequence where Element: Equatable {
  /// Each element where it comes first.
  var withoutRepetitions: [Element] { reduce(into: []) { seen, one in if !seen.contains(one) { seen.append(one) } } }
}

extension String {
  /// With a capital letter, as a sentence begins, whatever name or number it begins with.
  var asSentence: String { prefix(1).uppercased() + dropFirst() }
}
