/// The calls of the system: all that Linux and macOS have alike. What differs has a name of its own in this folder.
#if canImport(Darwin)
  @_exported public import Darwin
#else
  @_exported public import Glibc
#endif
