# GrammarMask. `make demo` shows it at work, `make test` runs every test that takes seconds.
CC      ?= cc
CFLAGS  ?= -O2 -g
WARN    := -std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Werror
BUILD   ?= build
MODULES := base json lex schema form machine vocab mask match api
SOURCES := $(wildcard $(MODULES:%=csrc/%/*.c))
OBJECTS := $(SOURCES:csrc/%.c=$(BUILD)/obj/%.o)
DEBUG_OBJECTS := $(SOURCES:csrc/%.c=$(BUILD)/debug/%.o)
TESTS   := $(patsubst Tests/c/%.c,$(BUILD)/tests/%,$(wildcard Tests/c/test_*.c))
INCLUDE := -Iinclude -Icsrc

.PHONY: lib clean c-tests
lib: $(BUILD)/lib/libgmask.a

$(BUILD)/obj/%.o: csrc/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(WARN) $(INCLUDE) -fvisibility=hidden -fPIC -MMD -c $< -o $@

$(BUILD)/debug/%.o: csrc/%.c
	@mkdir -p $(@D)
	$(CC) -O1 -g -DGM_DEBUG $(SANITIZE) $(WARN) $(INCLUDE) -MMD -c $< -o $@

$(BUILD)/lib/libgmask.a: $(OBJECTS)
	@mkdir -p $(@D)
	rm -f $@ && ar rcs $@ $^

$(BUILD)/tests/libdebug.a: $(DEBUG_OBJECTS)
	@mkdir -p $(@D)
	rm -f $@ && ar rcs $@ $^

$(BUILD)/tests/%: Tests/c/%.c Tests/c/check.h $(BUILD)/tests/libdebug.a
	@mkdir -p $(@D)
	$(CC) -O1 -g -DGM_DEBUG $(SANITIZE) $(WARN) -Wno-missing-prototypes $(INCLUDE) -ITests/c $< $(BUILD)/tests/libdebug.a $(LIBS_$*) -lpthread -lm -o $@

c-tests: $(TESTS)
	@for t in $(TESTS); do $$t || exit 1; done

clean:
	rm -rf $(BUILD)

-include $(OBJECTS:.o=.d) $(DEBUG_OBJECTS:.o=.d)
