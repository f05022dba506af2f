import Scenario

/// What do the words mean?
func glossarySection(of report: ReportContent) -> ReportSection {
  let terms = glossaryTerms
  return ReportSection(
    id: "glossary", short: "Glossary", question: "What do the words mean?",
    answer:
      "These words have a meaning of their own on this page; causes and reasons are named in their tables.",
    figures: [
      .tag(
        "dl", ["class": "glossary"],
        terms.flatMap { [Markup.tag("dt", [:], $0.term), .tag("dd", [:], $0.meaning)] })
    ])
}

/// The words of pages that have a meaning of their own; `explain` knows them, too.
package let glossaryTerms: [(term: String, meaning: String)] = [
  ("Widget", "one placed instance of a kind on one phone; a phone can have several."),
  ("Refresh, run", "one time that the system lets the widget's provider make a new timeline; it may send requests."),
  ("Request", "one call to an endpoint; a refresh may send several, or none when a cache answers."),
  ("Cause", "why a refresh started: the widget's own reload policy, a push, a tap, a view and so on."),
  ("Budget", "what the system allows a widget a day; refreshes of some causes are charged, others are free."),
  ("Wait", "a due refresh that the system withholds, for the budget, a locked or unused phone, or low power."),
  ("Withheld", "due and not allowed to start yet: the share of the time is waits per day times their mean length."),
  ("Lateness", "from the date that was asked for to the start of the refresh."),
  ("Window", "a span over which requests are counted: a peak in 1 s is higher than one in 1 min."),
  ("Peak to mean", "the busiest window over the mean of the measured period."),
  ("Herd", "devices that fire in step; its share is the part of the load's variance that repeats with the clock."),
  ("Capacity", "requests per second that an endpoint serves; what comes above it waits in a queue or is refused."),
  ("Base load", "requests of others than the simulated devices, which take a part of the capacity."),
  (
    "Recovery",
    "from the end of an outage or push until nothing waits, and in the hour from then on fewer than 1 % of the requests "
      + "fail and requests wait longer than 5 s for less than a minute in total."
  ),
  (
    "Echo",
    "requests of those who ask again after an outage, in step as they failed: the same draws without it lack them."
  ),
  ("Stale", "older at a view than the kind's stale_after."),
  ("Tail", "the seconds that a radio stays awake after its last transfer."),
  ("Coalescing", "refreshes of one phone that start together and share the radio."),
  ("Replication", "the same scenario once more with other random draws."),
  ("Holds", "every limit is met, under both ends of the bracket too (Docs/GOALS.md has the table)."),
  ("Depends", "one end of the bracket turns a limit: met under one, missed under another."),
  ("Cannot tell", "a limit lies within the 95 % interval of its figure."),
  ("95 % interval", "Student's t interval over replications: the mean of many lies in it 19 times out of 20."),
  ("Resolved", "estimated from a sample of devices so well that its 95 % interval reaches no further than 5 % of it."),
  (
    "prompt, lazy",
    "presets with the extremes of what Apple does not document: when a due refresh starts, how large "
      + "the budget is."
  ),
  (
    "Bracket",
    "from the least to the most of a figure here, under prompt and under lazy; both can push it the same way, "
      + "and other mixtures of the constants can push it further."
  ),
]
