// Every public declaration of Core AI's guided generation, used exactly as that package declares it, with one import.

import GrammarMaskCompatibility
import Testing

private let vocabulary: [String] = [
  "{", "}", "[", "]", ":", ",", "\"", " ", "\n", "-", ".",
  "0", "1", "2", "3", "4", "5", "6", "7", "8", "9",
  "true", "false", "null",
  "name", "age", "city", "tags", "d", "b", "c", "x", "y", "z",
  "{\"", "\":", "\",", "\"}", "12",
]

private let schema = """
  {"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
   "required": ["name", "age"]}
  """

/// As call sites hold it: `let`, optional, stored in a class.
private final class Holder {
  let matcher: GrammarMatcher
  var next: GrammarMatcher?
  init(_ matcher: GrammarMatcher) { self.matcher = matcher }
}

@Suite struct CoreAISurfaceTests {
  @Test func theSession() throws {
    var session = try ConstrainedGenerationSession(
      jsonSchema: schema, vocabulary: vocabulary, vocabType: .raw, stopTokenIds: nil)
    let size: Int = session.vocabularySize
    let text: String = session.schema
    #expect(size == 39 && text == schema)
    #expect(session.isTerminated == false)
    #expect(session.compiledGrammarMemoryBytes > 0)

    let mask: [Int32]? = session.nextTokenBitmask()
    var words: [Int32] = [0, 0]
    let result: ConstrainedGenerationSession.BitmaskResult = words.withUnsafeMutableBufferPointer {
      session.fillBitmask(into: $0.baseAddress!)
    }
    #expect(result == .constrained && result != .terminated && result != .unconstrained && mask == words)

    var logits = [Float](repeating: 0, count: 39)
    session.applyMask(to: &logits)
    #expect(logits[0] == 0 && logits[1] == -.infinity)
    #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
      var halves = [Float16](repeating: 0, count: 39)
      session.applyMask(to: &halves)
      #expect(halves[1] == -Float16.greatestFiniteMagnitude)
    #endif
    session.acceptToken(0)
    session.rollback()
    let none: Bool = session.rollback(1)
    #expect(!none)
    let jump: String? = session.findJumpForwardString()
    #expect(jump == "{")
    session.reset()
  }

  @Test func sessionsAreMadeInEveryWay() throws {
    _ = try ConstrainedGenerationSession(jsonSchema: "true", vocabulary: vocabulary)
    _ = try ConstrainedGenerationSession(jsonSchema: "true", tokenizerInfo: TokenizerInfo(vocabulary: vocabulary))
    do {
      _ = try ConstrainedGenerationSession(schemaPath: "/no/such/file", vocabulary: vocabulary)
      Issue.record("a file that is not there was read")
    } catch ConstrainedGenerationError.generationFailed(let reason) {
      #expect(reason.contains("/no/such/file"))
    }
    do {
      _ = try ConstrainedGenerationSession(jsonSchema: "{", vocabulary: vocabulary, vocabType: .raw)
      Issue.record("half a schema was compiled")
    } catch ConstrainedGenerationError.invalidSchema(let reason) {
      #expect(!reason.isEmpty)
    }
  }

