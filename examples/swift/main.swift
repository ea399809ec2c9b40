// A document decoded under masks: logits, mask, sample, accept.
//
// The vocabulary has the 256 bytes and a stop token; a model's own comes from its file: Vocabulary(file:) of the
// product GrammarMaskFiles. Where a model would compute logits there is noise, and still the document is valid.

import GrammarMask

let stop: Int32 = 256
let schema = #"""
  {"type": "object",
   "properties": {"city": {"enum": ["Oslo", "Rome"]},
                  "days": {"type": "integer", "minimum": 1, "maximum": 14}},
   "required": ["city", "days"], "additionalProperties": false}
  """#

struct Rejected: Error {}

func decode() throws -> [UInt8] {
  let vocabulary = try Vocabulary(
    bytes: (0...255).map { [UInt8($0)] } + [[]], special: [stop], stop: [stop])  // once a model
  let compiler = try GrammarCompiler(vocabulary)  // once a model
  let options = SchemaOptions {
    $0.whitespace = .spaced
    $0.escapes = .minimal
  }
  let grammar = try compiler.compileJSONSchema(schema, options: options)  // once a schema
  var session = try ConstrainedGenerationSession(grammar: grammar)  // once a document

  var document: [UInt8] = []
  while true {
    var logits = (0...stop).map { _ in Float.random(in: 0..<1) }  // the model
    guard session.applyMask(to: &logits) else { return document }  // false once the document has ended
    let token = Int32(logits.indices.max { logits[$0] < logits[$1] } ?? 0)
    switch session.accept(token) {
    case .rejected: throw Rejected()  // cannot be: it was not masked
    case .stopped: return document  // a stop token is not text
    case .more, .complete: document += vocabulary.bytes(of: token) ?? []
    }
  }
}

print(String(decoding: try decode(), as: UTF8.self))
