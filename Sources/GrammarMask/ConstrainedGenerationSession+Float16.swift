// Float16 does not exist on macOS and Mac Catalyst for x86_64, and an @available does not help: a universal build
// compiles that slice too. There, use the variants that take bits.

#if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
  extension ConstrainedGenerationSession {
    /// Sets what is not allowed to `-Float16.greatestFiniteMagnitude`.
    @discardableResult
    public mutating func applyMask(to logits: inout [Float16]) -> Bool {
      logits.withUnsafeMutableBufferPointer { applyMask(to: $0) }
    }

    /// Sets what is not allowed to `-Float16.greatestFiniteMagnitude`.
    @discardableResult
    public mutating func applyMask(to logits: UnsafeMutableBufferPointer<Float16>) -> Bool {
      logits.withMemoryRebound(to: UInt16.self) { applyMask(toFloat16Bits: $0) }
    }

    /// Sets what is not allowed to `-Float16.greatestFiniteMagnitude`.
    @discardableResult
    public mutating func applyMask(to logits: inout MutableSpan<Float16>) -> Bool {
      logits.withUnsafeMutableBufferPointer { applyMask(to: $0) }
    }
  }

  extension Mask {
    /// Sets what is not allowed to `-Float16.greatestFiniteMagnitude`.
    public func apply(to logits: inout [Float16]) {
      logits.withUnsafeMutableBufferPointer { apply(to: $0) }
    }

    /// Sets what is not allowed to `-Float16.greatestFiniteMagnitude`.
    public func apply(to logits: UnsafeMutableBufferPointer<Float16>) {
      logits.withMemoryRebound(to: UInt16.self) { apply(toFloat16Bits: $0) }
    }
  }
#endif
