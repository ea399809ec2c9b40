// Tokenizer files: small ones made here, and real ones where a folder of them is at hand.

import Foundation
import GrammarMask
import GrammarMaskFiles
import Testing

@Suite struct TokenizerFileTests {
  /// A byte-level tokenizer.json: one token a byte of the document's alphabet, an added token and a special one.
  private let tokenizer = """
    {"version": "1.0", "added_tokens": [
       {"id": 8, "content": "<|end|>", "special": true, "single_word": false, "lstrip": false, "rstrip": false,
        "normalized": false}],
     "normalizer": null, "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false},
     "post_processor": null, "decoder": {"type": "ByteLevel"},
     "model": {"type": "BPE", "vocab": {"{": 0, "}": 1, "\\"": 2, "a": 3, ":": 4, "1": 5, "Ġ": 6, "2": 7},
               "merges": []}}
    """

  private func withFile(_ text: String, _ body: (String) throws -> Void) throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("gmask-\(UUID()).json")
    try Data(text.utf8).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    try body(url.path)
  }

  @Test func aFileGivesAVocabularyAndASession() throws {
    try withFile(tokenizer) { path in
      let vocabulary = try Vocabulary(file: path, stop: ["<|end|>"])
      #expect(vocabulary.tokenCount == 9 && vocabulary.stopTokenIds == [8] && vocabulary.bytes(of: 6) == [32])
      var session = try ConstrainedGenerationSession(
        jsonSchema: #"{"properties": {"a": {"type": "integer"}}, "required": ["a"]}"#, vocabulary: vocabulary)
      for token in [0, 2, 3, 2, 4, 5, 7, 1] as [Int32] {
        let accepted = session.acceptToken(token)
        #expect(accepted, "\(token)")
      }
      let stopped = session.accept(8)
      #expect(stopped == .stopped)
    }
  }

  @Test func aFileTellsItsKindAndItsSpecials() throws {
    let file = try TokenizerFile(bytes: Array(tokenizer.utf8), options: TokenizerFileOptions { $0.logitWidth = 64 })
    #expect(file.kind == "hf-bytelevel" && file.vocabulary.logitWidth == 64)
    #expect(file.specialTokens.map { $0.id } == [8] && file.specialTokens.first?.text == "<|end|>")
    #expect(file.tokenIds(of: "<|end|>") == [8] && file.tokenIds(of: "nowhere") == [])
    #expect(file.declaredStopTokenIds == [])
    try withFile(tokenizer) { path in
      let digest = try TokenizerFile(path: path).vocabulary.digest
      #expect(digest == file.vocabulary.digest)
    }
  }

  @Test func rankFilesTakeTheirSpecialsBeside() throws {
    let ranks = "ew== 0\nfQ== 1\nMQ== 2\n"  // "{", "}", "1"
    let options = TokenizerFileOptions {
      $0.specials = #"{"3": "<|stop|>"}"#
      $0.stopTexts = ["<|stop|>"]
    }
    let file = try TokenizerFile(bytes: Array(ranks.utf8), options: options)
    #expect(file.kind == "tiktoken" && file.vocabulary.stopTokenIds == [3] && file.vocabulary.bytes(of: 2) == [0x31])
  }

  @Test func whatCannotBeReadIsAnError() throws {
    let absent = #expect(throws: GrammarMaskError.self) { _ = try Vocabulary(file: "/no/such/file") }
    #expect(absent?.status == .io)
    let foreign = #expect(throws: GrammarMaskError.self) { _ = try TokenizerFile(bytes: Array("hello".utf8)) }
    #expect(foreign?.status == .invalidFile)
    let nul = #expect(throws: GrammarMaskError.self) { _ = try Vocabulary(file: "a\u{0}b") }
    #expect(nul?.status == .invalidArgument)
    let unknown = #expect(throws: GrammarMaskError.self) {
      _ = try TokenizerFile(bytes: Array(tokenizer.utf8), options: TokenizerFileOptions { $0.stopTexts = ["no"] })
    }
    #expect(unknown?.status == .invalidArgument)
  }
}
