#!/bin/sh
# swift_layers.sh - what the Swift sources may import and what they may not say.
#
# usage: Tests/swift_layers.sh
#
#   - only files in an Internals folder see the C modules, and C names stand nowhere else
#   - Foundation is imported by the files that say why, and by no other
#   - nothing in Sources ends the process: no fatalError, no precondition, no try!
set -eu

cd "$(dirname "$0")/.."
passed=0
failed=0

refuse() { # what, found lines
  if [ -z "$2" ]; then
    passed=$((passed + 1))
    return
  fi
  printf 'swift_layers: %s:\n%s\n' "$1" "$2" >&2
  failed=$((failed + 1))
}

swift_lines() { find Sources -name '*.swift' -exec grep -nE "$1" /dev/null {} + || true; }

refuse "C seen outside Internals" \
  "$(swift_lines 'import CGrammarMask|(^|[^A-Za-z_`])(gm_[a-z]|GM_[A-Z])' | grep -v '/Internals/' | grep -vE ':[0-9]+: *//' || true)"
refuse "Foundation imported" \
  "$(swift_lines 'import Foundation' | grep -vE '\+(LocalizedError|Encodable)\.swift:' || true)"
refuse "the process may end" \
  "$(swift_lines '(fatalError|preconditionFailure|precondition|assertionFailure) *\(|try!' || true)"

echo "swift_layers.sh: $passed passed, $failed failed"
[ "$failed" = 0 ]
