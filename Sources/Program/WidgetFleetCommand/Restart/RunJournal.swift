import FleetEngine
import FleetReports
import Platform
import Scenario
import SimulationKernel
import Synchronization

/// The journal of a run on one rank, stored as files in a folder next to the results.
///
/// `N.steps` contains the arrivals in each step of replication N and is written by rank 0. `N.T-R.shards` contains the
/// sums of the shards that rank R simulated in attempt T. `N.sums` contains the sums of a complete replication. A run
/// shorter than a second leaves no files.
final class RunJournal: Journal {
  private let rank: Int
  private let attempt: Int
  private let folder: JournalPlaceholder
  private let state: Locked<State>
  private let problem = Locked<JournalError?>(nil)
  private let hasFailed = Atomic(false)
  /// The time in milliseconds by which shards must be stored next.
  private let due = Atomic<Int>(.max)
  /// The file that contains the steps, protected by a lock.
  private let writing = Locked<Descriptor?>(nil)

  /// The state of the current replication.
  private struct State {
    var name: ReplicationName?
    var key = ""
    var began = 0.0
    var log: StepLog?
    /// The size of the file in bytes, up to the end of the last complete step.
    var length = 0
    var lastFlush = 0.0
  }

  /// The minimum amount of work worth storing, in seconds: in total, and per byte. The latter is ten times as long as
  /// it takes to write a byte.
  private static let minimum = 0.1
  private static let secondsPerByte = 5e-8
  /// The number of seconds before steps are first written, and between two writes.
  private static let patience = 1.0
  /// The minimum and maximum number of seconds between two writes of shards. Writing takes up 2 % of the time, but
  /// happens at least once a minute.
  private static let (shortest, longest) = (0.25, 60.0)
  private static let costs = 50.0

  init(in folder: JournalPlaceholder, attempt: Int, rank: Int) {
    (self.folder, self.attempt, self.rank) = (folder, attempt, rank)
    state = Locked(State())
  }

  convenience init(following folder: JournalFolder, attempt: Int, rank: Int) {
    self.init(in: JournalPlaceholder(folder), attempt: attempt, rank: rank)
  }

  var failure: JournalError? { hasFailed.load(ordering: .relaxed) ? problem.withLock { $0 } : nil }

  /// Whether any stored work can be resumed.
  var hasKept: Bool { folder.opened?.names.contains(where: ResultsLayout.isKeptWork) ?? false }
  /// Stops storing work.
  func giveUp() { folder.giveUp() }
  /// The folder of the journal; `nil` if it does not exist yet.
  var place: JournalFolder? { folder.opened }

  /// Performs an operation that may fail, and records the first failure.
  private func attempt(_ work: () throws(JournalError) -> Void) {
    do { try work() } catch {
      problem.withLock { $0 = $0 ?? error }
      hasFailed.store(true, ordering: .relaxed)
    }
  }

  // MARK: The journal of earlier attempts

  func past(of replication: ReplicationName) throws(JournalError) -> Past {
    let key = Self.key(of: replication)
    state.withLock { $0 = State(name: replication, key: key) }
    var past = Past()
    guard let folder = folder.opened else { return past }
    if let bytes = try folder.read(Self.sums(key)) {
      past.whole = try Self.part(try Self.opened(bytes, "sums \(key)", folder), folder, beside: [])
    }
    for name in folder.names.sorted() where name.hasPrefix(key + ".") && name.hasSuffix(Self.shards) {
      guard past.whole == nil, let bytes = try folder.read(name) else { continue }
      let content = try Self.opened(bytes, "shards \(key)", folder)
      past.parts.append(try Self.part(content, folder, beside: past.parts))
    }
    if let bytes = try folder.read(Self.steps(key)) {
      let read: (log: StepLog, arrivals: [Int64], length: Int)?
      do { read = try StepLog.read(bytes, of: key) } catch { throw Self.damaged(folder) }
      if let read {
        past.arrivals = read.arrivals
        state.withLock { ($0.log, $0.length) = (read.log, read.length) }
      }
    }
    return past
  }

  private static func part(
    _ content: [UInt8], _ folder: JournalFolder, beside others: [SavedPart]
  ) throws(JournalError) -> SavedPart {
    guard let part = try? SavedPart(content), others.allSatisfy({ $0.shards.isDisjoint(with: part.shards) }) else {
      throw damaged(folder)
    }
    return part
  }

  private static func opened(
    _ bytes: [UInt8], _ what: String, _ folder: JournalFolder
  ) throws(JournalError) -> [UInt8] {
    do { return try SealedBytes.opened(bytes, as: what) } catch { throw damaged(folder) }
  }

  private static func damaged(_ folder: JournalFolder) -> JournalError {
    JournalError(
      "'\(folder.path.printable)' cannot be resumed: it is damaged; without --resume, a new run replaces it",
      isUnsuitable: true)
  }

  // MARK: File names

  private static func key(of replication: ReplicationName) -> String {
    String(SHA256.hexadecimal(of: replication.scenario).prefix(24)) + "-\(replication.replication + 1)"
      + (replication.keepsRows ? "" : "-short")
  }

