// Every way to mask logits gives what the mask says, element by element.

import GrammarMask
import Testing

@Suite struct LogitsTests {
  /// Floats as the oracle has them: the value where allowed, minus infinity elsewhere.
  private func expected(_ session: inout ConstrainedGenerationSession, count: Int) -> [Float] {
    let allowed = Set(session.allowedTokens())
    return (0..<count).map { allowed.contains(Int32($0)) ? Float($0) : -.infinity }
  }

  private func ramp(_ count: Int) -> [Float] { (0..<count).map { Float($0) } }

  @Test(arguments: [0, 1, 31, 32, 33, 39, 40, 64, 100])
  func floatsOfAnyCountAreMasked(count: Int) throws {
    var session = try toySession()
    try session.accept(["{", "\""])
    let wanted = expected(&session, count: count)

    var array = ramp(count)
    let arrayDone = session.applyMask(to: &array)
    #expect(arrayDone && array == wanted)

    var buffer = ramp(count)
    let bufferDone = buffer.withUnsafeMutableBufferPointer { session.applyMask(to: $0) }
    #expect(bufferDone && buffer == wanted)

    var span = ramp(count)
    let spanDone = maskSpan(&session, &span)
    #expect(spanDone && span == wanted)

    var viewed = ramp(count)
    session.withMask { $0.apply(to: &viewed) }
    #expect(viewed == wanted)

    var additive = [Float](repeating: 7, count: count)
    session.withMask { mask in additive.withUnsafeMutableBufferPointer { mask.writeAdditive(into: $0) } }
    #expect(additive == wanted.map { $0 == -.infinity ? -.infinity : 0 })
  }

  @Test func bfloat16IsMaskedToMinusInfinity() throws {
    var session = try toySession()
    let wanted = expected(&session, count: 45).map { $0 == -.infinity ? 0xFF80 : UInt16(0x3F80) }
    var array = [UInt16](repeating: 0x3F80, count: 45)
    let arrayDone = session.applyMask(toBFloat16: &array)
    #expect(arrayDone && array == wanted)
    var buffer = [UInt16](repeating: 0x3F80, count: 45)
    let bufferDone = buffer.withUnsafeMutableBufferPointer { session.applyMask(toBFloat16: $0) }
    #expect(bufferDone && buffer == wanted)
  }

  #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
    @Test func halvesOfEveryFormAreMasked() throws {
      var session = try toySession()
      let wanted = expected(&session, count: 45).map { $0 == -.infinity ? Float16(-65504) : 1 }
      var array = [Float16](repeating: 1, count: 45)
      let arrayDone = session.applyMask(to: &array)
      #expect(arrayDone && array == wanted)
      var buffer = [Float16](repeating: 1, count: 45)
      let bufferDone = buffer.withUnsafeMutableBufferPointer { session.applyMask(to: $0) }
      #expect(bufferDone && buffer == wanted)
      var viewed = [Float16](repeating: 1, count: 45)
      session.withMask { $0.apply(to: &viewed) }
      #expect(viewed == wanted)
      var bits = [UInt16](repeating: 0x3C00, count: 45)
      let bitsDone = bits.withUnsafeMutableBufferPointer { session.applyMask(toFloat16Bits: $0) }
      #expect(bitsDone && bits == wanted.map { $0.bitPattern })
    }
  #endif

  @Test func candidatesAreMaskedById() throws {
    var session = try toySession()
    let tokens = [try id("}"), try id("{"), -1, 1000, try id("{\"")]
    var logits: [Float] = [1, 2, 3, 4, 5]
    let done = session.withMask { $0.apply(toCandidates: tokens, logits: &logits) }
    #expect(done == true)
    #expect(logits == [-.infinity, 2, -.infinity, -.infinity, 5])
    let uneven = session.withMask { $0.apply(toCandidates: [1], logits: &logits) }
    #expect(uneven == false)
  }

  private func maskSpan(_ session: inout ConstrainedGenerationSession, _ logits: inout [Float]) -> Bool {
    var span = logits.mutableSpan
    return session.applyMask(to: &span)
  }
}
