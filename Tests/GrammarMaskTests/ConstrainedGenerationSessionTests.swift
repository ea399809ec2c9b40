// A session step by step: what Core AI's own tests expect, and what its users complained about.

import Foundation
import GrammarMask
import Testing

@Suite struct ConstrainedGenerationSessionTests {
  @Test func anObjectBeginsWithABraceAndThenAQuote() throws {
    var session = try toySession()
    let start = try unwrap(session.nextTokenBitmask())
    #expect(isSet(try id("{"), in: start))
    #expect(!isSet(try id("}"), in: start))
    #expect(!isSet(try id("["), in: start))
    #expect(!isSet(try id("name"), in: start))

    try session.accept(["{"])
    let inside = try unwrap(session.nextTokenBitmask())
    #expect(isSet(try id("\""), in: inside))
    #expect(!isSet(try id("}"), in: inside))
  }

  @Test func rollbackAndResetRestoreTheFirstMask() throws {
    var session = try toySession()
    let start = try unwrap(session.nextTokenBitmask())
    try session.accept(["{", "\""])
    let inside = try unwrap(session.nextTokenBitmask())
    #expect(inside != start)
    let back = session.rollback(2)
    let again = session.nextTokenBitmask()
    #expect(back && again == start)
    try session.accept(["{", "\""])
    session.reset()
    let fresh = session.nextTokenBitmask()
    let nothingLeft = session.rollback()
    #expect(fresh == start && !nothingLeft)
  }

  @Test func allMasksOfAStepAgree() throws {
    var session = try toySession()
    var dice = Dice(7)
    while !session.isTerminated {
      let array = try unwrap(session.nextTokenBitmask())
      var words: [Int32] = [-1, -1]
      let result = words.withUnsafeMutableBufferPointer { session.fillBitmask(into: $0.baseAddress!) }
      #expect(result == .constrained && words == array)

      var spanWords = [UInt32](repeating: .max, count: 5)
      let spanResult = try fill(&session, &spanWords)
      #expect(spanResult == .constrained)
      #expect(spanWords == words.map { UInt32(bitPattern: $0) } + [0, 0, 0])

      let allowed = session.allowedTokens()
      let count = session.withMask { $0.allowedCount }
      #expect(count == allowed.count)
      for token in Int32(0)..<39 {
        let bit = isSet(token, in: array)
        let viewed = session.withMask { $0.allows(token) }
        let asked = session.wouldAccept(token)
        #expect(bit == allowed.contains(token) && bit == viewed && bit == asked, "token \(token)")
      }
      session.acceptToken(try unwrap(allowed.randomElement(using: &dice)))
    }
  }

  @Test func theMaskAllowsExactlyWhatIsAccepted() throws {
    var session = try toySession(stop: [try id("12")])
    var dice = Dice(11)
    for _ in 0..<200 {
      let allowed = session.allowedTokens()
      for token in Int32(-1)..<40 {
        var fork = try session.fork()
        let accepted = fork.acceptToken(token)
        #expect(accepted == allowed.contains(token), "token \(token)")
      }
      guard let token = allowed.randomElement(using: &dice) else { break }
      session.acceptToken(token)
    }
    #expect(session.isTerminated == true)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func aToyVocabularyNeverGetsStuckAndEnds(seed: UInt64) throws {
    var session = try toySession()
    let text = try generate(&session, seed: seed)
    #expect(session.isTerminated && session.state == .stopped, "\(text)")
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    #expect(Set(try #require(object).keys) == ["name", "age"], "\(text)")
    #expect((0...120).contains(try #require(object?["age"] as? Int)), "\(text)")
  }

