/// A section of a page: what its heading asks, and what it answers.
package struct SectionWord: Hashable, Sendable {
  /// Its entry in the table of contents.
  package var short: String
  /// Its heading.
  package var question: String
  package var meaning: String

  fileprivate init(_ short: String, _ question: String, _ meaning: String) {
    (self.short, self.question, self.meaning) = (short, question, meaning)
  }
}

/// The sections of all pages; `explain` knows them by their headings and by their entries in the table of contents.
package let sectionWords: [SectionWord] = ofRuns + ofStudies + ofLogs

private let ofRuns = [
  SectionWord("Verdict", "Are the goals met?", "The scenario's goals, each with its figure, its limit and a verdict."),
  SectionWord(
    "Findings", "What is worth looking at?",
    "What went wrong or is wasted, the worst first, each with a change that was tried on the same draws."),
  SectionWord(
    "Peak", "When is the peak, and how high is it?",
    "Requests per second over the measured period, and the busiest window; 'explain DIR peak' says what makes it."),
  SectionWord(
    "Asked and got", "What becomes of the refreshes that the policy asks for?",
    "From the refreshes that the policy asks for to those that run, and what each of the others is lost to."),
  SectionWord(
    "By hour", "What happens in which hour of the day?",
    "Refreshes, stale views, data age and budget balance by the local hour of the phones' owners."),
  SectionWord(
    "Push to screen", "How long until phones show what was pushed?",
    "The time from a push to the first view of data that is no older, and how many phones never get there."),
  SectionWord(
    "Repeat", "How do I reproduce this page?", "The command and the scenario, with every default and override in it."),
  SectionWord(
    "Causes", "What causes the requests?", "The requests over time by why the refresh began that sent them."),
  SectionWord(
    "Together", "Do devices fire together?",
    "How much of the load repeats with the clock: devices that ask in the same minute of every hour or day."),
  SectionWord(
    "Capacity", "How much capacity is enough?",
    "Which share of the time a capacity would be too small, and what happened at the one that the scenario has."),
  SectionWord(
    "Outages", "Does an outage echo?",
    "The load after an outage beside the same draws without it: what failed comes back in step."),
  SectionWord("Cache", "What does the cache save?", "Requests that the phones' caches answered, by kind."),
  SectionWord("Refreshes", "How often does a widget refresh?", "Refreshes per widget and day, as a distribution."),
  SectionWord("Why", "Why do widgets refresh?", "Refreshes per widget and day by cause, charged or free."),
  SectionWord(
    "Budget", "Who runs out of budget, and when?",
    "At which local hour the budget first withholds a refresh; 'explain DIR budget' says of whom, and what helps."),
  SectionWord(
    "Waits", "What holds refreshes back, and how late are they?",
    "How often and how long a due refresh is withheld, by reason, and how late refreshes start."),
  SectionWord(
    "Data age", "How old is what people see?",
    "The age of the data at views, and the share of views that are stale; 'explain DIR stale' says why."),
  SectionWord("Battery", "What does it cost the battery?", "Energy per widget and day by component, and per radio."),
  SectionWord("Who", "Who contributes to the load?", "Shares of the requests and of the widgets, by cohort and kind."),
  SectionWord(
    "How sure", "How sure are these figures?",
    "How well the sample and the replications know each figure, and what would help."),
  SectionWord(
    "Assumptions", "What is assumed?", "Every number that Apple does not document or that is a guess, with its source."),
  SectionWord("Glossary", "What do the words mean?", "Words of the page that have a meaning of their own."),
]

private let ofStudies = [
  SectionWord("Effects", "Which key matters most?", "How much of each figure's change is due to each varied key."),
  SectionWord("Keys", "What was varied?", "The varied keys with their values."),
  SectionWord("Maps", "How do the figures depend on the keys?", "Each figure over the keys that were varied."),
  SectionWord("Settings", "What does each setting bring?", "The figures of every setting that was simulated."),
  SectionWord("Settings", "Which settings pass every goal?", "The figures and verdicts of every setting."),
  SectionWord(
    "Pareto front", "Which settings are worth choosing between?",
    "Settings for which every other one is worse in some figure."),
  SectionWord("Conditions", "Is anything worse than allowed?", "What --fail-on allowed, and what it found."),
  SectionWord("Scenarios", "What differs in the scenarios?", "The keys that differ, with both values."),
  SectionWord("Runs", "What was compared?", "The runs with their seeds and replications."),
  SectionWord("Figures", "Which figures changed?", "Figures that changed by more than chance, pair by pair."),
  SectionWord("Distributions", "Which distributions changed?", "Distributions that differ by more than chance."),
  SectionWord("Load", "How does the load change?", "The loads of all compared runs over each other."),
]

private let ofLogs = [
  SectionWord(
    "Verdict", "Can this scenario be trusted?", "Whether an access log contradicts the scenario, and where."),
  SectionWord("Values", "What in the scenario was wrong?", "Keys with what the log says, each with its interval."),
  SectionWord("Log next", "What should be logged next?", "Fields and days with which the log would tell more."),
  SectionWord(
    "Load", "Does the simulated load follow the measured one?", "The log's load beside that of the scenario."),
  SectionWord("Left open", "What does this log leave open?", "Keys that the log cannot identify, and why."),
  SectionWord("Misses", "What does it still miss?", "What the calibrated scenario does not reproduce."),
  SectionWord(
    "Wakes", "Do phones wake when the scenario says?", "How long after its date each refresh of the log began."),
  SectionWord("The log", "What was read, and what was wrong with it?", "The log's lines, and its defects."),
  SectionWord("Privacy", "What was kept of people?", "What calibrate keeps: nothing that tells people apart."),
  SectionWord("Fit", "What did simulations find?", "Keys that were found by simulating the scenario many times."),
  SectionWord(
    "Verdict", "Does it predict days that it has not seen?", "How good forecasts were, beside naive ones."),
  SectionWord("Load", "What came, and what was forecast?", "The load of the test days with the forecast's band."),
  SectionWord("Days", "How far was it off, day by day?", "The error of each forecast day."),
]
