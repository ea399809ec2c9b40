// JSONEncoder lives in Foundation, which the rest of this module does without.

#if canImport(FoundationEssentials)
  private import FoundationEssentials
#elseif canImport(Foundation)
  private import Foundation
#endif

#if canImport(FoundationEssentials) || canImport(Foundation)
  extension GrammarCompiler {
    /// Compiles a value that encodes to a JSON Schema, such as the `GenerationSchema` of Foundation Models.
    ///
    /// Keys are encoded in alphabetical order, since encoders keep no other. A `GenerationSchema` loses nothing by
    /// that: it says the order of its properties in `x-order`, which ``SchemaOptions/PropertyOrder/declared`` follows.
    public func compile(
      _ schema: some Encodable, options: SchemaOptions = SchemaOptions()
    ) throws(GrammarMaskError) -> CompiledGrammar {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      let text: String
      do {
        text = String(decoding: try encoder.encode(schema), as: UTF8.self)
      } catch {
        throw GrammarMaskError(.invalidSchema, message: "the value does not encode to JSON: \(error)")
      }
      return try compileJSONSchema(text, options: options)
    }
  }
#endif
