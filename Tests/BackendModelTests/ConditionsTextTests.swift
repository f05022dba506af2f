import Foundation
import SimulationKernel
import Testing

@testable import BackendModel

/// Invalid trajectory texts: each is reported with its line and reason.
@Suite struct ConditionsTextTests {
  private static let header =
    "endpoint,step_ms,from_ms,to_ms,miss_share,outage_share,limited_share,refused_share,wait_ms,last_wait_ms,copy_share,"
    + "cached_error_share"

  private func mistake(in rows: String, header: String = header) -> ConditionsTextError? {
    do throws(ConditionsTextError) {
      _ = try ConditionsText.decode(Array((header + "\n" + rows).utf8))
      return nil
    } catch {
      return error
    }
  }

  @Test func goodOnes() throws {
    #expect(mistake(in: "a,1,0,5,1,0,0,0,0,0,0,0\n") == nil)
    #expect(mistake(in: "a,1,0,5,1,0,0,0,timeout,timeout,0,0") == nil)
    #expect(
      mistake(
        in: "a,1000,-2000,0,1,0,0,0,0,0,0,0\na,1000,0,1000,0.5,0,0,0,0,0,0,0\nb,1000,-2000,1000,1,1,1,1,9,9,0,0\n")
        == nil)
  }

  /// Every byte of a name is either kept as is or encoded as a percent sign with two digits.
  @Test func everyASCIICharacterOfANameRoundTrips() {
    for code in UInt8(0)..<128 {
      let name = "a" + String(UnicodeScalar(code)) + "1"
      let text = ConditionsText.encoded(name)
      #expect(text.utf8.count == 3 || text.utf8.count == 5, "\(code): \(text)")
      #expect(ConditionsText.decoded(Substring(text)) == name, "\(code): \(text)")
    }
  }

  /// Long spells are read quickly; fuzzing once found a row covering twelve years whose 39 million steps took 84 s.
  ///
  /// A spell now takes one pass, whatever its length, and two endpoints may have 2^25 steps each.
  @Test func longSpellsAreReadQuickly() throws {
    let steps = 1 << 25
    let rows =
      "a,10,0,\(steps * 10),0,0.5,0,0,0,0,0,0\nb,10,0,10,0,0,0,0,0,0,0,0\nb,10,10,\(steps * 10),1,0,0,0,0,0,0,0\n"
    var (begun, ended) = (timespec(), timespec())
    // Processor time of this thread, which does not depend on how busy the machine is.
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begun)
    let trajectory = try ConditionsText.decode(Array((Self.header + "\n" + rows).utf8))
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ended)
    #expect(ended.tv_sec - begun.tv_sec < 15)
    #expect(trajectory.stepCount == steps && trajectory[1, 0].misses == .none)
    #expect(trajectory[1, 1].misses == .all && trajectory[1, steps - 1].misses == .all)
    #expect(trajectory.spells(of: 1).map(\.firstStep) == [0, 1])
    let end = steps * 10 + 10
    #expect(
      mistake(in: "a,10,0,\(end),0,0,0,0,0,0,0,0\nb,10,0,\(end),0,0,0,0,0,0,0,0\n")
        == ConditionsTextError(line: 3, problem: .tooManySteps(maximum: 1 << 26)))
  }

  /// The limit applies to the number of steps, not to where they start.
  @Test(arguments: [-(1 << 45), -5, 0, 1 << 45] as [Int64])
  func stepLimitDoesNotDependOnTheStart(from: Int64) throws {
    let row = "a,1,\(from),\(from + 5),1,0,0,0,0,0,0,0\n"
    #expect(try ConditionsText.decode(Array((Self.header + "\n" + row).utf8)).stepCount == 5)
    let maximum: Int64 = 1 << 26
    #expect(
      mistake(in: "a,1,\(from),\(from + maximum + 1),1,0,0,0,0,0,0,0\n")
        == ConditionsTextError(line: 2, problem: .tooManySteps(maximum: maximum)))
  }

  @Test(
    arguments: [
      ("", 1, .noRows), ("\n", 2, .fields(1)), ("a,1,0,5,1,0,0,0,0,0\n", 2, .fields(10)),
      ("a,1,0,5,1,0,0,0,0,\n", 2, .fields(10)),
      (",1,0,5,1,0,0,0,0,0,0,0\n", 2, .value(column: "endpoint", "")),
      ("a b,1,0,5,1,0,0,0,0,0,0,0\n", 2, .value(column: "endpoint", "a b")),
      ("a,0,0,5,1,0,0,0,0,0,0,0\n", 2, .value(column: "step_ms", "0")),
      ("a,-1,0,5,1,0,0,0,0,0,0,0\n", 2, .value(column: "step_ms", "-1")),
      ("a,1.5,0,5,1,0,0,0,0,0,0,0\n", 2, .value(column: "step_ms", "1.5")),
      ("a,1,,5,1,0,0,0,0,0,0,0\n", 2, .value(column: "from_ms", "")),
      ("a,1,0,99999999999999999999,1,0,0,0,0,0,0,0\n", 2, .value(column: "to_ms", "99999999999999999999")),
      ("a,1,0,9223372036854775807,1,0,0,0,0,0,0,0\n", 2, .value(column: "to_ms", "9223372036854775807")),
      ("a,1,-9223372036854775808,0,1,0,0,0,0,0,0,0\n", 2, .value(column: "from_ms", "-9223372036854775808")),
      ("a,1,0,70368744177664,1,0,0,0,0,0,0,0\n", 2, .tooManySteps(maximum: 1 << 26)),
      ("a,1,0,5,1.1,0,0,0,0,0,0,0\n", 2, .value(column: "miss_share", "1.1")),
      ("a,1,0,5,1,-0.1,0,0,0,0,0,0\n", 2, .value(column: "outage_share", "-0.1")),
      ("a,1,0,5,1,0,nan,0,0,0,0,0\n", 2, .value(column: "limited_share", "nan")),
      ("a,1,0,5,1,0,0,inf,0,0,0,0\n", 2, .value(column: "refused_share", "inf")),
      ("a,1,0,5,1,0,0, 0,0,0,0,0\n", 2, .value(column: "refused_share", " 0")),
      ("a,1,0,5,1,0,0,0,-1,0,0,0\n", 2, .value(column: "wait_ms", "-1")),
      ("a,1,0,5,1,0,0,0,70368744177664,0,0,0\n", 2, .value(column: "wait_ms", "70368744177664")),
      ("a,1,0,5,1,0,0,0,0,0,0,0\r\n", 2, .value(column: "cached_error_share", "0\r")),
      ("a,1,0,5,0.25,0,0,0,0,0,0.5,0\n", 2, .value(column: "copy_share", "0.5")),
      ("a,1,0,5,0.25,0,0,0,0,0,0.25,0.8\n", 2, .value(column: "cached_error_share", "0.8")),
      ("a,1,5,5,1,0,0,0,0,0,0,0\n", 2, .notWholeSteps), ("a,1,5,4,1,0,0,0,0,0,0,0\n", 2, .notWholeSteps),
      ("a,2,0,5,1,0,0,0,0,0,0,0\n", 2, .notWholeSteps),
      ("a,1,0,5,1,0,0,0,0,0,0,0\na,1,6,7,1,0,0,0,0,0,0,0\n", 3, .gap(expected: 5)),
      ("a,1,0,5,1,0,0,0,0,0,0,0\na,1,4,7,1,0,0,0,0,0,0,0\n", 3, .gap(expected: 5)),
      ("a,1,0,5,1,0,0,0,0,0,0,0\nb,1,1,5,1,0,0,0,0,0,0,0\n", 3, .gap(expected: 0)),
      ("a,1,0,5,1,0,0,0,0,0,0,0\nb,5,0,5,1,0,0,0,0,0,0,0\n", 3, .otherStep),
      ("a,1,0,5,1,0,0,0,0,0,0,0\nb,1,0,5,1,0,0,0,0,0,0,0\na,1,5,6,1,0,0,0,0,0,0,0\n", 4, .endpointAgain("a")),
      ("a,1,0,5,1,0,0,0,0,0,0,0\nb,1,0,4,1,0,0,0,0,0,0,0\n", 3, .otherEnd("b", expected: 5)),
      ("a,1,0,5,1,0,0,0,0,0,0,0\nb,1,0,6,1,0,0,0,0,0,0,0\nc,1,0,5,1,0,0,0,0,0,0,0\n", 4, .otherEnd("b", expected: 5)),
      ("a,1,0,5,1,0,0,0,0,0,0,0\n\n", 3, .fields(1)),
    ] as [(String, Int, ConditionsTextError.Problem)])
  func badOnes(rows: String, line: Int, problem: ConditionsTextError.Problem) throws {
    let error = try #require(mistake(in: rows))
    #expect(error == ConditionsTextError(line: line, problem: problem))
    #expect(!error.message.isEmpty)
  }

  @Test func otherFiles() {
    #expect(mistake(in: "a,1,0,5,1,0,0,0,0,0,0,0\n", header: "endpoint")?.problem == .header(Self.header))
    #expect(throws: ConditionsTextError(line: 1, problem: .notText)) { try ConditionsText.decode([0xFF, 0xFE]) }
    #expect(throws: ConditionsTextError(line: 1, problem: .header(Self.header))) { try ConditionsText.decode([]) }
  }

  /// Consecutive rows with equal conditions form one spell.
  @Test func consecutiveEqualRowsFormOneSpell() throws {
    let one = try ConditionsText.decode(Array("\(Self.header)\na,1,0,5,1,0,0,0,0,0,0,0\n".utf8))
    let two = try ConditionsText.decode(
      Array("\(Self.header)\na,1,0,2,1,0,0,0,0,0,0,0\na,1,2,5,1.0,0,0,0,0,0,0,0\n".utf8))
    #expect(one == two)
  }
}
