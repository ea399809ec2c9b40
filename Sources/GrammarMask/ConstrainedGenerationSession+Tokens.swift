extension ConstrainedGenerationSession {
  /// Advances by a token and says what it was, before it is shown to anybody.
  @discardableResult
  public mutating func accept(_ token: Int32) -> Accepted {
    guard matcher.handle.accept(UInt32(bitPattern: token)) == nil else { return .rejected }
    return matcher.handle.accepted
  }

  /// Advances by a token. False: not allowed here, out of range, or the document had ended; nothing changed.
  @discardableResult
  public mutating func acceptToken(_ tokenId: Int32) -> Bool {
    matcher.handle.accept(UInt32(bitPattern: tokenId)) == nil
  }

  /// Advances by text, all of it or none. Counts as one token for ``rollback(_:)``.
  @discardableResult
  public mutating func accept(text: String) -> Accepted {
    var text = text
    return text.withUTF8 { accept($0) }
  }

  /// Advances by bytes, all of them or none. Counts as one token for ``rollback(_:)``.
  @discardableResult
  public mutating func accept(bytes: [UInt8]) -> Accepted {
    bytes.withUnsafeBufferPointer { accept($0) }
  }

  private mutating func accept(_ bytes: UnsafeBufferPointer<UInt8>) -> Accepted {
    var fitted = 0
    guard matcher.handle.accept(bytes, fitted: &fitted) == nil else { return .rejected }
    return matcher.handle.accepted
  }

  /// Whether ``acceptToken(_:)`` would be true. Nothing changes and no mask is built.
  public func wouldAccept(_ token: Int32) -> Bool { matcher.wouldAccept(token) }

  /// How many of the tokens would be accepted one after another: for drafts.
  public func acceptablePrefix(of tokens: [Int32]) -> Int { matcher.acceptablePrefix(of: tokens) }

  /// Back to the start, without a history.
  public mutating func reset() {
    _ = matcher.handle.reset()  // gives memory back, needs none
  }

  /// Takes back the last tokens, stop tokens too, out of any state. False when there are not so many; then nothing
  /// changed.
  @discardableResult
  public mutating func rollback(_ numTokens: Int = 1) -> Bool {
    numTokens >= 0 && matcher.handle.rollback(numTokens) == nil
  }

  /// The bytes that every legal text shares from here. They may end within a character.
  public var forcedBytes: [UInt8] { matcher.forcedBytes }

  /// The text that every legal document shares from here, whole characters of it. `nil` when there is none, and in the
  /// middle of a character, which no string can continue.
  ///
  /// Tokenize it with what was generated before it, not alone, and accept those tokens, or ``accept(text:)`` it.
  public func findJumpForwardString() -> String? {
    let bytes = forcedBytes
    let whole = bytes[..<endOfWholeCharacters(bytes)]
    guard let first = whole.first, !isContinuation(first) else { return nil }
    return String(decoding: whole, as: UTF8.self)
  }
}

private func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

/// Where the last whole UTF-8 sequence ends. The bytes are text so far, so only their end can be cut.
private func endOfWholeCharacters(_ bytes: [UInt8]) -> Int {
  guard let lead = bytes.lastIndex(where: { !isContinuation($0) }) else { return 0 }
  let length =
    switch bytes[lead] {
    case 0xF0...: 4
    case 0xE0...: 3
    case 0xC0...: 2
    default: 1
    }
  return lead + length <= bytes.count ? bytes.count : lead
}
