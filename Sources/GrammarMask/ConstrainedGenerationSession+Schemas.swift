// Sessions straight from a schema. Each makes the vocabulary's tables anew: for more than one session of a model make
// a TokenizerInfo or a GrammarCompiler once.

extension ConstrainedGenerationSession {
  /// - Parameter stopTokenIds: tokens that end a document. `nil` and an empty array mean none: then the document ends
  ///   when nothing more may follow.
  public init(
    jsonSchema: String, vocabulary: [String], vocabType: VocabularyType = .byteLevel, stopTokenIds: [Int32]? = nil
  ) throws(GrammarMaskError) {
    try self.init(
      jsonSchema: jsonSchema, vocabulary: vocabulary, vocabType: vocabType, stopTokenIds: stopTokenIds,
      options: SchemaOptions())
  }

  public init(
    jsonSchema: String, vocabulary: [String], vocabType: VocabularyType = .byteLevel, stopTokenIds: [Int32]? = nil,
    options: SchemaOptions
  ) throws(GrammarMaskError) {
    let info = TokenizerInfo(vocabulary: vocabulary, vocabType: vocabType, stopTokenIds: stopTokenIds ?? [])
    try self.init(jsonSchema: jsonSchema, tokenizerInfo: info, options: options)
  }

  public init(jsonSchema: String, tokenizerInfo: TokenizerInfo) throws(GrammarMaskError) {
    try self.init(jsonSchema: jsonSchema, tokenizerInfo: tokenizerInfo, options: SchemaOptions())
  }

  public init(
    jsonSchema: String, tokenizerInfo: TokenizerInfo, options: SchemaOptions
  ) throws(GrammarMaskError) {
    try self.init(grammar: try tokenizerInfo.compiler.compileJSONSchema(jsonSchema, options: options))
  }

  public init(
    jsonSchema: String, vocabulary: Vocabulary, options: SchemaOptions = SchemaOptions()
  ) throws(GrammarMaskError) {
    try self.init(grammar: try GrammarCompiler(vocabulary).compileJSONSchema(jsonSchema, options: options))
  }

  /// The schema in a file of UTF-8 text.
  public init(
    schemaPath: String, vocabulary: [String], vocabType: VocabularyType = .byteLevel, stopTokenIds: [Int32]? = nil
  ) throws(GrammarMaskError) {
    try self.init(
      schemaPath: schemaPath, vocabulary: vocabulary, vocabType: vocabType, stopTokenIds: stopTokenIds,
      options: SchemaOptions())
  }

  public init(
    schemaPath: String, vocabulary: [String], vocabType: VocabularyType = .byteLevel, stopTokenIds: [Int32]? = nil,
    options: SchemaOptions
  ) throws(GrammarMaskError) {
    let info = TokenizerInfo(vocabulary: vocabulary, vocabType: vocabType, stopTokenIds: stopTokenIds ?? [])
    try self.init(grammar: try info.compiler.compileJSONSchema(path: schemaPath, options: options))
  }
}
