internal import AuthorityServer
internal import Foundation
internal import Simulation

extension Harness {
  /// A server that peers of two accounts talk to.
  static let sessions = Harness(
    "sessions", "moves of five devices: greetings, acts, bytes, cuts, kills, time", bytesMax: 1_024,
    mutations: 150
  ) {
    let zones = try MachineZones()
    return { bytes in
      if let promise = PeerTalk(bytes, zones: zones).run() { throw BrokenProperty(promise) }
    }
  }

  /// A server's admin socket.
  static let admin = Harness(
    "admin", "admin requests, one line of JSON each", bytesMax: 2_048, mutations: 150
  ) {
    let zones = try MachineZones()
    return { bytes in
      let lines = bytes.split(separator: UInt8(ascii: "\n")).map { Array($0) }
      for line in lines { try checkRequest(line) }
      if let promise = AdminTalk(zones: zones).run(lines) { throw BrokenProperty(promise) }
    }
  }
}

/// A request that is read, written, reads the same.
private func checkRequest(_ line: [UInt8]) throws(BrokenProperty) {
  guard let request = try? JSONDecoder().decode(AdminRequest.self, from: Data(line)) else { return }
  let encoder = JSONEncoder()
  encoder.outputFormatting = .sortedKeys
  guard let json = try? encoder.encode(request),
    let again = try? JSONDecoder().decode(AdminRequest.self, from: json)
  else { throw BrokenProperty("a request that was written does not read") }
  try require((try? encoder.encode(again)) == json, "a request written twice is other bytes")
}
