import Scenario
import SimulationKernel

extension QuantityText {
  static func size(_ size: ByteCount) -> String {
    for (unit, bytes) in [("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000)] as [(String, Int64)] {
      if size.bytes > 0, size.bytes % bytes == 0 { return "\(size.bytes / bytes)\(unit)" }
    }
    return "\(size.bytes)B"
  }

  static func perDay(_ runs: RunMillionths) -> String { decimal(runs.count, 6) + "/day" }

  /// Formats a rate per second if that is exact, otherwise per day.
  static func rate(perSecond rate: Double) -> String {
    let plain = PlainNumbers.text(shifting: rate, by: 0) + "/s"
    let read = try? Quantities.rate(plain)
    if let read, Double(read.count) / 86_400_000_000 == rate { return plain }
    return perDay(RunMillionths(count: Int64((rate * 86_400_000_000).rounded())))
  }

  /// Formats a time of day, including seconds if they are not zero.
  static func time(_ time: TimeOfDay) -> String {
    let seconds = time.sinceMidnight.milliseconds / 1_000
    let text = padded(seconds / 3_600) + ":" + padded(seconds / 60 % 60)
    return seconds % 60 == 0 ? text : text + ":" + padded(seconds % 60)
  }

  /// Formats an instant in UTC, including milliseconds if they are not zero.
  static func instant(unixMilliseconds: Int64) -> String {
    let local = LocalTime(unixMilliseconds: unixMilliseconds)
    let inDay = local.sinceMidnight.milliseconds
    let time = padded(inDay / 3_600_000) + ":" + padded(inDay / 60_000 % 60) + ":" + padded(inDay / 1_000 % 60)
    let fraction = inDay % 1_000 == 0 ? "" : "." + String(String(1_000 + inDay % 1_000).dropFirst())
    return "\(local.day.text)T\(time)\(fraction)Z"
  }

  private static func padded(_ number: Int64) -> String { (number < 10 ? "0" : "") + "\(number)" }
}

extension PlainValue {
  static func duration(_ span: TimeAmount) -> PlainValue { .text(QuantityText.duration(span)) }
  static func rate(_ perSecond: Double) -> PlainValue { .text(QuantityText.rate(perSecond: perSecond)) }
  static func share(_ share: Share) -> PlainValue { .text(QuantityText.share(share)) }

  static func distribution(_ distribution: Distribution<TimeAmount>) -> PlainValue {
    self.distribution(distribution) { QuantityText.duration($0) }
  }

  static func distribution(_ distribution: Distribution<RunMillionths>) -> PlainValue {
    self.distribution(distribution) { QuantityText.perDay($0) }
  }

  static func distribution(_ distribution: Distribution<Double>) -> PlainValue {
    self.distribution(distribution) { QuantityText.number($0) }
  }

  private static func distribution<Value: Measured>(
    _ distribution: Distribution<Value>, _ text: (Value) -> String
  ) -> PlainValue {
    func plain(_ value: Value) -> PlainValue { value is Double ? .bare(text(value)) : .text(text(value)) }
    switch distribution {
    case .constant(let value): return plain(value)
    case .uniform(let from, let to): return .mapping(["uniform": .text("\(text(from))..\(text(to))")])
    case .exponential(let mean): return .mapping(["exponential": plain(mean)])
    case .normal(let mean, let deviation):
      return .mapping(["normal": .mapping(["mean": plain(mean), "sd": plain(deviation)])])
    case .lognormal(let median, let sigma):
      return .mapping(["lognormal": .mapping(["median": plain(median), "sigma": .number(sigma)])])
    case .choice(let choices):
      let pairs = choices.map { Pair(key: text($0.value), value: .text(QuantityText.share($0.weight))) }
      return .mapping(["choice": .mapping(pairs)])
    }
  }

  static func days(_ days: Set<Weekday>) -> PlainValue {
    .list(days.sorted().map { .text(CalendarText.dayNames[$0.rawValue]) })
  }

  static func zone(_ zone: ZoneChoice) -> PlainValue {
    switch zone {
    case .local: .text("local")
    case .named(let name): .text(name)
    }
  }
}
