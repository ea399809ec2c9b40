/// What a schema means and how documents may be written. Every field has its default on its line.
public struct SchemaOptions: Sendable {
  public enum PropertyOrder: Hashable, Sendable, CaseIterable {
    /// Declared keys come in the order of `x-order` if given, else of `properties`; all others after them.
    case declared
    /// Every order that JSON allows.
    case any
  }

  public enum Whitespace: Hashable, Sendable, CaseIterable {
    /// Any JSON white space at structural places, at most ``SchemaOptions/maxWhitespace`` bytes a run.
    case flexible
    /// None.
    case compact
    /// `", "` and `": "`, or the two separators given, and nothing else.
    case spaced
    /// Exactly what a pretty printer with ``SchemaOptions/indent`` spaces a level writes.
    case indented
  }

  public enum NumberSpelling: Hashable, Sendable, CaseIterable {
    /// Integers without fraction or exponent; numbers without exponent wherever anything constrains the value.
    case plain
    /// Every spelling that JSON has: `1.0` and `1e2` are integers.
    case json
  }

  public enum Escapes: Hashable, Sendable, CaseIterable {
    /// Every escape that JSON has.
    case json
    /// Only required ones, in their shortest spelling.
    case minimal
  }

  public enum Formats: Hashable, Sendable, CaseIterable {
    /// Every known name is enforced, whatever the draft.
    case assert
    /// `format` constrains nothing.
    case annotate
    /// As `$vocabulary` of the metaschema says.
    case schema
  }

  /// What to do with what cannot be enforced exactly. Each place is listed in ``CompiledGrammar/warnings``.
  public enum Unsupported: Hashable, Sendable, CaseIterable {
    /// Throw.
    case refuse
    /// Allow nothing there.
    case narrow
    /// Allow anything there.
    case ignore
  }

  public enum Draft: Hashable, Sendable, CaseIterable {
    case draft4, draft6, draft7, draft2019, draft2020
  }

  public var propertyOrder: PropertyOrder = .declared
  public var whitespace: Whitespace = .flexible
  /// Bytes of one run of white space under ``Whitespace/flexible``. `nil` is no limit: small models are known to
  /// write white space until their budget ends.
  public var maxWhitespace: Int? = 20
  /// Spaces a level under ``Whitespace/indented``.
  public var indent = 2
  /// One comma with white space around it, under ``Whitespace/spaced``. `nil` is `", "`.
  public var itemSeparator: String?
  /// One colon with white space around it, under ``Whitespace/spaced`` and ``Whitespace/indented``. `nil` is `": "`.
  public var keySeparator: String?
  public var integers: NumberSpelling = .plain
  public var numbers: NumberSpelling = .plain
  public var escapes: Escapes = .json
  /// As if `unevaluatedProperties: false` stood wherever properties are declared.
  public var strict = false
  /// `nullable`, `discriminator` and the draft-4 style booleans of OpenAPI.
  public var openapi = false
  public var formats: Formats = .assert
  public var unsupported: Unsupported = .refuse
  /// `nil`: as `$schema` says, else 2020-12.
  public var draft: Draft?
  /// Text of another document by absolute URI without fragment, or `nil` when there is none. Called only while
  /// compiling, on the thread that compiles.
  public var resolver: (@Sendable (_ uri: String) -> String?)?

  /// All defaults.
  public init() {}

  /// Defaults but for what `change` sets: `SchemaOptions { $0.whitespace = .compact }`.
  public init(_ change: (inout SchemaOptions) -> Void) {
    change(&self)
  }
}
