/// The mask of one step, looked at where the engine keeps it.
///
/// Noncopyable and lent to a closure: the memory is good until the next call on its matcher, and this way the
/// compiler sees to that.
public struct Mask: ~Copyable {
  let view: MaskView

  /// How the engine holds the mask. All of them mean the same to ``allows(_:)``.
  public enum Kind: Hashable, Sendable, CaseIterable {
    /// Nothing is allowed.
    case nothing
    /// Every id below ``Mask/tokenCount`` is allowed.
    case all
    /// The words.
    case dense
    /// The added ids alone.
    case sparse
    /// The words, then the added ids set, then the removed ids cleared.
    case baseAndLists
  }

  public var kind: Kind { view.kind }
  /// How many ids are allowed.
  public var allowedCount: Int { view.allowedCount }
  public var tokenCount: Int { view.tokenCount }
  public var logitWidth: Int { view.logitWidth }

  public func allows(_ token: Int32) -> Bool { view.allows(UInt32(bitPattern: token)) }

  /// Calls `body` with every allowed id, ascending.
  public func forEachAllowed(_ body: (Int32) -> Void) {
    if kind == .sparse {
      for id in view.added { body(Int32(bitPattern: id)) }
      return
    }
    for id in 0..<UInt32(clamping: tokenCount) where view.allows(id) { body(Int32(bitPattern: id)) }
  }

  /// The raw parts, for whoever uploads them elsewhere. Which of them mean something is said by ``kind``.
  public func withParts<R>(
    _ body: (
      _ words: UnsafeBufferPointer<UInt32>, _ added: UnsafeBufferPointer<UInt32>,
      _ removed: UnsafeBufferPointer<UInt32>
    ) -> R
  ) -> R {
    body(view.words, view.added, view.removed)
  }
}

extension Mask {
  /// Sets what is not allowed to minus infinity.
  public func apply(to logits: inout [Float]) {
    logits.withUnsafeMutableBufferPointer { apply(to: $0) }
  }

  /// Sets what is not allowed to minus infinity.
  public func apply(to logits: UnsafeMutableBufferPointer<Float>) {
    guard let base = logits.baseAddress else { return }
    view.apply(.float32, base, logits.count)
  }

  /// Sets what is not allowed to minus infinity; the logits are bfloat16.
  public func apply(toBFloat16 logits: UnsafeMutableBufferPointer<UInt16>) {
    guard let base = logits.baseAddress else { return }
    view.apply(.bfloat16, base, logits.count)
  }

  /// Sets what is not allowed to -65504, the least finite half; the logits are the bits of halves.
  public func apply(toFloat16Bits logits: UnsafeMutableBufferPointer<UInt16>) {
    guard let base = logits.baseAddress else { return }
    view.apply(.float16, base, logits.count)
  }

  /// Masks a list of candidates: `logits[i]` belongs to `tokens[i]`. False, and nothing done, when the lengths differ.
  public func apply(toCandidates tokens: [Int32], logits: inout [Float]) -> Bool {
    guard tokens.count == logits.count else { return false }
    tokens.withUnsafeBufferPointer { tokens in
      logits.withUnsafeMutableBufferPointer { logits in
        guard let ids = tokens.baseAddress, let base = logits.baseAddress else { return }
        view.apply(toCandidates: ids, base, logits.count)
      }
    }
    return true
  }

  /// Writes 0 where a token is allowed and minus infinity elsewhere.
  public func writeAdditive(into values: UnsafeMutableBufferPointer<Float>) {
    guard let base = values.baseAddress else { return }
    view.writeAdditive(base, values.count)
  }
}
