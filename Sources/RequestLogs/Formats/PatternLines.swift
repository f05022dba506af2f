internal import Platform

/// Lines that a `LogPattern` has written.
///
/// Unchecked for its pointers alone: what they point to is written by init, and never again until deinit.
final class PatternLines: LineFormat, @unchecked Sendable {
  private struct Step: BitwiseCopyable {
    /// What ends the field, among the bytes of all literals.
    var literal: Int
    var length: Int
    var isQuoted: Bool
    /// Where its values go, among the targets of all fields.
    var firstTarget: Int
    var endOfTargets: Int
  }

  private let steps: UnsafeMutableBufferPointer<Step>
  private let literals: UnsafeMutableBufferPointer<UInt8>
  private let targets: UnsafeMutableBufferPointer<FieldTarget>
  private let beginning: Int
  /// Whether more fields may follow after a space.
  private let allowsRest: Bool

  init(_ pattern: LogPattern, _ table: FieldTable, allowsRest: Bool) {
    var (bytes, steps, targets) = (pattern.pieces.first?.literal ?? [], [Step](), [FieldTarget]())
    beginning = bytes.count
    for (index, piece) in pattern.pieces.enumerated() {
      let isLast = index + 1 == pattern.pieces.count
      let literal = isLast ? pattern.ending : pattern.pieces[index + 1].literal
      let own = table.targets(of: piece.name)
      let isQuoted = piece.literal.last == UInt8(ascii: "\"") && literal.first == UInt8(ascii: "\"")
      steps.append(
        Step(
          literal: bytes.count, length: literal.count, isQuoted: isQuoted, firstTarget: targets.count,
          endOfTargets: targets.count + own.count))
      bytes += literal
      targets += own
    }
    self.steps = .allocate(copying: steps)
    literals = .allocate(copying: bytes)
    self.targets = .allocate(copying: targets)
    self.allowsRest = allowsRest
  }

  deinit {
    steps.deallocate()
    literals.deallocate()
    targets.deallocate()
  }

  @inline(__always) func fill(_ row: Row, _ line: Text) -> Rejection? {
    guard line.count >= beginning, hasLiteral(line, 0, beginning, at: 0) else { return .malformed }
    var place = beginning
    for index in 0..<steps.count {
      let step = steps[index]
      guard let end = end(of: step, line, from: place, isLast: index + 1 == steps.count) else { return .malformed }
      for target in step.firstTarget..<step.endOfTargets { row.set(targets[target], line.slice(place, end)) }
      place = end + step.length
    }
    guard place < line.count else { return nil }
    return allowsRest && line[place] == 0x20 ? nil : .malformed
  }

  @inline(__always) private func end(of step: Step, _ line: Text, from start: Int, isLast: Bool) -> Int? {
    guard step.length > 0 else {
      return isLast && allowsRest ? line.place(of: 0x20, from: start) ?? line.count : line.count
    }
    let first = literals[step.literal]
    var place = start
    while place <= line.count {
      guard let found = step.isQuoted ? Quotes.closing(line, from: place) : line.place(of: first, from: place)
      else { return nil }
      // Lists have a space after their commas.
      let isInList = first == 0x20 && found > start && line[found - 1] == UInt8(ascii: ",")
      if !isInList, hasLiteral(line, step.literal, step.length, at: found) { return found }
      place = found + 1
    }
    return nil
  }

  @inline(__always) private func hasLiteral(_ line: Text, _ literal: Int, _ length: Int, at place: Int) -> Bool {
    guard place + length <= line.count else { return false }
    for index in 0..<length where literals[literal + index] != line[place + index] { return false }
    return true
  }
}

extension UnsafeMutableBufferPointer {
  static func allocate(copying elements: [Element]) -> Self {
    let buffer = Self.allocate(capacity: elements.count)
    _ = buffer.initialize(from: elements)
    return buffer
  }
}
