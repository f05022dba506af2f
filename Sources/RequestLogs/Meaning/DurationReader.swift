/// How long answers took.
enum DurationReader {
  /// In milliseconds; nil: it does not say. A number without a unit is in seconds where it has a fraction, and in
  /// milliseconds where it is whole.
  @inline(__always) static func milliseconds(_ text: Text, unit: TimeUnit?) -> Int64? {
    guard !text.isEmpty else { return nil }
    var (text, unit) = (text, unit)
    if Letters.isLetter(text[text.count - 1]), let (number, own) = named(text) { (text, unit) = (number, own) }
    guard let number = Digits.decimal(text), !number.isNegative else { return nil }
    let power = unit?.power ?? (text.place(of: UInt8(ascii: ".")) == nil ? -3 : 0)
    return number.scaled(3 + power).flatMap { $0 <= longest ? $0 : nil }
  }

  /// Three days, in milliseconds: no answer takes longer, and the sum of three fits.
  private static let longest: Int64 = 259_200_000

  /// `12.5ms`, `0.2s`.
  private static func named(_ text: Text) -> (Text, TimeUnit)? {
    for unit in [TimeUnit.milliseconds, .microseconds, .nanoseconds, .seconds] {
      let ending = Array(unit.rawValue.utf8)
      guard text.count > ending.count else { continue }
      if ending.withText({ text.from(text.count - ending.count) == $0 }) {
        return (text.upTo(text.count - ending.count), unit)
      }
    }
    return nil
  }
}
