/// One document being generated, as a class with methods that do not throw.
///
/// One thread at a time, hence not `Sendable`. If the matcher cannot even be made, for lack of memory, it is one that
/// has terminated and accepts nothing.
public final class GrammarMatcher {
  private var session: GrammarMask.ConstrainedGenerationSession?
  private let wordCount: Int

  /// - Parameter maxRollbackTokens: without effect: any number of tokens can be taken back.
  public init(compiledGrammar: CompiledGrammar, maxRollbackTokens: Int = 0) {
    session = try? GrammarMask.ConstrainedGenerationSession(grammar: compiledGrammar.grammar)
    wordCount = compiledGrammar.grammar.vocabulary.maskWordCount
  }

  /// Writes the mask of the next step into `(vocabularySize + 31) / 32` words.
  ///
  /// False means one thing: nothing may follow, and the mask is all zeros.
  public func fillNextTokenBitmask(_ bitmask: UnsafeMutablePointer<Int32>) -> Bool {
    bitmask.update(repeating: 0, count: wordCount)
    return use(or: false) { $0.fillBitmask(into: bitmask) != .terminated }
  }

  public func acceptToken(_ tokenId: Int32) -> Bool { use(or: false) { $0.acceptToken(tokenId) } }

  /// Nothing more can be generated.
  public var isTerminated: Bool { use(or: true) { $0.isTerminated } }

  /// The document is complete, whether or not more may follow.
  public var isCompleted: Bool {
    use(or: false) { $0.state == .mayStop || $0.state == .complete || $0.state == .stopped }
  }

  public func reset() { use(or: ()) { $0.reset() } }

  @discardableResult
  public func rollback(_ numTokens: Int = 1) -> Bool { use(or: false) { $0.rollback(numTokens) } }

  /// The text that every legal document shares from here; `nil` when there is none.
  public func findJumpForwardString() -> String? { use(or: nil) { $0.findJumpForwardString() } }

  /// Optional chaining would copy the session, so it is taken out and put back.
  private func use<R>(
    or fallback: R, _ body: (inout GrammarMask.ConstrainedGenerationSession) -> R
  ) -> R {
    guard var taken = session.take() else { return fallback }
    let result = body(&taken)
    session = consume taken
    return result
  }
}
