import Platform

/// A new scenario file, saved from the page next to the old one.
enum SavedScenario {
  private static let maxLength = 100

  /// Writes the file; returns its path.
  ///
  /// - Parameter name: the file name without a folder.
  static func write(_ text: [UInt8], named name: String, besides path: String) throws(LiveProblem) -> String {
    guard isName(name) else {
      throw LiveProblem(text: "the name must end in .yaml and have only letters, digits, dots, hyphens and underscores")
    }
    let saved = folder(of: path) + name
    do throws(Failure) {
      let file = try StagedFile(for: saved)
      try file.append(text)
      try file.commit(replaces: false)
    } catch {
      throw LiveProblem(
        text: access(saved, F_OK) == 0 ? "\(name) exists; choose another name" : error.text.printable)
    }
    return saved
  }

  /// Returns an unused name: the old one followed by a number.
  static func suggestion(besides path: String) -> String {
    let file = path.split(separator: "/").last.map(String.init) ?? path
    let stem = file.hasSuffix(".yaml") ? String(file.dropLast(5)) : file
    let numbers = (2...99).lazy.map { "\(stem)-\($0).yaml" }
    return numbers.first { access(folder(of: path) + $0, F_OK) != 0 } ?? "\(stem)-new.yaml"
  }

  private static func folder(of path: String) -> String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "" }

  private static func isName(_ name: String) -> Bool {
    let isPlain = name.utf8.allSatisfy { plain.contains($0) }
    return isPlain && name.utf8.count <= maxLength && name.hasSuffix(".yaml") && !".-".contains(name.first ?? ".")
  }

  private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-".utf8)
}
