import FleetEngine
import FleetReports
import Platform
import Scenario
import SimulationKernel

/// What a run keeps for another try: its journal, and the folder that it is locked by.
struct KeptRun: Sendable {
  let journal: RunJournal
  private let folder: UnfinishedRun

  /// Keeps no more, takes the folder away where nothing is kept, and says what is, in words; nil: nothing.
  ///
  /// Threads may still be at work: what they write then has no place.
  func settled() -> String? {
    journal.giveUp()
    guard journal.hasKept else {
      remove()
      return nil
    }
    return "what is done is kept for --resume"
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
  init(_ scenario: Scenario, _ output: OutputPath, _ settings: Settings, _ console: Console) throws(Failure) {
    let identity = JournalIdentity(scenario)
    let folder = UnfinishedRun(for: output, identity: identity)
    self.folder = folder
    var attempt = 1
    var found: JournalFolder?
    if folder.isThere {
      found = try folder.take(isAsked: settings.study.resumes || settings.ranks.isShared)
      if let existing = found {
        attempt = try Self.resumed(existing, identity, settings, console) ? RunJournal.nextAttempt(existing.names) : 1
      }
    } else if settings.ranks.isShared {
      found = try folder.take(isAsked: true)
    }
    if let found { try KeptRun.understood { () throws(JournalError) in try identity.write(to: found) } }
    let placeholder = JournalPlaceholder(found) { () throws(JournalError) in try folder.made() }
    journal = RunJournal(in: placeholder, attempt: attempt, rank: 0)
    guard let found else { return }
    do { try settings.ranks.share(found, attempt: attempt) } catch {
      if !journal.hasKept { folder.remove() }
      throw error
    }
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
  func remove() { folder.remove() }
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

/// The folder beside the results in which an unfinished run lies.
private final class UnfinishedRun: Sendable {
  private let output: OutputPath
  private let identity: JournalIdentity
  private let locked = Guarded<UnfinishedFolder?>(nil)

  init(for output: OutputPath, identity: JournalIdentity) {
    self.output = output
    self.identity = identity
  }

  /// Whether there is a folder.
  var isThere: Bool { output.parent.kind(of: ResultsLayout.unfinishedName(output.name)) == .folder }

  /// Locks the folder, and makes it where there is none.
  ///
  /// - Parameter isAsked: whether the user asked for it; else nil where another process works on it.
  func take(isAsked: Bool) throws(Failure) -> JournalFolder? {
    do {
      let folder = try UnfinishedFolder(for: output)
      locked.withLock { $0 = folder }
      return folder.files
    } catch {
      if case .notReplaced = error, !isAsked { return nil }
      throw error
    }
  }

  /// The folder, made now; nil: another process works on it.
  func made() throws(JournalError) -> JournalFolder? {
    let files: JournalFolder?
    do { files = try take(isAsked: false) } catch {
      throw JournalError("cannot write beside '\(output.path.printable)': \(error.reason)", isUnsuitable: false)
    }
    if let files { try identity.write(to: files) }
    return files
  }

  /// Takes away what is ours.
  func remove() {
    guard let folder = locked.withLock({ $0 }) else { return }
    for name in folder.files.names where ResultsLayout.isJournalFile(name) { folder.files.remove(name) }
    folder.remove()
  }
}
