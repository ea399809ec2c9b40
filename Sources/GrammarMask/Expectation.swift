/// What may follow at a position, for people.
public struct Expectation: Hashable, Sendable {
  /// Byte values that may follow, ascending.
  public let bytes: [UInt8]
  /// The document may end here.
  public let mayStop: Bool
  /// JSON Pointer of the place in the document.
  public let documentPointer: String
  /// JSON Pointer of a part of the schema that asks here.
  public let schemaPointer: String
}

/// Why a token is not allowed.
public struct TokenExplanation: Hashable, Sendable {
  /// The first byte of the token that does not fit; the token's length when all of them fit.
  public let position: Int
  /// For people.
  public let message: String
}
