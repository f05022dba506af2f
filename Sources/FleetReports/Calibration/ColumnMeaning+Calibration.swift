extension ColumnMeaning {
  /// Columns of the files of a calibration and of a back-test.
  static let calibrationTable = """
    # parameters.csv
    path | | The key, by the path that --set takes.
    owner | | Who decides about it: yours, fleet, people, system or backend.
    source | | What tells of it: log or telemetry.
    file | | The value as the scenario file has it.
    unit | | The unit of value, low and high.
    value | as the column unit | What the log says; blank: nothing, or only a bound.
    low | as the column unit | Lower end of the 95 % interval, or a bound.
    high | as the column unit | Upper end of the 95 % interval, or a bound.
    verdict | | identified, weakly, oneSided or notFromThisLog.
    reason | | Why the log cannot say more; blank: nothing to say.
    count | observations | What the estimate rests on: gaps, phones, wakes, answers or days.
    written | | What takes the place of the file's value; blank: it stays.
    # fit.csv
    path | | The key that simulations were fitted by.
    unit | | Of the value and the ends of its intervals.
    value | as the column unit | What the fit found; blank: the log does not tell it.
    statistical_low | as the column unit | Lower end of the 95 % interval that chance alone makes.
    statistical_high | as the column unit | Upper end of it.
    low | as the column unit | Lower end of the 95 % interval with what the model does not explain.
    high | as the column unit | Upper end of it.
    contraction | | How much narrower than the range given: 0 not at all, 1 to a point.
    verdict | | identified, weakly or notFromThisLog; weakly at most beside keys that are not told.
    confounded_with | | Keys whose estimates move with it, beyond a correlation of 0.95.
    # correlation.csv
    path | | A key that simulations were fitted by.
    other_path | | Another one, that stands before it in fit.csv.
    correlation | | How their estimates move together: -1 to 1; beyond 0.95 either way only a product is known.
    # statistics.csv
    kind | | The kind that the statistic is of; blank: all.
    statistic | | What was computed, of the log and by the same code of simulated requests.
    part | | Which part of it: an hour, a range of seconds, a lag.
    measured | | Of the log.
    se | | The standard error of chance alone; blank: not known.
    before | | Of the scenario as the file has it, simulated in the log's time.
    after | | Of the scenario with what was found.
    z | | How many standard errors measured and after are apart; simulation's own chance not counted.
    # quality.csv
    what | | files, lines, requests, left_out, defect or note.
    code | | The code of a defect: 'explain CODE' says more.
    count | | Files, lines, or senders.
    from | | When a hole begins, in UTC.
    to | | When it ends.
    text | | What it is and what was done about it.
    # load.csv of calibrate
    time | | The start of a step of five minutes, in UTC.
    measured | requests | Requests of widgets in the log.
    before | requests | Requests of the scenario as the file has it, scaled to the fleet; blank: not simulated.
    after | requests | Requests of the scenario with what was found.
    is_hole | | yes: the log says nothing of a part of the step.
    # backtest.csv
    day | | The day that was forecast, counted from 1, the day of the log's first line in UTC.
    date | | Its date.
    measured | requests | Requests of widgets in the log, in steps that it holds as a whole.
    predicted | requests | What was forecast for these steps.
    wape_5min | 1 | The sum of the distances of five minutes each over the sum of measured requests.
    floor_5min | 1 | What it would be by chance alone, were the forecast the truth.
    wape_hour | 1 | The same by the hour.
    floor_hour | 1 | What chance alone makes of it.
    mape | 1 | The mean of distances as shares of what came, where at least 100 requests were expected in five minutes.
    mape_floor | 1 | What chance alone makes of it.
    covered | 1 | Share of the steps in their 90 % band; blank: one training day has no band.
    covered_low | 1 | Lower limit of it (Clopper and Pearson, 95 %).
    covered_high | 1 | Upper limit of it.
    peak | requests | The highest five minutes in the log.
    peak_time | | When they began, in UTC.
    predicted_peak | requests | The highest five minutes as forecast.
    predicted_peak_time | | When they were to begin.
    peak_low | requests | Lower end of its 90 % band.
    peak_high | requests | Upper end of it.
    pinball | 1 | Mean pinball loss of the quantile that 999 of 1 000 steps hold, over the mean of what came.
    yesterday | 1 | The error per five minutes of the last training day taken for the day.
    last_week | 1 | That of the last training day whole weeks before; blank: there is none.
    mean_day | 1 | That of the mean of all training days.
    # forecast.csv
    time | | The start of a step of five minutes, in UTC.
    measured | requests | Requests of widgets in the log; blank: it does not hold the whole step.
    predicted | requests | What was forecast.
    low | requests | Lower end of the 90 % band.
    high | requests | Upper end of it.
    p999 | requests | What 999 of 1 000 steps do not exceed.
    """
}
