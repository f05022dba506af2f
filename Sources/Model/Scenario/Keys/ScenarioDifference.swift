/// A value that differs between two resolved scenarios, identified by its key path as used with `--set`.
package struct ScenarioDifference: Hashable, Sendable {
  package var path: String
  /// The value as JSON, except that strings are unquoted; `nil` if the scenario does not contain the key.
  package var base: String?
  package var new: String?

  package init(path: String, base: String?, new: String?) { (self.path, self.base, self.new) = (path, base, new) }
}
