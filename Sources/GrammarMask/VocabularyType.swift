/// How the texts of a vocabulary spell bytes.
///
/// Everywhere in this module the default is ``byteLevel``, the spelling of most current tokenizers.
/// A wrong choice shows at once: with a vocabulary that cannot spell `{`, `"` or a line break, look at
/// ``Vocabulary/missingBytes``.
public enum VocabularyType: Hashable, Sendable, CaseIterable {
  /// The texts are the bytes (tiktoken, or texts that were decoded before).
  case raw
  /// U+2581 is a space and `<0xNN>` is one byte (SentencePiece, Llama 2, Gemma).
  case byteFallback
  /// GPT-2's alphabet of 256 letters for 256 bytes (Llama 3, Qwen, DeepSeek). A piece with a letter outside that
  /// alphabet stands for its own UTF-8.
  case byteLevel
}
