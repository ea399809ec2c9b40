/// A vocabulary made from strings, in a form whose initialiser does not throw.
///
/// What is wrong with the vocabulary is kept and thrown when a grammar is compiled for it. Sessions made from one
/// `TokenizerInfo` share its compiler and so its caches.
public final class TokenizerInfo: Sendable {
  public let vocabulary: [String]
  public let vocabularySize: Int
  public let vocabType: VocabularyType
  public let addPrefixSpace: Bool
  private let made: Result<GrammarCompiler, GrammarMaskError>

  public convenience init(
    vocabulary: [String], vocabType: VocabularyType = .byteLevel, addPrefixSpace: Bool = false
  ) {
    self.init(vocabulary: vocabulary, vocabType: vocabType, addPrefixSpace: addPrefixSpace, stopTokenIds: [])
  }

  /// - Parameter stopTokenIds: tokens that end a document. There is no guess: without any, a document ends when
  ///   nothing more may follow.
  public init(
    vocabulary: [String], vocabType: VocabularyType = .byteLevel, addPrefixSpace: Bool = false, stopTokenIds: [Int32]
  ) {
    self.vocabulary = vocabulary
    self.vocabularySize = vocabulary.count
    self.vocabType = vocabType
    self.addPrefixSpace = addPrefixSpace
    do throws(GrammarMaskError) {
      let table = try Vocabulary(
        pieces: vocabulary, vocabType: vocabType, stop: stopTokenIds, addsPrefixSpace: addPrefixSpace)
      made = .success(try GrammarCompiler(table))
    } catch {
      made = .failure(error)
    }
  }

  /// The compiler for this vocabulary, or what is wrong with the vocabulary.
  public var compiler: GrammarCompiler {
    get throws(GrammarMaskError) { try made.get() }
  }
}
