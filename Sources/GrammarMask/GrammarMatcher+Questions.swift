extension GrammarMatcher {
  /// Whether ``accept(_:)-(Int32)`` would accept. Nothing changes and no mask is built.
  public func wouldAccept(_ token: Int32) -> Bool { handle.wouldAccept(UInt32(bitPattern: token)) == nil }

  /// How many of the tokens would be accepted one after another: for drafts.
  public func acceptablePrefix(of tokens: [Int32]) -> Int { handle.acceptablePrefix(tokens) }

  /// The bytes that every legal text shares from here. Masks never depend on them.
  ///
  /// They may end within a character.
  public var forcedBytes: [UInt8] { handle.forcedBytes }

  /// Writes as many of the ``forcedBytes`` as there is room for and returns how many. Allocates nothing.
  public func fillForcedBytes(_ bytes: inout MutableSpan<UInt8>) throws(GrammarMaskError) -> Int {
    var length = 0
    let status = bytes.withUnsafeMutableBufferPointer { handle.forced($0, &length) }
    try check(status, "the forced bytes are not known")
    return length
  }

  /// For people: what may follow here.
  public func expected() throws(GrammarMaskError) -> Expectation { try handle.expected() }

  /// For people: why a token is not allowed here.
  public func explain(_ token: Int32) throws(GrammarMaskError) -> TokenExplanation {
    try handle.explain(UInt32(bitPattern: token))
  }
}

extension MatcherHandle {
  /// All of them, or none when they cannot be known: they are a help, never a constraint.
  var forcedBytes: [UInt8] {
    var capacity = 256
    while true {
      var status: GrammarMaskError.Status?
      let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
        status = forced(UnsafeMutableBufferPointer(start: buffer.baseAddress, count: capacity), &count)
        if status != nil { count = 0 }
      }
      if bytes.count < capacity || status != nil { return bytes }
      capacity *= 4
    }
  }
}
