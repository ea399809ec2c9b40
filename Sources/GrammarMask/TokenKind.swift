/// What a token is besides its text. An empty set is an ordinary token.
public struct TokenKind: OptionSet, Hashable, Sendable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// A special token: never text, and in no mask unless it stops.
  public static let control = TokenKind(rawValue: 1)
  /// A literal that the tokenizer matches before its model runs.
  public static let added = TokenKind(rawValue: 2)
  /// A hole in the ids, or declared unused: in no mask.
  public static let unused = TokenKind(rawValue: 4)
  /// A byte-fallback piece: exactly one byte.
  public static let byte = TokenKind(rawValue: 8)
  /// The unknown token: in no mask.
  public static let unknown = TokenKind(rawValue: 16)
  /// A WordPiece that is glued to the token before it.
  public static let continuation = TokenKind(rawValue: 32)
}
