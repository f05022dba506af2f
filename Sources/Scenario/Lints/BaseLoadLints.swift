import SimulationKernel

/// Other traffic that follows the hours of UTC where nobody lives by them (MODEL.md 6.2).
struct BaseLoadLints {
  let survey: FleetSurvey

  /// Zones up to this far from UTC live by about its hours.
  private static let near = TimeAmount.hours(2)

  var zoneLints: [Lint] {
    let zones = survey.scenario.fleet.cohorts.flatMap { cohort in
      cohort.zones.map { (name: $0.value, phones: $0.weight * cohort.share.fraction) }
    }.filter { $0.phones > 0 }
    let distance = { (zone: String) in TimeAmount.milliseconds(abs((survey.offsets[zone] ?? .zero).milliseconds)) }
    guard let largest = zones.max(by: { $0.phones < $1.phones }), let nearest = zones.map({ distance($0.name) }).min(),
      nearest >= Self.near
    else { return [] }
    return survey.scenario.endpoints.compactMap { endpoint in
      guard let load = endpoint.baseLoad, load.rate > 0, load.zone == "UTC", load.hours != .flat else { return nil }
      let path = ["backend", "endpoints", endpoint.name, "base_load"]
      let rate = PlainNumbers.text(shifting: load.rate, by: 0) + "/s"
      return Lint(
        .baseLoadElsewhere, at: path,
        "the other traffic of endpoint \(endpoint.name.inQuotes) follows the hours of UTC, and all phones live "
          + "\(LintText.span(nearest)) or more from there",
        note: "a mean over the day, in UTC",
        help: "or hours: flat, where it is the same all day",
        numbers: ["nearest": (nearest.seconds, "s"), "rate": (load.rate, "1/s")],
        mends: load.hours == .default
          ? [Lint.Mend(path: path.joined(separator: "."), value: "{rate: \(rate), zone: \(largest.name)}")] : [])
    }
  }
}
