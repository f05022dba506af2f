internal import CDygraphs
import FleetEngine
import Scenario
import SimulationKernel
import Studies

/// A load in the form that the page's script reads: either single windows, or slices of windows with their minimum and
/// maximum.
struct ZoomSeries {
  private let figure: LoadPlot
  private let title: String
  /// The number of windows that one point represents.
  private let slice: Int
  /// The rows of whole numbers, with one element per point. They contain the load of each point, or the minimum, sum
  /// and maximum of each slice's windows.
  private let rows: [[Int64]]
  /// The number of windows over which each sum is taken.
  private let summands: Int

  /// The maximum number of characters for the series of a page's first figure. It is usually enough for every second of
  /// a day.
  static let budget = 110_000
  /// The maximum number of characters for the series of all folded figures, in addition to any characters that the
  /// first figure does not use.
  static let budgetOfParts = 24_000

  /// Returns the number of characters available to each figure.
  static func part(of budget: Int, among figures: Int) -> Int { budget / max(figures, 1) }

  /// Creates the series with the finest slices whose text fits into the budget; `nil` if there is no load.
  init?(_ figure: LoadPlot, title: String, budget: Int) {
    guard let count = figure.loads.first?.counts.count, count > 1, figure.peak.map({ $0.rate > 0 }) ?? false else {
      return nil
    }
    for slice in [1, 2, 5, 10, 20, 60, 120, 300, 600, 3_600] where slice == 1 || count / slice >= 1 {
      let rows = Self.rows(figure.loads, slice)
      guard rows.reduce(0, { $0 + DeltaText.length($1) }) <= budget else { continue }
      (self.figure, self.title, self.slice, self.rows) = (figure, title, slice, rows)
      summands = slice * figure.loads.count
      return
    }
    return nil
  }

  private static func rows(_ loads: [WindowedLoad], _ slice: Int) -> [[Int64]] {
    if loads.count == 1, slice == 1 { return [loads[0].counts] }
    let count = loads[0].counts.count
    var (lows, sums, highs) = ([Int64](), [Int64](), [Int64]())
    for start in stride(from: 0, to: count, by: slice) {
      let range = start..<min(start + slice, count)
      var (low, sum, high) = (Int64.max, Int64(0), Int64(0))
      for load in loads {
        for index in range {
          let value = load.counts[index]
          low = min(low, value)
          high = max(high, value)
          sum += value
        }
      }
      lows.append(low)
      highs.append(high)
      // The sum of a shorter last slice is scaled up so that the same divisor applies to all slices.
      sums.append(sum * Int64(slice) / Int64(range.count))
    }
    return [lows, sums, highs]
  }

  /// The highest value of any point, before scaling.
  var highest: Int64 { rows.last?.max() ?? 0 }

  /// The length of the series as text, in characters.
  var length: Int { rows.reduce(0) { $0 + DeltaText.length($1) } }

  /// The data for the script, escaped so that it cannot close the enclosing element.
  var text: String { Self.text(of: shared + own) }

  /// Returns several runs of the same period as data for the script, which draws each run in its own colour.
  ///
  /// - Parameter limitsDiffer: whether the runs have different capacities, each of which is then drawn in the colour of
  ///   its run.
  static func text(of runs: [Run], limitsDiffer: Bool) -> String? {
    guard let highest = runs.max(by: { $0.series.peakRate < $1.series.peakRate }) else { return nil }
    let marks = runs.flatMap(\.series.figure.marks).withoutRepetitions
    let documents = runs.map { run in
      JSONValue.object(
        [
          ("name", .string(harmless(run.name))), ("colour", .string(run.colour)),
          ("limit", .string(limitsDiffer ? run.colour : "--mark")),
        ] + run.series.own)
    }
    return text(
      of: highest.series.shared(marks, peakOf: highest.name + ", ") + [("runs", .array(documents))])
  }

  /// The load of one of several runs, as data for the script.
  struct Run {
    var name: String
    /// The CSS custom property for the run's colour.
    var colour: String
    var series: ZoomSeries
  }

  private var peakRate: Double { figure.peak?.rate ?? 0 }

  static func text(of members: JSONValue.Members) -> String { text(of: .object(members)) }

