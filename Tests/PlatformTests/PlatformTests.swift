import Foundation
import Platform
import Synchronization
import Testing

/// The system calls that other targets rely on, as implemented on each system.
@Suite struct PlatformTests {
  /// Runs a test with the descriptor of an empty folder, which is removed afterwards.
  private func inFolder(_ test: (_ folder: Int32) throws -> Void) throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "platform-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let folder = open(path, O_RDONLY | O_DIRECTORY)
    try #require(folder >= 0)
    defer { close(folder) }
    try test(folder)
  }

  private func write(_ text: String, _ name: String, in folder: Int32) {
    let file = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    _ = Array(text.utf8).withUnsafeBytes { Platform.write(file, $0.baseAddress, $0.count) }
    #expect(OpenFiles.syncData(file) == 0)
    close(file)
  }

  /// Returns the content of a file; `nil` if there is none.
  private func read(_ name: String, in folder: Int32) -> String? {
    let file = openat(folder, name, O_RDONLY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    OpenFiles.willBeReadInOrder(file)
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = bytes.withUnsafeMutableBytes { Platform.read(file, $0.baseAddress, $0.count) }
    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
  }

  @Test func moveDoesNotReplaceAnExistingName() throws {
    try inFolder { folder in
      write("one", "a", in: folder)
      write("two", "b", in: folder)
      #expect(Names.move("a", in: folder, to: "b", in: folder) == -1 && errno == EEXIST)
      #expect(read("a", in: folder) == "one" && read("b", in: folder) == "two")
      #expect(Names.move("a", in: folder, to: "c", in: folder) == 0)
      #expect(read("a", in: folder) == nil && read("c", in: folder) == "one")
    }
  }

  @Test func twoNamesAreExchanged() throws {
    try inFolder { folder in
      write("one", "a", in: folder)
      write("two", "b", in: folder)
      #expect(Names.exchange("a", "b", in: folder) == 0)
      #expect(read("a", in: folder) == "two" && read("b", in: folder) == "one")
      #expect(Names.exchange("a", "c", in: folder) == -1 && errno == ENOENT)
    }
  }

  /// The recursion is deeper than the 512 KiB stack of a thread on macOS allows.
  @Test func threadHasALargeStackAndIsJoined() throws {
    final class Result: Sendable { let sum = Atomic(0) }
    @Sendable func depth(_ left: Int) -> Int {
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 900) { room in
        room.initialize(repeating: 1)
        return left == 0 ? 0 : depth(left - 1) + Int(room[left % 900])
      }
    }
    let result = Result()
    let thread = try #require(SystemThread.begin { result.sum.store(depth(2_000), ordering: .releasing) })
    thread.join()
    #expect(result.sum.load(ordering: .acquiring) == 2_000)
  }

  /// A ring is kept for a single later waiter.
  @Test func ringWakesASingleWaiter() {
    let bell = Bell()
    bell.ring()
    let clock = ContinuousClock()
    #expect(clock.measure { bell.wait(milliseconds: 600_000) } < .seconds(500))
    #expect(clock.measure { bell.wait(milliseconds: 20) } >= .milliseconds(19))
  }

  @Test func machineMemoryIsPlausible() throws {
    #expect(1...Machine.processors ~= Machine.usableProcessors)
    #expect(try #require(Machine.memory) >= 1 << 26)
    #expect(Machine.addressSpace >= 1 << 26)
  }

  @Test func processStreamsAreRecognized() {
    #expect(Names.isStream("/dev/fd/1") && !Names.isStream("Reports/fd"))
  }
}
