/// Why something could not be done: what kind of failure, where in the schema, and a sentence for people.
///
/// The engine never prints and never ends the process. Whatever goes wrong arrives as one of these.
public struct GrammarMaskError: Error, Hashable, Sendable {
  /// The kind of failure. Use it to decide; use ``GrammarMaskError/message`` to show.
  public enum Status: Hashable, Sendable, CaseIterable {
    /// A token or bytes are not allowed here. The state is unchanged.
    case rejected
    /// The document has ended.
    case terminated
    /// The vocabulary cannot continue this document.
    case deadEnd
    /// A caller's mistake. Nothing changed.
    case invalidArgument
    /// The text is not JSON, or not a schema.
    case invalidSchema
    /// No document is valid under the schema.
    case unsatisfiable
    /// Something that cannot be enforced exactly, see ``GrammarMaskError/pointer`` and ``GrammarMaskError/keyword``.
    case unsupported
    /// A bound of ``Limits`` was met. The message names the field to raise.
    case limit
    case outOfMemory
    /// A damaged, stale or foreign file.
    case invalidFile
    /// The operating system refused. The message has its reason.
    case io
  }

  public let status: Status
  /// The schema keyword at fault, or an empty string.
  public let keyword: String
  /// JSON Pointer into the schema, or an empty string. Cut at its end if longer than 255 bytes.
  public let pointer: String
  /// For people: what was expected and what was found.
  public let message: String
  /// Byte offset in the schema or the file where that is known, else 0.
  public let offset: Int

  public init(_ status: Status, keyword: String = "", pointer: String = "", message: String, offset: Int = 0) {
    self.status = status
    self.keyword = keyword
    self.pointer = pointer
    self.message = message
    self.offset = offset
  }
}

extension GrammarMaskError: CustomStringConvertible {
  /// One line: status, then pointer, keyword and offset where there are any, then the message.
  public var description: String {
    var parts = ["\(status)"]
    if !pointer.isEmpty { parts.append(pointer) }
    if !keyword.isEmpty { parts.append(keyword) }
    if offset != 0 { parts.append("byte \(offset)") }
    parts.append(message)
    return parts.joined(separator: ": ")
  }
}
