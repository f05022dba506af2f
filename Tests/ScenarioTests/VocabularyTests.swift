import Scenario
import Testing

/// Tables by cause, reason and component have an entry for each.
struct VocabularyTests {
  @Test func tablesHaveAnEntryForEachCase() {
    #expect(Cause.count == Cause.allCases.count)
    #expect(Cause.Table(repeating: 0).count == Cause.allCases.count)
    #expect(WaitReason.Table(repeating: 0).count == WaitReason.allCases.count)
    #expect(FailureReason.Table(repeating: 0).count == FailureReason.allCases.count)
    #expect(EnergyComponent.Table(repeating: 0).count == EnergyComponent.allCases.count)
  }

  /// Raw values are the positions.
  @Test func placesAreRawValues() {
    #expect(Cause.allCases.map { Int($0.rawValue) } == Array(0..<Cause.count))
    #expect(WaitReason.allCases.enumerated().allSatisfy { Int($1.rawValue) == $0 })
    #expect(FailureReason.allCases.enumerated().allSatisfy { Int($1.rawValue) == $0 })
    #expect(EnergyComponent.allCases.enumerated().allSatisfy { Int($1.rawValue) == $0 })
  }
}
