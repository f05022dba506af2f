import Scenario

/// The keys that `--set` and its like can name in a scenario, for completion.
package enum ScenarioPaths {
  /// Sections that only their own commands read.
  private static let sectionsOfStudies: Set<String> = ["sweep", "tune", "calibrate"]

  /// Paths of keys that take a plain value, with the names of the file's own kinds, cohorts, endpoints and so on.
  ///
  /// - Parameter bytes: of a scenario file, right or wrong; of nothing the paths without names.
  package static func all(in bytes: [UInt8]) -> [String] {
    var problems = ProblemList(file: SourceText(name: "", bytes: TextCheck.withoutMark(bytes)), files: .none)
    var paths: [String] = []
    add(to: &paths, below: "", path: "", ScenarioReader.tree([], problems: &problems))
    return paths.filter(isPlain)
  }

  /// Whether a shell takes it as it is: shells expand what they complete.
  private static func isPlain(_ path: String) -> Bool {
    path.utf8.allSatisfy { plain.contains($0) }
  }

  private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_".utf8)

  private static func add(to paths: inout [String], below pattern: String, path: String, _ node: Node?) {
    for entry in KeyTable.standard.children(of: pattern) where !sectionsOfStudies.contains(entry.path) {
      for (name, child) in entry.name == "*" ? items(of: node) : [(entry.name, node?[entry.name])] {
        let full = path.isEmpty ? name : path + "." + name
        let hasOthers = !KeyTable.standard.children(of: entry.path).isEmpty
        if !hasOthers || entry.takesPlainValue { paths.append(full) }
        if hasOthers { add(to: &paths, below: entry.path, path: full, child) }
      }
    }
  }

  /// Items of a list by their names, or numbers from 0, and values of a mapping by their keys.
  private static func items(of node: Node?) -> [(String, Node?)] {
    if let items = node?.items {
      return items.enumerated().map { number, item in ((item["name"] ?? item["id"])?.text ?? String(number), item) }
    }
    return (node?.pairs ?? []).map { ($0.key, $0.value) }
  }
}

extension KeyEntry {
  /// Whether it may be something else than a mapping or a list of others.
  fileprivate var takesPlainValue: Bool { type.alternatives.contains { ![.mapping, .names, .list].contains($0) } }
}
