import CommandLineTool
import Testing

@Suite struct JSONTests {
  @Test(
    arguments: [
      (.null, "null"), (.bool(true), "true"), (.integer(-5), "-5"),
      (.unsigned(.max), "18446744073709551615"), (.number(1.5), "1.5"), (.number(3), "3"),
      (.number(-0.0), "0"), (.number(0.1), "0.1"), (.number(1e300), "1e+300"),
      (.number(.nan), "null"), (.number(.infinity), "null"),
      (
        .string("a\"b\\c\n\r\t\u{1}\u{7F}\u{9B}é\u{2028}😀"),
        #""a\"b\\c\n\r\t\u0001\u007f\u009bé"# + "\u{2028}😀\""
      ),
      (.array([]), "[]"), (.array([.null, .integer(1)]), "[null,1]"), (.object([]), "{}"),
      (.object([("b", .integer(1)), ("a", .array([.string("")]))]), #"{"b":1,"a":[""]}"#),
    ] as [(JSONValue, String)])
  func `a value is written on one line, and reads back`(value: JSONValue, text: String) throws {
    #expect(value.json == text)
    #expect(try JSONParser.parse(text) == value)
  }

  @Test(arguments: [
    (" { \"a\" : [ 1 , -2.5e1 , true ] }\n", #"{"a":[1,-25,true]}"#),
    (#""\u00e9\ud83d\ude00\/\b\f""#, "\"é😀/\\u0008\\u000c\""),
    ("9223372036854775808", "9223372036854775808"), ("1E2", "100"), ("-0", "0"),
  ])
  func `other spellings mean the same`(text: String, canonical: String) throws {
    #expect(try JSONParser.parse(text).json == canonical)
  }

  @Test(arguments: [
    ("", JSONError.Problem.unexpectedEnd), ("{", .unexpectedEnd), ("[1", .unexpectedEnd),
    ("\"a", .unexpectedEnd), ("\"\\", .unexpectedEnd), ("tru", .unexpectedEnd),
    ("[1,]", .unexpectedByte), ("{a:1}", .unexpectedByte), ("{\"a\" 1}", .unexpectedByte),
    ("{\"a\":1,}", .unexpectedByte), ("+1", .unexpectedByte), ("trux", .unexpectedByte),
    ("01", .badNumber), ("1.", .badNumber), ("-", .badNumber), ("1e", .badNumber),
    ("1e999", .badNumber), ("\"\\x\"", .badEscape), ("\"\\u12g4\"", .badEscape),
    ("\"\\ud800\"", .badEscape), ("\"\\ud800\\u0041\"", .badEscape), ("\"\\udc00\"", .badEscape),
    ("\"\n\"", .controlCharacter), ("{\"a\":1,\"a\":2}", .duplicateName), ("1 2", .trailingText),
  ])
  func `what is not JSON is refused`(text: String, problem: JSONError.Problem) {
    let error = #expect(throws: JSONError.self) { try JSONParser.parse(text) }
    #expect(error?.problem == problem)
  }

  @Test func `nesting is bounded`() throws {
    let depth = JSONParser.depthMax
    let deepest =
      String(repeating: "[", count: depth + 1) + String(repeating: "]", count: depth + 1)
    _ = try JSONParser.parse(deepest)
    let error = #expect(throws: JSONError.self) { try JSONParser.parse("[\(deepest)]") }
    #expect(error?.problem == .tooDeep)
  }

  @Test func `members and elements are found by name and by place`() throws {
    let value = try JSONParser.parse(#"{"a":[10,"x"],"b":true,"c":null}"#)
    #expect(value["a"]?[0]?.wholeNumber == 10)
    #expect(value["a"]?[1]?.text == "x")
    #expect(value["a"]?[2] == nil)
    #expect(value["b"]?.truth == true)
    #expect(value["c"]?.isNull == true)
    #expect(value["d"] == nil)
    #expect(value["a"]?[0]?.double == 10)
  }
}
