extension ConstrainedGenerationSession {
  /// What a filled mask says.
  public enum BitmaskResult: Equatable, Sendable {
    /// Nothing may follow, and the mask is all zeros: the document has stopped, the vocabulary cannot continue it, or
    /// the mask could not be made. Generate nothing; ``ConstrainedGenerationSession/state`` says which.
    case terminated
    /// Every bit is set. Never the answer to an error.
    case unconstrained
    /// Some bits are set.
    case constrained
  }

  /// The mask of the next step, one bit a logit, lowest bit first. `nil`: nothing may follow.
  ///
  /// Allocates the array; ``fillBitmask(into:)`` and ``fillNextTokenBitmask(_:)`` do not.
  public mutating func nextTokenBitmask() -> [Int32]? {
    var result = BitmaskResult.terminated
    let words = [Int32](unsafeUninitializedCapacity: maskWordCount) { buffer, count in
      count = maskWordCount
      if let base = buffer.baseAddress { result = fillBitmask(into: base) }
    }
    return result == .terminated ? nil : words
  }

  /// Writes the mask into `(vocabularySize + 31) / 32` words, say of a buffer that a GPU sees.
  ///
  /// Whatever the result, all those words are written.
  public mutating func fillBitmask(into pointer: UnsafeMutablePointer<Int32>) -> BitmaskResult {
    pointer.withMemoryRebound(to: UInt32.self, capacity: maskWordCount) {
      fillBitmask(UnsafeMutableBufferPointer(start: $0, count: maskWordCount))
    }
  }

  /// Writes the mask of the next step. A buffer that is too small is an error; words past the mask become zero.
  public mutating func fillNextTokenBitmask(
    _ words: inout MutableSpan<UInt32>
  ) throws(GrammarMaskError) -> BitmaskResult {
    guard words.count >= maskWordCount else {
      throw .mistake("a mask needs \(maskWordCount) words, the buffer has \(words.count)")
    }
    return words.withUnsafeMutableBufferPointer { fillBitmask($0) }
  }

  /// Lends the mask of the next step, without a copy. `nil`, and `body` is not called: nothing may follow.
  public mutating func withMask<R>(_ body: (borrowing Mask) -> R) -> R? {
    var status: GrammarMaskError.Status?
    let mask = Mask(view: matcher.handle.mask(&status))
    return status == nil ? body(mask) : nil
  }

  private var maskWordCount: Int { (vocabularySize + 31) / 32 }

  private func fillBitmask(_ words: UnsafeMutableBufferPointer<UInt32>) -> BitmaskResult {
    guard matcher.handle.fill(words) == nil else {
      words.update(repeating: 0)  // fail closed: after some errors the words are still what they were
      return .terminated
    }
    return isAllOnes(words) ? .unconstrained : .constrained
  }

  private func isAllOnes(_ words: UnsafeMutableBufferPointer<UInt32>) -> Bool {
    let (full, rest) = vocabularySize.quotientAndRemainder(dividingBy: 32)
    var index = 0
    while index < full && words[index] == .max { index += 1 }
    return index == full && (rest == 0 || words[full] == (UInt32(1) << UInt32(rest)) - 1)
  }
}
