/// Bounds on the work and the memory of a compiler and its grammars.
///
/// `nil` takes the default that stands with each field. Work is counted, never timed, so the same schema has the
/// same answer on every machine. Whoever meets a bound gets ``GrammarMaskError/Status/limit`` with the name of the
/// field. Values must be positive.
public struct Limits: Hashable, Sendable {
  /// Bytes of one schema text. Default 16 MiB.
  public var maxSchemaBytes: Int?
  /// Levels of a schema's text and of the groups of a pattern. Default 1,000.
  public var maxNesting: Int?
  /// Schema nodes after references. Default 1,000,000.
  public var maxNodes: Int?
  /// Alternatives of one place in the document. Default 1,024.
  public var maxThreads: Int?
  /// Terms of one pattern. Default 50,000.
  public var maxRegexPositions: Int?
  /// States of one string language explored while compiling. Default 50,000.
  public var maxLexicalStates: Int?
  /// Units of work to decide whether anything is valid. Default 5,000,000.
  public var maxSatisfiabilityWork: Int?
  /// Units of work of one compile. Default 200,000,000.
  public var maxCompileWork: Int?
  /// Bytes held while compiling. Default 256 MiB.
  public var maxCompileMemory: Int?
  /// Bytes of lazily built states of one grammar. Default 64 MiB.
  public var maxGrammarMemory: Int?
  /// Bytes of a compiler's caches. Default 256 MiB.
  public var maxCacheMemory: Int?
  /// Bytes of remembered masks of one compiler. Default 64 MiB.
  public var maxMaskMemory: Int?
  /// Units of work of one mask. Default 50,000,000.
  public var maxMaskWork: Int?
  /// Exponent digits of a constrained number. Default 3.
  public var maxExponentDigits: Int?
  /// `multipleOf` once scaled to an integer. Default 2^63 - 1.
  public var maxModulus: Int?
  /// Bytes of one matcher. Default 256 MiB.
  public var maxMatcherMemory: Int?

  /// All defaults.
  public init() {}
}
