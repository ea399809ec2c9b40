"""xgrammar behind the protocol of README.md.

The bindings are loaded without importing the package itself, whose import needs torch; apache-tvm-ffi is enough.
Masks are filled and tokens accepted from C (drive.c), through the packed-argument interface.

--strict 1 --jit 0   as shipped (strict_mode=True, any_whitespace=True)
--strict 0           JSON Schema semantics: additional properties and items are allowed
--jit 1              enable_dynamic_compilation=True
"""
import argparse
import ctypes as C
import os
import sys
import time
import types
from importlib.metadata import version

import protocol

ERRORS = ["", "fill failed", "token refused after its bit was set"]  # by Result.error


def load_core():
    for base in sys.path:
        root = os.path.join(base, "xgrammar")
        if os.path.isdir(os.path.join(root, "tvm_ffi_binding")):
            break
    else:
        raise SystemExit("xgrammar is not installed")
    package = types.ModuleType("xgrammar")
    package.__path__ = [root]
    sys.modules["xgrammar"] = package
    import xgrammar.load_binding  # noqa: F401
    from xgrammar.tvm_ffi_binding import _ffi_api
    return _ffi_api


class Engine:
    def __init__(self, options):
        self.core = load_core()
        import tvm_ffi
        self.options = options
        names, special, stops = protocol.read_vocabulary(options.vocab)
        tokens = [b"" if i in special else token for i, token in enumerate(names)]  # no bytes: a special token
        self.driver = protocol.Driver(len(tokens), stops)
        # The classes' own constructors belong to the package that is not imported.
        tokenizer = self.core.TokenizerInfo.__new__(self.core.TokenizerInfo)
        tokenizer.__ffi_init__(tokens, 0, len(tokens), stops, False)
        self.compiler = self.core.GrammarCompiler.__new__(self.core.GrammarCompiler)
        self.compiler.__ffi_init__(tokenizer, options.threads, bool(options.cache), -1, bool(options.jit))

        matcher_type = self.core.GrammarMatcher.__tvm_ffi_type_info__
        self.methods = {method.name: method.func for method in matcher_type.methods}  # kept: their handles are used
        library = C.CDLL(tvm_ffi.libinfo.find_libtvm_ffi())
        self.call = dict(call=C.cast(library.TVMFFIFunctionCall, C.c_void_p).value,
                         fill=self.methods["fill_next_token_bitmask"].__chandle__(),
                         commit=self.methods["accept_token"].__chandle__(),
                         self_type=matcher_type.type_index, words=self.driver.words)

    def _matcher(self, grammar):
        matcher = self.core.GrammarMatcher.__new__(self.core.GrammarMatcher)
        matcher.__ffi_init__(grammar, None, False, -1, None)
        return matcher

    def _engine(self, matcher):
        return protocol.PackedEngine(self=matcher.__chandle__(), **self.call)

    def compile(self, schema):
        start = time.perf_counter_ns()
        try:
            grammar = self.compiler.compile_json_schema(schema, bool(self.options.any_whitespace), None, None,
                                                        bool(self.options.strict), None, False)
            matcher = self._matcher(grammar)
        except Exception as error:
            raise protocol.CompileError(f"{type(error).__name__}: {error}")
        compile_us = (time.perf_counter_ns() - start) / 1000
        failed, first_us = self.driver.first("packed_fill", self._engine(matcher))
        if failed:
            raise protocol.CompileError("first mask failed")
        return compile_us, first_us, grammar

    def run(self, grammar, tokens):
        matcher = self._matcher(grammar)
        result, mask_us, commit_us = self.driver.walk("packed_fill", "packed_commit", self._engine(matcher), tokens)
        return bool(result.accepted), ERRORS[result.error], mask_us, commit_us

    def free(self, grammar):
        pass


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--vocab", required=True)
    parser.add_argument("--strict", type=int, default=1)
    parser.add_argument("--any-whitespace", type=int, default=1)
    parser.add_argument("--jit", type=int, default=0)
    parser.add_argument("--cache", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    protocol.serve(lambda: Engine(options),
                   {"engine": "xgrammar", "version": version("xgrammar"),
                    "settings": {name: value for name, value in vars(options).items() if name != "vocab"}})
