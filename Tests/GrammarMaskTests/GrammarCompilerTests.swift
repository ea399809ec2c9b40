// Compiling: options, errors with their place, warnings, reports, values that encode to a schema.

import Foundation
import GrammarMask
import Testing

@Suite struct GrammarCompilerTests {
  private func compiler(_ limits: Limits = Limits()) throws -> GrammarCompiler {
    try GrammarCompiler(Vocabulary(pieces: toyVocabulary, vocabType: .raw), limits: limits)
  }

  /// With all bytes: what a vocabulary cannot spell is asked of no schema.
  private func wholeCompiler() throws -> GrammarCompiler {
    try GrammarCompiler(Vocabulary(bytes: (0...255).map { [UInt8($0)] }))
  }

  /// Whether a document, spelled in one piece, is whole under the schema.
  private func allows(_ document: String, _ schema: String, _ options: SchemaOptions = SchemaOptions()) throws -> Bool {
    var matcher = try GrammarMatcher(wholeCompiler().compileJSONSchema(schema, options: options))
    let accepted = try matcher.accept(bytes: Array(document.utf8))
    return accepted != .rejected && matcher.state != .running
  }

  @Test func theErrorNamesThePlace() throws {
    let schema = #"{"properties": {"a/b": {"type": "string", "pattern": "("}}}"#
    let thrown = #expect(throws: GrammarMaskError.self) { _ = try wholeCompiler().compileJSONSchema(schema) }
    #expect(thrown?.keyword == "pattern")
    #expect(thrown?.pointer.hasPrefix("/properties/a~1b") == true)
    #expect(thrown?.description.contains("pattern") == true)
    #expect((thrown as (any Error)?)?.localizedDescription == thrown?.description)
  }

  @Test func textThatIsNotJSONHasAnOffset() throws {
    let thrown = #expect(throws: GrammarMaskError.self) { _ = try compiler().compileJSONSchema(#"{"type": oops}"#) }
    #expect(thrown?.status == .invalidSchema && thrown?.offset == 9)
  }

  @Test func limitsAreNamed() throws {
    var limits = Limits()
    limits.maxSchemaBytes = 10
    let thrown = #expect(throws: GrammarMaskError.self) { _ = try compiler(limits).compileJSONSchema(personSchema) }
    #expect(thrown?.status == .limit && thrown?.message.contains("max_schema_bytes") == true)
  }

