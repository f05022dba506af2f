/// A case with the least time that it took.
struct BenchMeasurement: Sendable {
  var benchCase: BenchCase
  var counts: BenchCounts
  /// Simulated days of each device, the warm-up included.
  var days: Double
  /// Seconds of processor time of all threads, and of the clock: the least, each for itself.
  var processor: Double
  var wall: Double
  var repetitions = 1

  /// Takes in another run of the same case.
  mutating func add(_ other: BenchMeasurement) {
    processor = min(processor, other.processor)
    wall = min(wall, other.wall)
    repetitions += other.repetitions
  }

  /// By the clock.
  var deviceDaysPerSecond: Double { Double(benchCase.devices) * days / wall }
  var eventsPerProcessorSecond: Double { Double(counts.events) / processor }
  var processorPerDevice: Double { processor / Double(benchCase.devices) }
  /// Whether nothing else wanted the processor: a single thread had one nearly all the time.
  var hadProcessorAlone: Bool { benchCase.threads == 1 && wall <= processor * 1.05 }
}
