/// What a widget's energy was spent on (MODEL.md 7.4); raw values are places in tallies.
package enum EnergyComponent: UInt8, CaseIterable, Sendable {
  case promotion
  case active
  case transfer
  case tail
  case cpu
  case wait

  /// A value for each component, in its place by raw value.
  package typealias Table<Value> = InlineArray<6, Value>

  /// As in the column `component`.
  package var name: String { "\(self)" }
}
