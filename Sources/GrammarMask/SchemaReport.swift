/// What would be enforced of a schema, place by place. Needs no vocabulary.
public struct SchemaReport: Hashable, Sendable {
  public enum Kind: Hashable, Sendable, CaseIterable {
    case enforced, annotation, refused
  }

  public struct Entry: Hashable, Sendable {
    public let kind: Kind
    /// JSON Pointer into the schema.
    public let pointer: String
    public let keyword: String
    /// For people: why, where there is something to say.
    public let text: String
  }

  public let entries: [Entry]
  /// What compiling would answer with a vocabulary that has all bytes; `nil` is success.
  public let status: GrammarMaskError.Status?
  /// The whole report as JSON text.
  public let json: String

  /// True when the schema would compile.
  public var isSupported: Bool { status == nil }
}