  private static let shards = ".shards"
  private static func steps(_ key: String) -> String { key + ".steps" }
  private static func sums(_ key: String) -> String { key + ".sums" }

  /// Returns the number of the next attempt, based on the file names of earlier attempts.
  static func nextAttempt(_ names: [String]) -> Int {
    let attempts = names.filter { $0.hasSuffix(shards) }.compactMap { name in
      name.split(separator: ".").dropFirst().first?.split(separator: "-").first.flatMap { Int($0) }
    }
    return (attempts.max() ?? 0) + 1
  }

  // MARK: The journal of this attempt

  func begin(_ replication: ReplicationName) {
    flush(isLate: true)
    closeSteps()
    let now = Progress.now()
    state.withLock { state in
      if state.name != replication { state = State(name: replication, key: Self.key(of: replication)) }
      (state.began, state.lastFlush) = (now, now)
    }
    due.store(Int((now + Self.patience) * 1_000), ordering: .relaxed)
  }

  func keep(step arrivals: UnsafeBufferPointer<Int64>) {
    state.withLock { state in
      if state.log == nil { state.log = StepLog(of: state.key, endpoints: arrivals.count) }
      state.log?.add(arrivals)
    }
  }

  var isDue: Bool { Int(Progress.now() * 1_000) >= due.load(ordering: .relaxed) && !folder.isOff }

  func keep(_ part: SavedPart) {
    let began = Progress.now()
    let key = state.withLock { $0.key }
    attempt { () throws(JournalError) in
      guard let folder = try folder.open() else { return }
      try Self.write(part, to: "\(key).\(attempt)-\(rank)\(Self.shards)", as: "shards \(key)", in: folder)
    }
    let now = Progress.now()
    let pause = min(max((now - began) * Self.costs, Self.shortest), Self.longest)
    due.store(Int((now + pause) * 1_000), ordering: .relaxed)
  }

  private static func write(
    _ part: SavedPart, to name: String, as what: String, in folder: JournalFolder
  ) throws(JournalError) {
    try folder.replace(name) { file in SealedBytes.write(as: what, to: file) { append in part.write(append) } }
  }

  func finish(bytes: Int, _ whole: () -> SavedPart) {
    let (key, began) = state.withLock { ($0.key, $0.began) }
    let worth = max(Self.minimum, Double(bytes) * Self.secondsPerByte)
    guard Progress.now() - began > worth, !folder.isOff else { return }
    flush(isLate: true, opens: true)
    guard failure == nil else { return }
    attempt { () throws(JournalError) in
      guard let folder = try folder.open() else { return }
      try Self.write(whole(), to: Self.sums(key), as: "sums \(key)", in: folder)
      for name in folder.names where name.hasPrefix(key + ".") && name.hasSuffix(Self.shards) { folder.remove(name) }
    }
  }

  /// Writes new steps to the file, at most once a second.
  ///
  /// - Parameters:
  /// - isLate: whether to write immediately, even within a second of the last write.
  /// - opens: whether to create the folder if it is missing.
  func flush(isLate: Bool = false, opens: Bool = false) {
    let now = Progress.now()
    writing.withLock { file in
      let (key, fresh, length) = state.withLock { state -> (String, [UInt8], Int) in
        let isTime = isLate && (opens || folder.opened != nil) || now - state.lastFlush >= Self.patience
        guard isTime, state.log?.fresh.isEmpty == false else { return ("", [], 0) }
        state.lastFlush = now
        let fresh = state.log?.takeFresh() ?? []
        defer { state.length += fresh.count }
        return (state.key, fresh, state.length)
      }
      guard !fresh.isEmpty, !folder.isOff else { return }
      attempt { () throws(JournalError) in
        guard let folder = try folder.open() else { return }
        if file == nil { file = try folder.appending(Self.steps(key), length: length) }
        if let file { try folder.append(fresh, to: file, Self.steps(key)) }
      }
    }
  }

  private func closeSteps() {
    writing.withLock { file in
      file?.close()
      file = nil
    }
  }
}

/// A journal folder that is created as soon as there is work to store.
final class JournalPlaceholder: Sendable {
  private let folder: Locked<JournalFolder?>
  private let isGivenUp = Atomic(false)
  private let begin: @Sendable () throws(JournalError) -> JournalFolder?

  /// - Parameter begin: a function that writes the identity of the journal, or returns `nil` if nothing will be stored.
  init(_ folder: JournalFolder?, begin: @escaping @Sendable () throws(JournalError) -> JournalFolder? = { nil }) {
    self.folder = Locked(folder)
    self.begin = begin
  }

  /// The folder of the journal; `nil` if it does not exist yet.
  var opened: JournalFolder? { folder.withLock { $0 } }

  /// Whether storing work has been disabled.
  var isOff: Bool { isGivenUp.load(ordering: .relaxed) }

  /// Prevents the folder from being created.
  func giveUp() { isGivenUp.store(true, ordering: .relaxed) }

