/// Many documents whose masks are filled by one call, row by row of one buffer.
///
/// Owns its matchers, because noncopyable values cannot stand in an array.
public struct GrammarMatcherBatch: ~Copyable {
  /// Runs `body(i)` exactly once for every `i` below `count`, in any order, on any threads, and returns when all are
  /// done. A row that it leaves out allows nothing.
  ///
  /// `{ DispatchQueue.concurrentPerform(iterations: $0, execute: $1) }` is one.
  public typealias ParallelFor = (_ count: Int, _ body: @Sendable (Int) -> Void) -> Void

  private final class Seat {
    var matcher: GrammarMatcher
    init(_ matcher: consuming GrammarMatcher) { self.matcher = matcher }
  }

  private var seats: [Seat] = []
  /// The engine's view of `seats`, in the same order.
  private var pointers: [OpaquePointer?] = []
  /// Scratch of `fill`: one bit for each row taken.
  private var taken: [UInt64] = []

  public init() {}

  public var count: Int { seats.count }

  public mutating func append(_ matcher: consuming GrammarMatcher) {
    pointers.append(matcher.handle.pointer)
    seats.append(Seat(matcher))
  }

  /// Ends the document at `index`; later ones move up. False when there is none.
  @discardableResult
  public mutating func remove(at index: Int) -> Bool {
    guard seats.indices.contains(index) else { return false }
    pointers.remove(at: index)
    seats.remove(at: index)
    return true
  }

  /// Lends the matcher at `index`, to accept a token or to put another in its place.
  public mutating func withMatcher<R>(
    at index: Int, _ body: (inout GrammarMatcher) throws(GrammarMaskError) -> R
  ) throws(GrammarMaskError) -> R {
    guard seats.indices.contains(index) else { throw .mistake("there is no matcher \(index) among \(count)") }
    defer { pointers[index] = seats[index].matcher.handle.pointer }
    return try body(&seats[index].matcher)
  }

  /// Fills row `rows[i]` of `words`, or row `i`, from matcher `i`. Rows are `stride` words apart.
  ///
  /// A document that has stopped or is stuck gets a row of zeros. No row but those named is written. Rows must lie in
  /// `words`, and no two may be the same.
  public mutating func fill(
    _ words: inout MutableSpan<UInt32>, stride: Int, rows: [UInt32]? = nil, parallelFor: ParallelFor? = nil
  ) throws(GrammarMaskError) {
    try checkRows(words.count, stride, rows)
    guard count > 0 else { return }
    let status = words.withUnsafeMutableBufferPointer { words -> GrammarMaskError.Status? in
      guard let base = words.baseAddress else { return .invalidArgument }
      guard let rows else { return fillBatch(pointers, base, stride: stride, rows: nil, parallelFor) }
      return rows.withUnsafeBufferPointer {
        fillBatch(pointers, base, stride: stride, rows: $0.baseAddress, parallelFor)
      }
    }
    try check(status == .terminated || status == .deadEnd ? nil : status, "the masks of the batch could not be filled")
  }

  private mutating func checkRows(_ wordCount: Int, _ stride: Int, _ rows: [UInt32]?) throws(GrammarMaskError) {
    let width = seats.reduce(0) { max($0, $1.matcher.grammar.vocabulary.maskWordCount) }
    guard stride >= width else { throw .mistake("a stride of \(stride) words is less than the mask's \(width)") }
    guard let rows else {
      let (needed, overflow) = stride.multipliedReportingOverflow(by: count)
      guard !overflow, needed <= wordCount else {
        throw .mistake("\(count) rows of \(stride) words do not fit in \(wordCount) words")
      }
      return
    }
    guard rows.count == count else { throw .mistake("\(rows.count) rows are named for \(count) matchers") }
    let rowCount = stride == 0 ? 0 : wordCount / stride
    taken.removeAll(keepingCapacity: true)
    for _ in 0..<(rowCount + 63) / 64 { taken.append(0) }
    for row in rows {
      guard row < rowCount else { throw .mistake("row \(row) is not below \(rowCount)") }
      let bit = UInt64(1) << (row % 64)
      guard taken[Int(row / 64)] & bit == 0 else { throw .mistake("row \(row) is named twice") }
      taken[Int(row / 64)] |= bit
    }
  }
}
