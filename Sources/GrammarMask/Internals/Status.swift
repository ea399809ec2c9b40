// How a C status becomes a Swift error. The files of this folder are the only ones that see the C module.

package import CGrammarMask

extension GrammarMaskError.Status {
  /// `nil` for success. A status this file does not know counts as a caller's mistake, never as success.
  @inline(__always)  // success, before each token, should cost a comparison
  package init?(_ status: gm_status) {
    guard status != GM_OK else { return nil }
    self.init(failure: status)
  }

  private init(failure: gm_status) {
    switch failure {
    case GM_REJECTED: self = .rejected
    case GM_TERMINATED: self = .terminated
    case GM_DEAD_END: self = .deadEnd
    case GM_INVALID_SCHEMA: self = .invalidSchema
    case GM_UNSATISFIABLE: self = .unsatisfiable
    case GM_UNSUPPORTED: self = .unsupported
    case GM_LIMIT: self = .limit
    case GM_OUT_OF_MEMORY: self = .outOfMemory
    case GM_INVALID_FILE: self = .invalidFile
    case GM_IO: self = .io
    default: self = .invalidArgument
    }
  }
}

extension GrammarMaskError {
  /// `nil` for success.
  package init?(_ status: gm_status, _ error: gm_error) {
    guard let status = Status(status) else { return nil }
    self.init(
      status, keyword: text(error.keyword), pointer: text(error.pointer), message: text(error.message),
      offset: Int(clamping: error.offset))
  }

  static func mistake(_ message: String) -> GrammarMaskError { GrammarMaskError(.invalidArgument, message: message) }
}

/// The text of a fixed-size C array, up to its NUL. A code point that the array cut becomes U+FFFD.
func text<CharacterArray>(_ array: CharacterArray) -> String {
  withUnsafeBytes(of: array) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}

/// Runs a C call that reports its details, and throws them if it fails.
package func attempt(_ call: (UnsafeMutablePointer<gm_error>) -> gm_status) throws(GrammarMaskError) {
  var error = gm_error()
  let status = call(&error)
  if let error = GrammarMaskError(status, error) { throw error }
}

/// Runs a C call that makes an object, and returns it: one reference, owned by the caller.
package func make(
  _ call: (UnsafeMutablePointer<OpaquePointer?>, UnsafeMutablePointer<gm_error>) -> gm_status
) throws(GrammarMaskError) -> OpaquePointer {
  var made: OpaquePointer?
  try attempt { call(&made, $0) }
  guard let made else { throw .mistake("the engine made no object") }
  return made
}

/// Throws what `status` says; for C calls that report no details.
func check(_ status: GrammarMaskError.Status?, _ message: @autoclosure () -> String) throws(GrammarMaskError) {
  if let status { throw GrammarMaskError(status, message: message()) }
}

/// `sizeof` as C has it, which is what struct_size asks for.
package func size<T>(of type: T.Type) -> Int { MemoryLayout<T>.stride }
