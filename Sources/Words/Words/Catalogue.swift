/// A word of the catalogue: its name in files, a few words for a list, its meaning, and advice.
package struct Word: Hashable, Sendable {
  package var name: String
  /// A name for a table of contents; empty where there is none.
  package var short = ""
  /// Empty where the name is enough.
  package var title: String
  package var meaning = ""
  /// The advice; empty without any.
  package var advice = ""

  fileprivate init(_ line: Substring) {
    let parts = line.split(separator: "|", maxSplits: 2).map(\.withoutBlanks)
    name = parts[0]
    short = parts.count > 2 ? parts[1] : ""
    title = parts.count > 1 ? parts[parts.count - 1] : ""
  }

  /// Reads a file of the catalogue: a line `name | title`, then the indented meaning, and the advice after `>`.
  fileprivate static func all(in text: String) -> [Word] {
    text.split(separator: "\n").reduce(into: []) { words, line in
      guard line.hasPrefix("  ") else { return words.append(Word(line)) }
      let last = words.count - 1
      let text = line.withoutBlanks
      let isAdvice = text.hasPrefix(">") || !words[last].advice.isEmpty
      let part = isAdvice ? \Word.advice : \Word.meaning
      let added = text.hasPrefix(">") ? String(text.dropFirst(2)) : text
      words[last][keyPath: part] += (words[last][keyPath: part].isEmpty ? "" : " ") + added
    }
  }
}

/// The files of the catalogue; each has every word of its kind once.
package enum Catalogue: String, CaseIterable, Sendable {
  case metrics, causes, waits, failures, energy, statistics, labels, units, codes, defects, reasons, sections, glossary

  /// The words in the order of the file.
  package var words: [Word] { Self.all[self] ?? [] }

  /// Returns the word of a name, without a meaning where the file lacks it.
  package subscript(name: String) -> Word { words.first { $0.name == name } ?? Word(name[...]) }

  private static let all = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0, Word.all(in: Words.text($0.rawValue + ".txt"))) })
}

extension StringProtocol {
  /// This text without blanks around it.
  package var withoutBlanks: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
