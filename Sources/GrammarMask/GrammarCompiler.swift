/// Compiles schemas for one vocabulary, and keeps what its grammars share.
///
/// Safe to use from many threads. Equal schemas with equal options give the same compiled grammar from a cache, for
/// as long as somebody holds it.
public final class GrammarCompiler: Sendable {
  let handle: CompilerHandle
  public let vocabulary: Vocabulary
  public let limits: Limits

  public init(_ vocabulary: Vocabulary, limits: Limits = Limits()) throws(GrammarMaskError) {
    handle = try CompilerHandle(vocabulary.handle, limits)
    self.vocabulary = vocabulary
    self.limits = limits
  }

  /// A compiler of its own over the info's vocabulary. The one that its sessions share is ``TokenizerInfo/compiler``.
  public convenience init(tokenizerInfo: TokenizerInfo, limits: Limits = Limits()) throws(GrammarMaskError) {
    try self.init(try tokenizerInfo.compiler.vocabulary, limits: limits)
  }

  /// Compiles the text of a JSON Schema.
  ///
  /// What cannot be enforced exactly is refused: the error has the JSON Pointer, the keyword and the reason.
  public func compileJSONSchema(
    _ schema: String, options: SchemaOptions = SchemaOptions()
  ) throws(GrammarMaskError) -> CompiledGrammar {
    CompiledGrammar(try handle.compile(schema: schema, options), self, schema: schema)
  }

  /// Compiles the schema in a file of UTF-8 text.
  public func compileJSONSchema(
    path: String, options: SchemaOptions = SchemaOptions()
  ) throws(GrammarMaskError) -> CompiledGrammar {
    let limit = limits.maxSchemaBytes ?? 16 << 20
    let bytes = try readFile(path, atMost: limit < .max ? limit + 1 : limit)  // the one byte more meets the limit
    let grammar = try handle.compile(schema: bytes, options)
    return CompiledGrammar(grammar, self, schema: String(decoding: bytes, as: UTF8.self))
  }

  /// A grammar of every JSON document.
  public func compileJSON(options: SchemaOptions = SchemaOptions()) throws(GrammarMaskError) -> CompiledGrammar {
    CompiledGrammar(try handle.compileAnyJSON(options), self, schema: "true")
  }

  /// Tells place by place what would be enforced of a schema, without any vocabulary.
  ///
  /// Throws only when the text is not a schema at all.
  public static func checkSchema(
    _ schema: String, options: SchemaOptions = SchemaOptions(), limits: Limits = Limits()
  ) throws(GrammarMaskError) -> SchemaReport {
    try SchemaReport(schema, options, limits)
  }

  /// Version of the engine that runs, as "major.minor.patch".
  public static var version: String { engineVersion }
}
