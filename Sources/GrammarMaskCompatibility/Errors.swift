/// What a session throws.
public enum ConstrainedGenerationError: Error, Hashable, Sendable {
  /// The schema or the vocabulary cannot be used; the text has pointer, keyword and reason.
  case invalidSchema(String)
  /// Memory, a limit or a file.
  case generationFailed(String)

  init(_ error: GrammarMaskError) {
    switch error.status {
    case .invalidSchema, .unsatisfiable, .unsupported, .invalidArgument: self = .invalidSchema(error.description)
    default: self = .generationFailed(error.description)
    }
  }
}

/// What a compiler throws.
public enum XGrammarError: Error, Hashable, Sendable {
  case schemaCompilationFailed(String)

  init(_ error: GrammarMaskError) { self = .schemaCompilationFailed(error.description) }
}

extension ConstrainedGenerationError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .invalidSchema(let reason): "Invalid schema: \(reason)"
    case .generationFailed(let reason): "Generation failed: \(reason)"
    }
  }
}

extension XGrammarError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .schemaCompilationFailed(let reason): "Schema compilation failed: \(reason)"
    }
  }
}