  /// Returns data for the script, escaped so that it cannot close the enclosing element.
  static func text(of document: JSONValue) -> String {
    let bytes = document.bytes(lines: 0)
    let text = String(decoding: bytes, as: UTF8.self)
    // Checking the bytes first is fast. The text makes up most of the page, and only names can contain these
    // characters.
    guard bytes.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "&") })
    else { return text }
    return text.replacing("<", with: "\\u003c").replacing(">", with: "\\u003e").replacing("&", with: "\\u0026")
  }

  private var shared: JSONValue.Members { shared(figure.marks, peakOf: "") }

  /// Returns the members that all runs of a figure share. The peak is the highest peak of all runs.
  private func shared(_ marks: [EventMark], peakOf name: String) -> JSONValue.Members {
    guard let load = figure.loads.first, figure.peak != nil else { return [] }
    let owner =
      figure.estimate.map {
        " for the fleet over \(TimeText.span($0.window.length)), estimated; the sample's own peak is"
      }
      ?? ""
    let text =
      NumberText.text(figure.peakRate) + " requests per second\(owner) at"
    return [
      ("title", .string(Self.harmless(title))), ("start", .integer(Int128(figure.clock.startUnixMilliseconds))),
      ("window", .integer(Int128(load.window.length.milliseconds))),
      ("peak_text", .string(Self.harmless(name + text))), ("marks", .array(marks.map(document))),
    ]
  }

  private var own: JSONValue.Members {
    [
      ("slice", .integer(Int128(slice))), ("factor", .number(figure.rate(1))),
      ("summands", .integer(Int128(summands))),
      ("peak", .integer(Int128(((figure.peak?.start ?? .start) - .start).milliseconds))),
      ("peak_label", .string(figure.peakName())), ("estimate", estimate),
      ("series", .array(rows.map { .string(DeltaText.text($0)) })),
      ("capacity", capacity),
    ] + LoadLayers(figure).members + (figure.unknown.isEmpty ? [] : [("unknown", unknown)])
  }

  /// The fleet's peak and its interval if a sample is drawn; empty otherwise.
  private var estimate: JSONValue {
    .array(
      figure.estimate.map { [$0.interval.low, $0.rate, $0.interval.high].map { .number(significant($0)) } } ?? [])
  }

  /// The ranges of points without data. Each range is given by its first point and the point after its last point.
  private var unknown: JSONValue {
    .array(
      figure.unknown.map { windows in
        let end = (windows.upperBound + slice - 1) / slice
        return .array([.integer(Int128(windows.lowerBound / slice)), .integer(Int128(end))])
      })
  }

  /// The points at which the capacity changes, each with the new capacity; empty if the capacity is not drawn.
  private var capacity: JSONValue {
    guard figure.showsCapacity else { return .array([]) }
    var changes: [JSONValue] = []
    var last: Double?
    for (point, start) in stride(from: 0, to: figure.room.count, by: slice).enumerated() {
      let room = figure.room[start..<min(start + slice, figure.room.count)].min() ?? .infinity
      guard room != last else { continue }
      last = room
      changes.append(.array([.integer(Int128(point)), .number(significant(room))]))
    }
    return .array(changes)
  }

  private func document(_ mark: EventMark) -> JSONValue {
    .object([
      ("name", .string(Self.harmless(mark.name))), ("from", .integer(Int128((mark.from - .start).milliseconds))),
      ("to", .integer(Int128((mark.to - .start).milliseconds))),
    ])
  }

  static func harmless(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0.isHidden ? "\u{FFFD}" : $0 }))
  }
}

/// A text encoding of whole numbers. The difference between consecutive numbers is written as letters, the last of
/// which is one of the first 70 letters.
///
/// The letters are all printable ASCII characters, except five that have a special meaning in JSON or HTML. A
/// difference of less than 36 takes one letter. In longer codes, each letter before the last is a base-20 digit.
enum DeltaText {
  static let letters = (UInt8(ascii: " ")...UInt8(ascii: "~")).filter { !"\"&<>\\".utf8.contains($0) }
  /// The number of letters that can end a code, and the number of letters that can precede the last one.
  private static let (last, before): (UInt64, UInt64) = (70, 20)

  static func text(_ values: [Int64]) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(values.count * 2)
    forEachCode(values) { code in
      var rest = code
      while rest >= last {
        bytes.append(letters[Int(last + rest % before)])
        rest /= before
      }
      bytes.append(letters[Int(rest)])
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the length of the encoded values, in characters.
  static func length(_ values: [Int64]) -> Int {
    var length = 0
    forEachCode(values) { code in
      var rest = code
      while rest >= last {
        length += 1
        rest /= before
      }
      length += 1
    }
    return length
  }

  /// Calls `body` with the code of each difference. The lowest bit of a code is the sign.
  private static func forEachCode(_ values: [Int64], _ body: (UInt64) -> Void) {
    var last: Int64 = 0
    for value in values {
      let difference = value - last
      last = value
      body(UInt64(bitPattern: difference << 1 ^ difference >> 63))
    }
  }
}

/// The layers behind and below a load, which are the base load and the phones' requests. They have fewer points than
/// the load in the script's data.
struct LoadLayers {
  private let figure: LoadPlot

  /// The maximum number of points per layer. Charts are rarely wider than this number of pixels.
  static let maximum = 1_440
  /// The number of steps into which the range from 0 to the highest value is divided.
  private static let steps = 4_096.0

  init(_ figure: LoadPlot) { self.figure = figure }

  /// The members that describe the layers in the script's data; empty if there are no layers.
  var members: JSONValue.Members {
    let highest = max(figure.base.max() ?? 0, figure.edge.max() ?? 0)
    guard highest > 0, let load = figure.loads.first else { return [] }
    let slice = (load.counts.count + Self.maximum - 1) / Self.maximum
    let mean = { (values: ArraySlice<Double>) in values.reduce(0, +) / Double(values.count) }
    let text = { (values: [Double], choose: (ArraySlice<Double>) -> Double) -> JSONValue in
      let points = stride(from: 0, to: values.count, by: slice).map { start in
        Int64((choose(values[start..<min(start + slice, values.count)]) / highest * Self.steps).rounded())
      }
      return .string(DeltaText.text(points))
    }
    return [
      (
        "layers",
        .object([
          ("step", .integer(Int128(load.window.length.milliseconds) * Int128(slice))),
          ("unit", .number(significant(highest / Self.steps))), ("base", text(figure.base, mean)),
          ("edge", text(figure.edge) { $0.max() ?? 0 }), ("shows_edge", .boolean(figure.showsEdge)),
        ])
      )
    ]
  }
}

/// The chart library, which is included in pages with a zoomable figure.
enum Dygraphs {
  /// The library's script without its source map line, so that browsers do not fetch the source map.
  static let script: String = {
    let bytes = UnsafeBufferPointer(start: wf_dygraphs_bytes(), count: wf_dygraphs_count())
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let kept = lines.filter { !$0.starts(with: "//# sourceMappingURL".utf8) }
    return String(decoding: Array(kept.joined(separator: "\n".utf8)), as: UTF8.self)
  }()
}
