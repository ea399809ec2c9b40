"""llguidance behind the protocol of README.md.

--api c   (default) the C entry points that the wheel's library exports, driven from drive.c. The tokenizer is declared
          non-canonical, so that every mask is the exact one.
--api py  the Python class with a canonical tokenizer of the rank file: where the grammar forces bytes, the engine
          answers with the one canonical token instead of computing the mask.
"""
import argparse
import ctypes as C
import time
from importlib.metadata import version

import llama3
import protocol


class TokenizerInit(C.Structure):
    """LlgTokenizerInitV2 of llguidance.h."""
    _fields_ = [("struct_size", C.c_size_t), ("vocab_size", C.c_uint32), ("tok_eos", C.c_uint32),
                ("token_lens", C.c_void_p), ("token_bytes", C.c_char_p), ("tokenizer_json", C.c_char_p),
                ("tokenize_assumes_string", C.c_bool), ("tokenize_fn", C.c_void_p),
                ("use_approximate_greedy_tokenize_fn", C.c_bool), ("tokenize_user_data", C.c_void_p),
                ("slices", C.c_void_p), ("tok_eos_extra", C.c_void_p), ("tok_eos_extra_count", C.c_uint32)]


class Library:
    """The entry points used here, with their types: matchers are pointers as integers."""

    def __init__(self):
        import llguidance._lib
        library = C.CDLL(llguidance._lib.__file__)

        def function(name, result, *arguments):
            entry = getattr(library, name)
            entry.restype, entry.argtypes = result, arguments
            return entry

        pointer = C.c_void_p
        self.new_tokenizer = function("llg_new_tokenizer_v2", pointer, pointer, C.c_char_p, C.c_size_t)
        self.set_defaults = function("llg_constraint_init_set_defaults", None, pointer, pointer)
        self.new_matcher = function("llg_new_matcher", pointer, pointer, C.c_char_p, C.c_char_p)
        self.clone_matcher = function("llg_clone_matcher", pointer, pointer)
        self.reset_matcher = function("llg_matcher_reset", C.c_int32, pointer)
        self.free_matcher = function("llg_free_matcher", None, pointer)
        self.is_error = function("llg_matcher_is_error", C.c_bool, pointer)
        self.get_error = function("llg_matcher_get_error", C.c_char_p, pointer)
        self.fill = C.cast(library.llg_matcher_compute_mask_into, pointer).value
        self.commit = C.cast(library.llg_matcher_consume_token, pointer).value

    def error_of(self, matcher):
        return (self.get_error(matcher) or b"?").decode("utf-8", "replace")


class CEngine:
    def __init__(self, options):
        self.library = Library()
        self.reuse = options.reuse
        names, special, stops = protocol.read_vocabulary(options.vocab)
        tokens = [b"\xff" + token if i in special else token for i, token in enumerate(names)]
        self.driver = protocol.Driver(len(tokens), stops)

        # What the structure points to is kept here as long as the tokenizer.
        self.lengths = (C.c_uint32 * len(tokens))(*map(len, tokens))
        self.bytes = b"".join(tokens)
        self.no_slices = (C.c_void_p * 1)(None)
        self.other_stops = (C.c_uint32 * (len(stops) - 1))(*stops[1:])
        init = TokenizerInit(struct_size=C.sizeof(TokenizerInit), vocab_size=len(tokens), tok_eos=stops[0],
                             token_lens=C.addressof(self.lengths), token_bytes=self.bytes,
                             use_approximate_greedy_tokenize_fn=True)
        if options.slices == "none":
            init.slices = C.addressof(self.no_slices)
        if len(stops) > 1:
            init.tok_eos_extra, init.tok_eos_extra_count = C.addressof(self.other_stops), len(stops) - 1
        error = C.create_string_buffer(512)
        self.tokenizer = self.library.new_tokenizer(C.byref(init), error, len(error))
        if not self.tokenizer:
            raise SystemExit(f"tokenizer: {error.value.decode()}")
        self.init = C.create_string_buffer(1024)  # an LlgConstraintInit, which is smaller
        self.library.set_defaults(self.init, self.tokenizer)

    def _engine(self, matcher):
        return protocol.PlainEngine(matcher, self.library.fill, self.library.commit, self.driver.words * 4)

    def compile(self, schema):
        text = schema.encode()
        start = time.perf_counter_ns()
        matcher = self.library.new_matcher(self.init, b"json_schema", text)
        compile_us = (time.perf_counter_ns() - start) / 1000
        if self.library.is_error(matcher):
            message = self.library.error_of(matcher)
            self.library.free_matcher(matcher)
            raise protocol.CompileError(message)
        first = self.library.clone_matcher(matcher)  # the first mask warms the lexer: `matcher` is to stay cold
        failed, first_us = self.driver.first("plain_fill", self._engine(first))
        message = self.library.error_of(first) if failed else ""
        self.library.free_matcher(first)
        if failed:
            self.library.free_matcher(matcher)
            raise protocol.CompileError(f"first mask: {message}")
        return compile_us, first_us, matcher

    def run(self, grammar, tokens):
        if self.reuse:
            matcher = grammar
            if self.library.reset_matcher(matcher):
                return False, "reset failed", [], []
        else:
            matcher = self.library.clone_matcher(grammar)
        result, mask_us, commit_us = self.driver.walk("plain_fill", "plain_commit", self._engine(matcher), tokens)
        message = self.library.error_of(matcher) if result.error else ""
        if not self.reuse:
            self.library.free_matcher(matcher)
        return bool(result.accepted), message, mask_us, commit_us

    def free(self, grammar):
        self.library.free_matcher(grammar)


