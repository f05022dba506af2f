/// A case with its minimum time.
struct BenchMeasurement: Sendable {
  var benchCase: BenchCase
  var counts: BenchCounts
  /// The number of simulated days per device, including warm-up.
  var days: Double
  /// The processor time over all threads, and the wall time, in seconds: each is a separate minimum.
  var processor: Double
  var wall: Double
  var repetitions = 1

  /// Merges another run of the same case.
  mutating func add(_ other: BenchMeasurement) {
    processor = min(processor, other.processor)
    wall = min(wall, other.wall)
    repetitions += other.repetitions
  }

  /// The speed in wall time.
  var deviceDaysPerSecond: Double { Double(benchCase.devices) * days / wall }
  var eventsPerProcessorSecond: Double { Double(counts.events) / processor }
  var processorPerDevice: Double { processor / Double(benchCase.devices) }
  /// Whether a single thread had a processor to itself almost all the time.
  var hadProcessorAlone: Bool { benchCase.threads == 1 && wall <= processor * 1.05 }
}
