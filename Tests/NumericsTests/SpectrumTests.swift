import SimulationKernel
import Testing

@testable import Numerics

/// The spectrum compared with sums worked out on paper and with Parseval's theorem.
@Suite struct SpectrumTests {
  private func variance(_ values: [Double]) -> Double {
    let mean = values.reduce(0, +) / Double(values.count)
    let squares = values.map { ($0 - mean) * ($0 - mean) }
    return squares.reduce(0, +) / Double(values.count)
  }

  /// Returns whole numbers that look random.
  private func noise(_ count: Int) -> [Double] {
    (0..<count).map { index in
      let whole = index * index * 31 % 97 + index * 7 % 13
      return Double(whole)
    }
  }

  @Test func squareWaveHasTheExpectedSpectrum() throws {
    // The series 1 -1 1 -1 is entirely at the highest frequency, 1 1 -1 -1 entirely at one cycle.
    #expect(try Spectrum(of: [1, -1, 1, -1]).powers.map { ($0 * 1e9).rounded() / 1e9 } == [0, 1])
    #expect(try Spectrum(of: [1, 1, -1, -1]).powers.map { ($0 * 1e9).rounded() / 1e9 } == [1, 0])
  }

  @Test(arguments: [2, 3, 5, 8, 60, 97, 1_440]) func powersAddUpToTheVariance(count: Int) throws {
    let values = noise(count)
    let spectrum = try Spectrum(of: values)
    #expect(spectrum.powers.count == count / 2)
    #expect(abs(spectrum.variance - variance(values)) < 1e-9 * max(variance(values), 1))
  }

  /// The part that repeats m times is the mean over the repetitions, whatever the rest is.
  @Test(arguments: [1, 2, 3, 4, 12, 60]) func repeatingPartIsTheMeanOverRepetitions(cycles: Int) throws {
    let values = noise(240)
    let length = values.count / cycles
    let folded = (0..<length).map { phase -> Double in
      let sum = stride(from: phase, to: values.count, by: length).reduce(0.0) { $0 + values[$1] }
      return sum / Double(cycles)
    }
    let part = try Spectrum(of: values).variance(repeating: cycles)
    #expect(abs(part - variance(folded)) < 1e-9 * variance(values))
  }

  @Test func constantSeriesHasNoVariance() throws {
    #expect(try Spectrum(of: []).powers.isEmpty)
    #expect(try Spectrum(of: [7]).variance == 0)
    let flat = try Spectrum(of: [3, 3, 3, 3, 3, 3])
    #expect(flat.variance == 0)
    #expect(flat.variance(repeating: 0) == 0)
    #expect(flat.variance(repeating: 9) == 0)
  }

  @Test func onlyFiniteValues() {
    #expect(throws: NumericsError.self) { try Spectrum(of: [1, .nan]) }
    #expect(throws: NumericsError.self) { try Spectrum(of: [1, .infinity, 2]) }
  }
}
