extension String {
  /// With a capital letter, as a sentence begins, whatever name or number it begins with.
  var asSentence: String { prefix(1).uppercased() + dropFirst() }
}
