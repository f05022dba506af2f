/// The reason why a run store could not be written or read.
package enum StoreError: Error, Hashable, Sendable {
  /// A system error, identified by its `errno` value.
  case system(Int32)
  /// The file is corrupted or is not a store of this program; the value contains SQLite's message.
  case damaged(String)
}
