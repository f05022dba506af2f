/// Version of the program; results name it.
enum Version {
  static let current = "0.2.0"
  /// What `make run` builds on a fresh machine says so: it writes the same bytes, and takes longer for pages and studies.
  #if WIDGETFLEET_FIRST_LOOK
    static let build = " (a first look, in part not optimised)"
  #else
    static let build = ""
  #endif
  /// As the manual page dates it.
  static let date = "November 22, 2026"
}
