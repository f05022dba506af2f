import SimulationKernel

extension OperatingSystem {
  /// The constants of a preset (MODEL.md 4.8).
  package init(preset: Preset) {
    self.init()
    self.preset = preset
    switch preset {
    case .ios26, .ios17: break
    case .prompt:
      startDelay.policy = .uniform(from: .zero, to: .minutes(1))
      staleViewReloadFrequent = Share(fraction: 0.3)
    case .lazy:
      startDelay.inUse = .uniform(from: .zero, to: .minutes(15))
      budget.cap = 40
      staleViewReloadRare = .all
      staleViewReloadFrequent = .none
    case .watchFace: budget.capacity = .perDay(RunMillionths(count: 75_000_000))
    case .developerMode: budget.model = .off
    }
  }
}
