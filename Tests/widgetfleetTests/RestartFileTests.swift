import Foundation
import Testing

@testable import WidgetFleetCommand

/// Restart files: a truncated one keeps its first part, a modified one is refused.
struct RestartFileTests {
  private static let steps: [[Int64]] = (0..<20).map { [$0, 1_000_000_007 * $0, Int64.max - $0] }

  private static var log: (bytes: [UInt8], head: Int) {
    var log = StepLog(of: "name", endpoints: 3)
    let head = log.fresh.count
    for step in steps { step.withUnsafeBufferPointer { log.add($0) } }
    return (log.takeFresh(), head)
  }

  @Test func truncatedStepFileKeepsItsWholeSteps() throws {
    let (bytes, head) = Self.log
    for length in 0...bytes.count {
      let read = try StepLog.read(Array(bytes[..<length]), of: "name")
      guard length >= head else {
        #expect(read == nil)
        continue
      }
      // A step has three numbers of eight bytes each and a seal of eight.
      let whole = (length - head) / 32
      #expect(read?.arrivals == Array(Self.steps[..<whole].joined()))
      #expect(read?.length == head + whole * 32)
    }
  }

  @Test func stepLogContinuesWhereItEnded() throws {
    let (bytes, head) = Self.log
    var (log, arrivals, length) = try #require(try StepLog.read(Array(bytes[..<(head + 7 * 32 + 5)]), of: "name"))
    #expect(arrivals.count == 21)
    for step in Self.steps[7...] { step.withUnsafeBufferPointer { log.add($0) } }
    #expect(Array(bytes[..<length]) + log.takeFresh() == bytes)
  }

  @Test func everyChangedByteIsDetected() {
    let (bytes, _) = Self.log
    for place in bytes.indices {
      var changed = bytes
      changed[place] ^= 4
      #expect(throws: SealError.self, "byte \(place)") { try StepLog.read(changed, of: "name") }
    }
    #expect(throws: SealError.self) { try StepLog.read(bytes, of: "other") }
  }

  @Test func incompleteSealedBytesAreRefused() throws {
    let content = Array("what is kept".utf8)
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let number = open(path, O_RDWR | O_CREAT, 0o600)
    let file = FileInMaking(Descriptor(number: number))
    SealedBytes.write(as: "sums x", to: file) { append in
      append(Array(content[..<4]))
      append(Array(content[4...]))
    }
    close(number)
    #expect(file.status == 0)
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    #expect(try SealedBytes.opened(bytes, as: "sums x") == content)
    #expect(throws: SealError.self) { try SealedBytes.opened(bytes, as: "sums y") }
    for place in bytes.indices {
      var changed = bytes
      changed[place] ^= 1
      #expect(throws: SealError.self, "byte \(place)") { try SealedBytes.opened(changed, as: "sums x") }
      #expect(throws: SealError.self) { try SealedBytes.opened(Array(bytes[..<place]), as: "sums x") }
    }
  }

  @Test func pulseLinesRoundTrip() throws {
    var line = HeartbeatLine()
    (line.beats, line.moves, line.calls, line.total, line.done, line.waited) = (7, 1, 22, 333, 4_444, 55)
    (line.isWaiting, line.stops) = (true, true)
    #expect(line.bytes.count == HeartbeatLine.length)
    #expect(HeartbeatLine(line.bytes) == line)
    #expect(HeartbeatLine(Array(line.bytes.dropLast())) == nil)
    #expect(HeartbeatLine(Array(repeating: UInt8(ascii: " "), count: HeartbeatLine.length)) == nil)
  }

  /// Launchers are recognized by their environment variables.
  @Test func launchersAreDetectedFromTheEnvironment() {
    func launch(_ environment: [String: String]) -> Launch { Launch { environment[$0] } }
    #expect(launch([:]).size == 1)
    let open = launch([
      "OMPI_COMM_WORLD_SIZE": "4", "OMPI_COMM_WORLD_RANK": "3", "OMPI_COMM_WORLD_LOCAL_SIZE": "2", "PMI_SIZE": "9",
    ])
    #expect(open.family == .openMPI && open.size == 4 && open.rank == 3 && open.localSize == 2)
    let hydra = launch(["PMI_SIZE": "2", "PMI_RANK": "1", "MPI_LOCALNRANKS": "2"])
    #expect(hydra.family == .mpich && hydra.size == 2 && hydra.rank == 1 && hydra.localSize == 2)
    let slurm = launch([
      "SLURM_STEP_NUM_TASKS": "5", "PMIX_RANK": "4", "SLURM_PROCID": "4", "SLURM_TASKS_PER_NODE": "1,2(x2)",
    ])
    #expect(slurm.family == .openMPI && slurm.size == 5 && slurm.rank == 4 && slurm.localSize == 2)
    #expect(launch(["SLURM_STEP_NUM_TASKS": "5", "SLURM_PROCID": "1"]).family == .unrelated)
    #expect(launch(["SLURM_STEP_NUM_TASKS": "1", "SLURM_PROCID": "0"]).size == 1)
    #expect(launch(["WIDGETFLEET_MPI_LIB": "/x.so", "PMI_SIZE": "2"]).libraries == ["/x.so"])
  }

  /// From its first second, a rank that has not joined the others is waiting; with a watchdog of 0 it waits forever.
  @Test func rankWaitsAtMostAsLongAsItsWatchdog() {
    let watch = RankWatch(rank: 0, watchdog: 3)
    #expect(!watch.isOver(at: 100) && !watch.isOver(at: 102.9) && watch.isOver(at: 103.1))
    let patient = RankWatch(rank: 0, watchdog: 0)
    #expect(!patient.isOver(at: 100) && !patient.isOver(at: 1e9))
  }
}
