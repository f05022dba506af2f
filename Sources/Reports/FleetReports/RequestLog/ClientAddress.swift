/// The IP address from which a phone sends requests. It belongs to one of the networks reserved for documentation (RFC
/// 5737).
struct ClientAddress {
  /// The number of the host address, from 0 to 761.
  private let host: Int

  private static let networks = ["192.0.2.", "198.51.100.", "203.0.113."].map { Array($0.utf8) }
  /// The number of host addresses in a network with a 24-bit prefix.
  private static let hosts = 254

  /// - Parameter phone: 64 random bits that are specific to the phone.
  init(phone: UInt64) {
    host = Int(phone.multipliedFullWidth(by: UInt64(Self.networks.count * Self.hosts)).high)
  }

  func append(to text: inout TextBuffer) {
    text.append(bytes: Self.networks[host / Self.hosts])
    text.append(Int64(1 + host % Self.hosts))
  }
}
