internal import Platform
import Synchronization

/// The step that all threads work on: it is over when all of its parts are done, whichever threads did them.
///
/// Who comes late finds nothing left to do and goes on with the step that is open then: nobody waits for a thread that
/// has no processor, unless it has begun a part.
final class OpenStep: Sendable {
  /// After the last step.
  static let ended = Int.max

  private let number: Atomic<Int>
  /// Parts of the step that are not done.
  private let parts: Atomic<Int>
  /// Devices that have their turns in it, about.
  private let due = Atomic<Int>(Int.max)
  private let asleep = Atomic<Int>(0)
  private let awake = ConditionVariable()

  /// How often a thread looks whether another step is open before it goes to sleep: for some hundredths of a millisecond,
  /// for waking takes longer than most waits; not at all where another thread needs its processor.
  private let patience: Int
  /// Devices for which nobody is woken, or stays awake: a thread alone is through before another is there.
  private let (few, many): (Int, Int)
  /// Every so many steps all are woken, whatever there is to do: the machine may have become idle.
  private static let wakingInterval = 256

  /// - Parameters:
  ///   - first: the step that is open, with so many parts.
  ///   - ranks: on this machine, each with as many threads.
  ///   - sharesAll: whether threads share steps in which there is next to nothing to do, too.
  init(_ first: Int, parts: Int, threads: Int, ranks: Int, sharesAll: Bool) {
    number = Atomic(first)
    self.parts = Atomic(parts)
    patience = threads * ranks <= Machine.processors ? 30_000 : 0
    (few, many) = sharesAll ? (0, 0) : (8, 64)
  }

  /// Further parts of the open step, of which one at least is not done yet.
  func add(parts more: Int) { parts.add(more, ordering: .relaxed) }

  /// Parts of the open step are done.
  ///
  /// - Returns: whether all are; whoever is told so opens the next step.
  func finish(parts done: Int) -> Bool { parts.subtract(done, ordering: .acquiringAndReleasing).newValue == 0 }

  /// Opens a step.
  ///
  /// - Parameter due: devices that have their turns in it, about.
  func open(_ step: Int, parts: Int, due: Int) {
    self.parts.store(parts, ordering: .relaxed)
    self.due.store(due, ordering: .relaxed)
    number.store(step, ordering: .releasing)
    guard asleep.load(ordering: .relaxed) > 0, due >= many || step % Self.wakingInterval == 0 else { return }
    awake.broadcast()
  }

  /// No step follows.
  func end() {
    number.store(Self.ended, ordering: .releasing)
    awake.broadcast()
  }

  /// Waits until another step than one that a thread has taken part in is open.
  func next(after step: Int) -> Int {
    // Whoever sleeps is woken in the end: somebody is awake who has parts of a step, and ends them all.
    for _ in 0..<(due.load(ordering: .relaxed) < few ? 1 : max(patience, 1)) {
      let present = number.load(ordering: .acquiring)
      if present != step { return present }
    }
    asleep.add(1, ordering: .relaxed)
    awake.wait { number.load(ordering: .acquiring) != step }
    asleep.subtract(1, ordering: .relaxed)
    return number.load(ordering: .acquiring)
  }
}
