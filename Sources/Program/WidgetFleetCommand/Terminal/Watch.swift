import FleetEngine
import Platform
import SimulationKernel
import Synchronization

/// A thread that displays progress and handles signals during a simulation. It ends the program if stopping takes too
/// long.
final class Watch: Sendable {
  private let control: RunControl
  private let patience = Patience()
  private let progress: Locked<Progress>
  /// A function that removes unfinished files, called if the process must exit immediately.
  private let abandon: @Sendable () -> Void
  /// A function that removes work not worth storing, and returns a sentence about the stored work.
  private let kept: @Sendable () -> String?
  /// The journal of the run, which is written at regular intervals.
  private let journal: RunJournal?
  /// The heartbeat that connects the ranks.
  private let pulse: Heartbeat?

  init(
    _ control: RunControl, _ progress: Progress, kept: @escaping @Sendable () -> String? = { nil },
    journal: RunJournal? = nil, pulse: Heartbeat? = nil, abandon: @escaping @Sendable () -> Void
  ) {
    self.kept = kept
    self.journal = journal
    self.pulse = pulse
    self.control = control
    self.progress = Locked(progress)
    self.abandon = abandon
    EarlyWatch.isOver.store(true, ordering: .relaxed)
  }

  /// Runs `work` while the watch is active.
  func during<Value>(_ work: () throws(Failure) -> Value) throws(Failure) -> Value {
    try beside { () throws(Failure) in try work() }
  }

  /// Runs work with a different error type while the watch is active.
  func beside<Value, Problem: Error>(_ work: () throws(Problem) -> Value) throws(Problem) -> Value {
    defer { hideProgress() }
    return try Monitor { self.look() }.during(work)
  }

  /// Increases the expected number of devices in a stage.
  func expect(more devices: Int, in stage: String = "") {
    progress.withLock { $0.expect(more: devices, in: stage) }
  }

  /// Displays a provisional answer above the progress display, replacing the previous one.
  func showProvisional(_ text: String) { progress.withLock { $0.showProvisional(text) } }

  /// Removes the progress display before other output is printed.
  func hideProgress() { progress.withLock { $0.finish() } }

  private func look() {
    if Interruption.isRequested {
      control.isCancelled.store(true, ordering: .relaxed)
      if patience.isOver(after: pulse == nil ? 1 : Patience.ofRanks) { leave() }
    }
    journal?.flush()
    let done = pulse?.devicesDone ?? control.devicesDone.load(ordering: .relaxed)
    let sentences = pulse?.writeBeat() ?? []
    progress.withLock { progress in
      for sentence in sentences { progress.say(sentence) }
      progress.show(done)
    }
  }

  private func leave() -> Never {
    hideProgress()
    abandon()
    let failure = Failure.stopped(signal: Interruption.signal.load(ordering: .relaxed), kept: kept())
    Console().error(failure.text)
    _exit(failure.exitCode.rawValue)
  }
}

/// A watch for the time before the simulation, while files are read and checked and runs are prepared. It ends the
/// command if stopping takes too long after a signal.
enum EarlyWatch {
  /// The claim on a results folder, which is released when the command ends.
  static let claim = Locked<UnfinishedFolder?>(nil)
  /// Whether a `Watch` has taken over from the early watch.
  static let isOver = Atomic<Bool>(false)

  static func during<Value, Problem: Error>(_ work: () throws(Problem) -> Value) throws(Problem) -> Value {
    let patience = Patience()
    return try Monitor {
      let times = Interruption.isOfRanks.load(ordering: .relaxed) ? Patience.ofRanks : 1
      guard Interruption.isRequested, !isOver.load(ordering: .relaxed), patience.isOver(after: times) else { return }
      claim.withLock { _ = $0?.release() }
      let failure = Failure.stopped(signal: Interruption.signal.load(ordering: .relaxed))
      Console().error(failure.text)
      _exit(failure.exitCode.rawValue)
    }.during(work)
  }
}

/// A timer for the time since a signal was first detected.
private final class Patience: Sendable {
  private let asked = Locked<Double?>(nil)

  /// The maximum number of seconds between a signal and the end of the program.
  private static let seconds = 1.5
  /// The multiple of `seconds` that applies to ranks, because they store their completed work first.
  static let ofRanks = 6.0

  /// - Parameter times: the waiting time as a multiple of `seconds`.
  func isOver(after times: Double = 1) -> Bool {
    let now = Progress.now()
    return asked.withLock { asked in
      asked = asked ?? now
      return now - (asked ?? now) > Self.seconds * times
    }
  }
}
