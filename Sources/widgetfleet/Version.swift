/// Version of the program; results name it.
enum Version {
  static let current = "0.2.0"
  /// As the manual page dates it.
  static let date = "November 22, 2026"
}
