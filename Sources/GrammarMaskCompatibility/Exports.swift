// The names, kinds and defaults of Core AI's package over GrammarMask: to move code, change its import to this one.
//
// What GrammarMask has under the same name and with the same meaning is re-exported. What differs is declared here and
// hides the other: classes instead of noncopyable values, initialisers that do not throw, schemas strict by default,
// and that package's error types, thrown untyped as there.
//
// Import this module or GrammarMask, not both in one file: the hidden names would become ambiguous.

@_exported public import GrammarMask
