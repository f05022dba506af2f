import Platform

/// The processors that this process may use.
enum Processors {
  static var count: Int { Machine.usableProcessors }

  /// What each of so many ranks on this machine may use: those that its launcher bound it to, or its part of all.
  static func count(forRanks ranks: Int) -> Int {
    ranks == 1 ? count : min(count, max(1, Machine.processors / ranks))
  }
}
