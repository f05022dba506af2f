import Scenario
import SimulationKernel

/// What followed widgets did, counted by where their time goes, by local hour, and beside all others (MODEL.md 8.3).
extension CountCheck {
  func follow(_ group: GroupResult) -> [String?] {
    let (followed, place) = (group.followed, ", " + name(group))
    let hours = followed.hours
    func sum(_ count: (HourResult) -> Int64) -> Int128 { hours.reduce(Int128(0)) { $0 + Int128(count($1)) } }
    let runs = Int128(followed.policyRuns) + Int128(followed.otherRuns)
    let pushes =
      [
        within("waits for a push's first view among the pushes" + place, followed.pushes.waits, followed.pushes.pushes)
      ]
      + followed.eventPushes.map { event in
        same(
          "pushes of \(scenario.events[event.event].name) and waits for them" + place, Int128(event.pushes.pushes),
          Int128(event.pushes.waits))
      }
    let own =
      pushes + [
        same("time of followed widgets and its parts" + place, Int128(followed.milliseconds), followed.sumOfParts),
        same("time of followed widgets and its hours" + place, Int128(followed.milliseconds), sum(\.milliseconds)),
        same("runs of followed widgets and those by hour" + place, runs, sum(\.runs)),
      ]
    // Where all phones are followed, their counts are those of all.
    guard followed.milliseconds > 0, followed.milliseconds == group.milliseconds else { return own }
    return own + [
      same("runs and those by hour" + place, Int128(group.runs.reduce(0, +)), sum(\.runs)),
      same("views and those by hour" + place, Int128(group.views), sum(\.views)),
      same("stale views and those by hour" + place, Int128(group.staleViews), sum(\.staleViews)),
      same("views of data and those by hour" + place, Int128(group.dataAge.total), sum(\.agedViews)),
      same("the ages of data and those by hour" + place, group.dataAge.sumMilliseconds, sum128(hours)),
    ]
  }

  private func sum128(_ hours: [HourResult]) -> Int128 { hours.reduce(Int128(0)) { $0 + $1.ageMilliseconds } }
}
