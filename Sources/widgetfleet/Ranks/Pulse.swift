import FleetEngine
import Platform
import SimulationKernel
import Synchronization

/// Tells the other ranks twice a second that this one lives, in a file of the folder that all see, and hears the same of
/// them: how far they are, whether one was asked to stop, whether nothing moves any more.
///
/// No message of MPI is needed for it, and a rank that waits in one can be told from a rank that has gone.
final class Pulse: Sendable {
  private let control: RunControl
  private let ranks: Ranks
  /// Seconds without a sign of life after which this rank ends itself; 0: never.
  private let watchdog: Double
  private let state: Guarded<State>

  /// Seconds that `--watchdog` has where it is not given.
  static let patience = 120.0
  private static let gap = 0.5
  /// Times that a pulse of this process came around.
  static let looks = Atomic<Int>(0)

  private struct State {
    var folder: JournalFolder?
    /// Whether its file is made.
    var hasSpoken = false
    var own = PulseLine()
    /// At rank 0, by rank: what was heard last, and when that was new.
    var heard: [Heard] = []
    /// What moved at last, over all ranks as far as this one hears of them, and when.
    var moves = -1
    var lastMove = 0.0
    var lastBeat = 0.0
    var looks = 0
    var waits = 0
    /// Ranks that were named.
    var named: Set<Int> = []
  }

  private struct Heard {
    var line = PulseLine()
    var since = 0.0
  }

  init(_ control: RunControl, _ ranks: Ranks, watchdog: Double) {
    (self.control, self.ranks, self.watchdog) = (control, ranks, watchdog)
    state = Guarded(State())
  }

  /// From now on there is a folder that all see.
  func begin(in folder: JournalFolder) { state.withLock { $0.folder = folder } }

  /// Devices that all ranks have done.
  var devicesDone: Int {
    let own = control.devicesDone.load(ordering: .relaxed)
    guard ranks.isShared else { return own }
    return state.withLock { state in
      state.heard.isEmpty ? own * ranks.size : own + state.heard.dropFirst().reduce(0) { $0 + $1.line.done }
    }
  }

  /// Comes around every few hundredths of a second.
  ///
  /// - Returns: sentences on ranks that are silent or slow.
  func beat() -> [String] {
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
      // Whoever works moves, whether a step takes long or not.
      state.own.moves += isWaiting ? 0 : 1
      state.own.calls = calls
      state.own.isWaiting = isWaiting
      state.own.done = done
      state.own.waited = state.waits * 100 / max(state.looks, 1)
      state.own.stops = Interruption.isRequested
      if rank == 0 { hearAll(&state, now) } else { hearFirst(&state, now) }
      say(&state, rank)
      if isWaiting, watchdog > 0, now - state.lastMove > watchdog { Self.leave(rank, after: watchdog) }
      return rank == 0 ? sentences(&state, now) : []
    }
  }

  private func say(_ state: inout State, _ rank: Int) {
    guard let folder = state.folder else { return }
    folder.overwrite(Self.file(rank, folder), state.own.bytes, isNew: !state.hasSpoken)
    state.hasSpoken = true
  }

  private static func file(_ rank: Int, _ folder: JournalFolder) -> String {
    "\(rank).\(folder.token)\(ResultsLayout.pulseSuffix)"
  }

  private func heard(_ rank: Int, _ state: State) -> PulseLine? {
    guard let folder = state.folder, let bytes = try? folder.read(Self.file(rank, folder), atMost: PulseLine.length)
    else { return nil }
    return PulseLine(bytes)
  }

  /// Rank 0 hears every other rank, and passes on how much has moved.
  private func hearAll(_ state: inout State, _ now: Double) {
    // Without a folder nobody can be heard, nor called silent.
    guard state.folder != nil else { return move(&state, state.own.moves + state.own.calls, state.own.stops, now) }
    if state.heard.isEmpty { state.heard = Array(repeating: Heard(since: now), count: ranks.size) }
    var stops = state.own.stops
    for rank in 1..<ranks.size {
      guard let line = heard(rank, state) else { continue }
      if line != state.heard[rank].line { state.heard[rank] = Heard(line: line, since: now) }
      stops = stops || line.stops
    }
    state.own.stops = stops
    state.own.total = state.heard.dropFirst().reduce(state.own.moves + state.own.calls) {
      $0 + $1.line.moves + $1.line.calls
    }
    move(&state, state.own.total, stops, now)
  }

  /// The others hear rank 0.
  private func hearFirst(_ state: inout State, _ now: Double) {
    let line = heard(0, state)
    move(&state, (line?.total ?? 0) + state.own.moves + state.own.calls, line?.stops ?? false, now)
  }

  private func move(_ state: inout State, _ moves: Int, _ stops: Bool, _ now: Double) {
    if moves != state.moves { (state.moves, state.lastMove) = (moves, now) }
    if stops { control.isCancelled.store(true, ordering: .relaxed) }
  }

  /// Nothing moves any more: a rank or the network between them has gone.
  static func leave(_ rank: Int, after seconds: Double) -> Never {
    Console().error("error: rank \(rank) has heard nothing for \(Int(seconds.rounded())) s (--watchdog)\n")
    _exit(ExitCode.resumable.rawValue)
  }

  // MARK: Names of ranks

  /// Seconds of silence after which a rank is named.
  private static let silence = 10.0
  /// Seconds before a rank can be called slow.
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
    let most = ([state.own.waited] + state.heard.dropFirst().map(\.line.waited)).max() ?? 0
    let began = Double(state.looks) * Double(Companion.pauseMilliseconds) / 1_000
    let lines = [state.own] + state.heard.dropFirst().map(\.line)
    if began > Self.settling, let slow = lines.indices.min(by: { lines[$0].waited < lines[$1].waited }),
      most - lines[slow].waited > 25, state.named.insert(ranks.size + slow).inserted
    {
      sentences.append("rank \(slow) is slow: others wait for it \(most) % of their time")
    }
    return sentences
  }
}

/// What a rank says of itself, as a line of a fixed length.
struct PulseLine: Equatable {
  /// How often it was written: whoever lives counts on.
  var beats = 0
  /// Beats at which it did not wait for others, and calls of all ranks that are over.
  var moves = 0
  var calls = 0
  /// What moved at all ranks that rank 0 hears.
  var total = 0
  /// Devices that are done.
  var done = 0
  /// Share of its time that it waits, in per cent.
  var waited = 0
  var isWaiting = false
  /// Whether it was asked to stop.
  var stops = false

  static let length = 128

  var bytes: [UInt8] {
    let text = [beats, moves, calls, total, done, waited, isWaiting ? 1 : 0, stops ? 1 : 0].map(String.init)
      .joined(separator: " ")
    return Array((text + String(repeating: " ", count: max(Self.length - 1 - text.utf8.count, 0)) + "\n").utf8)
  }

  init() {}

  /// nil: not a line, or one that is just being written.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.length else { return nil }
    let numbers = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    guard numbers.count == 8 else { return nil }
    (beats, moves, calls, total) = (numbers[0], numbers[1], numbers[2], numbers[3])
    (done, waited, isWaiting, stops) = (numbers[4], numbers[5], numbers[6] == 1, numbers[7] == 1)
  }
}
