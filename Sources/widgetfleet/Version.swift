/// The version of the program, which results contain.
enum Version {
  static let current = "0.2.0"
  /// The date on the manual page.
  static let date = "November 22, 2026"
}
