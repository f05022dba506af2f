/// A value that two resolved scenarios do not share, by its key path as `--set` spells it.
package struct ScenarioDifference: Hashable, Sendable {
  package var path: String
  /// The value as JSON, a text without its quotes; `nil` if the scenario does not have the key.
  package var base: String?
  package var new: String?

  package init(path: String, base: String?, new: String?) { (self.path, self.base, self.new) = (path, base, new) }
}
