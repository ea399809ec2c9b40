// References to a gm_compiler and to a gm_grammar, and every call on them.

internal import CGrammarMask

/// Sendable although it holds a pointer: C serves a gm_compiler to many threads.
struct CompilerHandle: ~Copyable, @unchecked Sendable {
  let pointer: OpaquePointer

  init(_ vocabulary: borrowing VocabularyHandle, _ limits: Limits) throws(GrammarMaskError) {
    var limits = try gm_limits(limits)
    let vocab = vocabulary.pointer
    pointer = try make { compiler, error in gm_compiler_create(vocab, &limits, nil, compiler, error) }
  }

  deinit { gm_compiler_release(pointer) }

  func compile(schema: String, _ options: SchemaOptions) throws(GrammarMaskError) -> GrammarHandle {
    let options = try COptions(options)
    return GrammarHandle(
      adopting: try make { grammar, error in
        options.withC { options in
          withCharacters(schema) { gm_compile_json_schema(pointer, $0, $1, &options, grammar, error) }
        }
      })
  }

  func compile(schema: [UInt8], _ options: SchemaOptions) throws(GrammarMaskError) -> GrammarHandle {
    let options = try COptions(options)
    return GrammarHandle(
      adopting: try make { grammar, error in
        options.withC { options in
          withCharacters(schema) { gm_compile_json_schema(pointer, $0, $1, &options, grammar, error) }
        }
      })
  }

  func compileAnyJSON(_ options: SchemaOptions) throws(GrammarMaskError) -> GrammarHandle {
    let options = try COptions(options)
    return GrammarHandle(
      adopting: try make { grammar, error in options.withC { gm_compile_json(pointer, &$0, grammar, error) } })
  }
}

/// Sendable although it holds a pointer: C serves a gm_grammar to many threads.
package struct GrammarHandle: ~Copyable, @unchecked Sendable {
  package let pointer: OpaquePointer

  /// Takes over one reference.
  init(adopting pointer: OpaquePointer) { self.pointer = pointer }

  deinit { gm_grammar_release(pointer) }

  var memory: Int { gm_grammar_memory(pointer) }

  var warnings: [GrammarWarning] {
    (0..<gm_grammar_warning_count(pointer)).compactMap { index in
      var warning = gm_warning()
      guard gm_grammar_warning(pointer, index, &warning) == GM_OK else { return nil }
      return GrammarWarning(
        kind: GrammarWarning.Kind(warning.kind), pointer: String(borrowing: warning.pointer),
        keyword: String(borrowing: warning.keyword), text: String(borrowing: warning.text))
    }
  }

  var statistics: GrammarStatistics {
    var stats = gm_grammar_stats()
    stats.struct_size = size(of: gm_grammar_stats.self)
    guard gm_grammar_get_stats(pointer, &stats) == GM_OK else { return GrammarStatistics() }
    return GrammarStatistics(
      compileWork: Int(clamping: stats.compile_work), nodes: Int(clamping: stats.nodes),
      formulas: Int(clamping: stats.formulas), threads: Int(clamping: stats.threads),
      places: Int(clamping: stats.places), frames: Int(clamping: stats.frames),
      masksBuilt: Int(clamping: stats.masks_built), masksFound: Int(clamping: stats.masks_found),
      trieNodes: Int(clamping: stats.trie_nodes), transitions: Int(clamping: stats.transitions),
      maskBytes: Int(clamping: stats.mask_bytes))
  }

  func prewarm(_ work: UInt64) throws(GrammarMaskError) {
    try attempt { gm_grammar_prewarm(pointer, work, $0) }
  }

  func explain(dot: Bool) throws(GrammarMaskError) -> String {
    var bytes: [UInt8] = []
    try withUnsafeMutablePointer(to: &bytes) { (bytes) throws(GrammarMaskError) in
      try attempt { error in
        gm_grammar_explain(
          pointer, dot,
          { context, text, length in
            guard let bytes = context?.assumingMemoryBound(to: [UInt8].self), let text else { return false }
            bytes.pointee.append(contentsOf: UnsafeRawBufferPointer(start: text, count: length))
            return true
          }, bytes, error)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension GrammarWarning.Kind {
  fileprivate init(_ kind: gm_warning_kind) {
    switch kind {
    case GM_WARNING_NARROWED: self = .narrowed
    case GM_WARNING_IGNORED: self = .ignored
    default: self = .annotation
    }
  }
}

extension SchemaReport {
  init(_ schema: String, _ options: SchemaOptions, _ limits: Limits) throws(GrammarMaskError) {
    let options = try COptions(options)
    var limits = try gm_limits(limits)
    let report = try make { report, error in
      options.withC { options in
        withCharacters(schema) { gm_schema_check($0, $1, &options, &limits, report, error) }
      }
    }
    defer { gm_schema_report_destroy(report) }
    entries = (0..<gm_schema_report_count(report)).compactMap { Entry(report, $0) }
    status = GrammarMaskError.Status(gm_schema_report_status(report))
    json = String(borrowing: gm_schema_report_json(report, nil))
  }
}

extension SchemaReport.Entry {
  fileprivate init?(_ report: OpaquePointer, _ index: Int) {
    var entry = gm_report_entry()
    guard gm_schema_report_entry(report, index, &entry) == GM_OK else { return nil }
    switch entry.kind {
    case GM_REPORT_ENFORCED: kind = .enforced
    case GM_REPORT_ANNOTATION: kind = .annotation
    default: kind = .refused
    }
    pointer = String(borrowing: entry.pointer)
    keyword = String(borrowing: entry.keyword)
    text = String(borrowing: entry.text)
  }
}

/// "major.minor.patch" of the engine that runs.
var engineVersion: String { String(borrowing: gm_version()) }
