#if canImport(FoundationEssentials)
  public import FoundationEssentials
#elseif canImport(Foundation)
  public import Foundation
#endif

#if canImport(FoundationEssentials) || canImport(Foundation)
  extension ConstrainedGenerationError: LocalizedError {
    public var errorDescription: String? { description }
  }

  extension XGrammarError: LocalizedError {
    public var errorDescription: String? { description }
  }
#endif
