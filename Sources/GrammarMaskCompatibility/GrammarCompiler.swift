/// Compiles schemas for one vocabulary.
public final class GrammarCompiler: Sendable {
  private let tokenizerInfo: TokenizerInfo
  private let cacheEnabled: Bool

  /// - Parameters:
  ///   - maxThreads: without effect, since compiling needs no threads.
  ///   - cacheEnabled: false makes each call compile anew.
  public init(tokenizerInfo: TokenizerInfo, maxThreads: Int = 8, cacheEnabled: Bool = true) {
    self.tokenizerInfo = tokenizerInfo
    self.cacheEnabled = cacheEnabled
  }

  /// - Parameters:
  ///   - anyWhitespace: false means `", "` and `": "` and no other white space.
  ///   - strictMode: objects with declared properties have no others, unless the schema allows them.
  public func compileJSONSchema(
    _ schema: String, anyWhitespace: Bool = true, strictMode: Bool = true
  ) throws -> CompiledGrammar {
    do throws(GrammarMaskError) {
      let grammar = try compiler().compileJSONSchema(
        schema, options: SchemaOptions(anyWhitespace: anyWhitespace, strictMode: strictMode))
      return CompiledGrammar(grammar, tokenizerInfo)
    } catch {
      throw XGrammarError(error)
    }
  }

  private func compiler() throws(GrammarMaskError) -> GrammarMask.GrammarCompiler {
    if cacheEnabled { return try tokenizerInfo.info.compiler }
    return try GrammarMask.GrammarCompiler(tokenizerInfo: tokenizerInfo.info)
  }
}

extension SchemaOptions {
  /// The options under the names of Core AI's compiler.
  init(anyWhitespace: Bool, strictMode: Bool) {
    self.init()
    whitespace = anyWhitespace ? .flexible : .spaced
    strict = strictMode
  }
}

/// One compiled schema.
public final class CompiledGrammar: Sendable {
  public let tokenizerInfo: TokenizerInfo
  let grammar: GrammarMask.CompiledGrammar

  init(_ grammar: GrammarMask.CompiledGrammar, _ tokenizerInfo: TokenizerInfo) {
    self.grammar = grammar
    self.tokenizerInfo = tokenizerInfo
  }

  public var memorySizeBytes: Int { grammar.memorySizeBytes }
}
