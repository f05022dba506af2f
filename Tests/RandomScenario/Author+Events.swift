/// Pushes, outages, updates, system changes and views in the gallery.
extension Author {
  mutating func events() -> Tree {
    .list(
      (0...dice.below(5)).map { number in
        var fields = Fields()
        fields["name"] = .quoted("event \(number)")
        event(&fields)
        return fields.tree
      })
  }

  private mutating func event(_ fields: inout Fields) {
    let action = dice.pick(["push", "push", "outage", "app_update", "system_change", "reboot", "gallery"])
    var part = Fields()
    var (isRated, isPaced) = (false, false)
    switch action {
    case "push": isRated = push(&part)
    case "outage": outage(&part)
    case "app_update": if dice.oneIn(2) { part["over"] = duration(seconds: 0...70_000) }
    case "gallery":
      if dice.oneIn(2) { part["over"] = duration(seconds: 0...7_200) }
      if dice.oneIn(2) { part["network"] = share() }
    default: break
    }
    if action != "outage", dice.oneIn(2) { part["audience"] = audience() }
    if action == "push", !isRated, part["over"] == nil, dice.oneIn(3) {
      part["sender"] = .map([("rate", .plain(dice.pick(["0.5/s", "30/min", "4k/s"])))])
      isPaced = true
    }
    if !isRated { time(&fields, hasOneZone: action == "outage" || isPaced) }
    fields[action] = part.tree
  }

  /// Draws a push.
  ///
  /// - Returns: whether each device gets its own pushes.
  private mutating func push(_ part: inout Fields) -> Bool {
    let isWidget = takesWidgetPushes && dice.oneIn(3)
    part["type"] = isWidget ? "widget" : "silent"
    if !isWidget {
      part["kinds"] = someKinds()
      for key in ["clears_cache", "fills_cache", "restarts"] where dice.oneIn(3) { part[key] = flag() }
      // The first cohort always exists.
      if dice.oneIn(4) { part["cohorts"] = .list([.quoted(Self.cohorts[0])]) }
    }
    if dice.oneIn(2) {
      part["per_device_per_day"] = number(0...30)
      return true
    }
    if dice.oneIn(2) { part["over"] = duration(seconds: 0...14_400) }
    return false
  }

  private mutating func outage(_ part: inout Fields) {
    part["endpoint"] = .quoted(endpointInUse)
    part["for"] = duration(seconds: 1...40_000)
    if dice.oneIn(2) { part["errors"] = share() }
    if limits, dice.oneIn(2) { part["capacity"] = .plain(dice.pick(["0/s", "5/min"])) }
  }

  private mutating func audience() -> Tree {
    if dice.oneIn(2) { return share() }
    let group = dice.pick(Self.groups)
    return .map([("of", .quoted(group.0)), ("share", .plain(group.1))])
  }

  /// Draws an instant in the first day or the warm-up, or a clock time that applies every day.
  private mutating func time(_ fields: inout Fields, hasOneZone: Bool) {
    if dice.oneIn(2) {
      fields["at"] = clockTime()
      fields["zone"] = hasOneZone ? .plain(dice.pick(Self.zones)) : zoneOrLocal()
    } else {
      let date = day.1 - (warmupDays > 0 ? dice.below(2) : 0)
      fields["at"] = .plain(day.0 + two(date) + "T" + two(dice.from(2...22)) + ":\(dice.from(10...59)):00Z")
    }
  }
}
