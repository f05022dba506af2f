import Studies

/// A setting of a study as a change to a scenario, written either as command-line arguments or as keys of the scenario
/// file.
struct SettingPatch {
  /// The paths and values of the keys. Paths are in the form that `--set` accepts, values in the form that files use.
  let values: [(path: String, text: String)]

  init(_ study: SweepStudy, _ index: Int) {
    values = zip(study.keys, study.runs[index].values).map { (path: $0, text: $1.text) }
  }

  /// The change as arguments for a POSIX shell, such as `--set kinds.a.reload.after=1h --set 'kinds.a.jitter={uniform:
  /// 0s..5min}'`.
  var arguments: String {
    values.map { "--set " + Self.word($0.path + "=" + $0.text) }.joined(separator: " ")
  }

  /// The change as keys of a scenario file. It is `nil` if a path leads into a list or contains components that are not
  /// plain names.
  var yaml: String? {
    var lines: [String] = []
    var open: [Substring] = []
    for (path, text) in values.sorted(by: { $0.path < $1.path }) {
      let steps = path.split(separator: ".", omittingEmptySubsequences: false)
      guard steps.allSatisfy(Self.isName), !text.contains("\n") else { return nil }
      let parents = steps.dropLast()
      let shared = zip(open, parents).prefix { $0 == $1 }.count
      for (depth, step) in parents.enumerated().dropFirst(shared) { lines.append(Self.indented(depth, step + ":")) }
      lines.append(Self.indented(parents.count, (steps.last ?? "") + ": " + text))
      open = Array(parents)
    }
    return lines.joined(separator: "\n")
  }

  private static func indented(_ depth: Int, _ text: Substring) -> String {
    String(repeating: "  ", count: depth) + text
  }

  private static func isName(_ step: Substring) -> Bool {
    guard let first = step.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return false }
    return step.utf8.allSatisfy { isPlain($0) && $0 != UInt8(ascii: ".") }
  }

  /// Returns text as a shell word, quoted if it contains special characters.
  private static func word(_ text: String) -> String {
    let isSafe = text.utf8.allSatisfy { isPlain($0) || "=,:/%+".utf8.contains($0) }
    return isSafe ? text : "'" + text.replacing("'", with: "'\\''") + "'"
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  /// The text that users can copy: the arguments, followed by a folded block with the keys of the file.
  var markup: [Markup] {
    let file = yaml.map { [Markup.details("The same as scenario keys", [.code("Keys of the scenario file", $0)])] }
    return [.code("Arguments for this setting", arguments)] + (file ?? [])
  }
}