  @Test func theSessionIsStrict() throws {
    let info = TokenizerInfo(vocabulary: vocabulary)
    var session = try ConstrainedGenerationSession(jsonSchema: schema, tokenizerInfo: info)
    for text in ["{\"", "name", "\":", "\"", "\",", "\"", "age", "\":", "1"] {
      let accepted = session.acceptToken(Int32(try #require(vocabulary.firstIndex(of: text))))
      #expect(accepted, "\(text)")
    }
    let more = session.acceptToken(5)  // a comma, before a property that nobody declared
    #expect(!more)
  }

  @Test func theTokenizerInfo() {
    let info: TokenizerInfo = TokenizerInfo(vocabulary: vocabulary, vocabType: .byteFallback, addPrefixSpace: true)
    let names: [String] = info.vocabulary
    let kind: VocabularyType = info.vocabType
    #expect(names == vocabulary && info.vocabularySize == 39 && kind == .byteFallback && info.addPrefixSpace)
    #expect(TokenizerInfo(vocabulary: []).vocabType == .raw)
    let kinds: [VocabularyType] = [.raw, .byteFallback, .byteLevel]
    #expect(kinds.count == 3)
  }

  @Test func theTokenizerInfoCache() async {
    let cache = TokenizerInfoCache()
    let first: TokenizerInfo = await cache.getOrCreate(modelName: "m", vocabulary: vocabulary, vocabType: .raw)
    let again = await cache.getOrCreate(modelName: "m", vocabulary: vocabulary, vocabType: .raw)
    #expect(first === again)
    await cache.clear()
    let level = await cache.getOrCreate(modelName: "m", vocabulary: vocabulary)
    #expect(level.vocabType == .byteLevel)
  }

  @Test func theCompilerAndItsGrammar() throws {
    let info = TokenizerInfo(vocabulary: vocabulary)
    let compiler = GrammarCompiler(tokenizerInfo: info)
    let uncached = GrammarCompiler(tokenizerInfo: info, maxThreads: 2, cacheEnabled: false)
    let grammar: CompiledGrammar = try compiler.compileJSONSchema(schema)
    _ = try uncached.compileJSONSchema(schema, anyWhitespace: false, strictMode: false)
    #expect(grammar.tokenizerInfo === info && grammar.memorySizeBytes > 0)
    do {
      _ = try compiler.compileJSONSchema(#"{"type": 42}"#)
      Issue.record("a schema with type 42 was compiled")
    } catch XGrammarError.schemaCompilationFailed(let reason) {
      #expect(reason.contains("type"))
    }
  }

  @Test func theMatcherIsAClass() throws {
    let grammar = try GrammarCompiler(tokenizerInfo: TokenizerInfo(vocabulary: vocabulary))
      .compileJSONSchema(#"{"type": "integer", "const": 12}"#)
    let matcher = GrammarMatcher(compiledGrammar: grammar)
    let holder = Holder(matcher)
    holder.next = GrammarMatcher(compiledGrammar: grammar, maxRollbackTokens: 64)

    var words: [Int32] = [-1, -1]
    let needed: Bool = words.withUnsafeMutableBufferPointer { matcher.fillNextTokenBitmask($0.baseAddress!) }
    #expect(needed && words[1] == 1 << 6 && words[0] == 1 << 12)  // "12" and "1"
    #expect(matcher.findJumpForwardString() == "12")
    #expect(!matcher.acceptToken(0) && matcher.acceptToken(38))
    #expect(matcher.isTerminated && matcher.isCompleted && holder.matcher.isTerminated)
    let after: Bool = words.withUnsafeMutableBufferPointer { matcher.fillNextTokenBitmask($0.baseAddress!) }
    #expect(!after && words == [0, 0])
    matcher.rollback()
    #expect(!matcher.isTerminated && !matcher.isCompleted && !matcher.rollback(2))
    matcher.reset()
    #expect(holder.next?.acceptToken(38) == true)
  }

  @Test func whatIsWrongWithAVocabularyIsThrownByTheCompile() {
    let info = TokenizerInfo(vocabulary: [])
    #expect(throws: XGrammarError.self) { try GrammarCompiler(tokenizerInfo: info).compileJSONSchema("true") }
    #expect(throws: ConstrainedGenerationError.self) {
      _ = try ConstrainedGenerationSession(jsonSchema: "true", tokenizerInfo: info)
    }
  }

  @Test func theRestOfGrammarMaskComesWithIt() throws {
    #expect(try Vocabulary(pieces: vocabulary, vocabType: .raw).tokenCount == 39)
    var session = try ConstrainedGenerationSession(jsonSchema: schema, vocabulary: vocabulary, vocabType: .raw)
    let accepted: Accepted = session.withSession { $0.accept(0) }
    #expect(accepted == .more && session.session.state == .running)
  }
}
