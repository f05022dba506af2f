import SimulationKernel
import Testing

@testable import DeviceModel

/// What a silence's beginning says of its tail, and of its length.
@Suite struct RadioMarkTests {
  private static func at(_ milliseconds: Int64) -> Instant { Instant(millisecondsSinceStart: milliseconds) }

  @Test func afterAWidgetsTransfer() {
    for mark in [RadioMark(Self.at(5_000)), RadioMark(measured: Self.at(5_000))] {
      #expect(!mark.isForeign)
      #expect(mark.widgetsSilence(upTo: Self.at(5_000)) == 0)
      #expect(mark.widgetsSilence(upTo: Self.at(5_000 + SilenceBins.longest - 1)) == SilenceBins.longest - 1)
      #expect(mark.widgetsSilence(upTo: Self.at(5_000 + SilenceBins.longest)) == nil)
      #expect(mark.milliseconds(to: Self.at(5_000 + SilenceBins.longest)) == SilenceBins.longest)
      #expect(mark.milliseconds(to: Self.at(4_999)) == 0)
    }
  }

  /// The tail is the person's, the warm-up's, or was counted on another interface: the length stays.
  @Test func afterAnothersTail() {
    let marks = [
      RadioMark(Self.at(5_000), isPersons: true), RadioMark(Self.at(5_000)).foreign,
      RadioMark(Self.at(5_000)).foreign.foreign,
    ]
    for mark in marks {
      #expect(mark.isForeign)
      #expect(mark.widgetsSilence(upTo: Self.at(5_100)) == nil)
      #expect(mark.milliseconds(to: Self.at(5_100)) == 100)
    }
    for mark in [RadioMark(Self.at(-1)), RadioMark(Self.at(-1), isPersons: true)] {
      #expect(mark.isForeign)
      #expect(mark.widgetsSilence(upTo: .start) == nil)
      #expect(mark.milliseconds(to: .start) == 1)
    }
  }

  @Test func longAgo() {
    #expect(RadioMark.longAgo.isForeign)
    #expect(RadioMark.longAgo.milliseconds(to: .start) > SilenceBins.longest)
  }

  /// How each silence is counted, by whose tail it cuts and who ends it.
  @Test(arguments: [true, false], [true, false])
  func kindsOfSilence(isPersons: Bool, isEndedByWidget: Bool) {
    let tally = RadioTally()
    defer { tally.free() }
    tally.recordOther(
      RadioMark(.start, isPersons: isPersons), upTo: Self.at(SilenceBins.longest), isEndedByWidget: isEndedByWidget)
    let counted = RadioTally.Silence.allCases.filter {
      tally.silences[$0.rawValue * SilenceBins.count + SilenceBins.count - 1] == 1
    }
    let expected: [RadioTally.Silence] =
      switch (isPersons, isEndedByWidget) {
      case (false, true): [.wokenAgain]
      case (false, false): [.left]
      case (true, true): [.wokenAfterOthers]
      case (true, false): []
      }
    #expect(counted == expected)
  }
}
