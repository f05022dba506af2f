/// Constants of the scheduler measured on phones: `os.profile` of the file (MODEL.md 4.9).
package struct SystemProfile: Hashable, Sendable {
  /// The version of its format, the first key of a profile's file.
  package static let schema = "widgetfleet.os-profile/v1"

  package var name: String
  package var measurement: Measurement
  /// The constants, in the order of the profile.
  package var constants: [MeasuredConstant]
  /// The defaults with the measured values, with their low ends, and with their high ends.
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

  /// Returns the system with the end of a constant that the bracket runs in place of a preset.
  ///
  /// - Returns: `nil` for presets outside the bracket: their measured constants stay as they are.
  package func end(of constant: BracketConstant, under preset: Preset) -> OperatingSystem? {
    switch preset {
    case .prompt: constant.isPromptWhereHigh ? high : low
    case .lazy: constant.isPromptWhereHigh ? low : high
    default: nil
    }
  }

  /// The circumstances of a profile's measurement: `measured` of its file.
  package struct Measurement: Hashable, Keyed, Sendable {
    /// The system with its build: `26.1 (23B85)`.
    package var system: String?
    package var days: Double?
    package var runs: Int?
    /// The program and its version.
    package var program: String?
    /// The hexadecimal SHA-256 of the data.
    package var dataHash: String?
    package var licence: String?
    /// The phone models with their numbers, in the order of the file.
    package var phones: [PhoneCount] = []

    package init() {}
  }

  /// The number of phones of a model that took part.
  package struct PhoneCount: Hashable, Sendable {
    package var model: String
    package var count: Int

    package init(model: String, count: Int) {
      self.model = model
      self.count = count
    }
  }
}

/// One constant of a profile.
package struct MeasuredConstant: Hashable, Sendable {
  package var constant: BracketConstant
  package var method: MeasuringMethod
  /// The number of observations: runs, gaps or waits.
  package var observations: Int
  /// The number of phones; `nil` if unknown, as from a log without ids.
  package var phones: Int?

  package init(_ constant: BracketConstant, method: MeasuringMethod, observations: Int, phones: Int? = nil) {
    self.constant = constant
    self.method = method
    self.observations = observations
    self.phones = phones
  }
}

/// The method of measuring constants.
package enum MeasuringMethod: String, CaseIterable, Sendable {
  /// The access log of a backend.
  case log
  /// The records of testers' phones.
  case telemetry
  /// Planned experiments.
  case lab
}
