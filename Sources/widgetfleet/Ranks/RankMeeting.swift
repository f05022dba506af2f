import FleetEngine

/// Where the ranks of a command that keeps no journal hear of each other; nothing when alone.
struct RankMeeting {
  /// nil: alone.
  let pulse: Pulse?
  private let files: JournalFolder?

  /// - Parameter folder: beside the results; nil: there are none, and ranks only notice that they wait for long.
  init(_ control: RunControl, _ settings: Settings, in folder: UnfinishedFolder?) throws(Failure) {
    guard settings.ranks.isShared else {
      (pulse, files) = (nil, nil)
      return
    }
    let pulse = Pulse(control, settings.ranks, watchdog: settings.watchdog)
    self.pulse = pulse
    files = folder?.files
    guard let files else { return }
    try settings.ranks.share(files, attempt: 0)
    pulse.begin(in: files)
  }

  /// Takes away what it has written.
  func end() {
    for name in files?.names ?? [] where ResultsLayout.isJournalFile(name) { files?.remove(name) }
  }
}
