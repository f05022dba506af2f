import FleetEngine
import Platform
import SimulationKernel
import Synchronization

/// A heartbeat that a rank sends to the other ranks twice a second through a file in a shared folder.
///
/// With each heartbeat, a rank also reads the progress of other ranks, their requests to stop, and whether any of them
/// is active. Heartbeats do not use MPI messages, so a rank that waits for a message can be distinguished from a dead
/// one.
final class Heartbeat: Sendable {
  private let control: RunControl
  private let ranks: Ranks
  /// The number of seconds without activity on any rank after which a waiting rank exits; 0 means never.
  private let watchdog: Double
  private let state: Locked<State>

  /// The default value of `--watchdog`, in seconds.
  static let patience = 120.0
  private static let gap = 0.5
  /// The number of times that this process has checked whether a heartbeat is due.
  static let looks = Atomic<Int>(0)

  private struct State {
    var folder: JournalFolder?
    /// Whether the heartbeat file of this rank exists.
    var hasFile = false
    var own = HeartbeatLine()
    /// The latest line from each rank as read by rank 0, and the time at which it last changed.
    var heard: [RankLine] = []
    /// The latest activity count of all visible ranks, and the time at which it last changed.
    var moves = -1
    var lastMove = 0.0
    var lastBeat = 0.0
    var looks = 0
    var waits = 0
    /// The ranks that have already been reported.
    var named: Set<Int> = []
  }

  private struct RankLine {
    var line = HeartbeatLine()
    var since = 0.0
  }

  init(_ control: RunControl, _ ranks: Ranks, watchdog: Double) {
    (self.control, self.ranks, self.watchdog) = (control, ranks, watchdog)
    state = Locked(State())
  }

  /// Starts using a folder that all ranks can access.
  func begin(in folder: JournalFolder) { state.withLock { $0.folder = folder } }

  /// The number of devices completed by all ranks.
  var devicesDone: Int {
    let own = control.devicesDone.load(ordering: .relaxed)
    guard ranks.isShared else { return own }
    return state.withLock { state in
      state.heard.isEmpty ? own * ranks.size : own + state.heard.dropFirst().reduce(0) { $0 + $1.line.done }
    }
  }

  /// Sends a heartbeat if one is due. This function is called every few hundredths of a second.
  ///
  /// - Returns: sentences about silent or slow ranks.
  func writeBeat() -> [String] {
    guard let mpi = ranks.mpi else { return [] }
    Self.looks.add(1, ordering: .relaxed)
    let now = Progress.now()
    let isWaiting = mpi.isWaiting.load(ordering: .relaxed)
    let calls = mpi.calls.load(ordering: .relaxed)
    let done = control.devicesDone.load(ordering: .relaxed)
    let rank = mpi.rank
    return state.withLock { state in
      state.looks += 1
      state.waits += isWaiting ? 1 : 0
      guard now - state.lastBeat >= Self.gap else { return [] }
      state.lastBeat = now
      state.own.beats += 1
      // A working rank is considered active, no matter how long a step takes.
      state.own.moves += isWaiting ? 0 : 1
      state.own.calls = calls
      state.own.isWaiting = isWaiting
      state.own.done = done
      state.own.waited = state.waits * 100 / max(state.looks, 1)
      state.own.stops = Interruption.isRequested
      if rank == 0 { readAllRanks(&state, now) } else { readRankZero(&state, now) }
      say(&state, rank)
      if isWaiting, watchdog > 0, now - state.lastMove > watchdog { Self.leave(rank, after: watchdog) }
      return rank == 0 ? sentences(&state, now) : []
    }
  }

  private func say(_ state: inout State, _ rank: Int) {
    guard let folder = state.folder else { return }
    folder.overwrite(Self.file(rank, folder), state.own.bytes, isNew: !state.hasFile)
    state.hasFile = true
  }

  private static func file(_ rank: Int, _ folder: JournalFolder) -> String {
    "\(rank).\(folder.token)\(ResultsLayout.pulseSuffix)"
  }

  private func heard(_ rank: Int, _ state: State) -> HeartbeatLine? {
    guard let folder = state.folder, let bytes = try? folder.read(Self.file(rank, folder), atMost: HeartbeatLine.length)
    else { return nil }
    return HeartbeatLine(bytes)
  }

