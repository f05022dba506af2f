/// The device whose day `run --device` prints.
enum DeviceChoice: Hashable {
  case number(Int)
  /// The device with the most stale views. In a tie, it is the device with the fewest reloads per widget, and then the
  /// one with the lowest number.
  case worst
  /// The device in the middle of the list of all devices, sorted from worst to best.
  case median

  /// Reads a choice of device; `nil` if none is given.
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
