/// Ranges of keys that a fit may look for without being told where: so wide that the log decides (Docs/CALIBRATION.md).
enum BuiltInRange {
  /// The word for it in `calibrate.fit`.
  static let word = "prior"

  /// The ends of paths, with their ranges.
  static let all: [(path: String, range: String)] = [
    ("unlocks_per_day.lognormal.median", "10..250"),
    ("unlocks_per_day.lognormal.sigma", "0.2..1.2"),
    ("day_variation", "1..20"),
    ("glances_per_unlock", "0.5..3"),
    ("home_visits", "0.3..4"),
    ("idle.after", "30min..6h"),
    ("idle.give_up", "1h..12h"),
    ("stale_view_grace", "2min..1h"),
    ("stale_view_reload.rare", "0%..100%"),
    ("stale_view_reload.frequent", "0%..100%"),
    ("budget.capacity", "20/day..100/day"),
  ]

  /// nil: none is known.
  static func of(_ path: String) -> String? {
    all.first { path == $0.path || path.hasSuffix("." + $0.path) }?.range
  }
}
