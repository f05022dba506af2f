/// Scheduler constants measured on phones (`os.profile` in the file, MODEL.md 4.9).
package struct SystemProfile: Hashable, Sendable {
  /// The version of the profile format, given by the first key of a profile file.
  package static let schema = "widgetfleet.os-profile/v1"

  package var name: String
  package var measurement: Measurement
  /// The constants, in profile order.
  package var constants: [MeasuredConstant]
  /// The defaults with the measured values applied, or with the lower or upper ends of their intervals.
  package var values: OperatingSystem
  package var low: OperatingSystem
  package var high: OperatingSystem

  package init(
    name: String, measurement: Measurement, constants: [MeasuredConstant], values: OperatingSystem,
    low: OperatingSystem, high: OperatingSystem
  ) {
    self.name = name
    self.measurement = measurement
    self.constants = constants
    self.values = values
    self.low = low
    self.high = high
  }

  /// Returns the system with the interval end of a constant that the bracket uses instead of a preset.
  ///
  /// - Returns: `nil` for presets outside the bracket, for which measured constants remain unchanged.
  package func end(of constant: BracketConstant, under preset: Preset) -> OperatingSystem? {
    switch preset {
    case .prompt: constant.isPromptWhereHigh ? high : low
    case .lazy: constant.isPromptWhereHigh ? low : high
    default: nil
    }
  }

  /// The circumstances of a profile's measurement (`measured` in the profile file).
  package struct Measurement: Hashable, Keyed, Sendable {
    /// The system with its build: `26.1 (23B85)`.
    package var system: String?
    package var days: Double?
    package var runs: Int?
    /// The program and its version.
    package var program: String?
    /// The SHA-256 of the data, in hexadecimal.
    package var dataHash: String?
    package var licence: String?
    /// The phone models with the number of phones of each, in file order.
    package var phones: [PhoneCount] = []

    package init() {}
  }

  /// The number of participating phones of a model.
  package struct PhoneCount: Hashable, Sendable {
    package var model: String
    package var count: Int

    package init(model: String, count: Int) {
      self.model = model
      self.count = count
    }
  }
}

/// A constant of a profile.
package struct MeasuredConstant: Hashable, Sendable {
  package var constant: BracketConstant
  package var method: MeasuringMethod
  /// The number of observations, which are runs, gaps or waits.
  package var observations: Int
  /// The number of phones; `nil` if unknown, for example if a log has no IDs.
  package var phones: Int?

  package init(_ constant: BracketConstant, method: MeasuringMethod, observations: Int, phones: Int? = nil) {
    self.constant = constant
    self.method = method
    self.observations = observations
    self.phones = phones
  }
}

/// The method used to measure constants.
package enum MeasuringMethod: String, CaseIterable, Sendable {
  /// A backend's access log.
  case log
  /// Records from testers' phones.
  case telemetry
  /// Planned experiments.
  case lab
}
