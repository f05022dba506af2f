import FleetEngine

/// Where the ranks of a command that keeps no journal hear of each other; nothing when alone.
struct RankMeeting {
  /// nil: alone.
  let pulse: Pulse?
  private let own: UnfinishedFolder?
  private let files: JournalFolder?

  /// - Parameters:
  ///   - output: where the results go; nil: nowhere, and ranks only notice that they wait for long.
  ///   - folder: one beside them that is there already.
  init(
    _ control: RunControl, _ settings: Settings, beside output: OutputPath?, in folder: UnfinishedFolder? = nil
  ) throws(Failure) {
    guard settings.ranks.isShared else {
      (pulse, own, files) = (nil, nil, nil)
      return
    }
    let pulse = Pulse(control, settings.ranks, watchdog: settings.watchdog)
    self.pulse = pulse
    own = if folder == nil, let output { try UnfinishedFolder(for: output) } else { nil }
    files = (folder ?? own)?.files
    guard let files else { return }
    try settings.ranks.share(files, attempt: 0)
    pulse.begin(in: files)
  }

  /// Takes away what it has written.
  func end() {
    for name in files?.names ?? [] where ResultsLayout.isJournalFile(name) { files?.remove(name) }
    own?.remove()
  }
}
