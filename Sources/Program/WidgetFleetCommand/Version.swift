/// The version of the program, which is recorded in results.
enum Version {
  static let current = "0.2.0"
  /// The date of the manual page.
  static let date = "November 22, 2026"
}
