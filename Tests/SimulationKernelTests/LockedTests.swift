import SimulationKernel
import Testing

struct LockedTests {
  private struct Refused: Error {}

  /// Every addition counts, even if concurrent.
  @Test func concurrentAdditionsAllCount() async {
    let sum = SharedSum()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask { for number in 1...20_000 { sum.value.withLock { $0 += number } } }
      }
    }
    #expect(sum.value.withLock { $0 } == 4 * 20_000 * 20_001 / 2)
  }

  /// A call that throws leaves the value to the next.
  @Test func thrownErrorReleasesTheLock() {
    let guarded = Locked(1)
    #expect(throws: Refused.self) { try guarded.withLock { _ in throw Refused() } }
    #expect(guarded.withLock { $0 } == 1)
  }
}

private final class SharedSum: Sendable {
  let value = Locked(0)
}
