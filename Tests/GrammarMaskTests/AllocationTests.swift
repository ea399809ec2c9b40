// "Per-step calls allocate nothing": counted, not believed.

import CAllocationCounter
import GrammarMask
import Testing

@Suite(.enabled(if: allocation_counter_works(), "malloc cannot be watched here"))
struct AllocationTests {
  @Test func theCounterCounts() {
    let before = allocation_count()
    let array = [Int](repeating: 1, count: Int.random(in: 1000...2000))
    #expect(allocation_count() > before && array.count >= 1000)
  }

  /// Runs a whole generation, then again over the same tokens, when grammar and matcher have built what they need.
  private func allocations(
    _ step: (inout ConstrainedGenerationSession, inout [Float], Int32) -> Void
  ) throws -> (UInt64, Int) {
    var session = try toySession()
    var logits = [Float](repeating: 0, count: 39)
    var tokens: [Int32] = []
    var dice = Dice(5)
    while !session.isTerminated {
      let token = try unwrap(session.allowedTokens().randomElement(using: &dice))
      step(&session, &logits, token)
      tokens.append(token)
    }
    session.rollback(tokens.count)
    let before = allocation_count()
    var index = 0
    while index < tokens.count {  // without optimisation, `for` over a collection allocates
      step(&session, &logits, tokens[index])
      index += 1
    }
    return (allocation_count() - before, tokens.count)
  }

  @Test func aStepOverFloatsAllocatesNothing() throws {
    let (count, steps) = try allocations { session, logits, token in
      session.applyMask(to: &logits)
      session.accept(token)
    }
    #expect(count == 0, "\(count) in \(steps) steps")
  }

  @Test func aStepOverABufferAllocatesNothing() throws {
    let (count, steps) = try allocations { session, logits, token in
      logits.withUnsafeMutableBufferPointer { _ = session.applyMask(to: $0) }
      session.acceptToken(token)
      _ = session.isTerminated
    }
    #expect(count == 0, "\(count) in \(steps) steps")
  }

  @Test func aStepOverASpanAllocatesNothing() throws {
    let (count, steps) = try allocations { session, logits, token in
      var span = logits.mutableSpan
      session.applyMask(to: &span)
      session.acceptToken(token)
    }
    #expect(count == 0, "\(count) in \(steps) steps")
  }

  @Test func aFilledBitmaskAllocatesNothing() throws {
    let words = UnsafeMutablePointer<Int32>.allocate(capacity: 2)
    defer { words.deallocate() }
    let (count, steps) = try allocations { session, _, token in
      _ = session.fillBitmask(into: words)
      _ = session.withMask { $0.allowedCount }
      _ = session.wouldAccept(token)
      session.acceptToken(token)
    }
    #expect(count == 0, "\(count) in \(steps) steps")
  }

  @Test func rollbackAndRejectionAllocateNothing() throws {
    let (count, steps) = try allocations { session, _, token in
      session.acceptToken(token)
      session.rollback()
      session.acceptToken(-1)
      session.acceptToken(token)
    }
    #expect(count == 0, "\(count) in \(steps) steps")
  }
}
