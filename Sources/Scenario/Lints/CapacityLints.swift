import SimulationKernel

/// Dates that line devices up, and loads that the servers cannot take.
struct CapacityLints {
  let survey: FleetSurvey
  private var scenario: Scenario { survey.scenario }

  /// Dates by the clock: without jitter, when their plateau is above twice the mean and at least 1 request/s if all start
  /// within a minute (`AlignedPeak`; Apple, WWDC21 session 10048 at 766 s: add jitter to dates that devices share); with
  /// any, as long as the servers of the endpoint get more than they can take (`ServerForecast`).
  func alignmentLints(_ index: Int) -> [Lint] {
    guard let peak = survey.alignedPeak(index) else { return [] }
    let load = AlignedLoad(survey, peak)
    guard peak.isHerd && !load.isServed || load.isTooMuch else { return [] }
    let whose = peak.zone.map { ", in \($0) and zones with its clock" } ?? ""
    let spread = peak.jitter > 0 ? ", spread over \(LintText.span(seconds: peak.jitter))" : " at one instant"
    let (kind, advice) = (survey.kind(index), load.advice(index))
    return [
      Lint(
        .alignedDates, at: peak.path,
        "\(peak.date)\(whose), \(LintText.number(peak.widgets)) widgets of kind \(kind.name.inQuotes) are due"
          + "\(spread): \(load.words)",
        note: load.note, help: advice.words,
        numbers: [
          "widgets": (peak.widgets, "1"), "plateau": (peak.plateau, "1/s"), "width": (peak.width, "s"),
          "prompt": (peak.prompt ?? peak.plateau, "1/s"), "capacity": (load.endpoint.capacity ?? .infinity, "1/s"),
          "servers": (load.own?.worst.sum ?? .infinity, "1/s"),
        ], mends: advice.mends)
    ]
  }

  /// Endpoints whose servers cannot even take the mean of what widgets ask for and the base load of that hour.
  var capacityLints: [Lint] {
    scenario.endpoints.indices.compactMap { index in
      let endpoint = scenario.endpoints[index]
      guard endpoint.capacity != nil else { return nil }
      let mean = ServerForecast(survey, endpoint: index, herds: .spread)
      guard mean.isBeyond, mean.worst.fleet > 0 else { return nil }
      let advice = capacityAdvice(index, mean)
      return Lint(
        .meanBeyondCapacity, at: ["backend", "endpoints", endpoint.name, "capacity"],
        "endpoint \(endpoint.name.inQuotes) cannot serve what is asked of it, herds or not: "
          + "\(LintText.meanAndBase(mean, "exceed")) \(LintText.rate(mean.capacity))",
        note: "too little by \(LintText.rate(mean.worst.sum - mean.capacity))", help: advice.words,
        numbers: [
          "mean": (mean.worst.fleet, "1/s"), "base": (mean.worst.base, "1/s"), "capacity": (mean.capacity, "1/s"),
        ], mends: advice.mends)
    }
  }

  /// A longer interval of the kind that asks most.
  private func capacityAdvice(_ index: Int, _ mean: ServerForecast) -> LintAdvice {
    let loads = scenario.kinds.indices.map { ScheduleLoad.mean(of: $0, survey, endpoint: index) }
    let most = loads.indices.max { loads[$0] < loads[$1] }
    let advice = ScheduleAdvice(scenario, offsets: survey.offsets, endpoint: index)
    guard let most, let found = advice.interval(of: most) else {
      return LintAdvice("ask more rarely, or give it \(LintText.rate(mean.worst.sum)) and more")
    }
    return LintAdvice(survey, most, found.interval, jitter: found.jitter, "with that it fits")
  }
}

/// What falls to the servers when dates line devices up, under the scenario's own constants and under those of `prompt`.
private struct AlignedLoad {
  let survey: FleetSurvey
  let peak: AlignedPeak
  let endpoint: Endpoint
  /// nil: there is no capacity to hold it against.
  let own: ServerForecast?
  let prompt: ServerForecast?
  /// Without any herd.
  let spread: ServerForecast?

