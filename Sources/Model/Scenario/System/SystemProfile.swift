/// Scheduler constants measured on phones (`os.profile` in the file, MODEL.md 4.9).
package struct SystemProfile: Hashable, Sendable {
  /// The version of the profile format; a profile file contains it as its first key.
  package static let schema = "widgetfleet.os-profile/v1"

  package var name: String
  package var measurement: Measurement
  /// The measured constants, in the order of the profile file.
  package var constants: [MeasuredConstant]
  /// The defaults with the measured values applied, then with the lower ends of their intervals, and then with the
  /// upper ends.
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

  /// Returns the system that contains a constant's interval end, which the bracket uses instead of the preset's value.
  ///
  /// - Returns: `nil` for presets that are not part of the bracket; measured constants then remain unchanged.
  package func end(of constant: BracketConstant, under preset: Preset) -> OperatingSystem? {
    switch preset {
    case .prompt: constant.isPromptWhereHigh ? high : low
    case .lazy: constant.isPromptWhereHigh ? low : high
    default: nil
    }
  }

  /// The circumstances of a profile's measurement (`measured` in the profile file).
  package struct Measurement: Hashable, Keyed, Sendable {
    /// The measured system version with its build, such as `26.1 (23B85)`.
    package var system: String?
    package var days: Double?
    package var runs: Int?
    /// The name and version of the program that created the profile.
    package var program: String?
    /// The SHA-256 hash of the measured data, in hexadecimal.
    package var dataHash: String?
    package var licence: String?
    /// The phone models in file order, with the number of phones of each model.
    package var phones: [PhoneCount] = []

    package init() {}
  }

  /// The number of phones of one model that took part in the measurement.
  package struct PhoneCount: Hashable, Sendable {
    package var model: String
    package var count: Int

    package init(model: String, count: Int) {
      self.model = model
      self.count = count
    }
  }
}

package struct MeasuredConstant: Hashable, Sendable {
  package var constant: BracketConstant
  package var method: MeasuringMethod
  /// The number of observations, each of which is a run, a gap or a wait.
  package var observations: Int
  /// The number of phones that contributed; `nil` if it is unknown, for example because a log does not contain IDs.
  package var phones: Int?

  package init(_ constant: BracketConstant, method: MeasuringMethod, observations: Int, phones: Int? = nil) {
    self.constant = constant
    self.method = method
    self.observations = observations
    self.phones = phones
  }
}

package enum MeasuringMethod: String, CaseIterable, Sendable {
  /// Analysis of a backend's access log.
  case log
  /// Analysis of records from testers' phones.
  case telemetry
  /// Planned experiments in a lab.
  case lab
}
