/// Where a document stands.
public enum MatcherState: Hashable, Sendable, CaseIterable {
  /// More must follow.
  case running
  /// A stop token is allowed, and so is more: a number at the root, say.
  case mayStop
  /// Nothing but stop tokens may follow.
  case complete
  /// A stop token was accepted, or the document is complete and there are no stop tokens at all.
  case stopped
  /// The vocabulary cannot continue this document. Every mask is all zeros.
  case stuck
}
