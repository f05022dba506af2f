extension KeyTable {
  static let fleetKeys: [KeyEntry] =
    [
      .key("fleet", .mapping, .required, "the devices and their owners"),
      .key(
        "fleet.devices", \Fleet.devices, as: .count, .required, "devices that have at least one of these widgets"
      ).from("1", to: "1G"),
      .key(
        "fleet.growth_per_day", \Fleet.growthPerDay, .absent,
        "daily growth of the fleet over the measured period; negative: it shrinks"
      ).from("-50%", to: "100%"),
      .key(
        "fleet.day_factor", .oneOf([.number, .mapping]), .absent, "day-to-day variation shared by all users"
      ).from("0", to: "1").shorthand("sigma"),
      .key(
        "fleet.day_factor.sigma", \Fleet.dayFactorSigma, as: .number, .required,
        "standard deviation of the log of the daily factor (lognormal, mean 1)"
      ).from("0", to: "1"),
      .key("fleet.cohorts", .list, .required, "groups of devices with the same habits; shares add up to 100 %"),
      .key("fleet.cohorts.*", .mapping, .absent, "one cohort").noun("cohort"),
      .key("fleet.cohorts.*.name", .label, .required, "name used in results"),
      .key("fleet.cohorts.*.share", .share, .absent, "share of the fleet; 100% for a single cohort"),
      .key("fleet.cohorts.*.zones", .shares(of: .zone), .required, "IANA zones with shares"),
      .key("fleet.cohorts.*.phones", .shares(of: .phone), .value("{iphone-15: 100%}"), "phone models with shares"),
      .key(
        "fleet.cohorts.*.os", .words(Preset.allCases.map(\.rawValue)), .absent,
        "preset for this cohort; keys under os override it"),
    ] + personKeys + networkKeys + powerKeys + widgetKeys

  private static let person = "fleet.cohorts.*.person"

  private static let personKeys: [KeyEntry] = [
    .key(person, .mapping, .absent, "the owners' habits"),
    .key(
      person + ".unlocks_per_day", \Person.unlocksPerDay, .value("{lognormal: {median: 60, sigma: 0.55}}"),
      "daily unlocks, drawn once per device"
    ).from("0", to: "10000").per("per day"),
    .key(
      person + ".day_variation", \Person.dayVariation, as: .oneOf([.words(["none"]), .number]),
      "shape of the gamma-distributed daily factor"
    ).from("0.01", to: "1000000"),
    .key(
      person + ".hours", hours, .value("default"), "weights for local hours 0..23, interpolated between mid-hours"
    )
    .from("0", to: "1000000"),
    .key(
      person + ".peak", .timeOfDay, .absent,
      "instead of hours: the default hours, shifted so that this one is the busiest"),
    .key(
      person + ".session", \Person.session, .value("{lognormal: {median: 60s, sigma: 1.2}}"),
      "length of a session, from unlock to lock"),
    .key(person + ".glances_per_unlock", \Person.glancesPerUnlock, "glances at the lock screen per unlock").from(
      "0", to: "1000"),
    .key(
      person + ".home_visits", \Person.homeVisits, "mean number of further home screen visits (Poisson)"
    ).from("0", to: "700"),
    .key(
      person + ".background_refresh_off", \Person.refreshOff,
      "share of users without Background App Refresh: no silent pushes, no background-refresh"),
    .key(
      person + ".force_quit", \Person.forceQuit, "share of users who always force-quit the app, with the same effect"),
    .key(
      person + ".next_page", .values(of: .share, count: 2), .value("[25%, 50%]"),
      "probability of swiping on from page 1, and from any later page"),
  ]

  private static let network = "fleet.cohorts.*.network"

  private static let networkKeys: [KeyEntry] = [
    .key(
      network, .oneOf([.radio, .mapping]), .absent,
      "a fixed radio (wifi, a cellular profile or one under radios), or how wifi and cellular alternate"),
    .key(
      network + ".wifi", .oneOf([.share, .values(of: .share, count: 24)]), .value("63%"),
      "share of time on wifi, or 24 shares by local hour"),
    .key(network + ".dwell", \Roaming.dwell, "mean time between draws of the interface").from("1s", to: "400d"),
    .key(network + ".cellular", .radio, .value("lte-2021-vz"), "radio profile when not on wifi"),
    .key(network + ".offline", .mapping, .absent, "periods without a network"),
    .key(network + ".offline.share", \Roaming.offlineShare, "share of time offline").upTo("99%"),
    .key(network + ".offline.mean", \Roaming.offlineMean, "mean length of a period").from("1s", to: "400d"),
  ]

  private static let power = "fleet.cohorts.*.power"

  private static let powerKeys: [KeyEntry] = [
    .key(power, .oneOf([.words(["mains"]), .mapping]), .absent, "charging habits; mains: always charging"),
    .key(power + ".overnight", \BatteryHabits.overnight, "share of nights on the charger"),
    .key(power + ".health", \BatteryHabits.health, "remaining battery capacity").from("1%"),
    .key(power + ".low_power_mode", \BatteryHabits.lowPowerMode, "probability of Low Power Mode below 20 % charge"),
  ]

  private static let widgets = "fleet.cohorts.*.widgets"

  private static let widgetKeys: [KeyEntry] = [
    .key(widgets, .list, .required, "widgets that devices may have on their screens; may be empty: []"),
    .key(widgets + ".*", .mapping, .absent, "a widget or a smart stack").noun("widget"),
    .key(widgets + ".*.kind", .kind, .absent, "kind of the widget"),
    .key(widgets + ".*.family", .words(families), .value("small"), "widget size"),
    .key(widgets + ".*.page", .integer, .value("1"), "home screen page").from("1", to: "15"),
    .key(widgets + ".*.place", .words(["lock-screen"]), .absent, "lock-screen instead of a page"),
    .key(widgets + ".*.share", .share, .value("100%"), "share of devices that have it"),
    .key(widgets + ".*.stack", .list, .absent, "a smart stack instead of a single widget"),
    .key(widgets + ".*.stack.*", .mapping, .absent, "a member of the stack").noun("stack member"),
    .key(widgets + ".*.stack.*.kind", .kind, .absent, "kind of the member"),
    .key(widgets + ".*.stack.*.family", .words(families), .value("small"), "widget size"),
    .key(widgets + ".*.stack.*.weight", .number, .value("1"), "relative probability of being shown").from(
      "0", to: "1000000"),
    .key(widgets + ".*.stack.*.other", .number, .absent, "combined weight of other apps' members").from(
      "0", to: "1000000"),
  ]
}
