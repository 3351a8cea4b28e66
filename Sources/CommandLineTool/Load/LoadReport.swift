/// What a load tester has measured.
public struct LoadReport: Sendable {
  public var scenario: LoadOptions.Scenario
  public var connections: Int
  public var pipeline: Int
  /// From the first request to the last moment that counts, in nanoseconds.
  public var nanoseconds: Int64 = 0
  public var latencies = LatencyHistogram()
  /// What went wrong, by reason.
  public var errors: [String: Int] = [:]
  /// What happened besides answers and is no error, by what it was.
  public var happened: [String: Int] = [:]
  /// Further figures, by name.
  public var figures: [String: Double] = [:]
  /// Processor time of the load tester itself meanwhile, in microseconds.
  public var ownMicroseconds: Int64 = 0

  /// Nothing was measured yet.
  public init(scenario: LoadOptions.Scenario, connections: Int, pipeline: Int) {
    self.scenario = scenario
    self.connections = connections
    self.pipeline = pipeline
  }

  /// Takes down that something went wrong.
  public mutating func wentWrong(_ reason: String, count: Int = 1) {
    if count > 0 { errors[reason, default: 0] += count }
  }

  /// Answers that came in time.
  public var answered: UInt64 { latencies.total }

  /// Answers a second.
  public var perSecond: Double {
    nanoseconds > 0 ? Double(answered) * 1e9 / Double(nanoseconds) : 0
  }

  /// What the tester itself spent on an answer; nil without answers.
  public var ownMicrosecondsPerAnswer: Double? {
    answered > 0 ? Double(ownMicroseconds) / Double(answered) : nil
  }

  /// One object for machines.
  public var json: JSONValue {
    .object([
      ("scenario", .string(scenario.rawValue)), ("connections", .whole(connections)),
      ("pipeline", .whole(pipeline)), ("seconds", rounded(Double(nanoseconds) / 1e9)),
      ("answered", .whole(answered)), ("perSecond", .number(perSecond.rounded())),
      ("errors", .whole(errors.values.reduce(0, +))),
      (
        "errorsByReason",
        .object(errors.sorted { $0.key < $1.key }.map { ($0.key, .whole($0.value)) })
      ),
      ("p50Ms", milliseconds(latencies.quantile(0.5))),
      ("p99Ms", milliseconds(latencies.quantile(0.99))),
      ("p999Ms", milliseconds(latencies.quantile(0.999))),
      ("maxMs", milliseconds(latencies.longest)),
      (
        "happened",
        .object(happened.sorted { $0.key < $1.key }.map { ($0.key, .whole($0.value)) })
      ),
      (
        "figures",
        .object(figures.sorted { $0.key < $1.key }.map { ($0.key, rounded($0.value)) })
      ), ("ownCpuSeconds", rounded(Double(ownMicroseconds) / 1e6)),
      ("ownCpuMicros", ownMicrosecondsPerAnswer.map(rounded) ?? .null),
    ])
  }

  /// A few lines for people.
  public var text: String {
    let seconds = rounded(Double(nanoseconds) / 1e9).json
    var lines = [
      "\(scenario.rawValue): \(connections) connections, \(pipeline) in flight on each, \(seconds) s"
    ]
    if answered > 0 {
      lines += [
        "\(answered) answered, \(Int64(perSecond.rounded())) a second",
        "latency: half within \(milliseconds(latencies.quantile(0.5)).json) ms, 99 % within "
          + "\(milliseconds(latencies.quantile(0.99)).json) ms, longest "
          + "\(milliseconds(latencies.longest).json) ms",
      ]
    }
    for (name, figure) in figures.sorted(by: { $0.key < $1.key }) {
      lines.append("\(name): \(rounded(figure).json)")
    }
    for (what, count) in happened.sorted(by: { $0.key < $1.key }) {
      lines.append("\(count) × \(printable(what))")
    }
    for (reason, count) in errors.sorted(by: { $0.key < $1.key }) {
      lines.append("error: \(count) × \(printable(reason))")
    }
    return lines.joined(separator: "\n")
  }

  private func milliseconds(_ nanoseconds: Int64) -> JSONValue {
    rounded(Double(nanoseconds) / 1e6)
  }

  /// Three decimals.
  private func rounded(_ number: Double) -> JSONValue {
    .number((number * 1_000).rounded() / 1_000)
  }
}
