/// Of the program; results name it.
enum Version {
  static let current = "0.1.0"
}
