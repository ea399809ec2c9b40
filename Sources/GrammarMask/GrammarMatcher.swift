/// One document being generated: the engine's matcher, one to one.
///
/// Noncopyable: a matcher is a position in a document, and two owners of one position would undo each other's tokens.
/// Fork to explore a second path. Not `Sendable`, because even a question may build states inside: the compiler then
/// lets it be *sent* to another thread, but never be used by two at once.
///
/// ``ConstrainedGenerationSession`` is the same with answers instead of errors.
public struct GrammarMatcher: ~Copyable {
  let handle: MatcherHandle
  public let grammar: CompiledGrammar

  /// - Parameters:
  ///   - stopTokenIds: instead of the vocabulary's. An empty array means none. A stop token is never text.
  ///   - leadingSpace: one space may stand before the root value, for vocabularies whose texts begin with one.
  public init(
    _ grammar: CompiledGrammar, stopTokenIds: [Int32]? = nil, leadingSpace: Bool = false
  ) throws(GrammarMaskError) {
    handle = try MatcherHandle(grammar.handle, stop: stopTokenIds, leadingSpace: leadingSpace)
    self.grammar = grammar
  }

  private init(_ handle: consuming MatcherHandle, _ grammar: CompiledGrammar) {
    self.handle = handle
    self.grammar = grammar
  }

  /// A second matcher at the same position with the same history. Cheap at any length of the document.
  public func fork() throws(GrammarMaskError) -> GrammarMatcher {
    GrammarMatcher(try handle.fork(), grammar)
  }
}

extension GrammarMatcher {
  public var state: MatcherState { handle.state }
  /// Tokens, and runs of bytes, accepted and not taken back.
  public var tokenCount: Int { handle.tokenCount }
  public var memorySizeBytes: Int { handle.memory }
  /// The stop set in force, ascending.
  public var stopTokenIds: [Int32] { handle.stop }

  /// Advances by a token. ``Accepted/rejected`` means that nothing changed, for ids out of range too.
  @discardableResult
  public mutating func accept(_ token: Int32) throws(GrammarMaskError) -> Accepted {
    try accepted(handle.accept(UInt32(bitPattern: token)))
  }

  /// Advances by text: all of it or none. Counts as one token for ``rollback(_:)``.
  @discardableResult
  public mutating func accept(bytes: [UInt8]) throws(GrammarMaskError) -> Accepted {
    var fitted = 0
    return try accepted(bytes.withUnsafeBufferPointer { handle.accept($0, fitted: &fitted) })
  }

  /// Takes back the last `count` tokens. More than were accepted is an error and changes nothing.
  public mutating func rollback(_ count: Int = 1) throws(GrammarMaskError) {
    guard count >= 0 else { throw .mistake("\(count) tokens cannot be taken back") }
    try check(handle.rollback(count), "\(count) tokens cannot be taken back: \(tokenCount) were accepted")
  }

  /// Back to the start. Drops the history, keeps the stop set, touches no fork.
  public mutating func reset() throws(GrammarMaskError) {
    try check(handle.reset(), "the matcher could not be reset")
  }

  private func accepted(_ status: GrammarMaskError.Status?) throws(GrammarMaskError) -> Accepted {
    switch status {
    case nil: return handle.accepted
    case .rejected, .terminated, .deadEnd: return .rejected
    case let status: throw GrammarMaskError(status ?? .invalidArgument, message: "the token could not be taken in")
    }
  }
}

extension MatcherHandle {
  /// What the token accepted just now was. The document has stopped on a token of the stop set, or because it is
  /// complete and there is no stop set; the second kind of token is text.
  var accepted: Accepted {
    switch state {
    case .stopped: return hasStopTokens ? .stopped : .complete
    case .complete: return .complete
    case .running, .mayStop, .stuck: return .more
    }
  }
}
