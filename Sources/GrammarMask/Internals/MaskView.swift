// A borrowed gm_mask, and what writes it into logits.

internal import CGrammarMask

/// How logits are stored.
enum LogitFormat {
  case float32, float16, bfloat16
}

/// A borrowed mask: valid until the next call on its matcher, so never stored.
struct MaskView {
  /// All zeros is a mask that allows nothing.
  fileprivate(set) var raw = gm_mask()

  var kind: Mask.Kind {
    switch raw.kind {
    case GM_MASK_ALL: return .all
    case GM_MASK_DENSE: return .dense
    case GM_MASK_SPARSE: return .sparse
    case GM_MASK_BASE_AND_LISTS: return .baseAndLists
    default: return .nothing
    }
  }
  var allowedCount: Int { raw.allowed_count }
  var tokenCount: Int { raw.token_count }
  var logitWidth: Int { raw.logit_width }
  var words: UnsafeBufferPointer<UInt32> {
    UnsafeBufferPointer(start: raw.words, count: raw.words == nil ? 0 : raw.word_count)
  }
  var added: UnsafeBufferPointer<UInt32> {
    UnsafeBufferPointer(start: raw.added, count: raw.added == nil ? 0 : raw.added_count)
  }
  var removed: UnsafeBufferPointer<UInt32> {
    UnsafeBufferPointer(start: raw.removed, count: raw.removed == nil ? 0 : raw.removed_count)
  }

  func allows(_ token: UInt32) -> Bool {
    withUnsafePointer(to: raw) { gm_mask_allows($0, token) }
  }

  /// `logits` are `count` values of `format`.
  func apply(_ format: LogitFormat, _ logits: UnsafeMutableRawPointer, _ count: Int) {
    withUnsafePointer(to: raw) { mask in
      switch format {
      case .float32: gm_logits_mask_f32(mask, logits.assumingMemoryBound(to: Float.self), count)
      case .float16: gm_logits_mask_f16(mask, logits.assumingMemoryBound(to: UInt16.self), count)
      case .bfloat16: gm_logits_mask_bf16(mask, logits.assumingMemoryBound(to: UInt16.self), count)
      }
    }
  }

  func apply(toCandidates ids: UnsafePointer<Int32>, _ logits: UnsafeMutablePointer<Float>, _ count: Int) {
    withUnsafePointer(to: raw) { mask in
      ids.withMemoryRebound(to: UInt32.self, capacity: count) { gm_mask_candidates(mask, $0, logits, count) }
    }
  }

  func writeAdditive(_ out: UnsafeMutablePointer<Float>, _ count: Int) {
    withUnsafePointer(to: raw) { gm_mask_additive_f32($0, out, count) }
  }
}

extension MaskView {
  /// Takes the mask of the matcher's next step; on failure the view allows nothing.
  init(_ matcher: OpaquePointer, _ status: inout GrammarMaskError.Status?) {
    status = GrammarMaskError.Status(gm_matcher_mask(matcher, &raw))
    if status != nil { raw = gm_mask() }
  }
}
