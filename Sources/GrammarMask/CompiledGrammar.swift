/// One compiled schema, ready for any number of sessions on any threads.
///
/// States and masks are built when they are first needed, and remembered.
public final class CompiledGrammar: Sendable {
  package let handle: GrammarHandle
  public let compiler: GrammarCompiler
  /// The schema text it was compiled from.
  public let schema: String

  init(_ handle: consuming GrammarHandle, _ compiler: GrammarCompiler, schema: String) {
    self.handle = handle
    self.compiler = compiler
    self.schema = schema
  }

  public var vocabulary: Vocabulary { compiler.vocabulary }

  /// Places that constrain less, or otherwise, than the schema's author may think.
  public var warnings: [GrammarWarning] { handle.warnings }

  /// Bytes held by the grammar, lazily built states included, caches of its compiler not.
  public var memorySizeBytes: Int { handle.memory }

  /// What was built so far, in counted work.
  public var statistics: GrammarStatistics { handle.statistics }

  /// Builds states and masks that a generation is likely to meet, up to `work` counted units.
  ///
  /// Worth a call before the first prompt is there, away from the main actor.
  public func prewarm(work: Int = 10_000_000) throws(GrammarMaskError) {
    guard work >= 0 else { throw .mistake("work must not be negative, but is \(work)") }
    try handle.prewarm(UInt64(work))
  }

  /// The grammar for people: one line a state, or with `dot` a Graphviz graph.
  public func explanation(dot: Bool = false) throws(GrammarMaskError) -> String { try handle.explain(dot: dot) }
}

/// Counted work of a grammar so far.
public struct GrammarStatistics: Hashable, Sendable {
  /// Units of work in the compile call.
  public internal(set) var compileWork = 0
  /// Schema nodes met.
  public internal(set) var nodes = 0
  /// Distinct formulas decided.
  public internal(set) var formulas = 0
  /// Distinct threads.
  public internal(set) var threads = 0
  /// Places built so far.
  public internal(set) var places = 0
  /// Frame states built so far.
  public internal(set) var frames = 0
  /// Masks computed, not found.
  public internal(set) var masksBuilt = 0
  /// Masks found among the remembered ones.
  public internal(set) var masksFound = 0
  /// Vocabulary nodes visited for masks.
  public internal(set) var trieNodes = 0
  /// Ways from states to states built so far.
  public internal(set) var transitions = 0
  /// Bytes written as whole masks.
  public internal(set) var maskBytes = 0
}
