import FleetEngine
import FleetReports
import FuzzHarness
import ScenarioFiles
import SimulationKernel
import Testing

@testable import Studies

/// Reading run.bin files: the content that was written is read back, and nothing else is accepted.
struct RunFileTests {
  private static let sample = Result { try SmallFolder().results }

  private func read(_ bytes: [UInt8], version: String = "1") throws(StoredFileError) -> RunFile {
    try RunFile(bytes, version: version) { text in
      ScenarioReader.read(text: Array(text.utf8), fileName: "a").scenario
    }
  }

  private func refusal(_ bytes: [UInt8], version: String = "1") -> String? {
    do { _ = try read(bytes, version: version) } catch { return error.sentence }
    return nil
  }

  @Test func runFileRoundTrips() throws {
    let written = try Self.sample.get()
    let read = try read(written.bytes)
    #expect(read.bytes == written.bytes)
    #expect(read.content.run == written.content.run)
    #expect(read.content.summary == written.content.summary)
    #expect(read.content.goals == written.content.goals && !read.content.goals.isEmpty)
    #expect(read.content.trials == written.content.trials)
    #expect(read.content.phones == written.content.phones && read.content.phones.count == 3)
    #expect(read.distributions == written.distributions && !read.distributions.histograms.isEmpty)
    #expect(reportPage(of: read.content) == reportPage(of: written.content))
  }

  /// Flipped bits are found: all of those in the header and checksum, and some of those in the fields.
  @Test func flippedBitsAreFound() throws {
    let bytes = try Self.sample.get().bytes
    let places = Array(0..<40) + stride(from: 40, to: bytes.count - 32, by: 997) + Array(bytes.count - 32..<bytes.count)
    for place in places {
      for bit in 0..<8 {
        var spoiled = bytes
        spoiled[place] ^= 1 << bit
        #expect(refusal(spoiled) != nil, "bit \(bit) of byte \(place)")
      }
    }
  }

  @Test func cutFilesAreRefused() throws {
    let bytes = try Self.sample.get().bytes
    for count in Array(0..<60) + stride(from: 60, to: bytes.count, by: 1_009) + [bytes.count - 1] {
      #expect(refusal(Array(bytes.prefix(count))) != nil, "\(count) bytes")
    }
    #expect(refusal(bytes + [0])?.contains("is damaged") == true)
  }

  /// The checksum is verified, then the content: another version, another format, missing fields.
  @Test func runFileProblemsAreNamed() throws {
    let results = try Self.sample.get()
    #expect(
      refusal(results.bytes, version: "2")
        == "was written by widgetfleet 1, but this is 2: run the scenario again")
    let other = Array(String(decoding: results.bytes.prefix(18), as: UTF8.self).replacing("v2", with: "v9").utf8)
    #expect(
      refusal(other + results.bytes.dropFirst(18))
        == "has format 'widgetfleet.run/v9', which this version cannot read: run the scenario again")
    #expect(refusal([]) == "is not a run file")
    #expect(refusal(Array("PK\u{3}\u{4}\n\n".utf8)) == "is not a run file")
    let empty = RunFile.sealed([], version: "1")
    #expect(refusal(empty) == "is damaged: it contains bytes that were not written to it")
    #expect(refusal(RunFile.sealed(results.fields + [0], version: "1"))?.contains("is damaged") == true)
    var goalless = results
    goalless.content.provenance = Provenance(version: "1", resolvedScenario: "schema: widgetfleet/v1\n")
    #expect(refusal(goalless.bytes) == "is damaged: it contains an invalid scenario")
  }

  /// Values that no run has are refused even under a valid checksum.
  @Test(arguments: Change.all) func impossibleStoredValuesAreRefused(_ change: Change) throws {
    var results = try Self.sample.get()
    change.apply(&results)
    let sentence = refusal(results.bytes)
    #expect(sentence?.contains(change.says) == true, "\(sentence ?? "read")")
  }

  struct Change: Sendable, CustomTestStringConvertible {
    let says: String
    let apply: @Sendable (inout RunFile) -> Void

    var testDescription: String { says }

    private static let misfit = "steps or minutes from another scenario"

    static let all = [
      Change(says: "a sample from another") { $0.content.run.devicesSimulated += 1 },
      Change(says: misfit) { $0.content.run.replications[0].load[0].arrivals.append(0) },
      Change(says: misfit) { $0.content.run.replications[1].load.removeLast() },
      Change(says: misfit) { $0.content.run.replications[0].load[0].failures[3] = 1 << 40 },
      Change(says: misfit) { $0.content.run.replications[0].minutes[0].endpoint = 7 },
      Change(says: misfit) { $0.content.run.replications[0].minutes[0].minute = -1 },
      Change(says: "counts that do not agree") { $0.content.run.replications[0].minutes[0].requests += 1 },
      Change(says: "counts that do not agree") { results in
        for index in 0..<2 { results.content.run.replications[index].load[0].arrivals[0] += 1 << 61 }
        for index in 0..<2 { results.content.run.replications[index].minutes[0].requests += 1 << 61 }
      },
      Change(says: "an impossible number of replications") { $0.content.run.replications = [] },
      Change(says: "a group from another scenario") { $0.content.run.groups[0].kind = 1 },
      Change(says: "hours from another scenario") { $0.content.run.hours[23].kind = 1 },
      Change(says: "an end before its start") { results in
        results.content.run.eventSpans = [EventSpan(event: 0, from: .start + .minute, to: .start)]
      },
      Change(says: "hours out of order") { $0.content.run.hours.removeLast() },
      Change(says: "refreshes that no policy requests") { $0.content.run.asked[0].perDay.removeLast() },
      Change(says: "bounds for other replications") { $0.content.summary.rows[0].bounds = [nil] },
      Change(says: "a precision") { $0.content.precision = RequiredPrecision(share: 0, maxReplications: 3) },
      Change(says: "a goal missing") { $0.content.goals[0].goal.id = "other" },
      Change(says: "outages from another run") { results in
        results.content.trials.withoutOutages = [EndpointTries(endpoint: 0, minutes: [])]
      },
      Change(says: "more rows than devices") { $0.content.rowSample = -1 },
      Change(says: "an impossible load") { $0.content.run.replications[0].load[0].queue[0].backlog = -2 },
      Change(says: "an impossible figure") { $0.content.run.replications[0].load[0].queue[0].reached = .infinity },
    ]
  }
}
