// SchemaOptions and Limits as the structs that C reads.

internal import CGrammarMask

/// Options in C's terms, checked once, with the strings and the resolver they point to.
final class COptions {
  private let options: SchemaOptions
  private var fixed = gm_schema_options()
  /// Texts handed to C; they live as long as the compile call, which holds this object.
  private var resolved: [UnsafeMutableBufferPointer<CChar>] = []

  init(_ options: SchemaOptions) throws(GrammarMaskError) {
    self.options = options
    try refuseNul(in: options.itemSeparator, "itemSeparator")
    try refuseNul(in: options.keySeparator, "keySeparator")
    fixed.struct_size = size(of: gm_schema_options.self)
    fixed.property_order = options.propertyOrder == .declared ? GM_ORDER_DECLARED : GM_ORDER_ANY
    fixed.whitespace = gm_whitespace(options.whitespace)
    fixed.max_whitespace = try whitespaceLimit(options.maxWhitespace)
    fixed.indent = try positive(options.indent, "indent")
    fixed.integers = options.integers == .plain ? GM_NUMBERS_PLAIN : GM_NUMBERS_JSON
    fixed.numbers = options.numbers == .plain ? GM_NUMBERS_PLAIN : GM_NUMBERS_JSON
    fixed.escapes = options.escapes == .json ? GM_ESCAPES_JSON : GM_ESCAPES_MINIMAL
    fixed.strict = options.strict
    fixed.openapi = options.openapi
    fixed.formats = gm_formats(options.formats)
    fixed.unsupported = gm_unsupported(options.unsupported)
    fixed.draft = gm_draft(options.draft)
  }

  deinit {
    for text in resolved { text.deallocate() }
  }

  func withC<R>(_ body: (inout gm_schema_options) -> R) -> R {
    var c = fixed
    return withExtendedLifetime(self) {
      withCString(options.itemSeparator) { itemSeparator in
        withCString(options.keySeparator) { keySeparator in
          c.item_separator = itemSeparator
          c.key_separator = keySeparator
          if options.resolver != nil {
            c.resolver = resolve
            c.resolver_context = Unmanaged.passUnretained(self).toOpaque()
          }
          return body(&c)
        }
      }
    }
  }

  fileprivate func text(of uri: String) -> UnsafeMutableBufferPointer<CChar>? {
    guard let text = options.resolver?(uri) else { return nil }
    let utf8 = Array(text.utf8)
    let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: max(utf8.count, 1))
    copy.initialize(repeating: 0)
    for (index, byte) in utf8.enumerated() { copy[index] = CChar(bitPattern: byte) }
    resolved.append(copy)
    return UnsafeMutableBufferPointer(start: copy.baseAddress, count: utf8.count)
  }
}

/// C's view of the resolver: `context` is the COptions of the compile call under way.
private func resolve(
  _ context: UnsafeMutableRawPointer?, _ uri: UnsafePointer<CChar>?, _ uriLength: Int,
  _ text: UnsafeMutablePointer<UnsafePointer<CChar>?>?, _ length: UnsafeMutablePointer<Int>?
) -> Bool {
  guard let context, let uri, let text, let length else { return false }
  let options = Unmanaged<COptions>.fromOpaque(context).takeUnretainedValue()
  let name = String(decoding: UnsafeRawBufferPointer(start: uri, count: uriLength), as: UTF8.self)
  guard let found = options.text(of: name) else { return false }
  text.pointee = UnsafePointer(found.baseAddress)
  length.pointee = found.count
  return true
}

private func positive(_ value: Int, _ name: String) throws(GrammarMaskError) -> UInt32 {
  guard value > 0, let value = UInt32(exactly: value) else { throw .mistake("\(name) must be positive, not \(value)") }
  return value
}

/// `nil` is no limit. 0 would mean the default to C, and "no white space" is what ``SchemaOptions/Whitespace/compact``
/// is for.
private func whitespaceLimit(_ limit: Int?) throws(GrammarMaskError) -> UInt32 {
  guard let limit else { return 0xFFFF_FFFF }
  let value = try positive(limit, "maxWhitespace")
  return value
}

extension gm_limits {
  init(_ limits: Limits) throws(GrammarMaskError) {
    self.init()
    struct_size = size(of: gm_limits.self)
    max_schema_bytes = try bound(limits.maxSchemaBytes, "maxSchemaBytes")
    max_nesting = try bound(limits.maxNesting, "maxNesting")
    max_nodes = try bound(limits.maxNodes, "maxNodes")
    max_threads = try bound(limits.maxThreads, "maxThreads")
    max_regex_positions = try bound(limits.maxRegexPositions, "maxRegexPositions")
    max_lexical_states = try bound(limits.maxLexicalStates, "maxLexicalStates")
    max_satisfiability_work = try bound(limits.maxSatisfiabilityWork, "maxSatisfiabilityWork")
    max_compile_work = try bound(limits.maxCompileWork, "maxCompileWork")
    max_compile_memory = try bound(limits.maxCompileMemory, "maxCompileMemory")
    max_grammar_memory = try bound(limits.maxGrammarMemory, "maxGrammarMemory")
    max_cache_memory = try bound(limits.maxCacheMemory, "maxCacheMemory")
    max_mask_memory = try bound(limits.maxMaskMemory, "maxMaskMemory")
    max_mask_work = try bound(limits.maxMaskWork, "maxMaskWork")
    max_exponent_digits = try bound(limits.maxExponentDigits, "maxExponentDigits")
    max_modulus = try bound(limits.maxModulus, "maxModulus")
    max_matcher_memory = try bound(limits.maxMatcherMemory, "maxMatcherMemory")
  }
}

/// 0, C's word for the default, stands for `nil` only.
private func bound(_ value: Int?, _ name: String) throws(GrammarMaskError) -> UInt64 {
  guard let value else { return 0 }
  guard value > 0 else { throw .mistake("\(name) must be positive, not \(value)") }
  return UInt64(value)
}

extension gm_whitespace {
  fileprivate init(_ whitespace: SchemaOptions.Whitespace) {
    switch whitespace {
    case .flexible: self = GM_WHITESPACE_FLEXIBLE
    case .compact: self = GM_WHITESPACE_COMPACT
    case .spaced: self = GM_WHITESPACE_SPACED
    case .indented: self = GM_WHITESPACE_INDENTED
    }
  }
}

extension gm_formats {
  fileprivate init(_ formats: SchemaOptions.Formats) {
    switch formats {
    case .assert: self = GM_FORMATS_ASSERT
    case .annotate: self = GM_FORMATS_ANNOTATE
    case .schema: self = GM_FORMATS_SCHEMA
    }
  }
}

extension gm_unsupported {
  fileprivate init(_ unsupported: SchemaOptions.Unsupported) {
    switch unsupported {
    case .refuse: self = GM_UNSUPPORTED_REFUSE
    case .narrow: self = GM_UNSUPPORTED_NARROW
    case .ignore: self = GM_UNSUPPORTED_IGNORE
    }
  }
}

extension gm_draft {
  fileprivate init(_ draft: SchemaOptions.Draft?) {
    switch draft {
    case nil: self = GM_DRAFT_BY_SCHEMA
    case .draft4: self = GM_DRAFT_4
    case .draft6: self = GM_DRAFT_6
    case .draft7: self = GM_DRAFT_7
    case .draft2019: self = GM_DRAFT_2019_09
    case .draft2020: self = GM_DRAFT_2020_12
    }
  }
}
