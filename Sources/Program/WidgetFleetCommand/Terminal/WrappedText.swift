extension String {
  /// Returns the words in lines of at most `width` columns. A longer word is placed on a separate line.
  func wrapped(width: Int) -> [String] {
    var lines: [String] = []
    for word in split(separator: " ").map(String.init) {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(word)
      }
    }
    return lines
  }

  /// Returns the text wrapped to 80 columns, with each line indented.
  func paragraph(indent: Int) -> String {
    let blanks = String(repeating: " ", count: indent)
    return wrapped(width: 80 - indent).map { blanks + $0 + "\n" }.joined()
  }
}
