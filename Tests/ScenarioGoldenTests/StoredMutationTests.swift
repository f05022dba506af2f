import FleetReports
import Foundation
import FuzzHarness
import Studies
import Testing

/// Every field of every file of a results folder, changed in turn into what it should not hold: the page and a comparison
/// are drawn from it, or it is refused with its place; nothing traps.
struct StoredMutationTests {
  private static let values = [
    "0", "-1", "1", "\(Int64.max)", "\(Int64.min)", "\(Int64(1) << 53)", "9223372036854775808", "\(Int64.max / 2)",
    "1e300", "-1e300", "1e-9", "nan", "inf", "", "x", "null", "{}", String(repeating: "9", count: 38),
    String(repeating: "9", count: 400),
  ]

  /// In the long form every value for every field; else every eighth, from another one on at each place.
  private static func values(at place: Int) -> [String] {
    StudySample.isLong ? values : stride(from: place % 8, to: values.count, by: 8).map { values[$0] }
  }

  private static let sample = Result { try SmallFolder() }

  private static func check(_ folder: [ReportFile: String], _ file: ReportFile, _ what: String) {
    // Causes and what followed phones did are not compared.
    let isCompared = ![.causes, .hours, .asked].contains(file)
    do {
      #expect(try SmallFolder.draw(folder.mapValues { Array($0.utf8) }, isCompared: isCompared) > 0, "\(what)")
    } catch {
      guard case .damaged(let line, let column, _) = error.fault else { return }
      #expect(line != nil || column != nil || error.file == "causes.csv", "\(what): \(error.sentence)")
    }
  }

  @Test func theFolderItselfIsDrawn() throws {
    let folder = try Self.sample.get().texts
    #expect(try SmallFolder.draw(folder.mapValues { Array($0.utf8) }) > 10_000)
    for (file, text) in folder { #expect(text.split(separator: "\n").count > 3, "\(file.rawValue) has hardly a row") }
  }

  @Test(arguments: [ReportFile.load, .causes, .distribution, .hours, .asked])
  func everyFieldOfATable(_ file: ReportFile) throws {
    let folder = try Self.sample.get().texts
    let lines = try #require(folder[file]).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for row in Self.rows(of: lines, file) {
      let fields = lines[row].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      for column in fields.indices {
        for value in Self.values(at: row + column) where value != fields[column] {
          var (changed, spoiled) = (lines, fields)
          spoiled[column] = value
          changed[row] = spoiled.joined(separator: ",")
          var other = folder
          other[file] = changed.joined(separator: "\n")
          Self.check(other, file, "\(file.rawValue), line \(row + 1), column \(column + 1): \(value.prefix(40))")
        }
      }
    }
  }

  /// One row of each sort, as the word in it tells: the endpoint or the metric.
  private static func rows(of lines: [String], _ file: ReportFile) -> [Int] {
    let column: [ReportFile: Int] = [.load: 2, .causes: 2, .distribution: 1, .hours: 1, .asked: 1]
    let read = ["api", "edge", "runs_per_day", "data_age", "budget_exhausted_hour", "lateness"]
    var seen: Set<String> = []
    return lines.indices.dropFirst().filter { row in
      let fields = lines[row].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard let word = column[file].flatMap({ fields.indices.contains($0) ? fields[$0] : nil }) else { return false }
      return ([.hours, .asked].contains(file) || read.contains(word)) && seen.insert(word).inserted
    }
  }

  @Test(arguments: [ReportFile.manifest, .summaryDocument])
  func everyKeyOfADocument(_ file: ReportFile) throws {
    let folder = try Self.sample.get().texts
    let text = try #require(folder[file])
    var seen: [String: Int] = [:]
    for match in text.matches(of: #/"([a-z_0-9]+)": (-?[0-9][^,\s\]}]*|null|true|false|"[^"\\]*"|\[[^\]{]*\])/#) {
      seen[String(match.1), default: 0] += 1
      // Rows are alike: the first few of each key tell.
      guard let count = seen[String(match.1)], count <= 2 else { continue }
      let fraction = count == 1 ? "[\(Int64.max), 1e300]" : "[\(String(repeating: "9", count: 38)), 1]"
      for value in Self.values(at: seen.count + count) + [fraction] {
        var other = folder
        other[file] = text.replacingCharacters(in: match.2.startIndex..<match.2.endIndex, with: value)
        Self.check(other, file, "\(file.rawValue), \(match.1): \(value.prefix(40))")
      }
    }
    #expect(seen.count > 8)
  }
}
