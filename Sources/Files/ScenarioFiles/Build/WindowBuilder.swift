import Scenario
import SimulationKernel

/// A builder for the named windows under `windows` and for the time windows of kinds.
struct WindowBuilder: PartBuilder {
  let draft: Draft

  /// Returns the named windows that have no problems.
  func windows() -> [NamedWindow] {
    let named = root.named("windows")
    if named.count > NamedWindow.maximum {
      problems.add(
        .tooBig, at: span(of: "windows", in: root), "there are \(named.count) windows; at most 8 are counted",
        note: "too many", help: "remove some")
      return []
    }
    return named.compactMap { pair, section in
      time(section).map { NamedWindow(name: pair.key, time: $0) }
    }
  }

  /// Returns the time of a window, which either recurs by the clock or occurs once, between two instants.
  private func time(_ section: Section) -> WindowTime? {
    if section.instant("from") == nil, section.instant("to") == nil { return clockTime(section) }
    guard let from = section.instant("from"), let to = section.instant("to") else {
      problems.add(
        .wrongShape, at: section.written("to")?.span ?? section.node?.span.narrow,
        "a window lies between two clock times or between two instants", note: "one of each",
        help: "give both a date, such as 2027-01-23T15:30:00Z")
      return nil
    }
    refuse(["days", "zone"], in: section, besides: "instants")
    guard from < to else {
      refuseOrder(section, "the window ends before it starts", help: "from must be the earlier instant")
      return nil
    }
    return WindowTime(once: from..<to)
  }

  private func clockTime(_ section: Section) -> WindowTime? {
    guard let from = section.time("from"), let to = section.time("to") else { return nil }
    if from == to {
      refuseOrder(section, "the window ends when it starts", help: "a whole day runs from 00:00 to 24:00")
    }
    return WindowTime(days: section.days("days") ?? [], from: from, to: to, zone: section.zone("zone"))
  }

  private func refuseOrder(_ section: Section, _ sentence: String, help: Help) {
    problems.add(
      .wrongOrder, at: section.written("to")?.span ?? section.node?.span.narrow, sentence, note: "an empty window",
      help: help)
  }

  /// Returns the time of a kind's window, which is given either directly or by the name of a window.
  func time(ofPolicy section: Section) -> (time: WindowTime, name: String?)? {
    guard let node = section.written("window"), let name = node.text else {
      return clockTime(section).map { ($0, nil) }
    }
    refuse(["days", "from", "to", "zone"], in: section, besides: "'window'", help: "the window has its own")
    if let window = draft.windows.first(where: { $0.name == name }) { return (window.time, name) }
    let names = root.named("windows").map(\.pair.key)
    // Problems in named windows have already been reported.
    if names.contains(name) { return nil }
    refuse(
      name, at: node.span, "window", note: "not under windows", among: names,
      otherwise: names.isEmpty
        ? "name it under windows: {\(name): {from: \"18:00\", to: \"23:00\"}}"
        : "windows are \(names.map(\.quoted).joined(separator: ", "))")
    return nil
  }
}
