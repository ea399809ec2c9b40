// The code of the documentation's articles, with a model that samples at random.

import GrammarMask
import Testing

/// The part of swift-transformers' protocol that the adapter needs.
private protocol Tokenizer {
  func convertIdToToken(_ id: Int) -> String?
}

private struct ToyTokenizer: Tokenizer {
  func convertIdToToken(_ id: Int) -> String? { toyVocabulary.indices.contains(id) ? toyVocabulary[id] : nil }
}

extension ConstrainedGenerationSession {
  fileprivate init(
    jsonSchema: String, tokenizer: any Tokenizer, vocabSize: Int, vocabType: VocabularyType = .byteLevel,
    stopTokenIds: [Int32]? = nil
  ) throws {
    let pieces = (0..<vocabSize).map { tokenizer.convertIdToToken($0) ?? "" }
    try self.init(
      jsonSchema: jsonSchema, vocabulary: pieces, vocabType: vocabType, stopTokenIds: stopTokenIds)
  }
}

private struct RandomModel {
  var dice = Dice(3)

  mutating func logits() -> [Float] { toyVocabulary.indices.map { _ in Float.random(in: 0..<1, using: &dice) } }
}

private struct NotFromTheseLogits: Error {}

@Suite struct ArticleTests {
  @Test func theFirstLogitsAreMasked() throws {
    let vocabulary = try Vocabulary(pieces: toyVocabulary, vocabType: .raw, stop: [try id("z")])
    let compiler = try GrammarCompiler(vocabulary)
    let grammar = try compiler.compileJSONSchema(personSchema)
    try grammar.prewarm()

    var session = try ConstrainedGenerationSession(grammar: grammar)
    var model = RandomModel()
    var document: [UInt8] = []
    generation: while true {
      var logits = model.logits()
      guard session.applyMask(to: &logits) else { break }
      let token = Int32(try #require(logits.indices.max { logits[$0] < logits[$1] }))
      switch session.accept(token) {
      case .rejected: throw NotFromTheseLogits()
      case .stopped: break generation
      case .more, .complete: document += vocabulary.bytes(of: token) ?? []
      }
    }
    #expect(session.state == .stopped)
    #expect(document.first == UInt8(ascii: "{") && document.last == UInt8(ascii: "}"))
  }

  @Test func aTokenizerInMemoryHasGaps() throws {
    var session = try ConstrainedGenerationSession(
      jsonSchema: personSchema, tokenizer: ToyTokenizer(), vocabSize: 50, vocabType: .raw)
    #expect(session.vocabularySize == 50)
    let allowed = session.allowedTokens()
    let braces = [try id("{"), try id("{\"")]
    #expect(allowed == braces)
  }
}
