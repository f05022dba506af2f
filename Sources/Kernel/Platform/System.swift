/// The system calls that Linux and macOS share; the other files in this folder wrap those that differ.
#if canImport(Darwin)
  @_exported public import Darwin
#else
  @_exported public import Glibc
#endif
