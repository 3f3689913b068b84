# SPDX-License-Identifier: GPL-2.0-or-later
#
# make help lists the targets. KDIR names the headers of another kernel, DESTDIR
# and PREFIX where to install.

KDIR ?= /lib/modules/$(shell uname -r)/build
PREFIX ?= /usr/local
BUILD := build
# The module is built from copies: kbuild puts its products beside the sources.
MODULE := $(abspath $(BUILD)/module)
UTILITY := $(abspath $(BUILD)/userspace)

CFLAGS ?= -O2 -g
TEST_CFLAGS := -std=gnu11 -Wall -Wextra -Werror -Iinclude -Iuserspace
TEST_LIBS := -lcmocka -lm

# The utility's own tests take it from there.
TAP := SCHEDFLIP=$(UTILITY)/schedflip test/tap

HEADERS := $(wildcard $(KDIR)/Makefile)
BUILT_BOTH := "Built $(BUILD)/module/schedflip.ko and $(BUILD)/userspace/schedflip;" \
	"next: sudo make install"
define NOTICE
echo "Built $(BUILD)/userspace/schedflip only: there are no kernel headers in $(KDIR)."; \
echo "Install them (Debian: apt install linux-headers-$$(uname -r)) or set KDIR," \
	"then make again."
endef

