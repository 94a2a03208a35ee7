# SPDX-License-Identifier: MIT
#
# bale: one Makefile for everything, not recursive over folders.
#
#   make                  build/release/bale
#   make test             install what is missing, build, run all tests
#   make help             every target, one line each
#
# Each MODE has a build folder of its own and can be mixed freely:
#
#   release   gcc -O2, hardened; what is installed     asan   Address + UB sanitizers
#   debug     gcc -Og, BALE_DEBUG checks               tsan   ThreadSanitizer
#   clang     clang -O2, the second opinion            cover  line coverage
#   fuzz      clang, libFuzzer
#
# Variables for the command line:
#
#   V=1           show the commands             MODE=debug     see above
#   T=ring        only tests with this in name  BUILD=/tmp/b   build elsewhere
#   FOLDERS=shm   only these source folders     WERROR=        warnings pass
#   TIME_LIMIT=s  seconds for one test program  JOBS=n         parallel jobs
#                 (more on a busy machine)

SHELL       := /bin/bash
MODE        ?= release
BUILD       ?= build
JOBS        ?= $(shell nproc 2>/dev/null || echo 2)
PREFIX      ?= /usr/local
DESTDIR     ?=
FUZZ_SECONDS ?= 20

OBJ         := $(BUILD)/$(MODE)
Q           := $(if $(V),,@)
say          = @printf '  %-7s %s\n' '$(1)' '$(2)'

# Parallel by default; a -j of the command line wins.
ifeq ($(MAKELEVEL),0)
ifeq ($(filter -j%,$(MAKEFLAGS)),)
MAKEFLAGS   += -j$(JOBS)
endif
endif
MAKEFLAGS   += --no-print-directory
SUBMAKE     := +$(Q)$(MAKE)

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:

# ---------------------------------------------------------------- sources --

FOLDERS     ?= base shm catalogue tokenizer markup lang git rank secrets sources \
	stages supervisor report window cli

SRC         := $(sort $(foreach d,$(FOLDERS),$(wildcard $(d)/*.c $(d)/*/*.c)))
MAIN_SRC    := $(filter cli/main.c,$(SRC))
LIB_SRC     := $(filter-out $(MAIN_SRC),$(SRC))

