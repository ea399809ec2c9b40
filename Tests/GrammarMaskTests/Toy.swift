// A toy vocabulary, and a loop that generates with it.

import GrammarMask
import Testing

/// 39 raw tokens: structure, digits, a few words. No stop token, and most bytes cannot be spelled. No token begins a
/// name of the schemas below that the others could not finish, so nothing gets stuck.
let toyVocabulary: [String] = [
  "{", "}", "[", "]", ":", ",", "\"", " ", "\n", "-", ".",
  "0", "1", "2", "3", "4", "5", "6", "7", "8", "9",
  "true", "false", "null",
  "name", "age", "city", "tags", "d", "b", "c", "x", "y", "z",
  "{\"", "\":", "\",", "\"}", "12",
]

let personSchema = """
  {"type": "object",
   "properties": {"name": {"type": "string", "maxLength": 8}, "age": {"type": "integer", "minimum": 0, "maximum": 120}},
   "required": ["name", "age"], "additionalProperties": false}
  """

func id(_ text: String, in vocabulary: [String] = toyVocabulary) throws -> Int32 {
  let index = vocabulary.firstIndex { $0.utf8.elementsEqual(text.utf8) }
  return Int32(try #require(index))
}

func toySession(
  _ schema: String = personSchema, stop: [Int32]? = nil, options: SchemaOptions = SchemaOptions()
) throws -> ConstrainedGenerationSession {
  try ConstrainedGenerationSession(
    jsonSchema: schema, vocabulary: toyVocabulary, vocabType: .raw, stopTokenIds: stop, options: options)
}

extension ConstrainedGenerationSession {
  /// Accepts these tokens of the toy vocabulary, one after another.
  mutating func accept(_ texts: [String]) throws {
    for text in texts {
      let accepted = acceptToken(try id(text))
      try #require(accepted, "\(text) of \(texts)")
    }
  }

  mutating func allowedTokens() -> [Int32] {
    withMask { mask in
      var tokens: [Int32] = []
      mask.forEachAllowed { tokens.append($0) }
      return tokens
    } ?? []
  }
}

func isSet(_ token: Int32, in words: [Int32]) -> Bool {
  UInt32(bitPattern: words[Int(token) / 32]) >> UInt32(token % 32) & 1 == 1
}

/// A small generator, the same on every machine.
struct Dice: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 2 &+ 1 }

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (state >> 33) | (state << 31)
  }
}

/// Generates with random allowed tokens until the session is terminated or `limit` tokens were accepted.
func generate(_ session: inout ConstrainedGenerationSession, seed: UInt64, limit: Int = 400) throws -> String {
  var dice = Dice(seed)
  var text = ""
  for _ in 0..<limit {
    let allowed = session.allowedTokens()
    guard let token = allowed.randomElement(using: &dice) else { break }
    let accepted = session.accept(token)
    try #require(accepted != .rejected)
    if accepted == .stopped { break }
    text += toyVocabulary[Int(token)]
  }
  return text
}

/// `#require` for the result of a call on a noncopyable value, which the macro cannot hold.
func unwrap<T>(_ value: T?, sourceLocation: SourceLocation = #_sourceLocation) throws -> T {
  try #require(value, sourceLocation: sourceLocation)
}
