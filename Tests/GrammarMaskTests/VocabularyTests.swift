// Vocabularies: spellings, kinds, gaps, saved tables.

import Foundation
import GrammarMask
import Testing

@Suite struct VocabularyTests {
  @Test func textsAreBytesNotStrings() throws {
    // Canonically equal, so equal as Swift strings; and a NUL in the middle.
    let vocabulary = try Vocabulary(pieces: ["\u{E9}", "e\u{301}", "a\u{0}b"], vocabType: .raw)
    #expect(vocabulary.bytes(of: 0) == [0xC3, 0xA9])
    #expect(vocabulary.bytes(of: 1) == [0x65, 0xCC, 0x81])
    #expect(vocabulary.bytes(of: 2) == [0x61, 0, 0x62])
  }

  @Test func spellingsAreDecoded() throws {
    let levels = try Vocabulary(pieces: ["Ġa", "Ċ", "{"])
    #expect(levels.bytes(of: 0) == Array(" a".utf8) && levels.bytes(of: 1) == [10])
    let fallback = try Vocabulary(pieces: ["▁a", "<0x0A>", "{"], vocabType: .byteFallback)
    #expect(fallback.bytes(of: 0) == Array(" a".utf8) && fallback.bytes(of: 1) == [10])
    let raw = try Vocabulary(pieces: ["Ġa"], vocabType: .raw)
    #expect(raw.bytes(of: 0) == Array("Ġa".utf8))
  }

  @Test func kindsAreTold() throws {
    let vocabulary = try Vocabulary(
      pieces: ["a", "<end>", "", "<tool>", "  "], special: [1], unused: [2], added: [3, 4], stop: [1], logitWidth: 64)
    #expect(vocabulary.kind(of: 0) == [] && vocabulary.kind(of: 1)?.contains(.control) == true)
    #expect(vocabulary.kind(of: 2)?.contains(.unused) == true && vocabulary.kind(of: 3)?.contains(.added) == true)
    #expect(vocabulary.bytes(of: 1) == nil && vocabulary.bytes(of: 2) == nil)
    #expect(vocabulary.bytes(of: 3) == Array("<tool>".utf8) && vocabulary.bytes(of: 4) == [32, 32])
    #expect(vocabulary.tokenCount == 5 && vocabulary.logitWidth == 64 && vocabulary.maskWordCount == 2)
    #expect(vocabulary.stopTokenIds == [1] && vocabulary.memorySizeBytes > 0)
  }

  @Test func logitsPastTheTokensAreMasked() throws {
    let vocabulary = try Vocabulary(pieces: toyVocabulary, vocabType: .raw, logitWidth: 100)
    var session = try ConstrainedGenerationSession(jsonSchema: personSchema, vocabulary: vocabulary)
    #expect(session.vocabularySize == 100)
    let words = try unwrap(session.nextTokenBitmask())
    #expect(words.count == 4 && words[2] == 0 && words[3] == 0)
    var logits = [Float](repeating: 1, count: 100)
    session.applyMask(to: &logits)
    #expect(logits[39...].allSatisfy { $0 == -.infinity })
  }

  @Test func missingBytesAreKnown() throws {
    let vocabulary = try Vocabulary(pieces: toyVocabulary, vocabType: .raw)
    #expect(vocabulary.missingBytes.contains(UInt8(ascii: "\\")))
    #expect(!vocabulary.missingBytes.contains(UInt8(ascii: "{")))
    let spelled = Set(toyVocabulary.flatMap { $0.utf8 })
    #expect(Set(vocabulary.missingBytes) == Set(UInt8.min...UInt8.max).subtracting(spelled))
  }

  @Test func savedTablesComeBack() throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("gmask-\(UUID())")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let path = directory.appendingPathComponent("toy.gmvocab").path

    let vocabulary = try Vocabulary(pieces: toyVocabulary, vocabType: .raw, stop: [38])
    try vocabulary.save(to: path)
    let loaded = try Vocabulary(savedTables: path)
    #expect(loaded.digest == vocabulary.digest && loaded.stopTokenIds == [38] && loaded.tokenCount == 39)
    var session = try ConstrainedGenerationSession(jsonSchema: personSchema, vocabulary: loaded)
    let mask = session.nextTokenBitmask()
    var original = try toySession(stop: [38])
    let same = original.nextTokenBitmask()
    #expect(mask == same)

    try Data("not a vocabulary".utf8).write(to: URL(fileURLWithPath: path))
    let damaged = #expect(throws: GrammarMaskError.self) { _ = try Vocabulary(savedTables: path) }
    #expect(damaged?.status == .invalidFile)
    let absent = #expect(throws: GrammarMaskError.self) { _ = try Vocabulary(savedTables: path + "x") }
    #expect(absent?.status == .io)
  }
}