  init(_ survey: FleetSurvey, _ peak: AlignedPeak) {
    self.survey = survey
    self.peak = peak
    endpoint = survey.scenario.endpoints[peak.endpoint]
    let isLimited = endpoint.capacity != nil
    let forecast = { (survey: FleetSurvey, herds: ScheduleLoad.Herds) in
      isLimited ? ServerForecast(survey, endpoint: peak.endpoint, herds: herds) : nil
    }
    own = forecast(survey, .expected)
    prompt = forecast(FleetSurvey(of: survey.scenario.under(.prompt), offsets: survey.offsets), .expected)
    spread = forecast(survey, .spread)
  }

  private var worst: ServerForecast? { [own, prompt].compactMap { $0 }.max { $0.worst.sum < $1.worst.sum } }

  /// Whether the servers get more than they can take because of these dates.
  var isTooMuch: Bool {
    guard let worst, let spread, worst.exceeds else { return false }
    let share = max(peak.plateau, peak.prompt ?? 0) / max(worst.edge, 1e-9)
    return worst.worst.sum > 1.02 * spread.worst.sum && share > 0.05
  }

  /// Whether the servers take it all, however prompt the system is.
  var isServed: Bool { own?.fits == true && prompt?.fits == true }

  /// `about 1 110 requests/s to endpoint 'api' with this start delay, and 16 700 if ...`.
  var words: String {
    let isSooner = (peak.prompt ?? 0) > 1.1 * peak.plateau
    let promptly = " if the system starts all within a minute"
    guard let own, let prompt, isShared else {
      let to = endpoint.cdn == nil ? "to endpoint" : "at the CDN of endpoint"
      return "about \(LintText.rate(peak.plateau)) \(to) \(endpoint.name.inQuotes) with this start delay"
        + (isSooner ? ", and \(LintText.number(peak.prompt ?? 0))\(promptly)" : "")
    }
    let place =
      "at the servers of endpoint \(endpoint.name.inQuotes)"
      + (endpoint.baseLoad == nil ? "" : ", base load included")
    let edges = endpoint.cdn == nil ? ["", ""] : [own, prompt].map { " (\(LintText.number($0.edge)) at its CDN)" }
    return "about \(LintText.rate(own.worst.sum))\(edges[0]) \(place), with this start delay"
      + (isSooner ? ", and \(LintText.number(prompt.worst.sum))\(edges[1])\(promptly)" : "")
  }

  /// Whether more or less than these widgets' requests come to the servers.
  private var isShared: Bool {
    guard let own else { return false }
    return endpoint.cdn != nil || endpoint.baseLoad != nil || (own.worst.sum / peak.plateau - 1).magnitude > 0.05
  }

  var note: String {
    guard let worst, worst.exceeds else { return peak.jitter > 0 ? "too little jitter" : "no jitter" }
    let left = worst.worst.base > 0 ? ", \(LintText.number(max(worst.capacity - worst.worst.base, 0))) of it free" : ""
    return "capacity \(LintText.rate(worst.capacity))\(left): too little"
  }

  func advice(_ index: Int) -> LintAdvice {
    guard endpoint.capacity != nil, let spread else { return plainAdvice(index) }
    let advice = ScheduleAdvice(survey.scenario, offsets: survey.offsets, endpoint: peak.endpoint)
    if let jitter = advice.jitter(of: index, atLeast: .milliseconds(Int64(min(2 * width, peak.period) * 1_000))) {
      return LintAdvice(survey, [index], jitter: jitter, outcome(with: jitter, of: [index]))
    }
    let others = survey.datedKinds(at: peak.endpoint).filter { $0 != index }
    if !others.isEmpty, let jitter = advice.jitter(of: index, with: others) {
      return LintAdvice(survey, [index] + others, jitter: jitter, outcome(with: jitter, of: [index] + others))
    }
    let why =
      LintText.meanAndBase(spread, spread.isBeyond ? "exceed" : "leave")
      + (spread.isBeyond ? " " : " too little of ") + LintText.rate(spread.capacity)
    guard let found = advice.interval(of: index) else { return LintAdvice("no jitter suffices: " + why) }
    return LintAdvice(survey, index, found.interval, jitter: found.jitter, "no jitter suffices alone: " + why)
  }

