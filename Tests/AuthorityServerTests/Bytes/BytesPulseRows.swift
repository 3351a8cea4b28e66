import TestSupport
import WatchTransfer

// Pulses: what is wrong with one ends the connection, as with every envelope; one that nobody is to
// hear is dropped in silence.
extension BytesRow {
  private static let measured = blob(2, signed(1, bodyMoment))

  private static func pulse(
    _ values: [UInt8], session: [UInt8] = blob(1, repeated([7], 16)), at moment: [UInt8] = measured
  ) -> [UInt8] {
    frame(blob(MessageField.pulse, session + moment + values))
  }

  static let pulses: [BytesRow] =
    [
      ("B17 a pulse without a session", pulse(double(3, 142), session: [])),
      ("B17 a pulse without a moment", pulse(double(3, 142), at: [])),
      ("B17 a pulse without a value", pulse([])),
      ("B17 a pulse that says when the next comes alone", pulse(number(6, 5_000))),
      ("B2 a pulse with 17 unknown fields", pulse(double(3, 142) + unknown(17))),
      ("B4 a pulse's heart rate twice", pulse(double(3, 142) + double(3, 142))),
      ("B12 a pulse's session of 15 bytes", pulse(double(3, 1), session: blob(1, [7]))),
      (
        "B12 a pulse's session of zeros",
        pulse(double(3, 1), session: blob(1, repeated([0], 16)))
      ),
      ("B1 a heart rate that is a varint", pulse(number(3, 142))),
      ("B13 NaN beats", pulse(double(3, .nan))),
      ("B13 infinitely many beats", pulse(double(3, .infinity))),
      ("B14 fewer than no beats", pulse(double(3, -1))),
      ("B14 401 beats", pulse(double(3, 401))),
      ("B13 NaN kilocalories", pulse(double(4, .nan))),
      ("B14 a billion kilocalories", pulse(double(4, 1e9))),
      ("B14 less than no distance", pulse(double(5, -0.5))),
      ("B14 a cadence of 0", pulse(double(3, 142) + number(6, 0))),
      ("B14 a cadence of 999 ms", pulse(double(3, 142) + number(6, 999))),
      ("B14 a cadence of 30,001 ms", pulse(double(3, 142) + number(6, 30_001))),
      ("B14 a cadence of 2^32 ms", pulse(double(3, 142) + number(6, 1 << 32))),
    ].map { name, bytes in
      BytesRow(name, .welcomed(bytes), .goodbye(.malformed), by: envelopeRule)
    }
    + [
      ("B14 400 beats, of no session", double(3, 400)),
      ("B14 no beats, of no session", double(3, 0)),
      ("B13 -0 beats, of no session", double(3, -0.0)),
      ("B14 a cadence of 1 s, of no session", double(3, 142) + number(6, 1_000)),
      ("B7 a pulse with an unknown field, of no session", double(4, 0.5) + unknown(1)),
    ].map { name, values in
      BytesRow(name, .welcomed(pulse(values) + ping(9)), .pong(9))
    }
}
