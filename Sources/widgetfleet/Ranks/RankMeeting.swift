import FleetEngine

/// The connection of ranks for a command without a journal; none when alone.
struct RankMeeting {
  /// The pulse; `nil` when alone.
  let pulse: Pulse?
  private let own: UnfinishedFolder?
  private let files: JournalFolder?

  /// - Parameters:
  ///   - output: the place of the results; `nil` for none, where ranks only notice long waits.
  ///   - folder: an existing one beside them.
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

  /// Removes its files.
  func end() {
    for name in files?.names ?? [] where ResultsLayout.isJournalFile(name) { files?.remove(name) }
    own?.remove()
  }
}
