/// Who decides about a key, and so what a log may do to it.
package enum KeyOwner: String, CaseIterable, Sendable {
  /// The team's own code: compared with the log, and contradicted where it says otherwise.
  case team = "yours"
  /// How many phones there are, where, and with which system.
  case fleet
  /// What people do.
  case people
  /// What the system does, undocumented.
  case system
  /// What the backend does.
  case backend

  /// By the beginnings of paths; the first that fits.
  private static let table: [(beginning: String, owner: KeyOwner)] = [
    ("kinds.", .team), ("app.reloads", .team), ("app.", .people), ("os.", .system), ("backend.", .backend),
    ("events.", .team),
  ]
  /// By a part of paths below cohorts.
  private static let ofPeople = [".person", ".network", ".power"]

  package init(path: String) {
    if let known = Self.table.first(where: { path.hasPrefix($0.beginning) }) {
      self = path.contains(".taps") ? .people : known.owner
    } else {
      self = Self.ofPeople.contains(where: path.contains) ? .people : .fleet
    }
  }
}
