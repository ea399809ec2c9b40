// The matcher, one to one with C: errors instead of false, and many at once.

import Dispatch
import GrammarMask
import Testing

@Suite struct GrammarMatcherTests {
  private func grammar(_ schema: String = personSchema, stop: [Int32] = []) throws -> CompiledGrammar {
    try GrammarCompiler(Vocabulary(pieces: toyVocabulary, vocabType: .raw, stop: stop)).compileJSONSchema(schema)
  }

  @Test func acceptTellsWhatATokenWas() throws {
    let stop = try id("z")
    var matcher = try GrammarMatcher(grammar(#"{"type": "integer", "const": 12}"#, stop: [stop]))
    #expect(matcher.stopTokenIds == [stop])
    let rejected = try matcher.accept(try id("{"))
    let text = try matcher.accept(try id("12"))
    let stopped = try matcher.accept(stop)
    let late = try matcher.accept(stop)
    #expect(rejected == .rejected && text == .complete && stopped == .stopped && late == .rejected)
    #expect(matcher.tokenCount == 2 && matcher.memorySizeBytes > 0)
  }

  @Test func aStopSetOfItsOwnReplacesTheVocabularys() throws {
    let grammar = try grammar(#"{"type": "integer", "const": 12}"#, stop: [try id("z")])
    var none = try GrammarMatcher(grammar, stopTokenIds: [])
    try none.accept(try id("12"))
    #expect(none.state == .stopped && none.stopTokenIds == [])
    var other = try GrammarMatcher(grammar, stopTokenIds: [try id("y"), try id("x")])
    try other.accept(try id("12"))
    let both = [try id("x"), try id("y")]
    #expect(other.state == .complete && other.stopTokenIds == both)
  }

  @Test func anEndedDocumentHasNoMaskButAnError() throws {
    var matcher = try GrammarMatcher(grammar(#"{"type": "integer", "const": 12}"#))
    try matcher.accept(try id("12"))
    let thrown = #expect(throws: GrammarMaskError.self) { try matcher.withMask { _ in } }
    #expect(thrown?.status == .terminated)
    var words: [UInt32] = [.max, .max]
    let filled = #expect(throws: GrammarMaskError.self) { try fill(&matcher, &words) }
    #expect(filled?.status == .terminated && words == [0, 0])
  }

  @Test func aLeadingSpaceIsForWhoAsks() throws {
    let grammar = try grammar(#"{"type": "integer", "const": 12}"#)
    let plain = try GrammarMatcher(grammar)
    var spaced = try GrammarMatcher(grammar, leadingSpace: true)
    let space = try id(" ")
    #expect(!plain.wouldAccept(space) && spaced.wouldAccept(space))
    let first = try spaced.accept(space)
    let second = try spaced.accept(space)
    #expect(first == .more && second == .rejected)
  }

  @Test func draftsAreJudgedWithoutMoving() throws {
    let matcher = try GrammarMatcher(grammar())
    let draft = [try id("{\""), try id("name"), try id("\":"), try id("}")]
    #expect(matcher.acceptablePrefix(of: draft) == 3 && matcher.acceptablePrefix(of: []) == 0)
    #expect(matcher.tokenCount == 0)
  }

  @Test func forcedBytesFillWhatRoomThereIs() throws {
    let matcher = try GrammarMatcher(grammar(#"{"type": "integer", "const": 123}"#))
    #expect(matcher.forcedBytes == Array("123".utf8))
    for room in 0...5 {
      var bytes = [UInt8](repeating: 0, count: room)
      let count = try forced(matcher, &bytes)
      #expect(bytes.prefix(count).elementsEqual("123".utf8.prefix(room)))
    }
  }

  @Test func questionsForPeopleHaveAnswers() throws {
    var matcher = try GrammarMatcher(grammar())
    let start = try matcher.expected()
    #expect(start.bytes == [UInt8(ascii: "{")] && !start.mayStop && start.documentPointer == "")
    let why = try matcher.explain(try id("name"))
    #expect(why.position == 0 && why.message.hasPrefix("byte 0x6E (number 0 of the token) does not fit"))
    let partly = try matcher.explain(try id("{\""))
    #expect(partly.position == 2)
    for text in ["{\"", "name", "\":"] { try matcher.accept(try id(text)) }
    let inside = try matcher.expected()
    #expect(inside.documentPointer == "/name" && inside.bytes.contains(UInt8(ascii: "\"")))
  }

  @Test func resetDropsTheHistory() throws {
    var matcher = try GrammarMatcher(grammar())
    try matcher.accept(try id("{"))
    try matcher.reset()
    #expect(matcher.tokenCount == 0)
    #expect(throws: GrammarMaskError.self) { try matcher.rollback() }
  }

  private func fill(_ matcher: inout GrammarMatcher, _ words: inout [UInt32]) throws {
    var span = words.mutableSpan
    try matcher.fill(&span)
  }

  private func forced(_ matcher: borrowing GrammarMatcher, _ bytes: inout [UInt8]) throws -> Int {
    var span = bytes.mutableSpan
    return try matcher.fillForcedBytes(&span)
  }
}

@Suite struct GrammarMatcherBatchTests {
  private func batch(_ schemas: [String]) throws -> GrammarMatcherBatch {
    let compiler = try GrammarCompiler(Vocabulary(pieces: toyVocabulary, vocabType: .raw))
    var batch = GrammarMatcherBatch()
    for schema in schemas { batch.append(try GrammarMatcher(compiler.compileJSONSchema(schema))) }
    return batch
  }

  private let schemas = [
    personSchema, #"{"type": "integer", "const": 12}"#, #"{"type": "array"}"#, #"{"type": "string"}"#, "true",
  ]

  private func fill(
    _ batch: inout GrammarMatcherBatch, _ words: inout [UInt32], stride: Int, rows: [UInt32]? = nil,
    _ parallelFor: GrammarMatcherBatch.ParallelFor? = nil
  ) throws {
    var span = words.mutableSpan
    try batch.fill(&span, stride: stride, rows: rows, parallelFor: parallelFor)
  }

  private func masksOneByOne() throws -> [[UInt32]] {
    try schemas.map { schema in
      var session = try toySession(schema)
      return try unwrap(session.nextTokenBitmask()).map { UInt32(bitPattern: $0) }
    }
  }

  @Test func rowsAreTheMasksOneByOne() throws {
    let single = try masksOneByOne()
    var batch = try batch(schemas)
    var words = [UInt32](repeating: 9, count: 17)
    try fill(&batch, &words, stride: 3)
    for row in 0..<5 { #expect(Array(words[row * 3..<row * 3 + 2]) == single[row]) }
    #expect(words[15] == 9 && words[16] == 9)
  }

  @Test func anyLoopOverTheRowsWillDo() throws {
    let single = try masksOneByOne()
    let loops: [GrammarMatcherBatch.ParallelFor] = [
      { count, body in for index in (0..<count).reversed() { body(index) } },
      { count, body in DispatchQueue.concurrentPerform(iterations: count, execute: body) },
    ]
    for loop in loops {
      var batch = try batch(schemas)
      var words = [UInt32](repeating: 0, count: 14)
      try fill(&batch, &words, stride: 2, rows: [6, 0, 2, 4, 1], loop)
      for (index, row) in [6, 0, 2, 4, 1].enumerated() {
        #expect(Array(words[row * 2..<row * 2 + 2]) == single[index])
      }
      #expect(words[6] == 0 && words[10] == 0)
    }
  }

  @Test func aLoopThatRunsWildDoesNoHarm() throws {
    let single = try masksOneByOne()
    var batch = try batch(schemas)
    var words = [UInt32](repeating: .max, count: 10)
    try fill(&batch, &words, stride: 2) { _, body in
      for index in [-1, 0, 5, .max, .min] { body(index) }
    }
    #expect(words == single[0] + [UInt32](repeating: 0, count: 8))
  }

  @Test func anEndedDocumentGetsARowOfZeros() throws {
    var batch = try batch(schemas)
    let twelve = try id("12")
    let accepted = try batch.withMatcher(at: 1) { (matcher) throws(GrammarMaskError) in try matcher.accept(twelve) }
    #expect(accepted == .complete)
    var words = [UInt32](repeating: .max, count: 10)
    try fill(&batch, &words, stride: 2)
    #expect(words[2] == 0 && words[3] == 0 && words[0] != 0)
  }

  @Test func matchersComeAndGo() throws {
    var batch = try batch(schemas)
    let removed = batch.remove(at: 0)
    let missing = batch.remove(at: 4)
    #expect(removed && !missing && batch.count == 4)
    let forked = try batch.withMatcher(at: 0) { (matcher) throws(GrammarMaskError) in
      matcher = try matcher.fork()
      return matcher.tokenCount
    }
    #expect(forked == 0)
    var words = [UInt32](repeating: 0, count: 8)
    try fill(&batch, &words, stride: 2)
    #expect(Array(words[0..<2]) == (try masksOneByOne())[1])
  }

  @Test func rowsThatDoNotFitAreErrors() throws {
    var batch = try batch(schemas)
    var words = [UInt32](repeating: 5, count: 10)
    let attempts: [(Int, [UInt32]?)] = [
      (1, nil), (0, nil), (-1, nil), (3, nil), (.max, nil), (2, [0, 1, 2, 3]), (2, [0, 1, 2, 3, 5]),
      (2, [0, 1, 2, 3, 3]), (2, [0, 1, 2, 3, .max]),
    ]
    for (stride, rows) in attempts {
      let thrown = #expect(throws: GrammarMaskError.self) { try fill(&batch, &words, stride: stride, rows: rows) }
      #expect(thrown?.status == .invalidArgument, "\(stride) \(String(describing: rows))")
    }
    #expect(words.allSatisfy { $0 == 5 })
    let missing = #expect(throws: GrammarMaskError.self) { try batch.withMatcher(at: 5) { _ in } }
    #expect(missing?.status == .invalidArgument)
  }

  @Test func anEmptyBatchFillsNothing() throws {
    var batch = GrammarMatcherBatch()
    var words: [UInt32] = [3]
    try fill(&batch, &words, stride: 2)
    #expect(words == [3] && batch.count == 0)
  }
}
