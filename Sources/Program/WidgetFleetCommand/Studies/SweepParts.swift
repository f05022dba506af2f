import FleetReports
import Platform
import Studies
import StudyStore

/// The parts of a sweep to be merged. Each part must be complete and present exactly once.
struct SweepParts {
  /// The folders of the parts, in order of part number.
  private let folders: [SweepPartFolder]

  /// - Throws: `Failure` that names an invalid folder or the missing parts.
  init(_ paths: ArraySlice<String>, of task: SweepTask) throws(Failure) {
    var found: [Int: SweepPartFolder] = [:]
    var first: SweepPartFolder?
    for path in paths {
      let folder = try SweepPartFolder(path, of: task)
      let part = folder.part
      if let first, first.part.count != part.count {
        throw .unsuitableInput(
          path: path, reason: "is part \(part.text), but '\(first.path.printable)' is part \(first.part.text)")
      }
      if let other = found[part.number] {
        throw .unsuitableInput(path: path, reason: "is part \(part.text), and so is '\(other.path.printable)'")
      }
      found[part.number] = folder
      first = first ?? folder
    }
    let count = first?.part.count ?? 0
    let missing = (1...max(count, 1)).filter { found[$0] == nil }
    guard missing.isEmpty else {
      let (noun, verb) = missing.count == 1 ? ("part", "is") : ("parts", "are")
      throw .usage(
        "\(noun) \(Self.list(missing)) of \(count) \(verb) missing", command: "sweep",
        hint: "simulate the missing parts with --part \(missing[0])/\(count); --resume continues stopped parts")
    }
    folders = (1...max(count, 1)).compactMap { found[$0] }
  }

  var count: Int { folders.count }

  /// Returns the metrics of a setting from the part that contains it.
  func summaries(of setting: Int, in task: SweepTask) throws(Failure) -> [Summary] {
    try folders[SweepPart.number(of: setting, count) - 1].summaries(of: task.runs(of: setting))
  }

  /// Formats numbers as a list in which consecutive numbers form ranges, such as `4, 7 and 9 to 12`.
  static func list(_ numbers: [Int]) -> String {
    var spans: [ClosedRange<Int>] = []
    for number in numbers {
      if let last = spans.last, last.upperBound + 1 == number {
        spans[spans.count - 1] = last.lowerBound...number
      } else {
        spans.append(number...number)
      }
    }
    let words = spans.flatMap { span in
      span.count > 2 ? ["\(span.lowerBound) to \(span.upperBound)"] : span.map { String($0) }
    }
    guard let last = words.last, words.count > 1 else { return words.joined() }
    return words.dropLast().joined(separator: ", ") + " and " + last
  }
}

/// A folder written by `sweep --part`, opened for reading.
struct SweepPartFolder {
  let path: String
  let part: SweepPart
  /// The identity of the study in the folder's store.
  private let identity: StudyIdentity

  /// - Throws: `Failure` that names the folder, unless it is a complete part of the sweep.
  init(_ path: String, of task: SweepTask) throws(Failure) {
    self.path = path
    var status = stat()
    guard stat(path, &status) == 0 else { throw .cannotRead(path: path, errno: errno) }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw Self.noPart(path, "it is not a folder") }
    FileIdentity(status).noteInput()
    let hash = try Self.storeHash(path)
    let store = path + "/" + SweepPartFile.store.name
    guard try InputFile.hash(store, kind: "run store") == hash else {
      throw .unsuitableInput(path: store, reason: "is damaged: it does not match runs_sha256 in the manifest")
    }
    var identity = task.identity
    identity.part = try Self.understood(store) { () throws(StoreError) in try RunStore(reading: store).part() }
    guard let part = identity.part else { throw Self.noPart(path, "its store has no part number") }
    (self.part, self.identity) = (part, identity)
    let finished = try read { store throws(StoreError) in try store.finished() }
    let own = task.plan.settings.indices.filter(part.holds)
    guard own.allSatisfy({ task.runs(of: $0).allSatisfy(finished.contains) }) else {
      throw .unsuitableInput(path: store, reason: "is damaged: runs are missing")
    }
  }

  /// Returns the metrics of the given runs.
  func summaries(of runs: [StoredRunKey]) throws(Failure) -> [Summary] {
    try read { store throws(StoreError) in
      let reader = try store.reader()
      return try runs.map { run throws(StoreError) in try reader.summary(of: run) }
    }
  }

  /// Opens the store only while `work` is running, because a process cannot keep the stores of thousands of parts open
  /// simultaneously.
  private func read<Value>(_ work: (RunStore) throws(StoreError) -> Value) throws(Failure) -> Value {
    let path = path + "/" + SweepPartFile.store.name
    let (difference, value) = try Self.understood(path) { () throws(StoreError) -> (String?, Value?) in
      let store = try RunStore(reading: path)
      let difference = try store.difference(from: identity)
      return (difference, difference == nil ? try work(store) : nil)
    }
    if let value { return value }
    throw .unsuitableInput(path: self.path, reason: "is part of a sweep with \(difference ?? "another scenario")")
  }

  /// Returns the SHA-256 hash of the store next to the manifest, in hexadecimal.
  private static func storeHash(_ path: String) throws(Failure) -> String {
    let file = path + "/" + SweepPartFile.manifest.name
    if access(file, F_OK) != 0, errno == ENOENT {
      throw noPart(path, "it has no \(SweepPartFile.manifest.name), which is written last")
    }
    let bytes = try InputFile.read(file, limit: 100_000_000, kind: "manifest")
    let manifest = ManifestLines(bytes)
    let schema = manifest.text("schema") ?? ""
    guard schema == ManifestLines.partSchema else {
      throw noPart(path, "its \(SweepPartFile.manifest.name) has schema '\(schema.printable)'")
    }
    guard manifest["complete"] == "true", let hash = manifest.text("runs_sha256") else {
      throw .unsuitableInput(path: file, reason: "is damaged: the hash of its store is missing")
    }
    return hash
  }

  private static func noPart(_ path: String, _ reason: String) -> Failure {
    .unsuitableInput(path: path, reason: "is not a finished part of a sweep: \(reason)")
  }

  private static func understood<Value>(
    _ path: String, _ work: () throws(StoreError) -> Value
  ) throws(Failure) -> Value {
    do { return try work() } catch {
      switch error {
      case .system(let number): throw .cannotRead(path: path, errno: number)
      case .damaged(let words): throw .unsuitableInput(path: path, reason: "is damaged: \(words.printable)")
      }
    }
  }
}