TEST_SRC    := $(sort $(wildcard tests/unit/*/test_*.c))
KILL_SRC    := $(sort $(wildcard tests/kill/kill_*.c))
FUZZ_SRC    := $(filter-out tests/fuzz/fuzz_replay.c,$(sort $(wildcard tests/fuzz/fuzz_*.c)))
TOOL_SRC    := $(sort $(wildcard tests/support/tool_*.c))
SUPPORT_SRC := $(sort $(wildcard tests/support/support_*.c))
BENCH_SRC   := $(sort $(wildcard bench/bench_*.c))

# With FOLDERS given, only the tests named after these folders are built.
ifneq ($(origin FOLDERS),file)
TEST_SRC    := $(sort $(foreach d,$(FOLDERS),$(wildcard tests/unit/$(d)/test_*.c)))
endif

ALL_SRC     := $(SRC) $(TEST_SRC) $(KILL_SRC) $(FUZZ_SRC) $(SUPPORT_SRC) \
	$(TOOL_SRC) $(BENCH_SRC) tests/fuzz/fuzz_replay.c \
	tests/support/cover_exit.c tools/doc_gen.c \
	tools/doc_shells.c

objs         = $(patsubst %.c,$(OBJ)/%.o,$(1))
LIB_OBJS    := $(call objs,$(LIB_SRC))
MAIN_OBJS   := $(call objs,$(MAIN_SRC))
SUPPORT_OBJS := $(call objs,$(SUPPORT_SRC))
ALL_OBJS    := $(call objs,$(ALL_SRC))

PROGRAM     := $(OBJ)/bale
ARCHIVE     := $(OBJ)/libbale.a
TESTS       := $(patsubst %.c,$(OBJ)/%,$(TEST_SRC))
KILLS       := $(patsubst %.c,$(OBJ)/%,$(KILL_SRC))
FUZZERS     := $(patsubst %.c,$(OBJ)/%,$(FUZZ_SRC))
TOOLS       := $(patsubst %.c,$(OBJ)/%,$(TOOL_SRC))
LIB_TOOLS   := $(OBJ)/tests/support/tool_count $(OBJ)/tests/support/tool_cost
WITHIN      := $(OBJ)/tests/support/tool_within
TREE_TOOL   := $(OBJ)/tests/support/tool_tree
CLOCK       := $(OBJ)/tests/support/wrong_clock.so
BENCHES     := $(patsubst %.c,$(OBJ)/%,$(BENCH_SRC))
SHELL_TESTS := $(sort $(wildcard tests/system/test_*.sh))

# ------------------------------------------------------------------ flags --

# All that the sources may use; --as-needed links what they do use.
PKGS        := liburing libdeflate libzstd libcrypto jansson libgit2 yaml-0.1
TEST_PKGS   := cmocka libpcre2-8

PKG_CFLAGS  := $(shell pkg-config --cflags $(PKGS) 2>/dev/null)
PKG_LIBS    := $(shell pkg-config --libs $(PKGS) 2>/dev/null)
TEST_LIBS   := $(shell pkg-config --libs $(TEST_PKGS) 2>/dev/null)

WERROR      ?= -Werror
WARN        := -Wall -Wextra -Wconversion -Wsign-conversion -Wshadow \
	-Wstrict-prototypes -Wmissing-prototypes -Wvla -Wcast-qual \
	-Wwrite-strings $(WERROR)
LANG_FLAGS  := -std=c11 -D_GNU_SOURCE -I.
HARDEN      := -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
HARDEN_LD   := -pie -Wl,-z,relro,-z,now

CC_release  := gcc
OPT_release := -O2 -g -fPIE $(HARDEN)
LD_release  := $(HARDEN_LD)

CC_debug    := gcc
OPT_debug   := -Og -g3 -fPIE -DBALE_DEBUG
LD_debug    := -pie

# The symbols of objects are all that lint looks at.
CC_lint     := gcc
OPT_lint    := -O0 -fPIE
LD_lint     := -pie

CC_clang    := clang
OPT_clang   := -O2 -g -fPIE $(HARDEN)
LD_clang    := $(HARDEN_LD)

# gcc's -Wmaybe-uninitialized takes instrumented code for a use.
SANITIZE    := -fsanitize=address,undefined -fno-sanitize-recover=all
CC_asan     := gcc
OPT_asan    := -O1 -g -fPIE -fno-omit-frame-pointer -DBALE_DEBUG $(SANITIZE) \
	-Wno-maybe-uninitialized
LD_asan     := -pie $(SANITIZE)

CC_tsan     := gcc
OPT_tsan    := -O1 -g -fPIE -fno-omit-frame-pointer -fsanitize=thread \
	-Wno-maybe-uninitialized
LD_tsan     := -pie -fsanitize=thread

CC_cover    := gcc
OPT_cover   := -O0 -g -fPIE --coverage -DBALE_DEBUG
LD_cover    := -pie --coverage

CC_fuzz     := clang
OPT_fuzz    := -O1 -g -fPIE -fno-omit-frame-pointer -DBALE_DEBUG \
	-fsanitize=fuzzer-no-link,address,undefined \
	-fno-sanitize-recover=undefined
LD_fuzz     := -pie -fsanitize=address,undefined

ifeq ($(OPT_$(MODE)),)
$(error MODE=$(MODE) is not one of release debug lint clang asan tsan cover fuzz)
endif

CC          := $(if $(filter default,$(origin CC)),$(CC_$(MODE)),$(CC))
CFLAGS      ?=
LDFLAGS     ?=
ALL_CFLAGS  := $(LANG_FLAGS) $(WARN) $(OPT_$(MODE)) $(PKG_CFLAGS) $(CFLAGS)
# What the loader has to find in the program: git/io_libgit2_guard.c.
EXPORTS     := open open64 __open_2 __open64_2 opendir inflate \
	mbedtls_x509_crt_parse_file mbedtls_x509_crt_parse_path
ALL_LDFLAGS := $(LD_$(MODE)) -Wl,--as-needed -Wl,--build-id=sha1 \
	$(EXPORTS:%=-Wl,--export-dynamic-symbol=%) $(LDFLAGS)
LIBS        := $(PKG_LIBS) -lpthread -lrt -lm
# The program brings its libraries along, each that there is an archive of: to
# find and bind them took longer than all that `bale --version` does. Of a
# distribution that wants them shared: LINK=shared.
LINK        ?= static
archive_of   = $(or $(filter /%,$(shell $(CC) -print-file-name=lib$(1:-l%=%).a)),$1)
PROGRAM_LIBS = $(if $(filter static,$(LINK)),$(foreach \
	l,$(LIBS),$(if $(filter -luring -ldeflate -lzstd -lcrypto -ljansson -lyaml,$l),$(call \
	archive_of,$l),$l)),$(LIBS))

# The program runs on any x86-64. Faster code lies in files of its own, named
# after what it needs, and is entered only after asking the processor.
AVX2        := -mavx2 -mbmi -mbmi2 -mpopcnt -mlzcnt -mpclmul
AVX512      := $(AVX2) -mavx512f -mavx512bw -mavx512vl -mavx512dq \
	-mavx512vbmi -mavx512vbmi2
SHANI       := -msse4.1 -msha
$(OBJ)/%_avx2.o:   ARCH_CFLAGS := $(AVX2)
$(OBJ)/%_avx512.o: ARCH_CFLAGS := $(AVX512)
$(OBJ)/%_shani.o:  ARCH_CFLAGS := $(SHANI)

# What all content goes through; elsewhere it makes code larger and no faster.
HOT_release := -O3
$(OBJ)/lang/%.o $(OBJ)/stages/chunk/%.o $(OBJ)/stages/count/%.o $(OBJ)/rank/query%.o \
$(OBJ)/base/sieve%.o $(OBJ)/base/sha256%.o $(OBJ)/secrets/%.o $(OBJ)/tokenizer/%.o: HOT_CFLAGS := $(HOT_$(MODE))

# cmocka hands every test a state that few of them look at. The program is
# tested as it is built; what tests it only has to be compiled quickly.
$(OBJ)/tests/%.o:  ARCH_CFLAGS := -Wno-unused-parameter -O0 -U_FORTIFY_SOURCE

# ------------------------------------------------------ vocabulary images --
# vocabulary images
#
# tools/vocab_image.c turns data/ into images that are used in place; they are
# the same for all modes. tokenizer/vocab_images.c takes them into the program.

VOCAB_OBJS  :=
IMAGES_DIR  := $(BUILD)/data
IMAGES      := $(patsubst data/%.vocab.zst,$(IMAGES_DIR)/%.img,\
	$(wildcard data/*.vocab.zst)) $(IMAGES_DIR)/unicode_class.img \
	$(IMAGES_DIR)/unicode_nfc.img
IMAGE_TOOL  := $(IMAGES_DIR)/vocab_image
IMAGE_SRC   := tools/vocab_image.c tools/vocab_image_nfc.c \
	tokenizer/vocab_build.c tokenizer/vocab.c tokenizer/bpe.c

$(IMAGE_TOOL): $(IMAGE_SRC) $(wildcard tokenizer/*.h tools/*.h)
	$(call say,TOOL,$@)
	@mkdir -p $(@D)
	$(Q)gcc $(LANG_FLAGS) $(WARN) -O2 -o $@ $(IMAGE_SRC) -lzstd

$(IMAGES_DIR)/%.img: data/%.vocab.zst $(IMAGE_TOOL)
	$(call say,IMAGE,$@)
	$(Q)$(IMAGE_TOOL) $< $@

$(IMAGES_DIR)/%.img: data/%.txt $(IMAGE_TOOL)
	$(call say,IMAGE,$@)
	$(Q)$(IMAGE_TOOL) $< $@

$(OBJ)/tokenizer/vocab_images.o: $(IMAGES)
$(OBJ)/tokenizer/vocab_images.o: ARCH_CFLAGS := \
	-DVOCAB_IMAGES_DIR='"$(IMAGES_DIR)"'

# The tables of character sets are what iconv(3) says when bale is built.
CHARSET_TOOL := $(IMAGES_DIR)/charset_tables
CHARSET_INC  := $(IMAGES_DIR)/charset_tables.inc

$(CHARSET_TOOL): tools/charset_tables.c base/charset.h base/base.h
	$(call say,TOOL,$@)
	@mkdir -p $(@D)
	$(Q)gcc $(LANG_FLAGS) $(WARN) -O1 -o $@ $<

$(CHARSET_INC): $(CHARSET_TOOL)
	$(call say,IMAGE,$@)
	$(Q)$< >$@

$(OBJ)/base/charset.o: $(CHARSET_INC)
$(OBJ)/base/charset.o: ARCH_CFLAGS := -DCHARSET_TABLES='"$(CHARSET_INC)"'

# The page of `bale report --html` is part of the program.
$(OBJ)/report/report_html.o: data/report.html

# ------------------------------------------------------------------ build --

.PHONY: all tests benches fuzzers force
all: $(if $(MAIN_SRC),$(PROGRAM),$(ARCHIVE)) ## build the program (MODE=release)

tests: $(TESTS) $(FUZZERS) $(KILLS) $(TOOLS) $(CLOCK)
benches: $(BENCHES)
fuzzers: $(FUZZERS)

# Two stamps, rewritten only when their text changes: the compiler with its
# flags, which every object hangs on, and the list of objects, which every
# link hangs on (so that a deleted source is noticed).
$(OBJ)/flags: force
	@mkdir -p $(@D)
	$(if $(PKG_LIBS),,@echo 'bale: libraries are missing; run: make deps' >&2; exit 1)
	@printf '%s\n' '$(CC) $(ALL_CFLAGS) $(HOT_$(MODE)) $(ALL_LDFLAGS) $(LIBS)' | \
		cmp -s - $@ || \
		printf '%s\n' '$(CC) $(ALL_CFLAGS) $(HOT_$(MODE)) $(ALL_LDFLAGS) $(LIBS)' >$@

$(OBJ)/objects: force
	@mkdir -p $(@D)
	@printf '%s\n' '$(LIB_OBJS) $(MAIN_OBJS) $(VOCAB_OBJS)' | \
		cmp -s - $@ || \
		printf '%s\n' '$(LIB_OBJS) $(MAIN_OBJS) $(VOCAB_OBJS)' >$@

$(OBJ)/%.o: %.c $(OBJ)/flags
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(HOT_CFLAGS) $(ARCH_CFLAGS) -MMD -MP -c -o $@ $<

$(ARCHIVE): $(LIB_OBJS) $(OBJ)/objects
	$(call say,AR,$@)
	$(Q)rm -f $@ && ar rcsD $@ $(LIB_OBJS)

# Workers end by _exit(), which tells nobody what they ran.
ifeq ($(MODE),cover)
$(PROGRAM): EXIT_LD := -Wl,--wrap=_exit
$(PROGRAM): $(OBJ)/tests/support/cover_exit.o
endif

$(PROGRAM): $(MAIN_OBJS) $(LIB_OBJS) $(VOCAB_OBJS) $(OBJ)/objects
	$(call say,LINK,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) $(EXIT_LD) -o $@ $(filter %.o,$^) $(PROGRAM_LIBS)

$(TESTS) $(KILLS): EXTRA_LIBS := $(TEST_LIBS)
# what fails in its rig ends it
$(OBJ)/tests/fuzz/fuzz_stages_%: RIG_LIBS := $(TEST_LIBS)

# A test takes from the archive what it needs, so that it can replace a
# function by its own and is not held up by folders it has nothing to do with.
link_with_archive = $(Q)$(CC) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) \
	$(ARCHIVE) $(VOCAB_OBJS) $(ARCHIVE) $(EXTRA_LIBS) $(RIG_LIBS) $(LIBS)

$(TESTS) $(KILLS) $(BENCHES) $(LIB_TOOLS): $(OBJ)/%: $(OBJ)/%.o $(SUPPORT_OBJS) \
		$(ARCHIVE) $(VOCAB_OBJS)
	$(call say,LINK,$@)
	$(link_with_archive)

# Tools of the shell tests know nothing of the program they judge, but for
# its vocabularies, and for its costs.
$(filter-out $(LIB_TOOLS),$(TOOLS)): $(OBJ)/%: $(OBJ)/%.o
	$(call say,LINK,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $<

$(CLOCK): tests/support/wrong_clock.c $(OBJ)/tests/support/tool_within
	$(call say,LINK,$@)
	$(Q)$(CC) $(LANG_FLAGS) $(WARN) -O1 -shared -fPIC -o $@ $<

# Manual and completions are written by the tables that the program itself
# reads its options by.
DOC_TOOL    := $(OBJ)/tools/doc_gen
DOC_OBJS    := $(call objs,tools/doc_gen.c tools/doc_shells.c)
DOCS        := $(addprefix $(OBJ)/doc/,bale.1 bale.bash _bale bale.fish)

$(DOC_TOOL): $(DOC_OBJS) $(ARCHIVE) $(VOCAB_OBJS)
	$(call say,LINK,$@)
	$(link_with_archive)

$(OBJ)/doc/bale.1: DOC := man
$(OBJ)/doc/bale.bash: DOC := bash
$(OBJ)/doc/_bale: DOC := zsh
$(OBJ)/doc/bale.fish: DOC := fish
$(DOCS): $(DOC_TOOL)
	$(call say,DOC,$@)
	@mkdir -p $(@D)
	$(Q)$(DOC_TOOL) $(DOC) >$@

.PHONY: docs
docs: $(DOCS) ## the manual and the completions, into the build folder

# With libFuzzer the engine brings main(); elsewhere fuzz_replay.c does and
# feeds the corpus once.
ifeq ($(MODE),fuzz)
$(FUZZERS): EXTRA_LIBS := -fsanitize=fuzzer
$(FUZZERS): $(OBJ)/%: $(OBJ)/%.o $(ARCHIVE) $(VOCAB_OBJS)
else
$(FUZZERS): $(OBJ)/%: $(OBJ)/%.o $(OBJ)/tests/fuzz/fuzz_replay.o $(ARCHIVE) \
		$(VOCAB_OBJS)
endif
	$(call say,LINK,$@)
	$(link_with_archive)

-include $(ALL_OBJS:.o=.d)

# ------------------------------------------------------------------- main --

.PHONY: debug deps deps-dev pack
debug: ## build build/debug/bale: -Og and the costly checks
	$(SUBMAKE) MODE=debug all

deps: ## install what building and testing need (apt-get, Debian or Ubuntu)
	@tools/deps.sh

deps-dev: ## the same, and what make check needs
	@tools/deps.sh --dev

DIR ?= .
pack: deps ## build and pack the folder DIR into bale-context.md
	$(SUBMAKE) MODE=release all
	@$(BUILD)/release/bale pack '$(DIR)' -o bale-context.md $(ARGS)

# ------------------------------------------------------------------ tests --
# Each of the targets called test* can be run with MODE=asan and so on.

.PHONY: test test-unit test-system test-kill test-oracle
RUN         := MODE=$(MODE) BUILD=$(BUILD) JOBS=$(JOBS) tests/support/run_tests.sh
named        = $(if $(T),$(foreach t,$(1),$(if $(findstring $(T),$(t)),$(t))),$(1))
SYSTEM      := $(wildcard tests/system/run.sh)
KILL_SHELL  := $(sort $(wildcard tests/kill/*.sh tests/model/run.sh))
ORACLE      := $(wildcard tests/oracle/run.sh)

# Unit and system tests in one run, so that there is one sum at the end.
test: deps ## install, build, run the unit and system tests
	$(SUBMAKE) MODE=$(MODE) all docs tests
	$(SUBMAKE) MODE=$(MODE) run-tests

.PHONY: run-tests
run-tests:
	@$(RUN) $(call named,$(TESTS) $(FUZZERS) $(OBJ)/tests/kill/kill_worker_chaos \
		$(SHELL_TESTS) $(SYSTEM))

test-unit: $(TESTS) $(FUZZERS) $(WITHIN) ## the test programs alone (T=name for some)
	@$(RUN) $(call named,$(TESTS) $(FUZZERS))

test-system: all docs $(TOOLS) ## tests/system (LONG=1: all of it)
	@TIME_LIMIT=$${TIME_LIMIT:-$(if $(LONG),1800,240)} $(RUN) $(call named,$(SHELL_TESTS) $(SYSTEM))

test-kill: all $(KILLS) $(TOOLS) ## kill workers at every point, compare the output
	@BALE_CACHE=off TIME_LIMIT=$${TIME_LIMIT:-900} $(RUN) \
		$(call named,$(KILLS) $(KILL_SHELL))

test-oracle: deps-dev ## compare token counts and output with other programs
	$(SUBMAKE) MODE=$(MODE) all $(OBJ)/libbale.a $(WITHIN) \
		$(OBJ)/bench/bench_collect_walk $(OBJ)/bench/bench_chunk_scan
	@TIME_LIMIT=$${TIME_LIMIT:-900} $(RUN) $(call named,$(ORACLE))

.PHONY: test-slurm
test-slurm: ## an array of contrib/slurm on four nodes of a Slurm of its own
	$(SUBMAKE) MODE=$(MODE) all $(WITHIN) $(OBJ)/tests/support/tool_tree
	@TIME_LIMIT=$${TIME_LIMIT:-900} $(RUN) tests/slurm/run.sh

# ----------------------------------------------------------------- checks --

.PHONY: asan tsan valgrind fuzz mutants bench bench-e2e bench-limits
# What these compare tells a sanitizer little: the figures of many runs, plans,
# files that are left, the runner itself. With ALL=1, as for check-long, they
# run as well. With ASAN_UNIT=1, the test programs alone.
FIGURES     := $(patsubst %,tests/system/test_%.sh,chunk_forms chunk_limits \
	command_dedup command_docs command_full command_schema pack_budget \
	pack_empty_pairs pack_examples pack_fill pack_fits pack_hang \
	pack_history pack_importers pack_leftovers pack_limits pack_manifest \
	pack_memory pack_metrics pack_million pack_never_over pack_order \
	pack_output pack_pairs pack_pins pack_priorities pack_sidecars \
	pack_signals pack_split pack_tiers pack_twins pack_workers report_page \
	runner)

# With ASAN_UNIT=1, not what reads no foreign bytes, or is fuzzed as well.
ASAN_SRC    := $(if $(ASAN_UNIT),TEST_SRC='$(filter-out \
	tests/unit/tokenizer/% tests/unit/rank/% tests/unit/report/% \
	tests/unit/supervisor/%,$(TEST_SRC))')

asan: ## unit and system tests under AddressSanitizer and UBSan
	$(SUBMAKE) MODE=asan $(ASAN_SRC) all docs tests
	$(SUBMAKE) MODE=asan $(ASAN_SRC) $(if $(ASAN_UNIT),SHELL_TESTS= SYSTEM=,$(if $(ALL),,\
		SHELL_TESTS='$(filter-out $(FIGURES),$(SHELL_TESTS))')) run-tests

# It sees the threads of one process; a test without threads tells it nothing.
THREADED    := $(shell grep -l pthread_create tests/unit/*/test_*.c)

tsan: ## unit tests that make threads under ThreadSanitizer
	$(SUBMAKE) MODE=tsan TEST_SRC='$(THREADED)' FUZZ_SRC= test-unit

valgrind: ## unit tests under valgrind's memcheck
	$(SUBMAKE) MODE=debug tests
	@WRAP='valgrind -q --error-exitcode=99 --leak-check=full' \
		TIME_LIMIT=$${TIME_LIMIT:-900} \
		$(MAKE) MODE=debug test-unit

fuzz: ## each fuzz target for FUZZ_SECONDS (20), FUZZ_JOBS (1) at a time: a table
	$(SUBMAKE) MODE=fuzz fuzzers $(BUILD)/fuzz/tests/support/tool_within
	@FUZZ_SECONDS=$(FUZZ_SECONDS) tests/fuzz/run_fuzz.sh \
		$(call named,$(patsubst $(OBJ)/%,$(BUILD)/fuzz/%,$(FUZZERS)))

# Beside the rest, since what is loaded before a library must not be inlined.
mutants: ## small changes of sources that no test notices (ARGS='--folder window')
	$(SUBMAKE) MODE=release BUILD=$(BUILD)/mutants CFLAGS=-fPIC all tests
	@python3 tests/support/mutate.py $(BUILD)/mutants/release \
		'gcc $(LANG_FLAGS) $(OPT_release) $(PKG_CFLAGS) -fPIC' \
		'$(LIBS)' --jobs $(JOBS) $(ARGS)

bench: ## build and run every benchmark
	$(SUBMAKE) MODE=release all benches
	@for b in $(call named,$(patsubst $(OBJ)/%,$(BUILD)/release/%,$(BENCHES))); \
	do echo "== $${b##*/}"; "$$b" || exit 1; done

bench-e2e: all ## the whole program against reading alone and its peers (TREE)
	@bench/e2e.sh
	@bench/bench_pack_peers.py "$${TREE:-.}"

bench-limits: all ## whether the promised times are kept
	@bench/limits.sh

.PHONY: costs costs-update lint run-lint format format-check analyze check check-long cover
costs: $(LIB_TOOLS) $(WITHIN) $(TREE_TOOL) ## instructions: promises, no more than the lines of bench/costs.txt, growth
	@$(RUN) tests/support/costs.sh tests/support/growth.sh

costs-update: $(LIB_TOOLS) $(TREE_TOOL) ## write the lines of bench/costs.txt
	@BUILD=$(BUILD) MODE=$(MODE) tests/support/costs.sh --update | grep -v '^ok'
	@git diff --stat bench/costs.txt

LINTS       := $(sort $(wildcard tests/lint/lint_*.sh))
FORMATTED   := $(sort $(wildcard $(foreach d,$(FOLDERS),$(d)/*.[ch] \
	$(d)/*/*.[ch]) tests/*.[ch] tests/*/*.[ch] bench/*.[ch] tools/*.[ch]))

# Those whose symbols lint looks at: of the folders that have plain logic.
PURE_OBJS   := $(call objs,$(filter $(addsuffix /%,tokenizer markup lang git \
	rank secrets stages),$(LIB_SRC)))
# By the objects of a program that no source is newer than, or else by such as
# are made in a third of the time.
BUILT_MODE   = $(if $(wildcard $(PROGRAM)),$(if $(shell find $(FOLDERS) \
	-type f -newer $(PROGRAM) -print -quit),lint,$(MODE)),lint)

lint: ## the house rules that a program can check
	$(SUBMAKE) MODE=$(BUILT_MODE) run-lint

run-lint: $(PURE_OBJS) $(WITHIN)
	@$(RUN) $(call named,$(LINTS))

format: ## let clang-format write the layout
	$(Q)clang-format -i $(FORMATTED)

format-check: ## fail where clang-format would change something
	$(Q)clang-format --dry-run -Werror $(FORMATTED)

CLANG_WARNS := $(addprefix clang-warn/,$(ALL_SRC))
.PHONY: clang-warn $(CLANG_WARNS)
clang-warn: $(CLANG_WARNS) ## what clang warns of, without building
$(CLANG_WARNS): clang-warn/%: %
	$(call say,CLANG,$<)
	$(Q)clang -fsyntax-only $(LANG_FLAGS) $(WARN) $(PKG_CFLAGS) $(CFLAGS) \
		$(if $(findstring _avx2,$<),$(AVX2)) \
		$(if $(findstring _avx512,$<),$(AVX512)) \
		$(if $(findstring _shani,$<),$(SHANI)) \
		$(if $(filter tests/%,$<),-Wno-unused-parameter) $<

ANALYSES    := $(addprefix analyze/,$(SRC))
.PHONY: $(ANALYSES)
analyze: $(ANALYSES) ## clang's static analyzer
$(ANALYSES): analyze/%: %
	$(call say,ANALYZE,$<)
	$(Q)clang --analyze -Xclang -analyzer-output=text -Xclang \
		-analyzer-werror $(LANG_FLAGS) $(PKG_CFLAGS) \
		$(if $(findstring _avx2,$<),$(AVX2)) \
		$(if $(findstring _avx512,$<),$(AVX512)) \
		$(if $(findstring _shani,$<),$(SHANI)) $<

check: deps-dev ## all that a change has to pass
	+@tests/support/check.sh

check-long: deps-dev ## check, kill, oracle, valgrind, each fuzz target for FUZZ_SECONDS (300)
	+@tests/support/check.sh --long

# Percent of all lines that the tests run; some of them say nothing of it.
COVER_FLOOR ?= $(if $(T),0,80)
cover: ## line coverage of the unit and system tests, file by file; fails below 80 %
	$(SUBMAKE) MODE=cover all docs tests
	$(Q)find $(BUILD)/cover -name '*.gcda' -delete
	$(SUBMAKE) MODE=cover run-tests
	@COVER_FLOOR=$(COVER_FLOOR) tests/support/cover.sh $(BUILD)/cover $(SRC)

# The same of the test programs alone, so that what brings no tests of its own
# is noticed; not by those that take long and run nothing that others do not.
COVER_UNIT_FLOOR ?= 66
COVER_LONG  := chunk/test_chunk_worker collect/test_collect_io_walk \
	git/test_hostile lang/test_walk shm/test_ring_stress stages/test_worker \
	tokenizer/test_count tokenizer/test_stream
UNIT_RUNS    = $(filter-out $(addprefix $(OBJ)/tests/unit/,$(COVER_LONG)),$(TESTS) $(FUZZERS))
.PHONY: cover-unit run-cover-unit
cover-unit: ## line coverage of the test programs alone; fails below 66 %
	$(SUBMAKE) MODE=cover run-cover-unit

run-cover-unit: $(UNIT_RUNS) $(WITHIN)
	$(Q)find $(OBJ) -name '*.gcda' -delete
	@$(RUN) $(UNIT_RUNS)
	@COVER_FLOOR=$(COVER_UNIT_FLOOR) tests/support/cover.sh $(OBJ) $(SRC) >$(OBJ)/unit.txt; \
	code=$$?; tail -2 $(OBJ)/unit.txt; exit $$code

# ---------------------------------------------------------------- install --

.PHONY: install uninstall tags clean help
BINDIR      := $(DESTDIR)$(PREFIX)/bin
SHAREDIR    := $(DESTDIR)$(PREFIX)/share
INSTALLED   := $(BINDIR)/bale $(SHAREDIR)/man/man1/bale.1 \
	$(SHAREDIR)/bash-completion/completions/bale \
	$(SHAREDIR)/zsh/site-functions/_bale \
	$(SHAREDIR)/fish/vendor_completions.d/bale.fish

install: all docs ## install below PREFIX (/usr/local), honouring DESTDIR
	install -D -m 755 $(PROGRAM) $(BINDIR)/bale
	install -D -m 644 $(OBJ)/doc/bale.1 $(SHAREDIR)/man/man1/bale.1
	install -D -m 644 $(OBJ)/doc/bale.bash \
		$(SHAREDIR)/bash-completion/completions/bale
	install -D -m 644 $(OBJ)/doc/_bale \
		$(SHAREDIR)/zsh/site-functions/_bale
	install -D -m 644 $(OBJ)/doc/bale.fish \
		$(SHAREDIR)/fish/vendor_completions.d/bale.fish

uninstall: ## remove what install put there
	rm -f $(INSTALLED)

tags: ## index for editors
	$(Q)ctags $(SRC) $(sort $(wildcard */*.h */*/*.h)) $(TEST_SRC)

clean: ## remove everything that was built
	$(Q)rm -rf $(BUILD) tags bale-context.md

help: ## this list
	@awk -F ':.*## ' '/^[a-z][a-z0-9-]*:.*## / \
		{ printf "  %-14s %s\n", $$1, $$2 }' Makefile