  @Test func afterTheEndNothingIsMaskedAndNothingIsAccepted() throws {
    var session = try toySession(#"{"type": "integer", "const": 12}"#)
    let accepted = session.accept(try id("12"))
    #expect(accepted == .complete)
    #expect(session.isTerminated && session.state == .stopped)
    var logits = [Float](repeating: 2, count: 39)
    let applied = session.applyMask(to: &logits)
    #expect(!applied && logits.allSatisfy { $0 == 2 })
    let mask = session.nextTokenBitmask()
    #expect(mask == nil)
    var words: [Int32] = [-1, -1]
    let result = words.withUnsafeMutableBufferPointer { session.fillBitmask(into: $0.baseAddress!) }
    #expect(result == .terminated && words == [0, 0])
    let view: Int? = session.withMask { $0.allowedCount }
    #expect(view == nil)
    let more = session.acceptToken(try id("1"))
    #expect(!more)
  }

  @Test func rollbackLeavesTheEnd() throws {
    var session = try toySession(#"{"type": "integer", "const": 12}"#)
    let start = session.nextTokenBitmask()
    try session.accept(["12"])
    let back = session.rollback()
    #expect(back && !session.isTerminated && session.state == .running)
    let again = session.nextTokenBitmask()
    #expect(again == start)
  }

  @Test func stopTokensAreHonouredAndTold() throws {
    let stop = try id("z")
    var session = try toySession(#"{"type": "integer"}"#, stop: [stop])
    let start = try unwrap(session.nextTokenBitmask())
    #expect(!isSet(stop, in: start))
    let digit = session.accept(try id("1"))
    #expect(digit == .more && session.state == .mayStop)
    let after = try unwrap(session.nextTokenBitmask())
    #expect(isSet(stop, in: after))
    let stopped = session.accept(stop)
    #expect(stopped == .stopped && session.state == .stopped && session.isTerminated)
    let back = session.rollback()
    #expect(back && session.state == .mayStop)
  }

  @Test func aStopTokenIsNeverText() throws {
    let stop = try id("z")
    var session = try toySession(#"{"type": "string"}"#, stop: [stop])
    try session.accept(["\""])
    let inside = try unwrap(session.nextTokenBitmask())
    #expect(isSet(try id("y"), in: inside) && !isSet(stop, in: inside))
    try session.accept(["\""])
    #expect(session.state == .complete && !session.isTerminated)
    let tokens = session.allowedTokens()
    #expect(tokens == [stop])
  }

  @Test func forksGoTheirOwnWays() throws {
    var session = try toySession()
    try session.accept(["{", "\""])
    var fork = try session.fork()
    let before = session.nextTokenBitmask()
    try fork.accept(["name", "\"", ":"])
    let after = session.nextTokenBitmask()
    #expect(before == after)
    let back = fork.rollback(5)
    #expect(back && fork.matcher.tokenCount == 0 && session.matcher.tokenCount == 2)
  }

  @Test func forcedTextIsWhatAllDocumentsShare() throws {
    var session = try toySession(
      options: SchemaOptions {
        $0.whitespace = .compact
        $0.escapes = .minimal
      })
    #expect(session.findJumpForwardString() == #"{"name":""#)
    #expect(session.forcedBytes == Array(#"{"name":""#.utf8))
    let accepted = session.accept(text: #"{"name":""#)
    #expect(accepted == .more)
    #expect(session.findJumpForwardString() == nil)
    let back = session.rollback()  // a run of text counts one
    #expect(back && session.matcher.tokenCount == 0)
  }

  @Test func forcedTextOfAnyLengthComesWhole() throws {
    let long = String(repeating: "x", count: 5000)
    let session = try toySession(#"{"const": "\#(long)"}"#, options: SchemaOptions { $0.escapes = .minimal })
    #expect(session.findJumpForwardString() == "\"\(long)\"")
  }

  @Test func forcedTextIsWholeCharacters() throws {
    // The bytes of "é" can only be given one by one, and the second is not forced before the first is there.
    let vocabulary: [[UInt8]] = [[0x22], [0xC3], [0xA9], [0xA8]]
    let options = SchemaOptions { $0.escapes = .minimal }
    var session = try ConstrainedGenerationSession(
      jsonSchema: #"{"enum": ["é", "è"]}"#, vocabulary: Vocabulary(bytes: vocabulary), options: options)
    #expect(session.forcedBytes == [0x22, 0xC3])
    #expect(session.findJumpForwardString() == "\"")
    for token in [0, 1] as [Int32] {
      let accepted = session.acceptToken(token)
      #expect(accepted)
    }
    #expect(session.findJumpForwardString() == nil)
  }

  @Test func aSessionMovesToAnotherTask() async throws {
    actor Keeper {
      var session: ConstrainedGenerationSession
      init(_ session: consuming sending ConstrainedGenerationSession) { self.session = session }
      func step(_ token: Int32) -> Accepted { session.accept(token) }
    }
    let keeper = Keeper(try toySession())
    let accepted = await keeper.step(try id("{"))
    #expect(accepted == .more)
  }

  private func fill(
    _ session: inout ConstrainedGenerationSession, _ words: inout [UInt32]
  ) throws -> ConstrainedGenerationSession.BitmaskResult {
    var span = words.mutableSpan
    return try session.fillNextTokenBitmask(&span)
  }
}
