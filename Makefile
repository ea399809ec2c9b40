# GrammarMask.
#
#   make demo      schemas at work: documents decoded under masks, each checked by a validator
#   make test      every test that takes seconds (C, command line, structure, Swift)
#   make check     the same under sanitizers, static analysis, and a minute of fuzzing
#   make lib       build/lib/libgmask.a and .so, build/lib/libgmask_files.a
#   make install   into PREFIX (default /usr/local)
#   make bench, make bench-peers, make conformance
#
# Missing system packages (json-c; for tests also PCRE2) are installed by tools/need.sh where that is
# possible, or named.
CC        ?= cc
AR        ?= ar
CFLAGS    ?= -O2 -g
BUILD     ?= build
PREFIX    ?= /usr/local
# Of each test and tool: give DEBUG=-O1\ -g\ -fsanitize=... for another kind of run.
DEBUG     ?= -O1 -g
WARN      := -std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Werror
INCLUDE   := -Iinclude -Icsrc
SHARED    ?= ../shared

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
FILES_INCLUDE := -Iinclude-files
JSONC_CFLAGS = $(shell pkg-config --cflags json-c 2>/dev/null)
JSONC_LIBS   = $(shell pkg-config --libs json-c 2>/dev/null || echo -ljson-c)

LIBS_test_json_against_jsonc := -ljson-c
LIBS_test_text_against_pcre2 := -lpcre2-8
WITH_test_walks         := csrc/cli/shipped_vocabulary.c
WITH_test_vocab_shipped := csrc/cli/shipped_vocabulary.c

.PHONY: all lib files bin demo test check conformance bench bench-peers install clean c-tests file-tests structure \
        cli-tests swift-tests needs-json-c needs-pcre2 format docs
all: lib bin

needs-json-c:
	@tools/need.sh json-c
needs-pcre2:
	@tools/need.sh json-c libpcre2-8

lib: $(BUILD)/lib/libgmask.a $(BUILD)/lib/libgmask.so
files: needs-json-c
	@$(MAKE) --no-print-directory $(BUILD)/lib/libgmask_files.a
bin: needs-json-c
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

c-tests: needs-pcre2
	@$(MAKE) --no-print-directory $(C_TESTS)
	@for t in $(C_TESTS); do GM_SHARED=$(SHARED) $$t || exit 1; done

file-tests: needs-json-c
	@$(MAKE) --no-print-directory $(FILE_TESTS) $(BUILD)/tests/dump_vocabulary
	@for t in $(FILE_TESTS); do $$t || exit 1; done

structure: lib
	Tests/layers.sh
	Tests/symbols.sh $(BUILD)
	Tests/words.sh

cli-tests: bin
	Tests/cli/test_cli.sh $(BUILD)/bin/gmask

swift-tests: needs-json-c
	@if command -v swift >/dev/null 2>&1; then swift test --scratch-path $(BUILD)/swift; \
	else echo "SKIP swift-tests: no swift on this machine"; fi

test: structure c-tests file-tests cli-tests swift-tests
	@echo "all tests passed"

demo: bin
	@tools/demo.sh $(BUILD)/bin/gmask

install: lib
	install -d $(DESTDIR)$(PREFIX)/include/gmask $(DESTDIR)$(PREFIX)/lib/pkgconfig
	install -m 644 include/gmask/gmask.h $(DESTDIR)$(PREFIX)/include/gmask/
	install -m 644 $(BUILD)/lib/libgmask.a $(DESTDIR)$(PREFIX)/lib/
	install -m 755 $(BUILD)/lib/libgmask.so $(DESTDIR)$(PREFIX)/lib/libgmask.so.$(VERSION)
	ln -sf libgmask.so.$(VERSION) $(DESTDIR)$(PREFIX)/lib/libgmask.so

clean:
	rm -rf $(BUILD)

-include $(OBJECTS:.o=.d) $(DEBUG_OBJECTS:.o=.d) $(FILE_OBJECTS:.o=.d) $(CLI_OBJECTS:.o=.d)
