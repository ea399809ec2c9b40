/// One generation under a schema: mask the logits, sample, accept, until it is terminated.
///
/// ```swift
/// var session = try ConstrainedGenerationSession(grammar: grammar)
/// while session.applyMask(to: &logits) {
///   let token = sample(logits)
///   if session.accept(token) == .stopped { break }
///   show(token)
/// }
/// ```
///
/// Noncopyable: two owners of one position would undo each other's tokens. ``fork()`` makes a second one. It can be
/// moved to another thread (`sending`), held by an actor or in a class, but not used by two threads at once.
///
/// Nothing here traps and nothing is unconstrained by accident. Whatever cannot be done is `false`, `nil` or an error,
/// and a step without a mask masks everything.
public struct ConstrainedGenerationSession: ~Copyable {
  /// The matcher underneath, to ask what a session has no name for.
  public internal(set) var matcher: GrammarMatcher
  /// How many logits a mask covers.
  public let vocabularySize: Int

  /// - Parameters:
  ///   - stopTokenIds: instead of the vocabulary's. An empty array means none.
  ///   - leadingSpace: one space may stand before the root value.
  public init(
    grammar: CompiledGrammar, stopTokenIds: [Int32]? = nil, leadingSpace: Bool = false
  ) throws(GrammarMaskError) {
    self.init(try GrammarMatcher(grammar, stopTokenIds: stopTokenIds, leadingSpace: leadingSpace))
  }

  private init(_ matcher: consuming GrammarMatcher) {
    vocabularySize = matcher.grammar.vocabulary.logitWidth
    self.matcher = matcher
  }

  /// A second session at the same position with the same history. Cheap at any length of the document.
  public func fork() throws(GrammarMaskError) -> ConstrainedGenerationSession {
    ConstrainedGenerationSession(try matcher.fork())
  }
}

extension ConstrainedGenerationSession {
  /// The schema text.
  public var schema: String { matcher.grammar.schema }
  public var grammar: CompiledGrammar { matcher.grammar }
  public var state: MatcherState { matcher.state }
  /// Nothing more can be generated: the document has stopped, or the vocabulary cannot continue it. ``state`` says
  /// which.
  public var isTerminated: Bool { state == .stopped || state == .stuck }
  public var compiledGrammarMemoryBytes: Int { matcher.grammar.memorySizeBytes }
}
