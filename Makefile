# GrammarMask.
#
#   make demo         schemas at work: documents decoded under masks, each checked by a validator
#   make test         every test that takes seconds (structure, C, replayed fuzz inputs, command line, samples, Swift)
#   make check        C under sanitizers, static analysis, a minute of fuzzing, foreign processors, consumers
#   make lib          build/lib/libgmask.a and .so (make files: libgmask_files.a; make bin: build/bin/gmask)
#   make install      into PREFIX (default /usr/local); BUILD=DIR builds elsewhere than in build/
#   make conformance  cases, tokenizers and walks on real data (SHARED, default ../shared); -short: a few minutes
#   make bench        times and counted work of the schemas in examples/, and of the logits kernels
#   make bench-peers  side by side with other engines on SAMPLE schemas (default 60); DATA, TOKENIZER: MaskBench and
#                     Llama 3's vocabulary by path; LIST, RUNS, ENGINES, OPTIONS, WRITE: see tools/bench_peers.sh
#   make docs         documentation of the Swift module; make format: layout of sources
#
# Missing system packages (json-c; for tests also PCRE2) are installed by tools/need.sh where that is
# possible, or named.
CC        ?= cc
AR        ?= ar
CFLAGS    ?= -O3 -g
BUILD     ?= build
PREFIX    ?= /usr/local
# Of each test and tool: give DEBUG=-O1\ -g\ -fsanitize=... for another kind of run.
DEBUG     ?= -O1 -g
WARN      := -std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Werror
INCLUDE   := -Iinclude -Icsrc
SHARED    ?= $(or $(GM_SHARED),../shared)
JOBS      ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
SAMPLE    ?= 60
# Not in the package: a build folder there confuses SwiftPM.
SWIFT_SCRATCH ?= $(or $(TMPDIR),/tmp)/gmask-swift-$(shell id -u)-$(shell echo "$(CURDIR)" | cksum | cut -d' ' -f1)

