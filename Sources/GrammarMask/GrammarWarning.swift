/// A place in a schema that constrains less, or otherwise, than its author may think.
public struct GrammarWarning: Hashable, Sendable {
  public enum Kind: Hashable, Sendable, CaseIterable {
    /// Does not constrain: an annotation or an unknown keyword.
    case annotation
    /// Enforced as a subset.
    case narrowed
    /// Not enforced, as asked for by ``SchemaOptions/Unsupported/ignore``.
    case ignored
  }

  public let kind: Kind
  /// JSON Pointer into the schema.
  public let pointer: String
  public let keyword: String
  /// For people.
  public let text: String
}

extension GrammarWarning: CustomStringConvertible {
  public var description: String { "\(kind): \(pointer): \(keyword): \(text)" }
}
