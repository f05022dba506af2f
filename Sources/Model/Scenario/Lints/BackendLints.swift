import SimulationKernel

/// Lints about a base load that follows the hours of UTC although no phone is in a time zone near UTC (MODEL.md 6.2).
struct BaseLoadLints {
  let survey: FleetSurvey

  /// The maximum offset from UTC at which a time zone still roughly follows the hours of UTC.
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
        "the other traffic to endpoint \(endpoint.name.inQuotes) follows UTC hours, but all phones are "
          + "\(LintText.span(nearest)) or more away from UTC",
        note: "a daily mean, with UTC hours",
        help: "or hours: flat, if it is constant all day",
        numbers: ["nearest": (nearest.seconds, "s"), "rate": (load.rate, "1/s")],
        repairs: load.hours == .default
          ? [Lint.Repair(path: path.joined(separator: "."), value: "{rate: \(rate), zone: \(largest.name)}")] : [])
    }
  }
}

/// Lints about endpoints to which no widget sends requests.
struct EndpointLints {
  let scenario: Scenario

  /// Lints about listed endpoints without requests, with a fix if requests go to exactly one endpoint without settings.
  var requestLints: [Lint] {
    let asked = Set(scenario.kinds.flatMap { $0.requests + ($0.taps?.requests ?? []) }.map(\.endpoint))
    let bare = asked.filter { index in
      let name = scenario.endpoints[index].name
      return scenario.endpoints[index] == Endpoint.with { $0.name = name }
    }
    let other = bare.count == 1 ? bare.first : nil
    return scenario.endpoints.indices.filter { !asked.contains($0) }.map { index in
      let endpoint = scenario.endpoints[index]
      return Lint(
        .endpointWithoutRequests, at: ["backend", "endpoints", endpoint.name],
        "no widget sends requests to endpoint \(endpoint.name.inQuotes)", note: "not in any kind's requests",
        help: other.map { "unless \(scenario.endpoints[$0].name.inQuotes), which has no limits, is meant" }
          ?? "name it in a kind's requests, or remove it",
        numbers: [:], repairs: other.map { repairs($0, endpoint.name) } ?? [])
    }
  }

  /// Returns the changes that send the requests to another endpoint.
  private func repairs(_ index: Int, _ name: String) -> [Lint.Repair] {
    scenario.kinds.flatMap { kind in
      [("requests", kind.requests), ("taps.requests", kind.taps?.requests ?? [])].flatMap { key, requests in
        requests.indices.filter { requests[$0].endpoint == index }.map { request in
          Lint.Repair(path: "kinds.\(kind.name).\(key).\(request).endpoint", value: name)
        }
      }
    }
  }
}

/// Lints about goals that compare the load caused by phones with a limit for the load on the servers.
struct GoalLints {
  let survey: FleetSurvey
  private var scenario: Scenario { survey.scenario }

  /// Lints about goals that limit the requests of phones to a value between 50 and 100 % of the capacity although the
  /// load on the servers differs.
  ///
  /// The load on the servers is much smaller behind a CDN and larger if there is a base load (MODEL.md 6.2, 8).
  var goalLints: [Lint] {
    scenario.goals.enumerated().compactMap { number, goal in
      let endpoints = scenario.endpoints.filter { [$0.name, ""].contains(goal.figure.labels.endpoint) }
      guard endpoints.count == 1, let endpoint = endpoints.first, endpoint.cdn != nil || endpoint.baseLoad != nil,
        let capacity = endpoint.capacity, let metric = goal.figure.metric.ofServers,
        goal.comparison == .atMost || goal.comparison == .less, let limit = goal.limit.number,
        limit >= capacity / 2, limit <= capacity
      else { return nil }
      let name = goal.figure.metric.rawValue
      let text = goal.text.replacing(name, with: metric.rawValue, maxReplacements: 1)
      let (place, why) =
        endpoint.cdn == nil
        ? (
          "of the phones alone",
          "and the base load of \(LintText.rate(endpoint.baseLoad?.rate ?? 0)) comes on top of that"
        )
        : ("at the CDN", "and its CDN answers most of that")
      return Lint(
        .goalOfOtherLoad, at: ["goals", "\(number)", "assert"],
        "goal \(goal.id.inQuotes) compares the load \(place) with the server capacity: \(name) is what the phones "
          + "send to endpoint \(endpoint.name.inQuotes), \(why)",
        note: "capacity \(LintText.rate(capacity))", help: "that is the load at the servers, including base load",
        numbers: ["limit": (limit, "1/s"), "capacity": (capacity, "1/s")],
        repairs: [Lint.Repair(path: "goals.\(number).assert", value: "\"" + text + "\"")])
    }
  }

  /// Lints about goals for daily metrics in scenarios whose clock is shorter than a day.
  var dayLints: [Lint] {
    let duration = scenario.clock.duration
    guard duration < .day else { return [] }
    return scenario.goals.enumerated().compactMap { number, goal in
      guard goal.figure.unit.rawValue.hasSuffix("/period"), !goal.text.hasSuffix("/period") else { return nil }
      return Lint(
        .shortDay, at: ["goals", "\(number)", "assert"],
        "goal \(goal.id.inQuotes) is for a day, but the clock covers only \(LintText.span(duration)) of it",
        note: "judged on \(LintText.span(duration))", help: "the rest of the day may be quieter or busier",
        numbers: ["duration": (duration.seconds, "s")], repairs: [Lint.Repair(path: "clock.duration", value: "1d")])
    }
  }
}
