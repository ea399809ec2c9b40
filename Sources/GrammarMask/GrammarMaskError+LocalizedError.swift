// LocalizedError lives in Foundation, which the rest of this module does without.

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#elseif canImport(Foundation)
  public import Foundation
#endif

#if canImport(FoundationEssentials) || canImport(Foundation)
  extension GrammarMaskError: LocalizedError {
    public var errorDescription: String? { description }
    public var failureReason: String? { message }
  }
#endif
