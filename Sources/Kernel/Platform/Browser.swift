/// The user's browser.
package enum Browser {
  #if os(Linux)
    private static let program = "xdg-open"
  #else
    private static let program = "open"
  #endif

  /// Opens an address; returns whether the system's program for this could be started.
  package static func open(_ address: String) -> Bool {
    var child = pid_t()
    var arguments = [strdup(program), strdup(address), nil]
    defer { for argument in arguments { free(argument) } }
    return posix_spawnp(&child, program, nil, nil, &arguments, environ) == 0
  }
}
