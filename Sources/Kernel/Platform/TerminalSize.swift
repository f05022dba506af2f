/// What a terminal says of itself.
package enum TerminalSize {
  /// Columns of the terminal that a descriptor is open to; nil: it is none, or does not say.
  package static func columns(of descriptor: CInt) -> Int? {
    guard isatty(descriptor) == 1 else { return nil }
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}