UNIT_SOURCES := $(wildcard test/unit/*.c)
UNIT_TESTS := $(UNIT_SOURCES:test/unit/%.c=$(BUILD)/unit/%)
UNIT_SCRIPTS := $(wildcard test/unit/*.sh)
UNIT_HEADERS := $(wildcard include/schedflip/*.h test/unit/*.h userspace/*.h)

# The targets of test/fuzz, each linked twice: for libFuzzer, and for the kept inputs.
FUZZ_NAMES := $(filter-out main,$(patsubst test/fuzz/%.c,%,$(wildcard test/fuzz/*.c)))
FUZZ_TESTS := $(FUZZ_NAMES:%=$(BUILD)/fuzzing/gcc/%)
FUZZ_TARGETS := $(FUZZ_NAMES:%=$(BUILD)/fuzzing/clang/%)
FUZZ_FLAGS := -O1 -g -fno-omit-frame-pointer -fno-sanitize-recover=all \
	-fsanitize=address,undefined,float-cast-overflow

.PHONY: all
all: $(if $(HEADERS),module) utility ## build both (default)
	@$(if $(HEADERS),echo $(BUILT_BOTH),{ $(NOTICE); } >&2)

.PHONY: help
help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.* ## \(.*\)/\1\t\2/p' Makefile | expand -t 14

.PHONY: module
module: ## schedflip.ko, for the kernel whose headers are in KDIR
	@mkdir -p $(MODULE)
	cp -Rpu Kbuild module include $(MODULE)
	$(MAKE) -C $(KDIR) M=$(MODULE) modules

.PHONY: utility
utility: ## the command line utility, and its man pages
	$(MAKE) -C userspace O=$(UTILITY) all man

# Under DESTDIR there is no depmod: its index would lack the kernel's own modules.
.PHONY: install
install: ## install what `make` has built
	@test -f $(MODULE)/schedflip.ko || \
		{ echo "No module here: run 'make' with kernel headers first." >&2; exit 1; }
	$(MAKE) -C $(KDIR) M=$(MODULE) INSTALL_MOD_PATH=$(DESTDIR) modules_install
	$(if $(DESTDIR),,depmod \
		"$$(modinfo -F vermagic $(MODULE)/schedflip.ko | cut -d' ' -f1)")
	$(MAKE) -C userspace O=$(UTILITY) DESTDIR=$(DESTDIR) PREFIX=$(PREFIX) install

.PHONY: clean
clean: ## remove what was built
	rm -rf $(BUILD)

.PHONY: check
check: setup ## all tests; ends in one line: N passed, N failed
	@$(MAKE) --no-print-directory unit-tests
	@$(TAP) $(UNIT_TESTS) $(UNIT_SCRIPTS) $(FUZZ_TESTS) test/style test/vm/selftest \
		test/vm/check

.PHONY: check-unit
check-unit: setup ## only the unit tests
	@$(MAKE) --no-print-directory unit-tests
	@$(TAP) $(UNIT_TESTS) $(UNIT_SCRIPTS) $(FUZZ_TESTS)

.PHONY: fuzz
fuzz: setup ## fuzz the parsers of the utility, FUZZ_SECONDS=60 each; or RUN='state ...'
	@test/fuzz/run $(RUN)

.PHONY: check-vm
check-vm: setup ## only the tests in virtual machines
	@$(TAP) test/vm/selftest test/vm/check

.PHONY: check-debug
check-debug: setup ## guest and hostile tests on debug kernels, which it builds; takes hours
	@$(TAP) test/vm/check-debug

.PHONY: style
style: setup ## only the checks of the sources
	@$(TAP) test/style

.PHONY: format
format: ## let clang-format rewrite the sources
	@test/style --fix

.PHONY: demo
demo: setup ## flip policies in a virtual machine, explained
	@test/vm/demo

.PHONY: bench
bench: setup ## instructions that each policy adds to a call; ns of a decision
	@$(MAKE) --no-print-directory $(UTILITY)/schedflip
	@status=0; $(UTILITY)/schedflip sim speed --check || status=$$?; echo; \
		test/vm/bench || status=$$?; exit $$status

.PHONY: scale
scale: setup ## what the module takes on 8, 16 and 32 CPUs, and with 255 possible ones
	@test/vm/scale

.PHONY: lab
lab: setup ## compare all policies in exact mode, into docs/RESULTS.md; takes hours
	@test/vm/lab $(LAB)
	@test/vm/lab-table $(BUILD)/lab/7.3 docs/RESULTS.md

.PHONY: setup
setup: ## install what tests need (Debian packages)
	@test/setup

# Asked for by a make of its own, after setup: pkg-config may not be there before.
.PHONY: unit-tests
unit-tests: $(UNIT_TESTS) $(FUZZ_TESTS) $(UTILITY)/schedflip

.PHONY: fuzz-targets
fuzz-targets: $(FUZZ_TARGETS)

$(BUILD)/unit/%: test/unit/%.c $(UNIT_HEADERS) Makefile
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(TEST_CFLAGS) -o $@ $(filter %.c %.a,$^) $(TEST_LIBS)

# Tests of the utility link its own objects.
$(BUILD)/unit/utility_%: TEST_LIBS += $(shell $(MAKE) -s -C userspace print-libs)
$(filter $(BUILD)/unit/utility_%,$(UNIT_TESTS)): $(UTILITY)/libschedflip.a

# With -fsanitize=fuzzer, clang links in libFuzzer's main() where there is none.
$(BUILD)/fuzzing/clang/%: CC := clang
$(BUILD)/fuzzing/clang/%: FUZZ_FLAGS += -fsanitize=fuzzer -Wno-missing-field-initializers
$(FUZZ_TESTS): test/fuzz/main.c
$(FUZZ_TESTS) $(FUZZ_TARGETS): FUZZ_LIBS = $(shell $(MAKE) -s -C userspace print-libs)
$(foreach cc,gcc clang,$(eval $(FUZZ_NAMES:%=$(BUILD)/fuzzing/$(cc)/%): \
	$(BUILD)/fuzzing/$(cc)/%: test/fuzz/%.c $(BUILD)/fuzzing/$(cc)/lib/libschedflip.a))
$(FUZZ_TESTS) $(FUZZ_TARGETS): $(wildcard test/fuzz/*.h) Makefile
	$(CC) $(FUZZ_FLAGS) $(TEST_CFLAGS) -o $@ $(filter %.c %.a,$^) $(FUZZ_LIBS)

$(BUILD)/fuzzing/gcc/lib/libschedflip.a $(BUILD)/fuzzing/clang/lib/libschedflip.a: FORCE
	@$(MAKE) -s -C userspace O=$(abspath $(@D)) CC=$(CC) CFLAGS='$(FUZZ_FLAGS)' \
		$(abspath $@)

$(UTILITY)/libschedflip.a $(UTILITY)/schedflip &: FORCE
	@$(MAKE) -s -C userspace O=$(UTILITY) all

.PHONY: FORCE
FORCE:
