package enum TerminalSize {
  /// Returns the number of columns of the terminal that a descriptor refers to; `nil` if it is not a terminal or
  /// reports no size.
  package static func columns(of descriptor: CInt) -> Int? {
    guard isatty(descriptor) == 1 else { return nil }
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}
