/// One `--set PATH=VALUE`.
package struct SetArgument: Hashable, Sendable {
  /// As given on the command line, without the flag.
  package var text: String

  package init(_ text: String) { self.text = text }
}
