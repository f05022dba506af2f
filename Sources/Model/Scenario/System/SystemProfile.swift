/// Constants of the scheduler measured on phones: `os.profile` in the file (MODEL.md 4.9).
package struct SystemProfile: Hashable, Sendable {
  /// The version of its format, given by the first key of a profile's file.
  package static let schema = "widgetfleet.os-profile/v1"

  package var name: String
  package var measurement: Measurement
  /// The constants, in profile order.
  package var constants: [MeasuredConstant]
  /// The defaults with the measured values, with their lower ends, and with their upper ends.
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

  /// Returns the system with the end of a constant's interval that the bracket uses in place of a preset.
  ///
  /// - Returns: `nil` for presets outside the bracket, for which measured constants remain unchanged.
  package func end(of constant: BracketConstant, under preset: Preset) -> OperatingSystem? {
    switch preset {
    case .prompt: constant.isPromptWhereHigh ? high : low
    case .lazy: constant.isPromptWhereHigh ? low : high
    default: nil
    }
  }

  /// The circumstances of a profile's measurement: `measured` in its file.
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
    /// The phone models with their numbers, in file order.
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
  /// The number of observations: runs, gaps or waits.
  package var observations: Int
  /// The number of phones; `nil` if unknown, as for a log without ids.
  package var phones: Int?

  package init(_ constant: BracketConstant, method: MeasuringMethod, observations: Int, phones: Int? = nil) {
    self.constant = constant
    self.method = method
    self.observations = observations
    self.phones = phones
  }
}

/// The method by which constants are measured.
package enum MeasuringMethod: String, CaseIterable, Sendable {
  /// The access log of a backend.
  case log
  /// The records of testers' phones.
  case telemetry
  /// Planned experiments.
  case lab
}
