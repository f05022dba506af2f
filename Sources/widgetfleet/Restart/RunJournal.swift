import FleetEngine
import FleetReports
import Platform
import Scenario
import SimulationKernel
import Synchronization

/// The journal of a run at one rank, as files in a folder beside the results.
///
/// `N.steps`: what arrived in each step of replication N, by rank 0. `N.T-R.shards`: sums of the shards that rank R has
/// lived in try T. `N.sums`: those of a whole replication. A run that takes no second leaves no trace.
final class RunJournal: Journal {
  private let rank: Int
  private let attempt: Int
  private let folder: JournalPlaceholder
  private let state: Guarded<State>
  private let problem = Guarded<JournalError?>(nil)
  private let hasFailed = Atomic(false)
  /// Milliseconds of the clock at which shards are to be kept.
  private let due = Atomic<Int>(.max)
  /// Whoever writes steps does so alone.
  private let writing = Guarded<Descriptor?>(nil)

  /// What is known of the present replication.
  private struct State {
    var name: ReplicationName?
    var key = ""
    var began = 0.0
    var log: StepLog?
    /// Bytes of the file that are whole steps.
    var length = 0
    var lastFlush = 0.0
  }

  /// Seconds of work that is not worth a file, and how many more for each byte of it: ten times what writing takes.
  private static let least = 0.1
  private static let secondsPerByte = 5e-8
  /// Seconds before anything is written, and between two writings of steps.
  private static let patience = 1.0
  /// Seconds between two writings of shards; keeping shards takes a fiftieth of the time, but comes once a minute at least.
  private static let (shortest, longest) = (0.25, 60.0)
  private static let costs = 50.0

  init(in folder: JournalPlaceholder, attempt: Int, rank: Int) {
    (self.folder, self.attempt, self.rank) = (folder, attempt, rank)
    state = Guarded(State())
  }

  convenience init(following folder: JournalFolder, attempt: Int, rank: Int) {
    self.init(in: JournalPlaceholder(folder), attempt: attempt, rank: rank)
  }

  var failure: JournalError? { hasFailed.load(ordering: .relaxed) ? problem.withLock { $0 } : nil }

  /// Whether there is something to go on with.
  var hasKept: Bool { folder.opened?.names.contains(where: ResultsLayout.isKeptWork) ?? false }
  /// Keeps no more.
  func giveUp() { folder.giveUp() }
  /// Where it is kept; nil: nowhere yet.
  var place: JournalFolder? { folder.opened }

  /// Does what may fail, and keeps the first failure.
  private func attempt(_ work: () throws(JournalError) -> Void) {
    do { try work() } catch {
      problem.withLock { $0 = $0 ?? error }
      hasFailed.store(true, ordering: .relaxed)
    }
  }

  // MARK: What earlier tries have kept

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
    _ content: [UInt8], _ folder: JournalFolder, beside others: [KeptPart]
  ) throws(JournalError) -> KeptPart {
    guard let part = try? KeptPart(content), others.allSatisfy({ $0.shards.isDisjoint(with: part.shards) }) else {
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
      "'\(folder.path.printable)' cannot be resumed: it is damaged; without --resume a new run takes its place",
      isUnsuitable: true)
  }

  // MARK: Names of files

  private static func key(of replication: ReplicationName) -> String {
    String(SHA256.hexadecimal(of: replication.scenario).prefix(24)) + "-\(replication.replication + 1)"
      + (replication.keepsRows ? "" : "-short")
  }

  private static let shards = ".shards"
  private static func steps(_ key: String) -> String { key + ".steps" }
  private static func sums(_ key: String) -> String { key + ".sums" }

  /// The number of the next try, by the files of earlier ones.
  static func nextAttempt(_ names: [String]) -> Int {
    let attempts = names.filter { $0.hasSuffix(shards) }.compactMap { name in
      name.split(separator: ".").dropFirst().first?.split(separator: "-").first.flatMap { Int($0) }
    }
    return (attempts.max() ?? 0) + 1
  }

  // MARK: What is done

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

  func keep(_ part: KeptPart) {
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
    _ part: KeptPart, to name: String, as what: String, in folder: JournalFolder
  ) throws(JournalError) {
    try folder.replace(name) { file in SealedBytes.write(as: what, to: file) { append in part.write(append) } }
  }

  func finish(bytes: Int, _ whole: () -> KeptPart) {
    let (key, began) = state.withLock { ($0.key, $0.began) }
    let worth = max(Self.least, Double(bytes) * Self.secondsPerByte)
    guard Progress.now() - began > worth, !folder.isOff else { return }
    flush(isLate: true, opens: true)
    guard failure == nil else { return }
    attempt { () throws(JournalError) in
      guard let folder = try folder.open() else { return }
      try Self.write(whole(), to: Self.sums(key), as: "sums \(key)", in: folder)
      for name in folder.names where name.hasPrefix(key + ".") && name.hasSuffix(Self.shards) { folder.remove(name) }
    }
  }

  /// Writes the steps that came since the last time, once a second.
  ///
  /// - Parameters:
  ///   - isLate: it cannot wait.
  ///   - opens: the folder, too, where there is none yet.
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