  /// Reads the lines of all other ranks and publishes the total activity count. It is called only on rank 0.
  private func readAllRanks(_ state: inout State, _ now: Double) {
    // Without a folder, other ranks are not visible and cannot be considered silent.
    guard state.folder != nil else { return move(&state, state.own.moves + state.own.calls, state.own.stops, now) }
    if state.heard.isEmpty { state.heard = Array(repeating: RankLine(since: now), count: ranks.size) }
    var stops = state.own.stops
    for rank in 1..<ranks.size {
      guard let line = heard(rank, state) else { continue }
      if line != state.heard[rank].line { state.heard[rank] = RankLine(line: line, since: now) }
      stops = stops || line.stops
    }
    state.own.stops = stops
    state.own.total = state.heard.dropFirst().reduce(state.own.moves + state.own.calls) {
      $0 + $1.line.moves + $1.line.calls
    }
    move(&state, state.own.total, stops, now)
  }

  /// Reads the line of rank 0. It is called only on the other ranks.
  private func readRankZero(_ state: inout State, _ now: Double) {
    let line = heard(0, state)
    move(&state, (line?.total ?? 0) + state.own.moves + state.own.calls, line?.stops ?? false, now)
  }

  private func move(_ state: inout State, _ moves: Int, _ stops: Bool, _ now: Double) {
    if moves != state.moves { (state.moves, state.lastMove) = (moves, now) }
    if stops { control.isCancelled.store(true, ordering: .relaxed) }
  }

  /// Ends the process because no rank has been active for some time, which indicates that a rank or the network has
  /// failed.
  static func leave(_ rank: Int, after seconds: Double) -> Never {
    Console().error("error: rank \(rank) has heard nothing for \(Int(seconds.rounded())) s (--watchdog)\n")
    _exit(ExitCode.resumable.rawValue)
  }

  // MARK: Reports on ranks

  /// The number of seconds without a new heartbeat after which a rank is reported as silent.
  private static let silence = 10.0
  /// The minimum number of seconds before a rank can be reported as slow.
  private static let settling = 30.0

  private func sentences(_ state: inout State, _ now: Double) -> [String] {
    var sentences: [String] = []
    for rank in 1..<max(state.heard.count, 1) {
      let heard = state.heard[rank]
      if now - heard.since > Self.silence {
        if state.named.insert(rank).inserted {
          sentences.append("rank \(rank) has been silent for \(Int(now - heard.since)) s")
        }
      } else {
        state.named.remove(rank)
      }
    }
    let maximum = ([state.own.waited] + state.heard.dropFirst().map(\.line.waited)).max() ?? 0
    let began = Double(state.looks) * Double(Monitor.pauseMilliseconds) / 1_000
    let lines = [state.own] + state.heard.dropFirst().map(\.line)
    if began > Self.settling, let slow = lines.indices.min(by: { lines[$0].waited < lines[$1].waited }),
      maximum - lines[slow].waited > 25, state.named.insert(ranks.size + slow).inserted
    {
      sentences.append("rank \(slow) is slow: the others spend \(maximum) % of their time waiting for it")
    }
    return sentences
  }
}

/// The state of a rank, encoded as a line of fixed length.
struct HeartbeatLine: Equatable {
  /// The number of times that the line has been written, which increases as long as the rank is alive.
  var beats = 0
  /// The number of heartbeats at which the rank was not waiting, and the number of completed collective calls.
  var moves = 0
  var calls = 0
  /// The total activity count of all ranks, as published by rank 0.
  var total = 0
  /// The number of devices completed by the rank.
  var done = 0
  /// The percentage of time that the rank has spent waiting.
  var waited = 0
  var isWaiting = false
  /// Whether the rank has requested a stop.
  var stops = false

  static let length = 128

  var bytes: [UInt8] {
    let text = [beats, moves, calls, total, done, waited, isWaiting ? 1 : 0, stops ? 1 : 0].map(String.init)
      .joined(separator: " ")
    return Array((text + String(repeating: " ", count: max(Self.length - 1 - text.utf8.count, 0)) + "\n").utf8)
  }

  init() {}

  /// Parses a line; returns `nil` if it contains other bytes or is incomplete.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.length else { return nil }
    let numbers = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    guard numbers.count == 8 else { return nil }
    (beats, moves, calls, total) = (numbers[0], numbers[1], numbers[2], numbers[3])
    (done, waited, isWaiting, stops) = (numbers[4], numbers[5], numbers[6] == 1, numbers[7] == 1)
  }
}
