/// The token texts of one model, with what is derived from them once.
///
/// A class, since it is large, immutable and shared: every compiler, grammar and session of a model refers to one.
///
/// Token texts are bytes. Give them as the tokenizer spells them and say how they are spelled
/// (``VocabularyType``), or give raw bytes. Duplicate and empty texts, NUL, invalid and partial UTF-8 are legal.
///
/// Stop tokens are never guessed. A vocabulary without any ends a document as soon as nothing more may follow.
public final class Vocabulary: Sendable {
  let handle: VocabularyHandle

  /// Takes over one reference to a `gm_vocab`.
  package init(adopting handle: consuming VocabularyHandle) { self.handle = handle }

  /// A vocabulary from the tokenizer's own pieces, position in the array = token id.
  ///
  /// - Parameters:
  ///   - special: ids that are never text, such as `<|im_start|>`.
  ///   - unused: holes in the ids; their pieces do not matter.
  ///   - added: literals that the tokenizer matches before its model. Their pieces are raw whatever `vocabType` says,
  ///     and they stay out of masks unless they are white space or `allowsAddedTokens` is set.
  ///   - stop: tokens that end a document. Allowed exactly when the document may end.
  ///   - logitWidth: how many logits the model has, if more than pieces.
  ///   - addsPrefixSpace: encoders of this vocabulary put a space before a text. Information only.
  public convenience init(
    pieces: [String], vocabType: VocabularyType = .byteLevel, special: [Int32] = [], unused: [Int32] = [],
    added: [Int32] = [], stop: [Int32] = [], logitWidth: Int? = nil, allowsAddedTokens: Bool = false,
    addsPrefixSpace: Bool = false
  ) throws(GrammarMaskError) {
    var description = try VocabularyDescription(
      count: pieces.count, added: added, logitWidth: logitWidth, special: special, unused: unused, stop: stop)
    for piece in pieces { description.append(piece.utf8) }
    description.type = vocabType
    description.allowsAdded = allowsAddedTokens
    description.prefixSpace = addsPrefixSpace
    self.init(adopting: try VocabularyHandle(description))
  }

  /// A vocabulary from the bytes of each token, position in the array = token id.
  public convenience init(
    bytes: [[UInt8]], special: [Int32] = [], unused: [Int32] = [], added: [Int32] = [], stop: [Int32] = [],
    logitWidth: Int? = nil, allowsAddedTokens: Bool = false
  ) throws(GrammarMaskError) {
    var description = try VocabularyDescription(
      count: bytes.count, added: added, logitWidth: logitWidth, special: special, unused: unused, stop: stop)
    for text in bytes { description.append(text) }
    description.allowsAdded = allowsAddedTokens
    self.init(adopting: try VocabularyHandle(description))
  }

  /// A vocabulary from a file that ``save(to:)`` wrote, mapped read-only.
  ///
  /// A stale, foreign or damaged file is ``GrammarMaskError/Status/invalidFile``.
  public convenience init(savedTables path: String) throws(GrammarMaskError) {
    self.init(adopting: try VocabularyHandle(savedTables: path))
  }

  /// Writes the vocabulary with its derived tables, so that the next start need not derive them.
  public func save(to path: String) throws(GrammarMaskError) { try handle.save(to: path) }
}

extension Vocabulary {
  /// Highest id + 1.
  public var tokenCount: Int { handle.tokenCount }
  /// How many logits a mask covers: ``tokenCount`` unless the model has more.
  public var logitWidth: Int { handle.logitWidth }
  /// Words of a mask: `(logitWidth + 31) / 32`.
  public var maskWordCount: Int { handle.maskWordCount }
  public var stopTokenIds: [Int32] { handle.stop }
  /// Byte values that no token can spell. Anything that needs one of them is out of reach.
  public var missingBytes: [UInt8] { handle.missingBytes }
  public var addsPrefixSpace: Bool { handle.prefixSpace }
  /// Equal tables have equal digests, whatever file they came from.
  public var digest: UInt64 { handle.digest }
  public var memorySizeBytes: Int { handle.memory }

  /// The bytes of a token; `nil` for an id out of range and for a token without text.
  ///
  /// Append these to a document rather than decoded strings: one token may hold half a character.
  public func bytes(of token: Int32) -> [UInt8]? {
    handle.token(UInt32(bitPattern: token))?.bytes.map { Array($0) }
  }

  /// `nil` for an id out of range.
  public func kind(of token: Int32) -> TokenKind? {
    handle.token(UInt32(bitPattern: token)).map { TokenKind(rawValue: $0.kind) }
  }
}

extension VocabularyDescription {
  fileprivate init(
    count: Int, added: [Int32], logitWidth: Int?, special: [Int32], unused: [Int32], stop: [Int32]
  ) throws(GrammarMaskError) {
    self.init()
    offsets.reserveCapacity(count + 1)
    if let logitWidth {
      guard logitWidth >= count else { throw .mistake("logitWidth \(logitWidth) is less than \(count) tokens") }
      self.logitWidth = logitWidth
    }
    if !added.isEmpty { flags = Array(repeating: 0, count: count) }
    for id in added {
      guard flags.indices.contains(Int(id)) else { throw .mistake("added token \(id) is not below \(count)") }
      flags[Int(id)] = UInt8(TokenKind.added.rawValue)
    }
    self.special = special
    self.unused = unused
    self.stop = stop
  }
}
