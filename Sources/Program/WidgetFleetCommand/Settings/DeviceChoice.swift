/// The device whose day `run --device` prints.
enum DeviceChoice: Hashable {
  case number(Int)
  /// The device with the most stale views. Ties are resolved by the fewest reloads per widget, and then by the lowest
  /// number.
  case worst
  /// The device in the middle of the list of devices sorted from worst to best.
  case median

  /// Parses a choice of device; returns `nil` if none is given.
  static func read(_ text: String?, _ command: Command) throws(Failure) -> DeviceChoice? {
    switch text {
    case nil: return nil
    case "worst": return .worst
    case "median": return .median
    case .some(let text):
      guard text.first?.isLetter != true else {
        throw .usage(
          "--device must be a number, worst or median, not '\(text.printable)'", command: command.name,
          hint: Suggestion.hint(text, among: ["worst", "median"]))
      }
      return try Settings.number(text, Option.device.spelling, command, 0...1_000_000_000).map { .number(Int($0)) }
    }
  }
}
