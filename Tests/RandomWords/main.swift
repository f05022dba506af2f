// Writes an endless stream of random 32-bit words to standard output, for `make rng-check`: rngdump
// sequential|interleaved.
import Platform
import SimulationKernel

/// An order in which the engine uses the blocks of its random streams.
enum Order: String {
  /// All draws for one instance's runs, one after another, then those for the next device.
  case sequential
  /// One draw for each instance of a thousand devices, purpose by purpose, then the next draw for each.
  case interleaved
}

/// The counters of blocks, in an order that the engine uses.
struct Counters {
  let order: Order
  /// The number of counters used.
  var count: UInt64 = 0

  /// The numbers of DeviceModel's purposes: schedule, provider, latency, unlock.
  static let purposes: [UInt8] = [3, 4, 5, 13]
  static let devices: UInt64 = 1_000
  /// The number of runs of an instance before the next device follows.
  static let runs: UInt64 = 1 << 24

  mutating func next() -> Philox.Block {
    let number = count
    count += 1
    switch order {
    case .sequential:
      let stream = DeviceStream(seed: 1, device: UInt32(truncatingIfNeeded: number / Self.runs), replication: 0)
      return stream.block(purpose: Self.purposes[1], part: 0, index: UInt32(number % Self.runs))
    case .interleaved:
      let (rest, instance) = number.quotientAndRemainder(dividingBy: 2 * Self.devices)
      let (index, purpose) = rest.quotientAndRemainder(dividingBy: UInt64(Self.purposes.count))
      let stream = DeviceStream(seed: 1, device: UInt32(instance / 2), replication: 0)
      return stream.block(
        purpose: Self.purposes[Int(purpose)], part: UInt32(instance % 2), index: UInt32(truncatingIfNeeded: index))
    }
  }
}

func run() -> Int32 {
  guard CommandLine.arguments.count == 2, let order = Order(rawValue: CommandLine.arguments[1]) else {
    let usage = Array("usage: rngdump sequential|interleaved\n".utf8)
    return write(STDERR_FILENO, usage, usage.count) > 0 ? 2 : 4
  }
  var counters = Counters(order: order)
  var blocks = Array(repeating: Philox.Block(0, 0, 0, 0), count: 4_096)
  while true {
    for index in blocks.indices { blocks[index] = counters.next() }
    guard blocks.withUnsafeBytes(isTaken) else { return 0 }
  }
}

/// Returns whether standard output accepted all bytes; if not, the reader has had enough.
func isTaken(_ bytes: UnsafeRawBufferPointer) -> Bool {
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = write(STDOUT_FILENO, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
    guard count > 0 else { return false }
    rest = rest.dropFirst(count)
  }
  return true
}

signal(SIGPIPE, SIG_IGN)
exit(run())