/// The folder of a journal, which is begun when there is something to keep in it.
final class JournalPlaceholder: Sendable {
  private let folder: Guarded<JournalFolder?>
  private let isGivenUp = Atomic(false)
  private let begin: @Sendable () throws(JournalError) -> JournalFolder?

  /// - Parameter begin: writes whose journal it is; `nil` if nothing is kept.
  init(_ folder: JournalFolder?, begin: @escaping @Sendable () throws(JournalError) -> JournalFolder? = { nil }) {
    self.folder = Guarded(folder)
    self.begin = begin
  }

  /// nil: there is none yet.
  var opened: JournalFolder? { folder.withLock { $0 } }

  /// Whether nothing is kept.
  var isOff: Bool { isGivenUp.load(ordering: .relaxed) }

  /// Begins nothing from now on.
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

/// What a run keeps for another try: its journal, and the folder that it is locked by.
struct KeptRun: Sendable {
  let journal: RunJournal
  private let folder: UnfinishedFolder

  /// Keeps no more, removes the folder if nothing is kept, and returns what is, in words; `nil` if nothing is.
  func settled() -> String? {
    journal.giveUp()
    // Threads may still be at a file: it becomes kept work, or goes with the folder.
    for _ in 0..<100 {
      if journal.hasKept { return "what is done is kept for --resume" }
      if folder.release() { return nil }
      usleep(2_000)
    }
    return nil
  }

  /// Where ranks hear of each other; nil when alone.
  func pulse(_ control: RunControl, _ settings: Settings) -> Pulse? {
    guard settings.ranks.isShared else { return nil }
    let pulse = Pulse(control, settings.ranks, watchdog: settings.watchdog)
    if let folder = journal.place { pulse.begin(in: folder) }
    return pulse
  }

  /// Opens what an earlier try has left, or begins anew.
  ///
  /// - Throws: `Failure` when there is a journal of another scenario, seed or version, or one that is worked on.
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
    _ = try KeptRun.understood { () throws(JournalError) in try placeholder.open() }
    try settings.ranks.share(files, attempt: attempt)
  }

  /// Whether an earlier try is gone on with; what is not is cleared away.
  private static func resumed(
    _ folder: JournalFolder, _ identity: JournalIdentity, _ settings: Settings, _ console: Console
  ) throws(Failure) -> Bool {
    let stored = try understood { () throws(JournalError) in try folder.read(JournalIdentity.file, atMost: 10_000) }
    guard let stored else { return false }
    guard settings.study.resumes else {
      console.note("warning: an unfinished run was there and is started over; --resume would have continued it\n")
      for name in folder.names where ResultsLayout.isJournalFile(name) { folder.remove(name) }
      return false
    }
    if let difference = identity.difference(from: stored) {
      throw .unsuitableInput(
        path: folder.path, reason: "is an unfinished run of \(difference): without --resume a new one takes its place")
    }
    for name in folder.names where name.hasSuffix(ResultsLayout.pulseSuffix) { folder.remove(name) }
    console.note("resuming: what an earlier try has done is not done again\n")
    return true
  }

  static func understood<Value>(_ work: () throws(JournalError) -> Value) throws(Failure) -> Value {
    do { return try work() } catch { throw .notKept(error) }
  }

  /// Adds to a failure what is kept; where nothing is, the folder is taken away.
  func left(after failure: Failure) -> Failure {
    journal.flush(isLate: true)
    let sentence = settled()
    guard case .stopped(let signal, _) = failure else { return failure }
    return .stopped(signal: signal, kept: sentence)
  }

  /// Takes everything away: the results are in their place.
  func remove() {
    for name in folder.files.names where ResultsLayout.isJournalFile(name) { folder.files.remove(name) }
    folder.release()
  }
}

/// Whose journal it is.
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

  /// What is different about another one, in words; nil: nothing.
  func difference(from stored: [UInt8]) -> String? {
    let lines = String(decoding: stored, as: UTF8.self).split(separator: "\n").map(String.init)
    return fields.first { !lines.contains("\($0.key) \($0.value)") }?.difference
  }

  func write(to folder: JournalFolder) throws(JournalError) { try folder.replace(Self.file, Array(text.utf8)) }
}
