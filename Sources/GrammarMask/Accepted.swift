/// What became of a token, known before it is shown to anybody.
public enum Accepted: Hashable, Sendable, CaseIterable {
  /// Not allowed here, out of range, or the document had ended. Nothing changed.
  case rejected
  /// The token is text of the document, and more may follow.
  case more
  /// The token is text, and the document is complete with it: only stop tokens may follow.
  case complete
  /// The token was a stop token. It is not text: do not show it.
  case stopped
}
