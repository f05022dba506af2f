import Studies

/// The load duration curve over a logarithmic share of the time: the rarest, highest loads on the left.
struct CurveFigure: Drawing {
  /// Rates in ascending order.
  var ascending: [Double]

  /// Points drawn per tenth of the time, and the factor between them: the 32nd root of a tenth.
  private static let perDecade = 32
  private static let factor = 0.930_572_040_929_699

  /// Decades of time from the whole period down to one window.
  private var decades: Int {
    var decades = 1
    var count = 10
    while count < ascending.count, decades < 9 {
      count *= 10
      decades += 1
    }
    return decades
  }

  /// From the rarest to the most usual: each height is the highest load of its slice, so that the peak is on the left.
  private var heights: [Double] {
    var share = 1.0
    let points = decades * Self.perDecade
    let shares = (0..<points).map { _ in
      share *= Self.factor
      return share
    }
    return shares.reversed().enumerated().map { index, share in
      let rank = index == 0 ? 0 : Int(share * Double(ascending.count))
      return ascending[max(ascending.count - 1 - rank, 0)]
    }
  }

  var readings: Readings? {
    guard !ascending.isEmpty else { return nil }
    let points = decades * Self.perDecade
    return Readings(
      columns: ["share of the time", "requests/s or more"],
      rows: heights.enumerated().map { index, height in
        let share = (index..<points).reduce(1.0) { share, _ in share * Self.factor }
        return (
          (Double(index) + 0.5) / Double(points), [.text(NumberText.percent(share) + " of the time"), .number(height)]
        )
      })
  }

  func draw(_ canvas: Canvas) -> [Markup] {
    guard let peak = ascending.last else { return [] }
    let axis = Axis(reaching: peak)
    let points = decades * Self.perDecade
    let tops = heights.map { canvas.y(axis.fraction($0)) }
    let places = (0...points).map { canvas.x(Double($0) / Double(points)) }
    return axis.rows(canvas, unit: "requests/s") + [
      .path("band", StepPath.area(places, upper: tops, lower: tops.map { _ in canvas.y(0) })),
      .path("mean", StepPath.line(places, tops)),
    ] + labels(canvas)
  }

  private func labels(_ canvas: Canvas) -> [Markup] {
    let names = (0...decades).map { decade -> String in
      let percent = (0..<(decades - decade)).reduce(100.0) { value, _ in value / 10 }
      return NumberText.trimmed(NumberText.fixed(percent, decimals: 7)) + "%"
    }
    return names.enumerated().flatMap { decade, name in
      canvas.columnTick(canvas.x(Double(decade) / Double(decades)), name, room: 18)
    } + [axisTitle(canvas, "share of the time with at least this load")]
  }
}
