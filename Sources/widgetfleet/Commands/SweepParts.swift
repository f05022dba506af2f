import Studies
import StudyStore

/// The parts of a sweep, each there once and finished, from which the sweep is made.
struct SweepParts {
  /// By number.
  private let folders: [SweepPartFolder]

  /// - Throws: `Failure` that names the folder, or the numbers of the parts that are missing.
  init(_ paths: ArraySlice<String>, of task: SweepTask) throws(Failure) {
    var found: [Int: SweepPartFolder] = [:]
    var first: SweepPartFolder?
    for path in paths {
      let folder = try SweepPartFolder(path, of: task)
      let part = folder.part
      if let first, first.part.count != part.count {
        throw .unsuitableInput(
          path: path, reason: "is part \(part.text), but '\(first.path.printable)' is part \(first.part.text)")
      }
      if let other = found[part.number] {
        throw .unsuitableInput(path: path, reason: "is part \(part.text), as '\(other.path.printable)' is")
      }
      found[part.number] = folder
      first = first ?? folder
    }
    let count = first?.part.count ?? 0
    let missing = (1...max(count, 1)).filter { found[$0] == nil }
    guard missing.isEmpty else {
      let (noun, verb) = missing.count == 1 ? ("part", "is") : ("parts", "are")
      throw .usage(
        "\(noun) \(Self.list(missing)) of \(count) \(verb) missing", command: "sweep",
        hint: "simulate what is missing with --part \(missing[0])/\(count); --resume continues what was stopped")
    }
    folders = (1...max(count, 1)).compactMap { found[$0] }
  }

  var count: Int { folders.count }

  /// What was simulated of a setting, as the part has it that the setting belongs to.
  func summaries(of setting: Int, in task: SweepTask) throws(Failure) -> [Summary] {
    try folders[SweepPart.number(of: setting, count) - 1].summaries(of: task.runs(of: setting))
  }

  /// Numbers in words, those that follow each other in one: `4, 7 and 9 to 12`.
  static func list(_ numbers: [Int]) -> String {
    var spans: [ClosedRange<Int>] = []
    for number in numbers {
      if let last = spans.last, last.upperBound + 1 == number {
        spans[spans.count - 1] = last.lowerBound...number
      } else {
        spans.append(number...number)
      }
    }
    let words = spans.flatMap { span in
      span.count > 2 ? ["\(span.lowerBound) to \(span.upperBound)"] : span.map { String($0) }
    }
    guard let last = words.last, words.count > 1 else { return words.joined() }
    return words.dropLast().joined(separator: ", ") + " and " + last
  }
}
