/// The keys of a plan file (Docs/PLAN.md), which are placed below the root `plan`; scenario files do not have this
/// root.
enum PlanKeys {
  static let all: [KeyEntry] =
    [
      .key("schema", .words(["widgetfleet/plan/v1"]), .required, "version of the file format: widgetfleet/plan/v1"),
      .key("name", .folderName, .required, "name of the folder under Reports/: [a-z0-9-]"),
      .key("description", .text, .value("\"\""), "what the plan is about"),
      .key(
        "from", .oneOf([.text, .mapping]), .required,
        "scenario file or results folder, relative to the plan; or both versions"),
      .key("from.old", .text, .required, "scenario file or results folder of the version at the start"),
      .key("from.new", .text, .none, "scenario file or results folder of the version that replaces it"),
      .key("start", .text, .required, "first day of the plan: \"2027-01-01\""),
      .key("days", .integer, .value("365"), "number of days").from("1", to: "3660"),
      .key("window", .words(["auto", "1s", "10s", "1min", "5min"]), .value("auto"), "window of the peaks"),
      .key("currency", .text, .value("\"\""), "currency of the prices, for display"),
      .key("active", .share, .none, "share of phones whose owner uses the widget on a given day"),
    ] + growthKeys + calendarKeys + capacityKeys + priceKeys

  private static let growthKeys: [KeyEntry] = [
    .key("growth", .mapping, .none, "how the number of phones grows"),
    .key("growth.devices", .count, .none, "phones on the first day; none: those of the scenario")
      .from("1", to: "1G"),
    .key("growth.table", .anything, .none, "phones by date, linear in between: {\"2027-06-01\": 3M}"),
    .key("growth.linear", .rate, .none, "phones added per day: 10k/day"),
    .key("growth.exponential", .share, .none, "growth per week: 2%"),
    .key("growth.logistic", .mapping, .none, "growth towards a limit"),
    .key("growth.logistic.ceiling", .count, .required, "the limit").from("1", to: "1G"),
    .key("growth.logistic.rate", .share, .required, "initial growth per day"),
    .key(
      "growth.logistic.midpoint", .duration, .none,
      "time until half of the limit is reached; none: from the first day's phones"),
    .key("growth.bass", .mapping, .none, "growth by word of mouth (Bass 1969)"),
    .key("growth.bass.ceiling", .count, .required, "the limit").from("1", to: "1G"),
    .key("growth.bass.innovation", .number, .required, "coefficient p per day").from("1e-9", to: "1"),
    .key("growth.bass.imitation", .number, .required, "coefficient q per day").from("0", to: "1"),
    .key(
      "keep", .anything, .none, "share of phones that still have the widget, by age: {1d: 90%, 30d: 55%, floor: 20%}"),
    .key("rollout", .mapping, .none, "the release of from.new"),
    .key("rollout.start", .text, .none, "first day of the release; none: the plan's first day"),
    .key(
      "rollout.stages", .anything, .value("phased"),
      "release to phones with automatic updates: all at once, the App Store's seven days, or shares by day"),
    .key("rollout.stages.*", .share, .absent, "share by days since the start: {0d: 5%, 3d: 50%, 7d: 100%}"),
    .key("rollout.automatic", .share, .value("80%"), "share of phones with automatic updates"),
    .key("rollout.manual", .share, .value("3%"), "share of the other phones that update each day"),
  ]

  private static let calendarKeys: [KeyEntry] = [
    .key("calendar", .mapping, .none, "factors on the load of individual days"),
    .key("calendar.weekdays", .values(of: .number, count: 7), .none, "factors from Monday, scaled to a mean of 1"),
    .key("calendar.dates", .anything, .none, "factors by date: {\"2027-12-24\": 1.6}"),
    .key("calendar.campaigns", .list, .none, "spans of days with a factor"),
    .key("calendar.campaigns.*", .mapping, .absent, "one span").noun("campaign"),
    .key("calendar.campaigns.*.name", .label, .required, "name of the campaign"),
    .key("calendar.campaigns.*.from", .text, .required, "first day"),
    .key("calendar.campaigns.*.to", .text, .required, "last day"),
    .key("calendar.campaigns.*.factor", .number, .required, "factor on the load").from("0", to: "1000"),
  ]

  private static let capacityKeys: [KeyEntry] = [
    .key("capacity", .names, .none, "load that the servers can handle, by endpoint; none: the scenario's capacity"),
    .key("capacity.*", .oneOf([.rate, .mapping]), .absent, "one endpoint").noun("endpoint").shorthand("load"),
    .key("capacity.*.load", .rate, .none, "load at the start; not allowed with units"),
    .key("capacity.*.unit", .rate, .none, "load that one unit serves; plans add no spare unit"),
    .key("capacity.*.units", .integer, .none, "units at the start").from("1", to: "1000000"),
    .key("capacity.*.target", .share, .value("100%"), "utilisation to plan for"),
    .key("capacity.*.lead", .duration, .value("0s"), "time from ordering more capacity to using it")
      .from("0s", to: "3660d"),
  ]

  private static let priceKeys: [KeyEntry] = [
    .key("prices", .list, .none, "your prices"),
    .key("prices.*", .mapping, .absent, "one price").noun("price"),
    .key("prices.*.name", .label, .required, "name on the bill"),
    .key(
      "prices.*.of", .words(["requests", "origin-requests", "bytes-up", "bytes-down", "pushes", "unit-hours"]),
      .required,
      "what is paid for; origin-requests pass the CDN; unit-hours are the needed units x 24 h"),
    .key("prices.*.endpoint", .label, .none, "the endpoint; none: all of them"),
    .key("prices.*.per", .oneOf([.count, .size]), .required, "quantity that the price is for: 1M, 1GB, 1"),
    .key("prices.*.free", .oneOf([.count, .size]), .value("0"), "quantity per month that costs nothing"),
    .key("prices.*.price", .oneOf([.number, .list]), .required, "amount, or tiers by quantity per month"),
    .key("prices.*.price.*", .mapping, .absent, "one tier").noun("tier"),
    .key("prices.*.price.*.up_to", .oneOf([.count, .size]), .none, "end of the tier; none: the last"),
    .key("prices.*.price.*.at", .number, .required, "amount in this tier"),
  ]
}
