import Platform

/// The environment variables that the program uses.
struct Environment {
  var jobs: String?
  var seed: String?
  var out: String?
  var color: String?
  /// Whether the environment variable NO_COLOR is set and not empty (no-color.org).
  var refusesColor: Bool
  var isCI: Bool
  var isDumbTerminal: Bool

  /// The name of the environment variable that contains the random seed.
  static let seedName = "WIDGETFLEET_SEED"

  init() {
    jobs = Self.value("WIDGETFLEET_JOBS")
    seed = Self.value(Self.seedName)
    out = Self.value("WIDGETFLEET_OUT")
    color = Self.value("WIDGETFLEET_COLOR")
    refusesColor = Self.value("NO_COLOR") != nil
    isCI = Self.value("CI").map { $0 != "false" && $0 != "0" } ?? false
    isDumbTerminal = Self.value("TERM") == "dumb"
  }

  /// Returns the value of an environment variable; `nil` if it is unset or empty.
  static func value(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
