import SimulationKernel
import Studies

extension LoadMetrics {
  /// The series in OpenMetrics 1.0 text format, with timestamps in simulated time.
  package var openMetrics: [UInt8] {
    var text = TextBuffer()
    for (family, series) in families {
      text.append("# TYPE \(family.rawValue) \(family.isCounter ? "counter" : "gauge")\n")
      text.append("# HELP \(family.rawValue) \(family.help)\n")
      for one in series {
        let labels = one.labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
        let head = "\(family.series){\(labels)} "
        for sample in one.samples {
          text.append(head)
          text.append(sample.value)
          text.append(" " + stamp(sample.at) + "\n")
        }
      }
    }
    text.append("# EOF\n")
    return text.bytes
  }

  /// Returns an instant in seconds since 1970, with milliseconds unless it is a whole number of seconds.
  private func stamp(_ instant: Instant) -> String {
    let milliseconds = scenario.clock.startUnixMilliseconds + instant.millisecondsSinceStart
    let seconds = milliseconds.floorDivided(by: 1_000)
    let rest = milliseconds - seconds * 1_000
    return rest == 0 ? "\(seconds)" : "\(seconds)." + String(String(1_000 + rest).dropFirst())
  }

  /// Returns a label value escaped for use between quotes.
  static func escaped(_ value: String) -> String {
    value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }
}
