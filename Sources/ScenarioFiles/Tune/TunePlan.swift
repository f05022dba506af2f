package import Scenario

/// What the `tune` of a scenario file or of the command line asks for, read and checked.
package struct TunePlan: Sendable {
  package var objective: TuneObjective
  /// As written.
  package var objectiveText: String
  /// Those that must hold, in the order of the file.
  package var goals: [Goal]
  package var keys: [SearchKey]
  /// The scenario as it is.
  package var base: Scenario
  let root: Node
  let problems: ProblemList

  /// The values of the keys at some levels, as the file would have them.
  package func values(at levels: [Int]) -> [String] { zip(keys, levels).map { $0.text(at: $1) } }

  /// The scenario at some levels, or the reasons why there is none.
  package func scenario(at levels: [Int]) -> (scenario: Scenario?, diagnostics: [Diagnostic]) {
    var problems = problems
    let tree = tree(at: levels, root, &problems)
    let scenario = problems.isEmpty ? ScenarioReader.scenario(of: tree, problems: &problems) : nil
    return (scenario, problems.diagnostics)
  }

  private func tree(at levels: [Int], _ root: Node, _ problems: inout ProblemList) -> Node {
    zip(keys, levels).reduce(root) { tree, pair in
      SettingApplier.apply(pair.0.setting(at: pair.1), to: tree, problems: &problems)
    }
  }

  /// The text of the file with the values at some levels in it and all else as it was; nil when it cannot be written so
  /// that it reads as meant.
  ///
  /// - Parameter file: the bytes that were read.
  package func tunedText(of file: [UInt8], at levels: [Int]) -> [UInt8]? {
    TextEditor.text(of: file) { tree(at: levels, $0, &$1) }
  }
}

/// Settings written into the text of a file.
package enum SettingText {
  /// The text of a file with the values of settings in it and all else as it was; `nil` if it cannot be written so that
  /// it reads as meant.
  package static func text(of file: [UInt8], with settings: [SetArgument]) -> [UInt8]? {
    TextEditor.text(of: file) { root, problems in
      settings.reduce(root) { tree, argument in
        let source = problems.add(source: SourceText(name: argument.option, bytes: Array(argument.text.utf8)))
        return Setting.read(source: source, option: argument.option, problems: &problems)
          .map { SettingApplier.apply($0, to: tree, problems: &problems) } ?? tree
      }
    }
  }
}

extension TextEditor {
  /// The text of a file with a changed tree; `nil` if it cannot be written so that it reads as that.
  fileprivate static func text(
    of file: [UInt8], changed change: (Node, inout ProblemList) -> Node
  ) -> [UInt8]? {
    let bytes = TextCheck.withoutMark(file)
    let mark = Array(file.prefix(file.count - bytes.count))
    var problems = ProblemList(file: SourceText(name: "file", bytes: bytes))
    guard let written = TreeReader.read(source: 0, problems: &problems) else { return nil }
    let wanted = change(written, &problems)
    guard problems.isEmpty, let text = TextEditor.text(bytes, written, changedTo: wanted) else { return nil }
    // What comes out is read again: a file that would mean anything else is not written.
    var second = ProblemList(file: SourceText(name: "file", bytes: text))
    guard let tree = TreeReader.read(source: 0, problems: &second), second.isEmpty, tree.means(wanted) else {
      return nil
    }
    return mark + text
  }
}

extension Node {
  /// Whether two trees say the same, wherever it stands and in whatever order keys do.
  func means(_ other: Node) -> Bool {
    switch (content, other.content) {
    case (.scalar(let text, _), .scalar(let others, _)): return text == others
    case (.list(let items), .list(let others)):
      return items.count == others.count && zip(items, others).allSatisfy { $0.means($1) }
    case (.mapping(let pairs), .mapping(let others)):
      return pairs.count == others.count
        && pairs.allSatisfy { pair in other[pair.key].map { pair.value.means($0) } ?? false }
    default: return false
    }
  }
}
