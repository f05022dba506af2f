/// Why a file could not be read, or not to its end.
package enum LogProblem: Error, Hashable, Sendable {
  /// With the system's number of the error.
  case cannotOpen(Int32)
  case cannotRead(Int32)
  /// A device or a socket.
  case notAFile
  /// Compressed data that no compressor has written.
  case damaged
  /// It grows beyond all measure: see `LogOptions.Limits`.
  case expandsTooFar
  /// A frame of zstd that asks for more memory than 128 MiB.
  case windowTooLarge
  /// UTF-16 or UTF-32.
  case wideCharacters
  /// With what its first line looks like, digits and letters masked.
  case unknownFormat(looksLike: String)
  /// A table whose columns nothing names.
  case noColumns
  case tooManyRows
  case noMemory
}

/// How a file's bytes are packed.
package enum Compression: String, Sendable {
  case none, gzip, zstd
}

/// What is known of a file's bytes when they have been read.
package struct StreamFacts: Hashable, Sendable {
  package var compression = Compression.none
  /// Members of gzip or frames of zstd.
  package var members = 0
  /// Whether the last of them ends before its end.
  package var isTorn = false
  /// Bytes behind the last of them that are neither one nor zeros.
  package var garbage = 0
}
