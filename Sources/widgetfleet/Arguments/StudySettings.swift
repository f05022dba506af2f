/// The arguments of the commands that run a scenario more than once.
struct StudySettings {
  /// Conditions of `compare --fail-on`, as written.
  var failOn: [String]
  /// The smallest change that `compare` shows, as a share; nil: the standard.
  var leastEffect: Double?

  init(_ values: ArgumentValues, _ command: Command) throws(Failure) {
    failOn = values.all(.failOn)
    leastEffect = try Self.share(values.last(.minEffect), .minEffect, command)
  }

  /// A percentage as a share; nil when not given.
  private static func share(_ text: String?, _ option: Option, _ command: Command) throws(Failure) -> Double? {
    guard let text else { return nil }
    let digits = text.dropLast()
    let isPlain = digits.first?.isNumber == true && digits.utf8.allSatisfy { "0123456789.".utf8.contains($0) }
    guard text.last == "%", isPlain, let percent = Double(digits), percent <= 100 else {
      throw .usage(
        "\(option.spelling) is a percentage from 0% to 100%, not '\(text.printable)'", command: command.name,
        hint: text.last == "%" ? nil : "write \(option.spelling) 2%")
    }
    return percent / 100
  }
}
