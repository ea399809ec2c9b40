// The one owner of a gm_matcher, and every call on it.

internal import CGrammarMask

/// A status of `nil` is success. Nothing here allocates but what returns an array or a string.
struct MatcherHandle: ~Copyable {
  let pointer: OpaquePointer

  init(_ grammar: borrowing GrammarHandle, stop: [Int32]?, leadingSpace: Bool) throws(GrammarMaskError) {
    let grammar = grammar.pointer
    pointer = try make { matcher, error in
      withUnsignedIds(stop ?? []) { ids, count in
        var options = gm_matcher_options()
        options.struct_size = size(of: gm_matcher_options.self)
        options.own_stop_set = stop != nil
        options.stop = ids
        options.stop_count = count
        options.leading_space = leadingSpace
        return gm_matcher_create(grammar, &options, matcher, error)
      }
    }
  }

  private init(adopting pointer: OpaquePointer) { self.pointer = pointer }

  deinit { gm_matcher_destroy(pointer) }

  func fork() throws(GrammarMaskError) -> MatcherHandle {
    var forked: OpaquePointer?
    try check(GrammarMaskError.Status(gm_matcher_fork(pointer, &forked)), "no second matcher could be made")
    guard let forked else { throw .mistake("the engine made no object") }
    return MatcherHandle(adopting: forked)
  }

  // MARK: Position

  func reset() -> GrammarMaskError.Status? { GrammarMaskError.Status(gm_matcher_reset(pointer)) }

  func accept(_ token: UInt32) -> GrammarMaskError.Status? {
    GrammarMaskError.Status(gm_matcher_accept(pointer, token))
  }

  func accept(_ bytes: UnsafeBufferPointer<UInt8>, fitted: inout Int) -> GrammarMaskError.Status? {
    GrammarMaskError.Status(gm_matcher_accept_bytes(pointer, bytes.baseAddress, bytes.count, &fitted))
  }

  func rollback(_ count: Int) -> GrammarMaskError.Status? {
    GrammarMaskError.Status(gm_matcher_rollback(pointer, count))
  }

  var state: MatcherState {
    switch gm_matcher_state(pointer) {
    case GM_RUNNING: return .running
    case GM_MAY_STOP: return .mayStop
    case GM_COMPLETE: return .complete
    case GM_STOPPED: return .stopped
    default: return .stuck
    }
  }

  var tokenCount: Int { gm_matcher_token_count(pointer) }
  var memory: Int { gm_matcher_memory(pointer) }
  var grammarMemory: Int { gm_grammar_memory(gm_matcher_grammar(pointer)) }

  // MARK: Masks

  func fill(_ words: UnsafeMutableBufferPointer<UInt32>) -> GrammarMaskError.Status? {
    GrammarMaskError.Status(gm_matcher_fill(pointer, words.baseAddress, words.count))
  }

  /// On failure the view allows nothing.
  func mask(_ status: inout GrammarMaskError.Status?) -> MaskView { MaskView(pointer, &status) }

  // MARK: Questions

  func wouldAccept(_ token: UInt32) -> GrammarMaskError.Status? {
    GrammarMaskError.Status(gm_matcher_would_accept(pointer, token))
  }

  /// How many of the tokens would be accepted one after another; 0 when the question cannot be answered.
  func acceptablePrefix(_ tokens: [Int32]) -> Int {
    var prefix = 0
    let status = withUnsignedIds(tokens) { gm_matcher_would_accept_many(pointer, $0, $1, &prefix) }
    return status == GM_OK ? prefix : 0
  }

  /// Writes as many of the forced bytes as there is room for, and says how many.
  func forced(_ room: UnsafeMutableBufferPointer<UInt8>, _ length: inout Int) -> GrammarMaskError.Status? {
    GrammarMaskError.Status(gm_matcher_forced(pointer, room.baseAddress, room.count, &length))
  }

  var stop: [Int32] {
    var count = 0
    let ids = gm_matcher_stop(pointer, &count)
    return UnsafeBufferPointer(start: ids, count: ids == nil ? 0 : count).map { Int32(bitPattern: $0) }
  }

  var hasStopTokens: Bool {
    var count = 0
    _ = gm_matcher_stop(pointer, &count)
    return count > 0
  }

  func expected() throws(GrammarMaskError) -> Expectation {
    var expected = gm_expected()
    expected.struct_size = size(of: gm_expected.self)
    try check(GrammarMaskError.Status(gm_matcher_expected(pointer, &expected)), "the question could not be answered")
    return Expectation(
      bytes: byteValues(of: expected.bytes), mayStop: expected.may_stop,
      documentPointer: text(expected.document_pointer), schemaPointer: text(expected.schema_pointer))
  }

  func explain(_ token: UInt32) throws(GrammarMaskError) -> TokenExplanation {
    var position = 0
    var message: [CChar] = Array(repeating: 0, count: 512)
    let status = gm_matcher_explain(pointer, token, &position, &message, message.count)
    try check(GrammarMaskError.Status(status), "the question could not be answered")
    let words = message.withUnsafeBytes { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    return TokenExplanation(position: position, message: words)
  }
}

/// Fills rows of one buffer from many matchers. The caller has checked that every row lies in `words`.
///
/// `matchers` outlive the call, and none of them stands twice.
func fillBatch(
  _ matchers: [OpaquePointer?], _ words: UnsafeMutablePointer<UInt32>, stride: Int, rows: UnsafePointer<UInt32>?,
  _ parallelFor: GrammarMatcherBatch.ParallelFor?
) -> GrammarMaskError.Status? {
  matchers.withUnsafeBufferPointer { matchers in
    guard let parallelFor else {
      return GrammarMaskError.Status(
        gm_fill_batch(matchers.baseAddress, matchers.count, words, stride, rows, nil, nil, nil))
    }
    for index in 0..<matchers.count {  // a loop that leaves a row out must not leave the mask of another step there
      (words + stride * (rows.map { Int($0[index]) } ?? index)).update(repeating: 0, count: stride)
    }
    return withUnsafePointer(to: parallelFor) { context in
      GrammarMaskError.Status(
        gm_fill_batch(
          matchers.baseAddress, matchers.count, words, stride, rows, nil, runInParallel,
          UnsafeMutableRawPointer(mutating: context)))
    }
  }
}

/// C's view of a Swift closure that runs a loop: `context` points to the closure.
private func runInParallel(
  _ context: UnsafeMutableRawPointer?, _ count: Int,
  _ body: (@convention(c) (UnsafeMutableRawPointer?, Int) -> Void)?, _ bodyContext: UnsafeMutableRawPointer?
) {
  guard let context, let body else { return }
  let parallelFor = context.assumingMemoryBound(to: GrammarMatcherBatch.ParallelFor.self).pointee
  let step = ParallelStep(body: body, context: bodyContext, count: count)
  parallelFor(count) { step.run($0) }
}

/// Sendable although it holds a pointer: C wrote `body` to be run from many threads.
private struct ParallelStep: @unchecked Sendable {
  let body: @convention(c) (UnsafeMutableRawPointer?, Int) -> Void
  let context: UnsafeMutableRawPointer?
  let count: Int

  func run(_ index: Int) {
    if index >= 0 && index < count { body(context, index) }
  }
}
