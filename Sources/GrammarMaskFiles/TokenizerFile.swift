public import GrammarMask

/// A tokenizer file that was read: its vocabulary, its kind and the names of its special tokens.
///
/// Reads Hugging Face `tokenizer.json`, tiktoken rank files, `tekken.json`, SentencePiece `tokenizer.model` and GGUF.
/// The kind is told from the content. Each token gets exactly the bytes that the format's own decoder gives it in the
/// middle of a text, or the file is refused.
public final class TokenizerFile: Sendable {
  private let info: InfoHandle
  public let vocabulary: Vocabulary

  /// - Throws: ``GrammarMaskError/Status/io`` when it cannot be read, `invalidFile` when it is damaged or foreign,
  ///   `unsupported` when its tokens have no fixed bytes.
  public init(path: String, options: TokenizerFileOptions = TokenizerFileOptions()) throws(GrammarMaskError) {
    let info = try InfoHandle(path: path, options)
    vocabulary = Vocabulary(adopting: info.vocabulary)
    self.info = info
  }

  /// The same from the bytes of a file.
  public init(bytes: [UInt8], options: TokenizerFileOptions = TokenizerFileOptions()) throws(GrammarMaskError) {
    let info = try InfoHandle(bytes: bytes, options)
    vocabulary = Vocabulary(adopting: info.vocabulary)
    self.info = info
  }

  /// A short name such as "tiktoken", "hf-bytelevel" or "gguf-spm".
  public var kind: String { info.kind }

  /// Literal texts of control and unknown tokens by ascending id. One id may have two names.
  public var specialTokens: [(id: Int32, text: String)] { info.specialTokens }

  /// Ids of the tokens with this literal text: the special ones, else the added ones, else the ordinary ones.
  public func tokenIds(of text: String) -> [Int32] { info.tokenIds(of: text) }

  /// The stop ids that the file itself declares, whatever the options said.
  public var declaredStopTokenIds: [Int32] { info.declaredStop }
}

extension Vocabulary {
  /// The vocabulary of a tokenizer file. ``TokenizerFile`` tells more about the file.
  ///
  /// - Parameter stop: literal texts of the tokens that end a document, besides those of `options`. Without any, the
  ///   stop set is what the file declares: GGUF and SentencePiece files do, others do not.
  public convenience init(
    file path: String, stop: [String] = [], options: TokenizerFileOptions = TokenizerFileOptions()
  ) throws(GrammarMaskError) {
    var options = options
    options.stopTexts += stop
    self.init(adopting: try InfoHandle.vocabulary(path: path, options))
  }
}
