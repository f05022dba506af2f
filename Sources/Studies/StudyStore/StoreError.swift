/// Why a store of runs could not be written or read.
package enum StoreError: Error, Hashable, Sendable {
  /// The system would not: its error number.
  case system(Int32)
  /// It is no store of ours, or no longer: in SQLite's words.
  case damaged(String)
}
