/// Which devices are whose: each thread has ranges for itself, and some are shared by all.
struct WorkPartition {
  let threads: Int
  private let devices: Int

  /// Small, so that dealt out in turn each thread has some of every cohort.
  static let ranges = 64
  /// One of so many is shared: twice what one thread's devices need more than another's in most steps.
  private static let sharedEvery = 4

  /// Most threads that devices are dealt out to: each has at least one range for itself.
  static let mostThreads = ranges / 2

  init(devices: Int, threads: Int) {
    precondition((1...Self.mostThreads).contains(threads), "each thread has a range for itself")
    self.devices = devices
    self.threads = threads
  }

  /// The numbers of the ranges that all threads share; none on one thread.
  var shared: [Int] { threads == 1 ? [] : (0..<Self.ranges).filter(Self.isSharable) }

  /// The numbers of the ranges that a thread has for itself.
  func own(of thread: Int) -> [Int] {
    let own = (0..<Self.ranges).filter { threads == 1 || !Self.isSharable($0) }
    return stride(from: thread, to: own.count, by: threads).map { own[$0] }
  }

  /// The devices of a range.
  func devices(ofRange number: Int) -> Range<Int> {
    devices * number / Self.ranges..<devices * (number + 1) / Self.ranges
  }

  private static func isSharable(_ range: Int) -> Bool { range % sharedEvery == sharedEvery - 1 }
}
