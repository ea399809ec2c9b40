/// A vocabulary made from strings. Unlike everywhere else the default kind is `.raw`, as in Core AI's package.
public final class TokenizerInfo: Sendable {
  public let vocabulary: [String]
  public let vocabularySize: Int
  public let vocabType: VocabularyType
  public let addPrefixSpace: Bool
  let info: GrammarMask.TokenizerInfo

  /// Never fails here: what is wrong with the vocabulary is thrown by the first compile.
  public init(vocabulary: [String], vocabType: VocabularyType = .raw, addPrefixSpace: Bool = false) {
    self.vocabulary = vocabulary
    self.vocabularySize = vocabulary.count
    self.vocabType = vocabType
    self.addPrefixSpace = addPrefixSpace
    info = GrammarMask.TokenizerInfo(vocabulary: vocabulary, vocabType: vocabType, addPrefixSpace: addPrefixSpace)
  }
}

/// Keeps one ``TokenizerInfo`` a model.
public actor TokenizerInfoCache {
  private var infos: [Key: TokenizerInfo] = [:]

  private struct Key: Hashable {
    let modelName: String
    let vocabType: VocabularyType
  }

  public init() {}

  public func getOrCreate(
    modelName: String, vocabulary: [String], vocabType: VocabularyType = .byteLevel
  ) -> TokenizerInfo {
    let key = Key(modelName: modelName, vocabType: vocabType)
    if let info = infos[key], haveSameBytes(info.vocabulary, vocabulary) { return info }
    let info = TokenizerInfo(vocabulary: vocabulary, vocabType: vocabType)
    infos[key] = info
    return info
  }

  public func clear() { infos.removeAll() }
}
