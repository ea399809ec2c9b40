extension GrammarMatcher {
  /// Writes the mask of the next step, one bit a logit, lowest bit first. Words past the logit width become zero.
  ///
  /// `words` needs ``Vocabulary/maskWordCount`` words. ``GrammarMaskError/Status/terminated`` and
  /// ``GrammarMaskError/Status/deadEnd`` leave all zeros; any other error leaves the words alone. An error never means
  /// "no constraint".
  public mutating func fill(_ words: inout MutableSpan<UInt32>) throws(GrammarMaskError) {
    let status = words.withUnsafeMutableBufferPointer { handle.fill($0) }
    try check(status, "there is no mask in state \(state) for a buffer of \(words.count) words")
  }

  /// Lends the mask of the next step, without a copy.
  public mutating func withMask<R>(
    _ body: (borrowing Mask) throws(GrammarMaskError) -> R
  ) throws(GrammarMaskError) -> R {
    var status: GrammarMaskError.Status?
    let mask = Mask(view: handle.mask(&status))
    try check(status, "there is no mask in state \(state)")
    return try body(mask)
  }
}
