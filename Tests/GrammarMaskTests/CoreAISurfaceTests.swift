// Every member of Core AI's session as that package declares it: labels, defaults and types. What compiles here
// compiles there.

import GrammarMask
import Testing

@Suite struct CoreAISurfaceTests {
  @Test func everyMemberOfTheSessionIsThere() throws {
    var session = try ConstrainedGenerationSession(jsonSchema: personSchema, vocabulary: toyVocabulary, vocabType: .raw)
    let vocabularySize: Int = session.vocabularySize
    let schema: String = session.schema
    let isTerminated: Bool = session.isTerminated
    let memory: Int = session.compiledGrammarMemoryBytes
    #expect(vocabularySize == 39 && schema == personSchema && !isTerminated && memory > 0)

    let bitmask: [Int32]? = session.nextTokenBitmask()
    #expect(bitmask?.count == 2)
    var words: [Int32] = [0, 0]
    let result: ConstrainedGenerationSession.BitmaskResult = words.withUnsafeMutableBufferPointer {
      session.fillBitmask(into: $0.baseAddress!)
    }
    switch result {
    case .terminated, .unconstrained: Issue.record("\(result)")
    case .constrained: break
    }

    var logits = [Float](repeating: 1, count: 39)
    session.applyMask(to: &logits)
    let applied: Bool = session.applyMask(to: &logits)
    #expect(applied)
    session.acceptToken(0)
    let accepted: Bool = session.acceptToken(6)
    #expect(accepted)
    session.rollback()
    let rolledBack: Bool = session.rollback(1)
    #expect(rolledBack)
    let jump: String? = session.findJumpForwardString()
    #expect(jump == "{")
    session.reset()
  }

  #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
    @Test func halvesAreMaskedToTheLeastFiniteOne() throws {
      var session = try toySession()
      var logits = [Float16](repeating: 1, count: 39)
      let applied: Bool = session.applyMask(to: &logits)
      #expect(applied)
      #expect(logits[0] == 1)
      #expect(logits[1] == -65504)
      #expect(logits[1] == -Float16.greatestFiniteMagnitude)
    }
  #endif

  @Test func everyInitialiserOfTheSessionIsThere() throws {
    _ = try ConstrainedGenerationSession(jsonSchema: "true", vocabulary: toyVocabulary)
    _ = try ConstrainedGenerationSession(
      jsonSchema: "true", vocabulary: toyVocabulary, vocabType: .raw, stopTokenIds: nil)
    _ = try ConstrainedGenerationSession(jsonSchema: "true", vocabulary: toyVocabulary, stopTokenIds: [38])
    let info = TokenizerInfo(vocabulary: toyVocabulary, vocabType: .raw)
    _ = try ConstrainedGenerationSession(jsonSchema: "true", tokenizerInfo: info)
    #expect(throws: (any Error).self) {
      _ = try ConstrainedGenerationSession(
        schemaPath: "/no/such/file", vocabulary: toyVocabulary, vocabType: .raw, stopTokenIds: nil)
    }
    #expect(throws: (any Error).self) {
      _ = try ConstrainedGenerationSession(schemaPath: "/no/such/file", vocabulary: toyVocabulary)
    }
  }

  @Test func unappliedInitialisersHaveTheSameTypes() {
    let first: (String, [String], VocabularyType, [Int32]?) throws -> ConstrainedGenerationSession =
      ConstrainedGenerationSession.init(jsonSchema:vocabulary:vocabType:stopTokenIds:)
    let second: (String, TokenizerInfo) throws -> ConstrainedGenerationSession =
      ConstrainedGenerationSession.init(jsonSchema:tokenizerInfo:)
    let third: (String, [String], VocabularyType, [Int32]?) throws -> ConstrainedGenerationSession =
      ConstrainedGenerationSession.init(schemaPath:vocabulary:vocabType:stopTokenIds:)
    #expect(throws: Never.self) { _ = try first("true", toyVocabulary, .raw, nil) }
    #expect(throws: Never.self) { _ = try second("true", TokenizerInfo(vocabulary: toyVocabulary, vocabType: .raw)) }
    #expect(throws: (any Error).self) { _ = try third("/no/such/file", toyVocabulary, .raw, nil) }
  }

  @Test func theCacheKeepsOneInfoAModel() async {
    let cache = TokenizerInfoCache()
    let first: TokenizerInfo = await cache.getOrCreate(modelName: "toy", vocabulary: toyVocabulary, vocabType: .raw)
    let again = await cache.getOrCreate(modelName: "toy", vocabulary: toyVocabulary.map { $0 + "" }, vocabType: .raw)
    let other = await cache.getOrCreate(modelName: "toy", vocabulary: toyVocabulary)
    let changed = await cache.getOrCreate(modelName: "toy", vocabulary: toyVocabulary + ["!"], vocabType: .raw)
    #expect(first === again && first !== other && first !== changed)
    await cache.clear()
    let afterwards = await cache.getOrCreate(modelName: "toy", vocabulary: toyVocabulary, vocabType: .raw)
    #expect(afterwards !== first)
  }

  @Test func theCacheTellsCanonicallyEqualTextsApart() async {
    let cache = TokenizerInfoCache()
    let composed = await cache.getOrCreate(modelName: "m", vocabulary: ["\u{E9}"], vocabType: .raw)
    let decomposed = await cache.getOrCreate(modelName: "m", vocabulary: ["e\u{301}"], vocabType: .raw)
    #expect(composed !== decomposed)
  }
}