MODULES   := base json lex schema form machine vocab mask match api
SOURCES   := $(wildcard $(MODULES:%=csrc/%/*.c))
FILES     := $(wildcard csrc/files/*.c)
CLI       := $(wildcard csrc/cli/*.c)
OBJECTS   := $(SOURCES:csrc/%.c=$(BUILD)/obj/%.o)
DEBUG_OBJECTS := $(SOURCES:csrc/%.c=$(BUILD)/debug/%.o)
FILE_OBJECTS  := $(FILES:csrc/%.c=$(BUILD)/obj/%.o)
CLI_OBJECTS   := $(CLI:csrc/%.c=$(BUILD)/obj/%.o)
C_TESTS   := $(patsubst Tests/c/%.c,$(BUILD)/tests/%,$(wildcard Tests/c/test_*.c))
FILE_TESTS := $(patsubst Tests/files/%.c,$(BUILD)/tests/%,$(wildcard Tests/files/test_*.c))
VERSION   := $(shell sed -n 's/^.define GM_VERSION_M[AI][JN]OR \([0-9]*\)/\1/p' include/gmask/gmask.h | paste -sd.)
FULL_VERSION := $(shell sed -n 's/^.define GM_VERSION_M[AI][JN]OR \([0-9]*\)/\1/p; s/^.define GM_VERSION_PATCH \([0-9]*\)/\1/p' include/gmask/gmask.h | paste -sd. -)
FILES_INCLUDE := -Iinclude-files
JSONC_CFLAGS = $(shell pkg-config --cflags json-c 2>/dev/null)
JSONC_LIBS   = $(shell pkg-config --libs json-c 2>/dev/null || echo -ljson-c)

LIBS_test_json_against_jsonc := -ljson-c
LIBS_test_text_against_pcre2 := -lpcre2-8
WITH_test_walks := csrc/cli/shipped_vocabulary.c
WITH_test_masks := csrc/cli/shipped_vocabulary.c
WITH_test_foundation_models := csrc/cli/shipped_vocabulary.c

.PHONY: all lib files bin demo test check conformance conformance-short bench bench-peers install clean c-tests \
        file-tests fuzz-replay structure cli-tests example-tests swift-tests needs-json-c needs-pcre2 format docs
all: lib bin

needs-json-c:
	@tools/need.sh json-c
needs-pcre2:
	@tools/need.sh json-c libpcre2-8

lib: $(BUILD)/lib/libgmask.a $(BUILD)/lib/libgmask.so
files: needs-json-c
	@$(MAKE) --no-print-directory $(BUILD)/lib/libgmask_files.a
bin: needs-json-c $(BUILD)/lib/libgmask.a
	@$(MAKE) --no-print-directory $(BUILD)/bin/gmask

$(BUILD)/obj/files/%.o: csrc/files/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(WARN) $(INCLUDE) $(FILES_INCLUDE) $(JSONC_CFLAGS) -fvisibility=hidden -fPIC -MMD -c $< -o $@

$(BUILD)/obj/cli/%.o: csrc/cli/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(WARN) $(INCLUDE) $(FILES_INCLUDE) $(JSONC_CFLAGS) -MMD -c $< -o $@

$(BUILD)/obj/%.o: csrc/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(WARN) $(INCLUDE) -fvisibility=hidden -fPIC -MMD -c $< -o $@

$(BUILD)/debug/%.o: csrc/%.c
	@mkdir -p $(@D)
	$(CC) $(DEBUG) -DGM_DEBUG $(WARN) $(INCLUDE) -MMD -c $< -o $@

$(BUILD)/lib/libgmask.a: $(OBJECTS)
	@mkdir -p $(@D)
	rm -f $@ && $(AR) rcs $@ $^

$(BUILD)/lib/libgmask.so: $(OBJECTS)
	@mkdir -p $(@D)
	$(CC) -shared -Wl,-soname,libgmask.so.$(VERSION) $^ -lpthread -o $@

$(BUILD)/lib/libgmask_files.a: $(FILE_OBJECTS)
	@mkdir -p $(@D)
	rm -f $@ && $(AR) rcs $@ $^

$(BUILD)/bin/gmask: $(CLI_OBJECTS) $(BUILD)/lib/libgmask_files.a $(BUILD)/lib/libgmask.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $^ $(JSONC_LIBS) -lpthread -lm -o $@

$(BUILD)/tests/libdebug.a: $(DEBUG_OBJECTS)
	@mkdir -p $(@D)
	rm -f $@ && $(AR) rcs $@ $^

# Tests end with a line "name: N passed, N failed"; their own parts may be skipped by name.
$(BUILD)/tests/%: Tests/c/%.c $(wildcard Tests/c/*.h) $(BUILD)/tests/libdebug.a
	@mkdir -p $(@D)
	$(CC) $(DEBUG) -DGM_DEBUG $(WARN) $(INCLUDE) -ITests/c -D_GNU_SOURCE $< $(WITH_$*) $(BUILD)/tests/libdebug.a $(LIBS_$*) -lpthread -lm -o $@

$(BUILD)/tests/%: Tests/files/%.c $(wildcard Tests/files/*.h) $(FILES) $(BUILD)/tests/libdebug.a
	@mkdir -p $(@D)
	$(CC) $(DEBUG) -DGM_DEBUG $(WARN) $(INCLUDE) $(FILES_INCLUDE) $(JSONC_CFLAGS) -ITests/c -ITests/files -D_GNU_SOURCE $< $(FILES) $(BUILD)/tests/libdebug.a $(JSONC_LIBS) -lpthread -lm -o $@

# ---- tests: parts of `make test`, each also a target of its own ----

$(BUILD)/tests/dump_vocabulary: Tests/files/dump_vocabulary.c $(FILE_OBJECTS) $(OBJECTS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(WARN) $(FILES_INCLUDE) $(INCLUDE) -D_GNU_SOURCE $< $(FILE_OBJECTS) $(OBJECTS) $(JSONC_LIBS) -lpthread -lm -o $@

c-tests: needs-pcre2
	@$(MAKE) --no-print-directory -s -j$(JOBS) $(C_TESTS)
	@GM_SHARED=$(SHARED) tools/run.sh $(C_TESTS)

file-tests: needs-json-c
	@$(MAKE) --no-print-directory -s -j$(JOBS) $(FILE_TESTS)
	@GM_SHARED=$(SHARED) tools/run.sh $(FILE_TESTS)

fuzz-replay:
	@DEBUG="$(DEBUG)" CC="$(CC)" Tests/fuzz.sh $(BUILD)

structure:
	@$(MAKE) --no-print-directory -s -j$(JOBS) lib
	@tools/run.sh Tests/layers.sh "Tests/symbols.sh $(BUILD)" Tests/words.sh Tests/swift_layers.sh

cli-tests: needs-json-c
	@$(MAKE) --no-print-directory -s -j$(JOBS) bin
	@GM_SHARED=$(SHARED) tools/run.sh "Tests/cli/test_cli.sh $(BUILD)/bin/gmask" "Tests/supported.sh $(BUILD)/bin/gmask" "Tests/golden.sh $(BUILD)/bin/gmask"

example-tests:
	@$(MAKE) --no-print-directory -s -j$(JOBS) lib
	@CC="$(CC)" Tests/examples.sh $(BUILD) "$(SWIFT_SCRATCH)"

swift-tests: needs-json-c
	@tools/swift_tests.sh "$(SWIFT_SCRATCH)" $(BUILD)/swift.log

# The last line is "N passed, N failed", of all parts together; above it the names of what was skipped.
test:
	@JOBS=$(JOBS) tools/tally.sh $(BUILD)/test.log \
	  "$(MAKE) --no-print-directory structure" "$(MAKE) --no-print-directory c-tests" \
	  "$(MAKE) --no-print-directory file-tests" "$(MAKE) --no-print-directory fuzz-replay" \
	  "$(MAKE) --no-print-directory cli-tests" "$(MAKE) --no-print-directory swift-tests" \
	  "$(MAKE) --no-print-directory example-tests"

check:
	@BUILD=$(BUILD) JOBS=$(JOBS) tools/check.sh

conformance conformance-short: needs-json-c
	@$(MAKE) --no-print-directory -s -j$(JOBS) bin $(BUILD)/tests/dump_vocabulary
	@BUILD=$(BUILD) GM_SHARED=$(SHARED) tools/conformance.sh $(if $(filter %-short,$@),short,full)

bench: needs-json-c
	@$(MAKE) --no-print-directory -s -j$(JOBS) bin
	@BUILD=$(BUILD) CC="$(CC)" tools/bench.sh

# What else the script takes (DATA, TOKENIZER, LIST, RUNS, ENGINES, OPTIONS, WRITE) reaches it as it was given to make.
bench-peers: needs-json-c
	@$(MAKE) --no-print-directory -s -j$(JOBS) bin
	@BUILD=$(BUILD) GM_SHARED=$(SHARED) tools/bench_peers.sh $(SAMPLE)

docs:
	@SWIFT_SCRATCH="$(SWIFT_SCRATCH)" tools/docs.sh $(BUILD)/docs

format:
	@tools/format.sh

demo: needs-json-c
	@$(MAKE) --no-print-directory -s -j$(JOBS) bin
	@BUILD=$(BUILD) tools/demo.sh $(BUILD)/bin/gmask

# The engine; and the readers of tokenizer files and the command, if they were made (`make`, `make files`).
PC = sed -e 's|@CMAKE_INSTALL_PREFIX@|$(PREFIX)|' -e 's|@CMAKE_INSTALL_LIBDIR@|lib|' \
	-e 's|@CMAKE_INSTALL_INCLUDEDIR@|include|' -e 's|@PROJECT_VERSION@|$(FULL_VERSION)|'
install: lib
	install -d $(DESTDIR)$(PREFIX)/include/gmask $(DESTDIR)$(PREFIX)/lib/pkgconfig $(DESTDIR)$(PREFIX)/bin
	install -m 644 include/gmask/gmask.h $(DESTDIR)$(PREFIX)/include/gmask/
	install -m 644 $(BUILD)/lib/libgmask.a $(DESTDIR)$(PREFIX)/lib/
	install -m 755 $(BUILD)/lib/libgmask.so $(DESTDIR)$(PREFIX)/lib/libgmask.so.$(VERSION)
	ln -sf libgmask.so.$(VERSION) $(DESTDIR)$(PREFIX)/lib/libgmask.so
	$(PC) cmake/gmask.pc.in >$(DESTDIR)$(PREFIX)/lib/pkgconfig/gmask.pc
	if [ -e $(BUILD)/lib/libgmask_files.a ]; then \
	  install -m 644 include-files/gmask/files.h $(DESTDIR)$(PREFIX)/include/gmask/ && \
	  install -m 644 $(BUILD)/lib/libgmask_files.a $(DESTDIR)$(PREFIX)/lib/ && \
	  $(PC) -e 's|^Requires: .*|&, json-c|' -e '/^Requires.private/d' cmake/gmask-files.pc.in >$(DESTDIR)$(PREFIX)/lib/pkgconfig/gmask-files.pc; fi
	if [ -e $(BUILD)/bin/gmask ]; then install -m 755 $(BUILD)/bin/gmask $(DESTDIR)$(PREFIX)/bin/; fi

clean:
	rm -rf $(BUILD)

-include $(OBJECTS:.o=.d) $(DEBUG_OBJECTS:.o=.d) $(FILE_OBJECTS:.o=.d) $(CLI_OBJECTS:.o=.d)
