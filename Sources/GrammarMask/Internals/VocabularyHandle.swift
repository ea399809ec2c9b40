// One reference to a gm_vocab, and every call on it.

internal import CGrammarMask

/// Sendable although it holds a pointer: a gm_vocab is immutable and its reference count is atomic.
package struct VocabularyHandle: ~Copyable, @unchecked Sendable {
  let pointer: OpaquePointer

  /// Takes over one reference.
  package init(adopting pointer: OpaquePointer) { self.pointer = pointer }

  deinit { gm_vocab_release(pointer) }

  init(_ description: VocabularyDescription) throws(GrammarMaskError) {
    self.init(adopting: try make { vocab, error in description.withC { gm_vocab_create(&$0, vocab, error) } })
  }

  init(savedTables path: String) throws(GrammarMaskError) {
    try refuseNul(in: path, "the path")
    self.init(adopting: try make { vocab, error in gm_vocab_load(path, nil, vocab, error) })
  }

  func save(to path: String) throws(GrammarMaskError) {
    try refuseNul(in: path, "the path")
    try attempt { error in gm_vocab_save(pointer, path, error) }
  }

  var tokenCount: Int { gm_vocab_token_count(pointer) }
  var logitWidth: Int { gm_vocab_logit_width(pointer) }
  var maskWordCount: Int { gm_vocab_mask_words(pointer) }
  var digest: UInt64 { gm_vocab_digest(pointer) }
  var memory: Int { gm_vocab_memory(pointer) }
  var prefixSpace: Bool { gm_vocab_prefix_space(pointer) }

  var stop: [Int32] {
    var count = 0
    let ids = gm_vocab_stop(pointer, &count)
    return UnsafeBufferPointer(start: ids, count: ids == nil ? 0 : count).map { Int32(bitPattern: $0) }
  }

  var missingBytes: [UInt8] {
    var bits = (UInt64(0), UInt64(0), UInt64(0), UInt64(0))
    withUnsafeMutablePointer(to: &bits) { tuple in
      tuple.withMemoryRebound(to: UInt64.self, capacity: 4) { _ = gm_vocab_missing_bytes(pointer, $0) }
    }
    return byteValues(of: bits)
  }

  /// The bytes of a token, `nil` for one without text; and its kind. `nil` when the id is out of range.
  func token(_ id: UInt32) -> (bytes: UnsafeBufferPointer<UInt8>?, kind: UInt32)? {
    var bytes: UnsafePointer<UInt8>?
    var length = 0
    var kind: UInt32 = 0
    guard gm_vocab_token(pointer, id, &bytes, &length, &kind) == GM_OK else { return nil }
    return (bytes.map { UnsafeBufferPointer(start: $0, count: length) }, kind)
  }
}

/// What a vocabulary is made from: C's gm_vocab_desc with arrays instead of pointers.
struct VocabularyDescription {
  var blob: [UInt8] = []
  var offsets: [UInt64] = [0]
  var type = VocabularyType.raw
  var flags: [UInt8] = []
  var special: [Int32] = []
  var unused: [Int32] = []
  var stop: [Int32] = []
  var logitWidth = 0
  var allowsAdded = false
  var prefixSpace = false

  mutating func append(_ text: some Collection<UInt8>) {
    blob.append(contentsOf: text)
    offsets.append(UInt64(blob.count))
  }

  func withC(_ body: (inout gm_vocab_desc) -> gm_status) -> gm_status {
    var desc = gm_vocab_desc()
    desc.struct_size = size(of: gm_vocab_desc.self)
    desc.token_count = offsets.count - 1
    desc.logit_width = logitWidth
    desc.allow_added = allowsAdded
    desc.prefix_space = prefixSpace
    switch type {
    case .raw: desc.spelling = GM_SPELLING_RAW
    case .byteFallback: desc.spelling = GM_SPELLING_BYTE_FALLBACK
    case .byteLevel: desc.spelling = GM_SPELLING_BYTE_LEVEL
    }
    return blob.withUnsafeBufferPointer { blob in
      offsets.withUnsafeBufferPointer { offsets in
        flags.withUnsafeBufferPointer { flags in
          withUnsignedIds(special) { special, specialCount in
            withUnsignedIds(unused) { unused, unusedCount in
              withUnsignedIds(stop) { stop, stopCount in
                desc.blob = blob.baseAddress
                desc.offsets = offsets.baseAddress
                desc.flags = flags.isEmpty ? nil : flags.baseAddress
                (desc.special, desc.special_count) = (special, specialCount)
                (desc.unused, desc.unused_count) = (unused, unusedCount)
                (desc.stop, desc.stop_count) = (stop, stopCount)
                return body(&desc)
              }
            }
          }
        }
      }
    }
  }
}

/// The set bits of a 256-bit set, ascending.
func byteValues(of bits: (UInt64, UInt64, UInt64, UInt64)) -> [UInt8] {
  [bits.0, bits.1, bits.2, bits.3].enumerated().flatMap { index, word in
    (0..<64).filter { word >> $0 & 1 == 1 }.map { UInt8(index * 64 + $0) }
  }
}
