import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel

/// The energy of instances is counted by component.
@Suite struct EnergyTallyTests {
  @Test func everyEnergyComponentIsTallied() {
    var row = EnergyRow()
    row.promotion = Energy(nanojoules: 1)
    row.active = Energy(nanojoules: 20)
    row.transfer = Energy(nanojoules: 300)
    row.tail = Energy(nanojoules: 4_000)
    row.cpu = Energy(nanojoules: 50_000)
    row.wait = Energy(nanojoules: 600_000)
    row.aloneRadio = Energy(nanojoules: 7_000_000)
    row.aloneWait = Energy(nanojoules: 80_000_000)
    var tally = EnergyTally()
    for times in 1...2 as ClosedRange<Int128> {
      tally.add(row, inSessions: Energy(nanojoules: 9))
      for (place, component) in EnergyComponent.allCases.enumerated() {
        #expect(tally.spent[place] == times * Int128(row[component].nanojoules), "\(component)")
      }
      #expect(tally.inSessions == times * 9)
      #expect(tally.aloneRadio == times * 7_000_000 && tally.aloneWait == times * 80_000_000)
    }
  }
}
