// What a caller may get wrong is `false`, `nil` or a thrown error. Nothing here ends the process.

import GrammarMask
import Testing

@Suite struct MisuseTests {
  @Test(arguments: [-1, -2, .min, 39, 40, 1_000_000, .max] as [Int32])
  func idsOutOfRangeAreRejected(token: Int32) throws {
    var session = try toySession()
    let before = session.nextTokenBitmask()
    let accepted = session.acceptToken(token)
    let told = session.accept(token)
    let would = session.wouldAccept(token)
    let allowed = session.withMask { $0.allows(token) }
    #expect(!accepted && told == .rejected && !would && allowed == false)
    #expect(session.acceptablePrefix(of: [token]) == 0)
    let after = session.nextTokenBitmask()
    #expect(before == after)
    #expect(session.grammar.vocabulary.bytes(of: token) == nil)
    #expect(session.grammar.vocabulary.kind(of: token) == nil)
  }

  @Test(arguments: [-1, .min, 3, 1000, .max])
  func rollbackOfMoreThanWasAcceptedIsFalse(count: Int) throws {
    var session = try toySession()
    try session.accept(["{", "\""])
    let before = session.nextTokenBitmask()
    let done = session.rollback(count)
    let after = session.nextTokenBitmask()
    #expect(!done && before == after)
    let thrown = #expect(throws: GrammarMaskError.self) {
      var matcher = try GrammarMatcher(session.grammar)
      try matcher.rollback(count)
    }
    #expect(thrown?.status == .invalidArgument)
  }

  @Test(arguments: [0, 1])
  func aBufferThatIsTooSmallIsAnError(count: Int) throws {
    var session = try toySession()
    let thrown = #expect(throws: GrammarMaskError.self) { try fillWords(&session, count) }
    #expect(thrown?.status == .invalidArgument)
    var matcher = try GrammarMatcher(session.grammar)
    let fromMatcher = #expect(throws: GrammarMaskError.self) { try fillMatcherWords(&matcher, count) }
    #expect(fromMatcher?.status == .invalidArgument)
  }

  @Test(arguments: [[-1], [39], [0, 1000]] as [[Int32]])
  func stopIdsOutOfRangeAreAnError(stop: [Int32]) throws {
    let thrown = #expect(throws: GrammarMaskError.self) { _ = try toySession(stop: stop) }
    #expect(thrown?.status == .invalidArgument)
    let grammar = try toySession().grammar
    let fromMatcher = #expect(throws: GrammarMaskError.self) { _ = try GrammarMatcher(grammar, stopTokenIds: stop) }
    #expect(fromMatcher?.status == .invalidArgument)
  }

  @Test func aTokenizerInfoKeepsItsErrorForTheCompile() {
    let empty = TokenizerInfo(vocabulary: [], vocabType: .raw)
    #expect(throws: GrammarMaskError.self) {
      _ = try ConstrainedGenerationSession(jsonSchema: "true", tokenizerInfo: empty)
    }
    let badStop = TokenizerInfo(vocabulary: ["a"], vocabType: .raw, stopTokenIds: [7])
    let thrown = #expect(throws: GrammarMaskError.self) { _ = try badStop.compiler }
    #expect(thrown?.status == .invalidArgument)
  }

  @Test(arguments: ["", " ", "{", "nonsense", "[]", "12", #"{"type": 42}"#, "{}{}", "\u{0}", #"{"a": 1, "a": 2}"#])
  func whatIsNotASchemaIsAnError(text: String) throws {
    let thrown = #expect(throws: GrammarMaskError.self) { _ = try toySession(text) }
    #expect(thrown?.status == .invalidSchema, "\(String(describing: thrown))")
    #expect(thrown?.message.isEmpty == false)
  }

  @Test func whatHasNoDocumentIsAnError() throws {
    let thrown = #expect(throws: GrammarMaskError.self) { _ = try toySession("false") }
    #expect(thrown?.status == .unsatisfiable)
  }

  @Test func optionsThatMeanNothingAreErrors() throws {
    let changes: [@Sendable (inout SchemaOptions) -> Void] = [
      { $0.maxWhitespace = 0 }, { $0.maxWhitespace = -1 }, { $0.indent = -1 }, { $0.indent = .max },
      { $0.itemSeparator = ",\u{0}" }, { $0.keySeparator = "\u{0}:" },
    ]
    for change in changes {
      let thrown = #expect(throws: GrammarMaskError.self) { _ = try toySession(options: SchemaOptions(change)) }
      #expect(thrown?.status == .invalidArgument)
    }
    let separators: [@Sendable (inout SchemaOptions) -> Void] = [
      { $0.itemSeparator = ";" }, { $0.keySeparator = "" }, { $0.itemSeparator = ",," },
    ]
    for change in separators {
      let options = SchemaOptions {
        $0.whitespace = .spaced
        change(&$0)
      }
      let thrown = #expect(throws: GrammarMaskError.self) { _ = try toySession(options: options) }
      #expect(thrown?.status == .invalidArgument)
    }
  }

  @Test(arguments: [0, -1, .min])
  func limitsThatAreNotPositiveAreErrors(value: Int) throws {
    var limits = Limits()
    limits.maxNodes = value
    let thrown = #expect(throws: GrammarMaskError.self) {
      _ = try GrammarCompiler(Vocabulary(pieces: toyVocabulary, vocabType: .raw), limits: limits)
    }
    #expect(thrown?.status == .invalidArgument)
  }

  @Test func pathsThatCannotBeReadAreErrors() {
    for (path, status) in [
      ("/no/such/file", GrammarMaskError.Status.io), ("/", .io), ("", .io), ("a\u{0}b", .invalidArgument),
    ] {
      let thrown = #expect(throws: GrammarMaskError.self) {
        _ = try ConstrainedGenerationSession(schemaPath: path, vocabulary: toyVocabulary, vocabType: .raw)
      }
      #expect(thrown?.status == status, "\(path)")
    }
  }

  @Test func vocabulariesThatContradictThemselvesAreErrors() {
    let attempts: [() throws -> Vocabulary] = [
      { try Vocabulary(pieces: ["a", "b"], logitWidth: 1) }, { try Vocabulary(pieces: ["a"], logitWidth: -1) },
      { try Vocabulary(pieces: ["a"], added: [1]) }, { try Vocabulary(pieces: ["a"], added: [-1]) },
      { try Vocabulary(pieces: ["a"], special: [1]) }, { try Vocabulary(pieces: ["a"], unused: [-1]) },
      { try Vocabulary(pieces: ["a"], stop: [.max]) }, { try Vocabulary(bytes: []) },
    ]
    for attempt in attempts {
      let thrown = #expect(throws: GrammarMaskError.self) { _ = try attempt() }
      #expect(thrown?.status == .invalidArgument)
    }
  }

  private func fillWords(_ session: inout ConstrainedGenerationSession, _ count: Int) throws {
    var words = [UInt32](repeating: 0, count: count)
    var span = words.mutableSpan
    _ = try session.fillNextTokenBitmask(&span)
  }

  private func fillMatcherWords(_ matcher: inout GrammarMatcher, _ count: Int) throws {
    var words = [UInt32](repeating: 0, count: count)
    var span = words.mutableSpan
    try matcher.fill(&span)
  }
}
