import FleetEngine

/// The connection between the ranks of a command without a journal. A single rank has no connection.
struct RankLink {
  /// The heartbeat; `nil` if there is only one rank.
  let pulse: Heartbeat?
  private let files: JournalFolder?

  /// - Parameter folder: a folder next to the results; `nil` if there is none, in which case only long waits are
  ///   detected.
  init(_ control: RunControl, _ settings: Settings, in folder: UnfinishedFolder?) throws(Failure) {
    guard settings.ranks.isShared else {
      (pulse, files) = (nil, nil)
      return
    }
    let pulse = Heartbeat(control, settings.ranks, watchdog: settings.watchdog)
    self.pulse = pulse
    files = folder?.files
    guard let files else { return }
    try settings.ranks.share(files, attempt: 0)
    pulse.begin(in: files)
  }

  /// Removes the files used by the connection.
  func end() {
    for name in files?.names ?? [] where ResultsLayout.isJournalFile(name) { files?.remove(name) }
  }
}
