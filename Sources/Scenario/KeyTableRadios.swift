extension KeyTable {
  /// What the scenario adds to the tables of radios and phones (MODEL.md 7).
  static let tableKeys: [KeyEntry] =
    [
      .key("radios", .names, .none, "radio profiles of your own, beside those built in"),
      .key(radio, .mapping, .absent, "one radio profile").noun("radio"),
    ] + spell("promotion", to: "1min", "from asleep to active") + [
      .key(radio + ".active", \RadioProfile.active, .required, "while anything is in the air").upTo(mostPower),
      .key(radio + ".down", \RadioProfile.down, .required, "of what is received, on top").upTo("1000mW/Mbps"),
      .key(radio + ".up", \RadioProfile.up, .required, "of what is sent, on top").upTo("1000mW/Mbps"),
      .key(
        radio + ".tails", .list, .required, "awake after the last transfer: at most 4, one after the other; may be []"),
    ] + spell("tails.*", to: "1h", "one tail") + [
      .key(radio + ".round_trip", \RadioProfile.roundTrip, .required, "of a request, without the server's time")
        .from("0s", to: "10s"),
      .key("phones", .names, .none, "phone models of your own, beside those built in"),
      .key("phones.*", .battery, .absent, "energy of the full battery when new").from("0.1Wh", to: "100Wh"),
      .key("os", .mapping, .absent, "the scheduler's constants"),
    ]

  private static let radio = "radios.*"
  private static let mostPower = "20W"

  private static func spell(_ name: String, to longest: String, _ help: String) -> [KeyEntry] {
    let path = radio + "." + name
    let noun = name == "tails.*" ? "tail" : nil
    return [
      .key(path, .mapping, noun == nil ? .required : .absent, help).noun(noun),
      .key(path + ".length", \RadioSpell.length, .required, "how long it takes").from("0s", to: longest),
      .key(path + ".power", \RadioSpell.power, .required, "drawn meanwhile, above the phone's floor").upTo(mostPower),
    ]
  }
}
