/// Keeps one ``TokenizerInfo`` a model, so that its tables are derived once.
public actor TokenizerInfoCache {
  private struct Key: Hashable {
    let modelName: String
    let vocabType: VocabularyType
  }

  private var infos: [Key: TokenizerInfo] = [:]

  public init() {}

  /// The info made earlier for this name, kind and vocabulary, or a new one in its place.
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

/// Compares by bytes: `==` of strings takes different spellings of `é` for one.
package func haveSameBytes(_ a: [String], _ b: [String]) -> Bool {
  let share = a.withUnsafeBufferPointer { a in b.withUnsafeBufferPointer { a.baseAddress == $0.baseAddress } }
  return a.count == b.count && (share || zip(a, b).allSatisfy { $0.utf8.elementsEqual($1.utf8) })
}
