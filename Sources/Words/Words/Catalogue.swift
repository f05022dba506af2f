/// An entry of the catalogue, with its name in files, a short title, its meaning, and advice.
package struct Word: Hashable, Sendable {
  package var name: String
  /// The name for a table of contents; empty if there is none.
  package var short = ""
  /// A short title; empty if the name is clear enough.
  package var title: String
  package var meaning = ""
  /// The advice; empty if there is none.
  package var advice = ""

  fileprivate init(_ line: Substring) {
    let parts = line.split(separator: "|", maxSplits: 2).map(\.withoutBlanks)
    name = parts[0]
    short = parts.count > 2 ? parts[1] : ""
    title = parts.count > 1 ? parts[parts.count - 1] : ""
  }

  /// Reads a catalogue file: lines of the form `name | title`, each followed by the indented meaning and then the
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

/// The files of the catalogue, each of which contains every word of its kind once.
package enum Catalogue: String, CaseIterable, Sendable {
  case metrics, causes, waits, failures, energy, statistics, labels, units, codes, defects, reasons, sections, glossary,
    scope

  /// The words, in file order.
  package var words: [Word] { Self.all[self] ?? [] }

  /// Returns the word with the given name, whose meaning is empty if the file lacks the word.
  package subscript(name: String) -> Word { words.first { $0.name == name } ?? Word(name[...]) }

  private static let all = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0, Word.all(in: Words.text($0.rawValue + ".txt"))) })
}

extension StringProtocol {
  /// This text without surrounding blanks.
  package var withoutBlanks: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