  func open() throws(JournalError) -> JournalFolder? {
    try folder.withLock { folder throws(JournalError) in
      if folder == nil, !isOff {
        folder = try begin()
        if folder == nil { isGivenUp.store(true, ordering: .relaxed) }
      }
      return folder
    }
  }
}

/// The work of a run that is stored for a later attempt, which consists of the journal and the locked folder.
struct RunCheckpoint: Sendable {
  let journal: RunJournal
  private let folder: UnfinishedFolder

  /// Stops storing work and returns a sentence about the stored work. If there is none, removes the folder and returns
  /// `nil`.
  ///
  /// Some threads may still be running; anything they write from now on is ignored.
  func settled() -> String? {
    journal.giveUp()
    // Threads may still be writing a file, which either becomes stored work or is removed with the folder.
    for _ in 0..<100 {
      if journal.hasKept { return "completed work is kept for --resume" }
      if folder.release() { return nil }
      usleep(2_000)
    }
    return nil
  }

  /// Returns the heartbeat that connects the ranks; `nil` if there is only one rank.
  func pulse(_ control: RunControl, _ settings: Settings) -> Heartbeat? {
    guard settings.ranks.isShared else { return nil }
    let pulse = Heartbeat(control, settings.ranks, watchdog: settings.watchdog)
    if let folder = journal.place { pulse.begin(in: folder) }
    return pulse
  }

  /// Opens the journal of an earlier attempt or starts a new one.
  ///
  /// - Throws: `Failure` if the existing journal is in use, or is for a different scenario, seed or version.
  init(_ scenario: Scenario, _ claim: UnfinishedFolder, _ settings: Settings, _ console: Console) throws(Failure) {
    let (identity, files) = (JournalIdentity(scenario), claim.files)
    folder = claim
    let isResumed = try Self.resumed(files, identity, settings, console)
    let attempt = isResumed ? RunJournal.nextAttempt(files.names) : 1
    let placeholder = JournalPlaceholder(isResumed ? files : nil) { () throws(JournalError) in
      try identity.write(to: files)
      return files
    }
    journal = RunJournal(in: placeholder, attempt: attempt, rank: 0)
    guard settings.ranks.isShared else { return }
    _ = try RunCheckpoint.understood { () throws(JournalError) in try placeholder.open() }
    try settings.ranks.share(files, attempt: attempt)
  }

  /// Returns whether an earlier attempt is resumed. If not, its files are removed.
  private static func resumed(
    _ folder: JournalFolder, _ identity: JournalIdentity, _ settings: Settings, _ console: Console
  ) throws(Failure) -> Bool {
    let stored = try understood { () throws(JournalError) in try folder.read(JournalIdentity.file, atMost: 10_000) }
    guard let stored else { return false }
    guard settings.study.resumes else {
      console.note("warning: an unfinished run is started over; --resume would have continued it\n")
      for name in folder.names where ResultsLayout.isJournalFile(name) { folder.remove(name) }
      return false
    }
    if let difference = identity.difference(from: stored) {
      throw .unsuitableInput(
        path: folder.path, reason: "is an unfinished run with \(difference): without --resume, a new one replaces it")
    }
    for name in folder.names where name.hasSuffix(ResultsLayout.pulseSuffix) { folder.remove(name) }
    console.note("resuming: work done by an earlier attempt is reused\n")
    return true
  }

  static func understood<Value>(_ work: () throws(JournalError) -> Value) throws(Failure) -> Value {
    do { return try work() } catch { throw .notKept(error) }
  }

  /// Adds a sentence about the stored work to a failure. If there is none, removes the folder instead.
  func left(after failure: Failure) -> Failure {
    journal.flush(isLate: true)
    let sentence = settled()
    guard case .stopped(let signal, _) = failure else { return failure }
    return .stopped(signal: signal, kept: sentence)
  }

  /// Removes the folder with all of its contents after the results are complete.
  func remove() {
    for name in folder.files.names where ResultsLayout.isJournalFile(name) { folder.files.remove(name) }
    folder.release()
  }
}

/// The identity of a journal, which determines whether a run can resume from it.
struct JournalIdentity: Sendable {
  private let fields: [(key: String, value: String, difference: String)]

  static let file = "journal"

  init(_ scenario: Scenario) {
    fields = [
      ("widgetfleet journal", "1", "another version of widgetfleet"),
      ("version", Version.current, "another version of widgetfleet"),
      ("seed", String(scenario.run.seed), "another seed"),
      ("scenario", SHA256.hexadecimal(of: Array(scenario.resolvedText.utf8)), "another scenario"),
    ]
  }

  private var text: String { fields.map { "\($0.key) \($0.value)\n" }.joined() }

  /// Returns a description of how this identity differs from a stored one; `nil` if they are identical.
  func difference(from stored: [UInt8]) -> String? {
    let lines = String(decoding: stored, as: UTF8.self).split(separator: "\n").map(String.init)
    return fields.first { !lines.contains("\($0.key) \($0.value)") }?.difference
  }

  func write(to folder: JournalFolder) throws(JournalError) { try folder.replace(Self.file, Array(text.utf8)) }
}
