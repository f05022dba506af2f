import Calibration

/// The phones and days of `explain lab`.
struct LabSettings {
  private let phones: Int?
  private let days: Int?
  private let command: Command

  init(_ values: ArgumentValues, _ command: Command) throws(Failure) {
    self.command = command
    guard command.action == .explain else {
      (phones, days) = (nil, nil)
      return
    }
    phones = try Settings.number(values.last(.phones), Option.phones.spelling, command, 1...100_000).map { Int($0) }
    days = try Settings.number(values.last(.labDays), Option.labDays.spelling, command, 1...3_650).map { Int($0) }
  }

  /// What Docs/LAB.md plans, unless options say otherwise.
  var plan: LabPlan { LabPlan(phones: phones ?? 5, days: days ?? 14) }

  /// Refuses options that other topics know nothing of.
  func refuse() throws(Failure) {
    guard phones != nil || days != nil else { return }
    throw .usage("--phones and --days belong to 'explain lab'", command: command.name)
  }
}