  /// Over how long the system itself spreads them, in seconds.
  private var width: Double { peak.jitter > 0 ? 0 : peak.width }

  private func outcome(with jitter: TimeAmount, of kinds: [Int]) -> String {
    var scenario = survey.scenario.under(.prompt)
    for kind in kinds { scenario.spread(kind, over: jitter) }
    let load = ServerForecast(
      FleetSurvey(of: scenario, offsets: survey.offsets), endpoint: peak.endpoint, herds: .expected)
    let place = isShared ? " at the servers" + (endpoint.baseLoad == nil ? "" : ", base load included") : ""
    return "about \(LintText.rate(load.worst.sum))\(place), single seconds somewhat more, however prompt the system is"
  }

  /// Where nothing is known of what the servers can take: twice what the system does.
  private func plainAdvice(_ index: Int) -> LintAdvice {
    let choices = UsualSpan.all.filter { $0 >= .minutes(5) && $0.seconds < peak.period }
    guard
      let jitter = choices.first(where: { $0.seconds >= 2 * peak.width })
        ?? choices.last(where: { $0.seconds > peak.width })
    else { return LintAdvice("count from the end of the run (after: 1h), which lines nobody up") }
    let rate = LintText.rate(peak.requests / max(jitter.seconds, peak.width))
    return LintAdvice(
      survey, [index], jitter: jitter, "about \(rate), single seconds somewhat more, however prompt the system is")
  }
}

/// Values that mend it together, with what they bring.
struct LintAdvice {
  var words: String
  var mends: [ScheduleAdvice.Mend] = []

  init(_ words: String, _ mends: [ScheduleAdvice.Mend] = []) {
    self.words = words
    self.mends = mends
  }

  /// A jitter for some kinds, with what it brings.
  fileprivate init(_ survey: FleetSurvey, _ kinds: [Int], jitter: TimeAmount, _ outcome: String) {
    let mends = kinds.map { index in
      ScheduleAdvice.Mend(path: survey.path(index, "jitter", "up_to"), value: LintText.span(jitter))
    }
    self.init("that makes it " + outcome, mends)
  }

  /// A longer interval, with a jitter where dates follow the clock.
  fileprivate init(_ survey: FleetSurvey, _ index: Int, _ interval: TimeAmount, jitter: TimeAmount?, _ words: String) {
    var path = survey.path(index, phase: 0) + ["after"]
    if case .afterMultiple = survey.kind(index).phases[0].reload { path.append("every") }
    let spread = jitter.map {
      ScheduleAdvice.Mend(path: survey.path(index, "jitter", "up_to"), value: LintText.span($0))
    }
    self.init(words, [ScheduleAdvice.Mend(path: path, value: LintText.span(interval))] + (spread.map { [$0] } ?? []))
  }
}

extension FleetSurvey {
  /// Kinds with dates that follow the clock and requests to an endpoint.
  func datedKinds(at endpoint: Int) -> [Int] {
    scenario.kinds.indices.filter { index in
      let kind = kind(index)
      return kind.clockDate != nil && kind.requests.contains { $0.endpoint == endpoint }
    }
  }
}

extension LintText {
  /// `a mean of 1 570 requests/s and the base load of then, 1 200/s, exceed`, or `a mean of 1 570 requests/s alone exceeds`.
  static func meanAndBase(_ spread: ServerForecast, _ verb: String) -> String {
    let mean = "a mean of \(rate(spread.worst.fleet))"
    return spread.worst.base > 0
      ? "\(mean) and the base load of then, \(number(spread.worst.base))/s, \(verb)" : "\(mean) alone \(verb)s"
  }
}
