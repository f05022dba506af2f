/// What a widget's energy was spent on (MODEL.md 7.4).
package enum EnergyComponent: UInt8, CaseIterable, Sendable {
  case promotion
  case active
  case transfer
  case tail
  case cpu
  case wait
}
