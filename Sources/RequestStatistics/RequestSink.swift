/// What counts requests, in the thread that reads them.
package protocol RequestSink {
  mutating func add(_ request: LoggedRequest)
}