class PyEngine:
    def __init__(self, options):
        import llguidance
        import numpy
        self.llguidance = llguidance
        tokens, special, self.stops = protocol.read_vocabulary(options.vocab)
        self.tokenizer = llguidance.LLTokenizer.from_tiktoken(
            encoder={token: i for i, token in enumerate(tokens) if i not in special},
            special_tokens={tokens[i].decode(): i for i in special}, pattern=llama3.PATTERN,
            eos_token=self.stops[0], n_vocab=len(tokens), slices=None)
        self.mask = numpy.zeros((len(tokens) + 31) // 32, dtype=numpy.uint32)
        self.mask_at = int(self.mask.ctypes.data), int(self.mask.nbytes)

    def _has_bit(self, token):
        return bool(int(self.mask[token >> 5]) >> (token & 31) & 1)

    def compile(self, schema):
        now = time.perf_counter_ns
        start = now()
        matcher = self.llguidance.LLMatcher(self.tokenizer,
                                            self.llguidance.LLMatcher.grammar_from_json_schema(schema))
        compile_us = (now() - start) / 1000
        if matcher.is_error():
            raise protocol.CompileError(matcher.get_error())
        first = matcher.deep_copy()
        start = now()
        first.unsafe_compute_mask_ptr(*self.mask_at)
        first_us = (now() - start) / 1000
        if first.is_error():
            raise protocol.CompileError(f"first mask: {first.get_error()}")
        return compile_us, first_us, matcher

    def run(self, grammar, tokens):
        matcher = grammar.deep_copy()
        # Looked up here, so that the timed spans hold the calls alone.
        now, fill, commit, (address, size) = (time.perf_counter_ns, matcher.unsafe_compute_mask_ptr,
                                              matcher.consume_token, self.mask_at)
        mask_us, commit_us = [], []
        for token in tokens:
            start = now()
            fill(address, size)
            mask_us.append((now() - start) / 1000)
            if matcher.is_error():
                return False, matcher.get_error(), mask_us, commit_us
            if not self._has_bit(token):
                return False, "", mask_us, commit_us
            start = now()
            went_on = commit(token)
            commit_us.append((now() - start) / 1000)
            if not went_on:
                return False, matcher.get_error(), mask_us, commit_us
        start = now()
        fill(address, size)
        mask_us.append((now() - start) / 1000)
        return any(map(self._has_bit, self.stops)), "", mask_us, commit_us

    def free(self, grammar):
        pass


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--vocab", required=True)
    parser.add_argument("--api", choices=["c", "py"], default="c")
    parser.add_argument("--slices", choices=["default", "none"], default="default")
    parser.add_argument("--reuse", action="store_true",
                        help="one matcher a schema, reset between tests: the lexer's states stay warm")
    options = parser.parse_args()
    protocol.serve(lambda: (CEngine if options.api == "c" else PyEngine)(options),
                   {"engine": "llguidance", "version": version("llguidance"),
                    "settings": {"api": options.api, "slices": options.slices, "reuse": options.reuse}})
