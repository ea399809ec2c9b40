// Swift values as the pointers that C asks for.

/// Calls `body` with the ids as C's unsigned type. A negative id becomes a huge one, which the engine refuses.
package func withUnsignedIds<R>(_ ids: [Int32], _ body: (UnsafePointer<UInt32>?, Int) -> R) -> R {
  ids.withUnsafeBufferPointer { buffer in
    buffer.withMemoryRebound(to: UInt32.self) { body($0.baseAddress, $0.count) }
  }
}

/// Calls `body` with a C string, or with NULL for `nil`.
package func withCString<R>(_ string: String?, _ body: (UnsafePointer<CChar>?) -> R) -> R {
  guard let string else { return body(nil) }
  return string.withCString { body($0) }
}

/// Throws for a string that C would cut at its NUL.
package func refuseNul(in string: String?, _ name: String) throws(GrammarMaskError) {
  guard let string, string.utf8.contains(0) else { return }
  throw .mistake("\(name) holds a NUL character")
}

/// Calls `body` with the bytes of a text as C's characters.
func withCharacters<R>(_ text: String, _ body: (UnsafePointer<CChar>?, Int) -> R) -> R {
  var text = text
  return text.withUTF8 { buffer in
    buffer.withMemoryRebound(to: CChar.self) { body($0.baseAddress, $0.count) }
  }
}

/// Calls `body` with the bytes as C's characters.
func withCharacters<R>(_ bytes: [UInt8], _ body: (UnsafePointer<CChar>?, Int) -> R) -> R {
  bytes.withUnsafeBufferPointer { buffer in
    buffer.withMemoryRebound(to: CChar.self) { body($0.baseAddress, $0.count) }
  }
}

extension String {
  /// The text of a C string that somebody else owns; empty for NULL.
  init(borrowing pointer: UnsafePointer<CChar>?) {
    self = pointer.map { String(cString: $0) } ?? ""
  }
}
