// The only file of this module that sees C.

internal import CGrammarMask
internal import CGrammarMaskFiles
internal import GrammarMask

/// Sendable although it holds a pointer: a gm_vocab_info is immutable.
struct InfoHandle: ~Copyable, @unchecked Sendable {
  private let pointer: OpaquePointer

  init(path: String, _ options: TokenizerFileOptions) throws(GrammarMaskError) {
    try refuseNul(in: path, "the path")
    try options.check()
    pointer = try make { info, error in options.withC { gm_vocab_info_open(path, &$0, info, error) } }
  }

  init(bytes: [UInt8], _ options: TokenizerFileOptions) throws(GrammarMaskError) {
    try options.check()
    pointer = try make { info, error in
      options.withC { gm_vocab_info_open_memory(bytes, bytes.count, &$0, info, error) }
    }
  }

  deinit { gm_vocab_info_destroy(pointer) }

  static func vocabulary(path: String, _ options: TokenizerFileOptions) throws(GrammarMaskError) -> VocabularyHandle {
    try refuseNul(in: path, "the path")
    try options.check()
    return VocabularyHandle(
      adopting: try make { vocab, error in options.withC { gm_vocab_open(path, &$0, vocab, error) } })
  }

  /// A reference of its own.
  var vocabulary: VocabularyHandle {
    VocabularyHandle(adopting: gm_vocab_retain(gm_vocab_info_vocab(pointer)))
  }

  var kind: String { String(cString: gm_file_kind_name(gm_vocab_info_kind(pointer))) }

  var specialTokens: [(id: Int32, text: String)] {
    (0..<gm_vocab_info_special_count(pointer)).compactMap { index in
      var id: UInt32 = 0
      var text: UnsafePointer<CChar>?
      var length = 0
      guard gm_vocab_info_special(pointer, index, &id, &text, &length) == GM_OK else { return nil }
      let bytes = UnsafeRawBufferPointer(start: text, count: text == nil ? 0 : length)
      return (Int32(bitPattern: id), String(decoding: bytes, as: UTF8.self))
    }
  }

  func tokenIds(of text: String) -> [Int32] {
    var text = text
    return text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { bytes in
        let count = gm_vocab_info_find(pointer, bytes.baseAddress, bytes.count, nil, 0)
        let ids = [UInt32](unsafeUninitializedCapacity: count) { room, written in
          written = min(count, gm_vocab_info_find(pointer, bytes.baseAddress, bytes.count, room.baseAddress, count))
        }
        return ids.map { Int32(bitPattern: $0) }
      }
    }
  }

  var declaredStop: [Int32] {
    var count = 0
    let ids = gm_vocab_info_declared_stop(pointer, &count)
    return UnsafeBufferPointer(start: ids, count: ids == nil ? 0 : count).map { Int32(bitPattern: $0) }
  }
}

extension TokenizerFileOptions {
  /// Throws for what C could not see.
  fileprivate func check() throws(GrammarMaskError) {
    try refuseNul(in: specialsPath, "specialsPath")
    for text in stopTexts { try refuseNul(in: text, "a stop text") }
    guard (logitWidth ?? 1) > 0 else {
      throw GrammarMaskError(.invalidArgument, message: "logitWidth must be positive")
    }
  }

  fileprivate func withC(_ body: (inout gm_file_options) -> gm_status) -> gm_status {
    var c = gm_file_options()
    c.struct_size = size(of: gm_file_options.self)
    c.logit_width = logitWidth ?? 0
    c.allow_added = allowsAddedTokens
    return withCString(specialsPath) { specialsPath in
      withCString(specials) { specials in
        withUnsignedIds(stopTokenIds) { stop, stopCount in
          withCStrings(stopTexts) { texts in
            c.specials_path = specialsPath
            (c.specials, c.specials_length) = (specials, specials == nil ? 0 : self.specials?.utf8.count ?? 0)
            (c.stop, c.stop_count) = (stop, stopCount)
            (c.stop_texts, c.stop_text_count) = (texts.baseAddress, texts.count)
            return body(&c)
          }
        }
      }
    }
  }
}

/// Calls `body` with the texts as C strings, side by side in one block.
private func withCStrings<R>(
  _ strings: [String], _ body: (UnsafeBufferPointer<UnsafePointer<CChar>?>) -> R
) -> R {
  var characters: [CChar] = []
  var starts: [Int] = []
  for string in strings {
    starts.append(characters.count)
    characters.append(contentsOf: string.utf8.map { CChar(bitPattern: $0) })
    characters.append(0)
  }
  return characters.withUnsafeBufferPointer { characters in
    starts.map { start in characters.baseAddress.map { $0 + start } }.withUnsafeBufferPointer(body)
  }
}
