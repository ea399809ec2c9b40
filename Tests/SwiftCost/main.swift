// What Swift adds to the C calls: the same document, mask by mask and token by token, through both.
//
//   swift run -c release SwiftCost
//
// The vocabulary has 131,072 tokens, so that a mask is the 16 kB of a large model. Of each way the least time of many
// rounds counts, rounds of the ways taking turns; a round accepts the whole document.

import CGrammarMask
import GrammarMask

let tokenCount = 131_072
let schema = #"""
  {"type": "object", "properties": {"name": {"type": "string"}, "tags": {"type": "array", "items": {"type": "string"}},
   "size": {"type": "integer"}}, "required": ["name", "tags", "size"], "additionalProperties": false}
  """#
let document = #"{"name": "a name of some length, as names go", "tags": ["first", "second", "third"], "size": 1234}"#
let rounds = 400

struct Unexpected: Error {}

/// Bytes, then made words: three letters and more by number, so that no two are the same.
func makeTokens() -> [[UInt8]] {
  var tokens = (0...255).map { [UInt8($0)] }
  var number = 0
  while tokens.count < tokenCount - 1 {
    var left = number
    var word: [UInt8] = number % 2 == 0 ? [0x20] : []
    for _ in 0..<4 {
      word.append(UInt8(0x61 + left % 26))
      left /= 26
    }
    tokens.append(word)
    number += 1
  }
  return tokens + [[]]
}

func microseconds(_ body: () throws -> Void) rethrows -> Double {
  let start = ContinuousClock.now
  try body()
  let spent = (ContinuousClock.now - start).components
  return Double(spent.seconds) * 1e6 + Double(spent.attoseconds) / 1e12
}

/// A `GrammarMatcher` says with each token how the document stands: another call of C.
func throughC(_ matcher: OpaquePointer, _ words: inout [UInt32], _ tokens: [Int32], asksState: Bool) throws {
  guard gm_matcher_reset(matcher) == GM_OK else { throw Unexpected() }
  for token in tokens {
    var span = words.mutableSpan
    let status = span.withUnsafeMutableBufferPointer { gm_matcher_fill(matcher, $0.baseAddress, $0.count) }
    guard status == GM_OK, gm_matcher_accept(matcher, UInt32(bitPattern: token)) == GM_OK else { throw Unexpected() }
    guard !asksState || gm_matcher_state(matcher) != GM_STUCK else { throw Unexpected() }
  }
}

func throughSession(
  _ session: inout ConstrainedGenerationSession, _ words: inout [UInt32], _ tokens: [Int32]
) throws {
  session.reset()
  for token in tokens {
    var span = words.mutableSpan
    guard try session.fillNextTokenBitmask(&span) == .constrained, session.acceptToken(token) else {
      throw Unexpected()
    }
  }
}

func throughMatcher(_ matcher: inout GrammarMatcher, _ words: inout [UInt32], _ tokens: [Int32]) throws {
  try matcher.reset()
  for token in tokens {
    var span = words.mutableSpan
    try matcher.fill(&span)
    guard try matcher.accept(token) != .rejected else { throw Unexpected() }
  }
}

/// Of the same grammar: where its masks lie in memory is the same for all.
func makeMatcherOfC(_ grammar: CompiledGrammar) throws -> OpaquePointer {
  var matcher: OpaquePointer?
  guard gm_matcher_create(grammar.handle.pointer, nil, &matcher, nil) == GM_OK, let matcher else { throw Unexpected() }
  return matcher  // lives as long as the process
}

func measure() throws {
  let vocabulary = try Vocabulary(
    bytes: makeTokens(), special: [Int32(tokenCount - 1)], stop: [Int32(tokenCount - 1)])
  let grammar = try GrammarCompiler(vocabulary).compileJSONSchema(schema)
  var session = try ConstrainedGenerationSession(grammar: grammar)
  var matcher = try GrammarMatcher(grammar)
  let plain = try makeMatcherOfC(grammar)
  var words = [UInt32](repeating: 0, count: vocabulary.maskWordCount)
  let tokens = document.utf8.map { Int32($0) }

  var least = [Double](repeating: .infinity, count: 4)
  for _ in 0..<rounds {
    least[0] = min(least[0], try microseconds { try throughC(plain, &words, tokens, asksState: false) })
    least[1] = min(least[1], try microseconds { try throughSession(&session, &words, tokens) })
    least[2] = min(least[2], try microseconds { try throughC(plain, &words, tokens, asksState: true) })
    least[3] = min(least[3], try microseconds { try throughMatcher(&matcher, &words, tokens) })
  }
  for (name, ways) in [("ConstrainedGenerationSession", 0), ("GrammarMatcher", 2)] {
    let perToken = least[ways...ways + 1].map { Int($0 * 1000 / Double(tokens.count)) }
    let added = Int(((least[ways + 1] / least[ways] - 1) * 1000).rounded())
    print("\(name): a mask and a token take \(perToken[1]) ns, in C \(perToken[0]): \(Double(added) / 10) % more")
  }
}

try measure()
