import SimulationKernel

/// Draws from a seed, made one after the other, or choices given by bytes, as long as any are left.
struct Dice {
  private let seed: UInt64
  private var index: UInt32 = 0
  private var choices: ArraySlice<UInt8>

  init(seed: UInt64, choices: [UInt8] = []) { (self.seed, self.choices) = (seed, choices[...]) }

  /// Draws a whole number from 0 up to but not including a bound.
  mutating func below(_ bound: Int) -> Int {
    if let first = choices.popFirst() {
      guard bound > 256 else { return Int(first) % max(bound, 1) }
      return (Int(first) << 16 | Int(choices.popFirst() ?? 0) << 8 | Int(choices.popFirst() ?? 0)) % bound
    }
    index += 1
    let word = Philox.block(counter: Philox.Block(index, 0, 0, 0), key: seed).word0
    return Int(word % UInt32(clamping: max(bound, 1)))
  }

  mutating func from(_ range: ClosedRange<Int>) -> Int { range.lowerBound + below(range.count) }
  mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }
  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

  /// Draws some of the elements, at least one, keeping their order.
  mutating func some<Element>(_ elements: [Element]) -> [Element] {
    let must = below(elements.count)
    return elements.enumerated().filter { $0.offset == must || oneIn(2) }.map(\.element)
  }
}
