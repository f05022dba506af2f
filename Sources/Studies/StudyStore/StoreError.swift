/// The reason why a run store could not be written or read.
package enum StoreError: Error, Hashable, Sendable {
  /// A system error with its number.
  case system(Int32)
  /// The file is not a store of this program, or is corrupted; contains SQLite's message.
  case damaged(String)
}
