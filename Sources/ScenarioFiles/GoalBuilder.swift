import Scenario

/// `goals`: what the results must satisfy.
struct GoalBuilder: PartBuilder {
  let draft: Draft
  let clock: Clock

  /// The goals; those that problems have been found in are missing. Everything that labels name must be known already.
  func goals(_ fleet: Fleet, _ events: [Event]) -> [Goal] {
    let items = root.items("goals")
    refuseRepeatedNames(items, of: "goals", key: "id")
    let names = LabelNames(
      cohorts: fleet.cohorts.map(\.name), kinds: draft.kindNames, endpoints: draft.endpoints.map(\.name),
      events: events, clock: clock)
    return items.compactMap { goal($0, names) }
  }

  private func goal(_ section: Section, _ names: LabelNames) -> Goal? {
    guard !problems.isFull, let id = section.text("id"), let node = section.written("assert"), let text = node.text,
      !problems.complain(of: node.span)
    else { return nil }
    do {
      let assertion = try AssertionReader.read(text, names)
      return Goal(
        id: id, text: text, figure: assertion.figure, comparison: assertion.comparison, limit: assertion.limit,
        severity: section.word("severity") ?? .error)
    } catch {
      problems.add(error, at: node.span)
      return nil
    }
  }
}

extension Node {
  /// The place of some scalars of its text; the whole of a text that is not written as it reads.
  func span(of range: Range<Int>) -> Span {
    guard case .scalar(let text, let isPlain) = content else { return span }
    let count = text.unicodeScalars.count
    let quotes = isPlain ? 0 : 1
    guard span.length == count + 2 * quotes, !text.contains("\n") else { return span }
    let length = max(1, min(range.count, span.length - range.lowerBound - quotes))
    return Span(source: span.source, line: span.line, column: span.column + quotes + range.lowerBound, length: length)
  }
}
