import Testing
import WatchTransfer

struct WeightTests {
  @Test(
    "a decimal is shown again as it was entered",
    arguments: ["0", "241", "242", "243", "82.25", "0.5", "-21", "-0.0625", "60.0", "9999.9999"])
  func roundTrip(text: String) throws {
    for unit in WeightUnit.allCases {
      let weight = try #require(Weight(text, unit: unit))
      #expect(weight.figure == text)
      #expect(weight.text == "\(text) \(unit.word)")
      #expect(weight.text(in: unit) == weight.text)
    }
  }

  @Test(
    "what is no decimal within the bounds is refused",
    arguments: [
      "", "-", ".", ".5", "5.", "1,5", "1.2.3", "--1", "+1", "1e3", "0x1", " 1", "1 ", "nan",
      "10000.0001", "10001", "-10001", "1.00001", "1234567890123", "١",
    ])
  func refused(text: String) {
    #expect(Weight(text, unit: .kilograms) == nil)
  }

  @Test(
    "bounds hold at each scale, and one beyond is refused", arguments: 0...Weight.scaleMax)
  func bounds(scale: Int) throws {
    var power: Int64 = 1
    for _ in 0..<scale { power *= 10 }
    let most = Weight.unitsMax * power
    #expect(Weight(digits: most, scale: scale, unit: .pounds) != nil)
    #expect(Weight(digits: -most, scale: scale, unit: .pounds) != nil)
    #expect(Weight(digits: most + 1, scale: scale, unit: .pounds) == nil)
    #expect(Weight(digits: -most - 1, scale: scale, unit: .pounds) == nil)
    #expect(Weight(digits: .min, scale: scale, unit: .pounds) == nil)
  }

  @Test("other scales are none", arguments: [-1, Weight.scaleMax + 1, .min, .max])
  func scale(scale: Int) {
    #expect(Weight(digits: 1, scale: scale, unit: .kilograms) == nil)
  }

  @Test(
    "the other unit is shown to a tenth, rounded away from zero at the half",
    arguments: [
      ("241", WeightUnit.pounds, "109.3 kg"), ("100", .kilograms, "220.5 lb"),
      ("-21", .kilograms, "-46.3 lb"), ("0", .pounds, "0 kg"), ("10000", .kilograms, "22046.2 lb"),
      ("-10000", .pounds, "-4535.9 kg"), ("0.01", .pounds, "0 kg"),
    ])
  func converted(text: String, unit: WeightUnit, shown: String) throws {
    let other: WeightUnit = unit == .kilograms ? .pounds : .kilograms
    #expect(try #require(Weight(text, unit: unit)).text(in: other) == shown)
  }

  @Test("pounds and kilograms are compared by what they weigh")
  func compared() throws {
    let pounds = try #require(Weight("241", unit: .pounds))
    #expect(abs(pounds.kilograms - 109.31576117) < 1e-9)
    let less = try #require(Weight("109.3157", unit: .kilograms))
    #expect(less.isLess(than: pounds))
    #expect(!pounds.isLess(than: less))
    #expect(!pounds.isLess(than: pounds))
  }

  @Test("every tenth of a pound up to a thousand comes back from kilograms within a tenth")
  func there() throws {
    for tenths in stride(from: Int64(0), through: 10_000, by: 1) {
      let pounds = try #require(Weight(digits: tenths, scale: 1, unit: .pounds))
      let text = pounds.text(in: .kilograms)
      let kilograms = try #require(Weight(text.dropLast(3), unit: .kilograms))
      #expect(abs(kilograms.kilograms - pounds.kilograms) <= 0.05 + 1e-9)
    }
  }
}
