package import Words

extension Metric {
  /// A sentence or two about what it counts or measures (MODEL.md 8), and advice on how to change it.
  package var explanation: Word { Catalogue.metrics[rawValue] }
}

extension MetricUnit {
  /// The unit in words.
  package var meaning: String { Catalogue.units[rawValue].meaning }
}

extension Statistic {
  /// Sentence about which number of a distribution it is.
  package var meaning: String { Catalogue.statistics[rawValue].meaning }
}

extension Label {
  /// Subject of a figure with this label.
  package var meaning: String { Catalogue.labels[rawValue].meaning }
}

extension Cause {
  /// Reason why such a run starts (MODEL.md 4.2), and advice on how to have fewer or more of them.
  package var explanation: Word { Catalogue.causes[name] }
}

extension WaitReason {
  /// Reason why a run that is due does not start (MODEL.md 4.5), and advice.
  package var explanation: Word { Catalogue.waits[name] }
}

extension FailureReason {
  /// Reason why a request fails (MODEL.md 6), and advice.
  package var explanation: Word { Catalogue.failures[name] }
}

extension EnergyComponent {
  /// Use of the energy (MODEL.md 7), and advice.
  package var explanation: Word { Catalogue.energy[name] }
}
