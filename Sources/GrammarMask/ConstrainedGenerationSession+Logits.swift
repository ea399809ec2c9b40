// Masking logits in place. All of these are one call:
//
//   stopped    false, and the logits are untouched
//   stuck      false, and every logit is masked; so it is when a mask cannot be made
//   otherwise  true, and what is not allowed is masked, ids past the vocabulary too
//
// Nothing allocates, and no logits are copied, as long as an array given is not shared.

extension ConstrainedGenerationSession {
  /// Sets what is not allowed to minus infinity.
  @discardableResult
  public mutating func applyMask(to logits: inout [Float]) -> Bool {
    logits.withUnsafeMutableBufferPointer { applyMask(to: $0) }
  }

  /// Sets what is not allowed to minus infinity.
  @discardableResult
  public mutating func applyMask(to logits: UnsafeMutableBufferPointer<Float>) -> Bool {
    apply(.float32, logits.baseAddress, logits.count)
  }

  /// Sets what is not allowed to minus infinity.
  @discardableResult
  public mutating func applyMask(to logits: inout MutableSpan<Float>) -> Bool {
    logits.withUnsafeMutableBufferPointer { applyMask(to: $0) }
  }

  /// Sets what is not allowed to minus infinity; the logits are bfloat16.
  @discardableResult
  public mutating func applyMask(toBFloat16 logits: inout [UInt16]) -> Bool {
    logits.withUnsafeMutableBufferPointer { applyMask(toBFloat16: $0) }
  }

  /// Sets what is not allowed to minus infinity; the logits are bfloat16.
  @discardableResult
  public mutating func applyMask(toBFloat16 logits: UnsafeMutableBufferPointer<UInt16>) -> Bool {
    apply(.bfloat16, logits.baseAddress, logits.count)
  }

  /// Sets what is not allowed to minus infinity; the logits are bfloat16.
  @discardableResult
  public mutating func applyMask(toBFloat16 logits: inout MutableSpan<UInt16>) -> Bool {
    logits.withUnsafeMutableBufferPointer { applyMask(toBFloat16: $0) }
  }

  /// Sets what is not allowed to -65504, the least finite half; the logits are the bits of halves, for platforms
  /// without `Float16`.
  @discardableResult
  public mutating func applyMask(toFloat16Bits logits: UnsafeMutableBufferPointer<UInt16>) -> Bool {
    apply(.float16, logits.baseAddress, logits.count)
  }

  func apply(_ format: LogitFormat, _ logits: UnsafeMutableRawPointer?, _ count: Int) -> Bool {
    var status: GrammarMaskError.Status?
    let view = matcher.handle.mask(&status)
    guard status != .terminated else { return false }
    if let logits { view.apply(format, logits, count) }
    return status == nil
  }
}
