extension KeyTable {
  static let fleetKeys: [KeyEntry] =
    [
      .key("fleet", .mapping, .required, "the devices and their owners"),
      .key(
        "fleet.devices", \Fleet.devices, as: .count, .required, "devices that have at least one of these widgets"
      ).from("1", to: "1G"),
      .key(
        "fleet.growth_per_day", \Fleet.growthPerDay, .absent,
        "of the devices, from day to day of the measured period; below 0 they become fewer"
      ).from("-50%", to: "100%"),
      .key(
        "fleet.day_factor", .oneOf([.number, .mapping]), .absent, "how much busier or quieter a day is for all people"
      ).from("0", to: "1").shorthand("sigma"),
      .key(
        "fleet.day_factor.sigma", \Fleet.dayFactorSigma, as: .number, .required,
        "of the logarithm of the day's factor, lognormal of mean 1"
      ).from("0", to: "1"),
      .key("fleet.cohorts", .list, .required, "devices that share their habits; shares add up to 100 %"),
      .key("fleet.cohorts.*", .mapping, .absent, "one cohort").noun("cohort"),
      .key("fleet.cohorts.*.name", .label, .required, "names it in results"),
      .key("fleet.cohorts.*.share", .share, .absent, "of the fleet; 100% of a single cohort"),
      .key("fleet.cohorts.*.zones", .shares(of: .zone), .required, "IANA zones with shares"),
      .key("fleet.cohorts.*.phones", .shares(of: .phone), .value("{iphone-15: 100%}"), "phone models with shares"),
      .key(
        "fleet.cohorts.*.os", .words(Preset.allCases.map(\.rawValue)), .absent,
        "a preset of the cohort's own; keys under os override it"),
    ] + personKeys + networkKeys + powerKeys + widgetKeys

  private static let person = "fleet.cohorts.*.person"

  private static let personKeys: [KeyEntry] = [
    .key(person, .mapping, .absent, "the owners' habits"),
    .key(
      person + ".unlocks_per_day", \Person.unlocksPerDay, .value("{lognormal: {median: 60, sigma: 0.55}}"),
      "drawn once per device"
    ).from("0", to: "10000").per("per day"),
    .key(
      person + ".day_variation", \Person.dayVariation, as: .oneOf([.words(["none"]), .number]),
      "gamma shape of the day factor"
    ).from("0.01", to: "1000000"),
    .key(person + ".hours", hours, .value("default"), "weights of the local hours 0..23, linear between their middles")
      .from("0", to: "1000000"),
    .key(
      person + ".peak", .timeOfDay, .absent, "in place of hours: the default hours, turned so that this is the busiest"),
    .key(
      person + ".session", \Person.session, .value("{lognormal: {median: 60s, sigma: 1.2}}"),
      "length of an unlocked session"),
    .key(person + ".glances_per_unlock", \Person.glancesPerUnlock, "looks at the lock screen").from("0", to: "1000"),
    .key(
      person + ".home_visits", \Person.homeVisits, "mean of the Poisson number of further home screen visits"
    ).from("0", to: "700"),
    .key(
      person + ".next_page", .values(of: .share, count: 2), .value("[25%, 50%]"),
      "probability of going on from page 1, from any later page"),
  ]

  private static let network = "fleet.cohorts.*.network"

  private static let networkKeys: [KeyEntry] = [
    .key(
      network, .oneOf([.radio, .mapping]), .absent,
      "wifi, a cellular profile or one of radios for good, or how wifi and another change"),
    .key(
      network + ".wifi", .oneOf([.share, .values(of: .share, count: 24)]), .value("63%"),
      "share of the time on wifi, or 24 of them by local hour"),
    .key(network + ".dwell", \Roaming.dwell, "mean gap between draws of the interface").from("1s", to: "400d"),
    .key(network + ".cellular", .radio, .value("lte-2021-vz"), "radio profile off wifi"),
    .key(network + ".offline", .mapping, .absent, "spells without a network"),
    .key(network + ".offline.share", \Roaming.offlineShare, "of the time").upTo("99%"),
    .key(network + ".offline.mean", \Roaming.offlineMean, "length").from("1s", to: "400d"),
  ]

  private static let power = "fleet.cohorts.*.power"

  private static let powerKeys: [KeyEntry] = [
    .key(power, .oneOf([.words(["mains"]), .mapping]), .absent, "charging habits; mains: always charging"),
    .key(power + ".overnight", \BatteryHabits.overnight, "nights on the charger"),
    .key(power + ".health", \BatteryHabits.health, "battery capacity left").from("1%"),
    .key(power + ".low_power_mode", \BatteryHabits.lowPowerMode, "probability of Low Power Mode below 20 %"),
  ]

  private static let widgets = "fleet.cohorts.*.widgets"

  private static let widgetKeys: [KeyEntry] = [
    .key(widgets, .list, .required, "what the devices may have on their screens; may be empty: []"),
    .key(widgets + ".*", .mapping, .absent, "one widget or one smart stack").noun("widget"),
    .key(widgets + ".*.kind", .kind, .absent, "of the widget"),
    .key(widgets + ".*.family", .words(families), .value("small"), "its size"),
    .key(widgets + ".*.page", .integer, .value("1"), "home screen page").from("1", to: "15"),
    .key(widgets + ".*.place", .words(["lock-screen"]), .absent, "lock-screen in place of a page"),
    .key(widgets + ".*.share", .share, .value("100%"), "of devices that placed it"),
    .key(widgets + ".*.stack", .list, .absent, "a smart stack in place of one widget"),
    .key(widgets + ".*.stack.*", .mapping, .absent, "one member").noun("stack member"),
    .key(widgets + ".*.stack.*.kind", .kind, .absent, "of the member"),
    .key(widgets + ".*.stack.*.family", .words(families), .value("small"), "its size"),
    .key(widgets + ".*.stack.*.weight", .number, .value("1"), "of being shown").from("0", to: "1000000"),
    .key(widgets + ".*.stack.*.other", .number, .absent, "weight of other apps' members").from("0", to: "1000000"),
  ]
}
