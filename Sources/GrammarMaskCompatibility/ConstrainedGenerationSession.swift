/// One generation under a schema, with the defaults and the errors of Core AI's package: strict, and
/// ``ConstrainedGenerationError``.
///
/// The stop ids are honoured. The session underneath has everything else that GrammarMask offers, see
/// ``withSession(_:)``.
public struct ConstrainedGenerationSession: ~Copyable {
  public typealias BitmaskResult = GrammarMask.ConstrainedGenerationSession.BitmaskResult

  /// The session of GrammarMask, at the same position.
  public private(set) var session: GrammarMask.ConstrainedGenerationSession

  public var vocabularySize: Int { session.vocabularySize }
  public var schema: String { session.schema }
  public var isTerminated: Bool { session.isTerminated }
  public var compiledGrammarMemoryBytes: Int { session.compiledGrammarMemoryBytes }

  public init(
    jsonSchema: String, vocabulary: [String], vocabType: VocabularyType = .byteLevel, stopTokenIds: [Int32]? = nil
  ) throws {
    do throws(GrammarMaskError) {
      session = try GrammarMask.ConstrainedGenerationSession(
        jsonSchema: jsonSchema, vocabulary: vocabulary, vocabType: vocabType, stopTokenIds: stopTokenIds,
        options: .coreAI)
    } catch {
      throw ConstrainedGenerationError(error)
    }
  }

  public init(jsonSchema: String, tokenizerInfo: TokenizerInfo) throws {
    do throws(GrammarMaskError) {
      session = try GrammarMask.ConstrainedGenerationSession(
        jsonSchema: jsonSchema, tokenizerInfo: tokenizerInfo.info, options: .coreAI)
    } catch {
      throw ConstrainedGenerationError(error)
    }
  }

  public init(
    schemaPath: String, vocabulary: [String], vocabType: VocabularyType = .byteLevel, stopTokenIds: [Int32]? = nil
  ) throws {
    do throws(GrammarMaskError) {
      session = try GrammarMask.ConstrainedGenerationSession(
        schemaPath: schemaPath, vocabulary: vocabulary, vocabType: vocabType, stopTokenIds: stopTokenIds,
        options: .coreAI)
    } catch {
      throw ConstrainedGenerationError(error)
    }
  }
}

extension ConstrainedGenerationSession {
  public mutating func nextTokenBitmask() -> [Int32]? { session.nextTokenBitmask() }

  /// Writes `(vocabularySize + 31) / 32` words. `.unconstrained` is never the answer to an error.
  public mutating func fillBitmask(into pointer: UnsafeMutablePointer<Int32>) -> BitmaskResult {
    session.fillBitmask(into: pointer)
  }

  /// Sets what is not allowed to minus infinity. False: the document has stopped and the logits are untouched, or
  /// nothing can follow and all of them are masked.
  @discardableResult
  public mutating func applyMask(to logits: inout [Float]) -> Bool { session.applyMask(to: &logits) }

  #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
    /// Sets what is not allowed to `-Float16.greatestFiniteMagnitude`.
    @discardableResult
    public mutating func applyMask(to logits: inout [Float16]) -> Bool { session.applyMask(to: &logits) }
  #endif

  @discardableResult
  public mutating func acceptToken(_ tokenId: Int32) -> Bool { session.acceptToken(tokenId) }

  public mutating func reset() { session.reset() }

  @discardableResult
  public mutating func rollback(_ numTokens: Int = 1) -> Bool { session.rollback(numTokens) }

  public func findJumpForwardString() -> String? { session.findJumpForwardString() }

  /// Lends the session of GrammarMask, for what Core AI's has no name for.
  public mutating func withSession<R>(_ body: (inout GrammarMask.ConstrainedGenerationSession) throws -> R) rethrows
    -> R
  {
    try body(&session)
  }
}

extension SchemaOptions {
  /// What Core AI's session compiles with.
  fileprivate static var coreAI: SchemaOptions { SchemaOptions(anyWhitespace: true, strictMode: true) }
}
