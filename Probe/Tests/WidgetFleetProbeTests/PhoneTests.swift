import Foundation
import Testing

@testable import WidgetFleetProbe

@Suite struct PhoneTests {
  @Test func aFileThatMayNotBeReadMeansLocked() {
    #expect(LockFile.isLocked(error: EPERM) == true)
    #expect(LockFile.isLocked(error: ENOENT) == nil && LockFile.isLocked(error: EIO) == nil)
  }

  /// The first call returns `nil` and creates the file.
  @Test func theLockFileIsMadeOnce() throws {
    let sample = try Sample()
    let file = LockFile(path: sample.folder.appendingPathComponent("lock").path)
    #expect(file.isLocked == nil)
    #expect(file.isLocked == false)
    #expect(try Data(contentsOf: URL(fileURLWithPath: file.path)).count == 1)
  }

  @Test func interfacesTellThePath() {
    #expect(ProbeRecord.Path(interfaces: ["lo0", "pdp_ip0", "en0"]) == .wifi)
    #expect(ProbeRecord.Path(interfaces: ["lo0", "pdp_ip0"]) == .cellular)
    #expect(ProbeRecord.Path(interfaces: ["lo0", "utun3"]) == .none)
    #expect(Interfaces.withAddress.contains("lo"))
  }

  @Test func clocksMoveForward() throws {
    let clocks = Clocks()
    let before = (clocks.wall(), clocks.continuous())
    usleep(3_000)
    let after = (clocks.wall(), clocks.continuous())
    #expect(after.1 - before.1 >= 2)
    #expect(abs(Double(after.0) / 1_000 - Date().timeIntervalSince1970) < 60)
    #expect(clocks.boot != 0 && clocks.boot == Clocks().boot)
  }
}
