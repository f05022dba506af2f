/// A field whose values look as if they told who sends.
package struct IdentityCandidate: Hashable, Sendable {
  /// As `--id` takes it: `query.install`.
  package let field: String
  /// Lines that have it, and lines that were looked at.
  package let lines: Int
  package let looked: Int
  /// Values that differ.
  package let distinct: Int

  /// Whether some of its values come again: ids of requests never do.
  package var comesAgain: Bool { distinct < lines }
}