  @Test func anyJSONIsASchemaToo() throws {
    var matcher = try GrammarMatcher(compiler().compileJSON())
    let accepted = try matcher.accept(bytes: Array(#"[1,{"a":null}]"#.utf8))
    #expect(accepted == .complete)
  }

  @Test func propertyOrderIsDeclaredOrAny() throws {
    let swapped = #"{"age":1,"name":""}"#
    #expect(try !allows(swapped, personSchema))
    #expect(try allows(swapped, personSchema, SchemaOptions { $0.propertyOrder = .any }))
  }

  @Test func whitespaceIsAsTheOptionsSay() throws {
    let schema = #"{"type": "array", "items": {"type": "integer"}}"#
    let cases: [(String, SchemaOptions.Whitespace, Bool)] = [
      ("[1,2]", .compact, true), ("[1, 2]", .compact, false), ("[1, 2]", .spaced, true), ("[1,2]", .spaced, false),
      ("[ 1 ,2]", .flexible, true), ("[\n  1,\n  2\n]", .indented, true), ("[1,2]", .indented, false),
    ]
    for (document, whitespace, isAllowed) in cases {
      let options = SchemaOptions { $0.whitespace = whitespace }
      #expect(try allows(document, schema, options) == isAllowed, "\(document) \(whitespace)")
    }
    let long = "[" + String(repeating: " ", count: 21) + "1]"
    #expect(try !allows(long, schema))
    #expect(try allows(long, schema, SchemaOptions { $0.maxWhitespace = nil }))
    let separated = SchemaOptions {
      $0.whitespace = .spaced
      $0.itemSeparator = " , "
    }
    #expect(try allows("[1 , 2]", schema, separated))
  }

  @Test func numbersAndEscapesAreAsTheOptionsSay() throws {
    let integer = #"{"type": "integer"}"#
    #expect(try !allows("1.0", integer))
    #expect(try allows("1.0", integer, SchemaOptions { $0.integers = .json }))
    let bounded = #"{"type": "number", "maximum": 100}"#
    #expect(try !allows("1e1", bounded))
    #expect(try allows("1e1", bounded, SchemaOptions { $0.numbers = .json }))
    let string = #"{"type": "string"}"#
    #expect(try allows(#""\u0041""#, string))
    #expect(try !allows(#""\u0041""#, string, SchemaOptions { $0.escapes = .minimal }))
  }

  @Test func strictAndFormatsAndDraftsAreAsTheOptionsSay() throws {
    let open = #"{"properties": {"a": {"type": "integer"}}}"#
    #expect(try allows(#"{"a":1,"b":2}"#, open))
    #expect(try !allows(#"{"a":1,"b":2}"#, open, SchemaOptions { $0.strict = true }))
    let date = #"{"type": "string", "format": "date"}"#
    #expect(try !allows(#""x""#, date))
    #expect(try allows(#""x""#, date, SchemaOptions { $0.formats = .annotate }))
    let draft4 = #"{"type": "integer", "maximum": 5, "exclusiveMaximum": true}"#
    #expect(try !allows("5", draft4, SchemaOptions { $0.draft = .draft4 }))
    #expect(throws: GrammarMaskError.self) { _ = try compiler().compileJSONSchema(draft4) }
  }

  @Test func otherDocumentsComeFromTheResolver() throws {
    let schema = #"{"$ref": "https://example.com/other.json#/$defs/small"}"#
    #expect(throws: GrammarMaskError.self) { _ = try compiler().compileJSONSchema(schema) }
    let options = SchemaOptions {
      $0.resolver = { $0 == "https://example.com/other.json" ? #"{"$defs": {"small": {"const": 12}}}"# : nil }
    }
    #expect(try allows("12", schema, options))
    #expect(try !allows("13", schema, options))
  }

  @Test func equalSchemasAreCompiledOnce() throws {
    let compiler = try compiler()
    let first = try compiler.compileJSONSchema(personSchema)
    let again = try compiler.compileJSONSchema(personSchema)
    #expect(first.schema == again.schema)
    var matcher = try GrammarMatcher(first)
    try matcher.accept(try id("{"))
    #expect(first.memorySizeBytes == again.memorySizeBytes)  // one grammar: what one builds both have
  }

  @Test func annotationsAreWarnings() throws {
    let grammar = try compiler().compileJSONSchema(#"{"type": "integer", "x-made-up": 1}"#)
    let warning = try #require(grammar.warnings.first { $0.keyword == "x-made-up" })
    #expect(warning.kind == .annotation && !warning.text.isEmpty && warning.description.contains("x-made-up"))
  }

  @Test func aReportNeedsNoVocabulary() throws {
    let report = try GrammarCompiler.checkSchema(#"{"type": "string", "pattern": "^(a)\\1$", "title": "t"}"#)
    #expect(report.entries.contains { $0.kind == .refused && $0.keyword == "pattern" })
    #expect(report.entries.contains { $0.kind == .enforced && $0.keyword == "type" })
    #expect(report.entries.contains { $0.kind == .annotation && $0.keyword == "title" })
    #expect(!report.isSupported && report.status == .unsupported)
    #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(report.json.utf8)) }
    #expect(try GrammarCompiler.checkSchema(personSchema).isSupported)
    #expect(throws: GrammarMaskError.self) { _ = try GrammarCompiler.checkSchema("nonsense") }
  }

  @Test func valuesThatEncodeToASchemaCompile() throws {
    struct Schema: Encodable {
      var type = "object"
      var properties = ["b": ["type": "integer"], "a": ["type": "integer"]]
      var required = ["a", "b"]
      var order = ["b", "a"]
      enum CodingKeys: String, CodingKey {
        case type, properties, required
        case order = "x-order"
      }
    }
    let grammar = try compiler().compile(Schema())
    var matcher = try GrammarMatcher(grammar)
    let wrong = try matcher.accept(bytes: Array(#"{"a""#.utf8))
    let right = try matcher.accept(bytes: Array(#"{"b":1,"a":2}"#.utf8))
    #expect(wrong == .rejected && right == .complete)
    #expect(throws: GrammarMaskError.self) { _ = try compiler().compile(["type": Double.nan]) }
  }

  @Test func prewarmingBuildsAhead() throws {
    let grammar = try compiler().compileJSONSchema(personSchema)
    let before = grammar.statistics
    try grammar.prewarm(work: 1_000_000)
    #expect(grammar.statistics.masksBuilt >= before.masksBuilt && grammar.statistics.places >= before.places)
    #expect(throws: GrammarMaskError.self) { try grammar.prewarm(work: -1) }
    #expect(try !grammar.explanation().isEmpty)
    #expect(try grammar.explanation(dot: true).contains("graph"))
  }

  @Test func aSchemaComesFromAFile() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("gmask-\(UUID()).json")
    defer { try? FileManager.default.removeItem(at: path) }
    let padding = String(repeating: " ", count: 200_000)
    try Data((padding + personSchema).utf8).write(to: path)
    let session = try ConstrainedGenerationSession(
      schemaPath: path.path, vocabulary: toyVocabulary, vocabType: .raw)
    #expect(session.schema == padding + personSchema)
    let info = TokenizerInfo(vocabulary: toyVocabulary, vocabType: .raw)
    var limits = Limits()
    limits.maxSchemaBytes = 100
    let thrown = #expect(throws: GrammarMaskError.self) {
      _ = try GrammarCompiler(tokenizerInfo: info, limits: limits).compileJSONSchema(path: path.path)
    }
    #expect(thrown?.status == .limit)
  }

  @Test func manyThreadsShareOneCompiler() async throws {
    let compiler = try compiler()
    let texts = try await withThrowingTaskGroup(of: String.self) { group in
      for seed in UInt64(0)..<8 {
        group.addTask {
          var session = try ConstrainedGenerationSession(grammar: compiler.compileJSONSchema(personSchema))
          return try generate(&session, seed: seed)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(texts.count == 8 && texts.allSatisfy { $0.hasSuffix("}") })
  }

  @Test func theVersionHasThreeParts() {
    #expect(GrammarCompiler.version.split(separator: ".").count == 3)
  }
}
