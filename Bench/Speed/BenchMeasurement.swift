/// A case with its min time.
struct BenchMeasurement: Sendable {
  var benchCase: BenchCase
  var counts: BenchCounts
  /// The simulated days of each device, the warm-up included.
  var days: Double
  /// The seconds of processor time of all threads, and of wall time: the min, each separately.
  var processor: Double
  var wall: Double
  var repetitions = 1

  /// Adds another run of the same case.
  mutating func add(_ other: BenchMeasurement) {
    processor = min(processor, other.processor)
    wall = min(wall, other.wall)
    repetitions += other.repetitions
  }

  /// The speed by wall time.
  var deviceDaysPerSecond: Double { Double(benchCase.devices) * days / wall }
  var eventsPerProcessorSecond: Double { Double(counts.events) / processor }
  var processorPerDevice: Double { processor / Double(benchCase.devices) }
  /// Whether a single thread had a processor nearly all the time.
  var hadProcessorAlone: Bool { benchCase.threads == 1 && wall <= processor * 1.05 }
}
