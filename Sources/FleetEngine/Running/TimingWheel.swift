import DeviceModel

/// Where a resting device waits: apart from its block, so that whoever follows a chain waits for little memory.
struct Seat: BitwiseCopyable {
  /// Place of its block.
  var place: DevicePlace
  /// Step of its next turn.
  var step: Int32 = 0
  /// The next device on the same slot.
  var next: SeatNumber = .none
  /// The number of its rows, -1 where there are none, above the bits of the group.
  private var rowsAndGroup: Int32

  /// - Parameter rows: which of the devices with rows of devices.csv it is; nil where they are not kept; below 2^27.
  /// - Parameter group: of its device, below 16.
  init(place: DevicePlace, rows: Int?, group: Int) {
    self.place = place
    rowsAndGroup = Int32((rows ?? -1) << 4 | group)
  }

  /// Which of the devices with rows of devices.csv it is; nil where they are not kept.
  var rows: Int? { rowsAndGroup < 0 ? nil : Int(rowsAndGroup >> 4) }
  var group: Int { Int(rowsAndGroup & 15) }
}

/// Where a device's block lies in its shard's memory, in cache lines.
struct DevicePlace: BitwiseCopyable {
  private var units: UInt32

  init(offset: Int) { units = UInt32(offset / Self.unit) }

  static let unit = 64

  @inline(__always)
  var offset: Int { Int(units) &* Self.unit }
}

/// A seat by its number.
struct SeatNumber: BitwiseCopyable, Equatable {
  var number: UInt32

  static let none = SeatNumber(number: .max)
}

/// The devices of a thread by the step in which they have their next turn.
///
/// Slots go round: a device whose step lies further ahead than there are slots is looked at once in every round.
struct TimingWheel: ~Copyable {
  private static let slots = 4_096

  private let seats: UnsafeMutablePointer<Seat>
  private let chains: UnsafeMutablePointer<Chain>

  /// The devices of a slot.
  private struct Chain: BitwiseCopyable {
    var first = SeatNumber.none
    var count: UInt32 = 0
  }

  /// - Parameter seats: of nobody on the wheel yet.
  init(seats: UnsafeMutablePointer<Seat>) {
    self.seats = seats
    chains = .allocate(capacity: Self.slots)
    chains.initialize(repeating: Chain(), count: Self.slots)
  }

  deinit { chains.deallocate() }

  /// Puts a device that is on no slot on that of a step.
  func park(_ seat: SeatNumber, until step: Int) {
    let chain = chains + (step & (Self.slots - 1))
    seats[Int(seat.number)].step = Int32(truncatingIfNeeded: step)
    seats[Int(seat.number)].next = chain.pointee.first
    chain.pointee.first = seat
    chain.pointee.count &+= 1
  }

  /// Takes the devices of a step's slot off the wheel: the first of a chain.
  func take(_ step: Int) -> SeatNumber {
    let chain = chains + (step & (Self.slots - 1))
    defer { chain.pointee = Chain() }
    return chain.pointee.first
  }

  /// How many devices are on a step's slot, those included that are looked at once more in a later round.
  func count(_ step: Int) -> Int { Int(chains[step & (Self.slots - 1)].count) }
}
