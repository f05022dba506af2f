import Calibration
import Scenario

extension NextLoad {
  /// A sentence that describes the forecast load; `nil` if there are no requests.
  var sentence: String? {
    peak.map { peak in
      let time = UTCTime(unixMilliseconds: peak.time)
      return
        "From \(UTCTime(unixMilliseconds: start).date) to \(UTCTime(unixMilliseconds: lastTime).date), the widgets are "
        + "forecast to send \(NumberText.whole(perDay)) requests per day, with a peak of "
        + "\(NumberText.text(peak.rate)) requests/s, on \(time.date) at \(time.shortTime) UTC"
    }
  }
}
