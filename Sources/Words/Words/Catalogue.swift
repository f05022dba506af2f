/// An entry in the catalogue. It consists of a name as used in files, a short title, a meaning, and advice.
package struct Word: Hashable, Sendable {
  package var name: String
  /// The name that a table of contents uses; empty if there is none.
  package var short = ""
  /// A short title; empty if the name is sufficiently clear.
  package var title: String
  package var meaning = ""
  /// Advice for the user; empty if there is none.
  package var advice = ""

  fileprivate init(_ line: Substring) {
    let parts = line.split(separator: "|", maxSplits: 2).map(\.withoutBlanks)
    name = parts[0]
    short = parts.count > 2 ? parts[1] : ""
    title = parts.count > 1 ? parts[parts.count - 1] : ""
  }

  /// Reads a catalogue file. Each entry is a line `name | title`, followed by the indented meaning and then by the
  /// advice after `>`.
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

/// The files of the catalogue. Each of them contains every word of its kind exactly once.
package enum Catalogue: String, CaseIterable, Sendable {
  case metrics, causes, waits, failures, energy, statistics, labels, units, codes, defects, reasons, sections, glossary,
    scope

  /// The words in the file, in order.
  package var words: [Word] { Self.all[self] ?? [] }

  /// Returns the word with the given name. If the file does not contain the word, its meaning is empty.
  package subscript(name: String) -> Word { words.first { $0.name == name } ?? Word(name[...]) }

  private static let all = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0, Word.all(in: Words.text($0.rawValue + ".txt"))) })
}

extension StringProtocol {
  /// This text without spaces at its start and end.
  package var withoutBlanks: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
