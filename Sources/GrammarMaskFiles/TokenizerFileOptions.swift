/// What a tokenizer file does not say. Every default is "nothing".
public struct TokenizerFileOptions: Hashable, Sendable {
  /// Special tokens of a tiktoken rank file, which does not hold its own: the path of a JSON object of id to text or
  /// of text to id. For other kinds of files an error, since there the file decides.
  public var specialsPath: String?
  /// The same as JSON text instead of a file.
  public var specials: String?
  /// Tokens that end a document, by id.
  public var stopTokenIds: [Int32] = []
  /// Tokens that end a document, by their literal text: `["<|im_end|>"]`.
  public var stopTexts: [String] = []
  /// How many logits the model has, if more than tokens.
  public var logitWidth: Int?
  /// Let added tokens that are not white space alone into masks.
  public var allowsAddedTokens = false

  public init() {}

  /// Defaults but for what `change` sets.
  public init(_ change: (inout TokenizerFileOptions) -> Void) {
    change(&self)
  }
}
