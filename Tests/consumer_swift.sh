#!/bin/sh
# consumer_swift.sh - a package that depends on this one by URL and version builds and runs.
#
# usage: Tests/consumer_swift.sh
#
# Makes a repository of the files here (committed or not, ignored ones left out), tags it 0.1.0, and lets a
# small package depend on it through a file URL, as others will through https. So it sees what only a
# dependent sees: unsafe flags, files that are not in the repository, products that are not declared.
# Where mounting is allowed, json-c is hidden meanwhile: who wants the engine alone must not need it.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/gmask-consumer.XXXXXX")
trap 'rm -rf "$work"' EXIT

command -v swift > /dev/null || { echo "SKIP consumer_swift: no swift"; exit 0; }

mkdir -p "$work/GrammarMask" "$work/consumer/Sources/Consumer" "$work/consumer/Sources/Keeper"
(cd "$root" && git ls-files -z --cached --others --exclude-standard | xargs -0 tar cf - 2> /dev/null) |
  tar xf - -C "$work/GrammarMask"
cd "$work/GrammarMask"
git init -q
git add -A
git -c user.name=consumer -c user.email=consumer@localhost commit -q -m "Everything"
git tag 0.1.0

cd "$work/consumer"
cat > Package.swift << EOF
// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "Consumer",
  platforms: [.macOS(.v11)],
  dependencies: [.package(url: "file://$work/GrammarMask", from: "0.1.0")],
  targets: [
    .target(name: "Keeper", dependencies: [.product(name: "GrammarMask", package: "GrammarMask")]),
    .executableTarget(
      name: "Consumer", dependencies: ["Keeper", .product(name: "GrammarMask", package: "GrammarMask")]),
  ])
EOF
cat > Sources/Keeper/Keeper.swift << 'EOF'
public import GrammarMask

/// A noncopyable session in a class, settable from outside: how an inference engine keeps one.
public final class Keeper {
  public var session: ConstrainedGenerationSession

  public init(_ session: consuming ConstrainedGenerationSession) { self.session = session }
}
EOF
cat > Sources/Consumer/main.swift << 'EOF'
import GrammarMask
import Keeper

func run() throws {
  let pieces = ["{", "}", "\"", ":", "a", "1", "2"]
  let keeper = Keeper(
    try ConstrainedGenerationSession(
      jsonSchema: #"{"properties": {"a": {"enum": [12]}}, "required": ["a"], "additionalProperties": false}"#,
      vocabulary: pieces, vocabType: .raw))
  keeper.session = try keeper.session.fork()
  var logits = [Float](repeating: 1, count: pieces.count)
  var text = ""
  while keeper.session.applyMask(to: &logits) {
    guard let token = logits.firstIndex(of: 1), keeper.session.accept(Int32(token)) != .rejected else { break }
    text += pieces[token]
    logits = [Float](repeating: 1, count: pieces.count)
  }
  print(text)
}
try run()
EOF

# As people ship it: the optimiser crosses module borders, and has been seen to stumble there.
build="swift build -c release --scratch-path $work/scratch -j ${JOBS:-2}"
hide='mount -t tmpfs none /usr/include/json-c'
if [ -d /usr/include/json-c ] && unshare -m sh -c "$hide" 2> /dev/null; then
  unshare -m sh -c "$hide && $build" > "$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
  echo "consumer_swift: built without json-c"
else
  $build > "$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
fi

printed=$("$work/scratch/release/Consumer")
[ "$printed" = '{"a":12}' ] || { echo "consumer_swift: printed $printed" >&2; exit 1; }
echo "consumer_swift.sh: 1 passed, 0 failed"
