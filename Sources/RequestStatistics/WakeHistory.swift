/// The wakes of sampled phones: requests of one sender that follow each other within two seconds are one run of a
/// widget's provider.
///
/// Phones lie in order of their hashes, the wakes of each in order of time. The hours in which the log is silent about
/// everybody are `holes`: nothing is known of them, a gap that touches one is censored.
package struct WakeHistory: Sendable {
  /// One phone.
  package struct Phone: Sendable {
    package let sender: UInt64
    /// Its wakes among all.
    package let wakes: Range<Int>

    /// One of 128 groups that a phone belongs to by its hash, for the jackknife.
    package var group: Int { Int(sender & 127) }
  }

  /// One run that found a network and needed it.
  package struct Wake: Sendable, BitwiseCopyable {
    /// Milliseconds since 1970 at which its first request arrived.
    package var time: Int64
    /// Milliseconds from the first to the last of its requests.
    package var length: Int32
    /// How many requests it sent.
    package var requests: UInt16
    /// The worst status of its requests: the highest; 0: unknown.
    package var status: UInt16
    /// The widget kind or endpoint that it asked for; `none`: several at once.
    package var kind: NameIndex
    package var system: UInt8

    package init(
      time: Int64, length: Int32 = 0, requests: UInt16 = 1, status: UInt16 = 200, kind: NameIndex = .none,
      system: UInt8 = 0
    ) {
      (self.time, self.length, self.requests, self.status) = (time, length, requests, status)
      (self.kind, self.system) = (kind, system)
    }
  }

  package var phones: [Phone] = []
  package var wakes: [Wake] = []
  /// From the first line of the log to after the last, in milliseconds since 1970.
  package var span: Range<Int64>
  /// In order, within the span, apart from each other.
  package var holes: [Range<Int64>]
  /// The share of all phones that these are, by their hashes.
  package var share: Double

  package init(span: Range<Int64>, holes: [Range<Int64>] = [], share: Double = 1) {
    (self.span, self.holes, self.share) = (span, holes, share)
  }

  /// Adds a phone after all others.
  ///
  /// - Parameters:
  ///   - sender: a hash above those before it.
  ///   - own: its wakes in order of time.
  package mutating func append(_ sender: UInt64, _ own: some Sequence<Wake>) {
    let first = wakes.count
    wakes.append(contentsOf: own)
    phones.append(Phone(sender: sender, wakes: first..<wakes.count))
  }
}
